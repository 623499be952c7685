/**
 * The program and its packages as plain modules, without what nothing uses: a third of the text. It counts, since Deno's base reads all
 * that was compiled into it at each start, for `--version` too.
 */
import { copyFile, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { deno, npmCache, ROOT } from "./deno.ts";

/** Where the bundle lies, from the project's folder; the entry in it is cli.js. */
export const BUNDLE = "dist/bundle";

/** It finds the database's addon by itself, so it stays a package. */
const PACKAGE = "libsql";

/** A package in a bundle, as its registry names it. */
export interface Bundled {
  readonly name: string;
  readonly version: string;
  /** Its folder within Deno's cache. */
  readonly folder: string;
}

/**
 * Makes the bundle anew, with a configuration to compile it with and the licences of what is in it.
 *
 * @param folder Where to; what lies there is removed.
 * @returns The packages that are in it.
 */
export async function bundle(folder: string = join(ROOT, BUNDLE)): Promise<readonly Bundled[]> {
  await rm(folder, { recursive: true, force: true });
  await deno([
    "bundle",
    "--quiet",
    "--code-splitting",
    "--platform",
    "deno",
    "--external",
    PACKAGE,
    "--outdir",
    folder,
    "cli.ts",
    // The entry names it only when it runs.
    "lib/cli/program.ts",
    // A thread has an entry of its own.
    "lib/store/background_thread.ts",
    // Systems import "oloproof" from within the program.
    "mod.ts",
  ]);
  const cache = await npmCache();
  const { packages, foreign } = await nameModules(folder, cache);
  // A file at a time, each in its own place.
  await deno([
    "bundle",
    "--quiet",
    "--minify",
    "--inline-imports=false",
    "--platform",
    "deno",
    "--outdir",
    folder,
    ...foreign,
  ]);
  await writeFile(join(folder, "deno.json"), JSON.stringify(await configuration(), undefined, 2));
  // A copy, since the bundle's configuration asks for less than the project's does.
  await copyFile(join(ROOT, "deno.lock"), join(folder, "deno.lock"));
  await writeFile(join(folder, "licences.txt"), await licences(packages, cache));
  return packages;
}

/** What the comments of a bundle tell: which modules stand where. */
interface Named {
  readonly packages: readonly Bundled[];
  /** Files with nothing of this project's own, whose lines and names `--debug` need not show. */
  readonly foreign: readonly string[];
}

/** Reads the names of modules, and takes the builder's own folders out of them. */
async function nameModules(folder: string, cache: string): Promise<Named> {
  const prefix = `${relative(ROOT, cache).replaceAll(sep, "/")}/`;
  const packages = new Map<string, Bundled>();
  const foreign: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.name.endsWith(".js")) continue;
    const path = join(entry.parentPath, entry.name);
    const text = (await readFile(path, "utf8")).replaceAll(prefix, "npm/");
    await writeFile(path, text);
    const found = [...text.matchAll(/^ *\/\/ npm\/([^/\s]+\/((?:@[^/\s]+\/)?[^/\s]+)\/([^/\s]+))\//gm)];
    for (const [, place = "", name = "", version = ""] of found) {
      packages.set(place, { name, version, folder: place });
    }
    if (found.length > 0 && !/^\/\/ (?:lib\/|cli\.ts|mod\.ts)/m.test(text)) foreign.push(path);
  }
  return { packages: [...packages.values()].toSorted((a, b) => a.folder < b.folder ? -1 : 1), foreign };
}

/** What holds in the program once it is compiled. */
async function configuration() {
  const lock: { readonly npm: Readonly<Record<string, unknown>> } = JSON.parse(
    await readFile(join(ROOT, "deno.lock"), "utf8"),
  );
  const [locked] = Object.keys(lock.npm).filter((id) => id.startsWith(`${PACKAGE}@`));
  return {
    nodeModulesDir: "none",
    imports: {
      "oloproof": "./mod.js",
      // As they are named where they are loaded.
      "./program.ts": "./lib/cli/program.js",
      "./background_thread.ts": "./lib/store/background_thread.js",
      [PACKAGE]: `npm:${locked}`,
    },
  };
}

/** The licences of packages, each under its name. Some packages only say which one it is. */
async function licences(packages: readonly Bundled[], cache: string): Promise<string> {
  const texts = await Promise.all(packages.map(async ({ name, version, folder }) => {
    const read = (file: string) => readFile(join(cache, folder, file), "utf8");
    const { license = "no licence named" }: { readonly license?: string } = JSON.parse(
      await read("package.json"),
    );
    const files = (await readdir(join(cache, folder))).filter((file) => /^(?:licen[cs]e|notice)/i.test(file));
    return [`== ${name} ${version}: ${license}`, ...await Promise.all(files.map(read))].join("\n\n");
  }));
  return `${texts.join("\n\n")}\n`;
}
