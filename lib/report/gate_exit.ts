/** What a gate means to a shell. */
import type { Gate } from "../domain/comparison.ts";

/** The exit code of each gate: only a blocked one fails a pipeline. */
export const EXIT_OF_GATE: Readonly<Record<Gate, number>> = { PASS: 0, NOT_BLOCKED: 0, BLOCK: 3 };
