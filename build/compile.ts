/**
 * Compiles the program: `deno task compile` for this machine, into dist/oloproof; `deno task compile:all` for every target, into
 * dist/release with checksums and lists of what is inside. What can run here is run: a build that does not work fails.
 *
 * Ends with 2 where Deno's base binary cannot be had, with 1 where something is wrong.
 */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { BUNDLE, bundle, type Bundled } from "./bundle.ts";
import { checkBinary } from "./check_binary.ts";
import { contentsText } from "./contents.ts";
import { compileFlags } from "./flags.ts";
import { checksums } from "./checksums.ts";
import { ROOT } from "./deno.ts";

/** The targets that both Deno and the database's addon are made for. */
const TARGETS = [
  "x86_64-unknown-linux-gnu",
  "aarch64-unknown-linux-gnu",
  "x86_64-apple-darwin",
  "aarch64-apple-darwin",
  "x86_64-pc-windows-msvc",
] as const;

/** Deno fetches the base of a target from its own site alone. */
class NoBase extends Error {
  constructor(target: string, said: string) {
    super(
      `Deno's base binary for ${target} could not be downloaded:\n${said}\n` +
        `Where dl.deno.land cannot be reached, fetch https://dl.deno.land/release/v${Deno.version.deno}/denort-${target}.zip\n` +
        "elsewhere, unpack it, and name the file in it by DENORT_BIN:\n" +
        "  DENORT_BIN=/path/to/denort deno task compile\n" +
        `It must be of this Deno's version, ${Deno.version.deno}. Until then: deno run -A cli.ts, or deno install (README).`,
    );
  }
}

/** Compiles for a target, and answers with what Deno said of it. */
async function compile(target: string, output: string): Promise<string> {
  const isOwn = target === Deno.build.target;
  const command = new Deno.Command(Deno.execPath(), {
    args: [
      "compile",
      // A base given by hand is one of this machine's.
      ...(isOwn ? [] : ["--target", target]),
      ...await compileFlags(),
      "--exclude-unused-npm",
      "--output",
      output,
      `${BUNDLE}/cli.js`,
    ],
    cwd: ROOT,
    env: { NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" },
  });
  const { success, stderr } = await command.output();
  const said = new TextDecoder().decode(stderr).trim();
  if (success) return said;
  if (/base binary|dl\.deno\.land|denort/i.test(said)) {
    throw new NoBase(target, said.split("\nStack backtrace")[0] ?? said);
  }
  throw new Error(`deno compile failed:\n${said}`);
}

async function compileHere(packages: readonly Bundled[]): Promise<void> {
  const suffix = Deno.build.os === "windows" ? ".exe" : "";
  const output = join(ROOT, "dist", `oloproof${suffix}`);
  const said = await compile(Deno.build.target, output);
  await writeFile(join(ROOT, "dist", "oloproof.contents.txt"), await contentsText(said, packages));
  tell(await checkBinary(output));
}

async function compileAll(packages: readonly Bundled[]): Promise<void> {
  if (Deno.env.has("DENORT_BIN")) {
    throw new Error("DENORT_BIN names the base of one target; take it away to compile for all of them");
  }
  const folder = join(ROOT, "dist", "release");
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const target of TARGETS) {
    const output = join(folder, `oloproof-${target}${target.includes("windows") ? ".exe" : ""}`);
    const said = await compile(target, output);
    await writeFile(join(folder, `oloproof-${target}.contents.txt`), await contentsText(said, packages));
    tell(
      target === Deno.build.target ? await checkBinary(output) : `${output}: compiled; it cannot be run here`,
    );
  }
  await writeFile(join(folder, "SHA256SUMS"), await checksums(folder));
  tell(`${folder}: checksums in SHA256SUMS`);
}

function tell(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
}

try {
  const packages = await bundle();
  await (Deno.args.includes("--all") ? compileAll(packages) : compileHere(packages));
} catch (cause) {
  const text = cause instanceof Error ? cause.message : String(cause);
  Deno.stderr.writeSync(new TextEncoder().encode(`error: ${text}\n`));
  Deno.exit(cause instanceof NoBase ? 2 : 1);
}
