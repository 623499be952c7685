/** Requests of services that know nothing of us: JSON values with placeholders in their texts. */
import { isJsonObject, type Json, type JsonObject, readPath } from "./json.ts";

/** What placeholders may name; a dotted path may follow. */
export const TEMPLATE_VALUES = ["input", "depth", "context", "params"] as const;

/** The values that a template is filled with; what is absent has no value here. */
export type TemplateValues = { readonly [Name in (typeof TEMPLATE_VALUES)[number]]?: Json };

/** A placeholder as it stands in a text. */
export interface Placeholder {
  /** `input.question` of `{{input.question}}`. */
  readonly path: string;
  /** Whether it is all of its text: then it stands for the value itself, whatever its type. */
  readonly alone: boolean;
}

const pattern = /\{\{\s*([^{}]*?)\s*\}\}/g;

/** All placeholders of a template, in their order. */
export function placeholdersOf(template: Json): readonly Placeholder[] {
  if (typeof template === "string") {
    return [...template.matchAll(pattern)].map(([whole, path = ""]) => ({ path, alone: whole === template }));
  }
  if (Array.isArray(template)) return template.flatMap(placeholdersOf);
  if (isJsonObject(template)) return Object.values(template).flatMap((part) => placeholdersOf(part ?? null));
  return [];
}

/**
 * Fills a template. A context that is absent takes the key, or the place in the list, away with it.
 *
 * @throws {MissingValue} when anything else that a placeholder names is absent.
 */
export function fillTemplate(template: Json, values: TemplateValues): Json {
  return fill(template, values) ?? null;
}

/** A placeholder names what is not there. */
export class MissingValue extends Error {
  constructor(readonly path: string) {
    super(`the request needs {{${path}}}, which is absent`);
  }
}

function fill(template: Json, values: TemplateValues): Json | undefined {
  if (typeof template === "string") return fillText(template, values);
  if (Array.isArray(template)) {
    return template.map((part) => fill(part, values)).filter((part) => part !== undefined);
  }
  if (!isJsonObject(template)) return template;
  const filled = Object.entries(template).map(([key, part]) => [key, fill(part ?? null, values)] as const);
  return Object.fromEntries(filled.filter(([, part]) => part !== undefined));
}

function fillText(text: string, values: TemplateValues): Json | undefined {
  const [only] = placeholdersOf(text);
  if (only?.alone) return only.path === "context" ? values.context : valueOf(only.path, values);
  return text.replaceAll(pattern, (_, path: string) => {
    const value = valueOf(path, values);
    return typeof value === "string" ? value : JSON.stringify(value);
  });
}

function valueOf(path: string, values: TemplateValues): Json {
  const value = readPath(values as JsonObject, path);
  if (value === undefined) throw new MissingValue(path);
  return value;
}
