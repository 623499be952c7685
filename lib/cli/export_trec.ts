/** `oloproof export --format trec` */
import { exportTrec, type TrecExport, withSource } from "../commands/export.ts";
import { showPath } from "../commands/show_path.ts";
import { OloproofError } from "../domain/error.ts";
import type { RunHeader } from "../domain/run.ts";
import type { Notice } from "../domain/run_report.ts";
import { trecExportText } from "../report/trec_export_text.ts";
import { trecLines } from "../report/trec_lines.ts";
import { EXIT } from "./exit_code.ts";
import type { ExportCommandOptions } from "./export_command.ts";
import { tellUnfinished } from "./tell_unfinished.ts";
import type { Io } from "./io.ts";
import { printNotices, surroundingsOf } from "./surroundings.ts";

/** Writes a run's qrels and run file into the folder of `-o`, and says how to read them with trec_eval. */
export async function trecCommand(
  store: string,
  id: string,
  options: ExportCommandOptions,
  io: Io,
): Promise<number> {
  const { output } = options;
  if (output === undefined) {
    throw new OloproofError("Cannot export as trec: it is two files, and -o does not say where they go", {
      code: "usage",
      kind: "configuration",
      hint: "name a folder: oloproof export latest --format trec -o trec",
    });
  }
  const { header, written } = await withSource(store, id, surroundingsOf(io), async (source) => {
    tellUnfinished(source, io);
    return {
      header: source.header,
      written: await exportTrec(source, output, surroundingsOf(io), trecLines),
    };
  });
  const show = (path: string) => showPath(path, io.cwd);
  io.stdout(trecExportText(header, {
    ...written,
    qrels: { ...written.qrels, path: show(written.qrels.path) },
    run: { ...written.run, path: show(written.run.path) },
  }));
  printNotices(noticesOf(header, written), options, io);
  return EXIT.done;
}

const REASONS: Readonly<Record<string, string>> = {
  no_relevance_labels: "without a label above 0: our measures exclude them",
  execution_failed: "whose execution failed: in our measures they are missing",
  not_reported: "without candidates: the system did not report them",
  candidate_without_chunk_id: "with a candidate without chunk_id: chunks are counted here",
};

function noticesOf(
  { evaluators, relevance_unit, system }: RunHeader,
  { left_out }: TrecExport,
): readonly Notice[] {
  const otherUnits = evaluators.filter(({ parameters }) =>
    typeof parameters.relevance_unit === "string" && parameters.relevance_unit !== relevance_unit
  );
  return [
    ...[...left_out].map(([reason, cases]): Notice => ({
      severity: "notice",
      code: reason,
      message: `Left out: ${cases} ${cases === 1 ? "execution" : "executions"} ${REASONS[reason] ?? reason}`,
    })),
    ...(system.ranked === false ? [NO_RANKING] : []),
    ...otherUnits.map(({ criterion, parameters }): Notice => ({
      severity: "notice",
      code: "other_relevance_unit",
      message: `${criterion} counts by ${parameters.relevance_unit}; the files count by ${relevance_unit}`,
      hint: "relevance_unit of the project is the unit of the files",
    })),
  ];
}

const NO_RANKING: Notice = {
  severity: "notice",
  code: "no_single_ranking",
  message:
    "The system says that its candidates are no single ranking: measures of the run file that read positions mean nothing",
};
