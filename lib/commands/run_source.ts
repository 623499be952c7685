/** A run that can be read. */
import type { Store } from "../domain/ports.ts";
import type { RunHeader } from "../domain/run.ts";

/** A run and the store that it is in; the two runs of a comparison may be in different ones. */
export interface RunSource {
  readonly header: RunHeader;
  readonly store: Store;
}
