/** Services by HTTP: their own requests and responses, secrets, redirects, and everything that can go wrong on the way. */
import assert from "node:assert/strict";
import { diagnose } from "../../lib/commands/diagnose.ts";
import { exportCases } from "../../lib/commands/export.ts";
import { openProject } from "../../lib/commands/open_project.ts";
import { run } from "../../lib/commands/run.ts";
import type { Json } from "../../lib/domain/json.ts";
import { startService } from "../../examples/ferry_desk/service.ts";
import { ROOT } from "../cli/session.ts";
import { testSurroundings } from "../commands/run_surroundings.ts";
import { faultOf } from "../system/project_folder.ts";
import { tempFolder } from "../temp_folder.ts";
import { serve, type Service } from "./http_peer.ts";

type Rag = Readonly<Record<string, Json>>;

const mapping: Rag = {
  request: { q: "{{input.question}}", note: "of {{params.tone}}", n: "{{depth}}", given: "{{context}}" },
  response: {
    output: "result.text",
    candidates: { items: "hits", doc_id: "id", text: "body.text", score: "rank" },
    context: { items: "used", doc_id: "id", text: "body.text" },
    usage: { input_tokens: "usage.prompt" },
  },
  depth: 3,
  top_k: 2,
  params: { generate: { tone: "kindness" } },
};

const page = (id: Json) => ({ id, body: { text: `page ${id}` }, rank: 0.5 });

/** What the service answers unless a test says otherwise; a given context takes the place of what it finds. */
function answered(body: Json) {
  const { q, given } = body as { q: string; given?: { doc_id: string }[] };
  const used = given?.map(({ doc_id }) => page(doc_id)) ?? [page(7)];
  return {
    result: { text: `${q}: ${used.map(({ id }) => id).join()}` },
    hits: [page(7), page("b")],
    used,
    usage: { prompt: 11 },
  };
}

/** Runs one case against a service. */
async function runAgainst(
  answer: (request: Request, body: Json) => Response | Promise<Response>,
  rag: Rag = {},
  env: Readonly<Record<string, string>> = {},
) {
  const service = serve(answer);
  try {
    return await runWith(service, rag, env);
  } finally {
    await service.stop();
  }
}

async function projectOf(url: string, rag: Rag) {
  const folder = await tempFolder();
  const project = {
    system: { name: "desk", version: "1", rag: { url, ...mapping, ...rag } },
    evaluators: [{ type: "equals", criterion: "right", expected_field: "answer" }],
  };
  await Deno.writeTextFile(`${folder}/oloproof.yaml`, JSON.stringify(project));
  const expected = {
    answer: "why?: gold",
    relevant: [{ doc_id: "gold" }],
    gold_context: [{ doc_id: "gold", text: "g" }],
  };
  const testCase = { id: "c", input: { question: "why?" }, expected };
  await Deno.writeTextFile(`${folder}/cases.jsonl`, JSON.stringify(testCase));
  return await openProject(folder, { cwd: folder });
}

async function runWith(
  service: Pick<Service, "url" | "requests">,
  rag: Rag,
  env: Readonly<Record<string, string>>,
) {
  const project = await projectOf(service.url, rag);
  const outside = testSurroundings({ env: (name) => env[name] });
  const report = await run(project, {}, outside);
  const [record] = await Array.fromAsync(exportCases(project.store, report.run_id, outside));
  assert.ok(record !== undefined);
  const { error } = record.stored.record;
  return {
    project,
    outside,
    report,
    record: record.stored.record,
    failure: error === undefined ? "none" : `${error.stage} ${error.kind}: ${error.message}`,
    requests: service.requests,
  };
}

Deno.test("a service of its own kind: its request is filled, its response is read", async () => {
  const { record, report, requests } = await runAgainst((_, body) => Response.json(answered(body)));
  assert.deepEqual(requests.map(({ body }) => body), [{ q: "why?", note: "of kindness", n: 3 }]);
  assert.equal(record.output, "why?: 7");
  assert.deepEqual(record.candidates, [
    { doc_id: "7", text: "page 7", score: 0.5 },
    { doc_id: "b", text: "page b", score: 0.5 },
  ]);
  assert.deepEqual(record.context, [{ doc_id: "7", text: "page 7" }]);
  assert.deepEqual(report.usage.answer?.usage, { input_tokens: 11 });
  const [notice] = report.notices.filter(({ code }) => code === "service_contacted");
  assert.match(
    notice?.message ?? "",
    /^Inputs and passages were sent to 127\.0\.0\.1:\d+, which was asked once$/,
  );
});

Deno.test("a diagnosis hands over the gold context where the request has a place for one", async () => {
  const service = serve((_, body) => Response.json(answered(body)));
  try {
    const { project, report, outside } = await runWith(service, {}, {});
    const options = { intervention: { kind: "gold-context" } as const, criterion: "right" };
    const found = await diagnose(project, report.run_id, options, outside);
    assert.deepEqual(found?.diagnosis.content.cases.map(({ label }) => label), ["RETRIEVAL_MISS"]);
    const given = service.requests.map(({ body }) => (body as { given?: Json }).given);
    assert.deepEqual(given, [undefined, [{ doc_id: "gold", text: "g" }], undefined]);
    assert.ok(found?.notices?.some(({ code }) => code === "service_contacted"));
  } finally {
    await service.stop();
  }
});

Deno.test("how a service is asked is part of what it answers: another request is not answered from the cache", async () => {
  const service = serve((_, body) => Response.json(answered(body)));
  try {
    const { project, outside } = await runWith(service, {}, {});
    const again = await run(project, {}, outside);
    assert.deepEqual(again.cache.execution, { hit: 1, miss: 0 });
    assert.ok(!again.notices.some(({ code }) => code === "service_contacted"));
    const other = await projectOf(service.url, { request: { q: "{{input.question}} Be brief." } });
    const third = await run({ ...other, store: project.store }, {}, outside);
    assert.deepEqual(third.cache.execution, { hit: 0, miss: 1 });
  } finally {
    await service.stop();
  }
});

/** An address at which nobody listens any more. */
async function deadUrl(): Promise<string> {
  const service = serve(() => new Response());
  await service.stop();
  return service.url;
}

const failures: readonly (readonly [
  name: string,
  answer: (request: Request, body: Json) => Response | Promise<Response>,
  failure: RegExp,
])[] = [
  [
    "a status that is no success, with a piece of the body",
    () => new Response("upstream\n is  down".padEnd(2000, "."), { status: 503 }),
    /^answer exception: the service answered 503: upstream is down\.{284}…$/,
  ],
  ["no body", () => new Response(null, { status: 404 }), /^answer exception: the service answered 404$/],
  ["no JSON", () => new Response("<html>"), /^answer invalid_output: .*not JSON.*: <html>$/],
  ["no UTF-8", () => new Response(Uint8Array.of(34, 255, 34)), /^answer invalid_output: .*not UTF-8/],
  [
    "half of a surrogate pair",
    () => new Response('{"result": {"text": "\\ud83d"}}'),
    /^answer invalid_output: .*response\.result\.text, the text holds half/,
  ],
  [
    "nothing at a path",
    () => Response.json({ result: {} }),
    /^answer invalid_output: .*nothing at "result\.text"/,
  ],
  [
    "no list",
    (_, body) => Response.json({ ...answered(body), hits: 3 }),
    /^answer invalid_output: the response has no list at "hits"/,
  ],
  [
    "a passage without an id",
    (_, body) => Response.json({ ...answered(body), hits: [{}] }),
    /^answer invalid_output: candidates\[0\]\.doc_id is undefined/,
  ],
  [
    "a usage that is no number",
    (_, body) => Response.json({ ...answered(body), usage: { prompt: "11" } }),
    /^answer invalid_output: the response has no number for input_tokens/,
  ],
  [
    "a redirect to another host",
    () => Response.redirect("http://169.254.169.254/latest", 307),
    /^answer exception: the service redirects to http:\/\/169\.254\.169\.254, which is refused/,
  ],
  [
    "a redirect that loses the body",
    (request) => Response.redirect(new URL("/other", request.url), 302),
    /^answer exception: the service answered 302 with a redirect to \/other/,
  ],
  [
    "redirects in a circle",
    (request) => Response.redirect(request.url, 308),
    /^answer exception: the service redirects in a circle$/,
  ],
];
for (const [name, answer, failure] of failures) {
  Deno.test(`a service that answers with ${name}`, async () => {
    assert.match((await runAgainst(answer)).failure, failure);
  });
}

Deno.test("a redirect within the service is followed, with its body", async () => {
  const { record, requests } = await runAgainst((request, body) =>
    request.url.endsWith("/new")
      ? Response.json(answered(body))
      : Response.redirect(new URL("/new", request.url), 307)
  );
  assert.equal(record.output, "why?: 7");
  assert.deepEqual(requests.map(({ path }) => path), ["/", "/new"]);
});

Deno.test("a declared part that a response lacks is missing", async () => {
  const { record, report } = await runAgainst((_, body) => Response.json({ ...answered(body), used: null }));
  assert.ok(!("context" in record) && record.candidates?.length === 2);
  assert.deepEqual(report.failures, []);
});

Deno.test("nobody listens: every case fails, and says so", async () => {
  const { failure } = await runWith({ url: await deadUrl(), requests: [] }, {}, {});
  assert.match(failure, /^answer exception: no answer from 127\.0\.0\.1:\d+: .*refused/i);
});

Deno.test("a header takes its secret from the environment, and nothing that comes back shows it", async () => {
  const secret = 'sk-"secret"-123456';
  const { record, requests, project } = await runAgainst(
    (request) => Response.json({ result: { text: `I saw ${request.headers.get("authorization")}` } }),
    { headers: { authorization: "Bearer ${DESK_TOKEN}", "x-plain": "yes" } },
    { DESK_TOKEN: secret },
  );
  assert.equal(requests[0]?.headers.get("authorization"), `Bearer ${secret}`);
  assert.equal(requests[0]?.headers.get("x-plain"), "yes");
  assert.equal(record.output, "I saw Bearer [redacted DESK_TOKEN]");
  const stored = new TextDecoder("latin1").decode(await Deno.readFile(project.store));
  assert.ok(!stored.includes("sk-"));
});

Deno.test("a secret in an error's body is not told either", async () => {
  const { failure } = await runAgainst(
    (request) => new Response(`bad key ${request.headers.get("x-key")}`, { status: 401 }),
    { headers: { "x-key": "${DESK_TOKEN}" } },
    { DESK_TOKEN: "sk-secret-123456" },
  );
  assert.equal(failure, "answer exception: the service answered 401: bad key [redacted DESK_TOKEN]");
});

Deno.test("what makes every call impossible is said before the first one", async () => {
  const codeOf = async (url: string, rag: Rag, env: Readonly<Record<string, string>> = {}) => {
    const project = await projectOf(url, rag);
    const fault = await faultOf(run(project, {}, testSurroundings({ env: (name) => env[name] })));
    return `${fault.code}: ${fault.summary}`;
  };
  const headers = { authorization: "Bearer ${DESK_TOKEN}" };
  assert.match(await codeOf("http://127.0.0.1:1", { headers }), /^missing_variable: .*no DESK_TOKEN/);
  assert.match(
    await codeOf("http://a.example", { headers }, { DESK_TOKEN: "x" }),
    /^insecure_url: .*a\.example/,
  );
  assert.match(await codeOf("${DESK_URL}", {}, { DESK_URL: "file:///x" }), /^invalid_url/);
  assert.match(
    await codeOf("http://127.0.0.1:1", { accepts_context: true, request: { q: "{{input.question}}" } }),
    /^setting_without_meaning: .*no place/,
  );
});

Deno.test("a service that does not speak the protocol is told so, with the way out", async () => {
  const folder = await tempFolder();
  await Deno.writeTextFile(`${folder}/cases.jsonl`, '{"id": "a", "input": 1}');
  const faultFor = async (url: string) => {
    await Deno.writeTextFile(`${folder}/oloproof.yaml`, JSON.stringify({ system: { rag: { url } } }));
    return await faultOf(run(await openProject(folder, { cwd: folder }), {}, testSurroundings()));
  };
  const service = serve(() => new Response("Hello", { status: 200 }));
  const strange = await faultFor(service.url);
  await service.stop();
  assert.equal(strange.code, "service_not_started");
  assert.equal(strange.kind, "configuration");
  assert.match(strange.summary, /the answer cannot be read: it is not|it is no message: Hello/);
  const nobody = await faultFor(await deadUrl());
  assert.equal(nobody.code, "service_not_reached");
  assert.equal(nobody.kind, "surroundings");
});

Deno.test("the ferry desk, mapped: the same figures as with code of its own", async () => {
  const folder = await tempFolder();
  for (const name of ["cases.jsonl", "corpus.jsonl"]) {
    await Deno.copyFile(`${ROOT}examples/ferry_desk/${name}`, `${folder}/${name}`);
  }
  const own = await openProject(`${ROOT}examples/ferry_desk`, { cwd: folder, store: "own.db" });
  const rag = {
    url: `${await startService()}/answer`,
    request: { question: "{{input.question}}", sources: "{{context}}" },
    response: { context: "sources" },
    ranked: false,
  };
  await Deno.writeTextFile(
    `${folder}/oloproof.yaml`,
    JSON.stringify({
      system: { name: "ferry-desk", version: "2", rag },
      corpus: "corpus.jsonl",
      evaluators: own.evaluators.map(({ type, criterion, parameters }) => ({
        type,
        criterion,
        ...parameters,
      })),
      slices: own.slices,
    }),
  );
  const mapped = await run(await openProject(folder, { cwd: folder }), {}, testSurroundings());
  const coded = await run(own, {}, testSurroundings());
  assert.deepEqual(mapped.metrics, coded.metrics);
  const withoutDigest = ({ source_digest: _, ...settings }: typeof mapped.system) => settings;
  assert.deepEqual(withoutDigest(mapped.system), withoutDigest(coded.system));
});
