/**
 * From a diagnosis to a decision: why does the manual search fail, which change would recover most of it, does that change hold on all
 * cases, and what does the policy say?
 *
 * `deno task experiment:ranking`, or with the path of a store: `deno task experiment:ranking experiments.db`
 */
// deno-lint-ignore-file no-console -- a script that is read where it is run
import { compare, diagnose, openProject, run } from "oloproof";

const [store] = Deno.args;
const folder = new URL("../manual_search", import.meta.url).pathname;
const project = await openProject(folder, store === undefined ? {} : { store });
const criterion = "answer_correct";

const baseline = await run(project, { name: "baseline" });
const why = await diagnose(project, baseline.run_id, { intervention: "gold-context", criterion });
console.log("Labels of the failed cases:");
console.table(why?.labels);
console.log("Implicated:", why?.implicated.map(({ factor }) => factor).join(", ") || "nothing");
console.log("Candidate experiments:", why?.candidate_experiments.join(", ") || "none");

// Replays of the recorded retrieval: what would each candidate experiment recover of the failures?
const replays = [
  { intervention: "top-k", top_k: 4 },
  { intervention: "top-k", top_k: 6 },
  { intervention: "reranker", reranker: "reranker:byTitle" },
] as const;
const recovered = [];
for (const replay of replays) {
  const replayed = await diagnose(project, baseline.run_id, { ...replay, criterion });
  const cases = replayed?.cases.filter((one) => one.recovered).map(({ case_id }) => case_id) ?? [];
  const { intervention: _, ...change } = replay;
  recovered.push({ change: JSON.stringify(change), recovered: cases.length, cases: cases.join(", ") });
}
console.table(recovered);

// A replay looks at failures alone. Whether a change breaks what was right, only all cases can tell.
const candidate = await run(project, { name: "top-k 4", set: { top_k: 4 } });
const verdict = await compare(project, candidate.run_id, baseline.run_id, { policy: "compare.yaml" });
console.table(
  verdict.decisions.map(({ name, test, decision, reason }) => ({ name, test, decision, reason })),
);
console.log(`Gate: ${verdict.gate} (exit ${verdict.exit})`);
