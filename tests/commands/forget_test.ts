/** Forgetting: what is gone from the bytes of the store, what stays, what is said afterwards, and what a gate makes of it. */
import assert from "node:assert/strict";
import { cacheStats, pruneCache } from "../../lib/commands/cache.ts";
import { compareRuns } from "../../lib/commands/compare_runs.ts";
import { diagnose } from "../../lib/commands/diagnose.ts";
import { withSource } from "../../lib/commands/export.ts";
import { bundleLines } from "../../lib/commands/bundle.ts";
import { forget, type ForgetOptions, refuseLiveRuns } from "../../lib/commands/forget.ts";
import { inspect } from "../../lib/commands/inspect.ts";
import { list } from "../../lib/commands/list.ts";
import { readPolicy } from "../../lib/commands/read_policy.ts";
import { run } from "../../lib/commands/run.ts";
import type { Case } from "../../lib/domain/case.ts";
import { OloproofError } from "../../lib/domain/error.ts";
import type { JsonObject } from "../../lib/domain/json.ts";
import type { Project } from "../../lib/domain/project.ts";
import { comparisonText } from "../../lib/report/comparison_text.ts";
import { runText } from "../../lib/report/run_text.ts";
import { ragSystem } from "../../lib/stages/rag_system.ts";
import { MemoryStore } from "../../lib/store/memory_store.ts";
import { openStore } from "../../lib/store/open_store.ts";
import { headerOf } from "../store/run_in_store.ts";
import { tempFolder } from "../temp_folder.ts";
import { countingProject } from "./counting_system.ts";
import { testProject, testSurroundings } from "./run_surroundings.ts";

/** Whatever of a case can be told from others has its id in it, so that the bytes of a store tell whether it is there. */
const system = ragSystem({ name: "told", version: "1", depth: 1, top_k: 1 }, {
  retrieve: (input: string) => ({
    query: `query-${input}`,
    candidates: [{ doc_id: `doc-${input}`, text: `text-${input}` }],
  }),
  generate(input, context, { params }) {
    if (params.broken === input) throw new Error(`message-${input}`);
    const isGold = context[0]?.text === `gold-${input}`;
    const answer = isGold || [params.right].flat().includes(input) ? "right" : "wrong";
    return { answer, note: `note-${input}-${params.tag ?? ""}` };
  },
});
const evaluators = [{ type: "equals", criterion: "right", field: "answer", expected_field: "answer" }];
const names = ["alpha", "bravo", "charlie", "delta", "echo"];

function caseOf(name: string): Case {
  return {
    id: `id-${name}`,
    input: name,
    expected: {
      answer: "right",
      relevant: [{ doc_id: `doc-${name}` }],
      gold_context: [{ doc_id: "g", text: `gold-${name}` }],
    },
    metadata: { topic: `topic-${name}` },
  };
}

async function projectOf(cases = names.map(caseOf)): Promise<Project> {
  return await testProject({ system, cases, evaluators });
}

async function runWith(project: Project, right: readonly string[], more: JsonObject = {}): Promise<string> {
  const set = { "params.generate.right": [...right], ...more };
  return (await run(project, { set }, testSurroundings())).run_id;
}

function forgetIn(project: Project, options: ForgetOptions) {
  return forget(project.store, options, testSurroundings());
}

async function faultOf(work: Promise<unknown>): Promise<OloproofError> {
  const fault = await work.catch((cause) => cause);
  assert.ok(fault instanceof OloproofError, String(fault));
  return fault;
}

/** Everything that lies in the folder of a store, as text. */
async function bytesOf(project: Project): Promise<string> {
  const folder = project.store.slice(0, project.store.lastIndexOf("/"));
  let bytes = "";
  for await (const { name } of Deno.readDir(folder)) {
    // The client takes its log away when it is let go, which may be now.
    const content = await Deno.readFile(`${folder}/${name}`).catch((cause) => {
      if (cause instanceof Deno.errors.NotFound) return new Uint8Array();
      throw cause;
    });
    bytes += new TextDecoder("latin1").decode(content);
  }
  return bytes;
}

function countsOf(project: Project) {
  return cacheStats(project.store, testSurroundings());
}

async function comparedWith(project: Project, candidate: string, baseline: string, rules: string) {
  const folder = await tempFolder();
  await Deno.writeTextFile(`${folder}/policy.yaml`, `rules: [${rules}]`);
  const policy = await readPolicy("policy.yaml", undefined, folder);
  return await compareRuns(project.store, { candidate, baseline, policy }, testSurroundings());
}

Deno.test("of a forgotten case nothing is left in the bytes of the store, whatever was done with it", async () => {
  const project = await projectOf();
  const before = await runWith(project, ["bravo"]);
  const now = await runWith(project, ["bravo", "alpha"], { "params.generate.tag": "later" });
  await runWith(project, ["bravo"], { "params.generate.broken": "alpha" });
  await run(project, { select: { ids: ["id-alpha", "id-echo"] } }, testSurroundings());
  await diagnose(
    project,
    before,
    { intervention: { kind: "gold-context" }, criterion: "right" },
    testSurroundings(),
  );
  await comparedWith(
    project,
    now,
    before,
    "{name: kept, criterion: right, test: no-regression, cases: [id-alpha]}",
  );
  // A run that was killed left evidence that no row points to.
  const killed = await openStore(project.store, { mode: "write" });
  const lost = {
    id: 900 * 2 ** 24,
    identity: "00".repeat(32),
    output: "orphan-alpha",
    cost: { latency_ms: 1 },
  };
  await killed.append(1, { retrievals: [], generations: [lost], judgments: [], cases: [] });
  killed.close();
  const traces = /(?:id|query|doc|text|message|gold|note|topic|orphan)-alpha|"alpha"/g;
  assert.equal(new Set((await bytesOf(project)).match(traces)).size, 10);

  const told = await forgetIn(project, { cases: ["id-alpha"] });
  assert.deepEqual([told.cases, told.runs_with_losses, told.documents.length], [6, 6, 2]);
  assert.ok(told.file_bytes !== null && told.file_bytes.after < told.file_bytes.before);
  // The settings of the second run name what the user wrote there; no case is told by them.
  const left = (await bytesOf(project)).match(traces) ?? [];
  assert.deepEqual([...new Set(left)], ['"alpha"']);
  const others = await bytesOf(project);
  for (const name of ["bravo", "charlie", "delta", "echo"]) assert.ok(others.includes(`note-${name}`), name);
});

Deno.test("of a forgotten run nothing is left in the bytes of the store but what other runs use", async () => {
  const project = await projectOf();
  const first = await runWith(project, []);
  const second = await runWith(project, [], { "params.generate.tag": "secret" });
  await diagnose(
    project,
    second,
    { intervention: { kind: "gold-context" }, criterion: "right" },
    testSurroundings(),
  );
  await comparedWith(project, first, second, "{name: kept, criterion: right, test: no-regression}");
  const report = await inspect(project.store, first, {}, testSurroundings());
  assert.match(await bytesOf(project), /note-alpha-secret/);

  const told = await forgetIn(project, { runs: [second] });
  assert.deepEqual([told.runs, told.child_runs.length, told.documents.length], [[second], 2, 2]);
  assert.equal(told.shared.retrievals, 5);
  const bytes = await bytesOf(project);
  assert.ok(!bytes.includes("secret") && !bytes.includes(second));
  assert.match(bytes, /text-alpha/);
  assert.deepEqual(await inspect(project.store, first, {}, testSurroundings()), report);
  // A cached run finds all that stayed, and none of what went.
  const again = await run(project, { set: { "params.generate.right": [] } }, testSurroundings());
  assert.deepEqual(again.cache.execution, { hit: 5, miss: 0 });
  assert.deepEqual(again.notices, []);
  const anew = await run(
    project,
    { set: { "params.generate.right": [], "params.generate.tag": "secret" } },
    testSurroundings(),
  );
  assert.deepEqual([anew.stages.retrieve, anew.stages.generate], [{ hit: 5, miss: 0 }, { hit: 0, miss: 5 }]);
});

Deno.test("a dry run tells what would go and takes nothing", async () => {
  const project = await projectOf();
  const id = await runWith(project, []);
  const before = [await countsOf(project), await inspect(project.store, id, {}, testSurroundings())];
  for (const asked of [{ runs: [id] }, { cases: ["id-alpha"] }, { before: "2999-01-01" }]) {
    const told = await forgetIn(project, { ...asked, dry_run: true });
    assert.ok(told.cases > 0 && told.dry_run);
  }
  await pruneCache(project.store, { dry_run: true }, testSurroundings());
  assert.deepEqual(
    [await countsOf(project), await inspect(project.store, id, {}, testSurroundings())],
    before,
  );
});

Deno.test("what a run lost is said wherever its figures are, and a bundle of it is whole", async () => {
  const project = await projectOf();
  const id = await runWith(project, ["alpha", "bravo"]);
  await forgetIn(project, { cases: ["id-alpha", "id-charlie"] });
  const found = await inspect(project.store, id, {}, testSurroundings());
  assert.ok(found.kind === "run");
  const { report } = found;
  assert.deepEqual([report.status, report.cases, report.planned_cases, report.forgotten_cases], [
    "complete",
    3,
    5,
    2,
  ]);
  assert.deepEqual([report.metrics[0]?.estimate, report.metrics[0]?.observed], [1 / 3, 3]);
  assert.match(
    runText(report),
    /^Cases: 3 of 5 finished \(complete\); 2 were forgotten since, and are in no figure$/m,
  );
  const [listed] = await list(project.store, {}, testSurroundings());
  assert.deepEqual([listed?.cases, listed?.planned_cases, listed?.forgotten_cases], [3, 5, 2]);
  const why = await diagnose(
    project,
    id,
    { intervention: { kind: "gold-context" }, criterion: "right" },
    testSurroundings(),
  );
  assert.deepEqual([why?.diagnosis.selection.unfinished, why?.diagnosis.selection.forgotten], [0, 2]);
  const path = `${await tempFolder()}/run.bundle`;
  const write = async (cut = 0) => {
    const lines = await withSource(
      project.store,
      id,
      testSurroundings(),
      ({ header, store }) => Array.fromAsync(bundleLines(header, store.readCases(header.run_id))),
    );
    await Deno.writeTextFile(
      path,
      lines.slice(0, lines.length - cut).map((line) => `${JSON.stringify(line)}\n`).join(""),
    );
  };
  await write();
  const bundled = await inspect(project.store, path, {}, testSurroundings());
  assert.deepEqual(bundled, found);
  await write(1);
  assert.equal((await faultOf(inspect(project.store, path, {}, testSurroundings()))).code, "not_a_bundle");
});

const noRegression = "{name: kept, criterion: right, test: no-regression}";

Deno.test("forgetting the case that regressed does not open the gate", async () => {
  const project = await projectOf();
  const baseline = await runWith(project, names);
  const candidate = await runWith(project, names.slice(1));
  const blocked = await comparedWith(project, candidate, baseline, noRegression);
  assert.deepEqual([blocked.content.gate, blocked.content.decisions[0]?.reason], [
    "BLOCK",
    "regressed_cases",
  ]);
  await forgetIn(project, { cases: ["id-alpha"] });
  const { content, ...beside } = await comparedWith(project, candidate, baseline, noRegression);
  assert.deepEqual([content.gate, content.decisions[0]?.reason], ["BLOCK", "missing_outcomes"]);
  assert.equal(content.paired, 4);
  const text = comparisonText({ content, ...beside });
  assert.match(
    text,
    /Of the baseline, 1 of 5 cases was forgotten; for every rule they count at their worst/,
  );
  assert.match(text, /Of the candidate, 1 of 5 cases was forgotten/);
  // Nor where the candidate never had it: it was run when the case was gone.
  const smaller = { ...project, cases: { kind: "inline", cases: names.slice(1).map(caseOf) } } as const;
  const later = await runWith(smaller, names.slice(1));
  const again = await comparedWith(project, later, baseline, noRegression);
  assert.deepEqual([again.content.gate, again.content.decisions[0]?.reason], ["BLOCK", "missing_outcomes"]);
});

Deno.test("a forgotten failure does not raise a threshold over its mark", async () => {
  const project = await projectOf();
  const baseline = await runWith(project, names);
  const candidate = await runWith(project, names.slice(1));
  const rule = "{name: all, criterion: right, test: suite-threshold, at_least: 0.9}";
  assert.equal(
    (await comparedWith(project, candidate, baseline, rule)).content.decisions[0]?.reason,
    "share_not_reached",
  );
  await forgetIn(project, { cases: ["id-alpha"] });
  const { content } = await comparedWith(project, candidate, baseline, rule);
  assert.deepEqual([content.gate, content.decisions[0]?.reason, content.decisions[0]?.unobserved], [
    "BLOCK",
    "missing_outcomes",
    1,
  ]);
});

Deno.test("differences count forgotten pairs at their worst: many cases can bear one, few cannot", async () => {
  const many = Array.from({ length: 150 }, (_, index) => `n${index}`);
  const project = await projectOf(many.map(caseOf));
  const baseline = await runWith(project, many);
  const candidate = await runWith(project, many, { "params.generate.tag": "x" });
  const rule = "{name: r, criterion: right, test: non-inferiority, margin: 10}";
  const decisionOf = async () =>
    (await comparedWith(project, candidate, baseline, rule)).content.decisions[0];
  assert.equal((await decisionOf())?.decision, "PASS");
  await forgetIn(project, { cases: ["id-n0"] });
  assert.deepEqual([(await decisionOf())?.decision, (await decisionOf())?.unobserved], ["PASS", 1]);
  await forgetIn(project, { cases: many.slice(1, 9).map((name) => `id-${name}`) });
  assert.equal((await decisionOf())?.reason, "missing_outcomes");
});

Deno.test("runs before a moment are forgotten, those of the moment itself are not", async () => {
  const project = await projectOf();
  let now = Date.UTC(2026, 8, 16, 12);
  const clock = { ...testSurroundings().clock, now: () => now };
  const runs: string[] = [];
  for (let day = 0; day < 3; day++) {
    runs.push((await run(project, {}, testSurroundings({ clock }))).run_id);
    now += 86_400_000;
  }
  assert.deepEqual((await forgetIn(project, { before: "2026-09-16" })).runs, []);
  assert.deepEqual((await forgetIn(project, { before: "2026-09-16T12:00:00Z" })).runs, []);
  assert.deepEqual((await forgetIn(project, { before: "2026-09-17", dry_run: true })).runs, [runs[0]]);
  const told = await forgetIn(project, { before: "2026-09-17T14:30+02:00" });
  assert.deepEqual([told.runs, told.before], [runs.slice(0, 2), "2026-09-17T12:30:00.000Z"]);
  assert.deepEqual((await list(project.store, {}, testSurroundings())).map(({ run_id }) => run_id), [
    runs[2],
  ]);
});

Deno.test("what cannot be forgotten is refused with the nearest name, and nothing is touched", async () => {
  const project = await projectOf();
  const id = await runWith(project, []);
  const why = await diagnose(
    project,
    id,
    { intervention: { kind: "gold-context" }, criterion: "right" },
    testSurroundings(),
  );
  const child = why?.diagnosis.child_runs[0]?.run_id ?? "";
  const before = await countsOf(project);
  const rows: readonly (readonly [ForgetOptions, code: string, hint: RegExp])[] = [
    [{}, "usage", /--before/],
    [{ runs: [], cases: [] }, "usage", /--run/],
    [{ runs: [id], cases: ["id-alpha"] }, "usage", /./],
    [{ cases: ["id-alpha"], before: "2026-01-01" }, "usage", /./],
    [{ cases: ["id-alpha", "id-alfa"] }, "unknown_case", /did you mean "id-alpha"/],
    [{ cases: ["nothing like it at all"] }, "unknown_case", /the store has 5 cases/],
    [{ runs: [id, "run_X"] }, "unknown_run", new RegExp(id)],
    [{ runs: [child] }, "wrong_kind", new RegExp(`--run ${id}`)],
    [{ runs: [why?.diagnosis.diagnosis_id ?? ""] }, "wrong_kind", /./],
    ...["2026-02-30", "yesterday", "2026-13-01", "", "2026", "1", "2026-01-01T25:00", "01/02/2026"].map((
      before,
    ) => [{ before }, "invalid_date", /2026-09-17/] as const),
  ];
  for (const [options, code, hint] of rows) {
    for (const dry_run of [true, false]) {
      const fault = await faultOf(forgetIn(project, { ...options, dry_run }));
      assert.deepEqual([fault.code, fault.kind], [code, "configuration"], JSON.stringify(options));
      assert.match(fault.hint ?? "", hint);
    }
  }
  assert.deepEqual(await countsOf(project), before);
  assert.equal(
    (await faultOf(forgetIn({ ...project, store: `${await tempFolder()}/none.db` }, { runs: ["x"] }))).code,
    "no_store",
  );
});

Deno.test("a store that another one uses is not erased from, and a run whose process died can be", async () => {
  const project = await projectOf();
  await runWith(project, []);
  const user = await openStore(project.store, { mode: "read" });
  const fault = await faultOf(openStore(project.store, { mode: "erase", busy_timeout_ms: 30 }));
  assert.deepEqual([fault.code, fault.kind, fault.where], ["store_in_use", "surroundings", project.store]);
  user.close();
  const eraser = await openStore(project.store, { mode: "erase", busy_timeout_ms: 30 });
  const kept = await faultOf(openStore(project.store, { mode: "write", busy_timeout_ms: 30 }));
  assert.deepEqual([kept.code, kept.kind], ["store_in_use", "surroundings"]);
  const [header] = await eraser.listRuns();
  await eraser.beginRun({ ...header?.header ?? assert.fail(), run_id: "run_KILLED", status: "running" });
  eraser.close();
  assert.deepEqual((await forgetIn(project, { runs: ["run_KILLED"] })).runs, ["run_KILLED"]);
});

Deno.test("a case that was forgotten out of an interrupted run is executed again when that is resumed, and is no loss then", async () => {
  const counting = await countingProject(["a", "b", "c", "d"]);
  const { project } = counting;
  const stop = new AbortController();
  let done = 0;
  const onProgress = () => {
    if (++done === 2) stop.abort(new Error("interrupted"));
  };
  const { run_id } = await run(project, {}, testSurroundings({ stop: stop.signal, onProgress }));
  await forgetIn(project, { cases: ["c0"] });
  const looked = await inspect(project.store, run_id, {}, testSurroundings());
  assert.ok(looked.kind === "run");
  assert.deepEqual([looked.report.cases, looked.report.forgotten_cases, looked.report.status], [
    1,
    1,
    "interrupted",
  ]);
  const calls = counting.calls.generate;
  const report = await run(project, { resume: run_id }, testSurroundings());
  assert.deepEqual([report.cases, report.forgotten_cases, report.status], [4, 0, "complete"]);
  assert.deepEqual(report.notices, []);
  assert.equal(counting.calls.generate, calls + 3);
  // Whole in every form.
  const path = `${await tempFolder()}/run.bundle`;
  const lines = await withSource(
    project.store,
    run_id,
    testSurroundings(),
    ({ header, store }) => Array.fromAsync(bundleLines(header, store.readCases(header.run_id))),
  );
  await Deno.writeTextFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const bundled = await inspect(project.store, path, {}, testSurroundings());
  assert.ok(bundled.kind === "run" && bundled.report.forgotten_cases === 0 && bundled.report.cases === 4);
  const later = (await run(project, {}, testSurroundings())).run_id;
  const kept = await comparedWith(project, later, run_id, noRegression);
  assert.equal(kept.content.gate, "PASS");
});

Deno.test("repeats of a forgotten case go with it, and a retry brings back what the case files still have", async () => {
  const counting = await countingProject(["a", "b", "c"], { repeats: 2 });
  const { project } = counting;
  counting.broken.add("b");
  const first = await run(project, {}, testSurroundings());
  const told = await forgetIn(project, { cases: ["c0"] });
  assert.equal(told.cases, 2);
  const [listed] = await list(project.store, {}, testSurroundings());
  assert.deepEqual([listed?.cases, listed?.forgotten_cases], [2, 1]);
  counting.broken.clear();
  const retried = await run(project, { retry_failed: first.run_id }, testSurroundings());
  assert.deepEqual([retried.cases, retried.forgotten_cases, retried.failures.length], [3, 0, 0]);
  // The run that it was carried from can go: the retry stands on its own.
  await forgetIn(project, { runs: [first.run_id] });
  const found = await inspect(project.store, retried.run_id, {}, testSurroundings());
  assert.ok(found.kind === "run");
  assert.deepEqual([found.report.cases, found.report.metrics], [3, retried.metrics]);
});

Deno.test("on a server a run that is marked as running is not erased around, unless it is taken for dead", async () => {
  const store = new MemoryStore();
  await store.beginRun(headerOf("run_A", { status: "complete" }));
  await refuseLiveRuns(store, "libsql://db.example", false);
  await store.beginRun(headerOf("run_B"));
  const fault = await faultOf(refuseLiveRuns(store, "libsql://db.example", false));
  assert.deepEqual([fault.code, fault.kind], ["run_in_progress", "configuration"]);
  assert.match(fault.summary, /run_B is marked as running$/);
  await refuseLiveRuns(store, "libsql://db.example", true);
  // Of a file the lock tells it.
  await refuseLiveRuns(store, "/a/store.db", false);
});

Deno.test("retrievals whose run was forgotten are reused, and that their code is not known is said", async () => {
  const project = await projectOf();
  const first = await runWith(project, []);
  const second = await runWith(project, [], { version: "2" });
  await forgetIn(project, { runs: [first] });
  const { notices, stages } = await run(project, { set: { version: "3" } }, testSurroundings());
  assert.deepEqual(stages.retrieve, { hit: 5, miss: 0 });
  assert.deepEqual(notices.map(({ code, message }) => [code, message]), [[
    "retrievals_of_other_code",
    "5 of the reused retrievals were made by a run that was forgotten: under which code is not known",
  ]]);
  assert.ok(second !== first);
});

Deno.test("prune removes what killed runs left and nothing else", async () => {
  const project = await projectOf();
  await runWith(project, []);
  const none = await pruneCache(project.store, {}, testSurroundings());
  assert.deepEqual([none.entries, none.contents], [{ retrievals: 0, generations: 0, judgments: 0 }, 0]);
  const before = await countsOf(project);
  const killed = await openStore(project.store, { mode: "write" });
  const lost = {
    id: 900 * 2 ** 24,
    identity: "00".repeat(32),
    output: "x".repeat(500_000),
    cost: { latency_ms: 1 },
  };
  await killed.append(1, { retrievals: [], generations: [lost], judgments: [], cases: [] });
  killed.close();
  const told = await pruneCache(project.store, {}, testSurroundings());
  assert.deepEqual(told.entries, { retrievals: 0, generations: 1, judgments: 0 });
  assert.ok(told.file_bytes !== null && told.file_bytes.before - told.file_bytes.after > 400_000);
  assert.deepEqual(await countsOf(project), before);
});
