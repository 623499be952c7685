/** What `export --format trec` says. */
import type { EvaluatorSpec } from "../domain/project.ts";
import type { RunHeader } from "../domain/run.ts";
import { oneLine, shellWord } from "./printable.ts";
import { counted } from "./run_text.ts";

/** A file that was written; `path` as the user would type it. */
export interface TrecFile {
  readonly path: string;
  readonly topics: number;
  readonly lines: number;
}

/** The two files, and the commands by which trec_eval measures what the run measured. */
export function trecExportText(
  { evaluators }: Pick<RunHeader, "evaluators">,
  { qrels, run }: { readonly qrels: TrecFile; readonly run: TrecFile },
): string {
  const measures = [...new Set(evaluators.flatMap(measureOf))];
  // `-M k` cuts every measure, so that each cut of mrr needs a command of its own.
  const cuts = [
    ...new Set(evaluators.filter(({ type }) => type === "mrr").map(({ parameters: { k } }) => k)),
  ];
  const asked = [
    ...(measures.length === 0 && cuts.length > 0
      ? []
      : [measures.map((measure) => `-m ${measure} `).join("")]),
    ...cuts.map((k) => `-M ${k} -m recip_rank `),
  ];
  const files = `${shellWord(qrels.path)} ${shellWord(run.path)}`;
  return [
    `${oneLine(qrels.path)}  ${counted(qrels.lines, "label")} of ${counted(qrels.topics, "topic")}`,
    `${oneLine(run.path)}  ${counted(run.lines, "passage")} of ${counted(run.topics, "topic")}`,
    // -c: a topic of which nothing was retrieved counts as 0, as it does in our measures.
    ...asked.map((options, index) => `${index === 0 ? "Next: " : "      "}trec_eval -c ${options}${files}`),
  ].join("\n") + "\n";
}

/** What trec_eval calls a measure of ours. */
function measureOf({ type, parameters: { k } }: EvaluatorSpec): readonly string[] {
  const name = { hit_rate: "success", recall: "recall", precision: "P", ndcg: "ndcg_cut" }[type];
  return name === undefined ? [] : [`${name}.${k}`];
}
