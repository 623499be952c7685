/** The commands that say why and decide: `diagnose`, `compare`, `plan`, `judge`. */
import { Argument, type Command, Option } from "commander";
import { type Done, optionsOf } from "./global_options.ts";
import type { Io } from "./io.ts";
import { collectPercent, wholeNumber } from "./option_values.ts";

/** `diagnose`. */
export function defineDiagnose(program: Command, io: Io, done: Done): void {
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

/** `compare`. */
export function defineCompare(program: Command, io: Io, done: Done): void {
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

/** `plan`. */
export function definePlan(program: Command, io: Io, done: Done): void {
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

/** `judge`, with a command of its own for each thing to do. */
export function defineJudge(program: Command, io: Io, done: Done): void {
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
