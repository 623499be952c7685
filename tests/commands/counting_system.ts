/** A system that counts its calls, fails where it is told to, and can be stopped in the middle. */
import type { Case } from "../../lib/domain/case.ts";
import type { Project } from "../../lib/domain/project.ts";
import { exportCases } from "../../lib/commands/export.ts";
import { caseLine } from "../../lib/report/case_line.ts";
import { type RagStages, ragSystem } from "../../lib/stages/rag_system.ts";
import { testProject, testSurroundings } from "./run_surroundings.ts";
import type { Progress, Surroundings } from "../../lib/commands/surroundings.ts";

/** What a test can look at, and change, while the system runs. */
export interface Counting {
  readonly calls: { retrieve: number; generate: number };
  /** Inputs of which generate throws. */
  readonly broken: Set<string>;
  /** Called with the input before generate answers. */
  onGenerate: (input: string) => void | Promise<unknown>;
}

/** The stages of a system that answers with its input, and what it counted. */
export function countingStages(): Counting & { readonly stages: RagStages<string> } {
  const counting: Counting = {
    calls: { retrieve: 0, generate: 0 },
    broken: new Set(),
    onGenerate: () => {},
  };
  const stages: RagStages<string> = {
    retrieve(input) {
      counting.calls.retrieve++;
      return { candidates: [{ doc_id: input, text: input }, { doc_id: "other", text: "other" }] };
    },
    async generate(input, context, { usage }) {
      counting.calls.generate++;
      await counting.onGenerate(input);
      usage({ input_tokens: 10 });
      if (counting.broken.has(input)) throw new Error("model is gone");
      return { answer: context[0]?.text ?? "" };
    },
    countTokens: () => 1,
  };
  return Object.assign(counting, { stages });
}

export const SETTINGS = { name: "counting", version: "1", depth: 2, top_k: 1, index_version: "i1" };

export const EVALUATORS = [
  { type: "equals", criterion: "right", field: "answer", expected_field: "answer" },
  { type: "mrr", k: 2 },
];

/** Cases c0, c1, … of the inputs; what starts with `wrong` is expected to be answered otherwise. */
export function casesOf(inputs: readonly string[]): readonly Case[] {
  return inputs.map((input, index) => ({
    id: `c${index}`,
    input,
    expected: {
      answer: input.startsWith("wrong") ? "right" : input,
      relevant: [{ doc_id: input }],
      gold_context: [{ doc_id: input, text: "right" }],
    },
    metadata: { half: index % 2 === 0 ? "even" : "odd" },
  }));
}

/** A project of a counting system, in a store of its own. */
export async function countingProject(
  inputs: readonly string[],
  run: { readonly concurrency?: number; readonly repeats?: number } = {},
): Promise<Counting & { readonly project: Project }> {
  const counting = countingStages();
  const project = await testProject({
    system: ragSystem(SETTINGS, counting.stages),
    cases: casesOf(inputs),
    evaluators: EVALUATORS,
    slices: ["metadata.half", "relevant_position"],
    min_slice_support: 1,
    run: { concurrency: 1, ...run },
  });
  return Object.assign(counting, { project });
}

/** The exported lines of a run. */
export async function linesOf(project: Project, id = "latest"): Promise<readonly unknown[]> {
  const lines: unknown[] = [];
  for await (const { run, stored } of exportCases(project.store, id, testSurroundings())) {
    lines.push(caseLine(run, stored));
  }
  return lines;
}

/** An outside that interrupts once so many executions are finished. */
export function interruptedAfter(executions: number): Surroundings & { readonly seen: Progress[] } {
  const stop = new AbortController();
  const seen: Progress[] = [];
  const onProgress = (progress: Progress) => {
    seen.push(progress);
    if (progress.done === executions) stop.abort(new Error("interrupted"));
  };
  return { ...testSurroundings({ stop: stop.signal, onProgress }), seen };
}
