/** From executions to cases: the repeats of a case stand together in a store. */
import type { StoredCase } from "../domain/run.ts";

/** The finished executions of each case, in the order of their repeats; fewer than the run's where it is not finished. */
export async function* eachCase(
  executions: AsyncIterable<StoredCase>,
): AsyncGenerator<readonly [StoredCase, ...StoredCase[]]> {
  let repeats: [StoredCase, ...StoredCase[]] | undefined;
  for await (const stored of executions) {
    if (repeats !== undefined && repeats[0].ordinal === stored.ordinal) {
      repeats.push(stored);
      continue;
    }
    if (repeats !== undefined) yield repeats;
    repeats = [stored];
  }
  if (repeats !== undefined) yield repeats;
}
