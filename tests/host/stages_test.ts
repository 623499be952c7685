/** The stages and values of systems in processes of their own, beyond those of the contract. */
import assert from "node:assert/strict";
import { diagnose } from "../../lib/commands/diagnose.ts";
import { exportCases } from "../../lib/commands/export.ts";
import { openProject } from "../../lib/commands/open_project.ts";
import { run } from "../../lib/commands/run.ts";
import type { Json } from "../../lib/domain/json.ts";
import { testSurroundings } from "../commands/run_surroundings.ts";
import { folderOf } from "../system/project_folder.ts";

async function executed(
  rag: Readonly<Record<string, Json>>,
  files: Readonly<Record<string, string>>,
  inputs: readonly Json[],
) {
  const expected = { answer: "gold", gold_context: [{ doc_id: "g", text: "gold" }] };
  const folder = await folderOf({
    ...files,
    "oloproof.yaml": JSON.stringify({
      system: { rag },
      evaluators: [{ type: "equals", criterion: "right", expected_field: "answer" }],
    }),
    "cases.jsonl": inputs.map((input, n) => `${JSON.stringify({ id: `c${n}`, input, expected })}\n`).join(""),
  });
  const project = await openProject(folder, { cwd: folder });
  const report = await run(project, {}, testSurroundings());
  const stored = await Array.fromAsync(exportCases(project.store, report.run_id, testSurroundings()));
  return { project, report, records: stored.map(({ stored }) => stored.record) };
}

const assembling: Readonly<Record<string, readonly [file: string, text: string]>> = {
  python: [
    "app.py",
    `from oloproof import Passage, rag_system
@rag_system(name="a", version="1", depth=3, top_k=2, token_budget=9)
class System:
    def retrieve(self, input, depth):
        return {"candidates": [{"doc_id": f"d{n}", "text": "t", "metadata": {"n": n}} for n in range(depth)]}
    def assemble(self, input, candidates, top_k, token_budget):
        assert (top_k, token_budget) == (2, 9) and candidates[0].metadata == {"n": 0}
        return [candidates[2], Passage(doc_id="own", text=input)]
    def generate(self, input, context):
        return [one.doc_id for one in context]
system = System()
`,
  ],
  node: [
    "app.mjs",
    `export const system = { name: "a", version: "1", depth: 3, top_k: 2, token_budget: 9,
       found: (n) => ({ doc_id: "d" + n, text: "t", metadata: { n } }),
       retrieve(input, depth) { return { candidates: [0, 1, 2].slice(0, depth).map(this.found) }; },
       assemble(input, candidates, { top_k, token_budget }, { signal }) {
         if (top_k !== 2 || token_budget !== 9 || signal.aborted) throw new Error("wrong limits");
         return [candidates[2], { doc_id: "own", text: input }];
       },
       generate: (input, context) => context.map(({ doc_id }) => doc_id) };`,
  ],
};
for (const [runtime, [file, text]] of Object.entries(assembling)) {
  Deno.test(`a system that assembles its context itself, as an instance: ${runtime}`, async () => {
    const { records: [record] } = await executed({ object: "app:system", runtime }, { [file]: text }, ["q"]);
    assert.deepEqual(record?.output, ["d2", "own"]);
    assert.deepEqual(record?.context?.map(({ doc_id }) => doc_id), ["d2", "own"]);
    assert.deepEqual(record?.dropped?.map(({ doc_id, reason }) => [doc_id, reason]), [
      ["d0", "left_out_by_system"],
      ["d1", "left_out_by_system"],
    ]);
  });
}

const answering: Readonly<Record<string, readonly [file: string, text: string]>> = {
  python: [
    "app.py",
    `from oloproof import Passage, rag_system
@rag_system(name="a", version="1", reports=["context"], accepts_context=True)
class System:
    def answer(self, input, params, context=None):
        read = context or [Passage(doc_id="own", text=params.get("tone", "noise"))]
        return {"output": read[0].text, "context": read}
`,
  ],
  deno: [
    "app.mjs",
    `import { ragSystem } from "oloproof";
     export const System = ragSystem({ name: "a", version: "1", reports: ["context"], accepts_context: true }, {
       answer(input, { params, context = [{ doc_id: "own", text: params.tone ?? "noise" }] }) {
         return { output: context[0].text, context };
       } });`,
  ],
};
for (const [runtime, [file, text]] of Object.entries(answering)) {
  Deno.test(`one stage that answers from the context that it is given: ${runtime}`, async () => {
    const { project, report, records } = await executed({ object: "app:System", runtime }, { [file]: text }, [
      "q",
    ]);
    assert.deepEqual(records[0]?.output, "noise");
    assert.deepEqual(report.stages, { answer: { hit: 0, miss: 1 } });
    const options = { intervention: { kind: "gold-context" } as const, criterion: "right" };
    const found = await diagnose(project, report.run_id, options, testSurroundings());
    assert.equal(found?.tally.recovered, 1);
  });
}

Deno.test("values of Python: what shows itself becomes JSON, what does not is invalid, with its place", async () => {
  const app = `
import asyncio, dataclasses, datetime, enum, sys
from oloproof import rag_system

class Color(str, enum.Enum):
    RED = "red"

@dataclasses.dataclass
class Note:
    text: str
    more: object = None

class Plain:
    def __init__(self):
        self.shown, self._hidden = 1, 2

class Pydantic:
    def model_dump(self, mode):
        return {"mode": mode}

class Number:
    def tolist(self):
        return 2.5

cycle = []
cycle.append(cycle)
async def later():
    return "later"

def fails(error):
    raise error

VALUES = {
    "note": lambda: Note("a", (1, Color.RED)), "plain": Plain, "pydantic": Pydantic, "number": Number,
    "date": lambda: datetime.date(2026, 9, 16), "none": lambda: None, "awaitable": later, "big": lambda: 2**60,
    "set": lambda: {"a": {1}}, "key": lambda: {1: 2}, "nan": lambda: [float("inf")], "cycle": lambda: cycle,
    "function": lambda: [len], "class": lambda: Plain,
    "exit": lambda: sys.exit(3), "missing": lambda: {}["x"], "empty": lambda: fails(ValueError()),
}

@rag_system(name="a", version="1")
class System:
    def answer(self, input):
        value = VALUES[input]()
        return {"output": value} if input != "awaitable" else self.wrap(value)
    async def wrap(self, value):
        return {"output": await value}
`;
  const names = [..."note plain pydantic number date none awaitable".split(" ")];
  const wrong = "big set key nan cycle function class exit missing empty".split(" ");
  const { records } = await executed({ object: "app:System" }, { "app.py": app }, [...names, ...wrong]);
  const told = new Map(records.map(({ case: { input }, output, error }) => [
    input,
    error === undefined ? output : `${error.kind}: ${error.message}`,
  ]));
  const invalid = (problem: string) =>
    `invalid_output: answer returned a value that is not JSON: at value.output${problem}`;
  assert.deepEqual(Object.fromEntries(told), {
    note: { text: "a", more: [1, "red"] },
    plain: { shown: 1 },
    pydantic: { mode: "json" },
    number: 2.5,
    date: "2026-09-16",
    none: null,
    awaitable: "later",
    big: invalid(", 1152921504606846976 is too large to stay exact; give it as a text"),
    set: invalid(".a, set is not a JSON value"),
    key: invalid(", the key 1 is not a text"),
    nan: invalid("[0], inf is not a JSON number"),
    cycle: "invalid_output: answer returned a value that contains itself, or is too deep",
    function: invalid("[0], builtin_function_or_method is not a JSON value"),
    class: invalid(", type is not a JSON value"),
    exit: "exception: SystemExit: 3",
    missing: "exception: KeyError: 'x'",
    empty: "exception: ValueError",
  });
});

Deno.test("a Python module finds its packages, its neighbours and itself, wherever it lies", async () => {
  const { records, report } = await executed({ object: "pkg/sub/app:System" }, {
    "pkg/__init__.py": "",
    "pkg/sub/__init__.py": "",
    "pkg/sub/near.py": "HERE = 'near'",
    "pkg/other.py": "THERE = 'other'",
    "top.py": "ABOVE = 'top'",
    "pkg/sub/app.py": `
from oloproof import rag_system
from . import near
from ..other import THERE
import top
@rag_system(name="a", version="1")
class System:
    async def answer(self, input):
        return {"output": [near.HERE, THERE, top.ABOVE, __name__]}
`,
  }, ["q"]);
  assert.deepEqual(report.failures, []);
  assert.deepEqual(records[0]?.output, ["near", "other", "top", "pkg.sub.app"]);
});

Deno.test("the Python that the project names runs the module", async () => {
  const app = `import os
from oloproof import rag_system
@rag_system(name="a", version="1")
class System:
    def answer(self, input):
        return {"output": os.environ["SAID"]}
`;
  const folder = await folderOf({
    "app.py": app,
    "cases.jsonl": '{"id": "a", "input": 1}\n',
    "oloproof.yaml": 'system: {rag: {object: "app:System"}}\npython: {command: [env, SAID=hello, python3]}\n',
  });
  const project = await openProject(folder, { cwd: folder });
  const report = await run(project, {}, testSurroundings());
  const [found] = await Array.fromAsync(exportCases(project.store, report.run_id, testSurroundings()));
  assert.equal(found?.stored.record.output, "hello");
  // A virtual environment beside the project needs no word.
  await Deno.mkdir(`${folder}/.venv/bin`, { recursive: true });
  await Deno.writeTextFile(`${folder}/.venv/bin/python`, '#!/bin/sh\nSAID=venv exec python3 "$@"\n');
  await Deno.chmod(`${folder}/.venv/bin/python`, 0o755);
  await Deno.writeTextFile(
    `${folder}/oloproof.yaml`,
    'system: {version: "2", rag: {object: "app:System"}}\n',
  );
  const own = await openProject(folder, { cwd: folder });
  const second = await run(own, {}, testSurroundings());
  const [other] = await Array.fromAsync(exportCases(own.store, second.run_id, testSurroundings()));
  assert.equal(other?.stored.record.output, "venv");
});
