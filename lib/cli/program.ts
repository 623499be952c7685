/** The commands, their options and their help. What a command does is loaded when it is called. */
import { Argument, Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { OloproofError } from "../domain/error.ts";
import { isTestBuild } from "../system/base.ts";
import type { Io } from "./io.ts";
import { INIT_KINDS } from "../commands/init_kinds.ts";
import { EXIT } from "./exit_code.ts";
import { defineCompletions, defineHelp } from "./define_help.ts";
import { defineImport } from "./define_import.ts";
import { defineReport } from "./define_report.ts";
import { defineSweep } from "./define_sweep.ts";
import type { GlobalOptions } from "./global_options.ts";
import { versionLine } from "./version_line.ts";

/** Parses the arguments, runs the command and answers with its exit code. */
export async function runProgram(args: readonly string[], io: Io): Promise<number> {
  let code: number = EXIT.done;
  const program = defineProgram(io, (result) => code = result);
  try {
    await program.parseAsync([...args], { from: "user" });
    return code;
  } catch (cause) {
    if (!(cause instanceof CommanderError)) throw cause;
    if (cause.exitCode === 0) return EXIT.done;
    throw usageError(cause, commandOf(program));
  }
}

/** The words of the command that was meant, as far as they are known: `import csv`. */
function commandOf(program: Command): string | undefined {
  const words: string[] = [];
  let known = program.commands;
  for (const word of program.args) {
    const found = known.find((one) => one.name() === word);
    if (found === undefined) break;
    words.push(word);
    known = found.commands;
  }
  return words.length === 0 ? undefined : words.join(" ");
}

function usageError(cause: CommanderError, command: string | undefined): OloproofError {
  if (cause.code === "commander.help") {
    return new OloproofError("No command was given", {
      code: "usage",
      kind: "configuration",
      hint: `\`oloproof ${command === undefined ? "" : `${command} `}--help\` lists the commands`,
    });
  }
  const [message = "", suggestion] = cause.message.replace(/^error: /, "").split("\n");
  return new OloproofError(message.charAt(0).toUpperCase() + message.slice(1), {
    code: "usage",
    kind: "configuration",
    hint: suggestion?.replace(/^\((.*)\)$/, "$1").replace(/^D/, "d") ??
      `\`oloproof ${command === undefined ? "" : `${command} `}--help\` tells what is allowed`,
  });
}

type Done = (code: number) => void;

function defineProgram(io: Io, done: Done): Command {
  const program = new Command("oloproof")
    .description("Evaluates RAG systems and finds out why their wrong answers are wrong.")
    .version(versionLine, "-V, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .option("-C <dir>", "the project's folder, or its YAML file", ".")
    .option("--store <place>", "a store in the place of the project's: a file, or a libsql:// URL")
    .option("--json", "print one JSON document")
    .option("--quiet", "no progress and no notices")
    .option("--no-color", "print without colours, as NO_COLOR does")
    .option("--debug", "with an error, where it happened")
    .exitOverride()
    // Also on narrow terminals, columns are wrapped and not the lines.
    .configureHelp({ minWidthToWrap: 16 })
    .configureOutput({
      writeOut: (text) => io.stdout(text),
      // Usage errors are thrown and reported like every other error.
      writeErr: () => {},
    })
    .addHelpText(
      "after",
      "\nStart with `oloproof init my-rag`. Exit codes: 0 done, 1 unexpected, 2 usage or configuration,\n" +
        "3 gate blocked, 4 outcomes missing, 130 interrupted.",
    );
  for (
    const define of [
      defineInit,
      defineValidate,
      defineRun,
      defineDiagnose,
      defineCompare,
      definePlan,
      defineSweep,
      defineInspect,
      defineList,
      defineExport,
      defineReport,
      defineImport,
      defineJudge,
      defineCache,
      defineForget,
      defineCompletions,
      defineHelp,
    ]
  ) {
    define(program, io, done);
  }
  return program;
}

/** The options of a command, together with the global ones. */
function optionsOf<T>(command: Command): T & GlobalOptions {
  return command.optsWithGlobals<T & GlobalOptions>();
}

function defineInit(program: Command, io: Io, done: Done): void {
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

function defineValidate(program: Command, io: Io, done: Done): void {
  program.command("validate")
    .description("check the project and its cases without running anything")
    .addHelpText("after", "\nExample: oloproof validate")
    .action(async (_options, command: Command) => {
      const { validateCommand } = await import("./validate_command.ts");
      done(await validateCommand(optionsOf(command), io));
    });
}

function defineRun(program: Command, io: Io, done: Done): void {
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

function defineDiagnose(program: Command, io: Io, done: Done): void {
  program.command("diagnose")
    .description("find out why failed cases failed, by re-executing them under a controlled change")
    .addArgument(new Argument("[id]", "a run id or a prefix of one, latest, latest~1").default("latest"))
    .addOption(
      new Option("--intervention <kind>", "what is changed")
        .choices(["gold-context", "top-k", "reranker"]).default("gold-context"),
    )
    .requiredOption("--criterion <name>", "the pass/fail criterion whose failures are diagnosed")
    .option(
      "--top-k <n>",
      "with --intervention top-k: how many candidates may enter the context",
      wholeNumber,
    )
    .option(
      "--reranker <object>",
      "with --intervention reranker: module:function, called with (input, candidates)",
    )
    .option("--repeats <n>", "how often each re-execution is made, an odd number", wholeNumber)
    .option("--limit <n>", "at most so many cases, the first by hash of id", wholeNumber)
    .option("--allow-changed-source", "although the code is not the one that the run recorded")
    .addHelpText(
      "after",
      "\nExample: oloproof diagnose latest --intervention gold-context --criterion answer_correct",
    )
    .action(async (id: string, _options, command: Command) => {
      const { diagnoseCommand } = await import("./diagnose_command.ts");
      done(await diagnoseCommand(id, optionsOf(command), io));
    });
}

function defineCompare(program: Command, io: Io, done: Done): void {
  program.command("compare")
    .description("compare two runs case by case, and decide by a policy whether to release")
    .addArgument(new Argument("<candidate>", "a run id, a name, latest, or a bundle file"))
    .addArgument(new Argument("[baseline]", "likewise; not needed for a policy about the candidate alone"))
    .option("--policy <file>", "the rules that decide: a YAML file")
    .addOption(new Option("--slices <which>", "print all slice lines").choices(["all"]))
    .addHelpText(
      "after",
      "\nExample: oloproof compare latest latest~1 --policy compare.yaml\nExit codes: 0 the gate passes, 3 it blocks.",
    )
    .action(async (candidate: string, baseline: string | undefined, _options, command: Command) => {
      const { compareCommand } = await import("./compare_command.ts");
      done(await compareCommand(candidate, baseline, optionsOf(command), io));
    });
}

function definePlan(program: Command, io: Io, done: Done): void {
  program.command("plan")
    .description("how many cases the rules of a policy need, before anything is run")
    .addArgument(new Argument("[id]", "a run whose observed cases count; without one the project's cases do"))
    .requiredOption("--policy <file>", "the rules: a YAML file")
    .option(
      "--churn <percent>",
      "plan for this share of changed verdicts (repeatable; 5 and 10 without)",
      collectPercent,
    )
    .addHelpText("after", "\nExample: oloproof plan --policy compare.yaml")
    .action(async (id: string | undefined, _options, command: Command) => {
      const { planCommand } = await import("./plan_command.ts");
      done(await planCommand(id, optionsOf(command), io));
    });
}

function defineInspect(program: Command, io: Io, done: Done): void {
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

function defineList(program: Command, io: Io, done: Done): void {
  program.command("list")
    .description("the runs of the store, the newest first")
    .option("--limit <n>", "only the newest n", wholeNumber)
    .addHelpText("after", "\nExample: oloproof list --limit 5")
    .action(async (_options, command: Command) => {
      const { listCommand } = await import("./list_command.ts");
      done(await listCommand(optionsOf(command), io));
    });
}

function defineExport(program: Command, io: Io, done: Done): void {
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

function defineJudge(program: Command, io: Io, done: Done): void {
  const judge = program.command("judge")
    .description("measure judges against people")
    .addHelpText("after", "\nExample: oloproof judge calibrate --help");
  judge.command("calibrate")
    .description("judge what people labelled, and keep how well the judge agrees with them")
    .requiredOption("--criterion <name>", "the criterion whose judge is measured")
    .requiredOption("--labels <file>", 'JSONL, {"case_id" or "record", "label": "pass" or "fail"} a line')
    .option("--run <id>", "the run that labelled cases are of (latest without)")
    .option("--repeats <n>", "how often each row is judged (2 without)", wholeNumber)
    .addHelpText("after", "\nExample: oloproof judge calibrate --criterion grounded --labels labels.jsonl")
    .action(async (_options, command: Command) => {
      const { calibrateCommand } = await import("./calibrate_command.ts");
      done(await calibrateCommand(optionsOf(command), io));
    });
}

function defineCache(program: Command, io: Io, done: Done): void {
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

function defineForget(program: Command, io: Io, done: Done): void {
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

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

function collectChoice(value: string, before: readonly string[] = []): readonly string[] {
  if (!["retrieve", "generate", "judge", "all"].includes(value)) {
    throw new InvalidArgumentError("Allowed choices are retrieve, generate, judge, all.");
  }
  return [...before, value];
}

function wholeNumber(value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new InvalidArgumentError("It is a whole number from 1.");
  return Number(value);
}

function collectPercent(value: string, before: readonly number[] = []): readonly number[] {
  return [...before, percentage(value)];
}

function percentage(value: string): number {
  const number = Number(value.replace(/%$/, ""));
  if (value === "" || !(number >= 0 && number <= 100)) {
    throw new InvalidArgumentError("It is a percentage from 0 to 100.");
  }
  return number;
}
