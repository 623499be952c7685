/** What a release is made with. */
import assert from "node:assert/strict";
import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { bundle } from "../../build/bundle.ts";
import { checkBinary } from "../../build/check_binary.ts";
import { checksums } from "../../build/checksums.ts";
import { contentsText } from "../../build/contents.ts";
import { deno, npmCache, ROOT } from "../../build/deno.ts";
import { compileFlags } from "../../build/flags.ts";
import { leftOut } from "../../build/left_out.ts";
import { tempFolder } from "../temp_folder.ts";

Deno.test("release: checksums are those of the files, a line each, their own file aside", async () => {
  const folder = await tempFolder();
  await writeFile(join(folder, "b"), "");
  await writeFile(join(folder, "a"), "abc");
  await writeFile(join(folder, "SHA256SUMS"), "of before");
  assert.equal(
    await checksums(folder),
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a\n" +
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  b\n",
  );
});

Deno.test("release: contents name the packages that are inside, and no others", async () => {
  const said = "Compile cli.js\n\nEmbedded Files\n\n├── libsql/0.5.29/* (43KB)\n├── client-X.js\n├── cli.js";
  const text = await contentsText(said, [{ name: "zod", version: "4.6.7", folder: "a/zod/4.6.7" }]);
  assert.match(text, /^oloproof \d.*compiled with Deno 2/);
  const names = text.match(/^ {2}\S+(?=@[\d.]+ sha512-)/gm);
  assert.deepEqual(names, ["  libsql", "  zod"]);
  assert.ok(text.endsWith(said.slice(said.indexOf("Embedded Files")) + "\n"));
});

/** What a module and all that it imports name beyond files: packages, and whatever cannot be found. */
async function needsOf(folder: string, path: string): Promise<readonly string[]> {
  const config = join(folder, "deno.json");
  const { modules }: {
    readonly modules: readonly { readonly specifier: string; readonly error?: string }[];
  } = JSON.parse(await deno(["info", "--config", config, "--json", join(folder, path)]));
  return modules.flatMap(({ specifier, error }) => {
    if (error !== undefined) return [error];
    return /^(?:file|node):/.test(specifier) ? [] : [specifier];
  });
}

/** The text of every module in a folder. */
async function textOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).filter((path) =>
    path.endsWith(".js")
  );
  return (await Promise.all(paths.map((path) => readFile(path, "utf8")))).join("\n");
}

Deno.test("release: a bundle needs nothing but the database's package, and keeps licences and our own lines", async () => {
  const folder = await tempFolder();
  const packages = await bundle(folder);
  const names = packages.map(({ name }) => name);
  for (const inside of ["@libsql/client", "ai", "linkedom", "yaml", "zod"]) {
    assert.ok(names.includes(inside), inside);
  }
  for (const outside of ["axe-core", "fast-check", "libsql"]) assert.ok(!names.includes(outside), outside);

  const entries = ["cli.js", "lib/cli/program.js", "mod.js"];
  const needs = new Set((await Promise.all(entries.map((entry) => needsOf(folder, entry)))).flat());
  assert.match([...needs].join(), /^npm:\/libsql@[^,]+$/);
  const text = await textOf(folder);
  assert.match(text, /^\/\/ lib\/cli\/main\.ts$/m);
  assert.ok(
    !text.includes(relative(ROOT, await npmCache())),
    "the builder's own folders are nobody's business",
  );

  const licences = await readFile(join(folder, "licences.txt"), "utf8");
  assert.deepEqual(packages.filter(({ name }) => !licences.includes(`== ${name} `)), []);
  assert.match(licences, /Permission is hereby granted/);
});

Deno.test("release: what is left out is the addon that is never loaded", async () => {
  const paths = await leftOut();
  if (Deno.build.os === "linux") assert.ok(paths.length > 0);
  assert.deepEqual(paths.filter((path) => !/linux-\w+-musl\w*[\\/][\d.]+[\\/]index\.node$/.test(path)), []);
});

Deno.test("release: what the program may do is stated, and no more than that", async () => {
  const flags = await compileFlags();
  assert.ok(!flags.includes("--allow-all") && !flags.includes("-A"));
  assert.deepEqual(
    flags.filter((flag) => flag.startsWith("--allow-")).map((flag) => flag.slice(8)).toSorted(),
    [
      "env",
      "ffi",
      "net",
      "read",
      "run",
      "sys",
      "write",
    ],
  );
});

/** A program that takes the place of a compiled one. */
async function standIn(script: string): Promise<string> {
  const folder = await tempFolder();
  await mkdir(join(folder, "bin"));
  const path = join(folder, "bin", "oloproof");
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

Deno.test({
  name: "release: a program of another version, a test build, or one with other figures is refused",
  ignore: Deno.build.os === "windows",
  async fn() {
    const { version } = JSON.parse(await readFile(new URL("../../deno.json", import.meta.url), "utf8"));
    const wrong = [
      ["echo oloproof 0.0.0", /--version printed/],
      [`echo "oloproof ${version} (test build)"`, /--version printed/],
      [
        `[ "$1" = --version ] && echo oloproof ${version} || echo all well`,
        /the golden run printed other figures/,
      ],
      ["exit 1", /--version failed/],
    ] as const;
    for (const [script, reason] of wrong) {
      await assert.rejects(checkBinary(await standIn(script)), reason);
    }
  },
});
