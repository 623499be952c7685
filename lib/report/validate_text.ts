/** What `validate` says, as text. */
import type { Validation } from "../domain/run_report.ts";
import { oneLine } from "./printable.ts";
import { counted } from "./run_text.ts";

/** A project without mistakes, and how many cases each evaluator can judge. */
export function validationText(
  { project, cases, repeats, evaluators }: Validation,
  program = "oloproof",
): string {
  const lines = evaluators.map(({ criterion, type, applies_to, excluded }) =>
    `  ${criterion} (${type}): ${counted(applies_to, "case")}${
      excluded === 0 ? "" : `, ${excluded} excluded`
    }`
  );
  const times = repeats === 1 ? "" : `, each executed ${repeats} times`;
  const head = `${oneLine(project ?? "The project")}: no mistakes · ${counted(cases, "case")}${times} · ${
    counted(evaluators.length, "evaluator")
  }`;
  return [head, ...lines, "The code of the system was not loaded; run does that.", `Next: ${program} run`]
    .join("\n") + "\n";
}
