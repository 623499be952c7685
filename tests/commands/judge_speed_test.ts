/** How much time judging takes beside that of the judge. */
import assert from "node:assert/strict";
import { run } from "../../lib/commands/run.ts";
import { ragSystem } from "../../lib/stages/rag_system.ts";
import { testProject, testSurroundings } from "./run_surroundings.ts";

const CALLS = 1000;
const CONCURRENCY = 16;
/** 63 rounds of 50 ms. */
const IDEAL_MS = Math.ceil(CALLS / CONCURRENCY) * 50;

async function startServer(): Promise<{ readonly base_url: string; readonly stop: () => void }> {
  const worker = new Worker(new URL("./slow_judge_server.ts", import.meta.url), { type: "module" });
  const port = await new Promise((resolve) => worker.onmessage = ({ data }) => resolve(data));
  return { base_url: `http://127.0.0.1:${port}/v1`, stop: () => worker.terminate() };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** The same requests and nothing else: what this machine makes of them just now. */
async function bareRequests(base_url: string): Promise<void> {
  let left = CALLS;
  await Promise.all(Array.from({ length: CONCURRENCY }, async () => {
    while (left-- > 0) {
      const body = JSON.stringify({ text: "x".repeat(3000) });
      await (await fetch(`${base_url}/chat/completions`, { method: "POST", body })).json();
    }
  }));
}

/** Judges 1,000 answers and says how long that took. */
async function judgeAll(base_url: string): Promise<number> {
  const project = await testProject({
    system: ragSystem({ name: "echo", version: "1", depth: 1, top_k: 1, index_version: "i1" }, {
      retrieve: (input: string) => ({ candidates: [{ doc_id: "a", text: `It says: ${input}` }] }),
      generate: (input) => input,
    }),
    cases: Array.from({ length: CALLS }, (_, index) => ({ id: `c${index}`, input: `Number ${index}` })),
    evaluators: [{ type: "groundedness_judge", provider: "openai_compatible", model: "m", base_url }],
  });
  return await timed(async () => {
    const { metrics } = await run(project, { concurrency: CONCURRENCY }, testSurroundings());
    assert.equal(metrics[0]?.observed, CALLS);
  });
}

Deno.test("1,000 judge calls of 50 ms at concurrency 16 take little more than they must", async () => {
  const server = await startServer();
  try {
    const seen: string[] = [];
    for (let attempt = 1; attempt <= 3; attempt++) {
      // On a quiet machine it is 1.3 times; beside other work it is more, and still far from one call after the other.
      const took = await judgeAll(server.base_url);
      // On a busy machine even the requests alone take longer than the server's own time.
      const must = took <= 1.3 * IDEAL_MS
        ? IDEAL_MS
        : Math.max(IDEAL_MS, await timed(() => bareRequests(server.base_url)));
      seen.push(`${took.toFixed(0)} ms where ${must.toFixed(0)} ms must be`);
      if (took <= 2 * must) return;
    }
    assert.fail(seen.join("; "));
  } finally {
    server.stop();
  }
});
