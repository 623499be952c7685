/** What is told of a run or a comparison when nothing may be told of its inputs, passages and answers. */
import type { Comparison } from "../domain/comparison.ts";
import type { Json } from "../domain/json.ts";
import type { Rule } from "../domain/policy.ts";
import type { RunReport } from "../domain/run_report.ts";
import type { Sweep } from "../domain/sweep.ts";

const LEFT_OUT = "left out";

/** Values of an input make slices, too. */
function quotesInput({ slice }: { readonly slice: string }): boolean {
  return slice.startsWith("input.");
}

/** A run without texts: parameters may hold prompts, messages of failures may quote, selections may name inputs. */
export function runWithoutText(report: RunReport): RunReport {
  return {
    ...report,
    system: { ...report.system, params: { retrieve: {}, generate: {} } },
    selection: report.selection.length === 0 ? [] : [LEFT_OUT],
    slices: report.slices.filter((slice) => !quotesInput(slice)),
    failures: report.failures.map((failure) => ({ ...failure, message: LEFT_OUT })),
  };
}

/** A comparison without texts. */
export function comparisonWithoutText(comparison: Comparison): Comparison {
  const { content, settings_changed, run_notes } = comparison;
  const { policy } = content;
  return {
    ...comparison,
    content: {
      ...content,
      slices: content.slices.filter((slice) => !quotesInput(slice)),
      policy: policy === null ? null : { ...policy, rules: policy.rules.map(ruleWithoutText) },
    },
    settings_changed: settings_changed.map((change) =>
      change.setting.startsWith("params.") ? { ...change, baseline: LEFT_OUT, candidate: LEFT_OUT } : change
    ),
    run_notes: run_notes.map((note) => note.replace(/(?<=a part of its project's cases).*$/s, "")),
  };
}

/** A rule keeps what it asks for; of a slice by the input, only its name. */
function ruleWithoutText(rule: Rule): Rule {
  if (rule.test !== "no-regression" || rule.slice === undefined || !quotesInput(rule.slice)) return rule;
  return { ...rule, slice: { ...rule.slice, value: LEFT_OUT } };
}

/** A sweep without texts: what was varied below `params` may be prompts, and is told by its number. */
export function sweepWithoutText(sweep: Sweep): Sweep {
  const { content } = sweep;
  const varied = content.varied.map(({ setting, values }) => ({
    setting,
    values: setting.startsWith("params.") ? values.map((_, index): Json => `value ${index + 1}`) : values,
  }));
  const combinations = content.combinations.map((combination) => ({
    ...combination,
    set: Object.fromEntries(
      Object.entries(combination.set).map(([setting, value = null]) => {
        const place = content.varied.findIndex((one) => one.setting === setting);
        const texts = content.varied[place]?.values.map((one) => JSON.stringify(one)) ?? [];
        return [setting, varied[place]?.values[texts.indexOf(JSON.stringify(value))] ?? LEFT_OUT];
      }),
    ),
  }));
  return { ...sweep, content: { ...content, varied, combinations } };
}
