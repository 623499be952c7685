/** What a release is made with. */
import assert from "node:assert/strict";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { checkBinary } from "../../build/check_binary.ts";
import { checksums } from "../../build/checksums.ts";
import { contentsText } from "../../build/contents.ts";
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
  const text = await contentsText("Compile cli.ts\n\nEmbedded Files\n\n├── zod/4.6.7/* (1MB)\n├── cli.ts");
  assert.match(text, /^oloproof \d.*compiled with Deno 2/);
  assert.match(text, /^ {2}zod@[\d.]+ sha512-/m);
  assert.ok(!text.includes("fast-check@"));
  assert.ok(text.endsWith("Embedded Files\n\n├── zod/4.6.7/* (1MB)\n├── cli.ts\n"));
});

Deno.test("release: what is left out is never a module that is imported, an addon that is loaded, or a licence", async () => {
  const paths = await leftOut();
  assert.ok(paths.length > 300, `${paths.length}`);
  const kept =
    /package\.json$|licen[cs]e|linux-x64-gnu.*\.node$|zod\/.*index\.js$|yaml\/[^/]+\/dist\/index\.js$/i;
  assert.deepEqual(
    paths.filter((path) =>
      kept.test(path) &&
      !/@types.*json$|undici-types.*json$|\/linkedom\/.*\/cjs\/package.json$|\/browser\//.test(path)
    ),
    [],
  );
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
