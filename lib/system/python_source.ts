/** Which files of a project a Python module is made of, read from the text: nothing is run. */
import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { sha256 } from "../domain/identity.ts";

/**
 * The sha256 of a Python module and of every module of the project that it imports, by whole path. An import that stands in a text
 * counts, too, which can only make the digest change more often; one that is put together at run time is not seen.
 */
export async function digestPython(module: string, root: string): Promise<ReadonlyMap<string, string>> {
  const digests = new Map<string, string>();
  digests.set(module, sha256(await readFile(module)));
  // The map grows while it is walked.
  for (const path of digests.keys()) {
    const text = await readFile(path, "utf8");
    for (const stem of importedStems(text, path, [dirname(module), root])) {
      for (const file of [`${stem}.py`, join(stem, "__init__.py")]) {
        if (digests.has(file)) continue;
        const content = await readFile(file).catch(() => undefined);
        // What is not there is a package, or no module at all.
        if (content !== undefined) digests.set(file, sha256(content));
      }
    }
  }
  return digests;
}

const importPattern = /(?:^|[;:])[ \t]*import[ \t]+([\w., \t]+)/gm;
const fromPattern = /(?:^|[;:])[ \t]*from[ \t]+(\.*)[ \t]*([\w.]*)[ \t]+import[ \t]*(\([^)]*\)|[^\n#;]*)/gm;
const dynamicPattern = /\bimport_module\(\s*["']([\w.]+)["']/g;

/** Whole paths, without an ending, of what a module may mean by its imports. */
function importedStems(source: string, path: string, bases: readonly string[]): ReadonlySet<string> {
  const text = source.replaceAll(/\\\r?\n/g, " ");
  const stems = new Set<string>();
  const add = (bases: readonly string[], dotted: string) => {
    const parts = dotted.split(".").filter((part) => part !== "");
    for (const base of bases) {
      // Every package on the way to a module is executed, too.
      parts.forEach((_, index) => stems.add(resolve(base, ...parts.slice(0, index + 1))));
    }
  };
  for (const [, names = ""] of text.matchAll(importPattern)) {
    for (const name of names.split(",")) add(bases, name.trim().split(/\s/)[0] ?? "");
  }
  for (const [, name = ""] of text.matchAll(dynamicPattern)) add(bases, name);
  for (const [, dots = "", module = "", names = ""] of text.matchAll(fromPattern)) {
    const folder = resolve(dirname(path), ...Array<string>(Math.max(dots.length - 1, 0)).fill(".."));
    const from = dots === "" ? bases : [folder];
    if (dots !== "") stems.add(folder);
    add(from, module);
    for (const name of names.matchAll(/[\w]+(?=\s*(?:,|\)|$|\s+as\b))/gm)) add(from, `${module}.${name[0]}`);
  }
  return stems;
}
