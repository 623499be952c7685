/**
 * oloproof evaluates retrieval-augmented generation (RAG) systems and finds out why their wrong answers are wrong.
 *
 * @module
 */
export { defineProject, type ProjectDefinition } from "./lib/api/define_project.ts";
export type { CallOptions } from "./lib/api/surroundings.ts";
export { cases, inspect, list, openProject, run, validate } from "./lib/api/verbs.ts";
export type { Inspection, InspectOptions } from "./lib/commands/inspect.ts";
export type { RunOptions } from "./lib/commands/run.ts";
export type { Case, GoldPassage, RelevanceLabel } from "./lib/domain/case.ts";
export { type Issue, OloproofError } from "./lib/domain/error.ts";
export type { Json, JsonObject } from "./lib/domain/json.ts";
export type { Judgment } from "./lib/domain/judgment.ts";
export type { Metric, SliceMetrics } from "./lib/domain/metric.ts";
export type { DroppedPassage, Passage } from "./lib/domain/passage.ts";
export type { Project } from "./lib/domain/project.ts";
export type { StageFailure, Usage } from "./lib/domain/record.ts";
export type {
  FailedCase,
  Funnel,
  InspectedCase,
  Notice,
  RunReport,
  RunSummary,
  Validation,
} from "./lib/domain/run_report.ts";
export type { PartialSettings } from "./lib/domain/settings.ts";
export type { CaseLine } from "./lib/report/case_line.ts";
export {
  type RagStages,
  type RagSystem,
  ragSystem,
  type RetrieveResult,
  type StageTools,
} from "./lib/stages/rag_system.ts";
