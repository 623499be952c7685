/** The text of a policy file → a policy, or every mistake in it. */
import type { z } from "zod";
import type { Issue } from "../domain/error.ts";
import { isJsonObject, type Json, type JsonObject, readPath } from "../domain/json.ts";
import type { Policy, RuleTest } from "../domain/policy.ts";
import { didYouMean } from "./nearest.ts";
import { type Path, type Places, showPath, sortIssues } from "./place.ts";
import {
  anyRuleCheck,
  hintFor,
  isHeadKey,
  keysOf,
  listOf,
  policySchema,
  type RuleBody,
  ruleChecks,
  ruleTest,
  testsTaking,
} from "./policy_schema.ts";
import { criterionName } from "./project_schema.ts";
import { quote } from "./quote.ts";
import { SchemaGuide } from "./schema_guide.ts";
import { schemaIssues } from "./schema_issues.ts";
import { readYaml, type YamlReading } from "./yaml_text.ts";

/**
 * A policy with the places of its parts (`places.value(["rules", 0, "criterion"])`; a rule has the same index
 * in both), or all mistakes in its text, sorted by place.
 */
export type PolicyParsing =
  | { readonly ok: true; readonly policy: Policy; readonly places: Places }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** What the runs have of a criterion; `either` when it is not known whether its values are pass/fail. */
export interface KnownCriterion {
  readonly criterion: string;
  /** `mean` of the verdicts of several repeats. */
  readonly observes: "pass" | "number" | "either" | "mean";
  /** Whether its verdicts are those of a judge. */
  readonly judged?: boolean;
}

const policyGuide = new SchemaGuide(policySchema);

/** Tests that count verdicts, which numbers are not. */
const NEEDS_PASS_FAIL: readonly RuleTest[] = ["suite-threshold", "no-regression"];

/**
 * Parses the text of a policy, YAML, with defaults filled in. `file` is the file as messages name it. Whether
 * the runs have the criteria, the cases and the slices that it names is not known here: see
 * {@link criterionIssues}. Text that is no YAML is reported alone, since the rest would be guesswork.
 */
export function parsePolicy(text: string, file: string): PolicyParsing {
  const { value, places, issues } = readYaml(text, file);
  if (value === undefined) return { ok: false, issues: sortIssues(issues) };
  // An empty file lacks keys; it is not of a wrong type.
  return checkPolicy({ value: value ?? {}, places, issues });
}

/**
 * The rules about criteria that the runs do not have, and those whose test needs pass/fail while the values
 * are numbers; each at the rule's criterion.
 */
export function criterionIssues(
  policy: Policy,
  places: Places,
  known: readonly KnownCriterion[],
): readonly Issue[] {
  const names = known.map(({ criterion }) => criterion);
  return [...ruleIssues(policy, places, known, names), ...judgeIssues(policy, places, known, names)];
}

function ruleIssues(
  policy: Policy,
  places: Places,
  known: readonly KnownCriterion[],
  names: readonly string[],
): readonly Issue[] {
  return policy.rules.flatMap(({ name, criterion, test }, index) => {
    const at = { file: places.file, ...places.value(["rules", index, "criterion"]) };
    const found = known.find((other) => other.criterion === criterion);
    if (found === undefined) {
      const having = names.length === 0 ? "the runs have none" : `the runs have ${names.join(", ")}`;
      const message = `Unknown criterion ${quote(criterion)} in the rule ${quote(name)}; ${having}`;
      return [{ code: "unknown_criterion", message, ...at, ...didYouMean(criterion, names) }];
    }
    const isNumber = found.observes === "number" || found.observes === "mean";
    if (!isNumber || !NEEDS_PASS_FAIL.includes(test)) return [];
    const values = found.observes === "mean" ? "means over repeats" : "numbers";
    const message = `The values of ${quote(criterion)} are ${values}; ${test} needs pass/fail`;
    const others = ruleTest.options.filter((other) => !NEEDS_PASS_FAIL.includes(other));
    return [{ code: "not_pass_fail", message, ...at, hint: `${listOf(others, "and")} take numbers` }];
  });
}

/** Terms for a criterion that nobody has, or that no judge decides, would be obeyed by nothing. */
function judgeIssues(
  { judges = {} }: Policy,
  places: Places,
  known: readonly KnownCriterion[],
  names: readonly string[],
): readonly Issue[] {
  const judged = known.filter((other) => other.judged === true).map(({ criterion }) => criterion);
  const having = judged.length === 0 ? "none is judged" : `judged are ${judged.join(", ")}`;
  return Object.keys(judges).filter((criterion) => !judged.includes(criterion)).map((criterion) => {
    const at = { file: places.file, ...places.key(["judges", criterion]) };
    if (names.includes(criterion)) {
      const message = `The criterion ${quote(criterion)} asks no judge; ${having}`;
      return { code: "not_judged", message, ...at };
    }
    const message = `Unknown criterion ${quote(criterion)} in judges; ${having}`;
    return { code: "unknown_criterion", message, ...at, ...didYouMean(criterion, names) };
  });
}

function checkPolicy({ value, places, issues }: YamlReading & { value: Json }): PolicyParsing {
  const checked = policySchema.safeParse(value, { reportInput: true });
  const { strangers, others } = takeStrangers(checked.error, (key) => strangeAtTop(key, places));
  const context = { whole: "The policy", value, places, guide: policyGuide };
  const entries = readPath(value, "rules");
  const rules = (Array.isArray(entries) ? entries : []).map((entry, index) =>
    // What is no object was reported by the schema of the policy.
    isJsonObject(entry) ? checkRule(entry, index, places) : { issues: [] }
  );
  const mistakes = [
    ...strangers,
    ...schemaIssues(others, context),
    ...rules.flatMap((rule) => rule.issues),
    ...repeatedNames(Array.isArray(entries) ? entries : [], places),
  ];
  // What could not be read was reported already; that null stands in its place is no second mistake.
  const all = [
    ...issues,
    ...mistakes.filter(({ line, column }) =>
      !issues.some((issue) => issue.line === line && issue.column === column)
    ),
  ];
  if (!checked.success || all.length > 0) return { ok: false, issues: sortIssues(all) };
  const { level, on_insufficient, rules: heads, judges } = checked.data;
  const complete = heads.map(({ name, criterion }, index) => {
    const body = rules[index]?.body;
    // A rule left out would open the gate.
    if (body === undefined) throw new TypeError("A rule without mistakes is complete");
    return { name, criterion, ...body };
  });
  const policy = { level, on_insufficient, rules: complete, ...(judges === undefined ? {} : { judges }) };
  return { ok: true, policy, places };
}

/** A rule besides its name and its criterion, or what is wrong with the keys that its test takes. */
interface RuleReading {
  readonly body?: RuleBody;
  readonly issues: readonly Issue[];
}

function checkRule(entry: JsonObject, index: number, places: Places): RuleReading {
  const base = ["rules", index];
  const value = Object.fromEntries(Object.entries(entry).filter(([key]) => !isHeadKey(key)));
  const test = ruleTest.safeParse(entry.test).data;
  const { schema, guide } = test === undefined ? anyRuleCheck : ruleChecks[test];
  const checked = schema.safeParse(value, { reportInput: true });
  const { strangers, others } = takeStrangers(
    checked.error,
    (key) => strangeInRule(key, { base, test, guide, places }),
  );
  const issues = [
    ...strangers,
    ...schemaIssues(others, { whole: "The policy", value, places, guide, base }),
    ...(test === "no-regression" ? caseIssues(entry, base, places) : []),
  ];
  return { ...(checked.success && checked.data !== undefined ? { body: checked.data } : {}), issues };
}

/**
 * Parts the keys that have their home elsewhere, as `explain` says, from the other mistakes; values get the
 * hints of {@link hintFor}.
 */
function takeStrangers(
  error: z.ZodError | undefined,
  explain: (key: string) => Issue | undefined,
): { readonly strangers: readonly Issue[]; readonly others: readonly z.core.$ZodIssue[] } {
  const strangers: Issue[] = [];
  const others = (error?.issues ?? []).map((issue) => {
    if (issue.code !== "unrecognized_keys") return withHint(issue);
    const keys = issue.keys.filter((key) => {
      const stranger = explain(key);
      if (stranger !== undefined) strangers.push(stranger);
      return stranger === undefined;
    });
    return { ...issue, keys };
  });
  return { strangers, others };
}

function strangeAtTop(key: string, places: Places): Issue | undefined {
  if (!isHeadKey(key) && testsTaking(key).length === 0) return undefined;
  const message = `Unknown key ${quote(key)}; allowed: ${policyGuide.keysAt([]).join(", ")}`;
  return {
    code: "unknown_key",
    message,
    file: places.file,
    ...places.key([key]),
    hint: `"${key}" belongs in a rule, under rules`,
  };
}

function strangeInRule(
  key: string,
  { base, test, guide, places }: {
    readonly base: Path;
    readonly test: RuleTest | undefined;
    readonly guide: SchemaGuide;
    readonly places: Places;
  },
): Issue | undefined {
  const start = `Unknown key ${quote(key)} in ${showPath(base)}`;
  const at = { code: "unknown_key", file: places.file, ...places.key([...base, key]) };
  if (policyGuide.keysAt([]).includes(key)) {
    const message = `${start}; allowed: ${guide.keysAt([]).join(", ")}`;
    return { ...at, message, hint: `"${key}" belongs at the top` };
  }
  const takers = testsTaking(key);
  if (test === undefined || takers.length === 0) return undefined;
  const taken = listOf(keysOf(test), "or");
  return { ...at, message: `${start}: ${key} belongs to ${takers.join(", ")}; ${test} takes ${taken}` };
}

/** What no-regression asks of its two keys together, and that no case is named twice. */
function caseIssues(entry: JsonObject, base: Path, places: Places): readonly Issue[] {
  const both = Object.keys(entry).filter((key) => key === "cases" || key === "slice");
  const { cases } = entry;
  const ids = (Array.isArray(cases) ? cases : []).map((id, index) => ({
    name: id,
    path: [...base, "cases", index],
  }));
  const issues = repeated(ids, places, (id, line) => ({
    code: "duplicate_id",
    message: `The case ${quote(id)} is already in the list, on line ${line}`,
    hint: "leave it out",
  }));
  if (both.length < 2) return issues;
  const rule = showPath(base);
  const message = `${rule} has both cases and slice; allowed: one of them, or neither for every case`;
  const at = places.key([...base, both.at(-1) ?? ""]);
  return [...issues, { code: "cases_and_slice", message, file: places.file, ...at }];
}

function repeatedNames(entries: readonly Json[], places: Places): readonly Issue[] {
  const names = entries.map((entry, index) => ({
    name: isJsonObject(entry) ? entry.name : undefined,
    path: ["rules", index, "name"],
  })).filter(({ name }) => criterionName.safeParse(name).success);
  return repeated(names, places, (name, line) => ({
    code: "duplicate_rule",
    message: `The name ${quote(name)} is already that of the rule on line ${line}`,
    hint: "give one of the two another name",
  }));
}

/** An issue for each text that an earlier one equals. */
function repeated(
  named: readonly { readonly name: Json | undefined; readonly path: Path }[],
  places: Places,
  describe: (name: string, line: number) => Pick<Issue, "code" | "message" | "hint">,
): readonly Issue[] {
  const firsts = new Map<string, Path>();
  return named.flatMap(({ name, path }) => {
    if (typeof name !== "string") return [];
    const first = firsts.get(name);
    if (first === undefined) {
      firsts.set(name, path);
      return [];
    }
    const { line = 0 } = places.value(first);
    return [{ ...describe(name, line), file: places.file, ...places.value(path) }];
  });
}

/** Gives a wrong value the hint that it suggests, if it does; a schema can only hint at what it parses. */
function withHint(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  const hint = hintFor(issue.path.at(-1), issue.input);
  if (hint === undefined) return issue;
  const code = issue.code === "invalid_type" ? "invalid_type" : "invalid_value";
  return { code: "custom", path: issue.path, message: issue.message, params: { code, hint } };
}
