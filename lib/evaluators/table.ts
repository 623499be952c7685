/** The one table of evaluator types: a new evaluator is a file and a row here. */
import { citationSupportJudge } from "./citation_support_judge.ts";
import { citationValidity } from "./citation_validity.ts";
import { completed } from "./completed.ts";
import { contains } from "./contains.ts";
import { equals } from "./equals.ts";
import type { EvaluatorType } from "./evaluator.ts";
import { userFunction } from "./function.ts";
import { groundednessJudge } from "./groundedness_judge.ts";
import { hitRate } from "./hit_rate.ts";
import { judge } from "./judge.ts";
import { mrr } from "./mrr.ts";
import { ndcg } from "./ndcg.ts";
import { number } from "./number.ts";
import { precision } from "./precision.ts";
import { recall } from "./recall.ts";
import { regex } from "./regex.ts";
import { tokenF1 } from "./token_f1.ts";

const ROWS: readonly EvaluatorType[] = [
  contains,
  equals,
  regex,
  number,
  tokenF1,
  hitRate,
  recall,
  precision,
  mrr,
  ndcg,
  citationValidity,
  completed,
  userFunction,
  judge,
  groundednessJudge,
  citationSupportJudge,
];

/** Every evaluator type by the name that a project file gives it. */
export const evaluatorTypes: ReadonlyMap<string, EvaluatorType> = new Map(ROWS.map((row) => [row.type, row]));
