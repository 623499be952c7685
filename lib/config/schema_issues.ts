/**
 * What a schema found wrong → issues: with places, the offending value, what is allowed and the nearest
 * spelling.
 */
import type { z } from "zod";
import type { Issue } from "../domain/error.ts";
import { type Path, type Places, showPath } from "./place.ts";
import { didYouMean, nearest } from "./nearest.ts";
import { quote, shorten } from "./quote.ts";
import type { SchemaGuide } from "./schema_guide.ts";
import { hintForValue } from "./value_hint.ts";

/** What the wording of issues needs to know of the check that found them. */
export interface CheckContext {
  /** How messages name the whole value: `The project`. */
  readonly whole: string;
  /** The value that was checked. */
  readonly value: unknown;
  readonly places: Places;
  readonly guide: SchemaGuide;
  /** Where the value stands within the text; the top when absent. */
  readonly base?: Path;
  /** Keys of later versions, by the dotted path of their object ("" = the top). */
  readonly later?: ReadonlyMap<string, readonly string[]>;
}

/** What a schema found, in words: each mistake once, in the schema's order. */
export function schemaIssues(found: readonly z.core.$ZodIssue[], context: CheckContext): readonly Issue[] {
  const issues = found.flatMap(flatten).flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => strangeKey(issue.path, key, context))
      : [isAbsentKey(issue, context.value) ? absentKey(issue.path, context) : badValue(issue, context)]
  );
  // Several checks of one value may fail, and each says all that is allowed.
  const distinct = new Map(issues.map((issue) => [JSON.stringify(issue), issue]));
  return [...distinct.values()];
}

/**
 * Takes the alternative that was meant: the one whose type fits, and of these the one with the fewest
 * mistakes.
 */
function flatten(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== "invalid_union") return [issue];
  const meant = issue.errors
    .filter((found) => !found.some(({ path, code }) => path.length === 0 && NOT_MEANT.has(code)))
    .sort((a, b) => a.length - b.length)[0];
  if (meant === undefined) return [issue];
  return meant.flatMap((inner) => flatten({ ...inner, path: [...issue.path, ...inner.path] }));
}

/** Messages of a schema's own checks may quote the value. */
const LONGEST_MESSAGE = 200;
const NOT_MEANT: ReadonlySet<string> = new Set(["invalid_type", "invalid_value", "invalid_union"]);

function strangeKey(path: Path, key: string, context: CheckContext): Issue {
  const { guide, places, base = [], later } = context;
  const full = [...base, ...path];
  const at = { file: places.file, ...places.key([...full, key]) };
  const where = path.length === 0 && base.length === 0 ? "" : ` in ${showPath(full)}`;
  if (later?.get(showPath(full))?.includes(key)) {
    const message = `The key ${quote(key)}${where} is not supported by this version of oloproof yet`;
    return { code: "not_supported", message, ...at };
  }
  const allowed = guide.keysAt(path);
  const message = `Unknown key ${quote(key)}${where}; allowed: ${allowed.join(", ")}`;
  return { code: "unknown_key", message, ...at, ...keyHint(key, allowed, guide) };
}

function keyHint(key: string, allowed: readonly string[], guide: SchemaGuide): { readonly hint?: string } {
  const home = guide.homeOf(key);
  if (home !== undefined) return { hint: `"${key}" belongs ${home === "" ? "at the top" : `under ${home}`}` };
  const here = didYouMean(key, allowed);
  if (here.hint !== undefined) return here;
  const elsewhere = nearest(key, guide.allKeys());
  if (elsewhere === undefined) return {};
  const there = guide.homeOf(elsewhere);
  return { hint: `did you mean "${elsewhere}"${there ? ` under ${there}` : ", at the top"}?` };
}

function absentKey(path: Path, { whole, places, guide, base = [] }: CheckContext): Issue {
  const parent = [...base, ...path.slice(0, -1)];
  const owner = parent.length === 0 ? whole : showPath(parent);
  return {
    code: "missing_key",
    message: `${owner} needs the key ${quote(String(path.at(-1)))}: ${guide.wordsAt(path)}`,
    file: places.file,
    ...places.key(parent),
  };
}

function badValue(issue: z.core.$ZodIssue, context: CheckContext): Issue {
  const { places, guide, base = [] } = context;
  const full = [...base, ...issue.path];
  const at = issue.code === "invalid_key" ? places.key(full) : places.value(full);
  const value = valueAt(context.value, issue.path);
  return {
    code: codeOf(issue),
    message: messageOf(issue, value, context),
    file: places.file,
    ...at,
    ...(ownHint(issue) ?? hintForValue({ path: issue.path, value, written: places.written(full), guide })),
  };
}

/** Says what is allowed by the schema, or in the words of its author where only they can know. */
function messageOf(
  issue: z.core.$ZodIssue,
  value: unknown,
  { whole, guide, base = [] }: CheckContext,
): string {
  const full = [...base, ...issue.path];
  const name = full.length === 0 ? whole : showPath(full);
  if (issue.code === "invalid_key") {
    return `${name} is no key here: ${shorten(issue.issues[0]?.message ?? "")}`;
  }
  const description = guide.descriptionAt(issue.path);
  const isOwn = issue.code === "custom" || issue.code === "invalid_format";
  // A description tells the value's form; what keys ask of each other is about more.
  const isAboutMore = issue.code === "custom" && issue.params?.about === "other keys";
  if (isAboutMore || (isOwn && description === undefined)) {
    const found = value === undefined ? "" : ` is ${quote(value)}`;
    return `${name}${found}: ${shorten(issue.message, LONGEST_MESSAGE)}`;
  }
  return `${name} must be ${description ?? guide.wordsAt(issue.path)}, not ${quote(value)}`;
}

function codeOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "custom" && typeof issue.params?.code === "string") return issue.params.code;
  const wrongType = issue.code === "invalid_type" || issue.code === "invalid_union";
  return wrongType ? "invalid_type" : "invalid_value";
}

/** The hint that a schema's own check gives. */
function ownHint(issue: z.core.$ZodIssue): { readonly hint: string } | undefined {
  const hint = issue.code === "custom" ? issue.params?.hint : undefined;
  return typeof hint === "string" ? { hint } : undefined;
}

/** A schema's own check of an absent key knows better than we why it is needed. */
function isAbsentKey({ code, path }: z.core.$ZodIssue, value: unknown): boolean {
  return code !== "custom" && path.length > 0 && valueAt(value, path) === undefined;
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (here, key) =>
      typeof here === "object" && here !== null && Object.hasOwn(here, key)
        ? Reflect.get(here, key)
        : undefined,
    value,
  );
}
