/** `oloproof diagnose` */
import { diagnose } from "../commands/diagnose.ts";
import { interventionOf } from "../commands/intervention.ts";
import { openProject } from "../commands/open_project.ts";
import type { Intervention } from "../domain/diagnosis.ts";
import { diagnosisJson } from "../report/diagnosis_json.ts";
import { diagnosisText } from "../report/diagnosis_text.ts";
import { EXIT } from "./exit_code.ts";
import type { GlobalOptions } from "./global_options.ts";
import type { Io } from "./io.ts";
import { createProgress } from "./progress.ts";
import { jsonText, printNotices, surroundingsOf } from "./surroundings.ts";

/** The options of `diagnose`. */
export interface DiagnoseCommandOptions extends GlobalOptions {
  readonly intervention: Intervention["kind"];
  readonly criterion: string;
  readonly topK?: number;
  readonly reranker?: string;
  readonly repeats?: number;
  readonly limit?: number;
  readonly allowChangedSource?: boolean;
}

/** Diagnoses a run and prints what was found. */
export async function diagnoseCommand(id: string, options: DiagnoseCommandOptions, io: Io): Promise<number> {
  const intervention = interventionOf({
    intervention: options.intervention,
    top_k: options.topK,
    reranker: options.reranker,
  });
  const project = await openProject(options.C, { cwd: io.cwd, store: options.store });
  const progress = createProgress(io, options.quiet ?? false);
  const report = await diagnose(project, id, {
    intervention,
    criterion: options.criterion,
    ...(options.repeats === undefined ? {} : { repeats: options.repeats }),
    ...(options.limit === undefined ? {} : { limit: options.limit }),
    allow_changed_source: options.allowChangedSource ?? false,
  }, surroundingsOf(io, progress.update, options)).finally(progress.done);
  if (report === undefined) {
    io.stderr("Interrupted: nothing was concluded; the run itself is as it was\n");
    return EXIT.interrupted;
  }
  io.stdout(options.json ? jsonText(diagnosisJson(report)) : diagnosisText(report));
  printNotices(report.notices ?? [], options, io);
  return EXIT.done;
}
