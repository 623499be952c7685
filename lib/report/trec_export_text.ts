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

/** The two files, and the command by which trec_eval measures what the run measured. */
export function trecExportText(
  { evaluators }: Pick<RunHeader, "evaluators">,
  { qrels, run }: { readonly qrels: TrecFile; readonly run: TrecFile },
): string {
  const measures = [...new Set(evaluators.flatMap(measureOf))];
  const asked = measures.length === 0
    ? "-m ndcg_cut.10"
    : measures.map((measure) => `-m ${measure}`).join(" ");
  return [
    `${oneLine(qrels.path)}  ${counted(qrels.lines, "label")} of ${counted(qrels.topics, "topic")}`,
    `${oneLine(run.path)}  ${counted(run.lines, "passage")} of ${counted(run.topics, "topic")}`,
    // -c: a topic of which nothing was retrieved counts as 0, as it does in our measures.
    `Next: trec_eval -c ${asked} ${shellWord(qrels.path)} ${shellWord(run.path)}`,
  ].join("\n") + "\n";
}

/** What trec_eval calls a measure of ours; mrr is its own command, since `-M k` would cut the other measures, too. */
function measureOf({ type, parameters: { k } }: EvaluatorSpec): readonly string[] {
  const name = { hit_rate: "success", recall: "recall", precision: "P", ndcg: "ndcg_cut" }[type];
  return name === undefined ? [] : [`${name}.${k}`];
}
