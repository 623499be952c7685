/** Runs a compiled program, far from everything that it was made of. `deno run -A build/check_binary.ts BINARY` checks one by hand. */
import { cp, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const root = new URL("..", import.meta.url);

/**
 * Checks that a program says its version and that the support_rag example comes out as in its golden transcript.
 *
 * @param options.isForTests Whether a build for tests will do, which is never released and reads JavaScript alone.
 * @returns What was found, in a line.
 * @throws {Error} What is wrong.
 */
export async function checkBinary(binary: string, { isForTests = false } = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "oloproof-check-"));
  try {
    const { version } = JSON.parse(await readFile(new URL("deno.json", root), "utf8"));
    const said = await call(binary, ["--version"], folder);
    const wanted = `oloproof ${version}${isForTests ? " (test build)" : ""}\n`;
    if (said !== wanted) {
      throw new Error(`--version printed ${JSON.stringify(said)}, not ${JSON.stringify(wanted)}`);
    }

    const project = join(folder, "examples", "support_rag");
    await cp(new URL("examples/support_rag", root), project, {
      recursive: true,
      filter: (path) => !path.includes(".oloproof"),
    });
    if (isForTests) await makeJavaScript(project);
    const printed = await call(binary, ["-C", "examples/support_rag", "run"], folder);
    const golden = await readFile(new URL("tests/golden/support_rag.txt", root), "utf8");
    const [, first = ""] = golden.split("$ oloproof -C examples/support_rag run\n");
    // Figures are the same everywhere; ids and times are not.
    const figures = (text: string) => (text.split("\nLatency:")[0] ?? "").trim();
    if (figures(printed) !== figures(first)) {
      throw new Error(`the golden run printed other figures:\n${printed}`);
    }
    const { size } = await stat(binary);
    return `${binary}: ${wanted.trim()}, ${(size / 1e6).toFixed(1)} MB; the golden run has its figures`;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Without a home, a PATH or anything else. */
async function call(binary: string, args: readonly string[], cwd: string): Promise<string> {
  const env = { PATH: "/nowhere", TMPDIR: cwd, TEMP: cwd, TMP: cwd };
  const { success, stdout, stderr } = await new Deno.Command(binary, {
    args: [...args],
    cwd,
    clearEnv: true,
    env,
  })
    .output();
  const decoder = new TextDecoder();
  if (!success) throw new Error(`oloproof ${args.join(" ")} failed:\n${decoder.decode(stderr)}`);
  return decoder.decode(stdout);
}

async function makeJavaScript(project: string): Promise<void> {
  const source = await readFile(join(project, "app.ts"), "utf8");
  await writeFile(join(project, "app.js"), stripTypeScriptTypes(source));
  await rm(join(project, "app.ts"));
}

if (import.meta.main) {
  const [binary = "", kind] = Deno.args;
  try {
    tell(Deno.stdout, await checkBinary(resolve(binary), { isForTests: kind === "--for-tests" }));
  } catch (cause) {
    tell(Deno.stderr, `error: ${cause instanceof Error ? cause.message : String(cause)}`);
    Deno.exit(1);
  }
}

function tell(stream: { writeSync(bytes: Uint8Array): number }, text: string): void {
  stream.writeSync(new TextEncoder().encode(`${text}\n`));
}
