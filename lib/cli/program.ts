/** The commands, their options and their help. What a command does is loaded when it is called. */
import { Command, CommanderError } from "commander";
import { OloproofError } from "../domain/error.ts";
import type { Io } from "./io.ts";
import { EXIT } from "./exit_code.ts";
import { defineCompletions, defineHelp } from "./define_help.ts";
import { defineImport } from "./define_import.ts";
import { defineExport, defineInspect, defineList } from "./define_look.ts";
import { defineReport } from "./define_report.ts";
import { defineInit, defineRun, defineValidate } from "./define_run.ts";
import { defineCache, defineForget } from "./define_store.ts";
import { defineSweep } from "./define_sweep.ts";
import { defineCompare, defineDiagnose, defineJudge, definePlan } from "./define_verdicts.ts";
import type { Done } from "./global_options.ts";
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
