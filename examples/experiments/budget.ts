/**
 * Does a larger token budget help the help centre, alone or with a wider cut? A run, and a sweep of it: every combination starts from
 * the retrieval that the run recorded.
 *
 * `deno task experiment:budget`, or with the path of a store: `deno task experiment:budget experiments.db`
 */
// deno-lint-ignore-file no-console -- a script that is read where it is run
import { openProject, run, sweep } from "oloproof";

const [store] = Deno.args;
const folder = new URL("../support_rag", import.meta.url).pathname;
const project = await openProject(folder, store === undefined ? {} : { store });

const baseline = await run(project);
const swept = await sweep(project, baseline.run_id, {
  set: { token_budget: [40, 60, 80, 120, null], top_k: [2, 4] },
});
if (swept === undefined) Deno.exit(130);

type Bound = number | null | undefined;

/** Points with one digit. Bounds are rounded outward: an interval that is shown is never narrower than the computed one. */
const points = (value: Bound, round: (tenths: number) => number = Math.round) =>
  value === null || value === undefined ? "" : (round(1000 * value) / 10).toFixed(1);

console.table(swept.combinations.map(({ set, as_run, metrics, differences }) => {
  const metric = metrics.find(({ criterion }) => criterion === "answer_correct");
  const difference = differences.find(({ criterion }) => criterion === "answer_correct");
  return {
    token_budget: set.token_budget,
    top_k: set.top_k,
    "correct %": points(metric?.estimate),
    "difference, points": points(difference?.difference),
    lower: points(difference?.lower, Math.floor),
    upper: points(difference?.upper, Math.ceil),
    better: difference?.better,
    worse: difference?.worse,
    run: as_run ? "as run" : "",
  };
}));

const { retrieve, generate } = swept.calls;
console.log(`Retrievals: ${retrieve.made} made, ${retrieve.saved} saved.`);
console.log(`Generations: ${generate.made} made, ${generate.saved} saved.`);
console.log(`Look closer: oloproof -C examples/support_rag report ${swept.sweep_id} -o sweep.html`);
