/** `oloproof export` */
import { bundleLines } from "../commands/bundle.ts";
import { exportCases, withSource } from "../commands/export.ts";
import { inspect } from "../commands/inspect.ts";
import { OloproofError } from "../domain/error.ts";
import { caseLine } from "../report/case_line.ts";
import { comparisonJunit } from "../report/comparison_junit.ts";
import { comparisonMarkdown, runMarkdown } from "../report/comparison_markdown.ts";
import { EXIT } from "./exit_code.ts";
import type { GlobalOptions } from "./global_options.ts";
import type { Io } from "./io.ts";
import { storeOf, surroundingsOf } from "./surroundings.ts";

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
      for await (const { run, stored } of exportCases(store, id, surroundings)) {
        io.stdout(`${JSON.stringify(caseLine(run.evaluators, stored))}\n`);
      }
      return EXIT.done;
    case "bundle":
      await withSource(store, id, surroundings, async ({ header, store }) => {
        for await (const line of bundleLines(header, store.readCases(header.run_id))) io.stdout(`${line}\n`);
      });
      return EXIT.done;
    default: {
      const found = await inspect(store, id, {}, surroundings);
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
