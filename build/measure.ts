/**
 * Holds a compiled program against the least that one could be: `deno run -A build/measure.ts BINARY HELLO`, where HELLO is a hello
 * world compiled in the same way. What is wanted: `--version` in 2 × its time, a run of 13 cases within a second more than that, 1.5 ×
 * its size. Says where it is more, and fails where it is more than twice that, which no busy machine explains.
 */
import { cp, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const RUNS = 21;

async function milliseconds(command: string, args: readonly string[], cwd: string): Promise<number> {
  const start = performance.now();
  const { code } = await new Deno.Command(command, { args: [...args], cwd, stdout: "null", stderr: "null" })
    .output();
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}`);
  return performance.now() - start;
}

/** The project as JavaScript, which every build reads. */
async function makeProject(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "oloproof-measure-"));
  const example = new URL("../examples/support_rag/", import.meta.url);
  for (const name of ["oloproof.yaml", "cases.jsonl", "corpus.jsonl"]) {
    await cp(new URL(name, example), join(folder, name));
  }
  const source = await Deno.readTextFile(new URL("app.ts", example));
  await writeFile(join(folder, "app.js"), stripTypeScriptTypes(source));
  return folder;
}

const [binary = "", hello = ""] = Deno.args.map((path) => resolve(path));
const project = await makeProject();
const times = { hello: [] as number[], version: [] as number[], run: [] as number[] };
for (let run = -1; run < RUNS; run++) {
  const one = {
    hello: await milliseconds(hello, [], project),
    version: await milliseconds(binary, ["--version"], project),
    run: await milliseconds(binary, ["run", "--refresh", "all"], project),
  };
  // The first round only warms the caches; taking turns, all meet the same load.
  if (run >= 0) { for (const name of ["hello", "version", "run"] as const) times[name].push(one[name]); }
}
await rm(project, { recursive: true });

// Other work on the machine only ever adds: the least is what it takes.
const least = (values: readonly number[]) => Math.min(...values);
const [helloTime, versionTime, runTime] = [least(times.hello), least(times.version), least(times.run)];
const [size, helloSize] = [(await stat(binary)).size, (await stat(hello)).size];
const checks = [
  {
    what: `--version ${versionTime.toFixed(0)} ms, hello world ${helloTime.toFixed(0)} ms`,
    is: versionTime / helloTime,
    limit: 2,
  },
  {
    what: `13 cases ${runTime.toFixed(0)} ms, seconds beyond --version`,
    is: (runTime - versionTime) / 1000,
    limit: 1,
  },
  {
    what: `size ${(size / 1e6).toFixed(1)} MB, hello world ${(helloSize / 1e6).toFixed(1)} MB`,
    is: size / helloSize,
    limit: 1.5,
  },
];
for (const { what, is, limit } of checks) {
  const verdict = is <= limit ? "ok" : "too much";
  Deno.stdout.writeSync(new TextEncoder().encode(`${what}: ${is.toFixed(2)} (limit ${limit}): ${verdict}\n`));
}
if (checks.some(({ is, limit }) => !(is <= 2 * limit))) Deno.exit(1);
