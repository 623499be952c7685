/** The commands about the store itself: `cache`, `forget`. */
import { Argument, type Command } from "commander";
import { type Done, optionsOf } from "./global_options.ts";
import type { Io } from "./io.ts";
import { collect } from "./option_values.ts";

/** `cache`, with a command of its own for each thing to do. */
export function defineCache(program: Command, io: Io, done: Done): void {
  const cache = program.command("cache")
    .description("what the store holds, and why work was found in it or not")
    .addHelpText("after", "\nExample: oloproof cache stats");
  cache.command("stats")
    .description("entries, how many of them are used, and their size")
    .addHelpText("after", "\nExample: oloproof cache stats --json")
    .action(async (_options, command: Command) => {
      const { cacheStatsCommand } = await import("./cache_command.ts");
      done(await cacheStatsCommand(optionsOf(command), io));
    });
  cache.command("explain")
    .description("stage by stage, why a case was a hit or a miss")
    .addArgument(new Argument("[id]", "a run id or a prefix of one, latest, latest~1").default("latest"))
    .requiredOption("--case <id>", "the case")
    .addHelpText("after", "\nExample: oloproof cache explain latest --case refund_review")
    .action(async (id: string, _options, command: Command) => {
      const { cacheExplainCommand } = await import("./cache_command.ts");
      done(await cacheExplainCommand(id, optionsOf(command), io));
    });
  cache.command("prune")
    .description("remove what no run points to, as killed runs leave it, and give the space back")
    .option("--dry-run", "only tell what would go")
    .option("--force", "on a server: take runs that are marked as running for dead")
    .addHelpText("after", "\nExample: oloproof cache prune --dry-run")
    .action(async (_options, command: Command) => {
      const { cachePruneCommand } = await import("./cache_command.ts");
      done(await cachePruneCommand(optionsOf(command), io));
    });
}

/** `forget`. */
export function defineForget(program: Command, io: Io, done: Done): void {
  program.command("forget")
    .description("erase runs, or cases out of all runs, for good")
    .option("--run <id>", "a run, with its diagnoses, comparisons and child runs (repeatable)", collect)
    .option("--case <id>", "a case in all runs, with every document that names it (repeatable)", collect)
    .option("--before <date>", "all runs that started before a date, or a moment, in UTC")
    .option("--dry-run", "only tell what would go")
    .option("--force", "on a server: take runs that are marked as running for dead")
    .addHelpText(
      "after",
      "\nExample: oloproof forget --case refund_review --dry-run\nExample: oloproof forget --before 2026-01-01",
    )
    .action(async (_options, command: Command) => {
      const { forgetCommand } = await import("./forget_command.ts");
      done(await forgetCommand(optionsOf(command), io));
    });
}
