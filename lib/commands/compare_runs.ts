/** The runs, the policy and the store of a comparison, from what a user types. */
import type { Comparison } from "../domain/comparison.ts";
import { issuesError, OloproofError } from "../domain/error.ts";
import type { RunHeader } from "../domain/run.ts";
import type { Policy } from "../domain/policy.ts";
import { openStore, TOKEN_VARIABLE } from "../store/open_store.ts";
import { compare } from "./compare.ts";
import { findSource } from "./find_source.ts";
import { knownCriteria, type PolicyFile } from "./read_policy.ts";
import type { Surroundings } from "./surroundings.ts";

/** Which runs, by which policy. */
export interface CompareOptions {
  /** A run id (or name, prefix, latest~1) or the path of a bundle. */
  readonly candidate: string;
  /** Likewise; may be absent for a policy about the candidate alone. */
  readonly baseline?: string | undefined;
  readonly policy?: PolicyFile | undefined;
}

/**
 * Compares two runs and keeps the comparison in the store.
 *
 * @throws {OloproofError} `no_baseline`, `same_run`, `wrong_kind`, `unfinished_baseline`, `partial_baseline`, mistakes of
 *   the policy against the runs, and what finding and comparing them throws.
 */
export async function compareRuns(
  location: string,
  { candidate, baseline, policy }: CompareOptions,
  surroundings: Surroundings,
): Promise<Comparison> {
  const store = await openStore(location, { mode: "read", token: surroundings.env(TOKEN_VARIABLE) });
  try {
    const now = await findSource(store, candidate, surroundings.cwd);
    const before = baseline === undefined ? undefined : await findSource(store, baseline, surroundings.cwd);
    if (before === undefined && !isAboutCandidate(policy?.policy)) {
      throw new OloproofError("Cannot compare: there is no baseline", {
        code: "no_baseline",
        kind: "configuration",
        hint: "name a second run: oloproof compare CANDIDATE BASELINE",
      });
    }
    if (before?.header.run_id === now.header.run_id) {
      throw new OloproofError(`Cannot compare ${now.header.run_id} with itself`, {
        code: "same_run",
        kind: "configuration",
        hint: "latest is the newest run and latest~1 the one before it",
      });
    }
    for (const { header } of before === undefined ? [now] : [now, before]) refuseChild(header);
    if (before !== undefined && policy !== undefined && before.header.status !== "complete") {
      throw new OloproofError(`Cannot gate against ${before.header.run_id}: it is ${before.header.status}`, {
        code: "unfinished_baseline",
        kind: "configuration",
        hint: "run the baseline again: what was finished is found in the cache",
      });
    }
    if (before !== undefined && policy !== undefined) refusePart(now.header, before.header);
    const repeats = Math.max(now.header.repeats, before?.header.repeats ?? 1);
    const known = knownCriteria({ ...before?.header ?? now.header, repeats })
      .filter(({ criterion }) => now.header.evaluators.some((one) => one.criterion === criterion));
    const issues = policy?.checkCriteria(known) ?? [];
    if (issues.length > 0) throw issuesError("Cannot apply the policy to these runs", issues);
    return await compare(now, before, policy?.policy ?? null, store, surroundings);
  } finally {
    store.close();
  }
}

function refuseChild({ kind, run_id, parent }: RunHeader): void {
  if (kind === "run") return;
  throw new OloproofError(`Cannot compare ${run_id}: it re-executes cases for a diagnosis`, {
    code: "wrong_kind",
    kind: "configuration",
    hint: parent === undefined ? "compare runs" : `compare the run ${parent}`,
  });
}

/** A baseline of chosen cases would leave out what the candidate loses. */
function refusePart(candidate: RunHeader, baseline: RunHeader): void {
  const [now, before] = [candidate.selection.join(" "), baseline.selection.join(" ")];
  if (before === "" || before === now) return;
  throw new OloproofError(`Cannot gate against ${baseline.run_id}: it ran only ${before}`, {
    code: "partial_baseline",
    kind: "configuration",
    hint: "run the baseline on every case, or both runs on the same part",
  });
}

/** Whether every rule is about the candidate alone. */
function isAboutCandidate(policy: Policy | undefined): boolean {
  return policy !== undefined &&
    policy.rules.every(({ test }) => test === "threshold" || test === "suite-threshold");
}
