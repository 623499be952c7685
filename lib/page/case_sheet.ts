/** One case as tables and a picture. */
import type { Json } from "../domain/json.ts";
import type { Passage } from "../domain/passage.ts";
import { relevantIn, unitKey } from "../domain/relevance.ts";
import type { EntryCondition, InspectedCase } from "../domain/run_report.ts";
import { candidatesPicture } from "../picture/candidates_picture.ts";
import { conditionText, judgmentText, whyAbsent, withoutPassages } from "../report/inspect_text.ts";
import { ABSENT } from "../report/metric_text.ts";
import { countCell, numberCell } from "./metric_table.ts";
import { type Section, section, type Sheet, type Table } from "./sheet.ts";

/** A case: what went in, what was retrieved, what reached the generator, what came out, how it was judged; each repeat of it. */
export function caseSheet(found: InspectedCase, repeats: readonly InspectedCase[] = [found]): Sheet {
  const { record: { case: testCase, query }, run_id } = found;
  const { input, expected, metadata } = testCase;
  const facts: readonly (readonly [string, Json | undefined])[] = [
    ["Input", input],
    ["Expected", expected === undefined ? undefined : withoutPassages(expected)],
    ["Metadata", metadata],
    ["Query", query],
  ];
  return {
    title: `Case ${testCase.id}`,
    facts: [
      ["Run", run_id],
      ...facts.flatMap(([name, value]) =>
        value === undefined ? [] : [[name, JSON.stringify(value)] as const]
      ),
    ],
    sections: repeats.flatMap(executionSections),
  };
}

function executionSections(found: InspectedCase): readonly Section[] {
  const { record: { context, output, error }, judgments, repeat } = found;
  const which = repeat === undefined ? "" : `, repeat ${repeat}`;
  return [
    candidateSection(found, which),
    section(`Context and output${which}`, {
      tables: contextTables(context),
      lines: [
        ...(context === undefined
          ? [`Context: ${error === undefined ? "not reported" : "not reached"}`]
          : []),
        output === undefined ? "Output: not reached" : `Output: ${JSON.stringify(output)}`,
        ...(error === undefined ? [] : [`Failed: ${error.stage} ${error.kind}: ${error.message}`]),
      ],
    }),
    section(`Judgments${which}`, {
      tables: [{
        caption: `Judgments${which}`,
        columns: [{ name: "Criterion" }, { name: "Judgment" }],
        rows: judgments.map(({ criterion, judgment }) => [criterion, judgmentText(judgment)]),
      }],
    }),
  ];
}

function candidateSection(found: InspectedCase, which: string): Section {
  const { record } = found;
  const picture = candidatesPicture(found);
  return section(`Candidates${which}`, {
    tables: record.candidates === undefined || record.candidates.length === 0 ? [] : [candidateTable(found)],
    pictures: picture === undefined ? [] : [picture],
    lines: record.candidates === undefined
      ? [`Candidates: ${whyAbsent(record.error)}`]
      : record.candidates.length === 0
      ? ["The retriever found nothing."]
      : [],
  });
}

function candidateTable({ record, relevance_unit, entry }: InspectedCase): Table {
  const relevant = relevantIn(record.case.expected, relevance_unit);
  return {
    caption: "Candidates",
    columns: [
      { name: "Position", numeric: true },
      { name: "Passage" },
      { name: "Relevant" },
      { name: "Score", numeric: true },
      { name: "Tokens", numeric: true },
      { name: "Fate" },
    ],
    rows: (record.candidates ?? []).map((candidate, index) => {
      const dropped = record.dropped?.find(({ position }) => position === index + 1);
      const tokens = dropped?.tokens ?? record.tokens?.[index];
      return [
        countCell(index + 1),
        nameOf(candidate),
        relevant.has(unitKey(candidate, relevance_unit) ?? "") ? "relevant" : "",
        numberCell(
          candidate.score === undefined ? ABSENT : String(Number(candidate.score.toPrecision(6))),
          candidate.score ?? null,
        ),
        numberCell(tokens === undefined ? ABSENT : String(tokens), tokens ?? null),
        fateText(record, index + 1, entry),
      ];
    }),
  };
}

/** What became of the candidate at a position. */
export function fateText(
  { dropped, context, tokens }: InspectedCase["record"],
  position: number,
  entry: readonly EntryCondition[],
): string {
  const drop = dropped?.find((one) => one.position === position);
  if (drop === undefined) {
    return context === undefined || dropped === undefined ? "not known" : "in the context";
  }
  const condition = entry.find((one) => one.position === position);
  return `dropped: ${drop.reason}${
    condition === undefined ? "" : `, enters from ${conditionText(condition, tokens !== undefined)}`
  }`;
}

function contextTables(context: readonly Passage[] | undefined): readonly Table[] {
  if (context === undefined || context.length === 0) return [];
  return [{
    caption: "Context, as it was received",
    columns: [{ name: "Passage" }, { name: "Text" }],
    rows: context.map((passage) => [nameOf(passage), passage.text ?? "(no text)"]),
  }];
}

function nameOf({ doc_id, chunk_id }: Passage): string {
  return chunk_id === undefined ? doc_id : `${doc_id} ${chunk_id}`;
}
