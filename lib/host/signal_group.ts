/** Signals to a process and to all that it started. */

/** Sends a signal to the group of a process; what has ended already is no trouble. */
export function signalGroup(pid: number, signal: "SIGTERM" | "SIGKILL"): void {
  // Windows has no groups.
  if (Deno.build.os !== "windows" && send(-pid, signal)) return;
  send(pid, signal);
}

function send(pid: number, signal: Deno.Signal): boolean {
  try {
    Deno.kill(pid, signal);
    return true;
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound || cause instanceof TypeError) return false;
    throw cause;
  }
}
