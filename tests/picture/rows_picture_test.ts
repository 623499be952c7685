/** What pictures say: every interval whole, every n told, nothing drawn where nothing was observed. */
import assert from "node:assert/strict";
import type { Comparison, Decision, MetricDifference } from "../../lib/domain/comparison.ts";
import type { Rule } from "../../lib/domain/policy.ts";
import { differencesPicture } from "../../lib/picture/differences_picture.ts";
import { funnelPicture } from "../../lib/picture/funnel_picture.ts";
import { metricsPicture } from "../../lib/picture/metrics_picture.ts";
import type { RowMark, RowPicture } from "../../lib/picture/picture.ts";
import { slicesPicture } from "../../lib/picture/slices_picture.ts";
import { thresholdsPicture } from "../../lib/picture/thresholds_picture.ts";
import { proportion, UNOBSERVED } from "../report/run_report.ts";

function rowsOf({ groups }: RowPicture) {
  return groups.flatMap(({ rows }) => rows);
}

/** Where the marks of a picture begin and end. */
function reachOf(picture: RowPicture): readonly number[] {
  const reach = (mark: RowMark): readonly number[] => {
    if (mark.kind === "interval") return [mark.from, mark.to];
    if (mark.kind === "zone") return [mark.from, mark.to].filter((end) => end !== null);
    return [mark.kind === "bar" ? mark.to : mark.at];
  };
  return rowsOf(picture).flatMap(({ marks }) => marks.flatMap(reach));
}

const difference: MetricDifference = {
  criterion: "answer_correct",
  difference: 0.1,
  lower: -0.04,
  upper: 0.9,
  method: "betting/19",
  paired: 40,
  missing: 2,
  excluded: 0,
  better: 6,
  worse: 2,
  tied: 32,
  mcnemar_p: 0.3,
};

function comparisonOf(
  rules: readonly Rule[],
  decisions: readonly Partial<Decision>[],
  metrics: readonly MetricDifference[] = [difference],
): Pick<Comparison, "content"> {
  return {
    content: {
      schema: "oloproof/comparison/1",
      candidate: "run_B",
      baseline: "run_A",
      level: 0.95,
      policy: { level: 0.95, on_insufficient: "block", rules },
      paired: 42,
      unpaired: { only_in_candidate: 0, only_in_baseline: 0, changed: 0 },
      metrics,
      slices: [],
      changes: [],
      decisions: rules.map((rule, index) => ({
        name: rule.name,
        criterion: rule.criterion,
        test: rule.test,
        margin_points: "margin_points" in rule ? rule.margin_points : null,
        at_least: "at_least" in rule ? rule.at_least : null,
        decision: "PASS",
        reason: "interval_clears_margin",
        lower: null,
        upper: null,
        unobserved: 0,
        regressed: [],
        ...decisions[index],
      })),
      gate: "PASS",
    },
  };
}

Deno.test("metrics: the axis is all of [0, 1], each row tells its n, and the kinds of values have shapes of their own", () => {
  const mean = proportion({ criterion: "ndcg_at_6", kind: "mean", missing: 1 });
  const picture = metricsPicture({ metrics: [proportion(), mean], run_id: "run_A", cases: 14 });
  assert.deepEqual(picture.axis.domain, [0, 1]);
  assert.deepEqual(rowsOf(picture).map(({ note }) => note), [
    "69.2% [38.5%, 91.0%] · n 13",
    "0.692 [0.385, 0.910] · n 13 · 1 missing",
  ]);
  const shapes = rowsOf(picture).flatMap(({ marks }) =>
    marks.map((mark) => mark.kind === "point" && mark.shape)
  );
  assert.deepEqual(shapes, [false, "circle", false, "diamond"]);
  assert.equal(picture.legend.length, 2);
  assert.match(picture.subtitle, /14 cases · 95% intervals/);
  assert.match(picture.description, /^answer_correct: 69.2%/);
});

Deno.test("metrics: nothing is drawn of what was not observed", () => {
  const picture = metricsPicture({
    metrics: [proportion({ ...UNOBSERVED, excluded: 3 })],
    run_id: "run_A",
    cases: 3,
  });
  assert.deepEqual(rowsOf(picture).map(({ marks, note }) => [marks, note]), [
    [[], "nothing observed · n 0 · 3 excluded"],
  ]);
});

Deno.test("slices: too few cases are counted and not drawn, the estimate of all is marked, many values are cut and that is said", () => {
  const values = Array.from({ length: 23 }, (_, index) => ({
    slice: "metadata.topic",
    value: `topic ${index}`,
    cases: index === 0 ? 2 : 5,
    metrics: index === 0 ? null : [proportion()],
  }));
  const picture = slicesPicture(
    { slices: values, metrics: [proportion()], run_id: "run_A", min_slice_support: 4 },
    "answer_correct",
  );
  const rows = rowsOf(picture);
  assert.deepEqual([rows[0]?.marks, rows[0]?.note], [[], "2 cases, below min_slice_support 4"]);
  assert.deepEqual(picture.axis.lines, [{ at: 9 / 13, label: "all cases 69.2%" }]);
  assert.deepEqual([rows.length, rows.at(-1)?.label], [21, "… 3 more"]);
  assert.match(picture.footnotes.join(), /exploratory/);
});

Deno.test("differences: the axis holds every interval, every margin and zero", () => {
  const rules: readonly Rule[] = [
    { name: "not-worse", criterion: "answer_correct", test: "non-inferiority", margin_points: 99 },
    { name: "same", criterion: "answer_correct", test: "equivalence", margin_points: 95 },
  ];
  const picture = differencesPicture(comparisonOf(rules, []));
  const [least, greatest] = picture.axis.domain;
  for (const place of [0, ...reachOf(picture)]) {
    assert.ok(least < place && place < greatest, `${place} is cut`);
  }
  const marks = rowsOf(picture).map(({ marks }) =>
    marks.flatMap((mark) => mark.kind === "mark" ? [mark.at] : [])
  );
  assert.deepEqual(marks, [[-0.99], [-0.95, 0.95]]);
  assert.match(
    rowsOf(picture)[0]?.note ?? "",
    /^PASS · \+10\.0 points \[-4\.0, \+90\.0\] · 40 pairs · 2 missing$/,
  );
});

Deno.test("differences: a verdict has a shape, a word and a tone; what was not observed and could decide is said", () => {
  const rules: readonly Rule[] = [
    { name: "a", criterion: "answer_correct", test: "superiority", margin_points: 5 },
    { name: "b", criterion: "answer_correct", test: "non-inferiority", margin_points: 5 },
    { name: "c", criterion: "answer_correct", test: "no-regression" },
  ];
  const picture = differencesPicture(comparisonOf(rules, [
    { decision: "FAIL", reason: "interval_beyond_margin" },
    { decision: "INSUFFICIENT_EVIDENCE", reason: "missing_outcomes", unobserved: 3 },
    { decision: "FAIL", reason: "regressed_cases", regressed: ["x"] },
  ]));
  const [failed, undecided, regressed] = rowsOf(picture);
  const shapeOf = (row: typeof failed) =>
    row?.marks.flatMap((mark) => mark.kind === "point" ? [mark.shape] : []);
  assert.deepEqual([shapeOf(failed), shapeOf(undecided)], [["cross"], ["diamond"]]);
  assert.match(failed?.note ?? "", /^FAIL/);
  assert.match(undecided?.note ?? "", /^undecided .*3 unobserved could decide it$/);
  assert.deepEqual([regressed?.marks, regressed?.note], [[], "FAIL · 1 regressed, none allowed"]);
  assert.deepEqual(picture.legend.map(({ text }) => text), [
    "fails",
    "undecided: insufficient evidence",
    "margin",
    "where it passes",
  ]);
});

Deno.test("differences: a margin that a judge shrinks is drawn as it decided, and what keeps a judge from deciding is said", () => {
  const rules: readonly Rule[] = [
    { name: "a", criterion: "answer_correct", test: "non-inferiority", margin_points: 10 },
    { name: "b", criterion: "answer_correct", test: "non-inferiority", margin_points: 10 },
  ];
  const picture = differencesPicture(comparisonOf(rules, [
    { shrunk_margin_points: 6.25 },
    { decision: "INSUFFICIENT_EVIDENCE", reason: "judge_not_qualified" },
  ]));
  const [shrunk, unqualified] = rowsOf(picture);
  assert.deepEqual(shrunk?.marks.slice(0, 2), [
    { kind: "zone", from: -0.0625, to: null },
    { kind: "mark", at: -0.0625 },
  ]);
  assert.match(shrunk?.note ?? "", /margin 6\.2 through its judge$/);
  assert.match(unqualified?.note ?? "", /^undecided .* judge not qualified$/);
});

Deno.test("differences: a criterion without a rule is drawn, too; without an observed pair nothing is", () => {
  const none = { ...difference, criterion: "other", difference: null, lower: null, upper: null, paired: 0 };
  const picture = differencesPicture(comparisonOf([], [], [difference, none]));
  assert.deepEqual(picture.groups.map(({ heading }) => heading), [null]);
  assert.deepEqual(rowsOf(picture).map(({ marks }) => marks.length), [2, 0]);
  assert.equal(picture.legend.length, 0);
});

Deno.test("thresholds: a share of these very cases is a point without an interval", () => {
  const rules: readonly Rule[] = [
    { name: "a", criterion: "answer_correct", test: "threshold", at_least: 0.8 },
    { name: "b", criterion: "answer_correct", test: "suite-threshold", at_least: 0.6 },
  ];
  const picture = thresholdsPicture(comparisonOf(rules, [
    { decision: "INSUFFICIENT_EVIDENCE", lower: 0.7, upper: 0.9 },
    { lower: 0.65, upper: 0.65 },
  ]));
  assert.ok(picture !== undefined);
  assert.deepEqual(rowsOf(picture).map(({ marks }) => marks.map(({ kind }) => kind)), [
    ["zone", "mark", "interval"],
    ["zone", "mark", "point"],
  ]);
  assert.deepEqual(picture.axis.domain, [0, 1]);
  assert.equal(thresholdsPicture(comparisonOf([], [])), undefined);
});

Deno.test("funnel: what is not known has no bar and says so; nothing is divided by zero", () => {
  const funnel = {
    unit: "document",
    cases: 3,
    relevant: 4,
    retrieved: 3,
    within_top_k: null,
    in_context: null,
    positions: null,
  } as const;
  const picture = funnelPicture({ funnel, run_id: "run_A", top_k: null });
  assert.deepEqual(rowsOf(picture).map(({ note }) => note), [
    "4 of 4 (100.0%)",
    "3 of 4 (75.0%)",
    "not known: the system does not report it",
    "not known: the system does not report it",
  ]);
  assert.deepEqual(rowsOf(picture).map(({ marks }) => marks.length), [1, 1, 0, 0]);
  const empty = funnelPicture({
    funnel: { ...funnel, cases: 0, relevant: 0, retrieved: 0 },
    run_id: "run_A",
    top_k: 2,
  });
  assert.equal(rowsOf(empty)[0]?.note, "0");
});
