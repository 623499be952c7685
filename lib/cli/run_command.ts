/** `oloproof run` */
import { parseAssignments } from "../config/parse_assignments.ts";
import { type CaseFilter, parseFilter } from "../config/parse_filter.ts";
import { openProject } from "../commands/open_project.ts";
import { run } from "../commands/run.ts";
import type { Refresh } from "../commands/store_cache.ts";
import { type Issue, issuesError } from "../domain/error.ts";
import type { JsonObject } from "../domain/json.ts";
import type { RunReport } from "../domain/run_report.ts";
import { runText } from "../report/run_text.ts";
import type { Io } from "./io.ts";
import { EXIT } from "./exit_code.ts";
import type { GlobalOptions } from "./global_options.ts";
import { createProgress } from "./progress.ts";
import { jsonText, printNotices, programOf, surroundingsOf } from "./surroundings.ts";

/** The options of `run`. */
export interface RunCommandOptions extends GlobalOptions {
  readonly set?: readonly string[];
  readonly case?: readonly string[];
  readonly where?: readonly string[];
  readonly limit?: number;
  readonly refresh?: readonly Refresh[];
  readonly concurrency?: number;
  readonly name?: string;
  /** Percent. */
  readonly allowMissing: number;
  readonly slices?: "all";
}

/** Runs the project, prints its figures, and answers with the exit code. */
export async function runCommand(options: RunCommandOptions, io: Io): Promise<number> {
  const { set, where } = parseOptions(options);
  const project = await openProject(options.C, { cwd: io.cwd, store: options.store });
  const progress = createProgress(io, options.quiet ?? false);
  const report = await run(project, {
    set,
    select: {
      ids: options.case,
      where,
      limit: options.limit,
    },
    refresh: options.refresh ?? [],
    ...(options.concurrency === undefined ? {} : { concurrency: options.concurrency }),
    ...(options.name === undefined ? {} : { name: options.name }),
  }, surroundingsOf(io, progress.update, options)).finally(progress.done);
  io.stdout(
    options.json
      ? jsonText(report)
      : runText(report, { allSlices: options.slices === "all", program: programOf(options) }),
  );
  printNotices(report.notices, options, io);
  return exitCodeOf(report, options.allowMissing, io);
}

function parseOptions(options: RunCommandOptions): { set: JsonObject; where: readonly CaseFilter[] } {
  const issues: Issue[] = [];
  const assigned = parseAssignments(options.set ?? []);
  if (!assigned.ok) issues.push(...assigned.issues);
  const where: CaseFilter[] = [];
  for (const text of options.where ?? []) {
    const parsed = parseFilter(text);
    if (parsed.ok) where.push(parsed.filter);
    else issues.push(...parsed.issues);
  }
  if (issues.length > 0 || !assigned.ok) throw issuesError("Cannot read the options", issues);
  return { set: { ...assigned.settings }, where };
}

function exitCodeOf(report: RunReport, allowedPercent: number, io: Io): number {
  if (report.status === "interrupted") {
    io.stderr(
      `Interrupted: ${report.cases} of ${report.planned_cases} cases are finished and kept; ` +
        "the next run finds them in the cache\n",
    );
    return EXIT.interrupted;
  }
  if (report.notices.some(({ severity }) => severity === "problem")) return EXIT.configuration;
  const judged = report.metrics.map(({ criterion, observed, missing }) => ({
    criterion,
    missing,
    of: observed + missing,
  }));
  // Where nothing could be judged, the executions themselves are the outcomes.
  const outcomes = judged.some(({ of }) => of > 0)
    ? judged
    : [{ criterion: "the executions", missing: report.failures.length, of: report.cases }];
  const worst = outcomes
    .filter(({ missing, of }) => 100 * missing > allowedPercent * of)
    .sort((a, b) => b.missing / b.of - a.missing / a.of)[0];
  if (worst === undefined) return EXIT.done;
  io.stderr(
    `Outcomes are missing: ${worst.missing} of ${worst.of} for ${worst.criterion} ` +
      `(allowed: ${allowedPercent}%; see --allow-missing)\n`,
  );
  return EXIT.outcomes_missing;
}
