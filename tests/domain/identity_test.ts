import assert from "node:assert/strict";
import fc from "fast-check";
import { canonicalJson, identityOf, sha256 } from "../../lib/domain/identity.ts";

Deno.test("canonicalJson: the example of RFC 8785, section 3.2.2", () => {
  const value = {
    numbers: [333333333.33333329, 1e30, 4.50, 2e-3, 0.000000000000000000000000001],
    string: "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"/",
    literals: [null, true, false],
  };
  assert.equal(
    canonicalJson(value),
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
      '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  );
});

Deno.test("canonicalJson: keys in the order of RFC 8785, section 3.2.3", () => {
  const value = {
    "\u20ac": "Euro Sign",
    "\r": "Carriage Return",
    "\ufb33": "Hebrew Letter Dalet With Dagesh",
    "1": "One",
    "\ud83d\ude00": "Emoji: Grinning Face",
    "\u0080": "Control",
    "\u00f6": "Latin Small Letter O With Diaeresis",
  };
  assert.deepEqual([...canonicalJson(value).matchAll(/:"([^"]*)"/g)].map(([, name]) => name), [
    "Carriage Return",
    "One",
    "Control",
    "Latin Small Letter O With Diaeresis",
    "Euro Sign",
    "Emoji: Grinning Face",
    "Hebrew Letter Dalet With Dagesh",
  ]);
});

Deno.test("canonicalJson: numbers of RFC 8785, appendix B", () => {
  const samples: readonly (readonly [bits: bigint, text: string])[] = [
    [0x0000000000000000n, "0"],
    [0x8000000000000000n, "0"],
    [0x0000000000000001n, "5e-324"],
    [0x7fefffffffffffffn, "1.7976931348623157e+308"],
    [0x4340000000000000n, "9007199254740992"],
    [0x4430000000000000n, "295147905179352830000"],
    [0x44b52d02c7e14af5n, "9.999999999999997e+22"],
    [0x44b52d02c7e14af6n, "1e+23"],
    [0x444b1ae4d6e2ef50n, "1e+21"],
    [0x3eb0c6f7a0b5ed8cn, "9.999999999999997e-7"],
    [0x3eb0c6f7a0b5ed8dn, "0.000001"],
    [0x41b3de4355555557n, "333333333.33333343"],
  ];
  const view = new DataView(new ArrayBuffer(8));
  for (const [bits, text] of samples) {
    view.setBigUint64(0, bits);
    assert.equal(canonicalJson(view.getFloat64(0)), text);
  }
});

Deno.test("canonicalJson: it reads back as the value, whatever the value", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.equal(canonicalJson(JSON.parse(canonicalJson(value))), canonicalJson(value));
      assert.deepEqual(JSON.parse(canonicalJson(value)), JSON.parse(JSON.stringify(value)));
    }),
    { seed: 1, numRuns: 500 },
  );
});

Deno.test("canonicalJson: what is no JSON has no canonical form", () => {
  for (const value of [undefined, () => 1, Symbol("a"), NaN, [Infinity], { a: "\ud800" }]) {
    assert.throws(() => canonicalJson(value));
  }
});

Deno.test("sha256: known digests of text and bytes", () => {
  const empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
  const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  assert.equal(sha256(""), empty);
  assert.equal(sha256("abc"), abc);
  assert.equal(sha256(new TextEncoder().encode("abc")), abc);
  assert.equal(sha256("ü"), sha256(new Uint8Array([0xc3, 0xbc])));
});

Deno.test("identityOf: neither the order of keys nor absent keys make a difference, everything else does", () => {
  const value = { a: 1, b: { c: [1, 2], d: "x" } };
  assert.match(identityOf(value), /^[0-9a-f]{64}$/);
  assert.equal(identityOf({ b: { d: "x", c: [1, 2], e: undefined }, a: 1.0 }), identityOf(value));
  const others = [
    { a: 2, b: { c: [1, 2], d: "x" } },
    { a: "1", b: { c: [1, 2], d: "x" } },
    { a: 1, b: { c: [2, 1], d: "x" } },
    { a: 1, b: { c: [1, 2], d: null } },
    { a: 1, b: { c: [1, 2] } },
    [value],
  ];
  assert.equal(new Set([value, ...others].map(identityOf)).size, others.length + 1);
});
