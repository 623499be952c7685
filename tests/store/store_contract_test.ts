import { MemoryStore } from "../../lib/store/memory_store.ts";
import { openStore } from "../../lib/store/open_store.ts";
import { describeStore } from "./store_contract.ts";
import { tempFolder } from "../temp_folder.ts";

describeStore("MemoryStore", () => Promise.resolve(new MemoryStore()));

describeStore("LibsqlStore", async () => {
  const folder = await tempFolder();
  return await openStore(`${folder}/store.db`, { mode: "write" });
});
