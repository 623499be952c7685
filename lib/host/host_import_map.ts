/** The import map of a Deno host: the module's own, and the place of `oloproof`. */
import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { isRecord } from "./message.ts";

/** An import map as Deno reads it. */
export interface ImportMap {
  readonly imports: Readonly<Record<string, string>>;
  readonly scopes: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const NOTHING: ImportMap = { imports: {}, scopes: {} };

/**
 * Merges the import maps of the configurations that hold in a folder: the nearest `deno.json`, and that of the workspace which it
 * belongs to. Addresses become absolute. A map that is given by hand takes the place of theirs, so theirs must be in it.
 *
 * @param oloproof The address of the module `oloproof`.
 */
export async function hostImportMap(folder: string, oloproof: string): Promise<ImportMap> {
  const found: ImportMap[] = [];
  for (let at = folder, up = dirname(at);; at = up, up = dirname(at)) {
    const config = await readConfig(at);
    if (config !== undefined && (found.length === 0 || config.isWorkspace)) found.unshift(config.map);
    if (up === at) break;
  }
  const merged = found.reduce<ImportMap>((under, over) => ({
    imports: { ...under.imports, ...over.imports },
    scopes: { ...under.scopes, ...over.scopes },
  }), NOTHING);
  return { ...merged, imports: { ...merged.imports, oloproof } };
}

async function readConfig(
  folder: string,
): Promise<{ readonly map: ImportMap; readonly isWorkspace: boolean } | undefined> {
  for (const name of ["deno.json", "deno.jsonc"]) {
    const config = await readJsonc(join(folder, name));
    if (!isRecord(config)) continue;
    const isWorkspace = config.workspace !== undefined;
    if (typeof config.importMap !== "string") return { map: rebase(config, folder), isWorkspace };
    const file = resolve(folder, config.importMap);
    return { map: rebase(await readJsonc(file), dirname(file)), isWorkspace };
  }
  return undefined;
}

async function readJsonc(path: string): Promise<unknown> {
  const text = await readFile(path, "utf8").catch(() => undefined);
  // Strings first, so that what looks like a comment or a comma within them stays.
  const string = '("(?:\\\\.|[^"\\\\])*")';
  const plain = text?.replace(new RegExp(`${string}|//[^\\n]*|/\\*[^]*?\\*/`, "g"), (_, kept = "") => kept)
    .replace(new RegExp(`${string}|,(?=\\s*[}\\]])`, "g"), (_, kept = "") => kept);
  try {
    return plain === undefined ? undefined : JSON.parse(plain);
  } catch {
    // Deno itself will say what is wrong with it.
    return undefined;
  }
}

function rebase(config: unknown, folder: string): ImportMap {
  if (!isRecord(config)) return NOTHING;
  const scopes = Object.entries(isRecord(config.scopes) ? config.scopes : {});
  return {
    imports: rebaseImports(config.imports, folder),
    scopes: Object.fromEntries(
      scopes.map(([scope, imports]) => [absolute(scope, folder), rebaseImports(imports, folder)]),
    ),
  };
}

function rebaseImports(imports: unknown, folder: string): Readonly<Record<string, string>> {
  const entries = Object.entries(isRecord(imports) ? imports : {}).flatMap(([key, address]) =>
    typeof address === "string" ? [[key, absolute(address, folder)] as const] : []
  );
  // What Deno does with the imports of its own configuration: "x" of a package stands for "x/…" as well.
  const paths = entries.flatMap(([key, address]) => {
    const [, scheme, rest] = /^(npm|jsr):\/?(.+)$/.exec(address) ?? [];
    return scheme === undefined || key.endsWith("/") ? [] : [[`${key}/`, `${scheme}:/${rest}/`] as const];
  });
  return Object.fromEntries([...paths, ...entries]);
}

function absolute(address: string, folder: string): string {
  if (!/^\.{0,2}\//.test(address)) return address;
  return new URL(address, pathToFileURL(`${folder}/`)).href;
}
