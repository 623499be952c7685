/** Progress of a run on stderr: a bar on a terminal, a line every few seconds elsewhere. */
import type { Progress } from "../commands/surroundings.ts";
import { progressBar, progressLine } from "../report/progress_text.ts";
import type { Io } from "./io.ts";

/** Between two lines where there is no terminal. */
const LINE_EVERY_MS = 5000;
/** Between two states of a bar. */
const BAR_EVERY_MS = 100;

/** Shows progress; `done` clears the bar. Short runs show nothing where there is no terminal. */
export interface ProgressDisplay {
  readonly update: (progress: Progress) => void;
  readonly done: () => void;
}

/** The display for a stream; a quiet one shows nothing. */
export function createProgress(io: Io, quiet: boolean): ProgressDisplay {
  if (quiet) return { update: () => {}, done: () => {} };
  const every = io.stderrIsTerminal ? BAR_EVERY_MS : LINE_EVERY_MS;
  let last = io.clock.elapsed();
  let shown = false;
  return {
    update(progress) {
      const now = io.clock.elapsed();
      if (now - last < every) return;
      last = now;
      io.stderr(io.stderrIsTerminal ? `\r\x1b[K${progressBar(progress)}` : `${progressLine(progress)}\n`);
      shown = true;
    },
    done() {
      if (shown && io.stderrIsTerminal) io.stderr("\r\x1b[K");
    },
  };
}
