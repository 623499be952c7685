/** A system under test: settings as data, stages as functions; two of them, or one that answers at once. */
import { z } from "zod";
import { OloproofError } from "../domain/error.ts";
import type { Json, JsonObject } from "../domain/json.ts";
import type { Passage } from "../domain/passage.ts";
import type { Usage } from "../domain/record.ts";
import { type PartialSettings, partialSettingsSchema } from "../domain/settings.ts";

/** The last argument of every stage. */
export interface StageTools {
  /** Fires when the stage has run out of time or the run was interrupted. */
  readonly signal: AbortSignal;
  /** The settings' `params` of this stage. */
  readonly params: JsonObject;
  /** Records what the call used; several calls add up. */
  usage(used: Usage): void;
}

/** What retrieve returns: the query that it really used, and up to `depth` candidates in its own order. */
export interface RetrieveResult {
  /** The query after any rewriting; handed to generate and recorded. Absent = it is not told. */
  readonly query?: Json;
  /** May repeat the depth that was asked for; it is not read. */
  readonly depth?: number;
  /** Best first; more than `depth` of them, or one without `doc_id`, is an `invalid_output`. */
  readonly candidates: readonly Passage[];
}

/** The stages of a system. They may be async, and methods of a class instance: `this` is kept. */
export interface RagStages<Input = Json> {
  /** Finds up to `depth` candidates for the input. */
  retrieve(input: Input, depth: number, tools: StageTools): RetrieveResult | Promise<RetrieveResult>;
  /** Answers from the context, exactly the passages in exactly this order. Returns any JSON value. */
  generate(
    input: Input,
    context: readonly Passage[],
    tools: StageTools & { readonly query?: Json },
  ): unknown;
  /** The size of a passage in tokens, an integer ≥ 0; needed with a token budget. The signal fires at the time limit. */
  countTokens?(passage: Passage, options?: { readonly signal?: AbortSignal }): number | Promise<number>;
  /** The passages as really sent, where the system assembles its context in a way of its own. */
  assemble?(
    input: Input,
    candidates: readonly Passage[],
    limits: { readonly top_k: number; readonly token_budget: number | null },
    options?: { readonly signal?: AbortSignal },
  ): readonly Passage[] | Promise<readonly Passage[]>;
}

/** What `answer` returns. */
export interface AnswerResult {
  /** Any JSON value; what evaluators judge. */
  readonly output: unknown;
  /** What was retrieved, best first; when the system reports `candidates`. */
  readonly candidates?: readonly Passage[];
  /** What the answer was made from, in the order in which it was read; when the system reports `context`. */
  readonly context?: readonly Passage[];
}

/** The one stage of a system that cannot be observed in two: an endpoint, an agent, a hosted assistant. */
export interface AnswerStage<Input = Json> {
  /**
   * Answers the input. `params` are the settings' `params.generate`; `context` is there only in a diagnosis of a system that
   * states `accepts_context`, and then takes the place of everything that it would have retrieved.
   */
  answer(
    input: Input,
    tools: StageTools & { readonly context?: readonly Passage[] },
  ): AnswerResult | Promise<AnswerResult>;
}

/** A system that answers in one stage, as {@link ragSystem} makes it. */
export interface OneStageSystem<Input = Json> {
  /** The system's own; the project's and a run's `set` go over them, key by key. */
  readonly settings: PartialSettings;
  /** The object that holds `answer`. */
  readonly stages: AnswerStage<Input>;
}

/** A system under test as {@link ragSystem} makes it. */
export interface RagSystem<Input = Json> {
  /** The system's own; the project's and a run's `set` go over them, key by key. */
  readonly settings: PartialSettings;
  /** The functions as they were given, or the class instance that holds them. */
  readonly stages: RagStages<Input>;
}

const settingKeys = Object.keys(partialSettingsSchema.shape);

/** Whether a system answers in one stage. */
export function isOneStage(stages: object): stages is AnswerStage {
  return "answer" in stages;
}

/**
 * Describes a system: its settings (snake_case data, which the project file may override key by
 * key) and its stages (functions, or a class instance).
 *
 * No stage is called here. A setting may be left to the project; `name`, `version`, `depth` and `top_k` must
 * be stated by one of the two by the time of a run, and a `token_budget` (in tokens; null or absent = none)
 * needs `countTokens` or `assemble`. A system that answers in one stage needs a `name` and a `version` alone, and says
 * by `reports` and `accepts_context` what can be told of it; both are empty or false when absent.
 *
 * @param settings `depth` and `top_k` are numbers of candidates, integers ≥ 1 with top_k ≤ depth.
 * @param stages `retrieve` and `generate`, with `countTokens` and `assemble` where they are needed; or `answer` alone.
 * @returns What a project's module exports, or `defineProject` takes as `system`.
 * @throws {OloproofError} `invalid_system` when a setting is unknown or of another type, a stage is
 *   absent, or `answer` stands beside `retrieve` or `generate`.
 *
 * @example A system of two passages
 * ```ts
 * import { ragSystem } from "oloproof";
 *
 * const passages = [
 *   { doc_id: "refunds", text: "Refunds are paid within 14 days." },
 *   { doc_id: "seats", text: "A team plan has 25 seats." },
 * ];
 * export const helpDesk = ragSystem(
 *   { name: "help-desk", version: "1", depth: 2, top_k: 1 },
 *   {
 *     retrieve: (input: { question: string }, depth: number) => ({
 *       query: input.question,
 *       candidates: passages.filter((p) => input.question.includes(p.doc_id)).slice(0, depth),
 *     }),
 *     generate: (_input, context) => ({ answer: context[0]?.text ?? "I do not know." }),
 *   },
 * );
 * ```
 *
 * @example A system that answers in one stage and tells what it answered from
 * ```ts
 * import { ragSystem } from "oloproof";
 *
 * export const assistant = ragSystem(
 *   { name: "assistant", version: "1", reports: ["context"], accepts_context: true },
 *   {
 *     answer(_input: { question: string }, { context = [{ doc_id: "faq", text: "Refunds take 14 days." }] }) {
 *       return { output: { answer: `${context[0]?.text} [${context[0]?.doc_id}]` }, context };
 *     },
 *   },
 * );
 * ```
 */
export function ragSystem<Input = Json>(
  settings: PartialSettings,
  stages: RagStages<Input>,
): RagSystem<Input>;
/** Describes a system that answers in one stage: {@link ragSystem} of two stages tells the rest. */
export function ragSystem<Input = Json>(
  settings: PartialSettings,
  stages: AnswerStage<Input>,
): OneStageSystem<Input>;
export function ragSystem(
  settings: PartialSettings,
  stages: RagStages | AnswerStage,
): RagSystem | OneStageSystem {
  return systemOf(checkSettings(settings, "ragSystem"), checkStages(stages, "ragSystem"));
}

/**
 * Reads what a module exports as a system: the value of {@link ragSystem}, or one object (a class instance, too) that holds
 * settings and stages side by side.
 *
 * @throws {OloproofError} `invalid_system` with the place and what is allowed.
 */
export function readSystem(exported: unknown, where: string): RagSystem | OneStageSystem {
  if (typeof exported === "function") {
    throw invalid(
      where,
      "the export is a function or a class",
      "export what it makes: ragSystem(…), an object, or an instance (new MySystem(…))",
    );
  }
  if (typeof exported !== "object" || exported === null) {
    throw invalid(where, `the export is ${exported === null ? "null" : typeof exported}`);
  }
  if ("settings" in exported && "stages" in exported) {
    return systemOf(checkSettings(exported.settings, where), checkStages(exported.stages, where));
  }
  const stated = Object.fromEntries(
    settingKeys.filter((key) => key in exported).map((key) => [key, Reflect.get(exported, key)]),
  );
  return systemOf(checkSettings(stated, where), checkStages(exported, where));
}

function systemOf(settings: PartialSettings, stages: RagStages | AnswerStage): RagSystem | OneStageSystem {
  return isOneStage(stages) ? { settings, stages } : { settings, stages };
}

function checkSettings(settings: unknown, where: string): PartialSettings {
  const checked = partialSettingsSchema.safeParse(settings);
  if (checked.success) return checked.data;
  throw invalid(
    where,
    `its settings do not fit: ${z.prettifyError(checked.error).replaceAll("\n", " ")}`,
    `settings are ${settingKeys.join(", ")}`,
  );
}

function checkStages(stages: unknown, where: string): RagStages | AnswerStage {
  if (typeof member(stages, "answer") === "function") return checkAnswer(stages as AnswerStage, where);
  const absent = ["retrieve", "generate"].filter((name) => typeof member(stages, name) !== "function");
  if (absent.length > 0) {
    throw invalid(
      where,
      `it has no function ${absent.map((name) => `"${name}"`).join(" and no function ")}`,
      "a system has the functions retrieve(input, depth, tools) and generate(input, context, tools), or answer(input, tools) alone",
    );
  }
  for (const name of ["countTokens", "assemble"]) {
    const optional = member(stages, name);
    if (optional !== undefined && typeof optional !== "function") {
      throw invalid(where, `its "${name}" is ${typeof optional}, not a function`);
    }
  }
  return stages as RagStages;
}

/** One stage or two: of both it could not be said which was run. */
function checkAnswer(stages: AnswerStage, where: string): AnswerStage {
  const other = ["retrieve", "generate", "assemble", "countTokens"].find((name) =>
    member(stages, name) !== undefined
  );
  if (other === undefined) return stages;
  throw invalid(
    where,
    `it has "answer" and "${other}"`,
    "give it retrieve and generate, which are observed apart, or answer alone",
  );
}

function member(of: unknown, name: string): unknown {
  return typeof of === "object" && of !== null ? Reflect.get(of, name) : undefined;
}

function invalid(where: string, problem: string, hint?: string): OloproofError {
  return new OloproofError(`Cannot use the system: ${problem}`, {
    code: "invalid_system",
    kind: "configuration",
    where,
    hint: hint ?? "export ragSystem(settings, stages), or one object with settings and stages",
  });
}
