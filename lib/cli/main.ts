/** The program: arguments in, streams and an exit code out. The one place where errors are caught. */
import { redactorOf } from "../domain/secrets.ts";
import { EXIT } from "./exit_code.ts";
import type { Io } from "./io.ts";
import { versionLine } from "./version_line.ts";

/** How long a command that was asked to stop may take to put its work away. */
const GRACE_MS = 3000;

/**
 * The commands. Before its first line runs, Deno reads every module that an import names outright, and all that these name in turn: more
 * than `--version` takes. What bundles the program has to be told of it.
 */
const PROGRAM: string = "./program.ts";

/**
 * Runs the program and answers with its exit code: 0 done · 1 unexpected, or the surroundings failed · 2 usage or configuration ·
 * 3 a gate blocks · 4 a run finished with outcomes missing · 130 interrupted.
 */
export async function main(args: readonly string[], io: Io): Promise<number> {
  const redacted = withoutSecrets(io);
  try {
    // Nothing else is loaded for this: scripts ask for it often.
    if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) {
      io.stdout(`${versionLine}\n`);
      return EXIT.done;
    }
    io.guard?.();
    const { runProgram }: typeof import("./program.ts") = await import(PROGRAM);
    return await Promise.race([runProgram(args, redacted), graceAfterStop(args, redacted)]);
  } catch (cause) {
    // Asked to stop before there was anything to keep.
    if (io.stop.aborted && cause === io.stop.reason) {
      io.stderr("Interrupted\n");
      return EXIT.interrupted;
    }
    const { reportError } = await import("./report_error.ts");
    return reportError(cause, args, redacted);
  }
}

/** Read before anything else, so that it is hidden wherever it comes from. */
const STORE_TOKEN = "OLOPROOF_STORE_TOKEN";

/**
 * Whatever commands read of the environment is a secret: the token of a store, keys of judges. Its values never reach a stream, from
 * the moment in which they are read.
 */
function withoutSecrets(io: Io): Io {
  const read = new Map<string, string | undefined>();
  const env = (name: string) => {
    const value = io.env(name);
    read.set(name, value);
    return value;
  };
  env(STORE_TOKEN);
  const redact = (text: string) => redactorOf(read)(text);
  return {
    ...io,
    env,
    redact,
    stdout: (text) => io.stdout(redact(text)),
    stderr: (text) => io.stderr(redact(text)),
  };
}

/** Resolves some time after a request to stop: code of a project that never answers must not keep the program alive. */
async function graceAfterStop(args: readonly string[], { stop, clock, stderr }: Io): Promise<number> {
  await new Promise<void>((resolve) => {
    if (stop.aborted) resolve();
    else stop.addEventListener("abort", () => resolve(), { once: true });
  });
  await clock.wait(GRACE_MS);
  const goOn = args.includes("run") ? "; `oloproof run --resume latest` goes on" : "";
  stderr(`Interrupted: something did not come to an end in time; finished cases are kept${goOn}\n`);
  return EXIT.interrupted;
}
