/** `oloproof inspect` */
import { inspect, type Inspection } from "../commands/inspect.ts";
import { OloproofError } from "../domain/error.ts";
import { calibrationJson } from "../report/calibration_json.ts";
import { calibratedRowsText } from "../report/calibration_text.ts";
import { comparisonJson } from "../report/comparison_json.ts";
import { changedCasesText } from "../report/comparison_text.ts";
import { diagnosisJson } from "../report/diagnosis_json.ts";
import { diagnosedCasesText } from "../report/diagnosis_text.ts";
import { caseText, failedText, inspectedRunText } from "../report/inspect_text.ts";
import { sweepJson } from "../report/sweep_json.ts";
import { sweepText } from "../report/sweep_text.ts";
import type { Io } from "./io.ts";
import { EXIT } from "./exit_code.ts";
import type { GlobalOptions } from "./global_options.ts";
import { jsonText, printNotices, programOf, storeOf, surroundingsOf } from "./surroundings.ts";

/** The options of `inspect`. */
export interface InspectCommandOptions extends GlobalOptions {
  readonly case?: string;
  readonly failed?: string;
  readonly slices?: "all";
}

/** Prints a stored run, one of its cases, or the failures of a criterion. */
export async function inspectCommand(id: string, options: InspectCommandOptions, io: Io): Promise<number> {
  if (options.case !== undefined && options.failed !== undefined) {
    throw new OloproofError("--case and --failed exclude each other", {
      code: "usage",
      kind: "configuration",
      hint: "look at the failed cases first, then at one of them",
    });
  }
  const store = await storeOf(options, io);
  const found = await inspect(store, id, options, surroundingsOf(io));
  io.stdout(options.json ? jsonText(valueOf(found)) : textOf(found, options));
  if (found.kind === "run") printNotices(found.report.notices, options, io);
  return EXIT.done;
}

function textOf(found: Inspection, options: InspectCommandOptions): string {
  const program = programOf(options);
  switch (found.kind) {
    case "diagnosis":
      return diagnosedCasesText(found.report);
    case "comparison":
      return changedCasesText(found.comparison, found.changed);
    case "sweep":
      return sweepText(found.sweep, { program });
    case "calibration":
      return calibratedRowsText(found.calibration);
    case "run":
      return inspectedRunText(found.report, { allSlices: options.slices === "all", program });
    case "case":
      return caseText(found.found, found.repeats);
    case "failed":
      return failedText(found, { program });
  }
}

function valueOf(found: Inspection): unknown {
  switch (found.kind) {
    case "diagnosis":
      return diagnosisJson(found.report);
    case "comparison":
      return { ...comparisonJson(found.comparison), changed: found.changed };
    case "sweep":
      return sweepJson(found.sweep);
    case "calibration":
      return calibrationJson(found.calibration);
    case "run":
      return found.report;
    case "case":
      return found.found.repeat === undefined ? found.found : { repeats: found.repeats };
    case "failed": {
      const { kind: _kind, ...failed } = found;
      return failed;
    }
  }
}
