/** The cases of a sweep, row by row. */
import type { Sweep } from "../domain/sweep.ts";
import { printable } from "../report/printable.ts";
import { affected, settingText } from "../report/sweep_text.ts";
import { caseFacts, type DetailMaker, execution } from "./case_detail.ts";
import { changeOf, previewOf, type ReportedCase } from "./case_rows.ts";
import type { EvidenceCell, EvidenceColumn, EvidenceRow } from "./evidence.ts";

/** A case of a sweep: as the run recorded it, and under each combination, as far as the store holds it. */
export interface ReportedSweep {
  readonly recorded: ReportedCase;
  readonly combinations: readonly (ReportedCase | undefined)[];
}

/** The columns of a sweep's cases: a column per combination. */
export function sweepColumns({ content }: Sweep, { withText }: DetailMaker): readonly EvidenceColumn[] {
  return [
    { name: "Case" },
    ...(withText ? [{ name: "Input", preview: true }] : []),
    ...content.combinations.map((combination) => ({ name: settingText(combination), choice: true })),
  ];
}

/**
 * A case of a sweep, in the order of {@link sweepColumns}. When it is opened, the combinations are shown under which it was answered
 * or judged otherwise than in the run.
 */
export function sweepRow(found: ReportedSweep, { content }: Sweep, maker: DetailMaker): EvidenceRow {
  const { recorded, combinations } = found;
  const [first, ...repeats] = recorded.executions;
  const criteria = affected(content);
  const differing = combinations.flatMap((combination, index) =>
    combination === undefined || isSame(recorded, combination)
      ? []
      : combination.executions.map((one) => execution(settingText(content.combinations[index]), one, maker))
  );
  return {
    cells: [
      printable(first.record.case.id),
      ...previewOf(first, maker),
      ...combinations.map((combination) => changesCell(recorded, combination, criteria)),
    ],
    detail: {
      id: printable(first.record.case.id),
      facts: caseFacts(first, maker),
      executions: [...[first, ...repeats].map((one) => execution("the run", one, maker)), ...differing],
    },
  };
}

/** Whether a combination answered a case from the same context with the same words. */
function isSame(recorded: ReportedCase, combination: ReportedCase): boolean {
  const told = ({ executions }: ReportedCase) =>
    JSON.stringify(executions.map(({ record: { context, output, error } }) => ({ context, output, error })));
  return told(recorded) === told(combination);
}

/** Which criteria a combination changed, and how; what is worse is sorted first. */
function changesCell(
  recorded: ReportedCase,
  combination: ReportedCase | undefined,
  criteria: readonly string[],
): EvidenceCell {
  if (combination === undefined) return ["not in this store", "not in this store", 4];
  const changes = criteria.flatMap((criterion) => {
    const change = changeOf(recorded.judgments.get(criterion), combination.judgments.get(criterion));
    return change === "better" || change === "worse" ? [{ criterion, change }] : [];
  });
  const text = changes.map(({ criterion, change }) => `${change}: ${criterion}`).join(", ");
  const kinds = new Set(changes.map(({ change }) => change));
  if (kinds.size === 2) return [text, "better and worse", 1];
  if (kinds.has("worse")) return [text, "worse", 0];
  if (kinds.has("better")) return [text, "better", 2];
  return ["no change", "no change", 3];
}
