/** The `oloproof.yaml` of an imported project. */
import type { Json } from "../domain/json.ts";
import type { ProjectDraft } from "./imported.ts";
import { STARTER_EXPORT } from "./starter_app.ts";

/** Candidates that a starter is asked for. */
const STARTER_DEPTH = 10;

/** Where the answers of a project come from. */
export type ProjectSystem =
  | { readonly kind: "records" }
  | { readonly kind: "starter"; readonly index_version: string };

/** The text of the file. */
export function projectFile(
  { name, evaluators, depth, slices }: ProjectDraft,
  system: ProjectSystem,
): string {
  return [
    "# What is run, on which cases, and how its answers are judged.",
    "system:",
    `  name: ${scalar(name)}`,
    ...systemLines(system, depth),
    "cases: cases.jsonl",
    evaluators.length === 0 ? "evaluators: []" : "evaluators:",
    ...evaluators.map((evaluator) => `  - ${flow(evaluator)}`),
    ...(slices.length === 0 ? [] : [`slices: [${slices.map(scalar).join(", ")}]`]),
    "",
  ].join("\n");
}

function systemLines(system: ProjectSystem, depth: number | undefined): readonly string[] {
  if (system.kind === "records") {
    return [
      "  version: imported",
      "  rag:",
      "    records: records.jsonl # what the system answered; nothing is called",
      ...(depth === undefined ? [] : [`    depth: ${depth} # the longest list of candidates`]),
    ];
  }
  return [
    "  rag:",
    `    object: app.ts:${STARTER_EXPORT} # a starter: put your own system in its place`,
    `    depth: ${depth ?? STARTER_DEPTH}`,
    `    top_k: ${Math.min(3, depth ?? STARTER_DEPTH)}`,
    `    index_version: ${scalar(system.index_version)} # change it when the corpus or the retriever changes`,
    "    files: [corpus.jsonl]",
  ];
}

function flow(values: Readonly<Record<string, Json>>): string {
  return `{${Object.entries(values).map(([key, value]) => `${key}: ${scalar(value)}`).join(", ")}}`;
}

/** A word that YAML reads as text stands as it is; all else as JSON, which YAML reads, too. */
function scalar(value: Json): string {
  const isWord = typeof value === "string" && /^[a-z_][\w.-]*$/i.test(value) &&
    !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(value);
  return isWord ? value : JSON.stringify(value).replace(/[\u007f-\u009f\u2028\u2029\ufeff]/g, escape);
}

function escape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
