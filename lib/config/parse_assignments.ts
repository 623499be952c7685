/** `--set key=value`: settings that hold for one run. */
import type { Issue } from "../domain/error.ts";
import { isJsonObject, type Json, type JsonObject, toJson } from "../domain/json.ts";
import { type PartialSettings, partialSettingsSchema } from "../domain/settings.ts";
import { didYouMean } from "./nearest.ts";
import { noPlaces } from "./place.ts";
import { quote, shorten } from "./quote.ts";
import { SchemaGuide } from "./schema_guide.ts";
import { schemaIssues } from "./schema_issues.ts";
import { readYaml } from "./yaml_text.ts";

/** The settings that were assigned, or all mistakes in the assignments. */
export type AssignmentParsing =
  | { readonly ok: true; readonly settings: PartialSettings }
  | { readonly ok: false; readonly issues: readonly Issue[] };

interface Assignment {
  readonly key: string;
  readonly value: Json;
}

const guide = new SchemaGuide(partialSettingsSchema);
const OPTION = "--set";
const MAX_DEPTH = 100;

/**
 * Parses `key=value` pairs. A key is a setting (`top_k`) or a dotted path into one
 * (`params.generate.model`); a value is YAML, except that settings which are text take a number or a truth
 * value as it is written: `version=1.0` is "1.0". One key given twice, or within another one, is a mistake,
 * and so is a value that is not written at all.
 */
export function parseAssignments(pairs: readonly string[]): AssignmentParsing {
  const readings = pairs.map(readPair);
  const assignments = readings.flatMap((reading) => "issues" in reading ? [] : [reading]);
  return checkAssignments(
    assignments,
    OPTION,
    readings.flatMap((reading) => "issues" in reading ? reading.issues : []),
  );
}

/** Checks the settings that a calling program assigns; their keys may be dotted paths as well. */
export function assignmentsFromObject(set: JsonObject): AssignmentParsing {
  const reading = toJson(set, "set");
  if (!reading.ok || !isJsonObject(reading.value)) {
    const problem = reading.ok
      ? `it is ${quote(reading.value)}`
      : `${shorten(reading.path)}: ${reading.problem}`;
    const message = `The settings must be a JSON object; ${problem}`;
    return { ok: false, issues: [{ code: "invalid_type", message, file: "set" }] };
  }
  const assignments = Object.entries(reading.value).map(([key, value = null]) => ({ key, value }));
  return checkAssignments(assignments, "set", []);
}

function readPair(pair: string): Assignment | { readonly issues: readonly Issue[] } {
  const separator = pair.indexOf("=");
  const key = separator === -1 ? pair : pair.slice(0, separator);
  const refuse = (message: string, hint?: string) => ({
    issues: [{ code: "invalid_value", message, file: OPTION, ...(hint === undefined ? {} : { hint }) }],
  });
  if (separator <= 0) return refuse(`An assignment must be key=value, not ${quote(pair)}`);
  const { value, places, issues } = readYaml(pair.slice(separator + 1), OPTION);
  if (value === undefined || issues.length > 0) {
    // Places within an argument would be mistaken for places in a file.
    return {
      issues: issues.map(({ code, message }) => ({
        code,
        message: `${message}, in ${quote(pair)}`,
        file: OPTION,
      })),
    };
  }
  const written = places.written([]);
  if (value === null && !written) {
    return refuse(`${shorten(key)} has no value in ${quote(pair)}`, 'write null, or "" for no text');
  }
  const isText = guide.takes(key.split("."), "string");
  return { key, value: isText && typeof value !== "object" ? written ?? value : value };
}

function checkAssignments(
  assignments: readonly Assignment[],
  file: string,
  reading: readonly Issue[],
): AssignmentParsing {
  const odd: Issue[] = [];
  const sound: Assignment[] = [];
  for (const assignment of assignments) {
    const issue = checkKey(assignment.key, sound, file);
    if (issue === undefined) sound.push(assignment);
    else odd.push(issue);
  }
  const value = sound.reduce<JsonObject>((set, { key, value }) => assign(set, key.split("."), value), {});
  const checked = partialSettingsSchema.safeParse(value);
  const context = { whole: "The settings", value, places: noPlaces(file), guide };
  const issues = [...reading, ...odd, ...schemaIssues(checked.error?.issues ?? [], context)];
  return checked.success && issues.length === 0
    ? { ok: true, settings: checked.data }
    : { ok: false, issues };
}

/** What is wrong with a key by itself, or beside the keys before it. */
function checkKey(key: string, earlier: readonly Assignment[], file: string): Issue | undefined {
  const path = key.split(".");
  if (path.length > MAX_DEPTH || path.some((part) => part === "" || part === "__proto__")) {
    return { code: "invalid_value", message: `${quote(key)} is no path of a setting`, file };
  }
  const inProject = key.replace(/^(?:system\.)?(?:rag\.)?/, "");
  if (inProject !== key) {
    const allowed = guide.keysAt([]);
    const message = `Unknown key ${quote(key)}; allowed: ${allowed.join(", ")}`;
    return { code: "unknown_key", message, file, ...didYouMean(inProject, allowed) };
  }
  const other = earlier.find((assignment) => overlap(assignment.key, key));
  if (other === undefined) return undefined;
  const name = shorten(key);
  const message = other.key === key
    ? `${name} is set twice`
    : `${name} and ${shorten(other.key)} set the same`;
  return { code: "duplicate_key", message, file };
}

function overlap(a: string, b: string): boolean {
  return `${a}.`.startsWith(`${b}.`) || `${b}.`.startsWith(`${a}.`);
}

function assign(set: JsonObject, [key = "", ...rest]: readonly string[], value: Json): JsonObject {
  if (rest.length === 0) return { ...set, [key]: value };
  const within = Object.hasOwn(set, key) ? set[key] : undefined;
  return { ...set, [key]: assign(isJsonObject(within) ? within : {}, rest, value) };
}
