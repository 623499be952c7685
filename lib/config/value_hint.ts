/** Hints for values that are nearly right. */
import { didYouMean } from "./nearest.ts";
import type { Path } from "./place.ts";
import type { SchemaGuide } from "./schema_guide.ts";

/** Values that YAML 1.1 and other languages read as true or false. */
const SWITCHES: ReadonlyMap<string, boolean> = new Map([
  ["yes", true],
  ["on", true],
  ["true", true],
  ["no", false],
  ["off", false],
  ["false", false],
]);

/** A value that does not fit its schema. */
export interface WrongValue {
  readonly path: Path;
  readonly value: unknown;
  /** A scalar as it is written, without quotes; absent for a value that was never text. */
  readonly written: string | undefined;
  readonly guide: SchemaGuide;
}

/** How to write what was probably meant: with or without quotes, as true or false, as the nearest choice. */
export function hintForValue({ path, value, written, guide }: WrongValue): { readonly hint?: string } {
  const scalar = typeof value === "number" || typeof value === "boolean";
  if (scalar && guide.takes(path, "string")) {
    const choices = guide.choicesAt(path);
    return choices.length > 0 ? {} : { hint: `write it in quotes: "${written ?? String(value)}"` };
  }
  if (typeof value !== "string") return {};
  const truth = SWITCHES.get(value.toLowerCase());
  if (truth !== undefined && guide.takes(path, "boolean")) return { hint: `write ${truth}` };
  const numeric = /^-?\d+(?:\.\d+)?$/.test(value);
  if (numeric && (guide.takes(path, "integer") || guide.takes(path, "number"))) {
    return { hint: `write it without quotes: ${value}` };
  }
  return didYouMean(value, guide.choicesAt(path));
}
