/** `oloproof run` */
import { parseAssignments } from "../config/parse_assignments.ts";
import { parseFilter } from "../config/parse_filter.ts";
import { dryRun } from "../commands/dry_run.ts";
import { openProject } from "../commands/open_project.ts";
import { run } from "../commands/run.ts";
import type { RunOptions } from "../commands/run_options.ts";
import type { CaseFilter } from "../domain/case_selection.ts";
import { type Issue, issuesError } from "../domain/error.ts";
import type { JsonObject } from "../domain/json.ts";
import type { Project } from "../domain/project.ts";
import type { Refresh } from "../domain/run.ts";
import type { RunReport } from "../domain/run_report.ts";
import { dryRunText } from "../report/dry_run_text.ts";
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
  readonly repeats?: number;
  readonly refresh?: readonly Refresh[];
  readonly concurrency?: number;
  readonly name?: string;
  readonly resume?: string;
  readonly retryFailed?: string;
  readonly dryRun?: boolean;
  /** Percent. */
  readonly allowMissing: number;
  readonly slices?: "all";
}

/** Runs the project, prints its figures, and answers with the exit code. */
export async function runCommand(options: RunCommandOptions, io: Io): Promise<number> {
  const asked = runOptionsOf(options);
  const project = await openProject(options.C, { cwd: io.cwd, store: options.store });
  if (options.dryRun) return await dryRunCommand(project, asked, options, io);
  const progress = createProgress(io, options.quiet ?? false);
  const report = await run(project, asked, surroundingsOf(io, progress.update, options))
    .finally(progress.done);
  io.stdout(
    options.json
      ? jsonText(report)
      : runText(report, { allSlices: options.slices === "all", program: programOf(options) }),
  );
  printNotices(report.notices, options, io);
  return exitCodeOf(report, options, io);
}

async function dryRunCommand(
  project: Project,
  asked: RunOptions,
  options: RunCommandOptions,
  io: Io,
): Promise<number> {
  const found = await dryRun(project, asked, surroundingsOf(io));
  if (found === undefined) {
    io.stderr("Interrupted: nothing was called and nothing was written\n");
    return EXIT.interrupted;
  }
  io.stdout(options.json ? jsonText(found) : dryRunText(found));
  return EXIT.done;
}

function runOptionsOf(options: RunCommandOptions): RunOptions {
  const { set, where } = parseOptions(options);
  const { repeats, refresh, concurrency, name, resume, retryFailed } = options;
  return {
    set,
    select: { ids: options.case, where, limit: options.limit },
    ...(repeats === undefined ? {} : { repeats }),
    ...(refresh === undefined ? {} : { refresh }),
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(name === undefined ? {} : { name }),
    ...(resume === undefined ? {} : { resume }),
    ...(retryFailed === undefined ? {} : { retry_failed: retryFailed }),
  };
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

function exitCodeOf(report: RunReport, options: RunCommandOptions, io: Io): number {
  const { allowMissing } = options;
  if (report.status === "interrupted") {
    io.stderr(
      `Interrupted: ${report.cases} of ${report.planned_cases} cases are finished and kept; ` +
        `\`${programOf(options)} run --resume ${report.run_id}\` goes on\n`,
    );
    return EXIT.interrupted;
  }
  if (report.notices.some(({ severity }) => severity === "problem")) return EXIT.configuration;
  const worst = worstMissing(report, allowMissing);
  if (worst === undefined) return EXIT.done;
  io.stderr(
    `Outcomes are missing: ${worst.missing} of ${worst.of} for ${worst.criterion} ` +
      `(allowed: ${allowMissing}%; see --allow-missing)\n`,
  );
  return EXIT.outcomes_missing;
}

/** The criterion of which the largest share is missing, where that is more than is allowed. */
function worstMissing({ metrics, failures, cache: { execution } }: RunReport, allowedPercent: number) {
  const judged = metrics.map(({ criterion, observed, missing }) => ({
    criterion,
    missing,
    of: observed + missing,
  }));
  // Where nothing could be judged, the executions themselves are the outcomes.
  const outcomes = judged.some(({ of }) => of > 0)
    ? judged
    : [{ criterion: "the executions", missing: failures.length, of: execution.hit + execution.miss }];
  return outcomes
    .filter(({ missing, of }) => 100 * missing > allowedPercent * of)
    .sort((a, b) => b.missing / b.of - a.missing / a.of)[0];
}
