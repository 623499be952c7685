/** The schema of a case: one line of JSONL. */
import { z } from "zod";
import { isJsonObject, type Json } from "../domain/json.ts";
import type { RelevanceUnit } from "../domain/relevance.ts";
import { SchemaGuide } from "./schema_guide.ts";

const name = z.string().min(1);

/** Ids stand in tables and options: no line breaks, no cursor movements, no half surrogate pairs. */
const id = z.string()
  .regex(/^[^\p{Cc}\p{Cs}]+$/u)
  .describe("non-empty text without control characters");

const passage = { doc_id: name, chunk_id: name.optional() };
const goldPassage = z.strictObject({ ...passage, text: z.string() });

function caseSchema(expected: z.ZodType) {
  return z.strictObject({
    id,
    input: z.unknown(),
    expected: expected.optional(),
    metadata: z.record(z.string(), z.unknown()).optional(),
  });
}

function ragExpectation(unit: RelevanceUnit) {
  const chunk_id = unit === "chunk"
    ? name.describe("non-empty text, since relevance_unit is chunk")
    : name.optional();
  const label = z.strictObject({ ...passage, chunk_id, grade: z.int().min(0).optional() });
  return z.looseObject({
    relevant: z.array(label).optional(),
    gold_context: z.array(goldPassage).optional(),
  });
}

/** A schema with the guide for its mistakes. */
export interface CaseCheck {
  readonly schema: ReturnType<typeof caseSchema>;
  readonly guide: SchemaGuide;
}

function checkBy(schema: ReturnType<typeof caseSchema>): CaseCheck {
  return { schema, guide: new SchemaGuide(schema) };
}

const plainCase = caseSchema(z.unknown());
const ragCases = {
  document: checkBy(caseSchema(ragExpectation("document"))),
  chunk: checkBy(caseSchema(ragExpectation("chunk"))),
};

/**
 * The check of a case with this expectation. `relevant` and `gold_context` have their meaning in an object
 * only, so any other expectation is any JSON value.
 */
export function checkForCase(expected: Json | undefined, unit: RelevanceUnit): CaseCheck {
  const ragCase = ragCases[unit];
  // Its guide also knows where a stray `relevant` belongs.
  return isJsonObject(expected) ? ragCase : { ...ragCase, schema: plainCase };
}
