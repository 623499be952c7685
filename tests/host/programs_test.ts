/** What the programs of other runtimes repeat of this one, so that they need nothing else. */
import assert from "node:assert/strict";
import { toJson } from "../../lib/domain/json.ts";
import { partialSettingsSchema } from "../../lib/domain/settings.ts";
import { NotJson, plainJson } from "../../lib/host/programs/plain_json.mjs";

const cyclic: Record<string, unknown> = { a: 1 };
cyclic.self = cyclic;
class Shown {
  constructor(readonly a = 1) {}
}
class Hidden {
  readonly #a = 1;
  get a() {
    return this.#a;
  }
}
let deep: unknown = 1;
for (let level = 0; level < 501; level++) deep = [deep];

const values: readonly unknown[] = [
  null,
  true,
  "text",
  0,
  -0,
  1.5,
  [1, [2, { a: undefined, b: null }]],
  { a: { b: [] } },
  new Date(0),
  new URL("http://a/b"),
  new Shown(),
  Object.create(null),
  NaN,
  -Infinity,
  undefined,
  [undefined],
  () => 1,
  { a: Symbol("s") },
  1n,
  new Map([[1, 2]]),
  new Error("e"),
  new Hidden(),
  Uint8Array.of(1),
  Object("text"),
  cyclic,
  deep,
];

Deno.test("JSON is the same in a host process as here, and what is none is refused in the same words", () => {
  for (const value of values) {
    const here = toJson(value);
    const there = (() => {
      try {
        return { ok: true, value: plainJson(value) };
      } catch (cause) {
        assert.ok(cause instanceof NotJson);
        return { ok: false, message: cause.message };
      }
    })();
    assert.deepEqual(there, here.ok ? here : { ok: false, message: `at ${here.path}, ${here.problem}` });
  }
});

Deno.test("a host process knows every setting that an object may hold", async () => {
  const text = await Deno.readTextFile(new URL("../../lib/host/programs/serve.mjs", import.meta.url));
  const [, list = ""] = /const SETTINGS = \[([^\]]*)\]/.exec(text) ?? [];
  const names = [...list.matchAll(/"(\w+)"/g)].map(([, name]) => name);
  assert.deepEqual(names, Object.keys(partialSettingsSchema.shape));
});
