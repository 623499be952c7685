import assert from "node:assert/strict";
import fc from "fast-check";
import { oneLine, printable, shellWord } from "../../lib/report/printable.ts";

Deno.test("printable: escape sequences are written out", () => {
  assert.equal(printable("\u001b[2J\u001b]0;title\u0007gone\r"), "\\u{1b}[2J\\u{1b}]0;title\\u{7}gone\\u{d}");
  assert.equal(printable("\u009b31mred \u0085 \u0000 \u007f"), "\\u{9b}31mred \\u{85} \\u{0} \\u{7f}");
});

Deno.test("printable: no direction mark, embedding, override or isolate passes", () => {
  const marks = [0x061c, 0x200e, 0x200f];
  for (let mark = 0x202a; mark <= 0x202e; mark++) marks.push(mark);
  for (let mark = 0x2066; mark <= 0x2069; mark++) marks.push(mark);
  for (const mark of marks) {
    assert.equal(printable(`a${String.fromCodePoint(mark)}b`), `a\\u{${mark.toString(16)}}b`);
  }
});

Deno.test("printable: separators that end lines and marks of byte order are written out", () => {
  assert.equal(printable("a\u2028b\u2029c\ufeffd"), "a\\u{2028}b\\u{2029}c\\u{feff}d");
});

Deno.test("printable: line feeds, tabs and the letters of every language stay", () => {
  const text = "a\n\tb é ß 漢字 العربية עברית 😀 │ — … \\";
  assert.equal(printable(text), text);
});

Deno.test("printable: nothing that is left moves a cursor, and what is printable stays as it is", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const shown = printable(text);
      assert.doesNotMatch(shown, /(?![\n\t])\p{Cc}|\p{Bidi_Control}/u);
      assert.equal(printable(shown), shown);
    }),
    { seed: 1, numRuns: 1000 },
  );
});

Deno.test("oneLine: white space runs are single spaces", () => {
  assert.equal(oneLine("  a\r\n\n\tb\u2028c\u00a0 d  "), "a b c d");
  assert.equal(oneLine(""), "");
});

Deno.test("oneLine: a text is cut by characters, not within them", () => {
  assert.equal(oneLine("abcdef", 6), "abcdef");
  assert.equal(oneLine("abcdefg", 6), "abcde…");
  assert.equal(oneLine("😀".repeat(5), 4), "😀😀😀…");
  assert.equal(oneLine("x".repeat(300)).length, 200);
});

Deno.test("oneLine: there is one line and it is no longer than it may be", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 1, max: 30 }), (text, length) => {
      const line = oneLine(text, length);
      assert.ok([...line].length <= length);
      assert.doesNotMatch(line, /[\n\r\u2028\u2029]/);
    }),
    { seed: 1 },
  );
});

Deno.test("shellWord: plain words stay, others are quoted for a POSIX shell", () => {
  for (const word of ["a", "run_01ABC", "a-b.c", "path/to:x", "k=v,w", "100%", "me@host"]) {
    assert.equal(shellWord(word), word);
  }
  assert.equal(shellWord("my rag"), "'my rag'");
  assert.equal(shellWord(""), "''");
  assert.equal(shellWord("it's"), "'it'\\''s'");
  assert.equal(shellWord('$(rm -rf ~); `x` \\ "y" * é'), "'$(rm -rf ~); `x` \\ \"y\" * é'");
  assert.equal(shellWord("a\u001bb"), "'a\\u{1b}b'");
});
