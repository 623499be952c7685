/** Opens a store for reading, and closes it whatever happens. */
import type { Store } from "../domain/ports.ts";
import { openStore, TOKEN_VARIABLE } from "../store/open_store.ts";
import type { Surroundings } from "./surroundings.ts";

/** Reads from a store that is there. @throws {OloproofError} `no_store`, and what opening throws. */
export async function withStore<T>(
  location: string,
  { env }: Surroundings,
  read: (store: Store) => Promise<T>,
): Promise<T> {
  const store = await openStore(location, { mode: "read", token: env(TOKEN_VARIABLE) });
  try {
    return await read(store);
  } finally {
    store.close();
  }
}
