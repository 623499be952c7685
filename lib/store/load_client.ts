/** Loads the database. A compiled program unpacks the database's native part first, into a folder that is nobody else's. */
import { lstat, mkdir, mkdtemp } from "node:fs/promises";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BackgroundClient, THREAD } from "./background_client.ts";
import type { FileConfig } from "./background_messages.ts";

/** The database's module. */
export type ClientModule = typeof import("@libsql/client");

let loading: Promise<ClientModule> | undefined;

/** Loads the database once. */
export function loadClient(): Promise<ClientModule> {
  return loading ??= unpackPrivately(() => import("@libsql/client"));
}

/**
 * Loads the database once more, on a thread of its own, and opens a file there. Only a compiled program waits until it is there.
 *
 * @returns `undefined` where no thread may be started: its module is read by name, which a program may be kept from that imports all others.
 */
export async function startBackground(
  config: FileConfig,
  settings: readonly string[],
): Promise<BackgroundClient | undefined> {
  if (!mayBeRead(THREAD)) return undefined;
  const client = new BackgroundClient(config, settings);
  if (Deno.build.standalone) await unpackPrivately(() => client.loaded);
  return client;
}

function mayBeRead(url: URL): boolean {
  if (url.protocol !== "file:") return true;
  return Deno.permissions.querySync({ name: "read", path: url }).state === "granted";
}

/**
 * The folder for temporary files is that of all users, and the name of what is unpacked can be known beforehand: so another user could
 * put a library of theirs in its place. Newer bases of Deno see to that themselves; it is seen to here for all, and for each thread.
 */
async function unpackPrivately<T>(load: () => Promise<T>): Promise<T> {
  // Windows has a temporary folder for each user.
  if (!Deno.build.standalone || Deno.build.os === "windows") return await load();
  const before = Deno.env.get("TMPDIR");
  Deno.env.set("TMPDIR", await privateFolder());
  try {
    return await load();
  } finally {
    // Systems under test have their own use for it.
    if (before === undefined) Deno.env.delete("TMPDIR");
    else Deno.env.set("TMPDIR", before);
  }
}

/** A folder that only this user can enter: the same one each time, so that it is unpacked once; else one for this process. */
async function privateFolder(): Promise<string> {
  const uid = Deno.uid();
  const folder = join(tmpdir(), `oloproof-${uid}`);
  await mkdir(folder, { mode: 0o700 }).catch(() => undefined);
  const found = await lstat(folder).catch(() => undefined);
  if (found?.isDirectory() === true && found.uid === uid && (found.mode & 0o077) === 0) return folder;
  const own = await mkdtemp(join(tmpdir(), "oloproof_"));
  globalThis.addEventListener("unload", () => rmSync(own, { recursive: true, force: true }));
  return own;
}
