/** What a store holds while one run is all that it ever held: what that run wrote. A first run need not ask for anything else. */
import type { Batch } from "../domain/run.ts";

/** The identities that the one run of a store has written: 31 bits of each, so that those of a large run fit into memory. */
export class SoleRun {
  readonly #written = new Set<number>();

  /** Notes what the store has from now on. */
  add({ retrievals, generations, judgments, cases }: Batch): void {
    for (const { identity } of retrievals) this.#written.add(partOf(identity));
    for (const { identity } of generations) this.#written.add(partOf(identity));
    for (const { record } of judgments) this.#written.add(partOf(record));
    for (const { execution } of cases) this.#written.add(partOf(execution));
  }

  /** Whether it wrote something under an identity: never no where it did, seldom yes where it did not. */
  has(identity: string): boolean {
    return this.#written.has(partOf(identity));
  }
}

/** A small integer, which takes no memory beside the place that it has in a set. */
function partOf(identity: string): number {
  return Number.parseInt(identity.slice(0, 8), 16) >>> 1;
}
