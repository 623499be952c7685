/**
 * How the program is compiled, beside its entry and its output. Called by itself it makes the bundle, whose cli.js is the entry, and
 * prints a flag a line, for scripts that compile with another Deno.
 */
import { BUNDLE, bundle } from "./bundle.ts";
import { leftOut } from "./left_out.ts";

/**
 * What the program may do once it is compiled. A system under test is code of the user's that runs within it, so it may do what any
 * program of theirs may: read and write files, use the network, read the environment, start processes, load libraries. Of its own, the
 * program needs read, write, env, run (systems in other languages), net (services, libsql:// stores), ffi (the database) and sys (what
 * the database asks of the machine). Left out are imports of code from other hosts, and questions: a right that is not there is an error.
 */
export const PERMISSIONS = [
  "--allow-read",
  "--allow-write",
  "--allow-env",
  "--allow-net",
  "--allow-run",
  "--allow-ffi",
  "--allow-sys",
  "--no-prompt",
];

/** All flags that any Deno from 2.4 on knows. */
export async function compileFlags(): Promise<readonly string[]> {
  return [
    ...PERMISSIONS,
    "--config",
    `${BUNDLE}/deno.json`,
    "--include",
    BUNDLE,
    // The cache would be a file of a known name in a folder that all users share, and it saves no time.
    "--no-code-cache",
    // Types are the business of `deno task check`.
    "--no-check",
    ...(await leftOut()).flatMap((path) => ["--exclude", path]),
  ];
}

if (import.meta.main) {
  await bundle();
  Deno.stdout.writeSync(new TextEncoder().encode(`${(await compileFlags()).join("\n")}\n`));
}
