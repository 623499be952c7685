/** examples/support_rag_python is the same project as examples/support_rag: everything that is recorded is equal. */
import assert from "node:assert/strict";
import { exportCases } from "../../lib/commands/export.ts";
import { openProject } from "../../lib/commands/open_project.ts";
import { run } from "../../lib/commands/run.ts";
import { caseLine } from "../../lib/report/case_line.ts";
import { ROOT } from "../cli/session.ts";
import { testSurroundings } from "../commands/run_surroundings.ts";
import { tempFolder } from "../temp_folder.ts";

async function resultsOf(example: string) {
  const cwd = await tempFolder();
  const project = await openProject(`${ROOT}examples/${example}`, { cwd, store: "store.db" });
  const report = await run(project, {}, testSurroundings());
  const lines: unknown[] = [];
  for await (const { run: header, stored } of exportCases(project.store, report.run_id, testSurroundings())) {
    lines.push(caseLine(header, stored));
  }
  const again = await run(project, {}, testSurroundings());
  const { metrics, slices, cache, stages, failures, funnel } = report;
  const { source_digest, ...system } = report.system;
  assert.notEqual(source_digest, null);
  return { metrics, slices, cache, stages, failures, funnel, system, lines, again: again.cache };
}

Deno.test("support_rag in Python: the same candidates, contexts, answers, caches and figures", async () => {
  const here = await resultsOf("support_rag");
  assert.deepEqual(await resultsOf("support_rag_python"), here);
  assert.deepEqual(here.again.execution, { hit: 13, miss: 0 });
});

Deno.test("support_rag in Python: the files that both have are the same", async () => {
  for (const name of ["corpus.jsonl", "cases.jsonl"]) {
    const text = (example: string) => Deno.readTextFile(`${ROOT}examples/${example}/${name}`);
    assert.equal(await text("support_rag_python"), await text("support_rag"));
  }
});
