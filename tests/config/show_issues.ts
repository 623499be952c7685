/** Issues as lines of text, so that a test shows all of them at a glance. */
import { type Issue, placeOf } from "../../lib/domain/error.ts";

/** `place code: message` and, where there is one, ` (hint)`. A result that is right has no lines. */
export function showIssues(
  result: { readonly ok: true } | { readonly ok: false; readonly issues: readonly Issue[] } | undefined,
): readonly string[] {
  if (result === undefined || result.ok) return [];
  return result.issues.map((issue) => {
    const hint = issue.hint === undefined ? "" : ` (${issue.hint})`;
    return `${placeOf(issue)} ${issue.code}: ${issue.message}${hint}`;
  });
}
