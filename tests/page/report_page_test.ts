/** Report files as readers meet them: in a browser, from the disk. */
import assert from "node:assert/strict";
import { gunzipSync } from "node:zlib";
import { compare, defineProject, type Project, ragSystem, run } from "../../mod.ts";
import { reportOf as pageOf } from "../../lib/page/report_of.ts";
import { reportPage } from "../../lib/page/report_page.ts";
import { startSession } from "../cli/session.ts";
import { proportion, reportOf } from "../report/run_report.ts";
import { tempFolder } from "../temp_folder.ts";
import { chromium, named, type OpenedPage, seriousFaults, withBrowser } from "./browser.ts";
import { manyCases } from "./many_cases.ts";

const inBrowser = { ignore: chromium === undefined, sanitizeOps: false, sanitizeResources: false };

type Page = OpenedPage["page"];

function textsOf(page: Page, selector: string): Promise<readonly string[]> {
  return page.$$eval(
    selector,
    (elements: readonly { textContent: string }[]) => elements.map(({ textContent }) => textContent),
  );
}

/** The ids of the cases that are shown, in their order. */
function idsOf(page: Page): Promise<readonly string[]> {
  return textsOf(page, "#case-table tbody button");
}

/** Everything that a page holds: its markup, and what is packed in it. */
async function wholeText(file: string): Promise<string> {
  const text = await Deno.readTextFile(file);
  const packed = [...text.matchAll(/<script type="application\/gzip" id="([^"]+)">([^<]*)</g)];
  assert.ok(packed.length >= 2);
  return [text, ...packed.map(([, , block = ""]) => gunzipSync(Uint8Array.fromBase64(block)).toString())]
    .join("\n");
}

/** Reports of the calibration of a judge, and of a comparison that it decides, by kind. */
async function judgedReports(): Promise<ReadonlyMap<string, string>> {
  const session = await startSession(["judged_answers"]);
  const at = ["-C", "examples/judged_answers"];
  await session.run([...at, "run"]);
  const asked = ["--json", "judge", "calibrate", "--criterion", "grounded", "--labels", "labels.jsonl"];
  const { calibration_id } = JSON.parse((await session.run([...at, ...asked])).stdout);
  await session.run([...at, "run"]);
  const compared = await session.run([
    ...at,
    ...["--json", "compare", "latest", "latest~1", "--policy", "compare.yaml"],
  ]);
  const { comparison_id } = JSON.parse(compared.stdout);
  const ids = { calibration: calibration_id, comparison_by_a_judge: comparison_id };
  const files = new Map<string, string>();
  for (const [kind, id] of Object.entries(ids)) {
    const { code } = await session.run([...at, "report", id, "-o", `${kind}.html`]);
    assert.equal(code, 0);
    files.set(kind, `${session.cwd}/${kind}.html`);
  }
  return files;
}

/** Reports of a run, a diagnosis of it, a comparison with it and a sweep of it, by kind. */
async function exampleReports(): Promise<ReadonlyMap<string, string>> {
  const session = await startSession(["support_rag"]);
  const at = ["-C", "examples/support_rag"];
  const json = async (...args: readonly string[]) =>
    JSON.parse((await session.run([...at, "--json", ...args])).stdout);
  const { run_id } = await json("run");
  const { diagnosis_id } = await json("diagnose", run_id, "--criterion", "answer_correct");
  await json("run", "--set", "token_budget=120", "--set", "top_k=4");
  const { comparison_id } = await json("compare", "latest", run_id, "--policy", "compare.yaml");
  const { sweep_id } = await json("sweep", run_id, "--set", "token_budget=40,120", "--set", "top_k=2,4");
  const files = new Map<string, string>();
  const ids = { run: run_id, diagnosis: diagnosis_id, comparison: comparison_id, sweep: sweep_id };
  for (const [kind, id] of Object.entries(ids)) {
    const { stdout, code } = await session.run([...at, "report", id, "-o", `${kind}.html`]);
    assert.deepEqual([stdout, code], [`Wrote the report of the ${kind} to ${kind}.html\n`, 0]);
    files.set(kind, `${session.cwd}/${kind}.html`);
  }
  return files;
}

Deno.test({
  ...inBrowser,
  name: named(
    "report: every kind opens without a message or a request, in light and dark, and axe finds nothing serious",
  ),
  async fn(test) {
    const files = [...await exampleReports(), ...await judgedReports()];
    await withBrowser(async (open) => {
      for (const [kind, file] of files) {
        for (const scheme of ["light", "dark"] as const) {
          await test.step(`${kind}, ${scheme}`, async () => {
            const { page, trouble } = await open(file, { scheme });
            assert.deepEqual(await seriousFaults(page), []);
            if (kind !== "calibration") {
              await page.click("#case-table tbody button");
              await page.waitForSelector("dialog[open] #case-body h3");
              assert.deepEqual(await seriousFaults(page), []);
              await page.keyboard.press("Escape");
            }
            await page.setViewport({ width: 375, height: 700 });
            assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 375);
            assert.deepEqual(trouble, []);
            const pictures = await page.$$eval(
              "svg.oloproof-picture",
              (all: readonly unknown[]) => all.length,
            );
            assert.ok(pictures >= 1);
          });
        }
      }
    });
  },
});

Deno.test({
  ...inBrowser,
  name: named("report: cases are chosen, sorted and opened, by keyboard alone"),
  async fn() {
    const file = (await exampleReports()).get("run") ?? "";
    await withBrowser(async (open) => {
      const { page, trouble } = await open(file);
      assert.equal((await idsOf(page)).length, 13);
      const status = () =>
        page.$eval("#case-status", (element: { textContent: string }) => element.textContent);
      assert.equal(await status(), "13 of 13 cases");

      await page.focus("#case-filters select");
      await page.keyboard.type("fail");
      assert.deepEqual(await idsOf(page), ["money_back", "refund_review", "seat_count", "security_review"]);
      assert.equal(await status(), "4 of 13 cases");
      await page.focus("#case-filters input");
      await page.keyboard.type("REFUND");
      assert.deepEqual(await idsOf(page), ["refund_review"]);
      for (let key = 0; key < 6; key++) await page.keyboard.press("Backspace");

      const sort = "#case-table th:first-child button";
      await page.focus(sort);
      await page.keyboard.press("Enter");
      assert.deepEqual(
        await idsOf(page),
        ["money_back", "refund_review", "seat_count", "security_review"].sort(),
      );
      await page.keyboard.press("Enter");
      assert.equal((await idsOf(page))[0], "security_review");
      const sorted = await page.$eval(
        "#case-table th:first-child",
        (cell: { ariaSort: string }) => cell.ariaSort,
      );
      assert.equal(sorted, "descending");

      await page.focus("#case-table tbody tr:nth-child(3) button");
      await page.keyboard.press("Enter");
      await page.waitForSelector("dialog[open] #case-body h3");
      const detail = await page.$eval("#case", (element: { textContent: string }) => element.textContent);
      for (
        const part of [
          "refund_review",
          "How long does a refund review take?",
          "3 business days",
          "dropped: over_token_budget, enters from token_budget 58",
          "answer_correct",
        ]
      ) {
        assert.ok(detail.includes(part), part);
      }
      await page.keyboard.press("Escape");
      const focused = await page.evaluate("document.activeElement.textContent");
      assert.equal(focused, "refund_review");
      assert.deepEqual(trouble, []);

      const linked = await open(file, { hash: "#case=seat_count" });
      assert.equal(
        await linked.page.$eval("#case-name", (name: { textContent: string }) => name.textContent),
        "seat_count",
      );
      assert.equal(await linked.page.$eval("#case", (dialog: { open: boolean }) => dialog.open), true);
    });
  },
});

Deno.test({
  ...inBrowser,
  name: named(
    "report: tables above the cases are sorted by value and filtered; on paper folded pictures are open",
  ),
  async fn() {
    const file = (await exampleReports()).get("run") ?? "";
    await withBrowser(async (open) => {
      const { page } = await open(file);
      const column = (index: number) => textsOf(page, `#part-0 tbody td:nth-child(${index})`);
      await page.click("#part-0 th:nth-child(2) button");
      assert.deepEqual(await column(2), ["69.2%", "0.866", "92.3%", "92.3%", "100.0%"]);
      await page.type("form input[type=search]", "billing");
      const visible = await page.$$eval(
        "#part-2 tbody tr",
        (rows: readonly { hidden: boolean; textContent: string }[]) =>
          rows.filter(({ hidden }) => !hidden).map(({ textContent }) => textContent),
      );
      assert.equal(visible.length, 5);
      assert.ok(visible.every((text) => text.includes("billing")));
      const folded = () =>
        page.$$eval("main details", (all: readonly { open: boolean }[]) => all.map(({ open }) => open));
      assert.deepEqual(await folded(), [false]);
      await page.evaluate("dispatchEvent(new Event('beforeprint'))");
      assert.deepEqual(await folded(), [true]);
    });
  },
});

const hostile = [
  "</script><script>window.harmed = 1</script>",
  '"><img src=x onerror="window.harmed = 2">',
  "<!--<script>",
  "javascript:window.harmed=3",
  "\u202ereversed\u0000\u0007\u001b[31m",
].join(" ");

async function hostileReport(
  options: readonly string[] = [],
  of: "run" | "comparison" = "run",
): Promise<string> {
  const folder = await tempFolder();
  const store = `${folder}/store.db`;
  const long = `LONG${"x".repeat(1_000_000)}END`;
  const project = defineProject({
    system: ragSystem({
      name: "hostile",
      version: "1",
      depth: 2,
      top_k: 1,
      params: { generate: { prompt: "SECRET-PROMPT" } },
    }, {
      retrieve: (input: { readonly text: string }) => ({
        query: `SECRET-QUERY ${hostile}`,
        candidates: [
          {
            doc_id: "</script>doc",
            text: `SECRET-PASSAGE ${hostile}`,
            metadata: { note: `SECRET-NOTE ${hostile}` },
          },
          { doc_id: "other", text: input.text },
        ],
      }),
      generate: (input: { readonly text: string }) => {
        if (input.text.startsWith("SECRET-THROWS")) throw new Error(`SECRET-ERROR ${hostile}`);
        return { answer: `SECRET-ANSWER ${hostile}${long}` };
      },
    }),
    cases: [
      {
        id: "<b>one</b></script>",
        input: { text: `SECRET-INPUT ${hostile}` },
        expected: { answer: `SECRET-EXPECTED ${hostile}`, relevant: [{ doc_id: "</script>doc" }] },
        metadata: { topic: `SECRET-TOPIC ${hostile}` },
      },
      { id: "two", input: { text: "SECRET-THROWS" }, expected: { answer: "SECRET-EXPECTED" } },
    ],
    evaluators: [
      { type: "equals", criterion: "right", field: "answer", expected_field: "answer" },
      { type: "hit_rate", k: 1 },
    ],
    slices: ["input.text", "relevant_position"],
    min_slice_support: 1,
    store,
  });
  const { run_id } = await run(project);
  const id = of === "run" ? run_id : await hostileComparison(project, run_id, folder);
  const session = await startSession();
  const { code, stderr } = await session.run([
    "--store",
    store,
    "report",
    id,
    "-o",
    `${folder}/report.html`,
    ...options,
  ]);
  assert.deepEqual([code, stderr], [0, ""]);
  return `${folder}/report.html`;
}

/** A comparison under a policy that names a value of an input. */
async function hostileComparison(project: Project, baseline: string, folder: string): Promise<string> {
  const { run_id } = await run(project, { set: { top_k: 2, "params.generate.prompt": "SECRET-OTHER" } });
  const policy = `${folder}/policy.yaml`;
  const slice = "input.text=SECRET-THROWS";
  const rule = { name: "a", criterion: "right", test: "no-regression", slice };
  await Deno.writeTextFile(policy, JSON.stringify({ rules: [rule] }));
  const { comparison_id } = await compare(project, run_id, baseline, { policy });
  return comparison_id;
}

Deno.test({
  ...inBrowser,
  name: named(
    "report: hostile text neither runs nor breaks the page, and a long answer is shown when it is asked for",
  ),
  async fn() {
    const file = await hostileReport();
    await withBrowser(async (open) => {
      const { page, trouble } = await open(file);
      assert.deepEqual(await idsOf(page), ["<b>one</b></script>", "two"]);
      await page.click("#case-table tbody button");
      await page.waitForSelector("dialog[open] #case-body h3");
      const body = () => page.$eval("#case-body", (element: { textContent: string }) => element.textContent);
      assert.ok((await body()).includes('<img src=x onerror="window.harmed = 2">'));
      assert.ok((await body()).includes("\\u{202e}reversed\\u{0}\\u{7}\\u{1b}"));
      assert.ok(!(await body()).includes("END"));
      await page.evaluate(
        `[...document.querySelectorAll("#case-body button")].find(({ textContent }) => /^Show all 1/.test(textContent)).click()`,
      );
      assert.ok((await body()).includes("END"));
      assert.equal(await page.evaluate("window.harmed"), undefined);
      assert.deepEqual(
        await page.$$eval("#case-body img, #case-body script", (all: readonly unknown[]) => all.length),
        0,
      );
      assert.deepEqual(trouble, []);
      assert.deepEqual(await seriousFaults(page), []);
    });
  },
});

Deno.test("report: --no-text leaves out inputs, passages, answers and whatever may quote them", async () => {
  const whole = await wholeText(await hostileReport());
  for (
    const word of ["INPUT", "EXPECTED", "TOPIC", "PASSAGE", "NOTE", "QUERY", "ANSWER", "ERROR", "THROWS"]
  ) {
    assert.ok(whole.includes(`SECRET-${word}`), word);
  }
  const bare = await wholeText(await hostileReport(["--no-text"]));
  assert.deepEqual([...bare.matchAll(/.{30}SECRET.{30}/g)].map(([found]) => found), []);
  assert.ok(bare.includes("left out of this report"));
  assert.ok(bare.includes("generate exception"));
});

Deno.test("report: --no-text leaves out the value of an input that a rule of the policy names", async () => {
  const whole = await wholeText(await hostileReport([], "comparison"));
  assert.ok(whole.includes("no-regression, input.text=SECRET-THROWS") && whole.includes("SECRET-OTHER"));
  const bare = await wholeText(await hostileReport(["--no-text"], "comparison"));
  assert.deepEqual([...bare.matchAll(/.{30}SECRET.{30}/g)].map(([found]) => found), []);
  assert.ok(bare.includes("no-regression, input.text=left out"));
});

Deno.test("report: a page states a policy under which nothing is loaded, and carries no address of anything", async () => {
  const text = await Deno.readTextFile((await exampleReports()).get("comparison") ?? "");
  const [, escaped = ""] = /Content-Security-Policy" content="([^"]+)"/.exec(text) ?? [];
  const policy = escaped.replaceAll("&#39;", "'");
  assert.match(policy, /^default-src 'none'; script-src 'sha256-[^;]+; style-src /);
  assert.ok(!policy.includes("unsafe"));
  const addresses = [...text.matchAll(/\b(?:https?|ftp|ws|wss):\/\/[^\s"'<]*/g)].map(([found]) => found);
  assert.deepEqual([...new Set(addresses)], ["http://www.w3.org/2000/svg"]);
});

Deno.test({
  ...inBrowser,
  name: named("report: 10,000 cases with their evidence stay under 15 MB and open within 3 s"),
  async fn() {
    const report = reportOf({ metrics: [proportion()], cases: 10_000, planned_cases: 10_000 });
    const pieces = reportPage(pageOf({
      kind: "run",
      report,
      criteria: ["answer_correct"],
      cases: manyCases(10_000),
    }, { withText: true, made: "Made for a test." }));
    const file = `${await tempFolder()}/report.html`;
    const out = await Deno.open(file, { write: true, create: true });
    for await (const piece of pieces) await out.write(new TextEncoder().encode(piece));
    out.close();
    const { size } = await Deno.stat(file);
    assert.ok(size <= 15_000_000, `${size} bytes`);
    await withBrowser(async (open) => {
      await open(file);
      // The second time the browser itself is there.
      const { page, milliseconds, trouble } = await open(file);
      assert.ok(milliseconds <= 3000, `${milliseconds} ms`);
      assert.equal((await idsOf(page)).length, 100);
      const begin = performance.now();
      await page.type("#case-filters input", "case-9999");
      assert.deepEqual(await idsOf(page), ["case-9999"]);
      await page.click("#case-table tbody button");
      await page.waitForSelector("dialog[open] #case-body table");
      assert.ok(performance.now() - begin < 3000);
      assert.deepEqual(trouble, []);
    });
  },
});
