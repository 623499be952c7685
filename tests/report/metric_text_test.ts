import assert from "node:assert/strict";
import type { Metric } from "../../lib/domain/metric.ts";
import { casesText, estimateText, intervalText } from "../../lib/report/metric_text.ts";
import { proportion, UNOBSERVED } from "./run_report.ts";

const textsOf = (metric: Metric) => [estimateText(metric), intervalText(metric), casesText(metric)];
const mean = (change: Partial<Metric>) => proportion({ kind: "mean", method: "betting/19", ...change });

Deno.test("metric text: a proportion in percent, with its passes, its interval rounded outward", () => {
  assert.deepEqual(textsOf(proportion({ missing: 2, excluded: 1 })), [
    "69.2%",
    "[38.5%, 91.0%]",
    "9 / 13 observed · 2 missing · 1 excluded",
  ]);
});

Deno.test("metric text: a mean in decimals, its interval rounded outward", () => {
  assert.deepEqual(textsOf(mean({ estimate: 0.8664, lower: 0.50699, upper: 0.98901 })), [
    "0.866",
    "[0.506, 0.990]",
    "mean of 13 observed · 0 missing · 0 excluded",
  ]);
});

Deno.test("metric text: nothing observed is neither zero nor a number", () => {
  const [estimate, interval, cases] = textsOf(proportion({ ...UNOBSERVED, missing: 3 }));
  assert.deepEqual([estimate, interval], ["—", "—"]);
  assert.match(cases ?? "", /0 observed · 3 missing · 0 excluded$/);
  assert.deepEqual(textsOf(mean(UNOBSERVED)).slice(0, 2), ["—", "—"]);
});

Deno.test("metric text: the ends of the range are printed whole", () => {
  assert.deepEqual(textsOf(proportion({ estimate: 1, lower: 0.7529, upper: 1 })).slice(0, 2), [
    "100.0%",
    "[75.2%, 100.0%]",
  ]);
  assert.deepEqual(textsOf(proportion({ estimate: 0, lower: 0, upper: 0.2471 })), [
    "0.0%",
    "[0.0%, 24.8%]",
    "0 / 13 observed · 0 missing · 0 excluded",
  ]);
  assert.deepEqual(textsOf(mean({ estimate: 1, lower: 0, upper: 1 })).slice(0, 2), [
    "1.000",
    "[0.000, 1.000]",
  ]);
});

Deno.test("metric text: passes are whole cases, whatever a quotient rounds to", () => {
  for (let passes = 0; passes <= 997; passes++) {
    const text = casesText(proportion({ estimate: passes / 997, observed: 997 }));
    assert.equal(text, `${passes} / 997 observed · 0 missing · 0 excluded`);
  }
});
