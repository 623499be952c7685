/** What a notebook adds to a call that takes time: progress under its cell, and a stop button that keeps the work. */
import type { Progress, Surroundings } from "../commands/surroundings.ts";
import { progressBar, progressLine } from "../report/progress_text.ts";
import { type CallOptions, realSurroundings } from "./surroundings.ts";

/** Between two states of the display. */
const EVERY_MS = 150;

type Jupyter = typeof Deno.jupyter;

/**
 * Calls `work` with the real outside.
 *
 * In a notebook, progress is shown unless the caller listens to it, and interrupting the cell fires the stop signal unless the caller
 * brought one: the kernel itself would end with the process, and lose every value.
 */
export async function withinCall<T>(
  options: CallOptions,
  work: (surroundings: Surroundings) => Promise<T>,
): Promise<T> {
  const jupyter = findJupyter();
  if (jupyter === undefined) return await work(realSurroundings(options));
  const interrupt = new AbortController();
  const stop = () => interrupt.abort(new Error("interrupted"));
  const display = progressDisplay(jupyter);
  if (options.signal === undefined) Deno.addSignalListener("SIGINT", stop);
  try {
    const { signal = interrupt.signal, onProgress = display.update } = options;
    return await work(realSurroundings({ signal, onProgress }));
  } finally {
    await display.done();
    if (options.signal === undefined) Deno.removeSignalListener("SIGINT", stop);
  }
}

/** The kernel's functions; undefined elsewhere, where asking for them throws. */
function findJupyter(): Jupyter | undefined {
  try {
    return Deno.jupyter;
  } catch {
    return undefined;
  }
}

/** One output of the cell that changes while work goes on. What a saved notebook keeps of it is how far the work came. */
function progressDisplay({ broadcast }: Jupyter) {
  const display_id = crypto.randomUUID();
  let sent: Promise<void> | undefined;
  let lastAt = 0;
  let last: Progress | undefined;
  const send = (text: string) => {
    const message = sent === undefined ? "display_data" : "update_display_data";
    const content = { data: { "text/plain": text }, metadata: {}, transient: { display_id } };
    sent = (sent ?? Promise.resolve()).then(() => broadcast(message, content));
  };
  return {
    update(progress: Progress): void {
      last = progress;
      const now = performance.now();
      if (sent !== undefined && now - lastAt < EVERY_MS) return;
      lastAt = now;
      send(progressBar(progress));
    },
    async done(): Promise<void> {
      if (last !== undefined) send(progressLine(last));
      await sent;
    },
  };
}
