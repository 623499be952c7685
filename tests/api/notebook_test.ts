/** Values that show themselves in notebooks, and are plain data in scripts. */
import assert from "node:assert/strict";
import { calibrate, compare, diagnose, inspect, openProject, plan, run, sweep } from "../../mod.ts";
import { parseHTML } from "linkedom";
import { tempFolder } from "../temp_folder.ts";

const DISPLAY = Symbol.for("Jupyter.display");

type Bundle = Readonly<Record<string, string>>;

/** What a kernel would be given of a value. */
async function bundleOf(value: object | undefined): Promise<Bundle> {
  const display: unknown = value === undefined ? undefined : Reflect.get(value, DISPLAY);
  assert.ok(typeof display === "function", "the value shows nothing");
  return await display.call(value);
}

async function exampleProject(name = "support_rag") {
  return await openProject(new URL(`../../examples/${name}`, import.meta.url).pathname, {
    store: `${await tempFolder()}/store.db`,
  });
}

Deno.test("notebook: every verb's value shows a table, a picture and text", async () => {
  const project = await exampleProject();
  const baseline = await run(project);
  const candidate = await run(project, { set: { token_budget: 120 } });
  const id = baseline.run_id;
  const diagnosis = await diagnose(project, id, {
    intervention: "gold-context",
    criterion: "answer_correct",
  });
  const values = {
    run: baseline,
    diagnosis,
    comparison: await compare(project, candidate.run_id, id, { policy: "compare.yaml" }),
    sweep: await sweep(project, id, { set: { token_budget: [40, 120], top_k: [2, 4] } }),
    plan: await plan(project, { policy: "compare.yaml" }),
    inspected: await inspect(project, id),
    case: await inspect(project, id, { case: "refund_review" }),
    failed: await inspect(project, id, { failed: "answer_correct" }),
    document: await inspect(project, diagnosis?.diagnosis_id),
  };
  for (const [name, value] of Object.entries(values)) {
    const bundle = await bundleOf(value);
    assert.match(bundle["text/html"] ?? "", /<table>/, name);
    assert.match(bundle["text/html"] ?? "", /<img src="data:image\/svg\+xml;base64,/, name);
    assert.match(bundle["image/svg+xml"] ?? "", /^<svg /, name);
    assert.ok((bundle["text/plain"] ?? "").length > 50, name);
  }
  const html = (await bundleOf(baseline))["text/html"] ?? "";
  assert.ok(html.includes("9 / 13 observed · 0 missing · 0 excluded"));
  const { document } = parseHTML(html) as unknown as {
    document: { querySelectorAll(s: string): Iterable<{ getAttribute(n: string): string }> };
  };
  for (const image of document.querySelectorAll("img")) {
    assert.match(image.getAttribute("alt"), /run_.*\d/);
  }
});

Deno.test("notebook: a calibration shows its table, its rates and the rows on which judge and people disagree", async () => {
  const project = await exampleProject("judged_answers");
  await run(project);
  const measured = await calibrate(project, { criterion: "grounded", labels: "labels.jsonl" });
  for (const value of [measured, await inspect(project, measured?.calibration_id)]) {
    const bundle = await bundleOf(value);
    assert.match(bundle["text/html"] ?? "", /People pass.*Judge passes|Judge passes.*People pass/s);
    assert.match(bundle["text/html"] ?? "", /wheelchair_wrong/);
    assert.match(bundle["image/svg+xml"] ?? "", />sensitivity<\/text>/);
  }
});

Deno.test("notebook: for a script the value is data alone", async () => {
  const report = await run(await exampleProject());
  const plain = JSON.parse(JSON.stringify(report));
  assert.deepEqual(structuredClone(report), plain);
  assert.deepEqual({ ...report }, plain);
  assert.deepEqual(report, plain);
  assert.deepEqual([...Object.getOwnPropertySymbols({ ...report })], []);
  assert.ok(!JSON.stringify(report).includes("svg"));
});

Deno.test("notebook: what is hostile in a case is shown as text", async () => {
  const folder = await tempFolder();
  const text = `<img src=x onerror=alert(1)></td></table><script>alert(2)</script>\u202e\u0007`;
  const { defineProject, ragSystem } = await import("../../mod.ts");
  const project = defineProject({
    system: ragSystem({ name: text, version: "1", depth: 1, top_k: 1 }, {
      retrieve: () => ({ candidates: [{ doc_id: text, text }] }),
      generate: () => ({ answer: text }),
    }),
    cases: [{
      id: "one",
      input: text,
      expected: { answer: "no", relevant: [{ doc_id: text }] },
      metadata: { topic: text },
    }],
    evaluators: [{ type: "equals", field: "answer", expected_field: "answer" }],
    slices: ["metadata.topic"],
    min_slice_support: 1,
    store: `${folder}/store.db`,
  });
  const report = await run(project);
  for (
    const value of [
      report,
      await inspect(project, report.run_id, { case: "one" }),
      await inspect(project, report.run_id, { failed: "equals" }),
    ]
  ) {
    const bundle = await bundleOf(value);
    for (const form of Object.values(bundle)) {
      assert.ok(!form.includes("\u202e") && !form.includes("\u0007"));
      assert.ok(form === bundle["text/plain"] || !/<script|<img src=x/.test(form));
    }
  }
});
