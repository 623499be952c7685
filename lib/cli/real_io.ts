/** The real outside of the program. */
import { systemClock } from "../system/clock.ts";
import { ClosedPipe, type Io } from "./io.ts";

/** Streams, environment and signals of this process. The first ^C asks to stop, the second one ends at once. */
export function realIo(): Io {
  keepStdoutForResults();
  return {
    stdout: (text) => writeAll(Deno.stdout, text),
    stderr: (text) => writeAll(Deno.stderr, text),
    stderrIsTerminal: Deno.stderr.isTerminal(),
    env: (name) => Deno.env.get(name),
    cwd: Deno.cwd(),
    clock: systemClock,
    stop: stopOnSignals(),
  };
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
  const controller = new AbortController();
  const stop = () => {
    if (controller.signal.aborted) Deno.exit(130);
    controller.abort(new Error("interrupted"));
  };
  Deno.addSignalListener("SIGINT", stop);
  // Windows knows no SIGTERM.
  if (Deno.build.os !== "windows") Deno.addSignalListener("SIGTERM", stop);
  return controller.signal;
}

function writeAll(stream: { writeSync(bytes: Uint8Array): number }, text: string): void {
  let rest = new TextEncoder().encode(text);
  try {
    while (rest.length > 0) rest = rest.subarray(stream.writeSync(rest));
  } catch (cause) {
    if (cause instanceof Deno.errors.BrokenPipe) throw new ClosedPipe();
    throw cause;
  }
}
