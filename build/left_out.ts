/** What would be compiled into the program although nothing needs it. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { deno, npmCache } from "./deno.ts";

/** The database's addon for the C library that Deno is not made for. */
const NEEDLESS = /@libsql[\\/]linux-[^\\/]*-musl[^\\/]*[\\/][^\\/]+[\\/]index\.node$/;

/** Paths in Deno's cache of npm packages, to be given to `--exclude`. */
export async function leftOut(): Promise<readonly string[]> {
  // What is not there yet could not be named.
  await deno(["cache", "--quiet", "lib/cli/program.ts"]);
  const cache = await npmCache();
  const scopes = (await readdir(cache)).map((registry) => join(cache, registry, "@libsql"));
  const found = await Promise.all(
    scopes.map((scope) => readdir(scope, { recursive: true, withFileTypes: true }).catch(() => [])),
  );
  return found.flat().map((entry) => join(entry.parentPath, entry.name)).filter((path) => NEEDLESS.test(path))
    .toSorted();
}
