/** A project made in code, without any file. */
import process from "node:process";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseProject } from "../config/parse_project.ts";
import type { Case } from "../domain/case.ts";
import { issuesError } from "../domain/error.ts";
import type { JudgingOptions } from "../domain/judge.ts";
import type { JsonObject } from "../domain/json.ts";
import type { Project } from "../domain/project.ts";
import type { OneStageSystem, RagSystem } from "../stages/rag_system.ts";

/** A project as data and objects; the keys are those of `oloproof.yaml`. */
export interface ProjectDefinition<Input> {
  /** What `ragSystem` returns. Its own settings hold; `run(project, { set })` overrides them. */
  readonly system: RagSystem<Input> | OneStageSystem<Input>;
  /**
   * The module that holds the system (`import.meta.url`): it and its relative imports then belong to the identity of what the
   * system makes. Without it only the text of the functions does.
   */
  readonly source?: string;
  /** The cases themselves, or paths of JSONL files. */
  readonly cases: readonly Case[] | string | readonly string[];
  /** A JSONL file of passages `{ doc_id, chunk_id?, text }`, from which gold contexts are filled that cases lack. */
  readonly corpus?: string;
  /** `{ type, criterion?, … }` each. */
  readonly evaluators?: readonly JsonObject[];
  /** `metadata.<path>`, `input.<path>`, `relevant_position` or `context_truncated`; default: none. */
  readonly slices?: readonly string[];
  /** Cases, an integer ≥ 1, from which a slice shows metrics; default 5. */
  readonly min_slice_support?: number;
  /** What counts as one relevant unit where an evaluator states none; default `document`. */
  readonly relevance_unit?: "document" | "chunk";
  /** Defaults: 8 cases at once, 60 seconds for a call of a stage, no retries, each case once. */
  readonly run?: {
    readonly concurrency?: number;
    readonly timeout_seconds?: number;
    readonly retries?: number;
    readonly repeats?: number;
  };
  /** Defaults: 16 judge calls at once, 60 seconds each, 4 retries, no limits. */
  readonly judging?: Partial<JudgingOptions>;
  /** A path or URL; default `.oloproof/oloproof.db`. */
  readonly store?: string;
  /** What paths are relative to; default: the current folder. */
  readonly root?: string;
}

/** Stands for the system while the rest is checked; it is never loaded. */
const PLACEHOLDER = "inline:system";

/**
 * Defines a project in code. The system's functions are its source: their text is part of the identity of
 * what they make, values that they close over are not, unless
 * `source` names the module.
 *
 * The system's own settings hold; `run(project, { set })` overrides them. Cases given as objects are checked
 * when the project is validated or run, and so are case files, whose paths are relative to `root`. Without
 * evaluators a run records and judges nothing.
 *
 * @param definition The keys of `oloproof.yaml` with the same meaning, units and defaults, and `root`.
 * @returns The checked project, as `openProject` gives it for a file.
 * @throws {OloproofError} Every mistake at once (`issues`, without lines), as for a project file.
 *
 * @example A project of one case
 * ```ts
 * import { defineProject, ragSystem } from "oloproof";
 *
 * const project = defineProject({
 *   system: ragSystem({ name: "echo", version: "1", depth: 1, top_k: 1 }, {
 *     retrieve: (input: string) => ({ candidates: [{ doc_id: "a", text: input }] }),
 *     generate: (_input, context) => ({ answer: context[0]?.text ?? "" }),
 *   }),
 *   cases: [{ id: "first", input: "blue", expected: { answer: "blue" } }],
 *   evaluators: [{ type: "equals", field: "answer", expected_field: "answer" }],
 * });
 * ```
 */
export function defineProject<Input>(definition: ProjectDefinition<Input>): Project {
  const { system, cases, source, root = process.cwd(), ...rest } = definition;
  const inline = Array.isArray(cases) && cases.every((item) => typeof item === "object");
  const text = JSON.stringify({
    ...rest,
    ...(inline ? {} : { cases }),
    system: { rag: { object: PLACEHOLDER } },
  });
  const parsed = parseProject(text, { file: "defineProject", root: resolve(root) });
  if (!parsed.ok) {
    // Places in a text that the caller never saw would only confuse.
    const issues = parsed.issues.map(({ line: _line, column: _column, ...issue }) => issue);
    throw issuesError("Cannot define the project", issues);
  }
  return {
    ...parsed.project,
    system: {
      kind: "inline",
      system,
      identity: "source",
      ...(source === undefined
        ? {}
        : { module: source.startsWith("file:") ? fileURLToPath(source) : source }),
    },
    ...(inline ? { cases: { kind: "inline", cases: cases as readonly Case[] } } : {}),
  };
}
