/** What is behind a stored document: the cases of a diagnosis, the changed cases of a comparison. */
import { reportOf } from "../diagnose/tally.ts";
import type { Calibration } from "../domain/calibration.ts";
import type { ChangedCase, Comparison } from "../domain/comparison.ts";
import type { Diagnosis, DiagnosisReport } from "../domain/diagnosis.ts";
import type { Json } from "../domain/json.ts";
import type { Store } from "../domain/ports.ts";
import type { Sweep } from "../domain/sweep.ts";
import { calibrationOf, comparisonOf, diagnosisOf, findDocument, sweepOfDocument } from "./find_document.ts";

/** A document with what is behind it. */
export type DocumentInspection =
  | { readonly kind: "diagnosis"; readonly report: DiagnosisReport }
  | {
    readonly kind: "comparison";
    readonly comparison: Comparison;
    readonly changed: readonly ChangedCase[];
  }
  | { readonly kind: "sweep"; readonly sweep: Sweep }
  | { readonly kind: "calibration"; readonly calibration: Calibration };

/** Inspects the document that an id, or the beginning of one, names. */
export async function inspectDocument(
  store: Store,
  id: string,
): Promise<DocumentInspection> {
  const document = await findDocument(store, id);
  if (document.kind === "diagnosis") {
    return { kind: "diagnosis", report: await readReport(store, diagnosisOf(document)) };
  }
  if (document.kind === "sweep") return { kind: "sweep", sweep: sweepOfDocument(document) };
  if (document.kind === "calibration") {
    return { kind: "calibration", calibration: calibrationOf(document) };
  }
  const comparison = comparisonOf(document);
  return { kind: "comparison", comparison, changed: await changedCases(store, comparison) };
}

async function readReport(store: Store, diagnosis: Diagnosis): Promise<DiagnosisReport> {
  const { carried } = diagnosis.content;
  const found = carried === null ? undefined : await findDocument(store, carried);
  return reportOf(diagnosis, found?.kind === "diagnosis" ? diagnosisOf(found) : diagnosis);
}

/** The cases with a changed verdict, with what both runs answered, as far as the store holds them. */
async function changedCases(store: Store, { content }: Comparison): Promise<readonly ChangedCase[]> {
  const wanted = new Set(content.changes.map(({ case_id }) => case_id));
  const before = await outputsOf(store, content.baseline, wanted);
  const now = await outputsOf(store, content.candidate, wanted);
  const byCase = Map.groupBy(content.changes, ({ case_id }) => case_id);
  return [...byCase].map(([case_id, changes]) => {
    const [baseline_output, candidate_output] = [before.get(case_id), now.get(case_id)];
    return {
      case_id,
      changes: changes.map(({ criterion, change }) => ({ criterion, change })),
      ...(baseline_output === undefined ? {} : { baseline_output }),
      ...(candidate_output === undefined ? {} : { candidate_output }),
    };
  });
}

async function outputsOf(
  store: Store,
  run_id: string | null,
  wanted: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Json>> {
  const outputs = new Map<string, Json>();
  if (run_id === null || wanted.size === 0) return outputs;
  for await (const { record } of store.readCases(run_id)) {
    if (wanted.has(record.case.id) && record.output !== undefined) outputs.set(record.case.id, record.output);
  }
  return outputs;
}
