/** Systems that misbehave: each gives the right value or reason, none hides, none stops the other cases. */
import assert from "node:assert/strict";
import { exportCases } from "../../lib/commands/export.ts";
import { run } from "../../lib/commands/run.ts";
import type { Json, JsonObject } from "../../lib/domain/json.ts";
import { type RagStages, ragSystem, type RetrieveResult } from "../../lib/stages/rag_system.ts";
import { testProject, testSurroundings } from "./run_surroundings.ts";

const good = { doc_id: "good", text: "the answer is 14 days" };
const cyclic: Record<string, unknown> = { answer: "14 days" };
cyclic.self = cyclic;

type Misbehaviour = () => unknown;

const retrievers: Record<string, Misbehaviour> = {
  duplicates: () => ({ candidates: [good, good, good] }),
  nothing: () => ({ candidates: [] }),
  "more than depth": () => ({ candidates: Array(4).fill(good) }),
  "null ids": () => ({ candidates: [{ doc_id: null, text: "x" }] }),
  "empty ids": () => ({ candidates: [{ doc_id: "" }] }),
  "NaN scores": () => ({ candidates: [{ ...good, score: NaN }] }),
  "no object": () => [good],
  undefined: () => undefined,
  "unknown keys": () => ({ candidates: [{ ...good, title: "x" }] }),
  "half a surrogate pair": () => ({ candidates: [{ ...good, text: "\ud83d" }] }),
  throws: () => {
    throw new Error("index is gone");
  },
  "throws no error": () => {
    throw "a text";
  },
  rejects: () => Promise.reject(new TypeError("no route to host")),
};

const generators: Record<string, Misbehaviour> = {
  throws: () => {
    throw new Error("model is gone");
  },
  hangs: () => new Promise(() => {}),
  "returns undefined": () => undefined,
  "returns a cyclic object": () => cyclic,
  "returns NaN": () => ({ answer: NaN }),
  "returns 5 MB": () => ({ answer: "14 days " + "x".repeat(5_000_000) }),
  "returns text": () => "14 days",
  "returns null": () => null,
};

/** Runs a case per misbehaviour of a stage among good cases. */
async function runHostile(stage: "retrieve" | "generate", names: readonly string[]) {
  const cases = [...names, "good 1", "good 2"].map((name) => ({
    id: name,
    input: { name },
    expected: { answer: "14 days", relevant: [{ doc_id: "good" }] } as JsonObject,
  }));
  const stages: RagStages<{ name: string }> = {
    retrieve: (input) => {
      const misbehave = stage === "retrieve" ? retrievers[input.name] : undefined;
      return (misbehave === undefined ? { candidates: [good] } : misbehave()) as RetrieveResult;
    },
    generate: (input, context) => {
      const misbehave = stage === "generate" ? generators[input.name] : undefined;
      return misbehave === undefined ? { answer: context[0]?.text ?? "nothing" } : misbehave();
    },
  };
  const project = await testProject({
    system: ragSystem({ name: "hostile", version: "1", depth: 3, top_k: 2 }, stages),
    cases,
    evaluators: [
      { type: "contains", criterion: "right", field: "answer", expected_field: "answer" },
      { type: "hit_rate", k: 2 },
      { type: "precision", k: 2 },
      { type: "completed" },
    ],
    run: { timeout_seconds: 0.2 },
  });
  const report = await run(project, {}, testSurroundings());
  const lines = new Map<string, { error: string | undefined; judgments: readonly Json[] }>();
  for await (const { stored } of exportCases(project.store, report.run_id, testSurroundings())) {
    const { error } = stored.record;
    lines.set(stored.record.case.id, {
      error: error && `${error.stage} ${error.kind}: ${error.message}`,
      judgments: stored.judgments.map((judgment) =>
        judgment.status === "observed" ? judgment.value : `${judgment.status} ${judgment.reason}`
      ),
    });
  }
  return { report, lines };
}

const failed = ["missing execution_failed", "missing execution_failed", "missing execution_failed", false];

Deno.test("retrievers that misbehave", async () => {
  const { report, lines } = await runHostile("retrieve", Object.keys(retrievers));
  assert.equal(report.cases, Object.keys(retrievers).length + 2);
  const expected: Record<string, readonly [error: string | undefined, judgments: readonly Json[]]> = {
    duplicates: [undefined, [true, true, 0.5, true]],
    nothing: [undefined, [false, false, 0, true]],
    "more than depth": ["retrieve invalid_output: retrieve returned 4 candidates; depth is 3", failed],
    "null ids": [
      "retrieve invalid_output: candidates[0].doc_id is null; it is a text of one character or more",
      failed,
    ],
    "empty ids": [
      'retrieve invalid_output: candidates[0].doc_id is ""; it is a text of one character or more',
      failed,
    ],
    "NaN scores": [
      "retrieve invalid_output: retrieve returned a value that is not JSON: " +
      "at value.candidates[0].score, NaN is not a JSON number",
      failed,
    ],
    "throws": ["retrieve exception: index is gone", failed],
    "throws no error": ["retrieve exception: a text", failed],
    "rejects": ["retrieve exception: no route to host", failed],
    "good 1": [undefined, [true, true, 0.5, true]],
    "good 2": [undefined, [true, true, 0.5, true]],
  };
  for (const [name, [error, judgments]] of Object.entries(expected)) {
    assert.deepEqual(lines.get(name), { error, judgments }, name);
  }
  for (const name of ["no object", "undefined", "unknown keys", "half a surrogate pair"]) {
    assert.match(lines.get(name)?.error ?? "none", /^retrieve invalid_output: /, name);
    assert.deepEqual(lines.get(name)?.judgments, failed, name);
  }
});

Deno.test("generators that misbehave", async () => {
  const { report, lines } = await runHostile("generate", Object.keys(generators));
  const expected: Record<string, readonly [error: string | undefined, judgments: readonly Json[]]> = {
    throws: ["generate exception: model is gone", failed],
    hangs: ["generate timeout: no answer within 0.2 s (run.timeout_seconds)", failed],
    "returns undefined": [
      "generate invalid_output: generate returned nothing; is a `return` missing?",
      failed,
    ],
    "returns a cyclic object": [
      "generate invalid_output: generate returned a value that is not JSON: " +
      "at value.self, the value contains itself",
      failed,
    ],
    "returns 5 MB": [undefined, [true, true, 0.5, true]],
    "returns text": [undefined, ["missing output_field_absent", true, 0.5, true]],
    "returns null": [undefined, ["missing output_field_absent", true, 0.5, true]],
    "good 1": [undefined, [true, true, 0.5, true]],
  };
  for (const [name, [error, judgments]] of Object.entries(expected)) {
    assert.deepEqual(lines.get(name), { error, judgments }, name);
  }
  assert.match(lines.get("returns NaN")?.error ?? "none", /NaN is not a JSON number/);
  const completed = report.metrics.find(({ criterion }) => criterion === "completed");
  assert.deepEqual([completed?.observed, completed?.missing], [10, 0]);
  assert.equal(completed?.estimate, 5 / 10);
  assert.deepEqual(report.failures.map(({ stage, kind }) => `${stage} ${kind}`), [
    "generate exception",
    "generate timeout",
    "generate invalid_output",
    "generate invalid_output",
    "generate invalid_output",
  ]);
});
