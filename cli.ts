/** The program's entry: `deno run -A cli.ts`, and what is compiled into the binary. */
import { main } from "./lib/cli/main.ts";
import { realIo } from "./lib/cli/real_io.ts";

if (import.meta.main) Deno.exit(await main(Deno.args, realIo()));
