/** The figures that examples/support_rag is known for, by running it. */
import assert from "node:assert/strict";
import { exportCases } from "../../lib/commands/export.ts";
import { openProject } from "../../lib/commands/open_project.ts";
import { run } from "../../lib/commands/run.ts";
import { caseLine } from "../../lib/report/case_line.ts";
import { metricsTable } from "../../lib/report/run_text.ts";
import { ROOT } from "../cli/session.ts";
import { testSurroundings } from "../commands/run_surroundings.ts";
import { tempFolder } from "../temp_folder.ts";

async function openExample() {
  const folder = await tempFolder();
  return await openProject(`${ROOT}examples/support_rag`, { cwd: folder, store: "store.db" });
}

Deno.test("support_rag: metrics, caches and failures", async () => {
  const project = await openExample();
  const first = await run(project, {}, testSurroundings());
  const rows = metricsTable(first.metrics).split("\n").map((row) =>
    row.split("│").map((cell) => cell.trim()).filter((cell) => cell !== "")
  );
  assert.deepEqual(rows.slice(3, -1), [
    ["answer_correct", "69.2%", "[38.5%, 91.0%]", "9 / 13 observed · 0 missing · 0 excluded"],
    ["hit_rate_at_2", "92.3%", "[63.9%, 99.9%]", "12 / 13 observed · 0 missing · 0 excluded"],
    ["recall_at_2", "92.3%", "[63.9%, 99.9%]", "12 / 13 observed · 0 missing · 0 excluded"],
    ["ndcg_at_6", "0.866", "[0.506, 0.990]", "mean of 13 observed · 0 missing · 0 excluded"],
    ["citations_valid", "100.0%", "[75.2%, 100.0%]", "13 / 13 observed · 0 missing · 0 excluded"],
  ]);
  assert.deepEqual(first.cache, { execution: { hit: 0, miss: 13 }, judgment: { hit: 0, miss: 65 } });
  assert.deepEqual(first.stages, { retrieve: { hit: 0, miss: 13 }, generate: { hit: 0, miss: 13 } });
  const positions = first.slices.filter(({ slice }) => slice === "relevant_position");
  assert.deepEqual(positions.map(({ value, cases }) => [value, cases]), [["1", 10], ["2", 2], ["none", 1]]);

  const second = await run(project, {}, testSurroundings());
  assert.deepEqual(second.cache, { execution: { hit: 13, miss: 0 }, judgment: { hit: 65, miss: 0 } });
  assert.deepEqual(second.stages, { retrieve: { hit: 13, miss: 0 }, generate: { hit: 13, miss: 0 } });
  assert.deepEqual(second.metrics, first.metrics);

  const version = await run(project, { set: { version: "v2" } }, testSurroundings());
  assert.deepEqual(version.stages, { retrieve: { hit: 13, miss: 0 }, generate: { hit: 0, miss: 13 } });

  const budget = await run(project, { set: { token_budget: 120 } }, testSurroundings());
  assert.deepEqual(budget.cache, { execution: { hit: 0, miss: 13 }, judgment: { hit: 0, miss: 65 } });
  assert.deepEqual(budget.stages, { retrieve: { hit: 13, miss: 0 }, generate: { hit: 7, miss: 6 } });
  assert.deepEqual(budget.metrics, first.metrics);
});

Deno.test("support_rag: the four failures and where their evidence was lost", async () => {
  const project = await openExample();
  const { run_id } = await run(project, {}, testSurroundings());
  const failures: unknown[] = [];
  for await (const { run: header, stored } of exportCases(project.store, run_id, testSurroundings())) {
    const line = caseLine(header, stored);
    const { answer_correct: verdict } = line.judgments;
    if (verdict?.status !== "observed" || verdict.value !== false) continue;
    const { relevant } = stored.record.case.expected as { relevant: { doc_id: string }[] };
    const wanted = relevant[0]?.doc_id;
    const position = (line.candidates ?? []).findIndex(({ doc_id }) => doc_id === wanted) + 1;
    const dropped = line.dropped?.find(({ doc_id }) => doc_id === wanted)?.reason ?? "not dropped";
    const inContext = line.context?.some(({ doc_id }) => doc_id === wanted);
    failures.push([line.case_id, line.candidates?.length, position, dropped, inContext]);
  }
  assert.deepEqual(failures, [
    ["money_back", 6, 0, "not dropped", false],
    ["refund_review", 6, 2, "over_token_budget", false],
    ["seat_count", 6, 1, "not dropped", true],
    ["security_review", 6, 2, "over_token_budget", false],
  ]);
});
