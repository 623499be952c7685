import assert from "node:assert/strict";
import { LineSplitter } from "../../lib/host/line_splitter.ts";
import { cancelLine, readLine, readText, requestLine } from "../../lib/host/message.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const reply = (part: string) => `{"jsonrpc": "2.0", "id": 7, ${part}}`;

Deno.test("requests and cancellations are one line each, whatever they hold", () => {
  const line = requestLine(7, "generate", { text: "a\nb\u2028c" });
  assert.equal(line.split("\n").length, 2);
  assert.deepEqual(JSON.parse(line), {
    jsonrpc: "2.0",
    id: 7,
    method: "generate",
    params: { text: "a\nb\u2028c" },
  });
  assert.deepEqual(JSON.parse(cancelLine(7)), { jsonrpc: "2.0", method: "cancel", params: { id: 7 } });
});

Deno.test("a result, null included, and an error with all that it may have", () => {
  assert.deepEqual(readText(reply('"result": null')), {
    kind: "reply",
    id: 7,
    reply: { ok: true, result: null },
  });
  const data = '{"kind": "invalid_output", "trace": "t", "hint": "h", "usage": [1], "more": 2}';
  assert.deepEqual(readText(reply(`"error": {"code": 1, "message": "m", "data": ${data}}`)), {
    kind: "reply",
    id: 7,
    reply: { ok: false, error: { message: "m", kind: "invalid_output", trace: "t", hint: "h", usage: [1] } },
  });
  assert.deepEqual(readText(reply('"error": {}')), {
    kind: "reply",
    id: 7,
    reply: { ok: false, error: { message: "the system gave no reason" } },
  });
});

for (
  const text of [
    "Loading…",
    "{}",
    "[1]",
    "7",
    "null",
    '{"id": 7, "result": 1}',
    '{"jsonrpc": "2.0", "method": "log", "params": {}}',
    '{"jsonrpc": "2.0", "id": "7", "result": 1}',
    '{"jsonrpc": "2.0", "id": 7}',
    '{"level": "info", "id": 7',
  ]
) {
  Deno.test(`noise: ${text}`, () => assert.deepEqual(readLine(bytes(text)), { kind: "noise", text }));
}

Deno.test("a message after something that was printed without an end of line", () => {
  const line = readText(`100 %|####| ${reply('"result": 1')}`);
  assert.deepEqual(line, { kind: "reply", id: 7, reply: { ok: true, result: 1 } });
});

Deno.test("an answer that cannot be read ends its own call", () => {
  const nan = readText(reply('"result": NaN'));
  assert.ok(nan.kind === "broken" && nan.id === 7 && /not JSON/.test(nan.problem));
  const latin = new Uint8Array([...bytes(reply('"result": "')), 0xe9, ...bytes('"}')]);
  assert.deepEqual(readLine(latin), { kind: "broken", id: 7, problem: "it is not UTF-8 text" });
  assert.equal(readLine(Uint8Array.of(0xe9)).kind, "noise");
});

Deno.test("lines, however they are cut into pieces", () => {
  const text = "a\n\nlonger é line\nlast";
  const whole = bytes(text);
  for (let size = 1; size <= whole.length; size++) {
    const lines = new LineSplitter();
    const found: string[] = [];
    for (let at = 0; at < whole.length; at += size) {
      for (const line of lines.push(whole.subarray(at, at + size))) {
        found.push(new TextDecoder().decode(line));
      }
    }
    assert.deepEqual([...found, new TextDecoder().decode(lines.rest())], text.split("\n"));
    assert.equal(lines.pending, 0);
  }
});
