/** The first place in which two values differ. */
import type { FieldDifference } from "../domain/cache_explanation.ts";
import { canonicalJson } from "../domain/identity.ts";
import { isJsonObject, type Json } from "../domain/json.ts";

/**
 * The first field in which two sets of fields differ, in the order of the first set; `undefined` when all are equal. Objects and
 * lists are followed to the place within them.
 */
export function firstDifference(
  here: { readonly [field: string]: unknown },
  there: { readonly [field: string]: unknown },
): FieldDifference | undefined {
  return inObjects(here as { [field: string]: Json }, there as { [field: string]: Json }, "");
}

type Fields = { readonly [field: string]: Json | undefined };

function inObjects(here: Fields, there: Fields, path: string): FieldDifference | undefined {
  for (const key of new Set([...Object.keys(here), ...Object.keys(there)])) {
    const name = path === "" ? key : `${path}.${key}`;
    const found = inValues(ownValue(here, key), ownValue(there, key), name);
    if (found !== undefined) return found;
  }
  return undefined;
}

function ownValue(fields: Fields, key: string): Json | undefined {
  return Object.hasOwn(fields, key) ? fields[key] : undefined;
}

function inValues(
  here: Json | undefined,
  there: Json | undefined,
  field: string,
): FieldDifference | undefined {
  if (here === undefined && there === undefined) return undefined;
  if (here === undefined) return { field, ...(there === undefined ? {} : { there }) };
  if (there === undefined) return { field, here };
  if (canonicalJson(here) === canonicalJson(there)) return undefined;
  if (Array.isArray(here) && Array.isArray(there)) return inLists(here, there, field);
  if (isJsonObject(here) && isJsonObject(there)) return inObjects(here, there, field);
  return { field, here, there };
}

function inLists(here: readonly Json[], there: readonly Json[], path: string): FieldDifference | undefined {
  for (let index = 0; index < Math.max(here.length, there.length); index++) {
    const found = inValues(here[index], there[index], `${path}[${index}]`);
    if (found !== undefined) return found;
  }
  return undefined;
}
