/** `oloproof export` */
import { bundleLines } from "../commands/bundle.ts";
import { exportCases, withSource } from "../commands/export.ts";
import { inspect } from "../commands/inspect.ts";
import type { Surroundings } from "../commands/surroundings.ts";
import { OloproofError } from "../domain/error.ts";
import { caseLine } from "../report/case_line.ts";
import { comparisonJunit } from "../report/comparison_junit.ts";
import { comparisonMarkdown, runMarkdown } from "../report/comparison_markdown.ts";
import { EXIT } from "./exit_code.ts";
import type { GlobalOptions } from "./global_options.ts";
import type { Io } from "./io.ts";
import { jsonLine, storeOf, surroundingsOf } from "./surroundings.ts";

/** The forms in which something is exported. */
type ExportFormat = "jsonl" | "bundle" | "junit" | "markdown";

/** The options of `export`. */
export interface ExportCommandOptions extends GlobalOptions {
  readonly format: ExportFormat;
}

/** Writes a run or a comparison to stdout in a form for other tools. */
export async function exportCommand(id: string, options: ExportCommandOptions, io: Io): Promise<number> {
  const store = await storeOf(options, io);
  const surroundings = surroundingsOf(io);
  switch (options.format) {
    case "jsonl":
      await tellUnfinished(store, id, surroundings, io);
      for await (const { run, stored } of exportCases(store, id, surroundings)) {
        if (io.stdoutIsClosed()) break;
        io.stdout(jsonLine(caseLine(run, stored)));
      }
      return EXIT.done;
    case "bundle":
      await withSource(store, id, surroundings, async ({ header, store }) => {
        for await (const line of bundleLines(header, store.readCases(header.run_id))) {
          if (io.stdoutIsClosed()) break;
          io.stdout(jsonLine(line));
        }
      });
      return EXIT.done;
    default: {
      const found = await inspect(store, id, {}, surroundings);
      if (
        found.kind === "comparison" && options.format === "junit" && found.comparison.content.policy === null
      ) {
        throw new OloproofError(
          `Cannot export ${JSON.stringify(id)} as junit: it was made without a policy`,
          {
            code: "no_policy",
            kind: "configuration",
            hint: "compare with --policy: without rules there is nothing that could fail",
          },
        );
      }
      if (found.kind === "comparison") {
        const write = options.format === "junit" ? comparisonJunit : comparisonMarkdown;
        io.stdout(write(found.comparison));
        return EXIT.done;
      }
      if (found.kind === "run" && options.format === "markdown") {
        io.stdout(runMarkdown(found.report));
        return EXIT.done;
      }
      throw new OloproofError(`Cannot export ${JSON.stringify(id)} as ${options.format}`, {
        code: "wrong_kind",
        kind: "configuration",
        hint: `${options.format} is a form of ${
          options.format === "junit" ? "comparisons" : "comparisons and runs"
        }`,
      });
    }
  }
}

/** A part must not pass for a whole. */
async function tellUnfinished(store: string, id: string, surroundings: Surroundings, io: Io): Promise<void> {
  await withSource(store, id, surroundings, ({ header: { run_id, status, forgotten_cases } }) => {
    if (status !== "complete") {
      io.stderr(`notice[unfinished_run]: ${run_id} is ${status}: not all of its cases are in it\n`);
    }
    if (forgotten_cases !== undefined) {
      io.stderr(`notice[forgotten_cases]: ${forgotten_cases} of the cases of ${run_id} were forgotten\n`);
    }
    return Promise.resolve();
  });
}
