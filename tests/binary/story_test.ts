/** The stories of the examples, through the binary, in a folder with nothing but a project. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { tempFolder } from "../temp_folder.ts";
import { call, copyExample, ignore } from "./program.ts";

Deno.test({
  name: "binary: its version is that of deno.json",
  ignore,
  async fn() {
    const { version } = JSON.parse(await Deno.readTextFile(new URL("../../deno.json", import.meta.url)));
    const { stdout, stderr, code } = await call(await tempFolder(), ["--version"]);
    assert.ok([`oloproof ${version}\n`, `oloproof ${version} (test build)\n`].includes(stdout), stdout);
    assert.equal(stderr, "");
    assert.equal(code, 0);
  },
});

Deno.test({
  name: "binary: support_rag is run, diagnosed, changed, compared, blocked and looked into",
  ignore,
  async fn() {
    const cwd = await copyExample("support_rag");
    const first = await call(cwd, ["run", "--json"]);
    assert.equal(first.code, 0);
    const { metrics: [correct] } = JSON.parse(first.stdout);
    assert.deepEqual([correct.criterion, correct.estimate, correct.observed], ["answer_correct", 9 / 13, 13]);

    const again = await call(cwd, ["run"]);
    assert.match(again.stdout, /Cache: execution 13 hit\/0 miss; judgment 65 hit\/0 miss/);

    const diagnosed = await call(cwd, ["diagnose", "latest", "--criterion", "answer_correct"]);
    assert.match(diagnosed.stdout, /^Selected: 4 failed cases with gold context/);
    assert.match(
      diagnosed.stdout,
      /RETRIEVAL_MISS: 1 of 4.*\nCONTEXT_ASSEMBLY_LOSS: 2 of 4.*\nGENERATION_FAILURE: 1 of 4/,
    );
    assert.equal(diagnosed.code, 0);

    const changed = await call(cwd, ["run", "--set", "token_budget=120"]);
    assert.match(changed.stdout, /Stages: retrieve 13 hit\/0 miss; generate 7 hit\/6 miss/);

    const compared = await call(cwd, ["compare", "latest", "latest~1", "--policy", "compare.yaml"]);
    assert.match(compared.stdout, /^Gate: BLOCK \(exit 3\)$/m);
    assert.equal(compared.code, 3);

    const inspected = await call(cwd, ["inspect", "latest", "--failed", "answer_correct"]);
    assert.match(inspected.stdout, /^4 cases of run_/);
    assert.equal(inspected.stderr, "");

    const bundle = join(cwd, "baseline.bundle");
    assert.equal((await call(cwd, ["export", "latest~1", "--format", "bundle", "-o", bundle])).code, 0);
    const gated = await call(cwd, ["compare", "latest", bundle, "--policy", "suite.yaml"]);
    assert.match(gated.stdout, /^Gate: PASS \(exit 0\)$/m);
    assert.equal(gated.code, 0);

    const forgot = await call(cwd, ["forget", "--case", "refund_review"]);
    assert.match(forgot.stdout, /^Forgot 1 case in/);
  },
});

Deno.test({
  name: "binary: a system in Python runs where there is a Python and nothing else",
  ignore,
  async fn() {
    const cwd = await copyExample("support_rag_python");
    const bin = await tempFolder();
    await Deno.symlink(await pythonItself(), join(bin, "python3"));
    const { stdout, stderr, code } = await call(cwd, ["run", "--json"], { env: { PATH: bin } });
    assert.equal(code, 0, stderr);
    assert.equal(JSON.parse(stdout).metrics[0].estimate, 9 / 13);

    const without = await call(cwd, ["run", "--refresh", "all"]);
    assert.match(without.stderr, /program_not_found.*there is no program "python3"/);
    assert.match(without.stderr, /hint: install Python/);
    assert.equal(without.code, 2);
  },
});

/** The one behind a name in PATH, which may be a script that chooses among several. */
async function pythonItself(): Promise<string> {
  const args = ["-c", "import sys; print(sys.executable)"];
  const { stdout } = await new Deno.Command("python3", { args }).output();
  return new TextDecoder().decode(stdout).trim();
}

Deno.test({
  name: "binary: recorded outputs are judged",
  ignore,
  async fn() {
    const cwd = await copyExample("ferry_desk");
    const { stdout, code } = await call(cwd, ["-C", "recorded.yaml", "run", "--json"]);
    // One of the recorded answers is an error.
    assert.equal(code, 4);
    const { metrics, failures } = JSON.parse(stdout);
    assert.deepEqual(metrics.map(({ criterion }: { criterion: string }) => criterion)[0], "answer_correct");
    assert.equal(failures.length, 1);
    const { stderr, code: refused } = await call(cwd, [
      "-C",
      "recorded.yaml",
      "diagnose",
      "--criterion",
      "answer_correct",
    ]);
    assert.equal(refused, 2);
    assert.match(stderr, /^error\[/);
  },
});

Deno.test({
  name: "binary: tables come in and go out, so what was left out of the packages is not missed",
  ignore,
  async fn() {
    const cwd = await tempFolder();
    await Deno.writeTextFile(join(cwd, "faq.csv"), "question,answer\nWhat?,That\n");
    const args = ["import", "csv", "faq.csv", "--input", "question", "--expected", "answer", "-o", "faq"];
    const imported = await call(cwd, args);
    assert.equal(imported.code, 0, imported.stderr);
    const records = '{"case_id": "a", "output": {"answer": "That"}}\n';
    const project = "system: {name: log, version: '1', rag: {records: records.jsonl}}\ncases: cases.jsonl\n" +
      "evaluators: [{type: contains, criterion: right, field: answer, expected_field: answer}]\n";
    await Deno.writeTextFile(join(cwd, "oloproof.yaml"), project);
    await Deno.writeTextFile(join(cwd, "records.jsonl"), records);
    await Deno.writeTextFile(
      join(cwd, "cases.jsonl"),
      '{"id": "a", "input": "What?", "expected": {"answer": "That"}}\n',
    );
    const ran = await call(cwd, ["run"]);
    assert.equal(ran.code, 0, ran.stderr);
    const exported = await call(cwd, ["export", "latest", "--format", "csv"]);
    assert.match(exported.stdout, /^case_id,/);
    // The page draws with packages of its own.
    const page = await call(cwd, ["report", "latest", "-o", "page.html"]);
    assert.equal(page.code, 0, page.stderr);
    assert.match(await Deno.readTextFile(join(cwd, "page.html")), /<svg/);
  },
});

Deno.test({
  name: "binary: a newcomer reaches a first diagnosis by what help and output say",
  ignore,
  async fn() {
    const cwd = await tempFolder();
    const help = await call(cwd, ["--help"]);
    const [, first = ""] = /Start with `oloproof ([^`]+)`/.exec(help.stdout) ?? [];
    const made = await call(cwd, first.split(" "));
    const [, second = ""] = /^Next: oloproof (.+)$/m.exec(made.stdout) ?? [];
    const ran = await call(cwd, second.split(" "));
    assert.match(ran.stdout, /answer_correct \s*│ 66\.7%/);
    const { stdout: about } = await call(cwd, ["diagnose", "--help"]);
    const [, third = ""] = /^Example: oloproof (.+)$/m.exec(about) ?? [];
    const diagnosed = await call(cwd, ["-C", "my-rag", ...third.split(" ")]);
    assert.equal(diagnosed.code, 0, diagnosed.stderr);
    assert.match(diagnosed.stdout, /^Selected: 1 failed case with gold context/);
  },
});
