/** JSON values as types, and the one door through which foreign values become them. */

/** Any value that JSON can hold. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** An object whose values are all JSON; a key that is `undefined` counts as absent. */
export type JsonObject = { readonly [key: string]: Json | undefined };

/** What {@link toJson} found: a private copy, or the place and the reason why there is none. */
export type JsonReading =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly path: string; readonly problem: string };

class NotJson extends Error {}

/**
 * Copies a foreign value into plain JSON, or says where it is not JSON.
 *
 * Keys whose value is `undefined` are dropped and objects with `toJSON` (dates, URLs) are asked for it, as `JSON.stringify`
 * does. Everything that `JSON.stringify` would change in silence is refused: NaN and infinities, functions, symbols,
 * `undefined` in a list, cycles, objects that would become `{}` (errors, maps, responses), and text with half a surrogate
 * pair, which no UTF-8 store can keep.
 */
export function toJson(value: unknown, path = "value"): JsonReading {
  const copier = new Copier();
  try {
    return { ok: true, value: copier.copy(value) };
  } catch (cause) {
    if (cause instanceof NotJson) {
      return { ok: false, path: `${path}${copier.place}`, problem: cause.message };
    }
    throw cause;
  }
}

/** The most that one value may hold: a value of this many characters and items is no answer, and its copies fill the memory. */
const MAX_SIZE = 50_000_000;

/** Deeper than any sensible record, shallower than the stack. */
const MAX_DEPTH = 500;

/** Copies one value. Everything that a stage returns goes through here, so its place is only told where it is asked for. */
class Copier {
  /** What is left of {@link MAX_SIZE}. */
  #left = MAX_SIZE;
  /** The objects around the part that is being copied, from the outermost, and the key by which each leads to the next. */
  readonly #around: object[] = [];
  readonly #keys: (string | number)[] = [];

  /** Where it stopped: `.a[0].b`. */
  get place(): string {
    return this.#keys.map((key) => typeof key === "number" ? `[${key}]` : `.${key}`).join("");
  }

  copy(value: unknown): Json {
    this.#left -= typeof value === "string" ? value.length : 1;
    if (this.#left < 0) throw new NotJson(`the value is larger than ${MAX_SIZE / 1e6} million characters`);
    switch (typeof value) {
      case "string":
        if (!value.isWellFormed()) throw new NotJson("the text holds half of a surrogate pair");
        return value;
      case "boolean":
        return value;
      case "number":
        if (!Number.isFinite(value)) throw new NotJson(`${value} is not a JSON number`);
        return value === 0 ? 0 : value;
      case "object":
        return value === null ? null : this.#copyObject(value);
      default:
        throw new NotJson(`${typeof value} is not a JSON value`);
    }
  }

  #copyObject(value: object): Json {
    if (this.#around.includes(value)) throw new NotJson("the value contains itself");
    if (this.#around.length >= MAX_DEPTH) throw new NotJson(`more than ${MAX_DEPTH} levels deep`);
    this.#around.push(value);
    const copied = this.#copyParts(value);
    this.#around.pop();
    return copied;
  }

  #copyParts(value: object): Json {
    if ("toJSON" in value && typeof value.toJSON === "function") return this.copy(value.toJSON());
    if (Array.isArray(value)) return this.#copyList(value);
    if (isOpaque(value)) throw new NotJson(`${value.constructor?.name || "it"} is not a JSON value`);
    const copied: { [key: string]: Json } = {};
    for (const key of Object.keys(value)) {
      const item: unknown = Reflect.get(value, key);
      if (item === undefined) continue;
      if (!key.isWellFormed()) throw new NotJson("a key holds half of a surrogate pair");
      // Set, it would be no key but the prototype.
      if (key === "__proto__") {
        Object.defineProperty(copied, key, { ...OWN, value: this.#copyPart(key, item) });
      } else copied[key] = this.#copyPart(key, item);
    }
    return copied;
  }

  #copyList(list: readonly unknown[]): Json {
    const copied: Json[] = [];
    for (let index = 0; index < list.length; index++) copied.push(this.#copyPart(index, list[index]));
    return copied;
  }

  #copyPart(key: string | number, item: unknown): Json {
    this.#keys.push(key);
    const copied = this.copy(item);
    this.#keys.pop();
    return copied;
  }
}

const OWN = { enumerable: true, writable: true, configurable: true };

/** Whether an object keeps what it holds where no key shows it. An instance that shows keys is data of its class. */
function isOpaque(value: object): boolean {
  if (Object.getPrototypeOf(value) === Object.prototype) return false;
  if (value instanceof Error || value instanceof String || ArrayBuffer.isView(value)) return true;
  const prototype = Object.getPrototypeOf(value);
  // Object.prototype, of whatever realm, is the prototype that has none.
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
  return !isPlain && Object.keys(value).length === 0;
}

/**
 * A copy of plain data that came through {@link toJson} or out of a JSON text, for those who may change what they are given.
 * `structuredClone` does the same for any value, at fifteen times the price.
 */
export function copyJson<T>(value: T): T;
export function copyJson(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => copyJson(item));
  // Spread first: it makes own keys of all of them, even of `__proto__`, which are then only set.
  const copied: Record<string, unknown> = { ...value };
  for (const key of Object.keys(copied)) copied[key] = copyJson(copied[key]);
  return copied;
}

/** Whether a JSON value is an object (not a list, not null). */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Follows a dotted path into a JSON value: `"a.b"` reads key b of key a, and a whole number reads a place of a list.
 * Only own keys are read; what is not there is `undefined`. Without a path the value itself is returned.
 */
export function readPath(value: Json | undefined, path?: string): Json | undefined {
  if (path === undefined) return value;
  let here: Json | undefined = value;
  for (const key of path.split(".")) {
    if (Array.isArray(here)) here = /^\d+$/.test(key) ? here[Number(key)] : undefined;
    else if (isJsonObject(here)) here = Object.hasOwn(here, key) ? here[key] : undefined;
    else return undefined;
  }
  return here;
}
