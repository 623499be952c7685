/** Bounded concurrency over a stream. */

/**
 * Calls `work` for every item, at most `concurrency` at once, starting in order. The first failure stops further items and is
 * thrown once everything under way has ended; nothing is left running behind the caller's back.
 */
export async function forEachConcurrently<T>(
  items: AsyncIterable<T>,
  concurrency: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.asyncIterator]();
  let failed = false;
  const worker = async () => {
    while (!failed) {
      const next = await iterator.next();
      if (next.done) return;
      await work(next.value);
    }
  };
  const guarded = async () => {
    try {
      await worker();
    } catch (cause) {
      failed = true;
      throw cause;
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: concurrency }, guarded));
  if (failed) await iterator.return?.();
  const failure = ends.find((end) => end.status === "rejected");
  if (failure !== undefined) throw failure.reason;
}
