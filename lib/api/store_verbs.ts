/** What is done with a store itself: what it holds, why it answered or not, and what shall not be in it any more. */
import {
  cacheStats as statsOf,
  pruneCache as prune,
  type PruneOptions,
  type Pruning,
} from "../commands/cache.ts";
import { explainCache as explain } from "../commands/explain_cache.ts";
import { forget as forgetIn, type ForgetOptions, type Forgetting } from "../commands/forget.ts";
import type { CacheExplanation } from "../domain/cache_explanation.ts";
import type { Project } from "../domain/project.ts";
import type { StoreStats } from "../domain/store_stats.ts";
import { realSurroundings } from "./surroundings.ts";

/**
 * Erases runs, or cases out of all runs, from the project's store for good: rows, evidence that nothing else uses, and every diagnosis and
 * comparison about them. Of a store file nothing of it is left in its bytes; exports and backups are beyond reach.
 *
 * A run that lost cases says so wherever its figures are, and a gate counts them at their worst. A file must be used by no other
 * process: another one is waited for, 15 s at most.
 *
 * @param options Exactly one of `runs`, `cases` and `before`; `dry_run` only tells what would go.
 * @throws {OloproofError} `usage`, `invalid_date`, `unknown_run`, `unknown_case`, `wrong_kind`, `store_in_use`, `run_in_progress` (on a
 *   server, without `force`), `no_store`.
 *
 * @example A case that must not be kept
 * ```ts
 * import assert from "node:assert/strict";
 * import { forget, inspect, openProject, run } from "oloproof";
 *
 * const project = await openProject("examples/support_rag", { store: await Deno.makeTempDir() + "/store.db" });
 * const { run_id } = await run(project);
 * const gone = await forget(project, { cases: ["refund_review"] });
 * const left = await inspect(project, run_id);
 *
 * assert.equal(gone.cases, 1);
 * assert.ok(left.kind === "run" && left.report.cases === 12 && left.report.forgotten_cases === 1);
 * ```
 */
export function forget(project: Project, options: ForgetOptions): Promise<Forgetting> {
  return forgetIn(project.store, options, realSurroundings());
}

/**
 * What the project's store holds: runs, executions, documents, and entries by kind with how many of them are used.
 *
 * @throws {OloproofError} `no_store` when nothing was ever run, or what else keeps the store from being read.
 *
 * @example Entries are stored once
 * ```ts
 * import assert from "node:assert/strict";
 * import { cacheStats, openProject, run } from "oloproof";
 *
 * const project = await openProject("examples/support_rag", { store: await Deno.makeTempDir() + "/store.db" });
 * await run(project);
 * await run(project, { set: { token_budget: 120 } });
 * const { retrievals, generations } = await cacheStats(project);
 *
 * assert.deepEqual([retrievals.entries, retrievals.cases, generations.entries], [13, 26, 19]);
 * ```
 */
export function cacheStats(project: Project): Promise<StoreStats> {
  return statsOf(project.store, realSurroundings());
}

/**
 * Why each step of a case was found in the caches or had to be done: of a miss, the first field in which it differs from the newest
 * earlier entry with the same input.
 *
 * @param id A run id, a unique prefix of one, a run's name, `latest` or `latest~1`.
 * @param case_id The exact id of one of its finished cases; of its repeats the first is explained.
 * @throws {OloproofError} `unknown_run`, `unknown_case`, `wrong_kind` (a child run uses no cache), `no_store`.
 *
 * @example Which setting made the answer new
 * ```ts
 * import assert from "node:assert/strict";
 * import { explainCache, openProject, run } from "oloproof";
 *
 * const project = await openProject("examples/support_rag", { store: await Deno.makeTempDir() + "/store.db" });
 * await run(project);
 * await run(project, { set: { token_budget: 120 } });
 * const { steps: [execution, retrieve] } = await explainCache(project, "latest", "refund_review");
 *
 * assert.deepEqual(execution?.difference, { field: "token_budget", here: 120, there: 40 });
 * assert.equal(retrieve?.outcome, "hit");
 * ```
 */
export function explainCache(project: Project, id: string, case_id: string): Promise<CacheExplanation> {
  return explain(project.store, id, case_id, realSurroundings());
}

/**
 * Removes the entries that no run points to, as killed runs leave them, and gives the space back.
 *
 * @param options `dry_run`: only tell what would go; `force`: on a server, take runs that are marked as running for dead.
 * @throws {OloproofError} `store_in_use`, `run_in_progress` (on a server, without `force`), `no_store`.
 *
 * @example Nothing is left over by a run that ended
 * ```ts
 * import assert from "node:assert/strict";
 * import { openProject, pruneCache, run } from "oloproof";
 *
 * const project = await openProject("examples/support_rag", { store: await Deno.makeTempDir() + "/store.db" });
 * await run(project);
 * const { entries } = await pruneCache(project);
 *
 * assert.deepEqual(entries, { retrievals: 0, generations: 0, judgments: 0 });
 * ```
 */
export function pruneCache(project: Project, options: PruneOptions = {}): Promise<Pruning> {
  return prune(project.store, options, realSurroundings());
}
