/** What is inside a compiled program, for people who must know. */
import { readFile } from "node:fs/promises";
import type { Bundled } from "./bundle.ts";

/**
 * The text of the list: Deno, every npm package with its checksum, and the files as `deno compile` lists them.
 *
 * @param said What `deno compile` printed.
 * @param bundled The packages in the bundle.
 */
export async function contentsText(said: string, bundled: readonly Bundled[]): Promise<string> {
  const root = new URL("..", import.meta.url);
  const { name, version } = JSON.parse(await readFile(new URL("deno.json", root), "utf8"));
  const lock: { readonly npm: Readonly<Record<string, { readonly integrity: string }>> } = JSON.parse(
    await readFile(new URL("deno.lock", root), "utf8"),
  );
  const ids = new Set(bundled.map(({ name, version }) => `${name}@${version}`));
  // The lock file knows more packages, for other machines and for tests. Deno names those that stay packages, as folders.
  const isInside = (id: string) => {
    const [known = id, bare = id] = /^(?:@[^/]+\/)?([^@]+)@[^_]+/.exec(id) ?? [];
    return ids.has(known) || new RegExp(`[ /]${bare}/`).test(said);
  };
  const packages = Object.entries(lock.npm).filter(([id]) => isInside(id)).map(([id, { integrity }]) =>
    `${id} ${integrity}`
  );
  return [
    `${name} ${version}, compiled with Deno ${Deno.version.deno} (V8 ${Deno.version.v8})`,
    "",
    "npm packages, with the checksums of the lock file",
    ...packages.map((line) => `  ${line}`),
    "",
    said.slice(Math.max(0, said.indexOf("Embedded Files"))),
    "",
  ].join("\n");
}
