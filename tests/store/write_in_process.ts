/**
 * A program of its own: opens a store, writes a run of some cases, one batch a case. Arguments: path, run id, cases, and `background`
 * where it shall be written on a thread.
 */
import { openStore } from "../../lib/store/open_store.ts";
import { evidenceOf, headerOf } from "./run_in_store.ts";

const [path = "", run_id = "", cases = "0", where] = Deno.args;
const store = await openStore(path, { mode: "write", writes_in_background: where === "background" });
const number = await store.beginRun(headerOf(run_id));
for (let ordinal = 0; ordinal < Number(cases); ordinal++) {
  await store.append(number, evidenceOf(number, { id: `case ${ordinal}`, ordinal }).batch);
}
await store.finishRun(run_id, "complete", "2026-09-17T10:01:00.000Z");
store.close();
