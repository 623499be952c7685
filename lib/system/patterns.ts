/** Regular expressions that cannot hang the program. */
import { createContext, Script } from "node:vm";
import type { PatternResult, Patterns } from "../domain/ports.ts";

/** How long one search may take. */
const LIMIT_MS = 1000;

/** More matches than any answer has citations; a pattern that matches everywhere must not fill the memory. */
const MAX_MATCHES = 10_000;

/**
 * Runs patterns in a script context whose execution the engine can end: the only way to stop a backtracking search in the
 * process. A search that is not done within 1 s is `timed_out`.
 */
export function createPatterns(): Patterns {
  const context = createContext({ pattern: "", flags: "", text: "", limit: 0, found: "" });
  const script = new Script(`
    {
      const regex = new RegExp(pattern, flags.includes("g") ? flags : flags + "g");
      const matches = [];
      for (const match of text.matchAll(regex)) if (matches.push([...match]) >= limit) break;
      found = JSON.stringify(matches, (_key, value) => value === undefined ? null : value);
    }
  `);
  return {
    find(pattern, flags, text, which): PatternResult {
      Object.assign(context, {
        pattern,
        flags,
        text,
        limit: which === "first" ? 1 : MAX_MATCHES,
        found: "[]",
      });
      try {
        script.runInContext(context, { timeout: LIMIT_MS });
      } catch (cause) {
        // The error belongs to the context's own realm and Deno gives it no code, so its words must do.
        if (String(cause).includes("execution timed out")) return { status: "timed_out" };
        throw cause;
      }
      const matches: (string | null)[][] = JSON.parse(Reflect.get(context, "found"));
      return {
        status: "done",
        matches: matches.map((groups) => groups.map((group) => group ?? undefined)),
      };
    },
  };
}
