/** The program: arguments in, streams and an exit code out. The one place where errors are caught. */
import { VERSION } from "../version.ts";
import { EXIT } from "./exit_code.ts";
import { ClosedPipe, type Io } from "./io.ts";

/**
 * Runs the program and answers with its exit code: 0 done · 1 unexpected, or the surroundings failed · 2 usage or configuration ·
 * 4 a run finished with outcomes missing · 130 interrupted.
 */
export async function main(args: readonly string[], io: Io): Promise<number> {
  try {
    // Nothing else is loaded for this: scripts ask for it often.
    if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) {
      io.stdout(`oloproof ${VERSION}\n`);
      return EXIT.done;
    }
    const { runProgram } = await import("./program.ts");
    return await runProgram(args, io);
  } catch (cause) {
    if (cause instanceof ClosedPipe) return EXIT.done;
    const { reportError } = await import("./report_error.ts");
    return reportError(cause, args, io);
  }
}
