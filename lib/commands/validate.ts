/** `validate`: checks a project and its cases. No code of the project is loaded. */
import { evaluatorTypes } from "../evaluators/table.ts";
import { type Case, goldPassages } from "../domain/case.ts";
import type { Project } from "../domain/project.ts";
import type { Notice, Validation } from "../domain/run_report.ts";
import { didYouMean } from "../config/nearest.ts";
import { readProjectGold } from "./fill_gold.ts";
import { judgeNotices } from "./judge_notices.ts";
import { MisspeltKeys } from "./misspelt_keys.ts";
import { policyNotices } from "./policy_notice.ts";
import { checkCases } from "./read_cases.ts";
import { readRecords } from "./read_records.ts";
import { showPath } from "./show_path.ts";
import { resolveModule, SYSTEM_FILES } from "../system/resolve_module.ts";
import { digestSource } from "../system/source_digest.ts";
import type { Surroundings } from "./surroundings.ts";

/**
 * Checks everything that can be checked without running anything, and says how many cases each evaluator can judge.
 *
 * @throws {OloproofError} Every mistake of the cases at once.
 */
export async function validate(project: Project, { cwd, env }: Surroundings): Promise<Validation> {
  const { total, stream } = await checkCases(project, {}, cwd);
  if (project.system.kind === "module") {
    const { path } = await resolveModule(project.system.object, project.root, SYSTEM_FILES);
    await digestSource(path, project.root, project.system.files);
  }
  const evaluators = project.evaluators.map((spec) => {
    const bound = evaluatorTypes.get(spec.type)?.bind(spec.parameters);
    return { spec, excludes: (testCase: Case) => bound?.excludes(testCase), excluded: 0 };
  });
  const records = project.system.kind === "records"
    ? await readRecords(project.system.path, showPath(project.system.path, cwd), project.settings.reports)
    : undefined;
  const gold = await readProjectGold(project, stream(), { cwd });
  const misspelt = new MisspeltKeys(project);
  const unused = new Set(records?.ids());
  const unrecorded: string[] = [];
  let unjudged = 0;
  const context = { own: 0, filled: 0 };
  for await (const testCase of stream()) {
    const applicable = evaluators.filter((evaluator) => {
      const excluded = evaluator.excludes(testCase) !== undefined;
      if (excluded) evaluator.excluded++;
      return !excluded;
    });
    if (applicable.length === 0) unjudged++;
    misspelt.add(testCase);
    if (records !== undefined && !unused.delete(testCase.id)) unrecorded.push(testCase.id);
    const { expected, gold_from_corpus } = gold?.fill(testCase) ?? testCase;
    if (gold_from_corpus) context.filled++;
    else if (goldPassages(expected).length > 0) context.own++;
  }
  return {
    project: project.file === undefined ? null : showPath(project.file, cwd),
    cases: total,
    repeats: project.run.repeats,
    evaluators: evaluators.map(({ spec, excluded }) => ({
      criterion: spec.criterion,
      type: spec.type,
      applies_to: total - excluded,
      excluded,
    })),
    ...(records === undefined
      ? {}
      : { records: { cases: records.count - unused.size, unused: unused.size } }),
    ...(gold === undefined ? {} : {
      gold_context: {
        own: context.own,
        from_corpus: context.filled,
        none: total - context.own - context.filled,
      },
    }),
    notices: [
      ...await policyNotices(
        project,
        new Map(evaluators.map(({ spec, excluded }) => [spec.criterion, total - excluded])),
        { cwd, env },
      ),
      ...judgeNotices(project.evaluators),
      ...noticesOf(project, total, unjudged),
      ...misspelt.notices(),
      ...unusedNotices([...unused], unrecorded),
      ...evaluators.filter(({ excluded }) => excluded === total).map(({ spec }): Notice => ({
        severity: "notice",
        code: "evaluator_never_applies",
        message: `The evaluator of ${spec.criterion} applies to no case`,
        hint: typeof spec.parameters.expected_field === "string"
          ? `it reads expected.${spec.parameters.expected_field}, which no case has`
          : "no case has what it needs: an expected value, or relevance labels",
      })),
    ],
  };
}

function unusedNotices(unused: readonly string[], unrecorded: readonly string[]): readonly Notice[] {
  const [first] = unused;
  if (first === undefined) return [];
  const named = JSON.stringify(first);
  return [{
    severity: "notice",
    code: "records_of_no_case",
    message: unused.length === 1
      ? `The record of ${named} is of no case`
      : `${unused.length} records are of no case, the first is that of ${named}`,
    ...didYouMean(first, unrecorded),
  }];
}

function noticesOf(project: Project, total: number, unjudged: number): readonly Notice[] {
  if (project.evaluators.length === 0) {
    return [{
      severity: "notice",
      code: "no_evaluators",
      message: "The project has no evaluators: a run records everything and judges nothing",
      hint:
        "for example: evaluators: [{type: contains, criterion: answer_correct, field: answer, expected_field: answer}]",
    }];
  }
  if (unjudged === 0) return [];
  return [{
    severity: "notice",
    code: "cases_without_judgment",
    message: `No evaluator can judge ${unjudged} of ${total} cases`,
    hint:
      "give the cases what the evaluators need (an expected value, relevance labels), or add an evaluator",
  }];
}
