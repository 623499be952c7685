/** `cache stats` and `cache prune`: what a store holds, and what of it nobody uses. */
import type { Erased } from "../domain/erasure.ts";
import type { StoreStats } from "../domain/store_stats.ts";
import { openStore, TOKEN_VARIABLE } from "../store/open_store.ts";
import { refuseLiveRuns } from "./forget.ts";
import type { Surroundings } from "./surroundings.ts";
import { withStore } from "./with_store.ts";

/** The numbers of the store at a location. @throws {OloproofError} `no_store`, and what opening throws. */
export async function cacheStats(location: string, surroundings: Surroundings): Promise<StoreStats> {
  return await withStore(location, surroundings, (store) => store.stats());
}

/** What was pruned, or would be. */
export interface Pruning extends Erased {
  /** Whether it was only told what would go. */
  readonly dry_run: boolean;
}

/** How a store is pruned. */
export interface PruneOptions {
  /** Whether to tell only what would go. */
  readonly dry_run?: boolean;
  /** On a server: whether runs marked as running are taken for dead. */
  readonly force?: boolean;
}

/**
 * Removes what no run points to, as killed runs leave it, and gives the space back.
 *
 * @throws {OloproofError} `store_in_use`, `run_in_progress` (on a server), and what opening a store throws.
 */
export async function pruneCache(
  location: string,
  { dry_run = false, force = false }: PruneOptions,
  surroundings: Surroundings,
): Promise<Pruning> {
  const token = surroundings.env(TOKEN_VARIABLE);
  const store = await openStore(location, { mode: dry_run ? "read" : "erase", token });
  try {
    if (!dry_run) await refuseLiveRuns(store, location, force);
    return { dry_run, ...await store.erase({ what: "unused" }, { dry_run }) };
  } finally {
    store.close();
  }
}
