/** The README shows what the bench writes: its form, for the figures are those of the day. */
import assert from "node:assert/strict";
import { BEGIN, END, type Results, resultsMarkdown, withResults } from "../../bench/results_table.ts";

const usage = { wall_seconds: 1.5, cpu_seconds: 1.25, peak_bytes: 100e6 };
const results: Results = {
  date: "2026-09-17",
  machine: "2 cores (x86_64, linux)",
  deno: "2.9.6",
  load: [0.5, 1.25],
  runs: [1000, 20_000, 100_000].map((cases) => ({
    cases,
    // The middle of the ratios is not the ratio of the middles.
    rounds: [[1.5, 0.5], [3, 0.5], [2, 1]].map(([wall_seconds = 0, floor = 0]) => ({
      run: { ...usage, wall_seconds },
      again: { ...usage, wall_seconds: wall_seconds / 4 },
      floor: { ...usage, wall_seconds: floor },
    })),
    stored_bytes: 3.21e6,
    exported_bytes: 12.3e6,
  })),
  others: [
    {
      what: "whole process, 1,000 cases, beyond an empty one",
      usage: { wall_seconds: 0.5 },
      target: "≤ 0.6 s",
    },
    { what: "interval of 100,000 distinct values", usage, target: "≤ 1 s" },
    { what: "comparison of two runs of 100,000 cases", usage },
  ],
};

/** A text without its figures and without the width that they give to a table. */
function formOf(text: string): string {
  return text.replace(/cores \([^)]*\)/, "cores").replace(/\d[\d,.-]*/g, "0").replace(/ +/g, " ").replace(
    /--+/g,
    "--",
  );
}

Deno.test("the results are tables with their ratios, and a dash for what is not measured", () => {
  const lines = resultsMarkdown(results).split("\n");
  assert.equal(lines[0], "2026-09-17, 2 cores (x86_64, linux), Deno 2.9.6, load average 0.5 to 1.3.");
  assert.match(
    lines[5] ?? "",
    /^\| 20,000 +\| 10,000 +\| 2\.00 s +\| 1\.25 s +\| 0\.50 s +\| 3\.0 +\| 0\.50 s +\| 0\.25 +\| 100 MB +\| 3\.2 MB +\| 12 MB +\|$/,
  );
  assert.match(lines[10] ?? "", /^\| whole process, .* \| 0\.50 s \| — +\| — +\| ≤ 0\.6 s +\|$/);
  assert.equal(new Set(lines.slice(2, 7).map((line) => line.length)).size, 1);
});

Deno.test("results take the place of those before, and nothing else changes", () => {
  const document = `before\n\n${BEGIN}\n\nold\n\n${END}\n\nafter\n`;
  const written = withResults(document, results);
  assert.equal(written, `before\n\n${BEGIN}\n\n${resultsMarkdown(results)}\n${END}\n\nafter\n`);
  assert.equal(withResults(written, results), written);
  assert.throws(() => withResults("no place", results), /no place for results/);
});

Deno.test("the README holds results in the form that the bench writes", async () => {
  const readme = await Deno.readTextFile(new URL("../../README.md", import.meta.url));
  assert.equal(formOf(readme), formOf(withResults(readme, results)));
});
