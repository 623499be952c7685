/** Measures `oloproof --version` against an empty Deno program in one run; fails above twice its time. */
const RUNS = 15;
const LIMIT = 2;

async function milliseconds(args: readonly string[]): Promise<number> {
  const start = performance.now();
  const { success } = await new Deno.Command(Deno.execPath(), { args: [...args], stdout: "null" }).output();
  if (!success) throw new Error(`deno ${args.join(" ")} failed`);
  return performance.now() - start;
}

const program = new URL("../cli.ts", import.meta.url).pathname;
const ratios: number[] = [];
for (let run = -1; run < RUNS; run++) {
  const own = await milliseconds(["run", "-A", program, "--version"]);
  const bare = await milliseconds(["eval", ""]);
  // The first pair only warms the caches.
  if (run >= 0) ratios.push(own / bare);
}
const median = ratios.sort((a, b) => a - b)[Math.floor(RUNS / 2)] ?? Infinity;
const verdict = median <= LIMIT ? "ok" : "too slow";
Deno.stdout.writeSync(
  new TextEncoder().encode(
    `--version takes ${median.toFixed(2)} × deno eval "" (limit ${LIMIT}): ${verdict}\n`,
  ),
);
if (median > LIMIT) Deno.exit(1);
