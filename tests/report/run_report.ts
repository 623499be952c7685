/** A run's report for tests of text: nothing in it but what a test says. */
import type { Metric } from "../../lib/domain/metric.ts";
import type { RunReport } from "../../lib/domain/run_report.ts";

const nothing = { calls: 0, latency_p50_ms: null, latency_p95_ms: null, usage: {} };
const none = { hit: 0, miss: 0 };

/** A finished run of 3 cases without evaluators. */
export function reportOf(change: Partial<RunReport> = {}): RunReport {
  return {
    run_id: "run_A",
    name: null,
    status: "complete",
    started_at: "2026-09-17T10:00:00.000Z",
    system: {
      name: "help",
      version: "1",
      depth: 6,
      top_k: 2,
      token_budget: null,
      params: { retrieve: {}, generate: {} },
      source_digest: null,
    },
    cases: 3,
    planned_cases: 3,
    repeats: 1,
    retry: null,
    forgotten_cases: 0,
    selection: [],
    metrics: [],
    slices: [],
    min_slice_support: 4,
    funnel: {
      unit: "document",
      cases: 0,
      relevant: 0,
      retrieved: 0,
      within_top_k: 0,
      in_context: 0,
      positions: [],
    },
    cache: { execution: none, judgment: none },
    stages: { retrieve: none, generate: none },
    failures: [],
    usage: { retrieve: nothing, generate: nothing },
    absences: [],
    pass_fail_criteria: [],
    failed_criteria: [],
    notices: [],
    ...change,
  };
}

/** A pass/fail metric of 9 in 13. */
export function proportion(change: Partial<Metric> = {}): Metric {
  return {
    criterion: "answer_correct",
    kind: "proportion",
    estimate: 9 / 13,
    lower: 0.38573,
    upper: 0.90907,
    level: 0.95,
    method: "clopper-pearson",
    observed: 13,
    missing: 0,
    excluded: 0,
    ...change,
  };
}

/** What a metric is when nothing was observed. */
export const UNOBSERVED = {
  estimate: null,
  lower: null,
  upper: null,
  level: null,
  method: null,
  observed: 0,
} as const;
