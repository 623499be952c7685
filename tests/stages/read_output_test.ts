import assert from "node:assert/strict";
import {
  InvalidOutput,
  readAnswer,
  readContext,
  readRetrieval,
  readTokens,
} from "../../lib/stages/read_output.ts";

/** The message of the invalid output that reading finds. */
function faultOf(read: () => unknown): string {
  try {
    read();
  } catch (cause) {
    assert.ok(cause instanceof InvalidOutput, String(cause));
    return cause.message;
  }
  return assert.fail("the output was taken as valid");
}

const retrievalFault = (returned: unknown, depth = 3) => faultOf(() => readRetrieval(returned, depth));
/** What reading finds wrong in a single candidate. */
const candidateFault = (candidate: unknown) => retrievalFault({ candidates: [candidate] });

Deno.test("readRetrieval: query and candidates are copied as they are", () => {
  const candidates = [
    { doc_id: "b", chunk_id: "2", score: -1.5, text: "", metadata: { page: [1] } },
    { doc_id: "a" },
    { doc_id: "b", chunk_id: "2" },
  ];
  const returned = { query: { text: "q" }, depth: 3, candidates };
  const read = readRetrieval(returned, 3);
  assert.deepEqual(read, { query: { text: "q" }, candidates });
  assert.notEqual(read.candidates[0], candidates[0]);
  assert.deepEqual(readRetrieval({ candidates: [] }, 3), { candidates: [] });
  assert.deepEqual(readRetrieval({ candidates: [], query: null }, 3), { query: null, candidates: [] });
});

Deno.test("readRetrieval: optional keys that are null or undefined are absent", () => {
  const candidate = { doc_id: "a", chunk_id: null, score: undefined, text: null, metadata: null };
  const [read] = readRetrieval({ query: undefined, candidates: [candidate] }, 1).candidates;
  assert.deepEqual(Object.keys(read ?? {}), ["doc_id"]);
});

Deno.test("readRetrieval: more candidates than depth are refused, not cut", () => {
  const candidates = [{ doc_id: "a" }, { doc_id: "b" }, { doc_id: "c" }, { doc_id: "d" }];
  assert.equal(retrievalFault({ candidates }), "retrieve returned 4 candidates; depth is 3");
  assert.equal(readRetrieval({ candidates: candidates.slice(0, 3) }, 3).candidates.length, 3);
});

Deno.test("readRetrieval: what is no retrieval is named", () => {
  const shape = "it returns { query, candidates: [{ doc_id, … }, …] }";
  assert.equal(retrievalFault([]), `retrieve returned a list; ${shape}`);
  assert.equal(retrievalFault(null), `retrieve returned null; ${shape}`);
  assert.equal(retrievalFault("passages"), `retrieve returned "passages"; ${shape}`);
  assert.equal(retrievalFault("x".repeat(41)), `retrieve returned a long text; ${shape}`);
  assert.equal(retrievalFault({}), `retrieve returned an object; ${shape}`);
  assert.equal(retrievalFault({ candidates: { 0: "a" } }), `retrieve returned an object; ${shape}`);
  assert.equal(retrievalFault({ candidates: null }), `retrieve returned an object; ${shape}`);
  assert.equal(retrievalFault(undefined), "retrieve returned nothing; is a `return` missing?");
  assert.match(retrievalFault(new Map()), /at value, Map is not a JSON value$/);
  assert.match(retrievalFault(new Response("{}")), /at value, Response is not a JSON value$/);
});

Deno.test("readRetrieval: a candidate without a doc_id is refused with its place and value", () => {
  const allowed = "it is a text of one character or more";
  assert.equal(candidateFault({ text: "a" }), `candidates[0].doc_id is undefined; ${allowed}`);
  assert.equal(candidateFault({ doc_id: null }), `candidates[0].doc_id is null; ${allowed}`);
  assert.equal(candidateFault({ doc_id: "" }), `candidates[0].doc_id is ""; ${allowed}`);
  assert.equal(candidateFault({ doc_id: 17 }), `candidates[0].doc_id is 17; ${allowed}`);
  assert.equal(
    retrievalFault({ candidates: [{ doc_id: "a" }, { doc_id: ["b"] }] }),
    `candidates[1].doc_id is a list; ${allowed}`,
  );
  assert.match(candidateFault("a"), /^candidates\[0\] is "a"; a passage is \{ doc_id, /);
  assert.match(candidateFault(null), /^candidates\[0\] is null; /);
});

Deno.test("readRetrieval: scores are finite numbers", () => {
  for (const score of [NaN, Infinity, -Infinity]) {
    assert.equal(
      candidateFault({ doc_id: "a", score }),
      `retrieve returned a value that is not JSON: at value.candidates[0].score, ${score} is not a JSON number`,
    );
  }
  assert.equal(
    candidateFault({ doc_id: "a", score: "0.5" }),
    'candidates[0].score is "0.5"; it is a finite number, or absent',
  );
});

Deno.test("readRetrieval: optional keys of another type are refused", () => {
  assert.match(candidateFault({ doc_id: "a", chunk_id: "" }), /chunk_id is ""; .*, or absent$/);
  assert.match(candidateFault({ doc_id: "a", chunk_id: 3 }), /chunk_id is 3; /);
  assert.match(candidateFault({ doc_id: "a", text: ["a"] }), /text is a list; it is a text, or absent$/);
  assert.match(
    candidateFault({ doc_id: "a", metadata: [] }),
    /metadata is a list; it is an object, or absent$/,
  );
});

Deno.test("readRetrieval: unknown keys are refused, and where they belong is said", () => {
  assert.equal(
    candidateFault({ doc_id: "a", title: "A" }),
    'candidates[0] has the unknown key "title"; its keys are doc_id, chunk_id, score, text, metadata; ' +
      "other data belongs under metadata",
  );
  assert.equal(
    retrievalFault({ candidates: [], documents: [] }),
    'the retrieval has the unknown key "documents"; its keys are query, depth, candidates',
  );
  assert.match(candidateFault(JSON.parse('{"doc_id": "a", "__proto__": {}}')), /unknown key "__proto__"/);
});

Deno.test("readContext: the passages as sent, and nothing else", () => {
  assert.deepEqual(readContext([{ doc_id: "a", text: "b" }]), [{ doc_id: "a", text: "b" }]);
  assert.deepEqual(readContext([]), []);
  assert.equal(
    faultOf(() => readContext({ context: [] })),
    "assemble returned an object; it returns the list of passages as sent",
  );
  assert.match(
    faultOf(() => readContext([{ doc_id: "a" }, { text: "b" }])),
    /^context\[1\]\.doc_id is undefined/,
  );
});

Deno.test("readAnswer: any JSON value is an answer, null and 5 MB of text too", () => {
  const large = "ü".repeat(5_000_000);
  for (const answer of [null, "", 0, false, [], { answer: "a" }, large]) {
    assert.deepEqual(readAnswer(answer), answer);
  }
});

Deno.test("readAnswer: what is no JSON is refused with its place", () => {
  const cyclic: Record<string, unknown> = {};
  cyclic.self = [cyclic];
  const fault = (returned: unknown) => faultOf(() => readAnswer(returned));
  const start = "generate returned a value that is not JSON: at";
  assert.equal(fault(undefined), "generate returned nothing; is a `return` missing?");
  assert.equal(fault(cyclic), `${start} value.self[0], the value contains itself`);
  assert.equal(fault({ a: [1, NaN] }), `${start} value.a[1], NaN is not a JSON number`);
  assert.equal(fault(() => 1), `${start} value, function is not a JSON value`);
  assert.equal(fault("\ud83d"), `${start} value, the text holds half of a surrogate pair`);
  assert.equal(fault(new Error("quota")), `${start} value, Error is not a JSON value`);
});

Deno.test("readTokens: an integer ≥ 0, and nothing is rounded or guessed", () => {
  for (const tokens of [0, 1, Number.MAX_SAFE_INTEGER]) assert.equal(readTokens(tokens, 1), tokens);
  for (const tokens of [-1, 1.5, NaN, Infinity, 2 ** 53, "3", 3n, null, undefined]) {
    assert.match(
      faultOf(() => readTokens(tokens, 2)),
      /^countTokens returned .+ for the candidate at position 2; it returns an integer ≥ 0$/,
    );
  }
});
