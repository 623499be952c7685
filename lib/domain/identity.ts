/** Identities: sha256 over canonical JSON, so that equal content has one name on every machine. */
import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import type { Case } from "./case.ts";

/** Canonical JSON text of a value: keys sorted, numbers in their shortest form. Source: RFC 8785. */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError("Only a JSON value has a canonical form");
  return text;
}

/** The sha256 of a text (as UTF-8) or of bytes, as 64 hexadecimal digits. */
export function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** The identity of a JSON value: the sha256 of its canonical form, as 64 hexadecimal digits. */
export function identityOf(value: unknown): string {
  return sha256(canonicalJson(value));
}

/** The identity of a case's content: everything of it but its id. */
export function caseDigest({ input, expected, metadata, gold_from_corpus }: Omit<Case, "id">): string {
  return identityOf({ input, expected, metadata, gold_from_corpus });
}
