/** The compiled program, as somebody has it who has nothing else. */
import { cp, rm } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { ROOT } from "../cli/session.ts";
import { tempFolder } from "../temp_folder.ts";

/** OLOPROOF_BINARY names the binary; without it there is nothing to test. */
export const binary = Deno.env.get("OLOPROOF_BINARY") ?? "";
export const ignore = binary === "";

/** Neither Deno nor Node is found there, and nobody has a home. */
const NOTHING = { PATH: "/nowhere" };

/** What a call printed, and how it ended. */
export interface Called {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** How the program is called, beside its arguments. */
export interface Circumstances {
  readonly env?: Readonly<Record<string, string>>;
  /** A program that calls the binary, with its first arguments. */
  readonly through?: readonly string[];
  /** The user, by number. */
  readonly uid?: number;
}

/** Starts the program. */
export function start(
  cwd: string,
  args: readonly string[],
  circumstances: Circumstances = {},
): Deno.ChildProcess {
  const { env = {}, through = [], uid } = circumstances;
  const [program = binary, ...first] = [...through, binary];
  return new Deno.Command(program, {
    args: [...first, ...args],
    cwd,
    clearEnv: true,
    env: { ...NOTHING, ...env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    ...(uid === undefined ? {} : { uid, gid: uid }),
  }).spawn();
}

/** Calls the program and waits for its end. */
export async function call(
  cwd: string,
  args: readonly string[],
  circumstances: Circumstances = {},
): Promise<Called> {
  const { code, stdout, stderr } = await start(cwd, args, circumstances).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

/** Whether the binary stands on a base that reads no TypeScript. */
export async function isTestBuild(): Promise<boolean> {
  return (await call(ROOT, ["--version"])).stdout.includes("(test build)");
}

/** A folder with a copy of an example in it; its system is JavaScript where the binary reads no other. */
export async function copyExample(name: string): Promise<string> {
  const cwd = await tempFolder();
  await cp(join(ROOT, "examples", name), cwd, {
    recursive: true,
    filter: (path) => !path.includes(".oloproof"),
  });
  const app = join(cwd, "app.ts");
  if (await isTestBuild() && await Deno.stat(app).then(() => true, () => false)) {
    const source = await Deno.readTextFile(app);
    await Deno.writeTextFile(join(cwd, "app.js"), stripTypeScriptTypes(source));
    await rm(app);
  }
  return cwd;
}
