/** Gets the judges of a project ready: its functions are loaded, its keys looked for; no model is asked. */
import { OloproofError } from "../domain/error.ts";
import { canonicalJson } from "../domain/identity.ts";
import {
  type JudgeModel,
  judgeModelOf,
  type JudgeQuestion,
  type JudgeReply,
  type JudgingOptions,
} from "../domain/judge.ts";
import type { Project } from "../domain/project.ts";
import type { Usage } from "../domain/record.ts";
import { askJudge } from "../judges/ask_judge.ts";
import { keyVariableOf } from "../judges/endpoint.ts";
import { aiSdkModel } from "../provider/ai_sdk_model.ts";
import { PatientModel } from "../provider/ask_patiently.ts";
import { CallGate } from "../provider/call_gate.ts";
import type { ChatModel } from "../provider/chat_model.ts";
import { objectModel } from "../provider/object_model.ts";
import { loadExport } from "../system/load_export.ts";
import type { Surroundings } from "./surroundings.ts";

/** A judge of the project. */
interface ReadyJudge {
  readonly model: JudgeModel;
  readonly criterion: string;
  /** The variable that holds its key; absent where none is sent. */
  readonly variable?: string;
  /** The user's function, of a judge that is one. */
  readonly call?: (question: unknown, tools: unknown) => unknown;
}

/** The judges of a run: they share its limits. */
export class Judges {
  readonly #gate: CallGate;
  readonly #models = new Map<string, Promise<PatientModel>>();
  readonly #judges: ReadonlyMap<string, ReadyJudge>;

  constructor(
    private readonly ready: readonly ReadyJudge[],
    /** Digests of the functions' code, by `module:export`. */
    readonly sources: ReadonlyMap<string, string>,
    private readonly options: JudgingOptions,
    private readonly surroundings: Pick<Surroundings, "clock" | "stop" | "env">,
  ) {
    this.#gate = new CallGate(options, surroundings.clock, surroundings.stop);
    // Of two judges that differ only in the name of their key the first one's is used.
    this.#judges = new Map(ready.toReversed().map((judge) => [canonicalJson(judge.model), judge]));
  }

  /** @throws {OloproofError} `missing_api_key`: better now than after the first case was paid for. */
  requireKeys(): void {
    for (const { variable, criterion } of this.ready) {
      if (variable === undefined || (this.surroundings.env(variable) ?? "") !== "") continue;
      throw new OloproofError(`Cannot judge ${criterion}: there is no key in ${variable}`, {
        code: "missing_api_key",
        kind: "configuration",
        hint: `set the environment variable ${variable}, or name another with api_key_env`,
      });
    }
  }

  /**
   * Asks a judge, through the limits of the run.
   *
   * @param onUse Told of the use of every attempt.
   * @throws The reason of `stop`.
   */
  async ask(
    model: JudgeModel,
    question: JudgeQuestion,
    onUse: (usage: Usage) => void,
  ): Promise<JudgeReply> {
    const key = canonicalJson(model);
    const made = this.#models.get(key) ?? this.#patient(model, this.#judges.get(key));
    this.#models.set(key, made);
    const patient = await made;
    return await askJudge(question, (prompt) => patient.ask(prompt, question, onUse));
  }

  async #patient(model: JudgeModel, judge: ReadyJudge | undefined): Promise<PatientModel> {
    if (judge === undefined) throw new TypeError("no evaluator of the project has this judge");
    const { clock, stop } = this.surroundings;
    const price = this.options.prices[model.model ?? ""];
    return new PatientModel(await this.#chatModel(judge), {
      clock,
      stop,
      gate: this.#gate,
      options: this.options,
      ...(price === undefined ? {} : { price }),
    });
  }

  async #chatModel({ model, call, variable }: ReadyJudge): Promise<ChatModel> {
    if (call !== undefined) return objectModel(call);
    const { env, clock } = this.surroundings;
    const apiKey = variable === undefined ? undefined : env(variable);
    return await aiSdkModel(model, { apiKey, keyName: variable, now: () => clock.now() });
  }
}

/**
 * Loads the functions that judge; keys are only looked for when they are required. Undefined when no evaluator asks a judge.
 *
 * @throws {OloproofError} What loading throws; `not_a_function`.
 */
export async function loadJudges(
  { evaluators, root, judging }: Pick<Project, "evaluators" | "root" | "judging">,
  surroundings: Pick<Surroundings, "clock" | "stop" | "env">,
): Promise<Judges | undefined> {
  const ready: ReadyJudge[] = [];
  const sources = new Map<string, string>();
  for (const { criterion, parameters } of evaluators) {
    const model = judgeModelOf(parameters);
    if (model === undefined) continue;
    if (model.object === undefined) {
      const { api_key_env } = parameters;
      const named = typeof api_key_env === "string" ? api_key_env : undefined;
      const variable = keyVariableOf(model.provider, named);
      ready.push({ model, criterion, ...(variable === undefined ? {} : { variable }) });
      continue;
    }
    const { value, where, source_digest } = await loadExport(model.object, root);
    if (typeof value !== "function") throw notAFunction(model.object, where);
    sources.set(model.object, source_digest);
    ready.push({
      model,
      criterion,
      call: (question, tools) => Reflect.apply(value, undefined, [question, tools]),
    });
  }
  return ready.length === 0 ? undefined : new Judges(ready, sources, judging, surroundings);
}

function notAFunction(object: string, where: string): OloproofError {
  return new OloproofError(`Cannot use the judge ${JSON.stringify(object)}: it is not a function`, {
    code: "not_a_function",
    kind: "configuration",
    where,
    hint: 'export a function that takes a question and returns a verdict: { reason, verdict: "pass" }',
  });
}
