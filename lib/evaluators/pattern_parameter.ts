/** Regular expressions as parameters: mistakes in them are told before anything runs. */
import { messageOf } from "../domain/error.ts";

/** A mistake in a pattern or in its flags. */
export interface PatternProblem {
  readonly parameter: "pattern" | "flags";
  readonly message: string;
}

/** Flags that say where a search goes on; there is one search from the start of each text. */
const STATEFUL_FLAGS = ["g", "y"];

/** What is wrong with a pattern and its flags, in the words of the engine; `undefined` when nothing is. */
export function findPatternProblem(pattern: string, flags: string): PatternProblem | undefined {
  const stateful = STATEFUL_FLAGS.find((flag) => flags.includes(flag));
  if (stateful !== undefined) {
    return { parameter: "flags", message: `The flag "${stateful}" has no meaning here; leave it out` };
  }
  const flagsProblem = compileProblem("", flags);
  if (flagsProblem !== undefined) return { parameter: "flags", message: flagsProblem };
  const patternProblem = compileProblem(pattern, flags);
  return patternProblem === undefined ? undefined : { parameter: "pattern", message: patternProblem };
}

function compileProblem(pattern: string, flags: string): string | undefined {
  try {
    new RegExp(pattern, flags);
    return undefined;
  } catch (cause) {
    return messageOf(cause);
  }
}

/** How many capture groups a valid pattern has. */
export function countGroups(pattern: string): number {
  // With an empty alternative it matches the empty text, and a match lists every group.
  return (new RegExp(`${pattern}|`).exec("")?.length ?? 1) - 1;
}
