/** `sweep`: its options and their help. */
import { Argument, type Command } from "commander";
import type { Io } from "./io.ts";
import type { SweepCommandOptions } from "./sweep_command.ts";

/** `sweep`, for settings that are read after the retrieval. */
export function defineSweep(program: Command, io: Io, done: (code: number) => void): void {
  program.command("sweep")
    .description("a run under every combination of some settings, from its recorded retrieval")
    .addArgument(new Argument("[id]", "a run id or a prefix of one, latest, latest~1").default("latest"))
    .requiredOption(
      "--set <key=values>",
      "a setting and its values (repeatable): top_k=2,4 or params.generate.model=a,b",
      (value: string, before: readonly string[] = []) => [...before, value],
    )
    .addHelpText("after", "\nExample: oloproof sweep latest --set token_budget=40,80,120 --set top_k=2,4")
    .action(async (id: string, _options, command: Command) => {
      const { sweepCommand } = await import("./sweep_command.ts");
      done(await sweepCommand(id, command.optsWithGlobals<SweepCommandOptions>(), io));
    });
}
