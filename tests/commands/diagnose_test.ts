/** Diagnosis as a whole, on systems that are wrong in known ways. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { diagnose, type DiagnoseOptions } from "../../lib/commands/diagnose.ts";
import { exportCases } from "../../lib/commands/export.ts";
import { inspect } from "../../lib/commands/inspect.ts";
import { list } from "../../lib/commands/list.ts";
import { run } from "../../lib/commands/run.ts";
import type { Case } from "../../lib/domain/case.ts";
import type { DiagnosisReport, Intervention } from "../../lib/domain/diagnosis.ts";
import type { JsonObject } from "../../lib/domain/json.ts";
import type { Passage } from "../../lib/domain/passage.ts";
import type { Project } from "../../lib/domain/project.ts";
import { type RagStages, ragSystem } from "../../lib/stages/rag_system.ts";
import { testProject, testSurroundings } from "./run_surroundings.ts";
import { tempFolder } from "../temp_folder.ts";

/** How the evidence of a case is lost: the input names it, and the stages obey. */
type Loss = "miss" | "rank" | "budget" | "distract" | "generate" | "none";

const gold = (id: string): Passage => ({ doc_id: `gold ${id}`, text: `the word is ${id}!` });
const noise = (n: number): Passage => ({ doc_id: `noise ${n}`, text: `noise ${n}` });

/** Candidates at depth 4 with top_k 2 and a budget of 3: where the gold passage stands decides what becomes of it. */
function candidatesFor(loss: Loss, id: string): readonly Passage[] {
  switch (loss) {
    case "miss":
      return [noise(1), noise(2), noise(3), noise(4)];
    case "rank":
      return [noise(1), noise(2), gold(id), noise(3)];
    case "budget":
      return [{ ...noise(1), text: "a long passage that fills it" }, gold(id), noise(2), noise(3)];
    case "distract":
      return [gold(id), { doc_id: "noise 9", text: "distraction" }, noise(2), noise(3)];
    default:
      return [gold(id), noise(1), noise(2), noise(3)];
  }
}

interface Input {
  readonly id: string;
  readonly loss: Loss;
}

const calls = { retrieve: 0, generate: 0 };

const stages: RagStages<Input> = {
  retrieve({ id, loss }) {
    calls.retrieve++;
    return { query: id, candidates: candidatesFor(loss, id) };
  },
  generate({ id, loss }, context) {
    calls.generate++;
    if (loss === "generate" || context.some(({ text }) => text === "distraction")) {
      return { answer: "no idea" };
    }
    return { answer: context.find(({ text }) => text?.includes(`${id}!`))?.text ?? "no idea" };
  },
  countTokens: ({ text }) => text?.startsWith("a long") ? 3 : 1,
};

const settings = { name: "losses", version: "1", depth: 4, top_k: 2, token_budget: 3, index_version: "1" };
const evaluators = [
  { type: "contains", criterion: "right", field: "answer", expected_field: "answer" },
  { type: "hit_rate", k: 2 },
  { type: "token_f1", field: "answer", expected_field: "answer" },
];

function caseOf(id: string, loss: Loss, expected: JsonObject = {}): Case {
  return {
    id,
    input: { id, loss },
    expected: {
      answer: id,
      relevant: [{ doc_id: `gold ${id}` }],
      gold_context: [{ doc_id: `gold ${id}`, text: `the word is ${id}!` }],
      ...expected,
    },
  };
}

const losses: readonly Loss[] = ["miss", "rank", "budget", "distract", "generate", "none"];

async function projectOf(cases: readonly Case[], changed: Partial<RagStages<Input>> = {}): Promise<Project> {
  return await testProject({ system: ragSystem(settings, { ...stages, ...changed }), cases, evaluators });
}

async function diagnoseLatest(
  project: Project,
  options: Partial<DiagnoseOptions> = {},
): Promise<DiagnosisReport> {
  const report = await diagnose(
    project,
    "latest",
    { intervention: { kind: "gold-context" }, criterion: "right", ...options },
    testSurroundings(),
  );
  assert.ok(report !== undefined);
  return report;
}

function labelsOf({ diagnosis }: DiagnosisReport): Record<string, string> {
  return Object.fromEntries(
    diagnosis.content.cases.map(({ case_id, label, reason }) => [case_id, `${label} ${reason}`]),
  );
}

Deno.test("each way of losing the evidence has its label, and the counts add up", async () => {
  const project = await projectOf(losses.map((loss) => caseOf(loss, loss)));
  await run(project, {}, testSurroundings());
  const report = await diagnoseLatest(project);
  assert.deepEqual(labelsOf(report), {
    miss: "RETRIEVAL_MISS relevant_not_retrieved",
    rank: "RANKED_OUT relevant_below_top_k",
    budget: "CONTEXT_ASSEMBLY_LOSS relevant_dropped_from_context",
    distract: "CONTEXT_INTERFERENCE relevant_in_context",
    generate: "GENERATION_FAILURE fails_with_gold_context",
  });
  const { selected, control_passed, recovered, labels, implicated } = report.tally;
  assert.deepEqual([selected, control_passed, recovered], [5, 0, 4]);
  assert.equal(labels.reduce((sum, { cases }) => sum + cases, 0), selected);
  assert.deepEqual(implicated.map(({ factor }) => factor), [
    "retriever",
    "ranking cutoff",
    "context budget",
    "context composition",
  ]);
});

Deno.test("cost: gold context makes F retrieve and 2F generate calls, a replay none and 2F more", async () => {
  const project = await projectOf(losses.map((loss) => caseOf(loss, loss)));
  await run(project, {}, testSurroundings());
  const count = async (intervention: Intervention, repeats: number) => {
    const before = { ...calls };
    await diagnoseLatest(project, { intervention, repeats });
    return [calls.retrieve - before.retrieve, calls.generate - before.generate];
  };
  assert.deepEqual(await count({ kind: "gold-context" }, 1), [5, 10]);
  assert.deepEqual(await count({ kind: "top-k", top_k: 3 }, 1), [0, 10]);
  assert.deepEqual(await count({ kind: "gold-context" }, 3), [15, 30]);
});

Deno.test("a re-execution leaves the caches as they were", async () => {
  const project = await projectOf(losses.map((loss) => caseOf(loss, loss)));
  const first = await run(project, {}, testSurroundings());
  await diagnoseLatest(project);
  await diagnoseLatest(project, { intervention: { kind: "top-k", top_k: 4 } });
  const again = await run(project, {}, testSurroundings());
  assert.deepEqual(again.cache, { execution: { hit: 6, miss: 0 }, judgment: { hit: 18, miss: 0 } });
  assert.deepEqual(again.metrics, first.metrics);
  const wider = await run(project, { set: { top_k: 4 } }, testSurroundings());
  assert.deepEqual(wider.cache.execution, { hit: 0, miss: 6 });
  assert.equal((await list(project.store, {}, testSurroundings())).length, 3);
});

Deno.test("a wider cut confirms what was ranked out, and carries the labels", async () => {
  const project = await projectOf(losses.map((loss) => caseOf(loss, loss)));
  await run(project, {}, testSurroundings());
  const goldReport = await diagnoseLatest(project);
  const replay = await diagnoseLatest(project, { intervention: { kind: "top-k", top_k: 3 } });
  assert.equal(replay.diagnosis.content.carried, goldReport.diagnosis.diagnosis_id);
  assert.deepEqual(labelsOf(replay), labelsOf(goldReport));
  assert.deepEqual(
    replay.diagnosis.content.cases.filter(({ recovered }) => recovered).map(({ case_id }) => case_id),
    ["rank"],
  );
  assert.deepEqual(replay.tally.implicated, []);
  assert.deepEqual(replay.diagnosis.child_runs.map(({ role }) => role), [
    "gold context",
    "control",
    "top-k 3",
    "replay control",
  ]);
});

Deno.test("a replay makes the gold-context diagnosis first where there is none", async () => {
  const project = await projectOf(losses.map((loss) => caseOf(loss, loss)));
  await run(project, {}, testSurroundings());
  const replay = await diagnoseLatest(project, { intervention: { kind: "top-k", top_k: 3 } });
  const looked = await inspect(project.store, replay.diagnosis.content.carried ?? "", {}, testSurroundings());
  assert.ok(looked.kind === "diagnosis");
  assert.deepEqual(looked.report.diagnosis.content.intervention, { kind: "gold-context" });
});

Deno.test("order and concurrency of cases change no id, label or count", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...losses), { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 1, max: 8 }),
      async (chosen, concurrency) => {
        const cases = chosen.map((loss, index) => caseOf(`${index} ${loss}`, loss));
        const one = await projectOf(cases);
        const other = await projectOf([...cases].reverse());
        await run(one, {}, testSurroundings({ newId: () => "SAME" }));
        await run(other, {}, testSurroundings({ newId: () => "SAME" }));
        const alone = await diagnoseLatest({ ...one, run: { ...one.run, concurrency: 1 } });
        const together = await diagnoseLatest({ ...other, run: { ...other.run, concurrency } });
        assert.equal(together.diagnosis.diagnosis_id, alone.diagnosis.diagnosis_id);
        assert.deepEqual(together.tally, alone.tally);
        const ids = alone.diagnosis.content.cases.map(({ case_id }) => case_id);
        assert.equal(new Set(ids).size, ids.length);
        assert.equal(alone.tally.control_passed, 0);
      },
    ),
    { seed: 3, numRuns: 12 },
  );
});

Deno.test("a generator that answers at random is unstable, not diagnosed", async () => {
  let turn = 0;
  const project = await projectOf(Array.from({ length: 12 }, (_, index) => caseOf(`c${index}`, "none")), {
    // A fixed sequence without a pattern that repeats could lean on.
    generate: ({ id }) => ({ answer: (turn = (turn * 75 + 74) % 65537) % 2 === 0 ? id : "no idea" }),
  });
  await run(project, {}, testSurroundings());
  const report = await diagnoseLatest(project, { repeats: 9 });
  assert.ok(report.tally.selected > 2);
  assert.deepEqual(report.tally.labels, [{ label: "UNSTABLE", cases: report.tally.selected }]);
});

Deno.test("a re-execution that fails is inconclusive, whichever it is", async () => {
  let diagnosing = false;
  const project = await projectOf(["gold", "control", "both"].map((id) => caseOf(id, "miss")), {
    generate({ id }, context) {
      const isGold = context.some(({ doc_id }) => doc_id.startsWith("gold"));
      if (diagnosing && (id === "both" || (id === "gold") === isGold)) throw new Error("model is gone");
      return { answer: isGold ? id : "no idea" };
    },
  });
  await run(project, {}, testSurroundings());
  diagnosing = true;
  const report = await diagnoseLatest(project);
  assert.deepEqual(labelsOf(report), {
    both: "INCONCLUSIVE gold_run_failed",
    control: "INCONCLUSIVE control_failed",
    gold: "INCONCLUSIVE gold_run_failed",
  });
  assert.equal(report.tally.recovered, 0);
});

Deno.test("cases without gold context or labels, and missing judgments, are counted", async () => {
  const bare = caseOf("bare", "miss", { gold_context: [] });
  const unlabelled = caseOf("unlabelled", "miss", { relevant: [] });
  const project = await projectOf([bare, unlabelled, caseOf("broken", "miss"), caseOf("miss", "miss")], {
    generate(input, context, tools) {
      if (input.id === "broken") throw new Error("model is gone");
      return stages.generate(input, context, tools);
    },
  });
  await run(project, {}, testSurroundings());
  const report = await diagnoseLatest(project);
  assert.deepEqual(report.diagnosis.selection, {
    failed: 3,
    without_gold_context: 1,
    missing_judgments: 1,
    gold_from_corpus: 0,
    without_relevance_labels: 1,
    unfinished: 0,
    forgotten: 0,
    limit: null,
  });
  assert.deepEqual(labelsOf(report), {
    miss: "RETRIEVAL_MISS relevant_not_retrieved",
    unlabelled: "INCONCLUSIVE no_relevance_labels",
  });
});

Deno.test("a limit takes the first by hash of id, whatever the order of cases", async () => {
  const cases = Array.from({ length: 9 }, (_, index) => caseOf(`c${index}`, "miss"));
  const one = await projectOf(cases);
  const other = await projectOf([...cases].reverse());
  await run(one, {}, testSurroundings());
  await run(other, {}, testSurroundings());
  const first = await diagnoseLatest(one, { limit: 4 });
  const second = await diagnoseLatest(other, { limit: 4 });
  assert.equal(first.tally.selected, 4);
  assert.deepEqual(labelsOf(first), labelsOf(second));
});

Deno.test("a reranker must permute; one that does not fails its stage and nothing is concluded of its cases", async () => {
  const folder = await tempFolder();
  await Deno.writeTextFile(
    `${folder}/rerank.js`,
    `export const goldFirst = (_input, candidates) =>
       candidates.toSorted((a, b) => Number(b.doc_id.startsWith("gold")) - Number(a.doc_id.startsWith("gold")));
     export const shorter = (_input, candidates) => candidates.slice(1);
     export const notOne = 3;`,
  );
  const project = { ...await projectOf(losses.map((loss) => caseOf(loss, loss))), root: folder };
  await run(project, {}, testSurroundings());
  const better = await diagnoseLatest(project, {
    intervention: { kind: "reranker", reranker: "rerank:goldFirst" },
  });
  assert.deepEqual(
    better.diagnosis.content.cases.filter(({ recovered }) => recovered).map(({ case_id }) => case_id),
    ["budget", "rank"],
  );
  const broken = await diagnoseLatest(project, {
    intervention: { kind: "reranker", reranker: "rerank:shorter" },
  });
  assert.ok(broken.diagnosis.content.cases.every(({ intervention }) => intervention.unjudged === 1));
  const child = broken.diagnosis.child_runs.find(({ role }) => role === "reranker rerank:shorter");
  for await (const { stored } of exportCases(project.store, child?.run_id ?? "", testSurroundings())) {
    assert.equal(stored.record.error?.stage, "rerank");
    assert.equal(stored.record.error?.kind, "invalid_output");
  }
  await assert.rejects(
    diagnoseLatest(project, { intervention: { kind: "reranker", reranker: "rerank:notOne" } }),
    /it is not a function/,
  );
});

Deno.test("what cannot be diagnosed is refused with the reason", async () => {
  const project = await projectOf([caseOf("miss", "miss")]);
  const report = await run(project, {}, testSurroundings());
  const refused = (options: Partial<DiagnoseOptions>, message: RegExp) =>
    assert.rejects(diagnoseLatest(project, options), message);
  await refused({ criterion: "rihgt" }, /did you mean "right"/);
  await refused({ criterion: "hit_rate_at_2" }, /does not read the answer/);
  await refused({ criterion: "token_f1" }, /its values are numbers/);
  await refused({ repeats: 2 }, /odd number/);
  await refused({ intervention: { kind: "top-k", top_k: 2 } }, /allowed: 3 to 4/);
  await refused({ intervention: { kind: "top-k", top_k: 5 } }, /allowed: 3 to 4/);
  const edited = await projectOf([caseOf("miss", "miss")], { generate: () => ({ answer: "edited" }) });
  const moved = { ...edited, store: project.store };
  await assert.rejects(diagnoseLatest(moved), /code is not the one/);
  assert.equal((await diagnoseLatest(moved, { allow_changed_source: true })).tally.selected, 1);
  const child = (await diagnoseLatest(project)).diagnosis.child_runs[0]?.run_id ?? "";
  const again = diagnose(project, child, {
    intervention: { kind: "gold-context" },
    criterion: "right",
  }, testSurroundings());
  await assert.rejects(again, new RegExp(`diagnose the run ${report.run_id}`));
});

Deno.test("an interruption concludes nothing and leaves no document", async () => {
  const stop = new AbortController();
  let diagnosing = false;
  const project = await projectOf(["a", "b", "c"].map((id) => caseOf(id, "miss")), {
    generate: ({ id }) => diagnosing && id === "b" ? new Promise(() => {}) : { answer: "no idea" },
  });
  await run(project, {}, testSurroundings());
  diagnosing = true;
  setTimeout(() => stop.abort(new Error("interrupted")), 50);
  const report = await diagnose(
    project,
    "latest",
    { intervention: { kind: "gold-context" }, criterion: "right" },
    testSurroundings({ stop: stop.signal }),
  );
  assert.equal(report, undefined);
  await assert.rejects(inspect(project.store, "sha256:", {}, testSurroundings()), /Cannot find the document/);
});

Deno.test("where the version stands for the code, another version is other code", async () => {
  const made = await projectOf([caseOf("miss", "miss")]);
  const versioned = (version: string): Project => ({
    ...made,
    system: { kind: "inline", system: ragSystem({ ...settings, version }, stages), identity: "version" },
  });
  await run(versioned("1"), {}, testSurroundings());
  await assert.rejects(diagnoseLatest(versioned("2")), /code is not the one/);
  assert.equal((await diagnoseLatest(versioned("1"))).tally.selected, 1);
});
