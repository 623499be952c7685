/** Batches: soon enough, bounded, and a failed write is never passed over. */
import assert from "node:assert/strict";
import { EvidenceWriter } from "../../lib/commands/evidence_writer.ts";
import type { Store } from "../../lib/domain/ports.ts";
import type { Batch, CaseRow } from "../../lib/domain/run.ts";
import { MemoryStore } from "../../lib/store/memory_store.ts";
import { systemClock } from "../../lib/system/clock.ts";

function rowOf(ordinal: number): CaseRow {
  return {
    ordinal,
    repeat: 1,
    case: { id: `c${ordinal}`, input: ordinal },
    case_text: "{}",
    case_digest: String(ordinal),
    execution: String(ordinal),
    judgments_id: ordinal,
    cache: { execution: "miss", judgment: { hit: 0, miss: 0 } },
  };
}

/** A store whose writes are told to a function, which may take its time or throw. */
function storeWith(onWrite: (batch: Batch) => Promise<void>): Store {
  const store = new MemoryStore();
  store.append = (_run, batch) => onWrite(batch);
  return store;
}

const wait = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

Deno.test("a finished case is written within 0.2 s, without being asked", async () => {
  const written: number[] = [];
  const store = storeWith((batch) => {
    written.push(batch.cases.length);
    return Promise.resolve();
  });
  const writer = new EvidenceWriter(store, 1, systemClock, () => {});
  await writer.addCase(rowOf(0));
  await wait(180);
  assert.deepEqual(written, [1]);
});

Deno.test("500 cases are written at once, and told as landed", async () => {
  const landed: number[] = [];
  const writer = new EvidenceWriter(
    storeWith(() => Promise.resolve()),
    1,
    systemClock,
    ({ cases }) => landed.push(cases.length),
  );
  for (let ordinal = 0; ordinal < 500; ordinal++) await writer.addCase(rowOf(ordinal));
  assert.deepEqual(landed, [500]);
});

Deno.test("a failed write is thrown at the next case and at the flush, and nothing is told as landed", async () => {
  let landed = 0;
  const failing = storeWith(() => Promise.reject(new Error("disk full")));
  const writer = new EvidenceWriter(failing, 1, systemClock, () => landed++);
  await writer.addCase(rowOf(0));
  await wait(180);
  await assert.rejects(writer.addCase(rowOf(1)), /disk full/);
  await assert.rejects(writer.flush(), /disk full/);
  assert.equal(landed, 0);
});

Deno.test("behind a slow store no more than about a thousand cases wait", async () => {
  let waiting = 0;
  let most = 0;
  const slow = storeWith(async ({ cases }) => {
    await wait(150);
    waiting -= cases.length;
  });
  const writer = new EvidenceWriter(slow, 1, systemClock, () => {});
  for (let ordinal = 0; ordinal < 4000; ordinal++) {
    most = Math.max(most, ++waiting);
    await writer.addCase(rowOf(ordinal));
    if (ordinal % 40 === 0) await wait(1);
  }
  await writer.flush();
  assert.equal(waiting, 0);
  assert.ok(most <= 1600, `${most} cases waited`);
});
