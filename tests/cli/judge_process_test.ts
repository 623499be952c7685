/** The program as a process that asks judges: which hosts it contacts, and that keys show nowhere. */
import assert from "node:assert/strict";
import { type Behaviour, ModelServer, type SeenRequest } from "../provider/model_server.ts";
import { folderOf } from "../system/project_folder.ts";
import { ROOT } from "./session.ts";

const KEYS = {
  OPENAI_API_KEY: "sk-openai-0123456789abcdef",
  ANTHROPIC_API_KEY: "sk-ant-0123456789abcdef",
  GOOGLE_GENERATIVE_AI_API_KEY: "AIza0123456789abcdef",
  LOCAL_KEY: 'local"key\\0123456789',
};

const app = `import { ragSystem } from "oloproof";
export const s = ragSystem({ name: "s", version: "1", depth: 1, top_k: 1, index_version: "i" }, {
  retrieve: (input) => ({ candidates: [{ doc_id: "d", text: "the text" }] }),
  generate: (input) => ({ answer: input, citations: ["d"] }),
});`;

/** A verdict on everything that is asked. */
function obliging({ prompt, instructions }: SeenRequest): Behaviour {
  const claims = [...prompt.matchAll(/^<<< CLAIM (\d+)/gm)].map(([, number]) => Number(number));
  const citations = [...prompt.matchAll(/^Citation (\d+):/gm)].map(([, number]) => Number(number));
  const reason = "so it is";
  const verdict = instructions.includes('"claims"')
    ? { claims: claims.map((claim) => ({ claim, verdict: "supported" })), reason }
    : instructions.includes('"citations"')
    ? { citations: citations.map((citation) => ({ citation, verdict: "supports" })), reason }
    : { reason, verdict: "pass" };
  return { text: JSON.stringify(verdict) };
}

async function projectAt(servers: readonly ModelServer[]): Promise<string> {
  const [openai, anthropic, google, local] = servers.map(({ base_url }) => base_url);
  return await folderOf({
    "oloproof.yaml": `system: {rag: {object: "app:s"}}
evaluators:
  - {type: groundedness_judge, provider: openai, model: gpt-5-mini, base_url: "${openai}", field: answer}
  - {type: citation_support_judge, provider: anthropic, model: claude-sonnet-4-5, base_url: "${anthropic}", answer_field: answer}
  - {type: judge, provider: google, model: gemini-2.5-flash, base_url: "${google}", field: answer, expected_field: answer}
  - {type: judge, criterion: kind, rubric: Be kind., provider: openai_compatible, model: m, base_url: "${local}", api_key_env: LOCAL_KEY, field: answer}
judging: {retries: 0}
`,
    "app.js": app,
    "cases.jsonl": [1, 2].map((n) =>
      JSON.stringify({ id: `c${n}`, input: `Answer ${n}.`, expected: { answer: "x" } })
    ).join("\n"),
    "labels.jsonl": '{"case_id": "c1", "label": "pass"}\n',
  });
}

/** Runs the program, and answers with what it printed and every place of the network that it asked for. */
async function command(folder: string, ...args: readonly string[]) {
  const audit = `${folder}/audit.jsonl`;
  await Deno.remove(audit).catch(() => undefined);
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-lock", "--no-check", "--cached-only", `${ROOT}cli.ts`, "-C", folder, ...args],
    env: { ...KEYS, DENO_AUDIT_PERMISSIONS: audit, OPENAI_BASE_URL: "http://192.0.2.1/v1" },
    stdout: "piped",
    stderr: "piped",
  }).output();
  const lines = (await Deno.readTextFile(audit)).trim().split("\n").map((line) => JSON.parse(line));
  const hosts = lines.filter(({ permission }) => permission === "net").map(({ value }) => {
    const text = String(value);
    return URL.canParse(text) && text.includes("://") ? new URL(text).host : text;
  });
  const decoder = new TextDecoder();
  return { code, out: decoder.decode(stdout), err: decoder.decode(stderr), hosts: new Set(hosts) };
}

/** Whether any key stands in a text, as it is or as JSON writes it. */
function assertNoKey(text: string, where: string): void {
  for (const [name, key] of Object.entries(KEYS)) {
    for (const form of [key, JSON.stringify(key).slice(1, -1)]) {
      assert.ok(!text.includes(form), `${where} holds ${name}`);
    }
  }
}

async function assertNoKeyIn(folder: string): Promise<void> {
  for await (const { name, isFile } of Deno.readDir(`${folder}/.oloproof`)) {
    if (!isFile || name.endsWith("-shm")) continue;
    const bytes = await Deno.readFile(`${folder}/.oloproof/${name}`);
    assertNoKey(new TextDecoder("latin1").decode(bytes), name);
  }
}

Deno.test("judges contact their hosts and no others, and nothing but them needs the network", async () => {
  await using openai = new ModelServer(obliging);
  await using anthropic = new ModelServer(obliging);
  await using google = new ModelServer(obliging);
  await using local = new ModelServer(obliging);
  const servers = [openai, anthropic, google, local];
  const folder = await projectAt(servers);
  const hosts = servers.map(({ host }) => host).sort();

  const ran = await command(folder, "run");
  assert.equal(ran.code, 0, ran.err);
  assert.match(ran.out, /Judge calls: 0 hit\/8 miss/);
  assert.deepEqual([...ran.hosts].sort(), hosts);
  for (const host of hosts) assert.ok(ran.err.includes(`are sent to ${host}`), ran.err);

  const measured = await command(
    folder,
    "judge",
    "calibrate",
    "--criterion",
    "kind",
    "--labels",
    "labels.jsonl",
  );
  assert.equal(measured.code, 0, measured.err);
  assert.deepEqual([...measured.hosts], [local.host]);

  for (const args of [["run"], ["validate"], ["inspect"], ["list"], ["run", "--dry-run"], ["export"]]) {
    const found = await command(folder, ...args);
    assert.equal(found.code, 0, found.err);
    assert.deepEqual([...found.hosts], [], args.join(" "));
  }
  await assertNoKeyIn(folder);
});

Deno.test("keys show in no output, error or store, whatever servers say of them", async () => {
  const keys = Object.values(KEYS).join(" ");
  await using refusing = new ModelServer(() => ({ status: 401, message: `wrong keys: ${keys}` }));
  await using talking = new ModelServer((request) => {
    const { text } = obliging(request) as { text: string };
    return { text: text.replace("so it is", JSON.stringify(keys).slice(1, -1)) };
  });
  await using rambling = new ModelServer(() => ({ text: `my keys are ${keys}` }));
  await using limited = new ModelServer(() => ({ status: 429, message: keys }));
  const folder = await projectAt([refusing, talking, rambling, limited]);
  for (
    const args of [
      ["run"],
      ["run", "--json"],
      ["run", "--debug"],
      ["inspect", "latest", "--case", "c1"],
      ["export", "latest", "--format", "jsonl"],
      ["export", "latest", "--format", "bundle"],
      ["judge", "calibrate", "--criterion", "citations_supported", "--labels", "labels.jsonl", "--json"],
    ]
  ) {
    const { out, err } = await command(folder, ...args);
    assertNoKey(out, `stdout of ${args.join(" ")}`);
    assertNoKey(err, `stderr of ${args.join(" ")}`);
  }
  await assertNoKeyIn(folder);
  const { out } = await command(folder, "inspect", "latest", "--case", "c1");
  assert.match(out, /\[redacted OPENAI_API_KEY\]/);
});
