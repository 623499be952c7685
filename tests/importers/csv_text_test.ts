import assert from "node:assert/strict";
import fc from "fast-check";
import { stringify } from "csv-stringify/sync";
import { detectDelimiter, readCsv } from "../../lib/importers/csv_text.ts";

Deno.test("csv text: rows keep the lines on which they begin, whatever ends a line and stands in quotes", () => {
  for (const end of ["\n", "\r\n"]) {
    const text = ["a,b", '1,"x', "", 'y"', "", "2,z", "3,"].join(end);
    assert.deepEqual(readCsv(text, "t.csv"), {
      header: ["a", "b"],
      rows: [
        { line: 2, cells: ["1", `x${end}${end}y`] },
        { line: 6, cells: ["2", "z"] },
        { line: 7, cells: ["3", ""] },
      ],
      issues: [],
      delimiter: ",",
    });
  }
});

Deno.test("csv text: every ragged row is a mistake of its own, and a broken quote is the last", () => {
  const { rows, issues } = readCsv('a,b\n1\n1,2\n1,2,3\n4,"x" y\n5,6\n', "t.csv");
  assert.deepEqual(rows.map(({ line }) => line), [3]);
  assert.deepEqual(issues.map(({ line, code }) => [line, code]), [[2, "ragged_row"], [4, "ragged_row"], [
    5,
    "invalid_csv",
  ]]);
  assert.match(issues[0]?.message ?? "", /has 1 cell, the header 2/);
});

Deno.test("csv text: a quote that is never closed is told with the row that it stands in", () => {
  const { issues } = readCsv('a,b\n1,"x\n2,3\n', "t.csv");
  assert.deepEqual(issues, [
    {
      code: "invalid_csv",
      message: "A quote is never closed in the row that begins here",
      file: "t.csv",
      line: 2,
    },
  ]);
});

Deno.test("csv text: the header tells the delimiter, quotes aside", () => {
  assert.equal(detectDelimiter("a;b;c\n1,2,3,4"), ";");
  assert.equal(detectDelimiter("a\tb\n"), "\t");
  assert.equal(detectDelimiter('"a;b;c;d",b\n'), ",");
  assert.equal(detectDelimiter("alone\n1;2"), ",");
  assert.equal(detectDelimiter(""), ",");
  assert.deepEqual(readCsv("a;b\n1;2", "t.csv", ",").header, ["a;b"]);
});

Deno.test("csv text: a table of texts is read back, cell for cell and line for line", () => {
  const cell = fc.array(fc.constantFrom("a", "é", "𝒳", '"', ",", "\n", "\r\n", ";", " "), { maxLength: 5 })
    .map((parts) => parts.join(""));
  const row = fc.tuple(fc.constantFrom("x", "y"), cell, cell);
  const delimiter = fc.constantFrom<"," | ";" | "\t">(",", ";", "\t");
  fc.assert(
    fc.property(
      fc.array(row),
      delimiter,
      fc.constantFrom("\n", "\r\n"),
      (rows, delimiter, record_delimiter) => {
        const text = stringify([["h", "i", "j"], ...rows], { delimiter, record_delimiter });
        const read = readCsv(text, "t.csv", delimiter);
        assert.deepEqual(read.issues, []);
        assert.deepEqual(read.rows.map(({ cells }) => cells), rows);
        const lines = rows.map((_row, index) =>
          stringify([["h", "i", "j"], ...rows.slice(0, index)], { delimiter, record_delimiter }).split("\n")
            .length
        );
        assert.deepEqual(read.rows.map(({ line }) => line), lines);
      },
    ),
    { seed: 1, numRuns: 300 },
  );
});
