/** What an evaluator is: parameters with a schema, and a function from record to judgment. */
import type { z } from "zod";
import type { Case } from "../domain/case.ts";
import type { JsonObject } from "../domain/json.ts";
import { type Judgment, missing } from "../domain/judgment.ts";
import type { EvaluatorPorts } from "../domain/ports.ts";
import type { CaseRecord } from "../domain/record.ts";
import { isReported, type ReportedPart, type SystemSettings } from "../domain/settings.ts";

/** A record whose execution finished: the output is there. Candidates and context are, too, where the system reports them. */
export type FinishedRecord = CaseRecord & Required<Pick<CaseRecord, "output">>;

/** A part of the record that not every system tells, missing in one that declares to tell it. */
export function notReported(part: ReportedPart): Judgment {
  return missing(
    "not_reported",
    `The system declares that it reports its ${part}; of this answer it did not`,
  );
}

/** How an evaluator type is written: one file holds one of these. `P` is the type of its parameters. */
export interface EvaluatorDefinition<P> {
  readonly type: string;
  /**
   * Raised whenever the same record may be judged otherwise than before, so that no stale judgment is reused.
   */
  readonly version: number;
  /** What it judges; `retrieval` evaluators take the project's `relevance_unit` as their default. */
  readonly reads: "output" | "retrieval" | "context" | "execution";
  /** Whether it reads positions, so that it needs a single ranking; absent = false. */
  readonly ranks?: boolean;
  /** Whether its verdicts are those of a judge, which errs; absent = false. */
  readonly judged?: boolean;
  /** The values that it observes; `either` is left to the user's function. */
  readonly observes: "pass" | "number" | "either";
  /** A strict object schema without `type` and `criterion`. */
  readonly parameters: z.ZodType<P>;
  /** The name of the criterion when the project gives none. */
  criterion(parameters: P): string;
  /** Why the evaluator does not apply to a case, by the case alone; `undefined` when it applies. */
  excludes?(parameters: P, testCase: Case): string | undefined;
  /** The parts of the record that these parameters read besides what `reads` says. */
  needs?(parameters: P): readonly ReportedPart[];
  judge(parameters: P, record: FinishedRecord, ports: EvaluatorPorts): Judgment | Promise<Judgment>;
  /** Judges executions that failed, too; absent = those are missing with `execution_failed`. */
  judgeFailed?(parameters: P, record: CaseRecord): Judgment;
}

/** What a system tells of itself, as far as that decides what can be judged. */
export type ObservedSystem = Pick<SystemSettings, "reports" | "ranked">;

/** An evaluator with its parameters. */
export interface BoundEvaluator {
  /** The name of the criterion when the project gives none. */
  readonly criterion: string;
  excludes(testCase: Case): string | undefined;
  /** Why it does not apply to anything that such a system answers; `undefined` when it does. */
  excludesSystem(system: ObservedSystem): string | undefined;
  judge(record: FinishedRecord, ports: EvaluatorPorts): Judgment | Promise<Judgment>;
  judgeFailed?(record: CaseRecord): Judgment;
}

/** An evaluator type whose parameter type is its own affair. */
export interface EvaluatorType
  extends Pick<EvaluatorDefinition<unknown>, "type" | "version" | "reads" | "observes" | "judged"> {
  readonly parameters: z.ZodType;
  /** Binds parameters; throws a ZodError when they do not fit the schema. */
  bind(parameters: JsonObject): BoundEvaluator;
}

/** Hides the parameter type of a definition, so that one table can hold them all. */
export function defineEvaluator<P>(definition: EvaluatorDefinition<P>): EvaluatorType {
  const { type, version, reads, observes, parameters, judged = false } = definition;
  return {
    type,
    version,
    reads,
    observes,
    judged,
    parameters,
    bind(given) {
      const bound = parameters.parse(given);
      const { judgeFailed } = definition;
      return {
        criterion: definition.criterion(bound),
        excludes: (testCase) => definition.excludes?.(bound, testCase),
        excludesSystem: (system) => excludesSystem(definition, system, definition.needs?.(bound)),
        judge: (record, ports) => definition.judge(bound, record, ports),
        ...(judgeFailed === undefined
          ? {}
          : { judgeFailed: (record: CaseRecord) => judgeFailed(bound, record) }),
      };
    },
  };
}

function excludesSystem(
  { reads, ranks = false }: Pick<EvaluatorDefinition<unknown>, "reads" | "ranks">,
  system: ObservedSystem,
  needs: readonly ReportedPart[] = [],
): string | undefined {
  const lacks = (reader: string, part: ReportedPart) =>
    (reads === reader || needs.includes(part)) && !isReported(system, part);
  if (lacks("retrieval", "candidates")) return "system_reports_no_candidates";
  if (lacks("context", "context")) return "system_reports_no_context";
  return ranks && system.ranked === false ? "no_single_ranking" : undefined;
}
