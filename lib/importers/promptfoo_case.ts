/** A test of promptfoo as cases: its variables as input, its assertions as what is expected. */
import type { Case } from "../domain/case.ts";
import { isJsonObject, type Json, type JsonObject } from "../domain/json.ts";
import type { Notice } from "../domain/run_report.ts";
import type { SourcePlace } from "./imported.ts";
import { type Counterpart, counterpartOf, IGNORES_CASE, type PromptfooAssert } from "./promptfoo_assert.ts";
import type { Remarks } from "./remarks.ts";

/** A test, its default test's parts already in it. */
export interface PromptfooTest {
  readonly vars: JsonObject;
  readonly asserts: readonly PromptfooAssert[];
  readonly description?: string;
  readonly metadata: JsonObject;
  readonly place: SourcePlace;
}

/** Tests become cases; what their assertions have in common becomes the project's evaluators. */
export class PromptfooCases {
  /** By criterion, with its type. */
  readonly #criteria = new Map<string, { readonly type: string; readonly ignore_case: boolean }>();
  /** In how many cases each pattern is asked for. */
  readonly #patterns = new Map<string, { cases: number; readonly places: SourcePlace[] }>();
  #cases = 0;

  constructor(private readonly remarks: Remarks) {}

  /** The case of a test with one value a variable. */
  caseOf(test: PromptfooTest): Omit<Case, "id"> {
    this.#cases++;
    const expected: Record<string, Json> = {};
    const patterns = new Set<string>();
    for (const assert of test.asserts) {
      const counterpart = counterpartOf(assert);
      if (counterpart === undefined) this.remarks.add(noCounterpart(assert), test.place);
      else if (counterpart.kind === "regex") patterns.add(counterpart.pattern);
      else this.#expect(counterpart, expected);
    }
    for (const pattern of patterns) {
      const found = this.#patterns.get(pattern) ?? { cases: 0, places: [] };
      found.cases++;
      found.places.push(test.place);
      this.#patterns.set(pattern, found);
    }
    const { description, metadata } = test;
    const facts = { ...(description === undefined ? {} : { description }), ...metadata };
    return {
      input: test.vars,
      ...(Object.keys(expected).length === 0 ? {} : { expected }),
      ...(Object.keys(facts).length === 0 ? {} : { metadata: facts }),
    };
  }

  /** Each value under a key of its own, `contains`, `contains_2` and so on: all of them must hold. */
  #expect(
    { type, base, values }: Extract<Counterpart, { kind: "expected" }>,
    expected: Record<string, Json>,
  ): void {
    for (const value of values) {
      let key = base;
      for (let number = 2; Object.hasOwn(expected, key); number++) key = `${base}_${number}`;
      expected[key] = value;
      this.#criteria.set(key, { type, ignore_case: IGNORES_CASE.has(base) });
    }
  }

  /** A pattern is a parameter of an evaluator, which judges every case: one that only some tests ask for has no counterpart. */
  evaluators() {
    const everywhere = [...this.#patterns].filter(([, { cases }]) => cases === this.#cases);
    for (const [pattern, { cases, places }] of this.#patterns) {
      if (cases < this.#cases) {
        for (const place of places) this.remarks.add(notEverywhere(pattern), place);
      }
    }
    return [
      ...[...this.#criteria].map(([criterion, { type, ignore_case }]) => ({
        type,
        criterion,
        field: "answer",
        expected_field: criterion,
        ignore_case,
      })),
      ...everywhere.map(([pattern], index) => ({
        type: "regex",
        criterion: index === 0 ? "regex" : `regex_${index + 1}`,
        field: "answer",
        pattern,
      })),
    ];
  }
}

/** One test a combination of values: a list of texts stands for a test with each of them. */
export function combinationsOf(vars: JsonObject): readonly JsonObject[] {
  let combinations: readonly JsonObject[] = [{}];
  for (const [key, value] of Object.entries(vars)) {
    const values: readonly (Json | undefined)[] = Array.isArray(value) && typeof value[0] === "string"
      ? value
      : [value];
    combinations = combinations.flatMap((one) => values.map((member) => ({ ...one, [key]: member })));
    if (combinations.length > MAX_COMBINATIONS) break;
  }
  return combinations;
}

/** Of one test; more would be a mistake of some sort. */
export const MAX_COMBINATIONS = 10_000;

/** The assertions in a list of a test; what is no object with a type is none. */
export function readAsserts(value: Json | undefined): readonly PromptfooAssert[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isJsonObject).map(({ type, value: wanted, ...rest }) => ({
    type: typeof type === "string" ? type : "without a type",
    ...(wanted === undefined ? {} : { value: wanted }),
    rest,
  }));
}

function noCounterpart({ type, rest, value }: PromptfooAssert) {
  const strange = Object.keys(rest).filter((key) => key !== "metric");
  const template = typeof value === "string" && /\{\{|\{%|^file:\/\//.test(value);
  const why = template
    ? " with a template or a file"
    : strange.length > 0
    ? ` with ${strange.join(", ")}`
    : "";
  return { code: "assert_without_counterpart", message: `Left out: assertions ${type}${why}` };
}

function notEverywhere(pattern: string) {
  return {
    code: "assert_without_counterpart",
    message: `Left out: assertions regex ${JSON.stringify(pattern)}, since a regex here judges every case`,
  };
}

/** In what the evaluators that stand for assertions differ from them. */
export function nearly(evaluators: readonly { readonly type: string }[]): readonly Notice[] {
  return evaluators.every(({ type }) => type === "regex") ? [] : [{
    severity: "notice",
    code: "near_counterparts",
    message:
      "contains and equals compare normalised text here (NFKC, white space collapsed), and a match never begins " +
      "or ends inside a number: 14 is not in 2014",
  }];
}
