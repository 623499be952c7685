/** The program as a process, with systems that attack the process itself. */
import assert from "node:assert/strict";
import { ROOT } from "../cli/session.ts";
import { tempFolder } from "../temp_folder.ts";

const yaml = `system: {rag: {object: "app:s"}}
evaluators:
  - {type: equals, criterion: right, field: answer}
run: {concurrency: 2, timeout_seconds: 5}
`;

/** A project whose generate has this body; six cases q0 to q5, of which q3 is the one that misbehaves. */
async function projectWith(body: string, more = "", extra = ""): Promise<string> {
  const folder = await tempFolder();
  await Deno.writeTextFile(`${folder}/oloproof.yaml`, yaml + extra);
  await Deno.writeTextFile(
    `${folder}/app.js`,
    `import { ragSystem } from "oloproof";
     const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
     ${more}
     export const s = ragSystem({ name: "h", version: "1", depth: 1, top_k: 1 }, {
       retrieve: (input) => ({ candidates: [{ doc_id: "d", text: input }] }),
       async generate(input) { ${body} return { answer: input }; },
     });`,
  );
  const cases = Array.from(
    { length: 6 },
    (_, n) => JSON.stringify({ id: `c${n}`, input: `q${n}`, expected: `q${n}` }),
  );
  await Deno.writeTextFile(`${folder}/cases.jsonl`, `${cases.join("\n")}\n`);
  return folder;
}

function start(folder: string, args: readonly string[]): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-lock", `${ROOT}cli.ts`, "-C", folder, ...args],
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

/** Waits until a run has begun to write, and a little longer. */
async function untilRunning(folder: string): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const found = await Deno.stat(`${folder}/.oloproof/oloproof.db`).catch(() => undefined);
    if (found !== undefined && found.size > 0) break;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  await new Promise((resolve) => setTimeout(resolve, 500));
}

async function outcomeOf(child: Deno.ChildProcess) {
  const { code, stdout, stderr } = await child.output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

for (const call of ["Deno.exit(0)", "process.exit(0)"]) {
  Deno.test(`a system that calls ${call} fails its stage and ends nothing`, async () => {
    const folder = await projectWith(`if (input === "q3") ${call};`);
    const { code, stdout } = await outcomeOf(start(folder, ["run", "--json"]));
    assert.equal(code, 4);
    const { cases, failures } = JSON.parse(stdout);
    assert.equal(cases, 6);
    assert.deepEqual(failures.map((one: { case_id: string; kind: string }) => [one.case_id, one.kind]), [
      ["c3", "exception"],
    ]);
  });
}

Deno.test("errors that nobody awaits are told in one printable line and end nothing", async () => {
  const folder = await projectWith(
    `if (input === "q3") { setTimeout(() => { throw new Error("late \\x1b[31mboom"); }, 5);
       Promise.reject(new Error("floating")); await sleep(50); }`,
  );
  const { code, stdout, stderr } = await outcomeOf(start(folder, ["run", "--json"]));
  assert.equal(code, 0);
  assert.equal(JSON.parse(stdout).metrics[0].estimate, 1);
  assert.match(stderr, /warning\[stray_error\].*late/);
  assert.match(stderr, /warning\[stray_error\].*floating/);
  assert.ok(!stderr.includes("\x1b"));
});

Deno.test("what a system logs does not stand among the results", async () => {
  const folder = await projectWith(`console.log("noise", input); console.info("more");`);
  const { code, stdout, stderr } = await outcomeOf(start(folder, ["run", "--json"]));
  assert.equal(code, 0);
  assert.equal(JSON.parse(stdout).cases, 6);
  assert.match(stderr, /noise q0/);
});

Deno.test("^C ends a run whose system never answers, and keeps what is finished", async () => {
  const folder = await projectWith(`if (input === "q5") await sleep(60_000);`);
  const child = start(folder, ["run"]);
  await untilRunning(folder);
  child.kill("SIGINT");
  const { code, stdout } = await outcomeOf(child);
  assert.equal(code, 130);
  assert.match(stdout, /Cases: 5 of 6 finished \(interrupted\)/);
});

Deno.test("^C ends a module that never finishes loading", async () => {
  const folder = await projectWith("", "await new Promise(() => { setInterval(() => {}, 1000); });");
  const child = start(folder, ["run"]);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  child.kill("SIGINT");
  assert.equal((await outcomeOf(child)).code, 130);
});

Deno.test("large cases that change while they are run end the run instead of mixing", async () => {
  const folder = await projectWith("await sleep(5);");
  const lines = Array.from(
    { length: 3000 },
    (_, n) => JSON.stringify({ id: `c${n}`, input: `q${n} ${"x".repeat(3000)}`, expected: "" }),
  );
  await Deno.writeTextFile(`${folder}/cases.jsonl`, `${lines.join("\n")}\n`);
  const child = start(folder, ["run"]);
  await untilRunning(folder);
  await Deno.writeTextFile(`${folder}/cases.jsonl`, `${lines.toReversed().join("\n")}\n`);
  const { code, stderr } = await outcomeOf(child);
  assert.equal(code, 1);
  assert.match(stderr, /error\[cases_changed\]/);
});

Deno.test("a store that is deleted under a run is told, not reported as kept", async () => {
  const folder = await projectWith("await sleep(1000);");
  const child = start(folder, ["run"]);
  await untilRunning(folder);
  await Deno.remove(`${folder}/.oloproof`, { recursive: true });
  const { code, stderr } = await outcomeOf(child);
  assert.equal(code, 1);
  assert.match(stderr, /store_gone|store_/);
});

Deno.test("an evaluator that throws at once is missing, and ends nothing", async () => {
  const folder = await projectWith(
    "await sleep(20);",
    "export const polite = (record) => record.output.missing.field === 1;",
    "",
  );
  await Deno.writeTextFile(
    `${folder}/oloproof.yaml`,
    `${yaml}`.replace("run:", '  - {type: function, object: "app:polite"}\nrun:'),
  );
  const { code, stdout } = await outcomeOf(start(folder, ["run", "--json"]));
  assert.equal(code, 4);
  const { metrics, absences } = JSON.parse(stdout);
  assert.equal(metrics[1].missing, 6);
  assert.equal(absences[0].reason, "evaluator_failed");
});

Deno.test("^C ends an evaluator that never answers at once, and what was finished is kept", async () => {
  const folder = await projectWith(
    "",
    "export const judge = ({ case_id }) => case_id === 'c5' ? new Promise(() => {}) : true;",
  );
  await Deno.writeTextFile(
    `${folder}/oloproof.yaml`,
    yaml.replace("run:", '  - {type: function, object: "app:judge"}\nrun:').replace(
      "timeout_seconds: 5",
      "timeout_seconds: 60",
    ),
  );
  const child = start(folder, ["run"]);
  await untilRunning(folder);
  const start_ms = performance.now();
  child.kill("SIGINT");
  const { code, stdout } = await outcomeOf(child);
  assert.equal(code, 130);
  assert.ok(performance.now() - start_ms < 2500);
  assert.match(stdout, /Cases: 5 of 6 finished \(interrupted\)/);
});
