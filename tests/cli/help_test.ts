/** Help: every command has an example, and the example can be called. */
import assert from "node:assert/strict";
import { tempFolder } from "../temp_folder.ts";
import { Session, splitWords } from "./session.ts";

const session = new Session(await tempFolder());

/** The commands that a help text lists. */
function listed(help: string): readonly string[] {
  const [, commands = ""] = help.split("Commands:\n");
  return [...commands.matchAll(/^ {2}([a-z]+)(?= )/gm)].map(([, name = ""]) => name).filter((name) =>
    name !== "help"
  );
}

async function helpOf(words: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { stdout, code } = await session.run([...words, "--help"]);
  assert.equal(code, 0);
  const parts = await Promise.all(listed(stdout).map((name) => helpOf([...words, name])));
  return new Map([[words.join(" "), stdout] as const, ...parts.flatMap((part) => [...part])]);
}

const helps = await helpOf([]);

Deno.test("help: every command has an example of itself", async () => {
  assert.ok(helps.size > 20, `only ${[...helps.keys()].join(", ")}`);
  for (const [command, help] of helps) {
    if (command === "") continue;
    const examples = [...help.matchAll(/^Example: oloproof (.+)$/gm)].map(([, line = ""]) =>
      line.split(" && ")[0] ?? ""
    );
    assert.ok(examples.length > 0, `no example in: oloproof ${command} --help`);
    for (const example of examples) {
      assert.ok(example.startsWith(command), `${example} is no example of ${command}`);
      // Whatever else is wrong in an empty folder, it is not how the command is called.
      const { stderr } = await session.run([...splitWords(example), "--help"]);
      assert.equal(stderr, "");
    }
  }
});

Deno.test("help: options of examples are options of the command", () => {
  const known = [...helps.get("")?.matchAll(/(?<![\w-])--?[\w-]+/g) ?? []].map(([option]) => option);
  for (const [command, help] of helps) {
    for (const [, line = ""] of help.matchAll(/^Example: oloproof (.+)$/gm)) {
      // The example of a command with parts is one of a part.
      const longest = [...helps].filter(([words]) => line.startsWith(words)).at(-1)?.[1] ?? help;
      const [options] = longest.split("\nExample:");
      for (const [option] of line.matchAll(/(?<=\s)--?[a-z][\w-]*/gi)) {
        assert.ok(
          options?.includes(option) || known.includes(option),
          `${option} in an example of ${command}`,
        );
      }
    }
  }
});

Deno.test("help: one page names every command, every exit code and the variables that are read", async () => {
  const { stdout } = await session.run(["help"]);
  for (const [command, help] of helps) {
    // Of a command with parts, the parts are there.
    if (command !== "" && listed(help).length === 0) {
      assert.match(stdout, new RegExp(`^    ${command}( |$)`, "m"));
    }
  }
  for (const code of [0, 1, 2, 3, 4, 130]) assert.match(stdout, new RegExp(`^    ${code} `, "m"));
  for (const name of ["OLOPROOF_STORE_TOKEN", "NO_COLOR"]) assert.ok(stdout.includes(name));
  assert.ok(stdout.split("\n").every((line) => line.length <= 80));
});

Deno.test("help: misspelt commands and options are answered with what is near", async () => {
  const cases: readonly (readonly [words: string, hint: RegExp])[] = [
    ["valdate", /did you mean validate\?/],
    ["cache stat", /did you mean stats\?/],
    ["import cvs x", /did you mean csv\?/],
    ["run --lmit 3", /did you mean --limit\?/],
    ["run --alow-missing 3", /did you mean --allow-missing\?/],
    ["compare a b --polcy x", /did you mean --policy\?/],
    ["cache prune --dryrun", /did you mean --dry-run\?/],
    ["help diagnos", /did you mean diagnose\?/],
    ["help cache xplain", /did you mean explain\?/],
    ["help nothing-like-it", /`oloproof --help` lists the commands/],
  ];
  for (const [words, hint] of cases) {
    const { stderr, stdout, code } = await session.run(words.split(" "));
    assert.match(stderr, hint);
    assert.equal(stdout, "");
    assert.equal(code, 2);
  }
});
