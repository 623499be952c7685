/** Fields: how a parameter names them, and what stands there in an output or in an expectation. */
import { z } from "zod";
import type { Case } from "../domain/case.ts";
import { type Json, readPath } from "../domain/json.ts";
import type { Judgment } from "../domain/judgment.ts";
import { describeValue } from "./describe_value.ts";
import type { FinishedRecord } from "./evaluator.ts";

/** A dotted path into a JSON value, as `readPath` follows it. */
export const fieldPath: z.ZodString = z.string()
  .regex(/^[^.]+(?:\.[^.]+)*$/, "Expected a dotted path, such as answer or answer.text");

/** What stands in a field, or the judgment that follows when nothing usable does. */
export type FieldReading<T> =
  | { readonly status: "read"; readonly value: T }
  | Extract<Judgment, { readonly status: "missing" }>;

/** A field in the words of a message. */
export function describeField(field: string | undefined): string {
  return field === undefined ? "The output" : `The output's field ${JSON.stringify(field)}`;
}

/** The output's value at a field, the whole output without one; missing with `output_field_absent`. */
export function readOutput(record: FinishedRecord, field: string | undefined): FieldReading<Json> {
  const value = readPath(record.output, field);
  if (value !== undefined) return { status: "read", value };
  const found = describeValue(record.output);
  const message = `The output has no field ${JSON.stringify(field)}; it is ${found}`;
  return { status: "missing", reason: "output_field_absent", message };
}

/**
 * The same as text. Null stays null: it is an answer, and a wrong one. A list or an object is missing with
 * `output_not_text`, since any way of writing it out would be ours and not the system's.
 */
export function readOutputText(
  record: FinishedRecord,
  field: string | undefined,
): FieldReading<string | null> {
  const output = readOutput(record, field);
  if (output.status === "missing") return output;
  const text = output.value === null ? null : textOf(output.value);
  if (text !== undefined) return { status: "read", value: text };
  const message = `${describeField(field)} is ${describeValue(output.value)}; expected text`;
  return { status: "missing", reason: "output_not_text", message };
}

/** The text of a scalar; `undefined` for null, lists and objects. */
export function textOf(value: Json): string | undefined {
  return value === null || typeof value === "object" ? undefined : String(value);
}

/** Why a case is excluded that says nothing of what an evaluator compares with. */
export const NO_EXPECTED_VALUE = "no_expected_value";

/**
 * The values of which any one will do: the members of an expected list, or the one expected value. Null is no
 * value. `[]` when the case expects nothing there.
 */
export function expectedValues(testCase: Case, field: string | undefined): readonly Json[] {
  const expected = readPath(testCase.expected, field);
  const values = Array.isArray(expected) ? expected : [expected];
  return values.filter((value) => value !== undefined && value !== null);
}

/** The expected values that are scalars, as text; lists and objects cannot be found in a text. */
export function expectedTexts(testCase: Case, field: string | undefined): readonly string[] {
  return expectedValues(testCase, field).map(textOf).filter((text) => text !== undefined);
}
