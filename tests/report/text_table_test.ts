import assert from "node:assert/strict";
import { textTable } from "../../lib/report/text_table.ts";

Deno.test("textTable: one rule under the header, none between rows", () => {
  assert.deepEqual(textTable(["Metric", "Cases"], [["a", "1"], ["longer", "22"], ["b", "3"]]).split("\n"), [
    "┌────────┬───────┐",
    "│ Metric │ Cases │",
    "├────────┼───────┤",
    "│ a      │ 1     │",
    "│ longer │ 22    │",
    "│ b      │ 3     │",
    "└────────┴───────┘",
  ]);
});

Deno.test("textTable: a header without rows is a table, too", () => {
  const lines = textTable(["Run"], []).split("\n");
  assert.ok(lines.some((line) => line.includes("Run")));
});

Deno.test("textTable: cells cannot colour or move anything, and none is coloured by us", () => {
  const table = textTable(["a"], [["\u001b[31mred\u001b[0m"], ["\u202eturned"]]);
  assert.ok(table.includes("\\u{1b}[31mred\\u{1b}[0m"));
  assert.ok(table.includes("\\u{202e}turned"));
  assert.doesNotMatch(table, /(?!\n)\p{Cc}|\p{Bidi_Control}/u);
});

Deno.test("textTable: wide letters keep the columns straight", () => {
  const lines = textTable(["名前", "n"], [["漢字", "1"], ["ab", "2"]]).split("\n");
  const width = (line: string) =>
    [...line].reduce((sum, letter) => sum + (/\p{Script=Han}/u.test(letter) ? 2 : 1), 0);
  assert.equal(new Set(lines.map(width)).size, 1);
});
