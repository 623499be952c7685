/** A process that is killed again and again, and the run that is whole in the end. */
import assert from "node:assert/strict";
import { stat } from "node:fs/promises";
import { ROOT } from "../cli/session.ts";
import { tempFolder } from "../temp_folder.ts";

const CASES = 5000;
const KILLS = 20;
const CONCURRENCY = 16;
/** What is finished is on the disk after so long. */
const DURABLE_MS = 200;

/**
 * Answers after a while, fails for some inputs, and writes a line for every call that begins: `stage input milliseconds`. Every
 * tenth input is that of the case before.
 */
const app = `import { appendFileSync } from "node:fs";
import { ragSystem } from "oloproof";
const pause = Number(Deno.env.get("PAUSE_MS") ?? "0");
const log = (stage, input) => appendFileSync(Deno.env.get("CALL_LOG"), stage + " " + input + " " + Date.now() + "\\n");
const sleep = () => pause === 0 ? undefined : new Promise((resolve) => setTimeout(resolve, pause));
export const s = ragSystem({ name: "killed", version: "1", depth: 2, top_k: 2, token_budget: 3 }, {
  async retrieve(input) {
    log("retrieve", input);
    await sleep();
    if (input % 97 === 0) throw new Error("no index for " + input);
    return { candidates: [{ doc_id: "d" + input % 7, text: "a b" }, { doc_id: "e", text: "c d" }] };
  },
  async generate(input, context) {
    log("generate", input);
    await sleep();
    if (input % 89 === 0) throw new Error("no model for " + input);
    return { answer: input % 3, citations: context.map(({ doc_id }) => doc_id) };
  },
  countTokens: ({ text }) => text.split(" ").length,
});
`;

const yaml = `system: {rag: {object: "app:s"}}
evaluators:
  - {type: equals, criterion: right, field: answer, expected_field: answer}
  - {type: hit_rate, k: 1}
  - {type: citation_validity}
  - {type: completed}
slices: [metadata.kind, context_truncated]
run: {concurrency: ${CONCURRENCY}}
`;

interface Call {
  readonly work: string;
  readonly at: number;
}

/** A project of its own in a folder, with a log of its calls. */
class Killed {
  private constructor(readonly folder: string, private readonly pause: number) {}

  static async create(pause: number): Promise<Killed> {
    const folder = await tempFolder();
    const cases = Array.from({ length: CASES }, (_, n) =>
      JSON.stringify({
        id: `c${n}`,
        input: n % 10 === 9 ? n - 1 : n,
        expected: { answer: n % 2, relevant: [{ doc_id: `d${n % 5}` }] },
        metadata: { kind: `k${n % 4}` },
      }));
    await Deno.writeTextFile(`${folder}/cases.jsonl`, `${cases.join("\n")}\n`);
    await Deno.writeTextFile(`${folder}/oloproof.yaml`, yaml);
    await Deno.writeTextFile(`${folder}/app.js`, app);
    await Deno.writeTextFile(`${folder}/calls.log`, "");
    return new Killed(folder, pause);
  }

  start(...args: readonly string[]): Deno.ChildProcess {
    return new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-lock", "--no-check", `${ROOT}cli.ts`, "-C", this.folder, ...args],
      env: { CALL_LOG: `${this.folder}/calls.log`, PAUSE_MS: String(this.pause) },
      stdout: "piped",
      stderr: "piped",
    }).spawn();
  }

  async finish(...args: readonly string[]): Promise<{ readonly code: number; readonly stdout: string }> {
    const { code, stdout } = await this.start(...args).output();
    return { code, stdout: new TextDecoder().decode(stdout) };
  }

  /** Bytes of the log: what a call costs to count while the process runs. */
  async logged(): Promise<number> {
    return (await stat(`${this.folder}/calls.log`)).size;
  }

  async calls(): Promise<readonly Call[]> {
    const text = await Deno.readTextFile(`${this.folder}/calls.log`);
    return text.split("\n").filter((line) => line !== "").map((line) => {
      const [stage, input, at] = line.split(" ");
      return { work: `${stage} ${input}`, at: Number(at) };
    });
  }
}

/** Numbers in [0, 1) from a seed, the same on every machine. */
function* randomFrom(seed: number): Generator<number> {
  for (let state = seed;;) {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    yield state / 2 ** 32;
  }
}

/** The printed report without what is measured or named anew. */
function reportIn(stdout: string): string {
  return stdout.replaceAll(/^(?:Latency|Run|Next).*\n/gm, "");
}

Deno.test("a run that is killed twenty times ends as one that never was, and repeats only what was not on the disk", async () => {
  const whole = await Killed.create(0);
  const killed = await Killed.create(10);
  const reference = whole.finish("run");

  const random = randomFrom(20);
  // Every tenth input is called for once only.
  const bytesOfAll = 2 * 0.9 * CASES * 27;
  const points = Array.from({ length: KILLS }, () => (0.02 + 0.9 * Number(random.next().value)) * bytesOfAll)
    .toSorted((a, b) => a - b);
  /** Calls that were logged when each process was dead. */
  const ends: number[] = [];
  for (const [index, point] of points.entries()) {
    // At least one call of each process, however near the points are.
    const target = Math.max(point, await killed.logged() + 1);
    const child = killed.start("run", ...(index === 0 ? [] : ["--resume", "latest"]));
    const ended = child.status.then(() => true);
    while (await killed.logged() < target) {
      const isOver = await Promise.race([
        ended,
        new Promise((resolve) => setTimeout(() => resolve(false), 2)),
      ]);
      if (isOver !== false) break;
    }
    child.kill("SIGKILL");
    const { signal } = await child.status;
    assert.equal(signal, "SIGKILL", `process ${index} ended by itself`);
    await Promise.all([child.stdout.cancel(), child.stderr.cancel()]);
    ends.push((await killed.calls()).length);
  }
  const last = await killed.finish("run", "--resume", "latest");

  const calls = await killed.calls();
  const once = new Map((await whole.calls()).map(({ work, at }) => [work, at]));
  assert.deepEqual(new Set(calls.map(({ work }) => work)), new Set(once.keys()));
  // Of each process no more than what it began within the last 0.2 s and what was under way at once may be done again, by its own
  // clock. Failures are the exception that the reference shows, too: equal inputs that fail are each their own.
  const allowed = ends.reduce((sum, end, index) => {
    const own = calls.slice(ends[index - 1] ?? 0, end);
    const death = own.at(-1)?.at ?? 0;
    return sum + own.filter(({ at }) => at > death - DURABLE_MS).length + CONCURRENCY;
  }, 0);
  const repeated = calls.length - (await whole.calls()).length;
  assert.ok(
    repeated <= allowed,
    `${repeated} of ${calls.length} calls were made again; allowed are ${allowed}`,
  );
  assert.ok(allowed < calls.length / 2, "the processes lived too short a time to show anything");

  const expected = await reference;
  assert.deepEqual(last.code, expected.code);
  assert.equal(reportIn(last.stdout), reportIn(expected.stdout));
  assert.match(last.stdout, /^Stages: retrieve \d+ hit\/\d+ miss; generate \d+ hit\/\d+ miss$/m);
  const [exported, wanted] = [
    await killed.finish("export", "latest"),
    await whole.finish("export", "latest"),
  ];
  assert.equal(wanted.stdout.split("\n").length, CASES + 1);
  // Compared as a whole, the texts would be printed when they differ.
  assert.ok(exported.stdout === wanted.stdout, "the exported cases differ");
});
