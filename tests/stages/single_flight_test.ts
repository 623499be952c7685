import assert from "node:assert/strict";
import fc from "fast-check";
import { type Made, SingleFlight } from "../../lib/stages/single_flight.ts";
import { settle } from "./hand_clock.ts";

/** Work that ends when the test says so. */
function work<T>() {
  const { promise, resolve, reject } = Promise.withResolvers<Made<T>>();
  let made = 0;
  return {
    make: () => {
      made++;
      return promise;
    },
    resolve: (value: T, shareable = true) => resolve({ value, shareable }),
    reject,
    get made() {
      return made;
    },
  };
}

/** A store of finished work, and how often it was asked. */
function memory(entries: readonly (readonly [string, string])[] = []) {
  const found = new Map(entries);
  const asked: string[] = [];
  return {
    found,
    asked,
    find: (identity: string) => {
      asked.push(identity);
      return Promise.resolve(found.get(identity));
    },
  };
}

Deno.test("SingleFlight: equal work under way is done once; the first is the miss, the others are hits", async () => {
  const flights = new SingleFlight<string>(memory().find);
  const once = work<string>();
  const asked = [flights.get("a", once.make), flights.get("a", once.make), flights.get("a", once.make)];
  await settle();
  asked.push(flights.get("a", once.make));
  once.resolve("made");
  assert.deepEqual(await Promise.all(asked), [
    { value: "made", outcome: "miss" },
    { value: "made", outcome: "hit" },
    { value: "made", outcome: "hit" },
    { value: "made", outcome: "hit" },
  ]);
  assert.equal(once.made, 1);
});

Deno.test("SingleFlight: work of another identity is other work", async () => {
  const flights = new SingleFlight<string>();
  const make = (value: string) => () => Promise.resolve({ value, shareable: true });
  assert.deepEqual(await Promise.all([flights.get("a", make("1")), flights.get("b", make("2"))]), [
    { value: "1", outcome: "miss" },
    { value: "2", outcome: "miss" },
  ]);
});

Deno.test("SingleFlight: what the store holds is a hit for everyone, and nothing is made", async () => {
  const store = memory([["a", "stored"]]);
  const flights = new SingleFlight<string>(store.find);
  const unmade = work<string>();
  const answers = await Promise.all([flights.get("a", unmade.make), flights.get("a", unmade.make)]);
  assert.deepEqual(answers, [{ value: "stored", outcome: "hit" }, { value: "stored", outcome: "hit" }]);
  assert.equal(unmade.made, 0);
  assert.deepEqual(store.asked, ["a"]);
});

Deno.test("SingleFlight: a failure is not shared; whoever waits tries it in turn", async () => {
  const flights = new SingleFlight<string>(memory().find);
  let underWay = 0;
  let most = 0;
  let made = 0;
  const make = async () => {
    most = Math.max(most, ++underWay);
    const value = `attempt ${++made}`;
    await settle();
    underWay--;
    return { value, shareable: made === 3 };
  };
  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => flights.get("a", make)));
  assert.deepEqual(answers.map(({ value, outcome }) => `${value} ${outcome}`), [
    "attempt 1 miss",
    "attempt 2 miss",
    "attempt 3 miss",
    "attempt 3 hit",
    "attempt 3 hit",
  ]);
  assert.equal(most, 1);
});

Deno.test("SingleFlight: a failure is forgotten; the next one asks the store and tries again", async () => {
  const store = memory();
  const flights = new SingleFlight<string>(store.find);
  const fails = () => Promise.resolve({ value: "failed", shareable: false });
  assert.deepEqual(await flights.get("a", fails), { value: "failed", outcome: "miss" });
  assert.deepEqual(await flights.get("a", fails), { value: "failed", outcome: "miss" });
  assert.deepEqual(store.asked, ["a", "a"]);
});

Deno.test("SingleFlight: what is thrown reaches everyone who waits, and is forgotten", async () => {
  const flights = new SingleFlight<string>();
  const first = work<string>();
  const asked = [flights.get("a", first.make), flights.get("a", first.make)];
  first.reject(new Error("interrupted"));
  const ends = await Promise.allSettled(asked);
  assert.deepEqual(ends.map(({ status }) => status), ["rejected", "rejected"]);
  assert.equal(first.made, 1);
  const second = work<string>();
  second.resolve("made");
  assert.deepEqual(await flights.get("a", second.make), { value: "made", outcome: "miss" });
});

Deno.test("SingleFlight: a store that fails fails the question, not the next one", async () => {
  let asked = 0;
  const flights = new SingleFlight<string>(() =>
    asked++ === 0 ? Promise.reject(new Error("locked")) : Promise.resolve("stored")
  );
  const unmade = work<string>();
  await assert.rejects(flights.get("a", unmade.make), /locked/);
  assert.deepEqual(await flights.get("a", unmade.make), { value: "stored", outcome: "hit" });
  assert.equal(unmade.made, 0);
});

Deno.test("SingleFlight: made work answers until it has landed, then the store does", async () => {
  const store = memory();
  const flights = new SingleFlight<string>(store.find);
  const once = work<string>();
  once.resolve("made");
  await flights.get("a", once.make);
  assert.deepEqual(await flights.get("a", once.make), { value: "made", outcome: "hit" });
  assert.deepEqual(store.asked, ["a"]);
  store.found.set("a", "from the store");
  flights.landed("a");
  assert.deepEqual(await flights.get("a", once.make), { value: "from the store", outcome: "hit" });
  assert.equal(once.made, 1);
});

Deno.test("SingleFlight: where the store must not be asked, made work is never forgotten", async () => {
  const flights = new SingleFlight<string>();
  const once = work<string>();
  once.resolve("made");
  await flights.get("a", once.make);
  flights.landed("a");
  assert.deepEqual(await flights.get("a", once.make), { value: "made", outcome: "hit" });
  assert.equal(once.made, 1);
});

Deno.test("SingleFlight: under any schedule no identity is made twice at once, nor again once it was made", async () => {
  const identity = fc.constantFrom("a", "b", "c");
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.record({ identity, fails: fc.boolean() }), { minLength: 1, maxLength: 12 }),
      fc.boolean(),
      async (scheduler, questions, lands) => {
        const stored = new Map<string, string>();
        const underWay = new Map<string, number>();
        const succeeded = new Map<string, number>();
        const flights = new SingleFlight<string>((identity) =>
          scheduler.schedule(Promise.resolve(), `find ${identity}`).then(() => stored.get(identity))
        );
        const make = (identity: string, fails: boolean) => async (): Promise<Made<string>> => {
          const now = (underWay.get(identity) ?? 0) + 1;
          assert.equal(now, 1, `${identity} is made twice at once`);
          underWay.set(identity, now);
          await scheduler.schedule(Promise.resolve(), `make ${identity}`);
          underWay.set(identity, 0);
          if (fails) return { value: "failed", shareable: false };
          succeeded.set(identity, (succeeded.get(identity) ?? 0) + 1);
          // The writer brings it to the store some time later, and says so.
          if (lands) {
            scheduler.schedule(Promise.resolve(), `land ${identity}`).then(() => {
              stored.set(identity, "made");
              flights.landed(identity);
            });
          }
          return { value: "made", shareable: true };
        };
        const answers = questions.map(async ({ identity, fails }) => {
          await scheduler.schedule(Promise.resolve(), `ask ${identity}`);
          const { value, outcome } = await flights.get(identity, make(identity, fails));
          // A hit is never a failure.
          assert.ok(outcome === "miss" || value === "made");
          return `${identity} ${value} ${outcome}`;
        });
        await scheduler.waitFor(Promise.all(answers));
        const told = await Promise.all(answers);
        for (const [identity, times] of succeeded) {
          assert.equal(times, 1, `${identity} was made again`);
          assert.equal(told.filter((line) => line === `${identity} made miss`).length, 1);
        }
      },
    ),
    { seed: 20260917, numRuns: 300 },
  );
});
