import assert from "node:assert/strict";
import { splitClaims } from "../../lib/judges/split_claims.ts";

const ROWS: readonly (readonly [string, readonly string[]])[] = [
  ["", []],
  [" \n — … ", []],
  ["42", ["42"]],
  ["Refunds take 14 days.", ["Refunds take 14 days."]],
  ["Refunds take 14 days. Seats\ncost  $20!", ["Refunds take 14 days.", "Seats cost $20!"]],
  ["It costs 3.50 dollars. Version 1.2 is out.", ["It costs 3.50 dollars.", "Version 1.2 is out."]],
  ["1. Open it.\n2. Close it.", ["1. Open it.", "2. Close it."]],
  ["- one\n- two\n", ["- one", "- two"]],
  ["The price is below.\n12", ["The price is below. 12"]],
  ["返金は14日です。座席は3つです。", ["返金は14日です。", "座席は3つです。"]],
];

for (const [answer, claims] of ROWS) {
  Deno.test(`claims of ${JSON.stringify(answer)}`, () => assert.deepEqual(splitClaims(answer), claims));
}

Deno.test("no letter of an answer is lost between its claims", () => {
  const answer = "First (e.g. this). Second… third?! Fourth: a, b\n\n  5) Fifth; 6";
  const letters = (text: string) => text.replace(/\s+/g, "");
  assert.equal(letters(splitClaims(answer).join("")), letters(answer));
});
