/** Every provider of the AI SDK against a server that speaks its API. */
import assert from "node:assert/strict";
import { aiSdkModel } from "../../lib/provider/ai_sdk_model.ts";
import { ModelServer } from "./model_server.ts";
import { describeProvider, KEY, question, supported } from "./provider_contract.ts";

describeProvider("openai", (base_url) => ({ provider: "openai", model: "gpt-5-mini", base_url }));
describeProvider(
  "anthropic",
  (base_url) => ({ provider: "anthropic", model: "claude-sonnet-4-5", base_url }),
);
describeProvider("google", (base_url) => ({ provider: "google", model: "gemini-2.5-flash", base_url }));
describeProvider("openai_compatible", (base_url) => ({
  provider: "openai_compatible",
  model: "m",
  base_url,
}));

Deno.test("what the parameters say is what is sent", async () => {
  await using server = ModelServer.scripted({ text: supported });
  const model = {
    provider: "openai_compatible",
    model: "m",
    base_url: server.base_url,
    temperature: 0,
    seed: 7,
    max_output_tokens: 500,
    structured_outputs: true,
    provider_options: { reasoningEffort: "low" },
  } as const;
  const outside = { apiKey: KEY, now: () => 0 };
  const signal = new AbortController().signal;
  await (await aiSdkModel(model, outside)).ask(question.prompt, question, signal);
  const { temperature: _, structured_outputs: __, ...untold } = model;
  await (await aiSdkModel({ ...untold, temperature: null }, outside)).ask(question.prompt, question, signal);
  const [told, bare] = server.seen.map(({ body }) => body);
  assert.equal(told?.temperature, 0);
  assert.equal(told?.seed, 7);
  assert.equal(told?.max_tokens, 500);
  assert.equal(told?.reasoning_effort, "low");
  assert.equal((told?.response_format as { type: string }).type, "json_schema");
  assert.equal(bare?.temperature, undefined);
  assert.equal((bare?.response_format as { type: string }).type, "json_object");
});

Deno.test("no environment variable moves a judge to another host, nor lends it a key", async () => {
  await using server = ModelServer.scripted({ text: supported });
  await using other = ModelServer.scripted({ text: supported });
  const variables = { OPENAI_BASE_URL: other.base_url, OPENAI_API_KEY: "sk-from-the-environment" };
  for (const [name, value] of Object.entries(variables)) Deno.env.set(name, value);
  try {
    const model = await aiSdkModel({ provider: "openai", model: "m", base_url: server.base_url }, {
      apiKey: KEY,
      now: () => 0,
    });
    await model.ask(question.prompt, question, new AbortController().signal);
  } finally {
    for (const name of Object.keys(variables)) Deno.env.delete(name);
  }
  assert.equal(other.seen.length, 0);
  assert.equal(server.seen[0]?.headers.get("authorization"), `Bearer ${KEY}`);
});
