/** Whether a judge may gate, and how much its errors shrink what it sees. */
import type { CalibrationFigures, JudgeRate } from "../domain/calibration.ts";
import type { JudgeTerms } from "../domain/policy.ts";
import { judgeAgreement } from "../stats/judge_agreement.ts";
import { labelsNeeded } from "../stats/labels_needed.ts";

/** What a measured judge may do. */
export type Licence =
  | {
    readonly qualified: true;
    /**
     * A true difference shows, through this judge, as at least this share of itself: lower(sensitivity) + lower(specificity) − 1, above
     * 0 and at most 1.
     */
    readonly margin_factor: number;
  }
  | { readonly qualified: false; readonly problem: string };

/** The rates of a judge at a level of confidence. */
export interface MeasuredRates {
  readonly sensitivity: JudgeRate | null;
  readonly specificity: JudgeRate | null;
}

/** The rates of a calibration at a level, which may be another than its own. */
export function ratesAt({ table }: Pick<CalibrationFigures, "table">, level: number): MeasuredRates {
  const { sensitivity, specificity } = judgeAgreement(table, { level });
  return { sensitivity, specificity };
}

/**
 * Whether a judge's measured rates meet a policy's terms: it is the lower bounds that must. Both runs being judged with the same
 * errors, a difference d of true pass rates appears as d × (sensitivity + specificity − 1).
 *
 * Source: Rogan and Gladen (1978), American Journal of Epidemiology 107(1), solved for the difference of two rates.
 */
export function licenceOf(
  terms: JudgeTerms,
  figures: Pick<CalibrationFigures, "table" | "labels">,
  level: number,
): Licence {
  const { sensitivity, specificity } = ratesAt(figures, level);
  const refuse = (problem: string): Licence => ({ qualified: false, problem });
  if (figures.labels < terms.min_labels) {
    return refuse(`it has ${figures.labels} labels and needs ${terms.min_labels}`);
  }
  if (sensitivity === null) return refuse("no label is a pass, so that its sensitivity is not known");
  if (specificity === null) return refuse("no label is a fail, so that its specificity is not known");
  const short = [
    shortfall("sensitivity", "pass", sensitivity, terms.min_sensitivity, level),
    shortfall("specificity", "fail", specificity, terms.min_specificity, level),
  ].filter((problem) => problem !== undefined);
  if (short.length > 0) return refuse(short.join("; "));
  const margin_factor = sensitivity.lower + specificity.lower - 1;
  if (margin_factor <= 0) {
    return refuse("the lower bounds of sensitivity and specificity do not add up to more than 1");
  }
  return { qualified: true, margin_factor };
}

/** What a rate lacks, and how many labels of its class would do if all further ones agreed. */
function shortfall(
  name: string,
  labelled: "pass" | "fail",
  rate: JudgeRate,
  least: number,
  level: number,
): string | undefined {
  if (rate.lower >= least) return undefined;
  const needed = labelsNeeded(least, { agreeing: rate.successes, labels: rate.trials }, { level });
  const more = needed === undefined
    ? "no number of further labels would do"
    : `${plural(needed - rate.trials, labelled)} on which it agrees would do`;
  // Rounded down, as every lower bound.
  const bound = (Math.floor(rate.lower * 1000) / 10).toFixed(1);
  return `the lower bound of its ${name} is ${bound}%, under ${
    Number((least * 100).toPrecision(12))
  }% (${more})`;
}

function plural(count: number, labelled: "pass" | "fail"): string {
  const noun = count === 1 ? labelled : labelled === "pass" ? "passes" : "fails";
  return `${count} more labelled ${noun}`;
}
