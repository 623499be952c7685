// deno-lint-ignore-file no-console
/** A system that misbehaves as its input tells it, in the words of JavaScript. */
import { appendFileSync, existsSync, writeFileSync } from "node:fs";
import process from "node:process";
import { ragSystem } from "oloproof";

const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

if (process.env.CONTRACT_PIDS !== undefined) appendFileSync(process.env.CONTRACT_PIDS, `${process.pid}\n`);

const answers = {
  throw: () => {
    throw new RangeError("boom");
  },
  hang: () => new Promise(() => {}),
  spin: () => {
    for (;;);
  },
  crash: () => {
    process.stderr.write("out of memory\n");
    process.kill(process.pid, "SIGKILL");
    return new Promise(() => {});
  },
  crash_once() {
    if (existsSync("crashed")) return undefined;
    writeFileSync("crashed", "");
    return answers.crash();
  },
  big: () => ({ answer: "x".repeat(5_000_000) }),
  surrogate: () => ({ answer: "\ud83d" }),
  nan: () => ({ answer: NaN }),
};

export const contract = ragSystem(
  { name: "contract", version: "1", depth: 3, top_k: 2, token_budget: 1000 },
  {
    retrieve({ text }, depth) {
      const candidates = [0, 1, 2, 3, 4].map((n) => ({ doc_id: `d${n}`, text: `${text} ${n}` }));
      return { query: text, candidates: candidates.slice(0, depth) };
    },
    async generate({ text, do: what = "echo" }, context, { params, query, usage }) {
      const answer = await answers[what]?.();
      if (answer !== undefined) return answer;
      if (what === "usage") usage({ input_tokens: 7, cost_usd: 0.5 });
      if (what === "slow") await sleep(250);
      if (what === "print") {
        console.log("Loading…");
        console.error("progress 100%");
      }
      return { answer: text, citations: context.map(({ doc_id }) => doc_id), params, query };
    },
    countTokens: ({ text }) => text.split(/\s+/).length,
  },
);
