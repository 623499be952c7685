/** The commands that show what was run: `inspect`, `list`, `export`. */
import { Argument, type Command, Option } from "commander";
import { type Done, optionsOf } from "./global_options.ts";
import type { Io } from "./io.ts";
import { wholeNumber } from "./option_values.ts";

/** `inspect`. */
export function defineInspect(program: Command, io: Io, done: Done): void {
  program.command("inspect")
    .description("what is behind the figures of a run")
    .addArgument(new Argument("[id]", "a run id or a prefix of one, latest, latest~1").default("latest"))
    .option("--case <id>", "one case, whole")
    .option("--failed <criterion>", "the cases that failed a criterion, a line each")
    .addOption(new Option("--slices <which>", "print all slice lines").choices(["all"]))
    .addHelpText("after", "\nExample: oloproof inspect latest --failed answer_correct")
    .action(async (id: string, _options, command: Command) => {
      const { inspectCommand } = await import("./inspect_command.ts");
      done(await inspectCommand(id, optionsOf(command), io));
    });
}

/** `list`. */
export function defineList(program: Command, io: Io, done: Done): void {
  program.command("list")
    .description("the runs of the store, the newest first")
    .option("--limit <n>", "only the newest n", wholeNumber)
    .addHelpText("after", "\nExample: oloproof list --limit 5")
    .action(async (_options, command: Command) => {
      const { listCommand } = await import("./list_command.ts");
      done(await listCommand(optionsOf(command), io));
    });
}

/** `export`. */
export function defineExport(program: Command, io: Io, done: Done): void {
  program.command("export")
    .description("a run as data, case by case")
    .addArgument(new Argument("[id]", "a run id or a prefix of one, latest, latest~1").default("latest"))
    .addOption(
      new Option(
        "--format <format>",
        "jsonl: a line a case; csv: a row; trec: two files for trec_eval; bundle: a run in one file; junit, markdown: for CI",
      )
        .choices(["jsonl", "csv", "trec", "bundle", "junit", "markdown"]).default("jsonl"),
    )
    .option("-o, --output <path>", "a file in the place of stdout; of trec, the folder for its two files")
    .addHelpText("after", "\nExample: oloproof export latest --format csv -o run.csv")
    .action(async (id: string, _options, command: Command) => {
      const { exportCommand } = await import("./export_command.ts");
      done(await exportCommand(id, optionsOf(command), io));
    });
}
