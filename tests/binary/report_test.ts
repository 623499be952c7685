/** Pages out of the binary: the plotting packages are inside, and so are the page's own style and script. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { call, copyExample, ignore } from "./program.ts";

Deno.test({
  name: "binary: a run is swept, and both become pages with their pictures",
  ignore,
  async fn() {
    const cwd = await copyExample("support_rag");
    assert.equal((await call(cwd, ["run", "--quiet"])).code, 0);
    const swept = await call(cwd, ["sweep", "latest", "--set", "token_budget=40,120", "--json"]);
    const { sweep_id, calls } = JSON.parse(swept.stdout);
    assert.deepEqual(calls.retrieve, { made: 0, saved: 26 });
    for (const id of ["latest", sweep_id]) {
      const page = join(cwd, "page.html");
      const { code, stderr } = await call(cwd, ["report", id, "-o", page]);
      assert.deepEqual([code, stderr], [0, ""]);
      const text = await Deno.readTextFile(page);
      assert.match(text, /<svg [^>]*class="oloproof-picture"/);
      assert.match(text, /<script type="application\/gzip" id="rows-0">/);
      assert.match(text, /<\/html>\n$/);
    }
  },
});
