/** What a module needs besides itself: specifiers that name no file of its own. */
import { readFile } from "node:fs/promises";
import { dirname, extname } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const statementPattern =
  /\b(?:import|export)(?!\s+type\b)\s*(?:[^"'`;=()]*?\bfrom\s*)?(["'])([^"'\n]+)\1|\b(?:import|require)\s*\(\s*(["'])([^"'\n]+)\3/g;

/** Comments, and the texts in which something that looks like one may stand. */
const tokenPattern = /\/\*[^]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/g;

/**
 * The specifiers that a module and its relative imports load from elsewhere, such as packages; `node:` built-ins and `oloproof`
 * are none of them. Imports of types alone are erased, so they need nothing. Read from the text: nothing is run.
 */
export async function foreignImports(module: string): Promise<ReadonlySet<string>> {
  const foreign = new Set<string>();
  const seen = new Set([module]);
  // The set grows while it is walked.
  for (const path of seen) {
    if (![".ts", ".js", ".mjs", ".mts", ".cjs"].includes(extname(path))) continue;
    const text = await readFile(path, "utf8").catch(() => "");
    for (const specifier of specifiersOf(text)) {
      const base = pathToFileURL(`${dirname(path)}/`);
      if (/^(?:\.{0,2}\/|file:)/.test(specifier)) {
        if (URL.canParse(specifier, base)) seen.add(fileURLToPath(new URL(specifier, base)));
      } else if (!/^(?:node:|data:)/.test(specifier) && specifier !== "oloproof") {
        foreign.add(specifier);
      }
    }
  }
  return foreign;
}

function specifiersOf(source: string): readonly string[] {
  const text = source.replace(tokenPattern, (found) => found.startsWith("/") ? " " : found);
  return [...text.matchAll(statementPattern)].map(([, , from, , called]) => from ?? called ?? "");
}
