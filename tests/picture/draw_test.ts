/** Drawn pictures: words for those who do not see them, no text that could do harm, colours for dark and light. */
import assert from "node:assert/strict";
import { drawPicture } from "../../lib/picture/draw.ts";
import { ticksOf } from "../../lib/picture/draw_rows.ts";
import { fitText, textWidth, wrapParts, wrapText } from "../../lib/picture/text_width.ts";
import type { RowPicture } from "../../lib/picture/picture.ts";

const picture: RowPicture = {
  kind: "rows",
  title: "Metrics",
  subtitle: "run_A · 13 cases",
  description: "answer_correct: 69.2%.",
  axis: { label: "share of passes", unit: "percent", domain: [0, 1] },
  groups: [{
    heading: null,
    rows: [{
      label: '<script>alert("1")</script>\u202e\u0007\ufffe',
      marks: [
        { kind: "interval", from: 0.25, to: 0.75, tone: "value" },
        { kind: "point", at: 0.5, tone: "value", shape: "circle" },
      ],
      note: "50.0% [25.0%, 75.0%] · n 13",
    }],
  }],
  legend: [{ text: "share of passes", tone: "value", shape: "circle" }],
  footnotes: ["A note."],
};

Deno.test("draw: a picture has a title, a description, its own paper and its words", async () => {
  const svg = await drawPicture(picture, "one");
  assert.match(svg, /^<svg /);
  assert.match(svg, /role="img"/);
  assert.match(svg, /aria-labelledby="one-title one-description"/);
  assert.match(svg, /<title id="one-title">Metrics<\/title>/);
  assert.match(svg, /<desc id="one-description">answer_correct: 69\.2%\.<\/desc>/);
  for (
    const text of ["run_A · 13 cases", "50.0% [25.0%, 75.0%] · n 13", "share of passes", "A note.", "40%"]
  ) {
    assert.ok(svg.includes(`>${text}</text>`), text);
  }
  assert.match(svg, /prefers-color-scheme:dark/);
});

Deno.test("draw: an interval is drawn from end to end of the axis that is shown", async () => {
  const svg = await drawPicture(picture, "one");
  const stroke = 'stroke="#0067a5"';
  const lines = [...svg.matchAll(/<g [^>]*>(?:<line [^>]*\/>)+<\/g>/g)].map(([group]) => group)
    .filter((group) => group.includes(stroke) && !group.includes("<title"));
  const [line = ""] = lines;
  const at = (name: string) => Number(new RegExp(`\\b${name}="([\\d.]+)"`).exec(line)?.[1]);
  const ticks = [...svg.matchAll(/translate\(([\d.]+),[\d.]+\)" y="0\.71em">(\d+)%/g)]
    .map(([, x, percent]) => [Number(percent), Number(x)] as const);
  const zero = ticks.find(([percent]) => percent === 0)?.[1] ?? NaN;
  const all = ticks.find(([percent]) => percent === 100)?.[1] ?? NaN;
  // Ticks stand half a pixel aside where the screen's pixels are coarse.
  assert.ok(Math.abs(at("x1") - (zero + 0.25 * (all - zero))) < 1);
  assert.ok(Math.abs(at("x2") - (zero + 0.75 * (all - zero))) < 1);
});

Deno.test("draw: the text of others is text, and has no characters that XML knows no form for", async () => {
  const svg = await drawPicture(picture, "one");
  assert.ok(!svg.includes("<script"));
  assert.ok(svg.includes("&lt;script"));
  for (const character of ["\u0007", "\u202e", "\ufffe"]) assert.ok(!svg.includes(character));
});

Deno.test("draw: a note is told to its end, and what a label ends in tells it from others, in as many lines as it takes", async () => {
  const note =
    "undecided · +5.2 points [-35.2, +41.8] · 11 pairs · 3 missing · 1 excluded · 3 unobserved could decide it";
  const label = (value: string) =>
    `token_budget=30 params.generate.prompt=${value} params.generate.model=small`;
  const row = (value: string) => ({ label: label(value), marks: [], note });
  const groups = [{ heading: null, rows: [row("long"), row("short")] }];
  const svg = await drawPicture({ ...picture, groups }, "one");
  const text = svg.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
  assert.equal(text.split("3 missing · 1 excluded · 3 unobserved could decide it").length - 1, 2);
  assert.ok(text.includes(label("long")) && text.includes(label("short")));
  assert.ok(!text.includes("…"));
  const heightOf = (drawn: string) => Number(/ height="([\d.]+)"/.exec(drawn)?.[1]);
  assert.ok(heightOf(svg) > heightOf(await drawPicture(picture, "one")) + 26);
});

Deno.test("draw: equal pictures are equal texts", async () => {
  assert.equal(await drawPicture(picture, "one"), await drawPicture(picture, "one"));
});

Deno.test("ticks are round, lie within the domain, and are whole for counts", () => {
  assert.deepEqual(ticksOf({ domain: [0, 1], unit: "percent" }), [0, 0.2, 0.4, 0.6, 0.8, 1]);
  assert.deepEqual(ticksOf({ domain: [0, 1], unit: "count" }), [0, 1]);
  assert.deepEqual(ticksOf({ domain: [0, 3], unit: "count" }), [0, 1, 2, 3]);
  assert.deepEqual(ticksOf({ domain: [-0.36, 0.36], unit: "points" }), [-0.2, 0, 0.2]);
});

Deno.test("texts fit: what is too long ends in an ellipsis or goes on in the next line", () => {
  const fitted = fitText("a criterion with a long name", 80, 12);
  assert.ok(fitted.endsWith("…") && textWidth(fitted, 12) <= 80);
  assert.equal(fitText("short", 80, 12), "short");
  const parts = "11 pairs · 3 missing · a part that is wider than the line itself";
  assert.deepEqual(wrapParts(parts, 140, 12), [
    "11 pairs · 3 missing ·",
    "a part that is wider",
    "than the line itself",
  ]);
  assert.deepEqual(wrapText("one two three", textWidth("one two", 12) + 1, 12), ["one two", "three"]);
});
