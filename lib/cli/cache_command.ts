/** `oloproof cache stats`, `cache explain` and `cache prune` */
import { cacheStats, pruneCache } from "../commands/cache.ts";
import { explainCache } from "../commands/explain_cache.ts";
import { explanationText, statsText } from "../report/cache_text.ts";
import { pruneText } from "../report/erasure_text.ts";
import type { Io } from "./io.ts";
import { EXIT } from "./exit_code.ts";
import type { GlobalOptions } from "./global_options.ts";
import { jsonText, storeOf, surroundingsOf } from "./surroundings.ts";

/** Prints what the store holds. */
export async function cacheStatsCommand(options: GlobalOptions, io: Io): Promise<number> {
  const stats = await cacheStats(await storeOf(options, io), surroundingsOf(io));
  io.stdout(options.json ? jsonText(stats) : statsText(stats));
  return EXIT.done;
}

/** Prints why each step of a case was found or had to be done. */
export async function cacheExplainCommand(
  id: string,
  options: GlobalOptions & { readonly case: string },
  io: Io,
): Promise<number> {
  const explained = await explainCache(await storeOf(options, io), id, options.case, surroundingsOf(io));
  io.stdout(options.json ? jsonText(explained) : explanationText(explained));
  return EXIT.done;
}

/** Removes what no run points to, and tells what that was. */
export async function cachePruneCommand(
  options: GlobalOptions & { readonly dryRun?: boolean; readonly force?: boolean },
  io: Io,
): Promise<number> {
  const { dryRun: dry_run = false, force = false } = options;
  const pruned = await pruneCache(await storeOf(options, io), { dry_run, force }, surroundingsOf(io));
  io.stdout(options.json ? jsonText(pruned) : pruneText(pruned));
  return EXIT.done;
}
