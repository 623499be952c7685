import assert from "node:assert/strict";
import { readPythonList } from "../../lib/importers/python_list.ts";

Deno.test("python list: what repr prints of a list of texts", () => {
  assert.deepEqual(readPythonList("[]"), []);
  assert.deepEqual(readPythonList(`['a', "it's", 'say "x"',]`), ["a", "it's", 'say "x"']);
  assert.deepEqual(readPythonList(`[ 'tab\\t\\'q\\'\\\\', 'caf\\xe9 \\u20ac \\U0001f600' ]`), [
    "tab\t'q'\\",
    "café € 😀",
  ]);
});

Deno.test("python list: everything else is none", () => {
  for (
    const text of [
      "",
      "a",
      "['a'",
      "['a' 'b']",
      "[1]",
      "['a'] x",
      "[None]",
      "['\\q']",
      "['\\ud800']",
      "[['a']]",
      "['\\U99999999']",
    ]
  ) {
    assert.equal(readPythonList(text), undefined, text);
  }
});
