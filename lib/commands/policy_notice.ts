/** Says, where a policy lies beside a project, that it cannot pass with the present cases. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { refusedText, tooFewText } from "../domain/plan.ts";
import type { Plan } from "../domain/plan.ts";
import type { Project } from "../domain/project.ts";
import type { Notice } from "../domain/run_report.ts";
import { projectLicences } from "./project_licences.ts";
import { planPolicy } from "./plan.ts";
import { knownCriteria, numberCriteria, POLICY_FILE, readPolicy } from "./read_policy.ts";
import type { Surroundings } from "./surroundings.ts";

/**
 * The notice about the project's own policy (`compare.yaml` beside the project file); none when there is no such file, when its
 * rules could pass, or when it is about other criteria.
 *
 * @param present How many cases each criterion can judge.
 * @param repeats How often each case is executed; as the project says by default.
 * @throws {OloproofError} Every mistake in the policy at once.
 */
export async function policyNotices(
  project: Project,
  present: ReadonlyMap<string, number>,
  surroundings: Pick<Surroundings, "cwd" | "env">,
  repeats = project.run.repeats,
): Promise<readonly Notice[]> {
  if (project.file === undefined) return [];
  const path = join(project.root, POLICY_FILE);
  if (!await stat(path).then((found) => found.isFile(), () => false)) return [];
  const { policy, checkCriteria } = await readPolicy(path, undefined, surroundings.cwd);
  const known = { ...project, repeats };
  if (checkCriteria(knownCriteria(known)).length > 0) return [];
  const judges = await projectLicences(policy, project, surroundings);
  const plan = planPolicy(policy, present, numberCriteria(known), [], judges);
  return [...tooFewNotices(plan), ...refusedNotices(plan)];
}

function tooFewNotices(plan: Plan): readonly Notice[] {
  if (plan.too_few.length === 0) return [];
  return [{
    severity: "notice",
    code: "policy_cannot_pass",
    message: `${POLICY_FILE} cannot pass with the present cases: ${tooFewText(plan)}`,
    hint:
      `add cases, or widen the margins: \`oloproof plan --policy ${POLICY_FILE}\` tells what each would need`,
  }];
}

function refusedNotices(plan: Plan): readonly Notice[] {
  const refused = refusedText(plan);
  if (refused === "") return [];
  const unmeasured = plan.judges?.find(({ calibration_id }) => calibration_id === null);
  return [{
    severity: "notice",
    code: "judge_may_not_gate",
    message: `${POLICY_FILE} cannot pass: ${refused}`,
    hint: unmeasured === undefined
      ? "more labels may qualify a judge; judged criteria take tests of differences"
      : `measure it: \`oloproof judge calibrate --criterion ${unmeasured.criterion} --labels labels.jsonl\``,
  }];
}
