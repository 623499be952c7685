import assert from "node:assert/strict";
import fc from "fast-check";
import { Slots } from "../../lib/stages/slots.ts";

/** Lets everything go on that can without the world. */
const settle = () => new Promise((resolve) => setTimeout(resolve));

Deno.test("Slots: no more at once than there is room for, and all of them in the end", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(fc.nat(3)), async (count, ranks) => {
      const slots = new Slots(count);
      let [now, most, done] = [0, 0, 0];
      await Promise.all(ranks.map((rank) =>
        slots.use(rank, async () => {
          most = Math.max(most, ++now);
          for (let turn = 0; turn <= rank; turn++) await undefined;
          now--;
          done++;
        })
      ));
      assert.ok(most <= count);
      assert.equal(done, ranks.length);
    }),
    { seed: 1, numRuns: 100 },
  );
});

Deno.test("Slots: the highest rank goes first, then who asked first", async () => {
  const slots = new Slots(1);
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const order: string[] = [];
  const waiting = [
    slots.use(0, () => held),
    ...["a0", "b2", "c1", "d2", "e0"].map((name) =>
      slots.use(Number(name[1]), () => Promise.resolve(void order.push(name)))
    ),
  ];
  await settle();
  assert.deepEqual(order, []);
  release();
  await Promise.all(waiting);
  assert.deepEqual(order, ["b2", "d2", "c1", "a0", "e0"]);
});

Deno.test("Slots: work that throws gives its room back", async () => {
  const slots = new Slots(1);
  await assert.rejects(slots.use(0, () => Promise.reject(new Error("no"))), /no/);
  assert.equal(await slots.use(0, () => Promise.resolve("next")), "next");
});
