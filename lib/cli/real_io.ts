/** The real outside of the program. */
import { systemClock } from "../system/clock.ts";
import type { Io } from "./io.ts";

/** Streams, environment and signals of this process. The first ^C asks to stop, the second one ends at once. */
export function realIo(): Io {
  keepStdoutForResults();
  const out = outputTo(Deno.stdout);
  const err = outputTo(Deno.stderr);
  return {
    stdout: out.write,
    stderr: err.write,
    stdoutIsClosed: out.isClosed,
    stdoutIsTerminal: Deno.stdout.isTerminal(),
    stderrIsTerminal: Deno.stderr.isTerminal(),
    env: (name) => Deno.env.get(name),
    cwd: Deno.cwd(),
    clock: systemClock,
    stop: stopOnSignals(),
    guard: () => guardProcess(err.write),
  };
}

/**
 * Keeps the process ours while code of a project runs in it: an attempt to end the process throws where it is made, and an error
 * that nobody awaits is told instead of ending everything.
 */
function guardProcess(tell: (text: string) => void): void {
  const refuse = (): never => {
    throw new Error("the process was told to exit; a system under test must not end it");
  };
  Deno.exit = refuse;
  const { process } = globalThis as { process?: { exit: unknown } };
  if (process !== undefined) process.exit = refuse;
  const stray = (event: Event, cause: unknown) => {
    event.preventDefault();
    tell(`warning[stray_error]: an error outside every stage was not awaited: ${oneLine(cause)}\n`);
  };
  globalThis.addEventListener("unhandledrejection", (event) => stray(event, event.reason));
  globalThis.addEventListener("error", (event) => stray(event, event.error));
}

/** An error in one printable line; nothing heavy may be loaded for it. */
function oneLine(cause: unknown): string {
  const text = cause instanceof Error ? `${cause.name}: ${cause.message}` : typeof cause;
  return text.replace(/[\p{Cc}\p{Bidi_Control}\s]+/gu, " ").slice(0, 300);
}

/** What a system under test logs must not stand among the results: it shares this process, and scripts read stdout. */
function keepStdoutForResults(): void {
  const { console } = globalThis;
  for (const method of ["log", "info", "debug", "table", "dir"] as const) {
    console[method] = (...values: unknown[]) => console.error(...values);
  }
}

/** A stop signal that fires on ^C and on SIGTERM. */
function stopOnSignals(): AbortSignal {
  const exit = Deno.exit.bind(Deno);
  const controller = new AbortController();
  const stop = () => {
    if (controller.signal.aborted) exit(130);
    controller.abort(new Error("interrupted"));
  };
  Deno.addSignalListener("SIGINT", stop);
  // Windows knows no SIGTERM.
  if (Deno.build.os !== "windows") Deno.addSignalListener("SIGTERM", stop);
  return controller.signal;
}

/** Writes whole texts to a stream until its reader goes away; what comes after is dropped. */
function outputTo(stream: { writeSync(bytes: Uint8Array): number }) {
  // Kept before any code of a project could replace it.
  const writeSync = stream.writeSync.bind(stream);
  let closed = false;
  return {
    isClosed: () => closed,
    write(text: string): void {
      let rest = new TextEncoder().encode(text);
      try {
        while (!closed && rest.length > 0) rest = rest.subarray(writeSync(rest));
      } catch (cause) {
        if (!(cause instanceof Deno.errors.BrokenPipe)) throw cause;
        closed = true;
      }
    },
  };
}
