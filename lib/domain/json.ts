/** JSON values as types, and the one door through which foreign values become them. */

/** Any value that JSON can hold. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** An object whose values are all JSON; a key that is `undefined` counts as absent. */
export type JsonObject = { readonly [key: string]: Json | undefined };

/** What {@link toJson} found: a private copy, or the place and the reason why there is none. */
export type JsonReading =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly path: string; readonly problem: string };

class NotJson extends Error {
  constructor(readonly path: string, readonly problem: string) {
    super(`${path}: ${problem}`);
  }
}

/**
 * Copies a foreign value into plain JSON, or says where it is not JSON.
 *
 * Keys whose value is `undefined` are dropped and objects with `toJSON` (dates, URLs) are asked for it, as `JSON.stringify`
 * does. Everything that `JSON.stringify` would change in silence is refused: NaN and infinities, functions, symbols,
 * `undefined` in a list, cycles, objects that would become `{}` (errors, maps, responses), and text with half a surrogate
 * pair, which no UTF-8 store can keep.
 */
export function toJson(value: unknown, path = "value"): JsonReading {
  try {
    return { ok: true, value: copy(value, path, [], { left: MAX_SIZE }) };
  } catch (cause) {
    if (cause instanceof NotJson) return { ok: false, path: cause.path, problem: cause.problem };
    throw cause;
  }
}

/** The most that one value may hold: a value of this many characters and items is no answer, and its copies fill the memory. */
const MAX_SIZE = 50_000_000;

/** What is left of the size; shared by all parts of one value. */
interface Room {
  left: number;
}

function take(room: Room, size: number, path: string): void {
  room.left -= size;
  if (room.left < 0) throw new NotJson(path, `the value is larger than ${MAX_SIZE / 1e6} million characters`);
}

function copy(value: unknown, path: string, ancestors: readonly object[], room: Room): Json {
  take(room, typeof value === "string" ? value.length : 1, path);
  switch (typeof value) {
    case "string":
      if (!value.isWellFormed()) throw new NotJson(path, "the text holds half of a surrogate pair");
      return value;
    case "boolean":
      return value;
    case "number":
      if (!Number.isFinite(value)) throw new NotJson(path, `${value} is not a JSON number`);
      return Object.is(value, -0) ? 0 : value;
    case "object":
      return value === null ? null : copyObject(value, path, ancestors, room);
    default:
      throw new NotJson(path, `${typeof value} is not a JSON value`);
  }
}

/** Deeper than any sensible record, shallower than the stack. */
const MAX_DEPTH = 500;

function copyObject(value: object, path: string, ancestors: readonly object[], room: Room): Json {
  if (ancestors.includes(value)) throw new NotJson(path, "the value contains itself");
  if (ancestors.length >= MAX_DEPTH) throw new NotJson(path, `more than ${MAX_DEPTH} levels deep`);
  const within = [...ancestors, value];
  if ("toJSON" in value && typeof value.toJSON === "function") {
    return copy(value.toJSON(), path, within, room);
  }
  if (Array.isArray(value)) {
    return Array.from(value, (item, index) => copy(item, `${path}[${index}]`, within, room));
  }
  if (isOpaque(value)) throw new NotJson(path, `${value.constructor?.name || "it"} is not a JSON value`);
  const entries = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([key, item]) => {
      if (!key.isWellFormed()) throw new NotJson(path, "a key holds half of a surrogate pair");
      return [key, copy(item, `${path}.${key}`, within, room)] as const;
    });
  return Object.fromEntries(entries);
}

/** Whether an object keeps what it holds where no key shows it. An instance that shows keys is data of its class. */
function isOpaque(value: object): boolean {
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
