/** Results of promptfoo: what a system answered, with the tests that it was asked by. */
import type { Issue } from "../domain/error.ts";
import { isJsonObject, type Json, type JsonObject, readPath } from "../domain/json.ts";
import type { Usage } from "../domain/record.ts";
import type { Places } from "../config/place.ts";
import { quote } from "../config/quote.ts";
import { CaseRows } from "./case_rows.ts";
import { type Importer, issue, type RecordedAnswer } from "./imported.ts";
import { rowsOfList, type SourceRow } from "./json_rows.ts";
import { nearly, PromptfooCases } from "./promptfoo_case.ts";
import { readTest } from "./promptfoo_tests.ts";
import { Remarks } from "./remarks.ts";

/** Which of several systems is meant: a project has one. */
export interface ResultChoice {
  /** The id or label of a provider. */
  readonly provider?: string | undefined;
  /** The 0-based index of a prompt. */
  readonly prompt?: number | undefined;
}

/**
 * One case a result, its output recorded as `{answer}`. A result that ended in an error of the provider is a failure; one whose
 * assertions failed is an answer like any other. Latencies are left out, since they are those of another machine's whole call.
 */
export async function* importResults(
  document: JsonObject,
  places: Places,
  name: string,
  choice: ResultChoice,
): Importer {
  const remarks = new Remarks();
  const cases = new PromptfooCases(remarks);
  const rows = new CaseRows(remarks);
  const at = Array.isArray(document.results) ? ["results"] : ["results", "results"];
  const list = readPath(document, at.join("."));
  const none = { name, evaluators: [], slices: [], notices: [] };
  if (!Array.isArray(list)) {
    yield issue({
      code: "invalid_type",
      message: "The file has no list of results",
      file: places.file,
      line: 1,
    });
    return none;
  }
  const results: SourceRow[] = [];
  for (const reading of rowsOfList(list, places, at)) {
    if (!reading.ok) yield issue(reading.issue);
    else if (isChosen(reading.row.value, choice)) results.push(reading.row);
  }
  const several = severalSystems(results, list, choice, places.file);
  if (several !== undefined) {
    yield issue(several);
    return none;
  }
  for (const { value, place } of results) {
    const test = isJsonObject(value.testCase) ? value.testCase : {};
    // The variables of the result are those of this one combination.
    const vars = isJsonObject(value.vars) ? value.vars : test.vars ?? {};
    const read = readTest({ ...test, vars }, { place, defaults: {}, remarks });
    if (!read.ok) {
      yield issue(read.issue);
      continue;
    }
    const content = cases.caseOf(read.test);
    const answer = answerOf(value);
    const added = rows.add({ content, named_by: content, beside: answer, place });
    if (added.status === "issue") yield issue(added.issue);
    if (added.status !== "added") continue;
    yield { kind: "case", case: { id: added.id, ...content }, place };
    yield { kind: "record", record: { case_id: added.id, ...answer } };
  }
  const evaluators = cases.evaluators();
  return { name, evaluators, slices: [], notices: [...nearly(evaluators), ...remarks.notices()] };
}

function isChosen(result: JsonObject, { provider, prompt }: ResultChoice): boolean {
  if (provider !== undefined && !providerNames(result).includes(provider)) return false;
  return prompt === undefined || (result.promptIdx ?? 0) === prompt;
}

function providerNames({ provider }: JsonObject): readonly Json[] {
  if (typeof provider === "string") return [provider];
  return [readPath(provider, "label") ?? null, readPath(provider, "id") ?? null];
}

function systemOf(result: JsonObject): string {
  const name = providerNames(result).find((one) => typeof one === "string" && one !== "") ?? "no provider";
  return `${quote(name)} with prompt ${result.promptIdx ?? 0}`;
}

/** A project evaluates one system: of several, one must be chosen. */
function severalSystems(
  chosen: readonly SourceRow[],
  all: readonly Json[],
  { provider, prompt }: ResultChoice,
  file: string,
): Issue | undefined {
  const systems = [...new Set(chosen.map(({ value }) => systemOf(value)))];
  const [first, second] = systems;
  if (first === undefined && all.length > 0) {
    const known = [...new Set(all.filter(isJsonObject).map(systemOf))].join(", ");
    const asked = [
      ...(provider === undefined ? [] : [`--provider ${quote(provider)}`]),
      ...(prompt === undefined ? [] : [`--prompt ${prompt}`]),
    ].join(" ");
    return { code: "unknown_system", message: `No result is of ${asked}; there are ${known}`, file };
  }
  if (second === undefined) return undefined;
  return {
    code: "several_systems",
    message: `The results are of ${systems.length} systems, a project is of one: ${systems.join(", ")}`,
    file,
    hint: "choose one with --provider and --prompt, and import each into a folder of its own",
  };
}

/** What promptfoo calls the reason of a failure that is an error, not a failed assertion. */
const ERROR = 2;

function answerOf(result: JsonObject): Omit<RecordedAnswer, "case_id"> {
  const { response, failureReason, error } = result;
  const output = readPath(response, "output");
  const failure = readPath(response, "error") ??
    (failureReason === ERROR || output === undefined ? error : undefined);
  const usage = usageOf(result);
  const used = Object.keys(usage).length === 0 ? {} : { usage };
  if (output === undefined || output === null || failureReason === ERROR) {
    const message = typeof failure === "string" && failure !== "" ? failure : "the results hold no output";
    return { error: { stage: "answer", kind: "exception", message }, ...used };
  }
  return { output: { answer: output }, ...used };
}

function usageOf({ response, cost }: JsonObject): Usage {
  const figures = {
    input_tokens: readPath(response, "tokenUsage.prompt"),
    output_tokens: readPath(response, "tokenUsage.completion"),
    cost_usd: readPath(response, "cost") ?? cost,
  };
  return Object.fromEntries(
    Object.entries(figures).filter(([, value]) => typeof value === "number" && value >= 0),
  );
}
