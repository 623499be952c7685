/** Reads a policy file. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { criterionIssues, type KnownCriterion, parsePolicy } from "../config/parse_policy.ts";
import { type Issue, issuesError, messageOf, OloproofError } from "../domain/error.ts";
import type { Policy } from "../domain/policy.ts";
import type { RunHeader } from "../domain/run.ts";
import { evaluatorTypes } from "../evaluators/table.ts";
import { showPath } from "./show_path.ts";

/** A policy, and the check of its criteria against runs, which places its findings in the file. */
export interface PolicyFile {
  readonly policy: Policy;
  readonly checkCriteria: (known: readonly KnownCriterion[]) => readonly Issue[];
}

/** The name under which a policy is looked for beside a project. */
export const POLICY_FILE = "compare.yaml";

/**
 * Reads a policy: relative to the current folder, else to the project's.
 *
 * @throws {OloproofError} `no_policy`, `unreadable_file`, or every mistake in it at once.
 */
export async function readPolicy(path: string, root: string | undefined, cwd: string): Promise<PolicyFile> {
  for (const folder of root === undefined ? [cwd] : [cwd, root]) {
    const file = resolve(cwd, folder, path);
    const text = await readText(file, showPath(file, cwd));
    if (text === undefined) continue;
    const parsed = parsePolicy(text, showPath(file, cwd));
    if (!parsed.ok) throw issuesError("Cannot read the policy", parsed.issues);
    const { policy, places } = parsed;
    return { policy, checkCriteria: (known) => criterionIssues(policy, places, known) };
  }
  throw new OloproofError(`Cannot read the policy: there is no file ${JSON.stringify(path)}`, {
    code: "no_policy",
    kind: "configuration",
    hint:
      "a policy is YAML: rules: [{name: not-worse, criterion: answer_correct, test: non-inferiority, margin: 5}]",
  });
}

async function readText(file: string, shown: string): Promise<string | undefined> {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await readFile(file));
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined;
    throw new OloproofError(`Cannot read the policy: ${messageOf(cause)}`, {
      code: "unreadable_file",
      kind: "configuration",
      where: shown,
      cause,
    });
  }
}

/** The criteria of a run's evaluators, as policies see them: with repeats, each value is a mean. */
export function knownCriteria(
  { evaluators, repeats }: Pick<RunHeader, "evaluators" | "repeats">,
): readonly KnownCriterion[] {
  return evaluators.map(({ criterion, type }) => {
    const { observes = "either", judged = false } = evaluatorTypes.get(type) ?? {};
    return { criterion, judged, observes: repeats > 1 && observes !== "number" ? "mean" : observes };
  });
}

/** The criteria that are known to be numbers; what a user's function returns is not known before it has run. */
export function numberCriteria(run: Pick<RunHeader, "evaluators" | "repeats">): ReadonlySet<string> {
  return new Set(
    knownCriteria(run).flatMap(({ criterion, observes }) =>
      observes === "number" || observes === "mean" ? [criterion] : []
    ),
  );
}
