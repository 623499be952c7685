/** Golden transcripts: every file of tests/golden is replayed and must come out as it stands. */
import assert from "node:assert/strict";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { ROOT, startSession } from "./session.ts";
import { replay } from "./transcript.ts";

const folder = new URL("../golden/", import.meta.url);
const rewrite = Deno.env.get("OLOPROOF_GOLDEN") === "write";

for (const { name } of [...Deno.readDirSync(folder)].sort((a, b) => a.name < b.name ? -1 : 1)) {
  Deno.test(`golden: ${name}`, async () => {
    const file = new URL(name, folder);
    const golden = await Deno.readTextFile(file);
    const session = await startSession(["support_rag", "manual_search", "ferry_desk", "judged_answers"]);
    await cp(join(ROOT, "tests/fixtures/import"), join(session.cwd, "import"), { recursive: true });
    const now = await replay(golden, session);
    if (rewrite) await Deno.writeTextFile(file, now);
    else assert.equal(now, golden);
  });
}
