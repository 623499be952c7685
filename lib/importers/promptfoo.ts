/** promptfoo: the tests of a configuration, or the results of an evaluation. */
import { isJsonObject, type Json, type JsonObject } from "../domain/json.ts";
import type { Places } from "../config/place.ts";
import { quote } from "../config/quote.ts";
import { readYaml } from "../config/yaml_text.ts";
import { CaseRows } from "./case_rows.ts";
import { type Imported, type Importer, issue, type SourceFile } from "./imported.ts";
import { readDocument } from "./json_rows.ts";
import {
  combinationsOf,
  MAX_COMBINATIONS,
  nearly,
  PromptfooCases,
  type PromptfooTest,
} from "./promptfoo_case.ts";
import { importResults, type ResultChoice } from "./promptfoo_results.ts";
import { readTest, readTestFile, type TestReading } from "./promptfoo_tests.ts";
import { Remarks } from "./remarks.ts";

/** Parts of a configuration that have no counterpart: the system under test is the project's own. */
const NOT_READ = ["prompts", "providers", "targets", "scenarios", "redteam", "derivedMetrics", "extensions"];

/**
 * One case a test and combination of its variables, judged by what its assertions have a counterpart for; the others are listed.
 * Results, which are JSON with a list under `results`, give the answers, too: see {@link importResults}.
 */
export async function* importPromptfoo(file: SourceFile, name: string, choice: ResultChoice): Importer {
  if (/\.json$/i.test(file.shown)) {
    const document = await readDocument(file);
    if (!document.ok) yield issue(document.issue);
    else if (isJsonObject(document.value) && document.value.results !== undefined) {
      return yield* importResults(document.value, document.places, name, choice);
    } else return yield* importTests(file, name, document.value, document.places);
    return nothing(name);
  }
  const { value, places, issues } = readYaml(await file.text(), file.shown);
  for (const mistake of issues) yield issue(mistake);
  if (value === undefined || issues.length > 0) return nothing(name);
  return yield* importTests(file, name, value, places);
}

function nothing(name: string) {
  return { name, evaluators: [], slices: [], notices: [] };
}

async function* importTests(file: SourceFile, name: string, config: Json, places: Places): Importer {
  const remarks = new Remarks();
  const cases = new PromptfooCases(remarks);
  const rows = new CaseRows(remarks);
  if (!isJsonObject(config)) {
    const message = `A configuration of promptfoo is an object with the key "tests", not ${quote(config)}`;
    yield issue({ code: "invalid_type", message, file: file.shown, line: 1 });
    return nothing(name);
  }
  for (const key of NOT_READ.filter((key) => config[key] !== undefined)) {
    remarks.add(PART_NOT_READ, `${key} at ${file.shown}:${places.key([key]).line ?? 1}`);
  }
  const defaults = isJsonObject(config.defaultTest) ? config.defaultTest : {};
  for await (const reading of testsOf(file, config.tests, { places, defaults, remarks })) {
    if (!reading.ok) yield issue(reading.issue);
    else yield* casesOf(reading.test, cases, rows);
  }
  const evaluators = cases.evaluators();
  return { name, evaluators, slices: [], notices: [...nearly(evaluators), ...remarks.notices()] };
}

/** The tests of a configuration: in it, or in files that it names. */
async function* testsOf(
  file: SourceFile,
  tests: Json | undefined,
  { places, defaults, remarks }: {
    readonly places: Places;
    readonly defaults: JsonObject;
    readonly remarks: Remarks;
  },
): AsyncGenerator<TestReading> {
  const list = Array.isArray(tests) ? tests : [tests];
  for (const [index, test] of list.entries()) {
    const place = { file: file.shown, ...places.value(Array.isArray(tests) ? ["tests", index] : ["tests"]) };
    if (typeof test === "string") {
      yield* readTestFile(file.beside(test.replace(/^file:\/\//, "")), {
        named: test,
        place,
        defaults,
        remarks,
      });
    } else if (isJsonObject(test)) yield readTest(test, { place, defaults, remarks });
    else {
      const message = `A test must be an object or the path of a file, not ${quote(test ?? null)}`;
      yield { ok: false, issue: { code: "invalid_type", message, ...place } };
    }
  }
}

function* casesOf(test: PromptfooTest, cases: PromptfooCases, rows: CaseRows): Generator<Imported> {
  const combinations = combinationsOf(test.vars);
  if (combinations.length > MAX_COMBINATIONS) {
    const message = `The lists of vars have more than ${MAX_COMBINATIONS} combinations`;
    yield issue({ code: "too_large", message, ...test.place });
    return;
  }
  for (const vars of combinations) {
    const content = cases.caseOf({ ...test, vars });
    const added = rows.add({ content, named_by: content, place: test.place });
    if (added.status === "issue") yield issue(added.issue);
    if (added.status === "added") {
      yield { kind: "case", case: { id: added.id, ...content }, place: test.place };
    }
  }
}

const PART_NOT_READ = {
  code: "part_not_read",
  message: "Not read: parts of the configuration that the system under test takes the place of",
};
