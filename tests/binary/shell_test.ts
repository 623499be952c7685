/** What shells and terminals do to a program: signals, pipes that close, narrow windows, folders that cannot be written. */
import assert from "node:assert/strict";
import { chmod, mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tempFolder } from "../temp_folder.ts";
import { binary, call, copyExample, ignore, start } from "./program.ts";

/** Somebody who is not the superuser, for whom permissions hold. */
const NOBODY = 65534;

const isUnix = Deno.build.os !== "windows";

Deno.test({
  name: "binary: ^C keeps what is finished, and the run goes on later",
  ignore: ignore || !isUnix,
  async fn() {
    const cwd = await tempFolder();
    await writeFile(
      join(cwd, "oloproof.yaml"),
      "system: {rag: {object: 'app:slow'}}\ncases: cases.jsonl\n" +
        "evaluators: [{type: equals, criterion: right, field: answer, expected_field: answer}]\n",
    );
    const ids = ["a", "b", "c"];
    await writeFile(
      join(cwd, "cases.jsonl"),
      ids.map((id) => `${JSON.stringify({ id, input: id, expected: { answer: id } })}\n`).join(""),
    );
    // The second case waits for ever, until there is a file.
    await writeFile(
      join(cwd, "app.js"),
      `import { existsSync, writeFileSync } from "node:fs";
import { ragSystem } from "oloproof";
export const slow = ragSystem({ name: "slow", version: "1", depth: 1, top_k: 1, index_version: "1" }, {
  retrieve: (input) => ({ candidates: [{ doc_id: input, text: input }] }),
  async generate(input) {
    if (input === "b" && !existsSync("go")) {
      writeFileSync("waiting", "");
      await new Promise(() => {});
    }
    return { answer: input };
  },
});
`,
    );
    const child = start(cwd, ["run", "--concurrency", "1"]);
    const output = child.output();
    await untilThere(join(cwd, "waiting"));
    child.kill("SIGINT");
    const { code, stderr } = await output;
    const said = new TextDecoder().decode(stderr);
    assert.equal(code, 130, said);
    assert.match(said, /--resume/);
    await writeFile(join(cwd, "go"), "");
    const resumed = await call(cwd, ["run", "--resume", "latest", "--json"]);
    assert.equal(resumed.code, 0, resumed.stderr);
    const { metrics: [right] } = JSON.parse(resumed.stdout);
    assert.deepEqual([right.estimate, right.observed], [1, ids.length]);
  },
});

async function untilThere(path: string): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (await stat(path).then(() => true, () => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${path} did not come`);
}

Deno.test({
  name: "binary: a reader that goes away early is no trouble",
  ignore: ignore || !isUnix,
  async fn() {
    const cwd = await copyExample("support_rag");
    assert.equal((await call(cwd, ["run", "--quiet"])).code, 0);
    for (const args of [["export", "latest"], ["help"], ["inspect", "latest"], ["completions", "bash"]]) {
      // What the binary said and how it ended are seen beside what the reader took.
      const script = '{ "$@"; echo "code $?" >&2; } | { read -r line; echo "$line"; }';
      const { stdout, stderr } = await call(cwd, args, { through: ["/bin/sh", "-c", script, "sh"] });
      assert.equal(stderr, "code 0\n", args.join(" "));
      assert.equal(stdout.split("\n").length, 2);
    }
  },
});

Deno.test({
  name: "binary: on a terminal of 60 columns, progress keeps to one line and help is wrapped",
  ignore: ignore || !(await isThere("/usr/bin/script")),
  async fn() {
    const cwd = await copyExample("support_rag");
    const onTerminal = async (command: string) => {
      const line = `stty cols 60 rows 20; ${command}`;
      const { stdout } = await new Deno.Command("/usr/bin/script", {
        args: ["-qec", line, "/dev/null"],
        cwd,
        clearEnv: true,
        env: { PATH: "/usr/bin:/bin", SHELL: "/bin/sh", TERM: "xterm" },
        stdin: "null",
      }).output();
      return new TextDecoder().decode(stdout).replaceAll("\r\n", "\n");
    };
    const screen = await onTerminal(`'${binary}' run`);
    // deno-lint-ignore no-control-regex
    const states = [...screen.matchAll(/\r\x1b\[K([^\r\n]*)/g)].map(([, state = ""]) => state);
    for (const state of states.filter((each) => /cases/.test(each))) assert.ok([...state].length < 60, state);
    // deno-lint-ignore no-control-regex
    const text = screen.replace(/\r\x1b\[K(?:[█░]+ [^\r\n]*)?/g, "");
    const piped = await call(cwd, ["run"]);
    const figures = (printed: string) => /┌.*?└[^\n]*\n/s.exec(printed)?.[0];
    assert.equal(figures(text), figures(piped.stdout));
    const help = await onTerminal(`'${binary}' run --help`);
    const [options = ""] = help.split("\nExample:");
    for (const line of options.split("\n")) assert.ok([...line].length <= 60, line);
  },
});

Deno.test({
  name: "binary: without a home, a name, a PATH or any other variable",
  ignore,
  async fn() {
    const cwd = await copyExample("support_rag");
    const { stdout, code } = await call(cwd, ["run"], isUnix ? { through: ["/usr/bin/env", "-i"] } : {});
    assert.equal(code, 0);
    assert.match(stdout, /9 \/ 13 observed/);
  },
});

Deno.test({
  name: "binary: a folder that can only be read",
  ignore: ignore || !isUnix,
  async fn() {
    const cwd = await copyExample("support_rag");
    const own = await tempFolder();
    await chmod(own, 0o777);
    await chmod(cwd, 0o555);
    const as = { ...(Deno.uid() === 0 ? { uid: NOBODY } : {}), env: { TMPDIR: own } };
    try {
      assert.equal((await call(cwd, ["validate"], as)).code, 0);
      const refused = await call(cwd, ["run"], as);
      assert.equal(refused.code, 1);
      assert.match(refused.stderr, /^error\[store_unwritable\].*\n {2}at .*\nhint: .*--store/);
      const elsewhere = await call(cwd, ["--store", join(own, "store.db"), "run"], as);
      assert.equal(elsewhere.code, 0, elsewhere.stderr);
      assert.match(elsewhere.stdout, /9 \/ 13 observed/);
      const made = await call(cwd, ["init", "new"], as);
      assert.equal(made.code, 1);
      assert.match(made.stderr, /^error\[unwritable_folder\]/);
    } finally {
      await chmod(cwd, 0o755);
    }
  },
});

Deno.test({
  name: "binary: the database's native part lies in a folder of the user's alone, and only there",
  ignore: ignore || !isUnix,
  async fn() {
    const cwd = await copyExample("support_rag");
    const shared = await tempFolder();
    await chmod(shared, 0o1777);
    const nativeFolders = async () => {
      const files = await readdir(shared, { recursive: true, withFileTypes: true });
      return files.filter(({ name }) => name.endsWith(".node")).map(({ parentPath }) => parentPath);
    };
    const env = { TMPDIR: shared };
    assert.equal((await call(cwd, ["run"], { env })).code, 0);
    const [folder = ""] = await nativeFolders();
    let private_ = folder;
    while (private_ !== shared && ((await stat(private_)).mode & 0o077) !== 0) {
      private_ = join(private_, "..");
    }
    assert.notEqual(private_, shared, `anybody may write ${folder}`);

    // A folder that somebody else made, or opened to others, is left alone.
    const preferred = join(shared, `oloproof-${Deno.uid()}`);
    await Deno.remove(preferred, { recursive: true });
    await mkdir(preferred);
    await chmod(preferred, 0o777);
    assert.equal((await call(cwd, ["list"], { env })).code, 0);
    assert.deepEqual(await readdir(preferred), []);
    assert.deepEqual(await nativeFolders(), []);
  },
});

async function isThere(path: string): Promise<boolean> {
  return await stat(path).then(() => true, () => false);
}
