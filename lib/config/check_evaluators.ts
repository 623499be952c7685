/** The evaluators of a project: type, parameters and the uniqueness of criteria. */
import type { Issue } from "../domain/error.ts";
import { isJsonObject, type Json, type JsonObject, toJson } from "../domain/json.ts";
import type { EvaluatorSpec } from "../domain/project.ts";
import type { RelevanceUnit } from "../domain/relevance.ts";
import type { EvaluatorType } from "../evaluators/evaluator.ts";
import { evaluatorTypes } from "../evaluators/table.ts";
import { didYouMean } from "./nearest.ts";
import type { Path, Places } from "./place.ts";
import { criterionName } from "./project_schema.ts";
import { quote } from "./quote.ts";
import { SchemaGuide } from "./schema_guide.ts";
import { schemaIssues } from "./schema_issues.ts";

/** What stands under `evaluators`, and what is needed to check it. */
export interface EvaluatorEntries {
  readonly entries: Json | undefined;
  readonly places: Places;
  /** The unit of the retrieval evaluators that state none. */
  readonly unit: RelevanceUnit;
}

/** An evaluator with its 0-based place in the list as it is written. */
export interface PlacedEvaluator {
  readonly index: number;
  readonly spec: EvaluatorSpec;
}

/**
 * Completes the entries that are right and reports those that are not. Entries without a type, and criteria
 * that are no names, are left to the schema of the project, which has reported them.
 */
export function checkEvaluators({ entries, places, unit }: EvaluatorEntries): {
  readonly evaluators: readonly PlacedEvaluator[];
  readonly issues: readonly Issue[];
} {
  const evaluators: PlacedEvaluator[] = [];
  const issues: Issue[] = [];
  for (const [index, entry] of (Array.isArray(entries) ? entries : []).entries()) {
    if (!isJsonObject(entry) || typeof entry.type !== "string" || entry.type === "") continue;
    const type = evaluatorTypes.get(entry.type);
    if (type === undefined) {
      issues.push(
        unknownType(entry.type, { file: places.file, ...places.value(["evaluators", index, "type"]) }),
      );
      continue;
    }
    const bound = bindEntry(type, entry, { index, places, unit });
    if ("issues" in bound) issues.push(...bound.issues);
    else evaluators.push({ index, spec: bound.spec });
  }
  return { evaluators, issues: [...issues, ...repeatedCriteria(evaluators, places)] };
}

function unknownType(name: string, at: Pick<Issue, "file" | "line" | "column">): Issue {
  const known = [...evaluatorTypes.keys()];
  const message = `Unknown evaluator ${quote(name)}; allowed: ${known.join(", ")}`;
  return { code: "unknown_evaluator", message, ...at, ...didYouMean(name, known) };
}

function bindEntry(
  type: EvaluatorType,
  entry: JsonObject,
  { index, places, unit }: { readonly index: number; readonly places: Places; readonly unit: RelevanceUnit },
): { readonly spec: EvaluatorSpec } | { readonly issues: readonly Issue[] } {
  const { type: _, criterion, ...given } = entry;
  const value = type.reads === "retrieval" ? { relevance_unit: unit, ...given } : given;
  const checked = type.parameters.safeParse(value);
  const base = ["evaluators", index];
  if (!checked.success) {
    const guide = new SchemaGuide(type.parameters, ["type", "criterion"]);
    return {
      issues: schemaIssues(checked.error.issues, { whole: "The project", value, places, guide, base }),
    };
  }
  const parameters = asObject(checked.data);
  const name = criterion === undefined ? type.bind(parameters).criterion : criterion;
  const named = criterionName.safeParse(name);
  if (named.success) return { spec: { type: type.type, criterion: named.data, parameters } };
  return { issues: criterion === undefined ? [unusableDefault(name, base, places)] : [] };
}

function unusableDefault(name: Json, base: Path, places: Places): Issue {
  return {
    code: "invalid_value",
    message: `${quote(name)} cannot name a criterion; allowed: ${criterionName.description}`,
    file: places.file,
    ...places.value(base),
    hint: "give this evaluator a criterion of its own",
  };
}

/** The door to JSON once more, since a schema may have put anything into its defaults. */
function asObject(parameters: unknown): JsonObject {
  const reading = toJson(parameters, "parameters");
  if (!reading.ok || !isJsonObject(reading.value)) {
    throw new TypeError("The parameters of an evaluator are a JSON object");
  }
  return reading.value;
}

function repeatedCriteria(evaluators: readonly PlacedEvaluator[], places: Places): readonly Issue[] {
  const firsts = new Map<string, number>();
  return evaluators.flatMap(({ index, spec: { criterion } }) => {
    const first = firsts.get(criterion);
    if (first === undefined) {
      firsts.set(criterion, index);
      return [];
    }
    const { line } = places.value(["evaluators", first]);
    const other = line === undefined ? `evaluators[${first}]` : `the evaluator on line ${line}`;
    return [{
      code: "duplicate_criterion",
      message: `The criterion ${quote(criterion)} is already that of ${other}`,
      file: places.file,
      ...placeOfCriterion(index, places),
      hint: "give one of the two another criterion",
    }];
  });
}

function placeOfCriterion(index: number, places: Places) {
  const entry = ["evaluators", index];
  return places.written([...entry, "criterion"]) === undefined
    ? places.value(entry)
    : places.value([...entry, "criterion"]);
}
