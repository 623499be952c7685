/**
 * `deno task bench`: what a run of so many cases costs beside the least that it could cost, and writes it into README.md.
 *
 * The system is an echo (see echo_system.ts) and costs next to nothing; five evaluators judge it; the store is a real file. Every
 * figure comes from a process of its own, and is the median of several where they are short. A ratio is that of one round. `--quick` leaves out 100,000 cases and
 * leaves README.md as it is.
 */
import { mkdir, rm, stat } from "node:fs/promises";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { median } from "./median.ts";
import { countOutput, measure, type Usage, wholeProcess } from "./measure.ts";
import {
  type OtherResult,
  type Results,
  resultsMarkdown,
  type Round,
  type RunResult,
  withResults,
} from "./results_table.ts";
import { writeWorkload } from "./workload.ts";

const tell = (text: string) => Deno.stderr.writeSync(new TextEncoder().encode(text));
const unknown = Deno.args.find((argument) => argument !== "--quick");
if (unknown !== undefined) {
  tell(`deno task bench [--quick]: there is nothing else to ask for, such as ${unknown}\n`);
  Deno.exit(2);
}
const quick = Deno.args.includes("--quick");
const SIZES = quick ? [1000, 20_000] : [1000, 20_000, 100_000];
const ROUNDS = (cases: number) => cases <= 20_000 ? 5 : 1;
const README = new URL("../README.md", import.meta.url);

const storeOf = (folder: string) => join(folder, ".oloproof");

async function benchRuns(folder: string, cases: number): Promise<RunResult> {
  await writeWorkload(folder, cases);
  const run = () => measure(folder, "cli", "-C", folder, "run", "--quiet");
  const rounds: Round[] = [];
  let stored_bytes = 0;
  for (let round = 1; round <= ROUNDS(cases); round++) {
    tell(`${cases} cases, ${round} of ${ROUNDS(cases)}\n`);
    await rm(storeOf(folder), { recursive: true, force: true });
    await rm(join(folder, "floor.db"), { force: true });
    const first = await run();
    // The floor copies the rows of the one run that there is.
    const floor = await measure(folder, "floor", folder);
    stored_bytes = await storedBytes(folder);
    rounds.push({ run: first, floor, again: await run() });
  }
  await rm(join(folder, "floor.db"), { force: true });
  return { cases, rounds, stored_bytes, exported_bytes: await countOutput("-C", folder, "export") };
}

/** The file of a store and the log beside it. */
async function storedBytes(folder: string): Promise<number> {
  const sizes = ["", "-wal"].map((end) =>
    stat(join(storeOf(folder), `oloproof.db${end}`)).then(({ size }) => size, () => 0)
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size);
}

/** Medians of several times the same. */
async function repeated(times: number, one: () => Promise<Usage>): Promise<Usage> {
  const usages: Usage[] = [];
  for (let repeat = 0; repeat < times; repeat++) usages.push(await one());
  return {
    wall_seconds: median(usages.map(({ wall_seconds }) => wall_seconds)),
    cpu_seconds: median(usages.map(({ cpu_seconds }) => cpu_seconds)),
    peak_bytes: median(usages.map(({ peak_bytes }) => peak_bytes)),
  };
}

/** A whole process with 1,000 cases, beyond what an empty one takes. */
async function benchProcess(folder: string): Promise<OtherResult> {
  const beyond: number[] = [];
  for (let repeat = 0; repeat < 7; repeat++) {
    await rm(storeOf(folder), { recursive: true, force: true });
    const { own, empty } = await wholeProcess("-C", folder, "run", "--quiet");
    beyond.push(own - empty);
  }
  const wall_seconds = median(beyond);
  return {
    what: "whole process, 1,000 cases, beyond an empty one",
    usage: { wall_seconds },
    target: "≤ 0.6 s",
  };
}

async function benchAll(root: string): Promise<Results> {
  const before = loadavg()[0] ?? 0;
  const folderOf = (cases: number) => join(root, String(cases));
  const runs: RunResult[] = [];
  for (const cases of SIZES) {
    await mkdir(folderOf(cases));
    runs.push(await benchRuns(folderOf(cases), cases));
  }
  const others: OtherResult[] = [await benchProcess(folderOf(1000))];
  others.push({
    what: "interval of 100,000 distinct values",
    usage: await repeated(3, () => measure(root, "interval", "100000")),
    target: "≤ 1 s",
  });
  if (!quick) {
    others.push({
      what: "comparison of two runs of 100,000 cases",
      usage: await measure(root, "cli", "-C", folderOf(100_000), "compare", "latest", "latest~1"),
    });
  }
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: `${availableParallelism()} cores (${Deno.build.arch}, ${Deno.build.os})`,
    deno: Deno.version.deno,
    load: [before, loadavg()[0] ?? 0],
    runs,
    others,
  };
}

const root = await Deno.makeTempDir({ prefix: "oloproof_bench_" });
try {
  const results = await benchAll(root);
  Deno.stdout.writeSync(new TextEncoder().encode(`${resultsMarkdown(results)}\n`));
  if (!quick) await Deno.writeTextFile(README, withResults(await Deno.readTextFile(README), results));
} finally {
  await rm(root, { recursive: true, force: true });
}
