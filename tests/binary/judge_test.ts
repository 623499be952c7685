/** Judges in the binary: the packages of model providers are inside, and find what they need there. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { ModelServer } from "../provider/model_server.ts";
import { tempFolder } from "../temp_folder.ts";
import { call, ignore } from "./program.ts";

const KEYS = {
  OPENAI_API_KEY: "key-one-two",
  ANTHROPIC_API_KEY: "key-one-two",
  GOOGLE_GENERATIVE_AI_API_KEY: "key-one-two",
};

for (const provider of ["openai", "anthropic", "google", "openai_compatible"]) {
  Deno.test({
    name: `binary: a judge of ${provider} is asked`,
    ignore,
    async fn() {
      await using server = ModelServer.scripted({ text: '{"reason": "as it says", "verdict": "pass"}' });
      const cwd = await tempFolder();
      await Deno.writeTextFile(
        join(cwd, "oloproof.yaml"),
        `system: {name: log, version: "1", rag: {records: records.jsonl}}
cases: cases.jsonl
evaluators:
  - {type: judge, criterion: polite, provider: ${provider}, model: m, base_url: "${server.base_url}",
     rubric: Is the answer polite?, field: answer}
`,
      );
      await Deno.writeTextFile(
        join(cwd, "records.jsonl"),
        '{"case_id": "a", "output": {"answer": "Please"}}\n',
      );
      await Deno.writeTextFile(join(cwd, "cases.jsonl"), '{"id": "a", "input": "What?"}\n');
      const { stdout, stderr, code } = await call(cwd, ["run", "--json"], { env: KEYS });
      assert.equal(code, 0, `${stdout}${stderr}`);
      const { metrics: [polite] } = JSON.parse(stdout);
      assert.deepEqual([polite.criterion, polite.estimate, polite.observed], ["polite", 1, 1]);
      assert.ok(server.seen.length >= 1);
    },
  });
}
