/** `oloproof plan` */
import { planFor } from "../commands/plan_for.ts";
import { readPolicy } from "../commands/read_policy.ts";
import { planText } from "../report/plan_text.ts";
import { EXIT } from "./exit_code.ts";
import type { GlobalOptions } from "./global_options.ts";
import type { Io } from "./io.ts";
import { jsonText, surroundingsOf } from "./surroundings.ts";

/** The options of `plan`. */
export interface PlanCommandOptions extends GlobalOptions {
  readonly policy: string;
  /** Percent. */
  readonly churn?: readonly number[];
}

/** Says how many cases each rule needs, and whether the policy can pass with those that there are. */
export async function planCommand(
  id: string | undefined,
  options: PlanCommandOptions,
  io: Io,
): Promise<number> {
  const policy = await readPolicy(options.policy, options.C, io.cwd);
  const churns = options.churn?.map((percent) => percent / 100);
  const { C: project, store } = options;
  const plan = await planFor(policy, { project, store, run: id, churns }, surroundingsOf(io));
  io.stdout(options.json ? jsonText(plan) : planText(plan));
  return EXIT.done;
}
