/** The program's entry: `deno run -A cli.ts`, and what is compiled into the binary. */
import { main } from "./lib/cli/main.ts";
import { realIo } from "./lib/cli/real_io.ts";

if (import.meta.main) {
  // Kept from here: code of a project must not be able to take the way out from us.
  const exit = Deno.exit.bind(Deno);
  exit(await main(Deno.args, realIo()));
}
