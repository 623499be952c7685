/** What every way of running a system keeps: the same figures, and trouble that is told for what it is. */
import assert from "node:assert/strict";
import { exportCases } from "../../lib/commands/export.ts";
import { openProject } from "../../lib/commands/open_project.ts";
import { run } from "../../lib/commands/run.ts";
import type { RunOptions } from "../../lib/commands/run_options.ts";
import type { Json } from "../../lib/domain/json.ts";
import type { CaseRecord } from "../../lib/domain/record.ts";
import type { RunReport } from "../../lib/domain/run_report.ts";
import { testSurroundings } from "../commands/run_surroundings.ts";
import { tempFolder } from "../temp_folder.ts";

/** A way of running the system of the contract. */
export interface Way {
  readonly name: string;
  /** What stands under `rag:`, as JSON; called for each project. */
  readonly rag: (folder: string) => Promise<Readonly<Record<string, Json>>>;
  /** A file of tests/host/systems that the project needs. */
  readonly file?: string;
  /** Whether it runs in a process of its own that can end and be ended. */
  readonly process: boolean;
  /** What an exception's message looks like. */
  readonly boom?: string;
  readonly ignore?: boolean;
}

const SYSTEMS = new URL("systems/", import.meta.url);

/** Texts that break what is careless with them. */
const TEXTS = [
  "plain",
  "a\u2028b\u2029c",
  "é 中 😀",
  'quotes " and \\ and \u0000 and \u001b[31m',
  "line\nfeed\r\n",
];

/** A case that asks the system to do something; it answers with the text where that is no misbehaviour. */
export interface Asked {
  readonly id: string;
  readonly do?: string;
  readonly text?: string;
}

/** What became of a run: its report, and each case by its id. */
export interface Outcome {
  readonly report: RunReport;
  readonly cases: ReadonlyMap<string, CaseRecord>;
}

/** A project of the contract's system, and what runs it. */
export async function contractProject(
  way: Way,
  asked: readonly Asked[],
  settings: Readonly<Record<string, Json>> = {},
) {
  const folder = await tempFolder();
  if (way.file !== undefined) await Deno.copyFile(new URL(way.file, SYSTEMS), `${folder}/${way.file}`);
  const rag = await way.rag(folder);
  const project = {
    system: { rag: { ...rag, params: { generate: { model: "small" } } } },
    evaluators: [
      { type: "equals", criterion: "right", field: "answer", expected_field: "answer" },
      { type: "citation_validity" },
    ],
    run: { timeout_seconds: 5, ...settings },
  };
  await Deno.writeTextFile(`${folder}/oloproof.yaml`, JSON.stringify(project));
  const lines = asked.map(({ id, text = id, ...rest }) =>
    JSON.stringify({ id, input: { text, ...rest }, expected: { answer: text } })
  );
  await Deno.writeTextFile(`${folder}/cases.jsonl`, `${lines.join("\n")}\n`);
  const runIt = async (options: RunOptions = {}): Promise<Outcome> => {
    const opened = await openProject(folder, { cwd: folder });
    const report = await run(opened, options, testSurroundings({ cwd: folder }));
    const cases = new Map<string, CaseRecord>();
    for await (const { stored } of exportCases(opened.store, report.run_id, testSurroundings())) {
      cases.set(stored.record.case.id, stored.record);
    }
    return { report, cases };
  };
  return { folder, run: runIt };
}

function failureOf(cases: Outcome["cases"], id: string): string {
  const error = cases.get(id)?.error;
  return error === undefined ? "no failure" : `${error.stage} ${error.kind}: ${error.message}`;
}

/** Registers the tests of one way. */
export function testContract(way: Way): void {
  const test = (name: string, fn: () => Promise<void>, needs: { readonly process?: boolean } = {}) =>
    Deno.test({
      name: `${way.name}: ${name}`,
      fn,
      ignore: way.ignore === true || (needs.process === true && !way.process),
    });

  test("answers, contexts, queries and params as the system made them, whatever the text", async () => {
    const asked = TEXTS.map((text, n) => ({ id: `t${n}`, text }));
    const { run } = await contractProject(way, asked);
    const { report, cases } = await run();
    assert.deepEqual(report.failures, []);
    assert.deepEqual(report.metrics.map(({ estimate }) => estimate), [1, 1]);
    for (const { id, text } of asked) {
      const record = cases.get(id);
      assert.deepEqual(record?.output, {
        answer: text,
        citations: ["d0", "d1"],
        params: { model: "small" },
        query: text,
      });
      assert.equal(record?.query, text);
      assert.deepEqual(record?.candidates, [0, 1, 2].map((n) => ({ doc_id: `d${n}`, text: `${text} ${n}` })));
      assert.deepEqual(record?.context?.map(({ doc_id }) => doc_id), ["d0", "d1"]);
      assert.equal(record?.tokens?.length, 2);
    }
    assert.deepEqual(report.stages, { retrieve: { hit: 0, miss: 5 }, generate: { hit: 0, miss: 5 } });
    const again = await run();
    assert.deepEqual(again.report.cache.execution, { hit: 5, miss: 0 });
    assert.deepEqual(again.report.metrics, report.metrics);
  });

  test("exceptions and outputs that are none, each with stage, kind and message", async () => {
    const asked = ["throw", "surrogate", "nan", "echo"].map((what) => ({ id: what, do: what }));
    const { run } = await contractProject(way, asked);
    const { report, cases } = await run();
    assert.equal(failureOf(cases, "throw"), `generate exception: ${way.boom ?? "boom"}`);
    assert.match(cases.get("throw")?.error?.trace ?? "", /generate/);
    assert.match(failureOf(cases, "surrogate"), /^generate invalid_output: .*half of a surrogate pair$/);
    assert.match(failureOf(cases, "nan"), /^generate invalid_output: .*(?:NaN|nan)/);
    assert.equal(failureOf(cases, "echo"), "no failure");
    assert.deepEqual(report.metrics.map(({ observed, missing }) => [observed, missing]), [[1, 3], [1, 3]]);
  });

  test("usage that is reported is counted", async () => {
    const { run } = await contractProject(way, [{ id: "a", do: "usage" }, { id: "b", do: "usage" }]);
    const { report } = await run();
    assert.deepEqual(report.usage.generate?.usage, { input_tokens: 14, cost_usd: 1 });
  });

  test("an answer of 5 MB", async () => {
    const { run } = await contractProject(way, [{ id: "big", do: "big" }, { id: "after" }]);
    const { cases } = await run();
    assert.equal(JSON.stringify(cases.get("big")?.output).length, '{"answer":""}'.length + 5_000_000);
    assert.equal(failureOf(cases, "after"), "no failure");
  });

  test("an input of 5 MB", async () => {
    const text = "é".repeat(2_500_000);
    const { run } = await contractProject(way, [{ id: "big", text }]);
    const { report } = await run();
    assert.equal(report.metrics[0]?.estimate, 1);
  });

  test("calls overlap", async () => {
    const asked = Array.from({ length: 16 }, (_, n) => ({ id: `c${n}`, do: "slow" }));
    const { run } = await contractProject(way, [{ id: "first" }, ...asked]);
    await run({ select: { ids: ["first"] } });
    const start = performance.now();
    const { report } = await run({ concurrency: 16 });
    assert.deepEqual(report.failures, []);
    // One after the other they would take 4 s.
    assert.ok(performance.now() - start < 2500, `it took ${performance.now() - start} ms`);
  });

  test("a call that never answers is timed out, and the others are not", async () => {
    const { run } = await contractProject(
      way,
      [{ id: "hang", do: "hang" }, { id: "a" }, { id: "b" }],
      { timeout_seconds: 2, concurrency: 1 },
    );
    const { cases } = await run();
    assert.match(failureOf(cases, "hang"), /^generate timeout: no answer within 2 s/);
    assert.equal(failureOf(cases, "a"), "no failure");
    assert.equal(failureOf(cases, "b"), "no failure");
  });

  test("what is printed on stdout and stderr breaks nothing", async () => {
    const asked = [{ id: "print", do: "print" }, { id: "a" }];
    const { run } = await contractProject(way, asked, { concurrency: 1 });
    const { report } = await run();
    assert.deepEqual(report.failures, []);
    assert.equal(report.metrics[0]?.estimate, 1);
  });

  test("an endless loop is timed out, its process is ended, and the run goes on", async () => {
    const asked = [{ id: "spin", do: "spin" }, { id: "a", do: "slow" }, { id: "b" }, { id: "c" }];
    const { run } = await contractProject(way, asked, { timeout_seconds: 2, concurrency: 1 });
    const { cases, report } = await run();
    assert.match(failureOf(cases, "spin"), /^generate timeout/);
    for (const id of ["a", "b", "c"]) assert.equal(failureOf(cases, id), "no failure");
    assert.ok(report.notices.some(({ code }) => code === "system_restarted"));
  }, { process: true });

  test("a crash fails the calls under way, and the next one finds a new process", async () => {
    const asked = [{ id: "a" }, { id: "crash", do: "crash" }, { id: "b" }];
    const { run } = await contractProject(way, asked, { concurrency: 1 });
    const { cases, report } = await run();
    const found = failureOf(cases, "crash");
    assert.match(found, /^generate exception: the process (?:ended with code 9|was ended by SIGKILL) before/);
    assert.match(found, /its stderr ends with:\nout of memory$/);
    assert.equal(failureOf(cases, "b"), "no failure");
    assert.deepEqual(
      report.notices.filter(({ code }) => code === "system_restarted").map(({ message }) => message),
      ["The system's process was started again once, because it ended or did not stop working on cancelled calls"],
    );
  }, { process: true });

  test("calls that a crash took with it are made again where retries are allowed", async () => {
    const asked = ["crash_once", "slow", "slow", "slow"].map((what, n) => ({ id: `c${n}`, do: what }));
    const { run } = await contractProject(way, asked, { concurrency: 4, retries: 1 });
    const { report } = await run();
    assert.deepEqual(report.failures, []);
  }, { process: true });

  test("a system that only crashes is given up after five times", async () => {
    const asked = Array.from({ length: 8 }, (_, n) => ({ id: `c${n}`, do: "crash" }));
    const { run } = await contractProject(way, asked, { concurrency: 1 });
    await run();
    // Now every retrieval is found in the cache, and nothing is answered between two crashes.
    const { cases, report } = await run();
    assert.equal(report.failures.length, 8);
    for (const id of ["c0", "c4"]) assert.match(failureOf(cases, id), /before it answered/);
    for (const id of ["c5", "c7"]) {
      assert.match(failureOf(cases, id), /not started again: the process ended 5 times in a row/);
    }
  }, { process: true });

  test("nothing of it is left when the run is over", async () => {
    const { run, folder } = await contractProject(way, [{ id: "a" }]);
    Deno.env.set("CONTRACT_PIDS", `${folder}/pids`);
    try {
      await run();
    } finally {
      Deno.env.delete("CONTRACT_PIDS");
    }
    assert.deepEqual(await livingOf(`${folder}/pids`), []);
  }, { process: true });
}

/** Which of the processes that a file lists are alive. */
export async function livingOf(file: string): Promise<readonly string[]> {
  const pids = (await Deno.readTextFile(file)).trim().split("\n");
  assert.ok(pids.length > 0 && pids[0] !== "");
  // A killed process is gone when the kernel has come to it.
  for (let left = 100;; left--) {
    const states = await Promise.all(pids.map(async (pid) => await isLiving(pid) ? pid : undefined));
    const living = states.filter((pid) => pid !== undefined);
    if (living.length === 0 || left === 0) return living;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function isLiving(pid: string): Promise<boolean> {
  const stat = await Deno.readTextFile(`/proc/${pid}/stat`).catch(() => undefined);
  return stat !== undefined && !/ Z /.test(stat);
}
