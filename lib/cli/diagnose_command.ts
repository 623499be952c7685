/** `oloproof diagnose` */
import { diagnose } from "../commands/diagnose.ts";
import { openProject } from "../commands/open_project.ts";
import type { Intervention } from "../domain/diagnosis.ts";
import { OloproofError } from "../domain/error.ts";
import { diagnosisJson, diagnosisText } from "../report/diagnosis_text.ts";
import { EXIT } from "./exit_code.ts";
import type { GlobalOptions } from "./global_options.ts";
import type { Io } from "./io.ts";
import { createProgress } from "./progress.ts";
import { jsonText, surroundingsOf } from "./surroundings.ts";

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
  const intervention = interventionOf(options);
  const project = await openProject(options.C, { cwd: io.cwd, store: options.store });
  const progress = createProgress(io, options.quiet ?? false);
  const report = await diagnose(project, id, {
    intervention,
    criterion: options.criterion,
    ...(options.repeats === undefined ? {} : { repeats: options.repeats }),
    ...(options.limit === undefined ? {} : { limit: options.limit }),
    allow_changed_source: options.allowChangedSource ?? false,
  }, surroundingsOf(io, progress.update)).finally(progress.done);
  if (report === undefined) {
    io.stderr("Interrupted: nothing was concluded; the run itself is as it was\n");
    return EXIT.interrupted;
  }
  io.stdout(options.json ? jsonText(diagnosisJson(report)) : diagnosisText(report));
  return EXIT.done;
}

function interventionOf({ intervention, topK, reranker }: DiagnoseCommandOptions): Intervention {
  const misplaced = (option: string, wanted: string) =>
    new OloproofError(`${option} belongs to --intervention ${wanted}`, {
      code: "usage",
      kind: "configuration",
      hint: `--intervention is ${intervention} here`,
    });
  if (topK !== undefined && intervention !== "top-k") throw misplaced("--top-k", "top-k");
  if (reranker !== undefined && intervention !== "reranker") throw misplaced("--reranker", "reranker");
  const absent = (option: string) =>
    new OloproofError(`--intervention ${intervention} needs ${option}`, {
      code: "usage",
      kind: "configuration",
    });
  switch (intervention) {
    case "gold-context":
      return { kind: intervention };
    case "top-k":
      if (topK === undefined) throw absent("--top-k N, greater than the run's and at most its depth");
      return { kind: intervention, top_k: topK };
    case "reranker":
      if (reranker === undefined) throw absent("--reranker module:function");
      return { kind: intervention, reranker };
  }
}
