import type { Store } from "../../lib/domain/ports.ts";
import { MemoryStore } from "../../lib/store/memory_store.ts";
import { openStore } from "../../lib/store/open_store.ts";
import { describeErasing } from "./erase_contract.ts";
import { describeJudging } from "./judge_contract.ts";
import { describeStore } from "./store_contract.ts";
import { tempFolder } from "../temp_folder.ts";

const stores: readonly (readonly [name: string, open: () => Promise<Store>])[] = [
  ["MemoryStore", () => Promise.resolve(new MemoryStore())],
  ["LibsqlStore", () => openTemporary(false)],
  ["LibsqlStore that writes in the background", () => openTemporary(true)],
];

async function openTemporary(writes_in_background: boolean): Promise<Store> {
  return await openStore(`${await tempFolder()}/store.db`, { mode: "write", writes_in_background });
}

for (const [name, open] of stores) {
  describeStore(name, open);
  describeErasing(name, open);
  describeJudging(name, open);
}
