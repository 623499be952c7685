/**
 * oloproof evaluates retrieval-augmented generation (RAG) systems and finds out why their wrong answers are wrong.
 *
 * @module
 */
export { defineProject, type ProjectDefinition } from "./lib/api/define_project.ts";
export { cacheStats, explainCache, forget, pruneCache } from "./lib/api/store_verbs.ts";
export type { CallOptions } from "./lib/api/surroundings.ts";
export {
  calibrate,
  cases,
  compare,
  diagnose,
  dryRun,
  inspect,
  list,
  openProject,
  plan,
  run,
  sweep,
  validate,
} from "./lib/api/verbs.ts";
export type { PruneOptions, Pruning } from "./lib/commands/cache.ts";
export type { ForgetOptions, Forgetting } from "./lib/commands/forget.ts";
export type { CalibrateOptions } from "./lib/commands/calibrate.ts";
export type {
  CalibratedJudge,
  Calibration,
  CalibrationContent,
  CalibrationFigures,
  CalibrationRow,
  JudgedOutcome,
  JudgeRate,
  PassOrFail,
  VerdictCounts,
} from "./lib/domain/calibration.ts";
export type { JudgingOptions, TokenPrice } from "./lib/domain/judge.ts";
export type { CalibrationDocument } from "./lib/report/calibration_json.ts";
export type { Inspection, InspectOptions } from "./lib/commands/inspect.ts";
export type { RunOptions } from "./lib/commands/run_options.ts";
export type { Progress } from "./lib/commands/surroundings.ts";
export type { DocumentInspection } from "./lib/commands/inspect_document.ts";
export type {
  ChangedCase,
  Comparison,
  ComparisonContent,
  Decision,
  DecisionReason,
  Gate,
  JudgeLicence,
  MetricDifference,
  Requirement,
  SettingChange,
  SliceDifference,
  Unpaired,
  Verdict,
  VerdictChange,
} from "./lib/domain/comparison.ts";
export type { Plan, PlannedRule } from "./lib/domain/plan.ts";
export type { JudgeTerms, Policy, Rule, RuleTest } from "./lib/domain/policy.ts";
export type { ComparisonDocument } from "./lib/report/comparison_json.ts";
export type {
  CacheExplanation,
  CacheReason,
  FieldDifference,
  StepExplanation,
} from "./lib/domain/cache_explanation.ts";
export type { EntryCounts, Erased } from "./lib/domain/erasure.ts";
export type { EntryStats, StoreStats } from "./lib/domain/store_stats.ts";
export type { DiagnoseOptions } from "./lib/commands/diagnose.ts";
export type { InterventionOptions } from "./lib/commands/intervention.ts";
export type {
  Attempts,
  ChildRun,
  DiagnosedCase,
  Diagnosis,
  DiagnosisContent,
  DiagnosisLabel,
  DiagnosisReport,
  DiagnosisSelection,
  DiagnosisTally,
  Intervention,
  JudgedBy,
  LabelReason,
  LabelStrength,
  PassTable,
  RelevantUnit,
  UnitFate,
  UnknownEvidence,
} from "./lib/domain/diagnosis.ts";
export type { DiagnosisDocument } from "./lib/report/diagnosis_json.ts";
export type { DryRun, PlannedCalls } from "./lib/domain/dry_run.ts";
export type { Case, GoldPassage, RelevanceLabel } from "./lib/domain/case.ts";
export type { CaseFilter, CaseSelection } from "./lib/domain/case_selection.ts";
export { type ErrorParts, type Issue, OloproofError } from "./lib/domain/error.ts";
export type { Json, JsonObject } from "./lib/domain/json.ts";
export type { Judgment, JudgmentValue } from "./lib/domain/judgment.ts";
export type { Metric, SliceMetrics } from "./lib/domain/metric.ts";
export type { DroppedPassage, DropReason, Passage } from "./lib/domain/passage.ts";
export type {
  CaseSource,
  EvaluatorSpec,
  ModuleRuntime,
  PassagePaths,
  Project,
  RunOptions as ProjectRunOptions,
  ServiceMapping,
  SystemSource,
} from "./lib/domain/project.ts";
export type {
  CaseRecord,
  CountedStage,
  FailureKind,
  StageCost,
  StageFailure,
  StageName,
  Usage,
} from "./lib/domain/record.ts";
export type { RelevanceUnit } from "./lib/domain/relevance.ts";
export type {
  CacheOutcome,
  CaseCache,
  CasePlace,
  JudgeCallCount,
  Refresh,
  RunStatus,
  StoredCase,
} from "./lib/domain/run.ts";
export type {
  Absence,
  CaseFailure,
  EntryCondition,
  FailedCase,
  Funnel,
  HitCount,
  InspectedCase,
  Notice,
  RetryAccount,
  RunAccount,
  RunReport,
  RunSummary,
  StageUse,
  UnitPosition,
  Validation,
} from "./lib/domain/run_report.ts";
export type { PartialSettings, ReportedPart, SystemSettings } from "./lib/domain/settings.ts";
export type { SweepOptions } from "./lib/commands/sweep.ts";
export type {
  Combination,
  CombinationRun,
  Sweep,
  SweepContent,
  SweptCalls,
  VariedSetting,
} from "./lib/domain/sweep.ts";
export type { SweepDocument } from "./lib/report/sweep_json.ts";
export type { CaseLine } from "./lib/report/case_line.ts";
export {
  type AnswerResult,
  type AnswerStage,
  type OneStageSystem,
  type RagStages,
  type RagSystem,
  ragSystem,
  type RetrieveResult,
  type StageTools,
} from "./lib/stages/rag_system.ts";
