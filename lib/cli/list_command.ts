/** `oloproof list` */
import { list } from "../commands/list.ts";
import { listText } from "../report/list_text.ts";
import type { Io } from "./io.ts";
import { EXIT } from "./exit_code.ts";
import type { GlobalOptions } from "./global_options.ts";
import { jsonText, storeOf, surroundingsOf } from "./surroundings.ts";

/** Prints the runs of the store. */
export async function listCommand(
  options: GlobalOptions & { readonly limit?: number },
  io: Io,
): Promise<number> {
  const runs = await list(await storeOf(options, io), { limit: options.limit }, surroundingsOf(io));
  io.stdout(options.json ? jsonText({ runs }) : listText(runs));
  return EXIT.done;
}
