/** A worker that serves verdicts after 50 ms: on a thread of its own, so that it does not take the time of whoever asks. */
const LATENCY_MS = 50;

const completion = JSON.stringify({
  id: "c",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{
    index: 0,
    message: {
      role: "assistant",
      content: JSON.stringify({ claims: [{ claim: 1, verdict: "supported" }], reason: "found" }),
    },
    finish_reason: "stop",
  }],
  usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
});

/** The other side of the thread. */
const asker = self as unknown as { postMessage(port: number): void };

Deno.serve({
  port: 0,
  hostname: "127.0.0.1",
  onListen: ({ port }) => asker.postMessage(port),
}, async (request) => {
  await request.arrayBuffer();
  await new Promise((resolve) => setTimeout(resolve, LATENCY_MS));
  return new Response(completion, { headers: { "content-type": "application/json" } });
});
