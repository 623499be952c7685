/** The processes that are alive: however this program ends, they end with it. */

const living = new Set<number>();
let watching = false;

/** Remembers a process group, so that it is ended when this program is. */
export function guardGroup(pid: number): void {
  living.add(pid);
  if (watching) return;
  watching = true;
  // Runs on Deno.exit, too, as after a second ^C.
  globalThis.addEventListener("unload", () => {
    for (const group of living) signalGroup(group, "SIGKILL");
  });
}

/** Forgets a group that has ended. */
export function forgetGroup(pid: number): void {
  living.delete(pid);
}

/** Sends a signal to a process and to all that it started; what has ended already is no trouble. */
export function signalGroup(pid: number, signal: "SIGTERM" | "SIGKILL"): void {
  // Windows has no groups.
  if (Deno.build.os !== "windows" && kill(-pid, signal)) return;
  kill(pid, signal);
}

function kill(pid: number, signal: Deno.Signal): boolean {
  try {
    Deno.kill(pid, signal);
    return true;
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound || cause instanceof TypeError) return false;
    throw cause;
  }
}
