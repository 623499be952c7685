/** What is put away when this program ends, however it ends but by SIGKILL. */

const duties = new Set<() => void>();
let watching = false;

/** Does something when the program ends, unless it is called off. */
export function atExit(duty: () => void): { callOff(): void } {
  duties.add(duty);
  if (!watching) {
    watching = true;
    // Fires on Deno.exit, too, as after a second ^C.
    globalThis.addEventListener("unload", () => {
      for (const one of duties) one();
    });
  }
  return { callOff: () => void duties.delete(duty) };
}
