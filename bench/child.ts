/**
 * One figure of the bench, in a process of its own, so that its memory and its processor time are nobody else's.
 *
 * deno run -A bench/child.ts RESULT.json cli ARGUMENT…  |  floor FOLDER  |  interval COUNT
 */
import process from "node:process";
import type { Usage } from "./measure.ts";

type Work = () => Promise<void> | void;

/** What is to be measured; what it only needs to have is made here, before the clock starts. */
async function prepare(what: string, args: readonly string[]): Promise<Work> {
  switch (what) {
    case "cli":
      return async () => {
        // Loading the program is a part of running it.
        const { main } = await import("../lib/cli/main.ts");
        const { realIo } = await import("../lib/cli/real_io.ts");
        const code = await main(args, realIo());
        if (code !== 0) throw new Error(`oloproof ${args.join(" ")} ended with ${code}`);
      };
    case "floor": {
      const { prepareFloor } = await import("./floor.ts");
      return await prepareFloor(args[0] ?? "");
    }
    case "interval": {
      const { boundedMeanInterval } = await import("../lib/stats/bounded_mean_interval.ts");
      const count = Number(args[0]);
      const values = Array.from({ length: count }, (_, index) => [(index + 0.5) / count, 1] as const);
      return () => void boundedMeanInterval(values);
    }
    default:
      throw new Error(`there is nothing to measure that is called ${what}`);
  }
}

const [result = "", what = "", ...args] = Deno.args;
const { writeTextFileSync } = Deno;
const exit = Deno.exit.bind(Deno);
const work = await prepare(what, args);
const [start, before] = [performance.now(), process.cpuUsage()];
await work();
const { user, system } = process.cpuUsage(before);
const usage: Usage = {
  wall_seconds: (performance.now() - start) / 1000,
  cpu_seconds: (user + system) / 1e6,
  peak_bytes: process.resourceUsage().maxRSS * 1024,
};
writeTextFileSync(result, JSON.stringify(usage));
exit(0);
