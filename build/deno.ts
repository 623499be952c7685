/** Deno as a tool of the build. */
import { fileURLToPath } from "node:url";

/** The project's folder, where Deno is called. */
export const ROOT = fileURLToPath(new URL("..", import.meta.url));

/**
 * Calls Deno and answers with what it printed.
 *
 * @throws {Error} What it said, when it failed.
 */
export async function deno(args: readonly string[]): Promise<string> {
  const command = new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: ROOT,
    env: { NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" },
  });
  const { success, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  if (!success) throw new Error(`deno ${args.join(" ")} failed:\n${decoder.decode(stderr)}`);
  return decoder.decode(stdout);
}

/** Where Deno keeps npm packages: `REGISTRY/NAME/VERSION`. */
export async function npmCache(): Promise<string> {
  const { npmCache }: { readonly npmCache: string } = JSON.parse(await deno(["info", "--json"]));
  return npmCache;
}
