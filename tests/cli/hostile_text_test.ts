/** Text that attacks a terminal, a parser or a spreadsheet, sent through everything that the program prints. */
import assert from "node:assert/strict";
import { type Outcome, Session } from "./session.ts";
import { tempFolder } from "../temp_folder.ts";

/** Escape sequences, C1 controls, NUL, direction marks, separators, markup, the end of a CDATA section, a formula, quotes. */
const CONTROLS =
  "\u001b[2J\u001b]8;;http://evil\u0007\u009b31m\u0085\u0000\u0008\r\u202e\u2066\u200f\u2028\u2029\ufeff\u007f";
const MARKUP =
  `<script>alert("x")</script> & ]]> <!-- --> "' \`*_|[x](javascript:y)# =1+1 +cmd|' /C calc'!A0 @SUM \\ \\u001b`;
const HOSTILE = `${CONTROLS}${MARKUP}`;

/** Ids are text without control characters; whatever else can stand in them does. */
const IDS = [
  `=1+1 ${MARKUP}`,
  "a|b\u202ec\ufeff",
  "]]><x>",
  "-- --case x",
  "'; DROP TABLE runs; --",
  "😀 {{7*7}} ${x} %s",
];

const app = `import { ragSystem } from "oloproof";
const hostile = ${JSON.stringify(HOSTILE)};
export const s = ragSystem({ name: hostile, version: hostile, depth: 2, top_k: 1, token_budget: 3, index_version: hostile }, {
  retrieve: (input) => ({ query: hostile, candidates: [
    { doc_id: hostile, chunk_id: hostile, text: hostile, metadata: { [hostile]: hostile } }, { doc_id: "b" + hostile },
  ] }),
  generate(input, context, { params }) {
    if (input.n === 2) throw new Error(hostile);
    if (input.n === 3) return hostile;
    const gold = context[0]?.text === "gold" + hostile;
    return { answer: input.n === 0 || gold || params.all ? "right" : "wrong" + hostile, citations: [hostile], [hostile]: hostile };
  },
  countTokens: () => 1,
});
export const judge = (record) => { if (record.input.n === 1) throw new Error(hostile); return true; };
`;

const yaml = `system: {rag: {object: "app:s", params: {generate: {${JSON.stringify(HOSTILE)}: ${
  JSON.stringify(HOSTILE)
}}}}}
evaluators:
  - {type: equals, criterion: right, field: answer, expected_field: answer}
  - {type: citation_validity, require_citations: true}
  - {type: recall, k: 1}
  - {type: function, object: "app:judge"}
slices: [metadata.topic]
min_slice_support: 1
`;

const policy = `rules:
  - {name: kept, criterion: right, test: no-regression, cases: ${JSON.stringify(IDS)}}
  - {name: all-kept, criterion: right, test: no-regression, slice: ${
  JSON.stringify(`metadata.topic=${HOSTILE}`)
}}
  - {name: most, criterion: right, test: suite-threshold, at_least: 0.5}
`;

async function hostileProject(): Promise<Session> {
  const cwd = await tempFolder();
  await Deno.writeTextFile(`${cwd}/oloproof.yaml`, yaml);
  await Deno.writeTextFile(`${cwd}/policy.yaml`, policy);
  await Deno.writeTextFile(`${cwd}/app.js`, app);
  const lines = IDS.map((id, n) =>
    JSON.stringify({
      id,
      input: { n, [HOSTILE]: HOSTILE },
      expected: {
        answer: n === 0 ? "right" : n === 4 ? HOSTILE : "right",
        relevant: [{ doc_id: HOSTILE, chunk_id: HOSTILE }],
        gold_context: [{ doc_id: HOSTILE, text: `gold${HOSTILE}` }],
      },
      metadata: { topic: HOSTILE, [HOSTILE]: HOSTILE },
    })
  );
  await Deno.writeTextFile(`${cwd}/cases.jsonl`, `${lines.join("\n")}\n`);
  return new Session(cwd);
}

const UNSAFE = /[\p{Cc}\p{Bidi_Control}\u2028\u2029\ufeff]/u;

/** Nothing that a terminal would act on, on either stream. */
function assertPrintable(words: readonly string[], { stdout, stderr }: Outcome): void {
  for (const text of [stdout, stderr]) {
    const found = UNSAFE.exec(text.replaceAll(/[\n\t]/g, ""));
    assert.equal(
      found === null ? undefined : JSON.stringify(found[0]),
      undefined,
      `oloproof ${words.join(" ")}`,
    );
  }
}

/** Runs a command whose output must be safe, and whose end is known. */
async function shows(session: Session, code: number, ...words: readonly string[]): Promise<Outcome> {
  const outcome = await session.run(words);
  assertPrintable(words, outcome);
  assert.equal(outcome.code, code, `oloproof ${words.join(" ")}\n${outcome.both.slice(0, 2000)}`);
  assert.doesNotMatch(outcome.stderr, /error\[unexpected\]|^\s+at .*\.[jt]s:\d+/m);
  return outcome;
}

/** Markup made of our own elements alone, in which every ampersand begins an entity. */
function assertMarkup(xml: string, elements: readonly string[]): void {
  const [declaration = ""] = /^<\?xml [^>]*\?>\n/.exec(xml) ?? [];
  const stack: string[] = [];
  const rest = xml.slice(declaration.length).replaceAll(
    /<(\/?)([a-z]+)((?: [a-z_]+="[^"<>]*")*)\s*(\/?)>/g,
    (_, close, name, _attributes, empty) => {
      assert.ok(elements.includes(name), name);
      if (close === "/") assert.equal(stack.pop(), name);
      else if (empty === "") stack.push(name);
      return "";
    },
  );
  assert.deepEqual(stack, []);
  assert.doesNotMatch(rest, /[<>]/);
  assert.doesNotMatch(xml.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, ""), /&/);
}

/** The cells of a CSV text, without their quotes. */
function cellsOf(csv: string): readonly string[] {
  return [...csv.matchAll(/"((?:[^"]|"")*)"|[^",\r\n]+/g)].map(([all, quoted]) =>
    quoted?.replaceAll('""', '"') ?? all
  );
}

Deno.test("hostile text is printable wherever it is printed, and escaped wherever it could be markup", async () => {
  const session = await hostileProject();
  const id = IDS[1] ?? "";
  await shows(session, 0, "validate");
  await shows(session, 4, "run", "--name", HOSTILE);
  const told = await shows(
    session,
    4,
    "run",
    "--json",
    "--set",
    `params.generate.all=${JSON.stringify(HOSTILE)}`,
  );
  assert.equal(JSON.parse(told.stdout).system.name, HOSTILE);
  await shows(
    session,
    4,
    "run",
    "--case",
    id,
    "--case",
    IDS[2] ?? "",
    "--where",
    `metadata.topic=${HOSTILE}`,
  );
  for (const json of [[], ["--json"]]) {
    await shows(session, 0, "list", ...json);
    await shows(session, 0, "inspect", "latest~1", "--slices", "all", ...json);
    await shows(session, 0, "inspect", "latest~2", "--failed", "right", ...json);
    for (const one of IDS) {
      await shows(session, 0, "inspect", "latest~1", "--case", one, ...json);
      await shows(session, 0, "cache", "explain", "latest~1", "--case", one, ...json);
    }
    await shows(session, 0, "cache", "stats", ...json);
    await shows(session, 0, "forget", "--case", id, "--dry-run", ...json);
    await shows(session, 3, "compare", "latest~1", "latest~2", "--policy", "policy.yaml", ...json);
    await shows(session, 0, "plan", "--policy", "policy.yaml", ...json);
    await shows(session, 0, "diagnose", "latest~2", "--criterion", "right", ...json);
  }
  const diagnosed = JSON.parse(
    (await shows(session, 0, "diagnose", "latest~2", "--criterion", "right", "--json")).stdout,
  );
  const compared = JSON.parse(
    (await shows(session, 3, "compare", "latest~1", "latest~2", "--policy", "policy.yaml", "--json")).stdout,
  );
  assert.ok(diagnosed.cases.length > 0 && compared.changes?.length !== 0);
  for (const document of [diagnosed.diagnosis_id, compared.comparison_id]) {
    await shows(session, 0, "inspect", document);
    await shows(session, 0, "inspect", document, "--json");
  }
  const lines = (await shows(session, 0, "export", "latest~1", "--format", "jsonl")).stdout.trim().split(
    "\n",
  );
  assert.deepEqual(lines.map((line) => JSON.parse(line).case_id), IDS);
  assert.equal(JSON.parse(lines[0] ?? "").candidates[0].text, HOSTILE);
  const bundle = (await shows(session, 0, "export", "latest~1", "--format", "bundle")).stdout;
  await Deno.writeTextFile(`${session.cwd}/run.bundle`, bundle);
  await shows(session, 0, "inspect", "run.bundle", "--case", id);
  await shows(session, 3, "compare", "run.bundle", "latest~2", "--policy", "policy.yaml");
  const junit = (await shows(session, 0, "export", compared.comparison_id, "--format", "junit")).stdout;
  const elements = [
    "testsuites",
    "testsuite",
    "testcase",
    "failure",
    "skipped",
    "error",
    "properties",
    "property",
  ];
  assertMarkup(junit, elements);
  assertMarkup((await shows(session, 0, "export", "latest~1", "--format", "junit")).stdout, elements);
  for (const cell of cellsOf((await shows(session, 0, "export", "latest~1", "--format", "csv")).stdout)) {
    assert.doesNotMatch(cell, /^[=+@\t\r]|^-(?![\d.]+$)/);
  }
  await shows(session, 0, "export", "latest~1", "--format", "jsonl", "-o", "run.jsonl");
  // What trec_eval could not read is refused or written as words: an id of several words is neither.
  const trec = await session.run(["export", "latest~1", "--format", "trec", "-o", "trec"]);
  assertPrintable(["export", "trec"], trec);
  for (const what of ["latest~1", compared.comparison_id]) {
    const markdown = (await shows(session, 0, "export", what, "--format", "markdown")).stdout;
    assert.doesNotMatch(markdown.replaceAll(/<\/?sub>/g, ""), /(?<!\\)[<>]|(?<!\\)\[x\]/);
  }
  await shows(session, 0, "forget", "--case", id);
  await shows(session, 0, "inspect", "latest~1");
});

Deno.test("hostile words on the command line, in files and in errors are printable", async () => {
  const session = await hostileProject();
  await shows(session, 4, "run", "--quiet");
  for (const json of [[], ["--json"]]) {
    for (
      const words of [
        ["inspect", HOSTILE],
        ["inspect", `sha256:${HOSTILE}`],
        ["inspect", "latest", "--case", HOSTILE],
        ["inspect", "latest", "--failed", HOSTILE],
        ["cache", "explain", HOSTILE, "--case", HOSTILE],
        ["cache", "explain", "latest", "--case", HOSTILE],
        ["cache", HOSTILE],
        ["forget", "--case", HOSTILE],
        ["forget", "--run", HOSTILE],
        ["forget", "--before", HOSTILE],
        ["compare", HOSTILE, HOSTILE],
        ["compare", "latest", "latest", "--policy", HOSTILE],
        ["plan", "--policy", HOSTILE],
        ["diagnose", "latest", "--criterion", HOSTILE],
        ["diagnose", "latest", "--criterion", "right", "--intervention", "reranker", "--reranker", HOSTILE],
        ["export", HOSTILE, "--format", "bundle"],
        ["export", "latest", "--format", HOSTILE],
        ["run", "--set", HOSTILE],
        ["run", "--set", `x${HOSTILE}=${HOSTILE}`],
        ["run", "--where", HOSTILE],
        ["run", "--case", HOSTILE],
        ["run", "--limit", HOSTILE],
        ["run", "--refresh", HOSTILE],
        [HOSTILE],
        ["run", `--${HOSTILE}`],
        ["-C", HOSTILE, "run"],
        ["--store", `https://${HOSTILE}`, "list"],
      ]
    ) {
      await shows(session, 2, ...words, ...json);
    }
  }
  const files: readonly (readonly [name: string, text: string])[] = [
    ["oloproof.yaml", `${yaml}${JSON.stringify(HOSTILE)}: ${JSON.stringify(HOSTILE)}\n`],
    ["oloproof.yaml", yaml.replace("app:s", `app:${HOSTILE.replaceAll(/["\\\p{Cc}\u2028\u2029]/gu, "")}`)],
    ["oloproof.yaml", yaml.replace("metadata.topic", JSON.stringify(HOSTILE))],
    ["oloproof.yaml", `${HOSTILE}\n${yaml}`],
    ["cases.jsonl", `{"id": ${JSON.stringify(HOSTILE)}, "input": 1}\n`],
    ["cases.jsonl", `{"id": "a", "input": 1, ${JSON.stringify(HOSTILE)}: 1}\n`],
    ["cases.jsonl", `{"id": "a", "input": ${HOSTILE}}\n`],
    ["app.js", `throw new Error(${JSON.stringify(HOSTILE)});`],
    ["app.js", `${MARKUP}\u202e`],
  ];
  for (const [name, text] of files) {
    const before = await Deno.readTextFile(`${session.cwd}/${name}`);
    await Deno.writeTextFile(`${session.cwd}/${name}`, text);
    // Another module of the same name would be the one that was loaded before.
    if (name === "app.js") {
      await Deno.writeTextFile(`${session.cwd}/oloproof.yaml`, yaml.replaceAll("app:", "app2:"));
    }
    if (name === "app.js") await Deno.rename(`${session.cwd}/app.js`, `${session.cwd}/app2.js`);
    for (const json of [[], ["--json"], ["--debug"]]) {
      const outcome = await session.run(["run", ...json]);
      assertPrintable([name, ...json], outcome);
      assert.equal(outcome.code, 2, `${name} ${text}\n${outcome.both}`);
    }
    await Deno.writeTextFile(`${session.cwd}/${name}`, before);
    await Deno.writeTextFile(`${session.cwd}/oloproof.yaml`, yaml);
  }
});
