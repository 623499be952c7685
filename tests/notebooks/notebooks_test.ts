/** The guides are true: what they show is what the kernel answers today. */
import assert from "node:assert/strict";
import { named, python, runScript } from "./kernel.ts";

const FOLDER = new URL("../../notebooks/", import.meta.url).pathname;
const rewrite = Deno.env.get("OLOPROOF_NOTEBOOKS") === "write";
const inKernel = { ignore: python === undefined };

interface Output {
  readonly output_type: string;
  readonly data?: Readonly<Record<string, string | readonly string[]>>;
  readonly text?: string | readonly string[];
}

interface Cell {
  readonly cell_type: "code" | "markdown";
  readonly source: string | readonly string[];
  readonly outputs?: readonly Output[];
}

function textOf(text: string | readonly string[] = ""): string {
  return typeof text === "string" ? text : text.join("");
}

/** What is of one moment is no part of what a guide shows: ids, times, latencies. Pictures are compared as what they draw. */
function lasting(text: string): string {
  return text
    .replace(
      /data:image\/svg\+xml;base64,([\w+/=]+)/g,
      (_, packed: string) => new TextDecoder().decode(Uint8Array.fromBase64(packed)),
    )
    .replace(/run_[0-9A-Z]{26}/g, "run_…")
    .replace(/sha256:[0-9a-f]{64}/g, "sha256:…")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "…Z")
    .replace(/\b\d+(?:\.\d+)? (?:ms|s)\b/g, "… ms");
}

function shownBy({ cells }: { readonly cells: readonly Cell[] }): readonly unknown[] {
  return cells.map(({ cell_type, source, outputs = [] }) => ({
    cell_type,
    source: textOf(source),
    outputs: outputs.map(({ output_type, data = {}, text }) => ({
      output_type,
      text: lasting(textOf(text)),
      data: Object.fromEntries(Object.entries(data).map(([type, form]) => [type, lasting(textOf(form))])),
    })),
  }));
}

const names = [...Deno.readDirSync(FOLDER)].map(({ name }) => name).filter((name) => name.endsWith(".ipynb"))
  .sort();

Deno.test("notebooks: there are four, of prose and code, without an error among their outputs", async () => {
  assert.deepEqual(names, ["01_run.ipynb", "02_diagnose.ipynb", "03_compare.ipynb", "04_experiment.ipynb"]);
  for (const name of names) {
    const { cells }: { cells: readonly Cell[] } = JSON.parse(await Deno.readTextFile(FOLDER + name));
    const code = cells.filter(({ cell_type }) => cell_type === "code");
    assert.ok(cells.length - code.length >= 5, name);
    assert.ok(
      code.every(({ outputs = [] }) => outputs.every(({ output_type }) => output_type !== "error")),
      name,
    );
    assert.ok(code.slice(1).every(({ outputs = [] }) => outputs.length > 0), name);
  }
});

for (const name of names) {
  Deno.test({
    ...inKernel,
    name: named(`notebooks: ${name} shows what the kernel answers`),
    async fn() {
      const committed = await Deno.readTextFile(FOLDER + name);
      const executed = await runScript("execute.py", [FOLDER + name]);
      if (rewrite) await Deno.writeTextFile(FOLDER + name, `${executed.trimEnd()}\n`);
      else assert.deepEqual(shownBy(JSON.parse(executed)), shownBy(JSON.parse(committed)));
    },
  });
}

Deno.test({
  ...inKernel,
  name: named(
    "notebooks: progress shows while a run works, and an interrupted cell leaves a kernel and a run that go on",
  ),
  async fn() {
    const cell = `
      import { defineProject, ragSystem, run } from "oloproof";
      const project = defineProject({
        system: ragSystem({ name: "slow", version: "1", depth: 1, top_k: 1 }, {
          retrieve: (input: string) => ({ candidates: [{ doc_id: input, text: input }] }),
          // The first twelve answer; the others wait until they are stopped.
          generate: (input: string, _context, { signal }) =>
            Number(input) < 12 || resumed ? { answer: input } : new Promise((_, reject) =>
              signal.addEventListener("abort", () => reject(signal.reason))),
        }),
        cases: Array.from({ length: 40 }, (_, index) => ({ id: "case-" + index, input: String(index) })),
        evaluators: [{ type: "completed" }],
        store: await Deno.makeTempDir() + "/store.db",
        run: { concurrency: 1 },
      });
      let resumed = false;
      const part = await run(project);
      console.log(JSON.stringify([part.status, part.cases]));
    `;
    const resume = `
      resumed = true;
      const whole = await run(project, { resume: part.run_id });
      console.log(JSON.stringify([whole.status, whole.cases, whole.run_id === part.run_id]));
    `;
    const [first, second, alive] = JSON.parse(await runScript("interrupt.py", [FOLDER, cell, resume]));
    const resultOf = (outputs: readonly (Output & { type: string })[]) =>
      JSON.parse(textOf(outputs.find(({ type }) => type === "stream")?.text));
    const [status, cases] = resultOf(first);
    assert.equal(status, "interrupted");
    assert.ok(cases >= 1 && cases <= 12, `${cases} cases`);
    const [shown, ...updates] = first.filter(({ type }: { type: string }) => type.endsWith("display_data"));
    assert.equal(shown.type, "display_data");
    assert.match(textOf(shown.data["text/plain"]), /^[█░]{24} \d+\/40 cases$/);
    assert.equal(textOf(updates.at(-1).data["text/plain"]), `${cases}/40 cases`);
    assert.deepEqual(resultOf(second), ["complete", 40, true]);
    assert.equal(alive, true);
  },
});
