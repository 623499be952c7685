import assert from "node:assert/strict";
import fc from "fast-check";
import { copyJson, isJsonObject, type Json, readPath, toJson } from "../../lib/domain/json.ts";

/** The copy of a value that must be JSON. */
function copyOf(value: unknown): Json {
  const reading = toJson(value);
  assert.ok(reading.ok, JSON.stringify(reading));
  return reading.value;
}

/** `path: problem` of a value that must not be JSON. */
function problemOf(value: unknown): string {
  const reading = toJson(value);
  assert.ok(!reading.ok, "the value was taken for JSON");
  return `${reading.path}: ${reading.problem}`;
}

Deno.test("toJson: any JSON value is copied as it is", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const copy = copyOf(value);
      assert.equal(JSON.stringify(copy), JSON.stringify(value));
    }),
    { seed: 1, numRuns: 500 },
  );
});

Deno.test("toJson: the copy shares nothing with the value", () => {
  const value = { list: [{ a: 1 }] };
  const copy = copyOf(value);
  value.list.push({ a: 2 });
  Object.assign(value.list[0] ?? {}, { a: 3 });
  assert.deepEqual(copy, { list: [{ a: 1 }] });
});

Deno.test("toJson: keys that are undefined are dropped, in a list undefined is refused", () => {
  const copy = copyOf({ a: undefined, b: { c: undefined, d: null } });
  assert.deepEqual(Object.keys(Object(copy)), ["b"]);
  assert.deepEqual(copy, { b: { d: null } });
  assert.equal(problemOf([1, undefined]), "value[1]: undefined is not a JSON value");
  assert.equal(problemOf(Array(2)), "value[0]: undefined is not a JSON value");
  assert.equal(problemOf(undefined), "value: undefined is not a JSON value");
});

Deno.test("toJson: numbers that JSON has not are refused with their place; -0 is 0", () => {
  assert.equal(problemOf({ scores: [0, NaN] }), "value.scores[1]: NaN is not a JSON number");
  assert.equal(problemOf({ a: -Infinity }), "value.a: -Infinity is not a JSON number");
  assert.equal(problemOf(10n), "value: bigint is not a JSON value");
  assert.ok(Object.is(copyOf(-0), 0));
});

Deno.test("toJson: what is no data is refused", () => {
  assert.equal(problemOf({ f: () => 1 }), "value.f: function is not a JSON value");
  assert.equal(problemOf(Symbol("a")), "value: symbol is not a JSON value");
  assert.equal(problemOf({ a: new Map([["b", 1]]) }), "value.a: Map is not a JSON value");
  assert.equal(problemOf([new Set()]), "value[0]: Set is not a JSON value");
  assert.equal(problemOf(new Uint8Array(2)), "value: Uint8Array is not a JSON value");
  assert.equal(problemOf({ later: Promise.resolve(1) }), "value.later: Promise is not a JSON value");
});

Deno.test("toJson: objects that JSON.stringify would empty in silence are refused", () => {
  const class_ = class Hidden {
    #answer = 42;
    get answer() {
      return this.#answer;
    }
  };
  const opaque = [
    new Error("no"),
    Object.assign(new Error("no"), { status: 500 }),
    /a/,
    new Response("{}"),
    new URLSearchParams("a=1"),
    new ArrayBuffer(4),
    new WeakMap(),
    Object(1),
    Object("ab"),
    Object(true),
    new class_(),
    (function* () {})(),
  ];
  for (const value of opaque) assert.match(problemOf({ value }), /^value\.value: \w+ is not a JSON value$/);
});

Deno.test("toJson: objects without a prototype and instances with fields are data", () => {
  class Answer {
    constructor(readonly answer: string) {}
  }
  assert.deepEqual(copyOf(new Answer("yes")), { answer: "yes" });
  assert.deepEqual(copyOf(Object.assign(Object.create(null), { a: 1 })), { a: 1 });
  assert.deepEqual(copyOf(Object.create(null)), {});
  assert.deepEqual(copyOf({}), {});
});

Deno.test("toJson: a value that contains itself is refused, one that occurs twice is not", () => {
  const cyclic: { self?: unknown; list: unknown[] } = { list: [] };
  cyclic.list.push({ deep: cyclic });
  assert.equal(problemOf(cyclic), "value.list[0].deep: the value contains itself");
  const endless = { toJSON: () => endless };
  assert.equal(problemOf({ endless }), "value.endless: the value contains itself");
  const twice = { a: 1 };
  assert.deepEqual(copyOf([twice, twice]), [{ a: 1 }, { a: 1 }]);
});

Deno.test("toJson: 500 levels are copied, more are refused and never overflow the stack", () => {
  const nest = (levels: number) => {
    let value: unknown = 1;
    for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { a: value };
    return value;
  };
  assert.ok(toJson(nest(500)).ok);
  assert.match(problemOf(nest(501)), /more than 500 levels deep$/);
  assert.match(problemOf(nest(100_000)), /more than 500 levels deep$/);
});

Deno.test("toJson: an object is asked for its JSON, and the answer is checked as well", () => {
  assert.equal(copyOf(new Date(0)), "1970-01-01T00:00:00.000Z");
  assert.deepEqual(copyOf({ at: new URL("https://a.example/") }), { at: "https://a.example/" });
  assert.equal(problemOf({ a: { toJSON: () => [NaN] } }), "value.a[0]: NaN is not a JSON number");
  assert.deepEqual(copyOf({ toJSON: "a text" }), { toJSON: "a text" });
});

Deno.test("toJson: half of a surrogate pair is refused in texts and keys, a whole pair is not", () => {
  assert.equal(problemOf({ text: "a\ud83d" }), "value.text: the text holds half of a surrogate pair");
  assert.equal(problemOf({ a: { "\ude00": 1 } }), "value.a: a key holds half of a surrogate pair");
  assert.deepEqual(copyOf({ "😀": "\u0000😀" }), { "😀": "\u0000😀" });
});

Deno.test("toJson: a key named __proto__ is a key", () => {
  const copy = copyOf(JSON.parse('{"__proto__": {"polluted": true}}'));
  assert.deepEqual(Object.keys(Object(copy)), ["__proto__"]);
  assert.equal(Reflect.get({}, "polluted"), undefined);
});

Deno.test("toJson: what a getter throws is thrown, since it is no question of JSON", () => {
  const value = {
    get a(): number {
      throw new RangeError("from the getter");
    },
  };
  assert.throws(() => toJson(value), RangeError);
});

Deno.test("toJson: the place begins with the name that it is given", () => {
  assert.deepEqual(toJson({ a: NaN }, "output"), {
    ok: false,
    path: "output.a",
    problem: "NaN is not a JSON number",
  });
});

Deno.test("copyJson: equal, and nothing of it is shared", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.deepEqual(copyJson(value), value);
    }),
    { seed: 1, numRuns: 200 },
  );
  const value = { list: [{ a: 1 }], deep: { text: "x", none: null } };
  const copy = copyJson(value);
  assert.notEqual(copy.list, value.list);
  assert.notEqual(copy.list[0], value.list[0]);
  assert.notEqual(copy.deep, value.deep);
});

Deno.test("copyJson: a key named __proto__ is a key", () => {
  const value = JSON.parse('{"__proto__": {"polluted": true}}');
  const copy = copyJson(value);
  assert.deepEqual(Object.keys(copy), ["__proto__"]);
  assert.equal(Object.getPrototypeOf(copy), Object.prototype);
  assert.notEqual(Reflect.get(copy, "__proto__"), Reflect.get(value, "__proto__"));
});

Deno.test("isJsonObject: lists and null are none", () => {
  assert.equal(isJsonObject({}), true);
  for (const value of [null, [], "a", 1, true, undefined]) assert.equal(isJsonObject(value), false);
});

Deno.test("readPath: keys and places, and undefined for whatever is not there", () => {
  const value = { a: { b: [{ c: 1 }, null] }, "": "empty key" };
  assert.equal(readPath(value, "a.b.0.c"), 1);
  assert.equal(readPath(value, "a.b.1"), null);
  assert.equal(readPath(value, "a.b.2"), undefined);
  assert.equal(readPath(value, "a.b.length"), undefined);
  assert.equal(readPath(value, "a.b.-1"), undefined);
  assert.equal(readPath(value, "a.b.0.c.d"), undefined);
  assert.equal(readPath(value, "a.b.1.c"), undefined);
  assert.equal(readPath(value, ""), "empty key");
  assert.equal(readPath(value), value);
  assert.equal(readPath(undefined, "a"), undefined);
});

Deno.test("readPath: only what the value itself holds is read", () => {
  assert.equal(readPath({ a: 1 }, "constructor"), undefined);
  assert.equal(readPath({ a: 1 }, "toString"), undefined);
  assert.equal(readPath({ a: "text" }, "a.length"), undefined);
  assert.equal(readPath(JSON.parse('{"__proto__": 3}'), "__proto__"), 3);
  assert.equal(readPath({}, "__proto__"), undefined);
});
