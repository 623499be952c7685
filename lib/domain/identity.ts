/** Identities: sha256 over canonical JSON, so that equal content has one name on every machine. */
import { hash } from "node:crypto";
import type { Case } from "./case.ts";

/** A part of a value that is written already, and stands for what it was written from. */
class CanonicalText {
  constructor(readonly text: string) {}
}

const written = new WeakMap<object, CanonicalText>();

/** The same in the eyes of {@link canonicalJson}, written once however often it is named: of a value that never changes. */
export function writtenOnce(value: object): unknown {
  const before = written.get(value);
  if (before !== undefined) return before;
  const text = new CanonicalText(canonicalJson(value));
  written.set(value, text);
  return text;
}

/**
 * Canonical JSON text of a value: keys sorted by their UTF-16 code units, text and numbers as ECMAScript writes them. Keys whose
 * value is `undefined` are left out. Every case is named by it several times, so it is written for speed.
 *
 * Source: RFC 8785.
 *
 * @throws {TypeError} When the value is not JSON: functions, `undefined` in a list, NaN, half a surrogate pair.
 */
export function canonicalJson(value: unknown): string {
  switch (typeof value) {
    case "string":
      if (!value.isWellFormed()) break;
      return JSON.stringify(value);
    case "number":
      if (!Number.isFinite(value)) break;
      return JSON.stringify(value);
    case "boolean":
      return value ? "true" : "false";
    case "object":
      if (value === null) return "null";
      if (value instanceof CanonicalText) return value.text;
      return Array.isArray(value) ? canonicalList(value) : canonicalObject(value as Record<string, unknown>);
  }
  throw new TypeError("Only a JSON value has a canonical form");
}

function canonicalList(items: readonly unknown[]): string {
  let text = "";
  for (const item of items) text += text === "" ? canonicalJson(item) : "," + canonicalJson(item);
  return `[${text}]`;
}

function canonicalObject(value: Readonly<Record<string, unknown>>): string {
  const keys = Object.keys(value);
  // Most are in order as they come, and the default order of `sort` is that of code units.
  if (keys.some((key, index) => index > 0 && key < (keys[index - 1] ?? ""))) keys.sort();
  let text = "";
  for (const key of keys) {
    const item = value[key];
    if (item === undefined) continue;
    const pair = canonicalKey(key) + canonicalJson(item);
    text += text === "" ? pair : "," + pair;
  }
  return `{${text}}`;
}

/** Keys as they are written: the same few over and over again. */
const writtenKeys = new Map<string, string>();
const MAX_WRITTEN_KEYS = 1000;

function canonicalKey(key: string): string {
  const known = writtenKeys.get(key);
  if (known !== undefined) return known;
  const written = `${canonicalJson(key)}:`;
  if (writtenKeys.size < MAX_WRITTEN_KEYS) writtenKeys.set(key, written);
  return written;
}

/** The sha256 of a text (as UTF-8) or of bytes, as 64 hexadecimal digits. */
export function sha256(content: string | Uint8Array): string {
  return hash("sha256", content);
}

/** The identity of a JSON value: the sha256 of its canonical form, as 64 hexadecimal digits. */
export function identityOf(value: unknown): string {
  return sha256(canonicalJson(value));
}

/** The canonical JSON of a case's content: everything of it but its id. */
export function caseText({ input, expected, metadata, gold_from_corpus }: Omit<Case, "id">): string {
  return canonicalJson({ input, expected, metadata, gold_from_corpus });
}

/** The identity of a case's content. */
export function caseDigest(testCase: Omit<Case, "id">): string {
  return sha256(caseText(testCase));
}
