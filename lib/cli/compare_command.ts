/** `oloproof compare` */
import { compareRuns } from "../commands/compare_runs.ts";
import { readPolicy } from "../commands/read_policy.ts";
import { comparisonJson } from "../report/comparison_json.ts";
import { comparisonText } from "../report/comparison_text.ts";
import { EXIT_OF_GATE } from "../report/gate_exit.ts";
import type { GlobalOptions } from "./global_options.ts";
import type { Io } from "./io.ts";
import { jsonText, storeOf, surroundingsOf } from "./surroundings.ts";

/** The options of `compare`. */
export interface CompareCommandOptions extends GlobalOptions {
  readonly policy?: string;
  readonly slices?: "all";
}

/** Compares two runs, prints differences and decisions, and answers with the exit code of the gate. */
export async function compareCommand(
  candidate: string,
  baseline: string | undefined,
  options: CompareCommandOptions,
  io: Io,
): Promise<number> {
  const policy = options.policy === undefined
    ? undefined
    : await readPolicy(options.policy, options.C, io.cwd);
  const location = await storeOf(options, io);
  const comparison = await compareRuns(location, { candidate, baseline, policy }, surroundingsOf(io));
  io.stdout(
    options.json
      ? jsonText(comparisonJson(comparison))
      : comparisonText(comparison, { allSlices: options.slices === "all" }),
  );
  return EXIT_OF_GATE[comparison.content.gate ?? "PASS"];
}
