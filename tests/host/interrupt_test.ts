/** However the program ends, the processes of its systems end with it. */
import assert from "node:assert/strict";
import { ROOT } from "../cli/session.ts";
import { contractProject, livingOf, type Way } from "./contract.ts";

const ways: readonly Way[] = [
  {
    name: "command",
    file: "peer.py",
    rag: () => Promise.resolve({ command: ["python3", "peer.py"] }),
    process: true,
  },
  {
    name: "command, through a shell",
    file: "peer.py",
    rag: () => Promise.resolve({ command: ["sh", "-c", "python3 peer.py; true"] }),
    process: true,
  },
  { name: "python", file: "app.py", rag: () => Promise.resolve({ object: "app:Contract" }), process: true },
  {
    name: "deno",
    file: "app.mjs",
    rag: () => Promise.resolve({ object: "app:contract", runtime: "deno" }),
    process: true,
  },
  {
    name: "node",
    file: "app.mjs",
    rag: () => Promise.resolve({ object: "app:contract", runtime: "node" }),
    process: true,
  },
];

/** Starts `oloproof run` on a system that does something for ever, and waits until it is at it. */
async function startRun(way: Way, what: string) {
  const { folder } = await contractProject(
    way,
    [{ id: "a" }, { id: "b", do: what }],
    { timeout_seconds: 60, concurrency: 1 },
  );
  const pids = `${folder}/pids`;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-lock", `${ROOT}cli.ts`, "-C", folder, "run"],
    env: { CONTRACT_PIDS: pids },
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const isThere = () => Deno.stat(pids).then(() => true, () => false);
  for (let tries = 0; tries < 400 && !await isThere(); tries++) await wait(25);
  // The first case is over by then, and the second one under way.
  await wait(700);
  return { child, pids };
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits a little for what dies by itself. */
async function leftOf(pids: string): Promise<readonly string[]> {
  for (let tries = 0; tries < 100; tries++) {
    if ((await livingOf(pids)).length === 0) return [];
    await wait(50);
  }
  return await livingOf(pids);
}

for (const way of ways) {
  for (const what of ["hang", "spin"]) {
    Deno.test(`^C while the system is at ${what} leaves nothing behind: ${way.name}`, async () => {
      const { child, pids } = await startRun(way, what);
      const start = performance.now();
      child.kill("SIGINT");
      const { code, stdout } = await child.output();
      assert.equal(code, 130);
      assert.match(new TextDecoder().decode(stdout), /Cases: 1 of 2 finished \(interrupted\)/);
      assert.ok(performance.now() - start < 4000);
      assert.deepEqual(await livingOf(pids), []);
    });
  }

  Deno.test(`a second ^C ends at once and leaves nothing behind: ${way.name}`, async () => {
    const { child, pids } = await startRun(way, "spin");
    child.kill("SIGINT");
    await wait(10);
    child.kill("SIGINT");
    assert.equal((await child.output()).code, 130);
    assert.deepEqual(await leftOf(pids), []);
  });

  if (way.name.startsWith("command, ")) continue;
  // A program that knows only the protocol looks at its stdin when it has the time to.
  for (const what of way.name === "command" ? ["hang"] : ["hang", "spin"]) {
    Deno.test(`a program that is killed outright leaves a system at ${what} that ends by itself: ${way.name}`, async () => {
      const { child, pids } = await startRun(way, what);
      child.kill("SIGKILL");
      await child.output();
      assert.deepEqual(await leftOf(pids), []);
    });
  }
}
