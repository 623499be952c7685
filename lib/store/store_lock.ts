/**
 * Who uses a store file. The database's own locks last for a statement; this one lasts as long as the store is open, so that nothing
 * is erased which a run under way has found and not yet written down. The system lets go of it when its process dies.
 */
import { setTimeout } from "node:timers/promises";

/** A lock that is held. */
export interface StoreLock {
  release(): void;
}

/** The file that is locked: never the database itself, since closing that would end the database's own locks. */
const lockFileOf = (path: string) => `${path}-lock`;

/** The longest pause between two attempts, in milliseconds. */
const LONGEST_PAUSE = 100;

/**
 * Waits for the lock of a store: a shared one, which many hold, or one for oneself alone.
 *
 * @returns `undefined` when others did not let go in time.
 * @throws What opening the lock file throws.
 */
export async function lockStore(
  path: string,
  { alone, wait_ms }: { readonly alone: boolean; readonly wait_ms: number },
): Promise<StoreLock | undefined> {
  const file = await Deno.open(lockFileOf(path), { create: true, write: true, mode: 0o600 });
  // Bases of test builds are older than it.
  if (!canTry(file)) return await waitForLock(file, alone, wait_ms);
  for (let waited = 0, pause = 5;; waited += pause, pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    if (file.tryLockSync(alone)) return { release: () => file.close() };
    if (waited >= wait_ms) break;
    await setTimeout(pause);
  }
  file.close();
  return undefined;
}

interface Tryable {
  tryLockSync(exclusive: boolean): boolean;
}

function canTry(file: Deno.FsFile): file is Deno.FsFile & Tryable {
  return "tryLockSync" in file;
}

/** Waits in the system; a wait that is given up ends with the process. */
async function waitForLock(
  file: Deno.FsFile,
  alone: boolean,
  wait_ms: number,
): Promise<StoreLock | undefined> {
  const late = new AbortController();
  const locked = file.lock(alone).then(() => true);
  const isLocked = await Promise.race([locked, setTimeout(wait_ms, false, { signal: late.signal })]);
  late.abort();
  return isLocked ? { release: () => file.close() } : undefined;
}
