/** The commands that make and run a project: `init`, `validate`, `run`. */
import { Argument, type Command, Option } from "commander";
import { INIT_KINDS } from "../commands/init_kinds.ts";
import { isTestBuild } from "../system/base.ts";
import { type Done, optionsOf } from "./global_options.ts";
import type { Io } from "./io.ts";
import { collect, collectChoice, percentage, wholeNumber } from "./option_values.ts";

/** `init`. */
export function defineInit(program: Command, io: Io, done: Done): void {
  program.command("init")
    .description("make a project: a small system, its cases and oloproof.yaml")
    .addArgument(new Argument("[dir]", "the folder").default("."))
    .addOption(
      new Option("--kind <kind>", "what the system is written with").choices(INIT_KINDS)
        .default(isTestBuild ? "js" : "ts"),
    )
    .addHelpText("after", "\nExample: oloproof init my-rag && oloproof -C my-rag run")
    .action(async (dir: string, _options, command: Command) => {
      const { initCommand } = await import("./init_command.ts");
      done(await initCommand(dir, optionsOf(command), io));
    });
}

/** `validate`. */
export function defineValidate(program: Command, io: Io, done: Done): void {
  program.command("validate")
    .description("check the project and its cases without running anything")
    .addHelpText("after", "\nExample: oloproof validate")
    .action(async (_options, command: Command) => {
      const { validateCommand } = await import("./validate_command.ts");
      done(await validateCommand(optionsOf(command), io));
    });
}

/** `run`. */
export function defineRun(program: Command, io: Io, done: Done): void {
  program.command("run")
    .description("run the system on the cases, measure it, keep everything")
    .option(
      "--set <key=value>",
      "a setting for this run (repeatable): top_k=4, params.generate.model=x",
      collect,
    )
    .option("--case <id>", "only this case (repeatable)", collect)
    .option(
      "--where <path=value>",
      "only cases with this value (repeatable): metadata.topic=billing",
      collect,
    )
    .option("--limit <n>", "only the first n of them", wholeNumber)
    .option("--repeats <n>", "how often each case is executed; its values are averaged first", wholeNumber)
    .addOption(
      new Option("--refresh <part>", "ignore what the cache holds of a part (repeatable)")
        .choices(["retrieve", "generate", "judge", "all"]).argParser(collectChoice),
    )
    .option("--concurrency <n>", "calls under way at once", wholeNumber)
    .option("--name <name>", "a name for the run")
    .option("--resume <id>", "go on with a run that was killed or interrupted")
    .addOption(
      new Option("--retry-failed <id>", "execute again what failed in a run, in a new one").conflicts(
        "resume",
      ),
    )
    .option("--dry-run", "say what would be done; call no stage and write nothing")
    .option("--allow-missing <percent>", "exit 0 with up to this share of outcomes missing", percentage, 0)
    .addOption(new Option("--slices <which>", "print all slice lines").choices(["all"]))
    .addHelpText("after", "\nExample: oloproof run --set token_budget=120 --where metadata.topic=billing")
    .action(async (_options, command: Command) => {
      const { runCommand } = await import("./run_command.ts");
      done(await runCommand(optionsOf(command), io));
    });
}
