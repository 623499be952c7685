/** The forms that `import` reads, their options and their help. */
import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import type { ImportSource } from "../commands/import.ts";
import type { Done } from "./global_options.ts";
import type { Io } from "./io.ts";
import type { ImportCommandOptions } from "./import_command.ts";
import { collect } from "./option_values.ts";

type SourceOf = (sources: readonly string[], options: FormatOptions) => ImportSource;

/** The options that only some of the forms have. */
interface FormatOptions extends ImportCommandOptions {
  readonly split?: string;
  readonly provider?: string;
  readonly prompt?: number;
  readonly input?: readonly string[];
  readonly expected?: readonly string[];
  readonly id?: string;
  readonly delimiter?: "," | ";" | "tab";
}

/** `import` with a command a form: each has arguments and options of its own. */
export function defineImport(program: Command, io: Io, done: Done): void {
  const command = program.command("import")
    .description("make a project of the data of another tool: beir, trec, ragas, promptfoo, csv")
    .addHelpText("after", "\nExample: oloproof import csv --help");
  const form = (name: string, about: string, sources: readonly Argument[], sourceOf: SourceOf) => {
    const one = command.command(name).description(about).exitOverride();
    for (const source of sources) one.addArgument(source);
    return one
      .requiredOption("-o, --output <dir>", "the folder of the project")
      .option("--force", "overwrite what an earlier import wrote (a system in app.ts is kept)")
      .action(async (...given: unknown[]) => {
        const paths = given.slice(0, sources.length).filter((path) => typeof path === "string");
        const options = one.optsWithGlobals<FormatOptions>();
        const { importCommand } = await import("./import_command.ts");
        done(await importCommand(sourceOf(paths, options), options, io));
      });
  };
  const file = () => new Argument("<file>", "its path");
  form(
    "beir",
    "a BEIR data set",
    [new Argument("<folder>", "with corpus.jsonl, queries.jsonl and qrels/")],
    ([folder = ""], { split = "test" }) => ({ format: "beir", folder, split }),
  )
    .option("--split <name>", "which file of qrels/", "test")
    .addHelpText("after", "\nExample: oloproof import beir scifact -o scifact-eval");
  form(
    "trec",
    "qrels and the run of a retriever",
    [
      new Argument("<qrels>", "topic, iteration, document, grade"),
      new Argument("<run>", "topic, Q0, document, rank, score, tag"),
      new Argument("[topics]", "an id, a tab, a question"),
    ],
    ([qrels = "", run = "", topics]) => ({ format: "trec", qrels, run, topics }),
  ).addHelpText("after", "\nExample: oloproof import trec qrels.txt run.txt topics.tsv -o trec-eval");
  form(
    "ragas",
    "rows of ragas: .json, .jsonl or .csv",
    [file()],
    ([path = ""]) => ({ format: "ragas", file: path }),
  )
    .addHelpText("after", "\nExample: oloproof import ragas evaluation.jsonl -o ragas-eval");
  form(
    "promptfoo",
    "the tests of a promptfooconfig.yaml, or a results.json",
    [file()],
    ([path = ""], { provider, prompt }) => ({
      format: "promptfoo",
      file: path,
      choice: { provider, prompt },
    }),
  )
    .option("--provider <id>", "of results with several: whose")
    .option("--prompt <index>", "of results with several: to which prompt, from 0", indexOf)
    .addHelpText("after", "\nExample: oloproof import promptfoo promptfooconfig.yaml -o bot-eval");
  form(
    "csv",
    "a table with a header row and a case a row",
    [file()],
    ([path = ""], { input = [], expected = [], id, delimiter }) => ({
      format: "csv",
      file: path,
      columns: { input, expected, id, delimiter: delimiter === "tab" ? "\t" : delimiter },
    }),
  )
    .requiredOption("--input <column>", "what is asked (repeatable)", collect)
    .option("--expected <column>", "what is expected (repeatable)", collect)
    .option("--id <column>", "the cases' ids; without it they are made from the rows' content")
    .addOption(
      new Option("--delimiter <sign>", "what parts the cells; without it the header tells")
        .choices([",", ";", "tab"]),
    )
    .addHelpText(
      "after",
      "\nExample: oloproof import csv faq.csv --input question --expected answer -o faq-eval",
    );
}

function indexOf(value: string): number {
  if (!/^\d{1,6}$/.test(value)) throw new InvalidArgumentError("It is a whole number from 0.");
  return Number(value);
}
