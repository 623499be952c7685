/** `oloproof export` */
import { bundleLines } from "../commands/bundle.ts";
import { describeFailure } from "../commands/describe_failure.ts";
import { passFailEvaluators, withSource, writeToFile } from "../commands/export.ts";
import { calibrationsOf } from "../commands/find_calibration.ts";
import { namesDocument } from "../commands/find_document.ts";
import { inspect } from "../commands/inspect.ts";
import type { RunSource } from "../commands/run_source.ts";
import { summarizeRun } from "../commands/summarize_run.ts";
import type { Surroundings } from "../commands/surroundings.ts";
import type { Comparison } from "../domain/comparison.ts";
import { OloproofError } from "../domain/error.ts";
import { caseCsv, csvHeader } from "../report/case_csv.ts";
import { caseLine } from "../report/case_line.ts";
import { comparisonJunit } from "../report/comparison_junit.ts";
import { comparisonMarkdown, runMarkdown } from "../report/comparison_markdown.ts";
import { runJunit } from "../report/run_junit.ts";
import { EXIT } from "./exit_code.ts";
import type { GlobalOptions } from "./global_options.ts";
import type { Io } from "./io.ts";
import { jsonLine, storeOf, surroundingsOf } from "./surroundings.ts";
import { tellUnfinished } from "./tell_unfinished.ts";

/** The forms in which something is exported. */
type ExportFormat = "jsonl" | "csv" | "bundle" | "junit" | "markdown" | "trec";

/** The options of `export`. */
export interface ExportCommandOptions extends GlobalOptions {
  readonly format: ExportFormat;
  /** A file, or the folder of the two files of trec; without it stdout. */
  readonly output?: string;
}

/** Takes one piece of the text; false when nobody reads on. */
type Write = (text: string) => Promise<boolean>;

/** Writes a run or a comparison in a form for other tools, to stdout or to a file. */
export async function exportCommand(id: string, options: ExportCommandOptions, io: Io): Promise<number> {
  const store = await storeOf(options, io);
  const surroundings = surroundingsOf(io);
  const { format, output } = options;
  if (format === "trec") {
    const { trecCommand } = await import("./export_trec.ts");
    return await trecCommand(store, id, options, io);
  }
  const write = (write: Write) =>
    namesDocument(id)
      ? writeDocument(store, id, format, surroundings, write)
      : withSource(store, id, surroundings, async (source) => {
        if (format !== "bundle") tellUnfinished(source, io);
        await writeRun(source, format, write);
      });
  if (output === undefined) {
    await write((text) => {
      io.stdout(text);
      return Promise.resolve(!io.stdoutIsClosed());
    });
  } else {await writeToFile(output, surroundings, (add) =>
      write(async (text) => {
        await add(io.redact?.(text) ?? text);
        return true;
      }));}
  return EXIT.done;
}

async function writeRun(source: RunSource, format: ExportFormat, write: Write): Promise<void> {
  for await (const piece of piecesOf(source, format)) if (!await write(piece)) return;
}

/** A run of any size in pieces: none of the forms is held whole. */
async function* piecesOf(source: RunSource, format: ExportFormat): AsyncGenerator<string> {
  const { header, store } = source;
  const cases = () => store.readCases(header.run_id);
  switch (format) {
    case "bundle":
      for await (const line of bundleLines(header, cases(), await calibrationsOf(header, store))) {
        yield jsonLine(line);
      }
      return;
    case "csv":
      yield csvHeader(header);
      for await (const stored of cases()) yield caseCsv(header, stored);
      return;
    case "junit":
      yield* runJunit({
        header,
        report: await summarizeRun(source),
        tests: (await passFailEvaluators(source)).map(({ place, evaluator }) => ({
          place,
          criterion: evaluator.criterion,
          describe: (stored) => {
            const judgment = stored.judgments[place];
            const details = judgment?.status === "observed" ? judgment.details ?? null : null;
            return describeFailure(stored, evaluator, details, header);
          },
        })),
        cases,
      });
      return;
    case "markdown":
      yield runMarkdown(await summarizeRun(source));
      return;
    default:
      for await (const stored of cases()) yield jsonLine(caseLine(header, stored));
  }
}

async function writeDocument(
  store: string,
  id: string,
  format: ExportFormat,
  surroundings: Surroundings,
  write: Write,
): Promise<void> {
  const found = await inspect(store, id, {}, surroundings);
  if (found.kind !== "comparison" || (format !== "junit" && format !== "markdown")) {
    throw new OloproofError(`Cannot export ${JSON.stringify(id)} as ${format}: it is no run`, {
      code: "wrong_kind",
      kind: "configuration",
      hint: "junit and markdown are forms of comparisons and runs, all others of runs",
    });
  }
  await write(format === "junit" ? junitOf(id, found.comparison) : comparisonMarkdown(found.comparison));
}

function junitOf(id: string, comparison: Comparison): string {
  if (comparison.content.policy !== null) return comparisonJunit(comparison);
  throw new OloproofError(`Cannot export ${JSON.stringify(id)} as junit: it was made without a policy`, {
    code: "no_policy",
    kind: "configuration",
    hint: "compare with --policy: without rules there is nothing that could fail",
  });
}
