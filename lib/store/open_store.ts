/** Opens the store that a project names: an embedded file, or a libSQL server by URL. */
import { mkdir, open, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { Client } from "@libsql/client";
import { messageOf, OloproofError } from "../domain/error.ts";
import { isRemoteStore } from "../domain/store_location.ts";
import type { Store } from "../domain/ports.ts";
import { redactorOf } from "../domain/secrets.ts";
import { loadClient, startBackground } from "./load_client.ts";
import { LibsqlStore } from "./libsql_store.ts";
import { migrations } from "./migrations.ts";
import { migrate, schemaVersion } from "./migrate.ts";
import { storeError } from "./store_error.ts";
import { lockStore, type StoreLock } from "./store_lock.ts";

/** How long a writer waits for another one. Without it, two writers at once fail. */
const BUSY_TIMEOUT_MS = 15_000;

/** What is set on every connection to a file. */
const SETTINGS = [
  // A finished case is on the disk, not merely on its way: a power cut loses nothing that was reported.
  "PRAGMA synchronous = FULL",
  "PRAGMA foreign_keys = ON",
  // Identities are found by indexes in no order: of a large store every batch touches nearly all of their pages, which are better kept
  // in memory (16 MB) and put into the file seldom (at 16 MB of log).
  "PRAGMA cache_size = -16000",
  "PRAGMA wal_autocheckpoint = 4000",
] as const;

/** The environment variable that holds the token of a libSQL server. */
export const TOKEN_VARIABLE = "OLOPROOF_STORE_TOKEN";

/** How a store is opened. */
export interface StoreOptions {
  /** `read` and `erase` refuse to make a store that is not there; `erase` also waits until no other process uses it. */
  readonly mode: "read" | "write" | "erase";
  /** The token of a libSQL server. */
  readonly token?: string | undefined;
  /** Further values that are never stored, by the names that stand for them. */
  readonly secrets?: ReadonlyMap<string, string | undefined>;
  /** How long another process is waited for, in milliseconds; 15 s by default. */
  readonly busy_timeout_ms?: number;
  /**
   * Whether a file is written on a thread of its own, for whoever writes while a system under test runs. Of a server it says nothing:
   * there nothing waits for the writing anyway.
   */
  readonly writes_in_background?: boolean;
}

/**
 * Opens a store. A file is made when it is absent (readable by its owner alone, its folder too) and waits up to 15 s for another
 * process's lock; the client keeps one connection, so what is set on it holds for everything.
 *
 * @param location An absolute path, or a URL beginning with libsql://, https:// or http://.
 * @throws {OloproofError} `no_store`, `store_unwritable`, `store_locked`, `store_damaged`, `store_from_the_future`,
 *   `invalid_store_url`, `store_url_with_token`, `store_token_over_http`.
 */
export async function openStore(location: string, options: StoreOptions): Promise<Store> {
  const url = isRemoteStore(location) ? parseUrl(location) : undefined;
  const remote = url !== undefined;
  const place = remote ? `${url.protocol}//${url.host}` : location;
  const { busy_timeout_ms = BUSY_TIMEOUT_MS } = options;
  if (remote) checkUrl(url, options.token);
  else await prepareFile(location, options.mode);
  const lock = remote ? undefined : await lockFile(location, options.mode === "erase", busy_timeout_ms);
  const { createClient } = await loadClient();
  const connect = (url: string) =>
    createClient({
      url,
      timeout: busy_timeout_ms,
      // One connection: settings of a connection would be lost on the others.
      concurrency: remote ? 20 : 1,
      ...(remote && options.token !== undefined ? { authToken: options.token } : {}),
    });
  try {
    let client = connect(remote ? location : pathToFileURL(location).href);
    try {
      if (!remote) {
        // Before anything is changed: another program's database stays as it is.
        const version = await schemaVersion(client, place).catch(async (cause) => {
          if (options.mode !== "read" || !await isOnReadOnlyMedium(location, cause)) throw cause;
          client.close();
          client = connect(unchangingUrl(location));
          return await schemaVersion(client, place);
        });
        // Reading a store that is current changes nothing in it: it may lie on a medium that cannot be written.
        if (options.mode !== "read" || version < migrations.length) {
          await useWriteAheadLog(client, busy_timeout_ms);
        }
        for (const setting of SETTINGS) await client.execute(setting);
      }
      await migrate(client, place);
    } catch (cause) {
      client.close();
      throw cause;
    }
    const opened = remote ? undefined : await stat(location);
    const checkPlace = async () => {
      if (opened === undefined) return;
      const now = await stat(location).catch(() => undefined);
      if (now?.ino === opened.ino) return;
      throw new OloproofError("Cannot keep the run: the store was deleted or replaced while it was written", {
        code: "store_gone",
        kind: "surroundings",
        where: place,
        hint: "run again; what was written went with the deleted file",
      });
    };
    const writer = remote || options.writes_in_background !== true
      ? undefined
      : await startBackground({ url: pathToFileURL(location).href, timeout: busy_timeout_ms }, SETTINGS);
    return new LibsqlStore(client, place, {
      writer,
      checkPlace,
      redact: redactorOf(new Map([...options.secrets ?? [], [TOKEN_VARIABLE, options.token]])),
      onClose: () => lock?.release(),
    });
  } catch (cause) {
    lock?.release();
    throw storeError("open the store", place, cause);
  }
}

/**
 * Whether a store could not be opened since its folder cannot be written, where the database would keep its log and an index of it.
 * With a log that holds something, the file alone is not the whole store.
 */
async function isOnReadOnlyMedium(location: string, cause: unknown): Promise<boolean> {
  if (!/SQLITE_(?:CANTOPEN|READONLY)/.test(messageOf(cause))) return false;
  const log = await stat(`${location}-wal`).then(({ size }) => size, () => 0);
  return log === 0;
}

/** A file that nobody changes, as SQLite takes it: a URI of its own within the client's, which knows no such option. */
function unchangingUrl(location: string): string {
  return `file:${encodeURIComponent(`${pathToFileURL(location).href}?immutable=1`)}`;
}

/** Keeps what is erased apart from what is being used. Where no lock file can be made, nothing can be written either. */
async function lockFile(path: string, alone: boolean, wait_ms: number): Promise<StoreLock | undefined> {
  let lock: StoreLock | undefined;
  try {
    lock = await lockStore(path, { alone, wait_ms });
  } catch (cause) {
    if (!alone) return undefined;
    throw storeError(
      "erase from the store",
      path,
      Object.assign(new Error(messageOf(cause)), { code: "SQLITE_READONLY" }),
    );
  }
  if (lock !== undefined) return lock;
  throw new OloproofError(
    alone
      ? "Cannot erase from the store: another process is using it"
      : "Cannot open the store: another process is erasing from it",
    {
      code: "store_in_use",
      kind: "surroundings",
      where: path,
      hint: alone
        ? "wait for the other run or command to end: what it has found in the store must not vanish under it"
        : "wait for it to end",
    },
  );
}

/** Every statement waits for the lock of another process, but this one does not: it is tried again. */
async function useWriteAheadLog(client: Client, timeout_ms: number): Promise<void> {
  for (let pause = 5;; pause *= 2) {
    try {
      await client.execute("PRAGMA journal_mode = WAL");
      return;
    } catch (cause) {
      if (pause > timeout_ms / 2 || !messageOf(cause).includes("SQLITE_BUSY")) throw cause;
      await setTimeout(pause);
    }
  }
}

async function prepareFile(path: string, mode: StoreOptions["mode"]): Promise<void> {
  const found = await stat(path).catch((cause) => {
    if (cause.code === "ENOENT") return undefined;
    throw storeError("open the store", path, cause);
  });
  if (found?.isDirectory()) {
    throw new OloproofError("Cannot open the store: it is a folder", {
      code: "store_unwritable",
      kind: "configuration",
      where: path,
      hint: "name a file, for example .oloproof/oloproof.db",
    });
  }
  if (found !== undefined) return;
  if (mode !== "write") {
    throw new OloproofError("Cannot open the store: there is none yet", {
      code: "no_store",
      kind: "configuration",
      where: path,
      hint: "`oloproof run` makes it; -C DIR names the project's folder, --store another store",
    });
  }
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await (await open(path, "a", 0o600)).close();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new OloproofError(`Cannot make the store: ${reason}`, {
      code: "store_unwritable",
      kind: "surroundings",
      where: path,
      hint: "check the permissions of its folder, or choose another with --store",
      cause,
    });
  }
}

function parseUrl(location: string): URL {
  const url = URL.canParse(location) ? new URL(location) : undefined;
  if (url !== undefined && url.host !== "") return url;
  throw new OloproofError("Cannot open the store: its URL cannot be read", {
    code: "invalid_store_url",
    kind: "configuration",
    // What may be a credential is not printed.
    where: location.replace(/[^/]*@|\?.*$/gs, "…"),
    hint: "a libSQL server is named like libsql://host or http://localhost:8080",
  });
}

/** A token must not cross a network in the clear, nor stand in a URL that is stored and printed. */
function checkUrl(url: URL, token: string | undefined): void {
  if (url.username !== "" || url.password !== "" || url.searchParams.has("authToken")) {
    throw new OloproofError("Cannot open the store: its URL holds a credential", {
      code: "store_url_with_token",
      kind: "configuration",
      where: `${url.protocol}//${url.host}`,
      hint: `take it out of the URL and set ${TOKEN_VARIABLE}`,
    });
  }
  const loopback = ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
  const clear = url.protocol === "http:" || url.searchParams.get("tls") === "0";
  if (clear && !loopback && token !== undefined) {
    throw new OloproofError("Cannot open the store: the token would be sent over plain http", {
      code: "store_token_over_http",
      kind: "configuration",
      where: url.origin,
      hint: "use https:// or libsql://",
    });
  }
}
