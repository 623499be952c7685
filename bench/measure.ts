/** Runs work in processes of its own and tells what it took. */
import { fileURLToPath } from "node:url";
import { join } from "node:path";

/** What a process took. */
export interface Usage {
  readonly wall_seconds: number;
  /** User and system time of all its threads. */
  readonly cpu_seconds: number;
  /** The largest resident set, the runtime's own included. */
  readonly peak_bytes: number;
}

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** Measures one thing that child.ts knows. */
export async function measure(folder: string, what: string, ...args: readonly string[]): Promise<Usage> {
  const result = join(folder, "usage.json");
  await deno(["run", "-A", "--no-check", pathOf("child.ts"), result, what, ...args]);
  return JSON.parse(await Deno.readTextFile(result));
}

/** Bytes that a command of the program prints. */
export async function countOutput(...args: readonly string[]): Promise<number> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", pathOf("../cli.ts"), ...args],
    stdout: "piped",
  }).spawn();
  let bytes = 0;
  for await (const chunk of child.stdout) bytes += chunk.length;
  if (!(await child.status).success) throw new Error(`oloproof ${args.join(" ")} failed`);
  return bytes;
}

/** Seconds of a whole process of the program, and of one that does nothing. */
export async function wholeProcess(
  ...args: readonly string[]
): Promise<{ readonly own: number; readonly empty: number }> {
  const own = await seconds(() => deno(["run", "-A", "--no-check", pathOf("../cli.ts"), ...args]));
  const empty = await seconds(() => deno(["eval", ""]));
  return { own, empty };
}

async function seconds(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

async function deno(args: readonly string[]): Promise<void> {
  const command = new Deno.Command(Deno.execPath(), { args: [...args], stdout: "null", stderr: "piped" });
  const { success, stderr } = await command.output();
  if (!success) throw new Error(`deno ${args.join(" ")} failed: ${new TextDecoder().decode(stderr)}`);
}
