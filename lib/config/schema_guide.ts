/** A schema as its reader needs it: what is allowed at a path, in words, and where a key belongs. */
import { z } from "zod";
import type { Path } from "./place.ts";

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Answers questions about a zod schema by its JSON Schema, so that no message repeats what a schema says. */
export class SchemaGuide {
  private known: JsonSchema | undefined;

  /** `alsoKeys` are allowed at the top besides the schema's own. */
  constructor(private readonly schema: z.ZodType, private readonly alsoKeys: readonly string[] = []) {}

  /** Made at the first mistake, for most texts have none. */
  private get root(): JsonSchema {
    return this.known ??= z.toJSONSchema(this.schema, { io: "input", unrepresentable: "any" });
  }

  /** The keys that an object at this path may have. */
  keysAt(path: Path): readonly string[] {
    const keys = this.schemasAt(path).flatMap((schema) => Object.keys(schema.properties ?? {}));
    return [...new Set(path.length === 0 ? [...this.alsoKeys, ...keys] : keys)];
  }

  /** What a value at this path may be, in words: `a whole number of at least 1`. */
  wordsAt(path: Path): string {
    const words = this.schemasAt(path).map(wordsFor);
    return words.length === 0 ? "absent" : [...new Set(words)].join(" or ");
  }

  /** What the schema itself says of a value at this path, if it does. */
  descriptionAt(path: Path): string | undefined {
    return this.schemasAt(path).find((schema) => schema.description !== undefined)?.description;
  }

  /** Whether a value at this path may have the JSON type. */
  takes(path: Path, type: "string" | "boolean" | "number" | "integer"): boolean {
    return this.schemasAt(path).some((schema) => schema.type === type);
  }

  /** The texts that a value at this path may be; `[]` when it is not chosen from a list. */
  choicesAt(path: Path): readonly string[] {
    return this.schemasAt(path).flatMap(choicesOf).filter((choice) => typeof choice === "string");
  }

  /** The dotted path of the first object that has such a key, the outermost first; "" is the top. */
  homeOf(key: string): string | undefined {
    return this.objects().find(([, schema]) => Object.hasOwn(schema.properties ?? {}, key))?.[0];
  }

  /** The keys of all objects within objects. */
  allKeys(): readonly string[] {
    return this.objects().flatMap(([, schema]) => Object.keys(schema.properties ?? {}));
  }

  /** Every object that is not inside a list, by its dotted path, the outermost first. */
  private objects(): readonly (readonly [string, JsonSchema])[] {
    const found: (readonly [string, JsonSchema])[] = alternatives(this.root).map((schema) => ["", schema]);
    // The list grows while it is walked.
    for (const [path, schema] of found) {
      for (const [key, part] of Object.entries(schema.properties ?? {})) {
        found.push(
          ...alternatives(part).map((inner) => [path === "" ? key : `${path}.${key}`, inner] as const),
        );
      }
    }
    return found;
  }

  private schemasAt(path: Path): readonly JsonSchema[] {
    return path.reduce<readonly JsonSchema[]>(
      (schemas, key) => schemas.flatMap((schema) => stepInto(schema, key)),
      alternatives(this.root),
    );
  }
}

function stepInto(schema: JsonSchema, key: PropertyKey): readonly JsonSchema[] {
  // Only the schema of any JSON value refers to itself, and every part of such a value is one again.
  if (schema.$ref !== undefined) return [schema];
  if (typeof key === "number") return Array.isArray(schema.items) ? [] : alternatives(schema.items);
  const { properties = {}, additionalProperties } = schema;
  const name = String(key);
  return alternatives(Object.hasOwn(properties, name) ? properties[name] : additionalProperties);
}

function alternatives(schema: unknown): readonly JsonSchema[] {
  if (!isSchema(schema)) return [];
  const options = schema.description === undefined ? schema.anyOf ?? schema.oneOf : undefined;
  return options === undefined ? [schema] : options.flatMap(alternatives);
}

function isSchema(schema: unknown): schema is JsonSchema {
  return typeof schema === "object" && schema !== null;
}

function choicesOf(schema: JsonSchema): readonly unknown[] {
  return schema.const === undefined ? schema.enum ?? [] : [schema.const];
}

function wordsFor(schema: JsonSchema): string {
  if (schema.description !== undefined) return schema.description;
  const choices = choicesOf(schema);
  if (choices.length > 0) return choices.map((choice) => JSON.stringify(choice)).join(" or ");
  switch (schema.type) {
    case "string":
      return (schema.minLength ?? 0) > 0 ? "non-empty text" : "text";
    case "integer":
      return `a whole number${rangeOf(schema)}`;
    case "number":
      return `a number${rangeOf(schema)}`;
    case "boolean":
      return "true or false";
    case "null":
      return "null";
    case "array":
      return (schema.minItems ?? 0) > 0 ? "a non-empty list" : "a list";
    case "object":
      return "an object";
    default:
      return "a JSON value";
  }
}

/**
 * ` of at least 1`, ` above 0 and at most 5`, ` of at most 5`, or nothing; zod gives every whole number the
 * bounds of exactness.
 */
function rangeOf({ minimum, exclusiveMinimum, maximum, exclusiveMaximum }: JsonSchema): string {
  const bounds: string[] = [];
  if (typeof exclusiveMinimum === "number") bounds.push(`above ${exclusiveMinimum}`);
  else if (minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER) bounds.push(`of at least ${minimum}`);
  if (typeof exclusiveMaximum === "number") bounds.push(`below ${exclusiveMaximum}`);
  else if (maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER) {
    bounds.push(`${bounds.length === 0 ? "of " : ""}at most ${maximum}`);
  }
  return bounds.length === 0 ? "" : ` ${bounds.join(" and ")}`;
}
