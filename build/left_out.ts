/** The parts of npm packages that nothing needs at run time: half of what would be embedded. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Declarations, sources, source maps and documents. Licences stay. */
const NEEDLESS_FILE = /\.(?:d\.[mc]?ts|[mc]?ts|map|mdx?|mp3|flow|txt)$/;

/** Packages of types alone, and the database's addon for the C library that Deno is not made for. */
const NEEDLESS_PACKAGE = /^(?:@types\/.*|undici-types|@libsql\/linux-.*-musl(?:eabihf)?)$/;

/** Folders of bundles and of other runtimes, beside the modules that are imported. */
const NEEDLESS_FOLDER =
  /[\\/](?:csv-(?:parse|stringify)[\\/][^\\/]+[\\/]dist|yaml[\\/][^\\/]+[\\/]browser|plot[\\/][^\\/]+[\\/]dist|linkedom[\\/][^\\/]+[\\/]cjs|(?:ai|@ai-sdk[\\/][^\\/]+)[\\/][^\\/]+[\\/]dist[\\/]internal)(?:[\\/]|$)/;

/** Paths in Deno's cache of npm packages, to be given to `--exclude`. */
export async function leftOut(): Promise<readonly string[]> {
  const cache = await npmCache();
  const lock = JSON.parse(await readFile(new URL("../deno.lock", import.meta.url), "utf8"));
  const names = new Set(Object.keys(lock.npm).map((id) => /^(@?[^@]+)@/.exec(id)?.[1] ?? id));
  const registries = await readdir(cache);
  const places = registries.flatMap((registry) =>
    [...names].map((name) => [name, join(cache, registry, name)] as const)
  );
  return (await Promise.all(places.map(([name, folder]) => needlessFiles(name, folder)))).flat().toSorted();
}

async function needlessFiles(name: string, folder: string): Promise<readonly string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = new Set(
    found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)),
  );
  return [...paths].filter((path) => {
    if (/licen[cs]e[^\\/]*$/i.test(path)) return false;
    if (NEEDLESS_PACKAGE.test(name)) return !path.endsWith("package.json");
    // A module that is there in both forms is imported, never required.
    const isTwin = path.endsWith(".cjs") && paths.has(path.replace(/cjs$/, "js")) ||
      /[\\/]d3-?[^\\/]*\.js$/.test(path) && paths.has(path.replace(/js$/, "mjs"));
    return isTwin || path.endsWith(".min.js") || NEEDLESS_FILE.test(path) || NEEDLESS_FOLDER.test(path);
  });
}

async function npmCache(): Promise<string> {
  // Packages that are not there yet could not be looked through.
  await deno(["cache", "--quiet", "cli.ts", "lib/cli/program.ts", "mod.ts"]);
  const { npmCache } = JSON.parse(await deno(["info", "--json"]));
  return npmCache;
}

async function deno(args: readonly string[]): Promise<string> {
  const cwd = new URL("..", import.meta.url);
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), { args: [...args], cwd })
    .output();
  if (!success) throw new Error(`deno ${args.join(" ")} failed:\n${new TextDecoder().decode(stderr)}`);
  return new TextDecoder().decode(stdout);
}
