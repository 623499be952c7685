/** The real outside, for programs and notebooks. */
import process from "node:process";
import { ulid } from "ulid";
import type { Progress, Surroundings } from "../commands/surroundings.ts";
import { systemClock } from "../system/clock.ts";

/** What a calling program may decide of the outside. */
export interface CallOptions {
  /** Fires to interrupt a run: finished cases are kept. */
  readonly signal?: AbortSignal;
  /** Called after every finished execution. */
  readonly onProgress?: (progress: Progress) => void;
}

/** The machine's clock, environment and current folder. */
export function realSurroundings({ signal, onProgress }: CallOptions = {}): Surroundings {
  return {
    clock: systemClock,
    newId: () => ulid(),
    stop: signal ?? new AbortController().signal,
    cwd: process.cwd(),
    env: (name) => process.env[name],
    ...(onProgress === undefined ? {} : { onProgress }),
  };
}
