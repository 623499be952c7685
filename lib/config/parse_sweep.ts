/** `sweep --set key=a,b,c`: settings and the values that each of them takes. */
import type { Issue } from "../domain/error.ts";
import { canonicalJson } from "../domain/identity.ts";
import { type Json, type JsonObject, toJson } from "../domain/json.ts";
import type { PartialSettings } from "../domain/settings.ts";
import type { VariedSetting } from "../domain/sweep.ts";
import { assignmentsFromObject } from "./parse_assignments.ts";
import { didYouMean } from "./nearest.ts";
import { quote, shorten } from "./quote.ts";
import { readYaml } from "./yaml_text.ts";

/** Combinations that one sweep makes at most. */
export const MAX_COMBINATIONS = 200;

/** The settings of one combination: as they were given, and checked. */
export interface SweptSettings {
  readonly set: JsonObject;
  readonly settings: PartialSettings;
}

/** What is varied and every combination of it, or all mistakes. */
export type SweepParsing =
  | {
    readonly ok: true;
    readonly varied: readonly VariedSetting[];
    readonly combinations: readonly SweptSettings[];
  }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** What is read after the retrieval. */
const SWEEPABLE = ["top_k", "token_budget"];

/** Why a setting cannot be swept: everything but these is read before or beside the recorded retrieval. */
const FIXED: Readonly<Record<string, string>> = {
  name: "another name is another system",
  version: "a version names code; sweep settings, and run another version",
  depth: "another depth would call the retriever; a sweep uses the recorded retrieval",
  index_version: "another index would call the retriever; a sweep uses the recorded retrieval",
  params: "only params.generate can be swept: params.retrieve would call the retriever",
  reports: "what a system reports is no matter of its settings",
  accepts_context: "it is for systems that answer in one stage",
  ranked: "it is what the retriever says of its ranking",
};

/** Parses `key=value,value` pairs; the values are a YAML list without its brackets, so `null` and quoted texts may be among them. */
export function parseSweep(pairs: readonly string[]): SweepParsing {
  const readings = pairs.map(readPair);
  const issues = readings.flatMap((reading) => "issues" in reading ? reading.issues : []);
  const varied = readings.flatMap((reading) => "issues" in reading ? [] : [reading]);
  return checkSweep(varied, "--set", issues);
}

/** Checks what a calling program varies: `{ token_budget: [40, 80] }`. */
export function sweepFromObject(set: Readonly<Record<string, readonly Json[]>>): SweepParsing {
  const reading = toJson(set, "set");
  const refuse = (message: string): SweepParsing => ({
    ok: false,
    issues: [{ code: "invalid_type", message, file: "set" }],
  });
  if (!reading.ok) return refuse(`The settings must be a JSON object; ${reading.path}: ${reading.problem}`);
  const odd = Object.entries(set).find(([, values]) => !Array.isArray(values));
  if (odd !== undefined) {
    return refuse(`${shorten(odd[0])} must be a list of values, not ${quote(odd[1] as Json)}`);
  }
  const varied = Object.entries(set).map(([setting, values]) => ({ setting, values }));
  return checkSweep(varied, "set", []);
}

function readPair(pair: string): VariedSetting | { readonly issues: readonly Issue[] } {
  const separator = pair.indexOf("=");
  const refuse = (message: string) => ({
    issues: [{ code: "invalid_value", message, file: "--set" } as const],
  });
  if (separator <= 0) return refuse(`What is swept must be key=value,value, not ${quote(pair)}`);
  const { value, issues } = readYaml(`[${pair.slice(separator + 1)}]`, "--set");
  if (issues.length > 0 || !Array.isArray(value)) {
    return refuse(`The values in ${quote(pair)} are no list: write key=value,value`);
  }
  return { setting: pair.slice(0, separator), values: value };
}

function checkSweep(
  varied: readonly VariedSetting[],
  file: string,
  reading: readonly Issue[],
): SweepParsing {
  const issues: Issue[] = [...reading, ...varied.flatMap((one) => checkVaried(one, file))];
  const problem = (message: string) => issues.push({ code: "invalid_value", message, file });
  if (varied.length === 0 && issues.length === 0) problem("Nothing is varied: name a setting and its values");
  const count = varied.reduce((product, { values }) => product * values.length, 1);
  if (issues.length === 0 && count > MAX_COMBINATIONS) {
    problem(`${count} combinations are more than ${MAX_COMBINATIONS}; vary less at once`);
  }
  if (issues.length > 0) return { ok: false, issues };
  const combinations: SweptSettings[] = [];
  for (const set of combine(varied)) {
    const parsed = assignmentsFromObject(set);
    if (parsed.ok) combinations.push({ set, settings: parsed.settings });
    else issues.push(...parsed.issues.map((issue) => ({ ...issue, file })));
  }
  return issues.length === 0 ? { ok: true, varied, combinations } : { ok: false, issues: distinct(issues) };
}

function checkVaried({ setting, values }: VariedSetting, file: string): readonly Issue[] {
  const refuse = (code: string, message: string) => [{ code, message, file }];
  const [first = "", second] = setting.split(".");
  if (!Object.hasOwn(FIXED, first) && !SWEEPABLE.includes(first)) {
    const allowed = [...SWEEPABLE, "params.generate.…"].join(", ");
    const message = `Unknown setting ${quote(setting)}; allowed: ${allowed}`;
    return [{ code: "unknown_key", message, file, ...didYouMean(first, SWEEPABLE) }];
  }
  const reason = first === "params" && second === "generate" ? undefined : FIXED[first];
  if (reason !== undefined) {
    return refuse("not_sweepable", `${shorten(setting)} cannot be swept: ${reason}`);
  }
  if (values.length === 0) return refuse("invalid_value", `${shorten(setting)} has no values`);
  const keys = values.map((value) => canonicalJson(value));
  const twice = keys.find((key, index) => keys.indexOf(key) !== index);
  return twice === undefined
    ? []
    : refuse("duplicate_value", `${shorten(setting)} has the value ${twice} twice`);
}

/** Every combination; the last setting varies fastest. */
function combine(varied: readonly VariedSetting[]): readonly JsonObject[] {
  return varied.reduce<readonly JsonObject[]>(
    (sets, { setting, values }) =>
      sets.flatMap((set) => values.map((value) => ({ ...set, [setting]: value }))),
    [{}],
  );
}

/** A value that is wrong is so in every combination that has it. */
function distinct(issues: readonly Issue[]): readonly Issue[] {
  return [...new Map(issues.map((issue) => [issue.message, issue])).values()];
}
