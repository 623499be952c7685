/** From a stored document, or from what a user types, to a diagnosis. */
import type { Diagnosis } from "../domain/diagnosis.ts";
import { OloproofError } from "../domain/error.ts";
import type { Store, StoredDocument } from "../domain/ports.ts";

/** Whether a text names a document rather than a run. */
export function namesDocument(typed: string): boolean {
  return typed.startsWith("sha256:");
}

/** The diagnosis that a document holds. */
export function diagnosisOf({ id, content, beside }: StoredDocument): Diagnosis {
  return { ...beside, diagnosis_id: id, content };
}

/**
 * Finds a diagnosis by `sha256:` and the beginning of its digits.
 *
 * @throws {OloproofError} `unknown_document`, `ambiguous_document`.
 */
export async function findDiagnosis(store: Store, typed: string): Promise<Diagnosis> {
  const matches = await store.matchDocuments(typed);
  const [only, second] = matches;
  if (only !== undefined && second === undefined) return diagnosisOf(only);
  if (only === undefined) {
    throw new OloproofError(`Cannot find the document ${JSON.stringify(typed)}`, {
      code: "unknown_document",
      kind: "configuration",
      hint: "`oloproof diagnose` prints the id of what it made",
    });
  }
  throw new OloproofError(`Cannot find the document ${JSON.stringify(typed)}: ${matches.length} begin so`, {
    code: "ambiguous_document",
    kind: "configuration",
    hint: `write more of it: ${matches.slice(0, 3).map(({ id }) => id.slice(0, 20)).join(", ")}`,
  });
}
