import assert from "node:assert/strict";
import { readGold } from "../../lib/commands/fill_gold.ts";
import type { Case } from "../../lib/domain/case.ts";
import { OloproofError } from "../../lib/domain/error.ts";
import type { Json } from "../../lib/domain/json.ts";
import { tempFolder } from "../temp_folder.ts";

async function corpusOf(lines: readonly string[]): Promise<string> {
  const path = `${await tempFolder()}/corpus.jsonl`;
  await Deno.writeTextFile(path, lines.join("\n"));
  return path;
}

const CORPUS = [
  '{"doc_id":"a","text":"A"}',
  '{"doc_id":"b","chunk_id":"1","text":"B1","title":"not read"}',
  '{"doc_id":"c","text":"C"}',
  '{"doc_id":"b","chunk_id":"2","text":"B2"}',
];

async function* one(testCase: Case): AsyncGenerator<Case> {
  yield await Promise.resolve(testCase);
}

async function filled(expected: Json): Promise<readonly [Json | undefined, boolean]> {
  const testCase = { id: "x", input: null, expected };
  const gold = await readGold(await corpusOf(CORPUS), "corpus.jsonl", one(testCase));
  const { expected: now, gold_from_corpus = false } = gold.fill(testCase);
  return [(now as { gold_context?: Json }).gold_context, gold_from_corpus];
}

Deno.test("gold contexts are taken from the corpus by the labels, whole chunks in the order of the file", async () => {
  assert.deepEqual(await filled({ relevant: [{ doc_id: "b" }, { doc_id: "a" }] }), [
    [
      { doc_id: "b", chunk_id: "1", text: "B1" },
      { doc_id: "b", chunk_id: "2", text: "B2" },
      { doc_id: "a", text: "A" },
    ],
    true,
  ]);
  assert.deepEqual(await filled({ relevant: [{ doc_id: "b", chunk_id: "2" }, { doc_id: "c", grade: 0 }] }), [
    [{ doc_id: "b", chunk_id: "2", text: "B2" }],
    true,
  ]);
  assert.deepEqual(await filled({ relevant: [{ doc_id: "b", chunk_id: "2" }, { doc_id: "b" }] }), [
    [{ doc_id: "b", chunk_id: "2", text: "B2" }, { doc_id: "b", chunk_id: "1", text: "B1" }],
    true,
  ]);
});

Deno.test("a case's own gold context stays, and a part of one is none", async () => {
  const own = [{ doc_id: "a", text: "mine" }];
  assert.deepEqual(await filled({ relevant: [{ doc_id: "a" }], gold_context: own }), [own, false]);
  assert.deepEqual(await filled({ relevant: [{ doc_id: "a" }, { doc_id: "absent" }] }), [undefined, false]);
  assert.deepEqual(await filled({ relevant: [{ doc_id: "a", chunk_id: "9" }] }), [undefined, false]);
  assert.deepEqual(await filled({ relevant: [] }), [undefined, false]);
});

Deno.test("mistakes of a corpus are told with their lines", async () => {
  const testCase = { id: "x", input: null, expected: { relevant: [{ doc_id: "a" }] } };
  const path = await corpusOf([
    '{"doc_id":"a"}',
    "{",
    '{"doc_id":"","text":"x"}',
    "",
    '{"doc_id":"a","text":"x"}',
  ]);
  const error = await readGold(path, "corpus.jsonl", one(testCase)).then(
    () => assert.fail(),
    (cause) => cause,
  );
  assert.ok(error instanceof OloproofError);
  assert.deepEqual(error.issues.map(({ line, code }) => `${line} ${code}`), [
    "1 invalid_passage",
    "2 invalid_json",
    "3 invalid_passage",
  ]);
  const absent = await readGold(`${path}.no`, "corpus.jsonl", one(testCase)).then(
    () => assert.fail(),
    (cause) => cause,
  );
  assert.match(absent.hint, /`corpus:`/);
});
