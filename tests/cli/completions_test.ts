/** Completions, as the shells themselves work them out. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { tempFolder } from "../temp_folder.ts";
import { Session } from "./session.ts";

type Complete = (words: readonly string[]) => Promise<readonly string[]>;

/** A folder with a file, a folder and the scripts, where a shell can be asked. */
async function start(shell: string): Promise<string> {
  const cwd = await tempFolder();
  const { stdout, code } = await new Session(cwd).run(["completions", shell]);
  assert.equal(code, 0);
  await Deno.writeTextFile(join(cwd, "script"), stdout);
  await Deno.mkdir(join(cwd, "some folder"));
  await Deno.writeTextFile(join(cwd, "some.yaml"), "");
  return cwd;
}

async function ask(cwd: string, shell: string, args: readonly string[]): Promise<readonly string[]> {
  const command = new Deno.Command(shell, { args: [...args], cwd, stdin: "null" });
  const { stdout, stderr } = await command.output();
  assert.equal(new TextDecoder().decode(stderr), "");
  return new TextDecoder().decode(stdout).split("\n").filter((line) => line !== "");
}

/** bash hands the words over as arrays. */
function bash(cwd: string): Complete {
  return (words) => {
    const program =
      'source ./script; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _oloproof; printf "%s\\n" "${COMPREPLY[@]}"';
    return ask(cwd, "bash", ["--norc", "-c", program, "bash", "oloproof", ...words]);
  };
}

/** zsh hands them over as arrays, too; what its own functions would add to the list is printed instead. */
function zsh(cwd: string): Complete {
  const stubs = "compdef() { :; }; compset() { :; }; compadd() { print -l -- ${(P)@[-1]}; }; " +
    "_files() { [[ $1 == -/ ]] && print -l -- *(/) || print -l -- *; }; " +
    "_describe() { print -l -- ${${(P)@[-1]}%%:*}; }; ";
  return async (words) => {
    const program = `${stubs} source ./script; words=("$@"); CURRENT=$#; _oloproof`;
    const found = await ask(cwd, "zsh", ["-f", "-c", program, "zsh", "oloproof", ...words]);
    const word = words.at(-1)?.replace(/^--\w+=/, "") ?? "";
    // Which of them begin with the word is seen to by what was replaced.
    return found.filter((each) => each.startsWith(word));
  };
}

/** fish has a command that answers with a line a completion, and tabs before what it is about. */
function fish(cwd: string): Complete {
  return async (words) => {
    const program = "set -e fish_complete_path; source ./script; complete -C $argv[1]";
    const found = await ask(cwd, "fish", ["--no-config", "-c", program, ["oloproof", ...words].join(" ")]);
    return found.map((line) => line.split("\t")[0] ?? "").map((each) => each.replace(/^--\w+=/, ""));
  };
}

function isThere(shell: string): boolean {
  try {
    return new Deno.Command(shell, { args: ["-c", "exit 0"], stdout: "null", stderr: "null" }).outputSync()
      .success;
  } catch {
    return false;
  }
}

for (const [shell, of] of Object.entries({ bash, zsh, fish })) {
  Deno.test({
    name: `completions in ${shell}`,
    ignore: !isThere(shell),
    async fn() {
      const complete = of(await start(shell));
      const sorted = async (...words: readonly string[]) => [...await complete(words)].sort();
      assert.deepEqual(await sorted("in"), ["init", "inspect"]);
      assert.deepEqual(await sorted("cache", ""), ["explain", "prune", "stats"]);
      assert.deepEqual(await sorted("-C", "x", "--quiet", "cache", "st"), ["stats"]);
      assert.deepEqual(await sorted("import", "c"), ["csv"]);
      assert.deepEqual(await sorted("run", "--re"), ["--refresh", "--repeats", "--resume", "--retry-failed"]);
      // The options of the program hold everywhere, but for --version.
      assert.deepEqual(await sorted("cache", "stats", "--"), [
        "--debug",
        "--help",
        "--json",
        "--no-color",
        "--quiet",
        "--store",
      ]);
      assert.deepEqual(await sorted("run", "--refresh", ""), ["all", "generate", "judge", "retrieve"]);
      assert.deepEqual(await sorted("export", "latest", "--format", "j"), ["jsonl", "junit"]);
      assert.deepEqual(await sorted("completions", ""), ["bash", "fish", "zsh"]);
      // A name of a command in a value's place is no command.
      assert.deepEqual(await sorted("--store", "run", "cache", "p"), ["prune"]);
      assert.deepEqual(await sorted("help", "val"), ["validate"]);
      // Runs, cases and numbers are not known to a shell.
      assert.deepEqual(await sorted("inspect", ""), []);
      assert.deepEqual(await sorted("run", "--case", ""), []);
      // Files and folders are.
      assert.deepEqual(await sorted("compare", "latest", "latest~1", "--policy", "some.y"), ["some.yaml"]);
      assert.equal((await sorted("init", "so")).length, 1);
      assert.equal((await sorted("run", "-C", "so")).length, 1);
      assert.deepEqual(await sorted("import", "csv", "some.y"), ["some.yaml"]);
    },
  });
}

Deno.test({
  name: "completions in bash: words that it splits at =, and signs that mean something to it",
  ignore: !isThere("bash"),
  async fn() {
    const complete = bash(await start("bash"));
    assert.deepEqual(await complete(["export", "--format", "=", "tr"]), ["trec"]);
    assert.equal((await complete(["export", "--format", "="])).length, 6);
    assert.deepEqual(await complete(["import", "csv", "--delimiter", ""]), ["\\,", "\\;", "tab"]);
  },
});

Deno.test("completions for a shell that is not known", async () => {
  const { code, stderr } = await new Session(await tempFolder()).run(["completions", "tcsh"]);
  assert.equal(code, 2);
  assert.match(stderr, /Allowed choices are bash, zsh, fish/);
});
