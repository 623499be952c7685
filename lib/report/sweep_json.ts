/** A sweep as one JSON document. */
import type { Combination, CombinationRun, Sweep, SweepContent } from "../domain/sweep.ts";

/** What `sweep` answers. Estimates are fractions in [0, 1], differences in [-1, 1]; null where there is none. */
export interface SweepDocument extends Omit<SweepContent, "schema" | "combinations"> {
  /** `sha256:` and 64 hexadecimal digits; the same result of the same question has the same id. */
  readonly sweep_id: string;
  /** Every combination with the runs that hold it; the last of the varied settings varies fastest. */
  readonly combinations: readonly (Combination & CombinationRun)[];
  /** Calls that were made, and that starting from what was recorded saved. */
  readonly calls: Sweep["calls"];
}

/** The document of a sweep. */
export function sweepJson({ sweep_id, content, runs, calls }: Sweep): SweepDocument {
  const { schema: _schema, combinations, ...rest } = content;
  return {
    sweep_id,
    ...rest,
    combinations: combinations.flatMap((combination, index) => {
      const run = runs[index];
      return run === undefined ? [] : [{ ...combination, ...run }];
    }),
    calls,
  };
}
