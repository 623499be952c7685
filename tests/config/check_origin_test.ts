/** Systems that are programs and services: what the file may say of them. */
import assert from "node:assert/strict";
import { parseProject } from "../../lib/config/parse_project.ts";
import { showIssues } from "./show_issues.ts";

const origin = { file: "oloproof.yaml", root: "/home/ada/rag" };

function ragOf(lines: string) {
  return parseProject(`system:\n  rag:\n    ${lines.replaceAll("\n", "\n    ")}\n`, origin);
}

function sourceOf(lines: string) {
  const parsed = ragOf(lines);
  assert.deepEqual(showIssues(parsed), []);
  assert.ok(parsed.ok);
  return parsed.project.system;
}

Deno.test("a program: its words, as they are", () => {
  assert.deepEqual(sourceOf("command: [uv, run, server.py, '$HOME']\nidentity: version"), {
    kind: "command",
    command: ["uv", "run", "server.py", "$HOME"],
    start_timeout_seconds: 120,
  });
});

Deno.test("a service that speaks the protocol", () => {
  assert.deepEqual(sourceOf("url: https://rag.example.org/v1\nheaders: {authorization: 'Bearer ${TOKEN}'}"), {
    kind: "service",
    url: "https://rag.example.org/v1",
    headers: { authorization: "Bearer ${TOKEN}" },
    identity: "source",
    start_timeout_seconds: 120,
  });
  assert.equal(sourceOf("url: ${RAG_URL}").kind, "service");
  assert.equal(sourceOf("url: http://localhost:${PORT}/x").kind, "service");
});

Deno.test("a service of its own kind: paths of lists have the names of a passage unless others are said", () => {
  const source = sourceOf(
    "url: http://localhost/ask\n" +
      'request: {q: "{{input.question}}", n: 3}\n' +
      "response: {output: result.answer, candidates: hits, context: {items: used, doc_id: id, text: body}, " +
      "usage: {input_tokens: usage.prompt}}",
  );
  const names = { chunk_id: "chunk_id", score: "score", metadata: "metadata" };
  assert.deepEqual(source.kind === "service" && source.mapping, {
    request: { q: "{{input.question}}", n: 3 },
    response: {
      output: "result.answer",
      candidates: { items: "hits", doc_id: "doc_id", text: "text", ...names },
      context: { items: "used", doc_id: "id", text: "body", ...names },
      usage: { input_tokens: "usage.prompt" },
    },
  });
});

const MISTAKES: readonly (readonly [lines: string, issue: string])[] = [
  [
    "command: node",
    "3:14 invalid_type: system.rag.command must be a list of words, as in [python3, server.py]",
  ],
  ["command: []", "3:14 invalid_value: system.rag.command must be a list of words"],
  ["command: [a]\nurl: http://x", '4:10 two_systems: system.rag names a system by "command" and by "url"'],
  ["command: [a]\nidentity: source", '4:15 invalid_value: the identity of a "command" is its version'],
  ["command: [a]\nfiles: [x]", '4:12 setting_without_meaning: "files" belongs to "object"'],
  ["command: [a]\nruntime: node", '4:14 setting_without_meaning: "runtime" belongs to "object"'],
  ["command: [a]\nheaders: {x: y}", '4:14 setting_without_meaning: "headers" belongs to "url"'],
  ["records: r\nruntime: node", '4:14 setting_without_meaning: "runtime" belongs to "object"'],
  ["url: ftp://x", "3:10 invalid_value: system.rag.url must be an http:// or https:// URL"],
  ["url: http://me:secret@x", "3:10 invalid_value: system.rag.url must be an http:// or https:// URL"],
  ["url: localhost:80", "3:10 invalid_value: system.rag.url must be an http:// or https:// URL"],
  ["url: http://x\nresponse: {output: a}", '4:15 missing_key: "response" says how a service'],
  ["url: http://x\nrequest: 1\nresponse: {outputs: a}", '5:16 unknown_key: Unknown key "outputs"'],
  [
    "url: http://x\nrequest: 1\nresponse: {output: a..b}",
    "5:24 invalid_value: system.rag.response.output must be",
  ],
  [
    "url: http://x\nrequest: 1\nresponse: {context: {doc_id: id}}",
    '5:16 missing_key: system.rag.response.context needs the key "items"',
  ],
  [
    "url: http://x\nheaders: {Authorization: Bearer abc}",
    '4:30 secret_in_file: the header "Authorization" holds a secret',
  ],
  ["url: http://x\nheaders: {x-api-key: abc}", '4:26 secret_in_file: the header "x-api-key"'],
  [
    'url: http://x\nheaders: {a: "b\\nc"}',
    "4:18 invalid_value: system.rag.headers.a must be one line of text",
  ],
  ["url: http://x\nheaders: {'a b': c}", "4:15 invalid_value: system.rag.headers.a b is no key here"],
];

for (const [lines, expected] of MISTAKES) {
  Deno.test(`a mistake in a system's origin: ${JSON.stringify(lines)}`, () => {
    const [issue = "none", ...others] = showIssues(ragOf(lines));
    assert.deepEqual(others, []);
    assert.ok(issue.startsWith(`oloproof.yaml:${expected}`), issue);
  });
}
