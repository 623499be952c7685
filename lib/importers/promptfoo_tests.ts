/** Tests of promptfoo, as a configuration or a file of tests holds them. */
import type { Issue } from "../domain/error.ts";
import { isJsonObject, type Json, type JsonObject } from "../domain/json.ts";
import type { Places } from "../config/place.ts";
import { quote } from "../config/quote.ts";
import { readYaml } from "../config/yaml_text.ts";
import type { SourceFile, SourcePlace } from "./imported.ts";
import { readDocument, readJsonLines } from "./json_rows.ts";
import { assertOfCell, type PromptfooAssert } from "./promptfoo_assert.ts";
import { type PromptfooTest, readAsserts } from "./promptfoo_case.ts";
import type { Remarks } from "./remarks.ts";
import { readCsvRows } from "./table.ts";

/** A test, or what is wrong with it. */
export type TestReading =
  | { readonly ok: true; readonly test: PromptfooTest }
  | { readonly ok: false; readonly issue: Issue };

/** Where a test stands, and what is added to each. */
export interface TestSurroundings {
  readonly place: SourcePlace;
  /** `defaultTest` of the configuration. */
  readonly defaults: JsonObject;
  readonly remarks: Remarks;
}

const READ_KEYS = ["vars", "assert", "description", "metadata"];

/** Reads a test; parts that have no counterpart, such as options and thresholds, are remarked on. */
export function readTest(test: JsonObject, { place, defaults, remarks }: TestSurroundings): TestReading {
  const { vars = {}, description } = test;
  const both = [defaults, test];
  for (const key of new Set(both.flatMap(Object.keys))) {
    if (!READ_KEYS.includes(key)) {
      remarks.add({ code: "part_not_read", message: `Not read: ${key} of tests` }, place);
    }
  }
  if (!isJsonObject(vars)) {
    const message = `vars must be an object, not ${quote(vars)}; files of variables are not read`;
    return { ok: false, issue: { code: "invalid_type", message, ...place } };
  }
  const part = (key: string) =>
    Object.assign({}, ...both.map((one) => isJsonObject(one[key]) ? one[key] : {}));
  const allVars: JsonObject = part("vars");
  const fromFile = Object.entries(allVars).find(([, value]) =>
    typeof value === "string" && /^file:\/\//.test(value)
  );
  if (fromFile !== undefined) {
    const message = `The variable ${quote(fromFile[0])} is read from ${
      quote(fromFile[1])
    }, which is not supported`;
    return {
      ok: false,
      issue: { code: "not_supported", message, ...place, hint: "write the text in its place" },
    };
  }
  return {
    ok: true,
    test: {
      vars: allVars,
      asserts: both.flatMap(({ assert }) => readAsserts(assert)),
      ...(typeof description === "string" ? { description } : {}),
      metadata: part("metadata"),
      place,
    },
  };
}

/** Reads the tests of a file that a configuration names; what is made by code or lies elsewhere is remarked on. */
export async function* readTestFile(
  file: SourceFile,
  { named, place, defaults, remarks }: TestSurroundings & { readonly named: string },
): AsyncGenerator<TestReading> {
  const reading = (value: Json, at: SourcePlace): TestReading =>
    isJsonObject(value) ? readTest(value, { place: at, defaults, remarks }) : {
      ok: false,
      issue: { code: "invalid_type", message: `A test must be an object, not ${quote(value)}`, ...at },
    };
  if (/[*?[\]{}]/.test(named) || !/\.(?:csv|ya?ml|jsonl?)$/i.test(named)) {
    remarks.add(NOT_A_FILE, `${quote(named)} at ${place.file}:${place.line ?? 1}`);
  } else if (/\.csv$/i.test(named)) {
    for (const row of readCsvRows(await file.text(), file.shown)) {
      yield row.ok ? testOfRow(row.row.value, { place: row.row.place, defaults, remarks }) : row;
    }
  } else if (/\.jsonl$/i.test(named)) {
    for await (const row of readJsonLines(file)) {
      yield row.ok ? reading(row.row.value, row.row.place) : row;
    }
  } else {
    const read = await readWhole(file);
    if ("issues" in read) { for (const issue of read.issues) yield { ok: false, issue }; }
    else {
      for (const [index, test] of (Array.isArray(read.value) ? read.value : [read.value]).entries()) {
        const at = { file: file.shown, ...read.places.value(Array.isArray(read.value) ? [index] : []) };
        yield reading(test, at);
      }
    }
  }
}

async function readWhole(
  file: SourceFile,
): Promise<{ readonly value: Json; readonly places: Places } | { readonly issues: readonly Issue[] }> {
  if (/\.json$/i.test(file.shown)) {
    const document = await readDocument(file);
    return document.ok ? document : { issues: [document.issue] };
  }
  const { value, places, issues } = readYaml(await file.text(), file.shown);
  return value === undefined || issues.length > 0 ? { issues } : { value, places };
}

/** A row of CSV: columns that begin with two underscores say what is expected, all others are variables. */
function testOfRow(row: JsonObject, surroundings: TestSurroundings): TestReading {
  const vars: Record<string, Json> = {};
  const metadata: Record<string, Json> = {};
  const asserts: PromptfooAssert[] = [];
  let description: Json | undefined;
  for (const [written, value = ""] of Object.entries(row)) {
    const key = written.trim();
    if (/^__expected\d*$/.test(key)) asserts.push(assertOfCell(String(value)));
    else if (key === "__description") description = value;
    else if (key.startsWith("__metadata:")) metadata[key.slice("__metadata:".length)] = value;
    else if (!key.startsWith("__")) vars[key] = value;
    else if (key !== "__metric") {
      const remark = { code: "part_not_read", message: `Not read: the column ${key} of tests` };
      surroundings.remarks.add(remark, surroundings.place);
    }
  }
  const read = readTest(
    { vars, metadata, ...(description === undefined ? {} : { description }) },
    surroundings,
  );
  return read.ok ? { ok: true, test: { ...read.test, asserts: [...read.test.asserts, ...asserts] } } : read;
}

const NOT_A_FILE = {
  code: "tests_not_read",
  message: "Left out: tests that are made by code, found by a pattern or fetched from elsewhere",
  hint: "name each file of tests (csv, json, jsonl, yaml)",
};
