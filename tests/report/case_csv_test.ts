import assert from "node:assert/strict";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import type { Judgment } from "../../lib/domain/judgment.ts";
import { caseCsv, csvHeader } from "../../lib/report/case_csv.ts";
import { evaluator, finishedCase } from "../metrics/judged_case.ts";

const run = (criteria: readonly string[] = [], repeats = 1) => ({
  evaluators: criteria.map((name) => evaluator(name)),
  repeats,
});

/** The cells of a table by column, as another program reads them. */
function read(...lines: readonly string[]): readonly Record<string, string>[] {
  return parse(lines.join(""), { columns: true });
}

Deno.test("csv: text stands as it is, other values as JSON, and what there is not is empty", () => {
  const [row] = read(
    csvHeader(run()),
    caseCsv(run(), finishedCase({ id: "a b", input: 'say "hi",\nplease', expected: { n: 1 }, output: null })),
  );
  assert.deepEqual(row, {
    case_id: "a b",
    input: 'say "hi",\nplease',
    expected: '{"n":1}',
    metadata: "",
    output: "null",
    error_stage: "",
    error_kind: "",
    error_message: "",
  });
});

Deno.test("csv: a criterion has a value, or a status with its reason; never a number for what is absent", () => {
  const judgments: readonly Judgment[] = [
    { status: "observed", value: false },
    { status: "observed", value: 0.25 },
    { status: "missing", reason: "execution_failed" },
    { status: "excluded", reason: "no_expected_value" },
  ];
  const four = run(["a", "b", "c", "d"]);
  const [row = {}] = read(csvHeader(four), caseCsv(four, finishedCase({ judgments })));
  const cells = (criterion: string) =>
    ["value", "status", "reason"].map((part) => row[`${criterion}:${part}`]);
  assert.deepEqual(cells("a"), ["false", "observed", ""]);
  assert.deepEqual(cells("b"), ["0.25", "observed", ""]);
  assert.deepEqual(cells("c"), ["", "missing", "execution_failed"]);
  assert.deepEqual(cells("d"), ["", "excluded", "no_expected_value"]);
});

Deno.test("csv: a failed execution has its stage, kind and message, and no output", () => {
  const error = { stage: "generate", kind: "timeout", message: "=1+1" } as const;
  const [row = {}] = read(csvHeader(run()), caseCsv(run(), finishedCase({ error })));
  assert.deepEqual([row.output, row.error_stage, row.error_kind, row.error_message], [
    "",
    "generate",
    "timeout",
    "'=1+1",
  ]);
});

Deno.test("csv: repeats have a column of their own", () => {
  const twice = run([], 2);
  const rows = read(
    csvHeader(twice),
    caseCsv(twice, finishedCase()),
    caseCsv(twice, finishedCase({ repeat: 2 })),
  );
  assert.deepEqual(rows.map(({ case_id, repeat }) => [case_id, repeat]), [["a", "1"], ["a", "2"]]);
});

for (const start of ["=", "+", "-", "@", "\t", "\r\n"]) {
  Deno.test(`csv: a text that begins with ${JSON.stringify(start)} is no formula`, () => {
    const text = `${start}SUM(A1)`;
    const [row = {}] = read(
      csvHeader(run()),
      caseCsv(run(), finishedCase({ id: text.trim(), input: text, output: text })),
    );
    assert.deepEqual([row.input, row.output], [`'${text}`, `'${text}`]);
  });
}

Deno.test("csv: numbers stay numbers, also below 0", () => {
  const [row = {}] = read(csvHeader(run()), caseCsv(run(), finishedCase({ input: -5, output: -0.5 })));
  assert.deepEqual([row.input, row.output], ["-5", "-0.5"]);
});

Deno.test("csv: nothing that a terminal would obey comes through", () => {
  const line = caseCsv(run(), finishedCase({ input: "\u001b[2J\u202e\r!", output: "a\r\nb" }));
  assert.doesNotMatch(line, /(?!\r\n|\n)\p{Cc}(?<!\r\n)|\p{Bidi_Control}/u);
  assert.match(line, /a\r\nb/);
});

Deno.test("csv: what was written is read back", () => {
  const text = fc.string({ unit: "grapheme" }).map((text) =>
    text.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029\ufeff]/gu, "")
  );
  const messy = fc.array(fc.oneof(text, fc.constantFrom('"', ",", "\n", "\r\n", "\t", ";", "'", "=")))
    .map((parts) => parts.join(""));
  const header = csvHeader(run());
  fc.assert(
    fc.property(messy, messy, (input, output) => {
      const [row = {}, ...more] = read(header, caseCsv(run(), finishedCase({ input, output })));
      const prefixed = (text: string) => /^(?:[-=+@\t＝＋－＠]|\r\n)/.test(text) ? `'${text}` : text;
      assert.deepEqual([row.input, row.output, more.length], [prefixed(input), prefixed(output), 0]);
    }),
    { seed: 1, numRuns: 500 },
  );
});
