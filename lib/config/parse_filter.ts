/** `--where metadata.topic=billing`: the cases that have a value at a path. */
import type { Case } from "../domain/case.ts";
import type { CaseFilter } from "../domain/case_selection.ts";
import type { Issue } from "../domain/error.ts";
import { readPath } from "../domain/json.ts";
import { isCasePath } from "./case_path.ts";
import { quote, shorten } from "./quote.ts";

/** A filter, or what is wrong with its text. */
export type FilterParsing =
  | { readonly ok: true; readonly filter: CaseFilter }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** Parses `path=value`. The first `=` separates; the value may be empty, and is taken as it is. */
export function parseFilter(text: string): FilterParsing {
  const separator = text.indexOf("=");
  const path = separator === -1 ? text : text.slice(0, separator);
  if (separator !== -1 && isCasePath(path)) {
    return { ok: true, filter: { path, value: text.slice(separator + 1) } };
  }
  const bare = /^[\w-]+$/.test(path) && path !== "metadata" && path !== "input";
  const id = path === "id" ? text.slice(separator + 1) : undefined;
  const issue = {
    code: "invalid_filter",
    message: `A filter must be metadata.<path>=<value> or input.<path>=<value>, not ${quote(text)}`,
    file: "--where",
    ...(id !== undefined
      ? { hint: `use --case ${id}` }
      : bare && separator !== -1
      ? { hint: `did you mean "metadata.${shorten(text)}"?` }
      : {}),
  };
  return { ok: false, issues: [issue] };
}

/**
 * Whether the value at the filter's path is the one that is asked for: text as it is, numbers, true, false
 * and null as JSON writes them. Lists, objects and absent values match nothing.
 */
export function matchesFilter({ input, metadata = {} }: Case, { path, value }: CaseFilter): boolean {
  const found = readPath({ input, metadata }, path);
  if (found === undefined || (typeof found === "object" && found !== null)) return false;
  return (typeof found === "string" ? found : JSON.stringify(found)) === value;
}
