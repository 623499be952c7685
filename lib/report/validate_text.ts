/** What `validate` says, as text. */
import type { Validation } from "../domain/run_report.ts";
import { oneLine } from "./printable.ts";
import { counted } from "./run_text.ts";

/** A project without mistakes, and how many cases each evaluator can judge. */
export function validationText(
  { project, cases, repeats, evaluators, records, gold_context: gold }: Validation,
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
  return [
    head,
    ...lines,
    ...(gold === undefined ? [] : [
      `Gold context: ${gold.own} of their own, ${gold.from_corpus} from the corpus, ${gold.none} without`,
    ]),
    records === undefined
      ? "The code of the system was not loaded; run does that."
      : `Records: ${records.cases} of ${counted(cases, "case")} have one` +
        (records.unused === 0 ? "" : `; ${counted(records.unused, "record")} of no case`),
    `Next: ${program} run`,
  ].join("\n") + "\n";
}
