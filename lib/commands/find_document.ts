/** From what a user types to a stored document, and from that to what it holds. */
import type { Calibration } from "../domain/calibration.ts";
import type { Comparison } from "../domain/comparison.ts";
import type { Diagnosis } from "../domain/diagnosis.ts";
import { OloproofError } from "../domain/error.ts";
import type { Sweep } from "../domain/sweep.ts";
import type { Store, StoredDocument } from "../domain/ports.ts";

/** Whether a text names a document rather than a run. */
export function namesDocument(typed: string): boolean {
  return typed.startsWith("sha256:");
}

/** The diagnosis that a document holds. */
export function diagnosisOf(
  { id, content, beside }: Extract<StoredDocument, { kind: "diagnosis" }>,
): Diagnosis {
  return { ...beside, diagnosis_id: id, content };
}

/** The comparison that a document holds. */
export function comparisonOf(
  { id, content, beside }: Extract<StoredDocument, { kind: "comparison" }>,
): Comparison {
  return { ...beside, comparison_id: id, content };
}

/** The sweep that a document holds. */
export function sweepOfDocument({ id, content, beside }: Extract<StoredDocument, { kind: "sweep" }>): Sweep {
  return { ...beside, sweep_id: id, content };
}

/** The calibration that a document holds. */
export function calibrationOf(
  { id, content, beside }: Extract<StoredDocument, { kind: "calibration" }>,
): Calibration {
  return { ...beside, calibration_id: id, content };
}

/**
 * Finds a document by `sha256:` and the beginning of its digits.
 *
 * @throws {OloproofError} `unknown_document`, `ambiguous_document`.
 */
export async function findDocument(store: Store, typed: string): Promise<StoredDocument> {
  const matches = await store.matchDocuments(typed);
  const [only, second] = matches;
  if (only !== undefined && second === undefined) return only;
  if (only === undefined) {
    throw new OloproofError(`Cannot find the document ${JSON.stringify(typed)}`, {
      code: "unknown_document",
      kind: "configuration",
      hint: "`oloproof diagnose`, `compare` and `judge calibrate` print the ids of what they made",
    });
  }
  throw new OloproofError(`Cannot find the document ${JSON.stringify(typed)}: ${matches.length} begin so`, {
    code: "ambiguous_document",
    kind: "configuration",
    hint: `write more of it: ${matches.slice(0, 3).map(({ id }) => id.slice(0, 20)).join(", ")}`,
  });
}
