import assert from "node:assert/strict";
import { CaseIds } from "../../lib/config/case_ids.ts";

Deno.test("an id that occurs again names both places, within a file and across files", () => {
  const ids = new CaseIds();
  assert.equal(ids.add("a", { file: "one.jsonl", line: 1 }), undefined);
  assert.equal(ids.add("b", { file: "one.jsonl", line: 2 }), undefined);
  assert.deepEqual(ids.add("a", { file: "one.jsonl", line: 5 }), {
    code: "duplicate_id",
    message: 'The id "a" is already that of the case at one.jsonl:1',
    file: "one.jsonl",
    line: 5,
    hint: "ids are unique over all case files",
  });
  assert.equal(
    ids.add("b", { file: "two.jsonl", line: 1 })?.message,
    'The id "b" is already that of the case at one.jsonl:2',
  );
  assert.equal(ids.count, 2);
});

Deno.test("ids are exact", () => {
  const ids = new CaseIds();
  for (const id of ["a", "A", " a", "e\u0301", "\u00e9", "__proto__", "constructor"]) {
    assert.equal(ids.add(id, { file: "f", line: 1 }), undefined);
  }
  assert.equal(ids.count, 7);
});
