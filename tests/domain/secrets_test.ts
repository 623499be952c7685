import assert from "node:assert/strict";
import { redactorOf } from "../../lib/domain/secrets.ts";

Deno.test("values of secrets give way to their names, wherever they stand", () => {
  const redact = redactorOf(new Map([["KEY", "sk-0123456789"], ["TOKEN", "abcdefgh"]]));
  assert.equal(
    redact("sk-0123456789, again sk-0123456789 and xabcdefghx"),
    "[redacted KEY], again [redacted KEY] and x[redacted TOKEN]x",
  );
  assert.equal(redact("nothing"), "nothing");
});

Deno.test("a secret that JSON writes otherwise is found in JSON", () => {
  const value = 'quo"te\\back';
  const redact = redactorOf(new Map([["KEY", value]]));
  assert.equal(redact(JSON.stringify({ value })), '{"value":"[redacted KEY]"}');
  assert.equal(redact(value), "[redacted KEY]");
  const nested = JSON.stringify([JSON.stringify({ details: JSON.stringify([value]) })]);
  assert.deepEqual(JSON.parse(JSON.parse(JSON.parse(redact(nested))[0]).details), ["[redacted KEY]"]);
});

Deno.test("a secret within another does not uncover the rest of it", () => {
  const redact = redactorOf(new Map([["SHORT", "abcdefgh"], ["LONG", "abcdefgh-and-more"]]));
  assert.equal(redact("abcdefgh-and-more"), "[redacted LONG]");
});

Deno.test("what is absent or too short to be a secret stays", () => {
  const redact = redactorOf(new Map([["ABSENT", undefined], ["SHORT", "1234567"]]));
  assert.equal(redact("1234567 undefined"), "1234567 undefined");
});
