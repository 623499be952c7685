/** One line of a file of labels → a label, or every mistake in the line. */
import { z } from "zod";
import type { PassOrFail } from "../domain/calibration.ts";
import type { Issue } from "../domain/error.ts";
import { isJsonObject, type JsonObject } from "../domain/json.ts";
import { type LinePlace, parseJsonLine } from "./parse_case.ts";
import { Places, sortIssues } from "./place.ts";
import { SchemaGuide } from "./schema_guide.ts";
import { schemaIssues } from "./schema_issues.ts";

/** What people say of a case of a run, or of a record that stands beside it. */
export type Label =
  & { readonly label: PassOrFail }
  & (
    | { readonly case_id: string; readonly record?: undefined }
    | { readonly record: JsonObject; readonly case_id?: undefined }
  );

/** A label, or all mistakes in its line, sorted by place. */
export type LabelParsing =
  | { readonly ok: true; readonly label: Label }
  | { readonly ok: false; readonly issues: readonly Issue[] };

const labelSchema = z.strictObject({
  case_id: z.string().min(1).optional(),
  record: z.looseObject({}).describe("an object: { input, output, context?, expected? }").optional(),
  label: z.union([z.enum(["pass", "fail"]), z.boolean()]).describe('"pass" or "fail" (or true or false)'),
});

const guide = new SchemaGuide(labelSchema);

/**
 * Parses one line of labels; `undefined` when it is blank. A label is about a case of a run (`case_id`) or about a `record` of its
 * own, and never about both.
 */
export function parseLabelLine(line: string, place: LinePlace): LabelParsing | undefined {
  const parsed = parseJsonLine(line, place);
  if (parsed === undefined || !parsed.ok) return parsed;
  const { value, scan } = parsed;
  const places = new Places(place.file, scan.root, (offset) => ({ line: place.line, column: offset + 1 }));
  const checked = labelSchema.safeParse(value);
  if (!checked.success) {
    const found = schemaIssues(checked.error.issues, { whole: "The label", value, places, guide });
    return { ok: false, issues: sortIssues(found) };
  }
  const { case_id, record } = checked.data;
  const label = checked.data.label === true || checked.data.label === "pass" ? "pass" : "fail";
  if (case_id !== undefined && record === undefined) return { ok: true, label: { case_id, label } };
  if (case_id === undefined && record !== undefined && isJsonObject(value) && isJsonObject(value.record)) {
    return { ok: true, label: { record: value.record, label } };
  }
  const message = case_id === undefined
    ? "The label needs case_id, a case of the run, or record, what was answered"
    : "The label has both case_id and record; allowed: one of them";
  return { ok: false, issues: [{ code: "invalid_label", message, file: place.file, ...places.value([]) }] };
}
