/** Loads the user's functions that evaluators call, before any case is run. */
import { OloproofError } from "../domain/error.ts";
import { copyJson } from "../domain/json.ts";
import type { EvaluatorPorts } from "../domain/ports.ts";
import type { Project } from "../domain/project.ts";
import type { CaseRecord } from "../domain/record.ts";
import { loadExport } from "../system/load_export.ts";
import { createPatterns } from "../system/patterns.ts";
import { type Judges, loadJudges } from "./load_judges.ts";
import type { Surroundings } from "./surroundings.ts";

/** The user's functions, and the digests of their code. */
export interface UserFunctions {
  readonly ports: EvaluatorPorts;
  /** Source digests by `module:export`, those of functions that judge among them. */
  readonly sources: ReadonlyMap<string, string>;
  /** Absent when no evaluator asks a judge. */
  readonly judges?: Judges;
}

/** What a user's function is called with: the record, flat, as `export --format jsonl` writes it. */
function recordForUser(record: CaseRecord) {
  const { case: { id, gold_from_corpus: _, ...content }, ...observed } = record;
  return copyJson({ case_id: id, ...content, ...observed });
}

/**
 * Loads every `module:export` that an evaluator of the project names.
 *
 * @throws {OloproofError} What loading throws; `not_a_function`.
 */
export async function loadFunctions(
  project: Project,
  surroundings: Pick<Surroundings, "clock" | "stop" | "env">,
): Promise<UserFunctions> {
  const { clock, stop } = surroundings;
  const functions = new Map<string, (record: unknown) => unknown>();
  const sources = new Map<string, string>();
  for (const { type, parameters: { object } } of project.evaluators) {
    if (type !== "function" || typeof object !== "string") continue;
    const { value, where, source_digest } = await loadExport(object, project.root);
    if (typeof value !== "function") {
      throw new OloproofError(`Cannot use the evaluator ${JSON.stringify(object)}: it is not a function`, {
        code: "not_a_function",
        kind: "configuration",
        where,
        hint: "export a function that takes the record and returns a boolean or a number in [0, 1]",
      });
    }
    functions.set(object, (record) => Reflect.apply(value, undefined, [record]));
    sources.set(object, source_digest);
  }
  const callFunction = async (object: string, record: CaseRecord) => {
    const watch = new AbortController();
    const seconds = project.run.timeout_seconds;
    const { promise: stopped, reject } = Promise.withResolvers<never>();
    const onStop = () => reject(stop.reason);
    stop.addEventListener("abort", onStop, { once: true });
    const timeout = clock.wait(seconds * 1000, watch.signal).then(() => {
      throw new Error(`no answer within ${seconds} s (run.timeout_seconds)`);
    });
    // Called inside a promise, so that one that throws at once loses the race like any other.
    const answer = Promise.resolve().then(() => functions.get(object)?.(recordForUser(record)));
    try {
      return await Promise.race([answer, timeout, stopped]);
    } finally {
      watch.abort();
      stop.removeEventListener("abort", onStop);
    }
  };
  const judges = await loadJudges(project, surroundings);
  return {
    ports: { patterns: createPatterns(), callFunction, stop },
    sources: new Map([...sources, ...judges?.sources ?? []]),
    ...(judges === undefined ? {} : { judges }),
  };
}
