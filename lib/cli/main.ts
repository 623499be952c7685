/** The program: arguments in, streams and an exit code out. The one place where errors are caught. */
import { VERSION } from "../version.ts";
import { EXIT } from "./exit_code.ts";
import type { Io } from "./io.ts";

/** How long a command that was asked to stop may take to put its work away. */
const GRACE_MS = 3000;

/**
 * Runs the program and answers with its exit code: 0 done · 1 unexpected, or the surroundings failed · 2 usage or configuration ·
 * 3 a gate blocks · 4 a run finished with outcomes missing · 130 interrupted.
 */
export async function main(args: readonly string[], io: Io): Promise<number> {
  try {
    // Nothing else is loaded for this: scripts ask for it often.
    if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) {
      io.stdout(`oloproof ${VERSION}\n`);
      return EXIT.done;
    }
    io.guard?.();
    const { runProgram } = await import("./program.ts");
    const redacted = withoutSecrets(io);
    return await Promise.race([runProgram(args, redacted), graceAfterStop(args, redacted)]);
  } catch (cause) {
    const { reportError } = await import("./report_error.ts");
    return reportError(cause, args, withoutSecrets(io));
  }
}

/** The secrets that the program reads; their values never reach a stream. */
const SECRETS = ["OLOPROOF_STORE_TOKEN"];

function withoutSecrets(io: Io): Io {
  const secrets = SECRETS.flatMap((name) => {
    const value = io.env(name);
    return value === undefined || value.length < 8 ? [] : [[name, value] as const];
  });
  if (secrets.length === 0) return io;
  const redact = (text: string) =>
    secrets.reduce((rest, [name, value]) => rest.replaceAll(value, `[redacted ${name}]`), text);
  return {
    ...io,
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
