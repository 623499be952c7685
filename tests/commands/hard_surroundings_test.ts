/** The program as a process where the disk is full or cannot be written, and several of it at once on one store. */
import assert from "node:assert/strict";
import { ROOT } from "../cli/session.ts";
import { tempFolder } from "../temp_folder.ts";

const PROJECT = `${ROOT}examples/support_rag`;

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end. */
async function execute(program: string, args: readonly string[]): Promise<Outcome> {
  const command = new Deno.Command(program, {
    args: [...args],
    stdout: "piped",
    stderr: "piped",
    env: { NO_COLOR: "1" },
  });
  const { code, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

/** Runs oloproof on the example, with a store of its own. */
function oloproof(store: string, ...args: readonly string[]): Promise<Outcome> {
  const program = ["run", "-A", "--quiet", "--no-lock", `${ROOT}cli.ts`];
  return execute(Deno.execPath(), [...program, "-C", PROJECT, "--store", store, ...args]);
}

/** A failure of the surroundings: told by its code, with the place and a way out, and without a stack. */
function assertTold(outcome: Outcome, code: string, store: string): void {
  assert.equal(outcome.code, 1, outcome.stdout + outcome.stderr);
  assert.equal(outcome.stdout, "");
  assert.match(outcome.stderr, new RegExp(`^error\\[${code}\\]: Cannot `));
  assert.ok(outcome.stderr.includes(`  at ${store}`), outcome.stderr);
  assert.match(outcome.stderr, /^hint: \S/m);
  assert.doesNotMatch(outcome.stderr, /^\s+at .*\.[jt]s:\d+/m);
}

/** Makes a store of one run whose log is closed: whether a process leaves an empty one behind is up to its end. */
async function storeIn(folder: string): Promise<string> {
  const store = `${folder}/store.db`;
  assert.equal((await oloproof(store, "run", "--quiet")).code, 0);
  for (const rest of ["-wal", "-shm"]) await Deno.remove(`${store}${rest}`).catch(() => undefined);
  return store;
}

/** Whether this machine lets us do a thing to a folder and undo it. */
async function can(make: (folder: string) => Promise<Outcome>, undo: (folder: string) => Promise<Outcome>) {
  const folder = await tempFolder();
  const { code } = await make(folder).catch(() => ({ code: 1 }));
  await undo(folder).catch(() => undefined);
  return code === 0;
}

const mount = (folder: string, ...args: readonly string[]) => execute("mount", [...args, folder]);
const unmount = (folder: string) => execute("umount", ["--lazy", folder]);
const lock = (path: string) => execute("chattr", ["+i", path]);
const unlock = (path: string) => execute("chattr", ["-i", path]);

/** What a test needs of the machine: the rights to mount, or a file system that knows files which nobody may change. */
const needs = {
  mount: await can((folder) => mount(folder, "-t", "tmpfs", "tmpfs"), unmount),
  immutable: await can(lock, unlock),
};

/** A test that is ignored, and says why, where the machine does not let us. */
function where(need: keyof typeof needs, name: string, fn: () => Promise<void>): void {
  const met = needs[need];
  const reason = need === "mount" ? "no right to mount" : "no immutable files here";
  Deno.test({ name: met ? name : `${name} (ignored: ${reason})`, ignore: !met, fn });
}

/** Does something on a small disk of its own. */
async function withDisk(kilobytes: number, work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await tempFolder();
  assert.equal((await mount(folder, "-t", "tmpfs", "-o", `size=${kilobytes}k`, "tmpfs")).code, 0);
  try {
    await work(folder);
  } finally {
    await unmount(folder);
  }
}

/** Writes until there is no room. */
async function fill(path: string): Promise<void> {
  const file = await Deno.open(path, { write: true, create: true });
  const block = new Uint8Array(1024);
  for (;;) if (await file.write(block).catch(() => 0) === 0) break;
  file.close();
}

/** The figures of a stored run, as far as they do not depend on when and where it was made. */
function figuresOf(json: string) {
  const { cases, metrics, slices, funnel, absences, failures, status } = JSON.parse(json);
  return { cases, metrics, slices, funnel, absences, failures, status };
}

where("mount", "a disk that is full from the start, and one that fills during a run", async () => {
  for (const kilobytes of [8, 100, 200]) {
    await withDisk(kilobytes, async (folder) => {
      const store = `${folder}/store.db`;
      // On the smallest ones the system has no room for the index of the log, and says no more than that.
      const ran = await oloproof(store, "run", "--quiet");
      assertTold(ran, "(?:disk_full|store_unwritable)", store);
      assert.match(ran.stderr, /free (?:some )?space/);
      // What was written can be read; where not even a store could be made, that is told.
      const listed = await oloproof(store, "list");
      if (listed.code === 0) assert.match(listed.stdout, /run_|no runs/);
      else assertTold(listed, "(?:disk_full|store_unwritable)", store);
    });
  }
});

where(
  "mount",
  "a disk that fills after a run: the run stays readable, nothing half of the next one is taken for whole",
  async () => {
    await withDisk(1500, async (folder) => {
      const store = `${folder}/store.db`;
      assert.equal((await oloproof(store, "run", "--quiet")).code, 0);
      const before = await oloproof(store, "inspect", "latest", "--json");
      await fill(`${folder}/filler`);
      for (
        const args of [
          ["run", "--quiet", "--set", "version=v2"],
          ["diagnose", "latest", "--criterion", "answer_correct", "--quiet"],
          ["forget", "--run", "latest"],
          ["forget", "--case", "refund_review"],
        ]
      ) {
        assertTold(await oloproof(store, ...args), "disk_full", store);
        assert.equal((await oloproof(store, "inspect", "latest", "--json")).stdout, before.stdout);
      }
      assert.equal((await oloproof(store, "export", "latest")).stdout.trim().split("\n").length, 13);
      assert.equal((await oloproof(store, "cache", "stats")).code, 0);
      await Deno.remove(`${folder}/filler`);
      const after = await oloproof(store, "run", "--json", "--quiet");
      assert.equal(after.code, 0);
      assert.deepEqual(figuresOf(after.stdout), figuresOf(before.stdout));
      assert.equal((await oloproof(store, "forget", "--case", "refund_review")).code, 0);
    });
  },
);

/** What may be done with a store that only can be read, and what not. */
async function assertReadable(store: string): Promise<void> {
  for (const args of [["inspect", "latest", "--case", "refund_review"], ["export"], ["cache", "stats"]]) {
    const { code, stderr } = await oloproof(store, ...args);
    assert.deepEqual([code, stderr], [0, ""], args.join(" "));
  }
  const dry = await oloproof(store, "forget", "--case", "refund_review", "--dry-run");
  assert.deepEqual([dry.code, dry.stderr], [0, ""]);
  for (
    const args of [["run", "--quiet"], ["run", "--quiet", "--set", "version=v2"], [
      "forget",
      "--run",
      "latest",
    ]]
  ) {
    assertTold(await oloproof(store, ...args), "store_unwritable", store);
  }
}

where("mount", "a store on a medium that can only be read is read, and told as unwritable", async () => {
  const folder = await tempFolder();
  await storeIn(folder);
  const mounted = await tempFolder();
  assert.equal((await mount(mounted, "--bind", folder)).code, 0);
  try {
    assert.equal((await mount(mounted, "-o", "remount,ro,bind")).code, 0);
    await assertReadable(`${mounted}/store.db`);
    const made = await oloproof(`${mounted}/new.db`, "run", "--quiet");
    assertTold(made, "store_unwritable", `${mounted}/new.db`);
  } finally {
    await unmount(mounted);
  }
});

where(
  "immutable",
  "a file, or a folder, that may not be changed: what is in it is read, and told as unwritable",
  async () => {
    for (const locked of ["/store.db", ""]) {
      const folder = await tempFolder();
      const store = await storeIn(folder);
      assert.equal((await lock(`${folder}${locked}`)).code, 0);
      try {
        await assertReadable(store);
      } finally {
        await unlock(`${folder}${locked}`);
      }
      assert.equal((await oloproof(store, "run", "--quiet")).code, 0);
    }
  },
);

where(
  "immutable",
  "a log that cannot be read along is not left out: the store is told as one that cannot be opened",
  async () => {
    const folder = await tempFolder();
    const store = await storeIn(folder);
    await Deno.writeFile(`${store}-wal`, new Uint8Array(5000));
    assert.equal((await lock(folder)).code, 0);
    try {
      assertTold(await oloproof(store, "list"), "store_unwritable", store);
    } finally {
      await unlock(folder);
    }
  },
);

for (const count of [2, 4]) {
  Deno.test(`${count} runs at once make one store and each has the figures of a run alone`, async () => {
    const alone = await oloproof(`${await tempFolder()}/store.db`, "run", "--json", "--quiet");
    assert.equal(alone.code, 0);
    for (let round = 0; round < count / 2; round++) {
      const store = `${await tempFolder()}/made/by/all/store.db`;
      const runs = Array.from({ length: count }, () => oloproof(store, "run", "--json", "--quiet"));
      const ids = new Set<string>();
      for (const { code, stdout, stderr } of await Promise.all(runs)) {
        assert.deepEqual([code, stderr], [0, ""]);
        assert.deepEqual(figuresOf(stdout), figuresOf(alone.stdout));
        const { run_id } = JSON.parse(stdout);
        ids.add(run_id);
        const inspected = await oloproof(store, "inspect", run_id, "--json");
        assert.deepEqual(figuresOf(inspected.stdout), figuresOf(alone.stdout));
      }
      assert.equal(ids.size, count);
      const { cases, runs: stored, judgments } = JSON.parse(
        (await oloproof(store, "cache", "stats", "--json")).stdout,
      );
      assert.deepEqual([stored, cases, judgments.cases], [count, 13 * count, 13 * count]);
    }
  });
}

Deno.test("forgetting waits for a run under way, and the run loses nothing of what it found", async () => {
  const folder = await tempFolder();
  const store = `${folder}/store.db`;
  assert.equal((await oloproof(store, "run", "--quiet")).code, 0);
  // A second project whose stage waits until the test says so: it has found its retrievals, and is not done.
  const project = await tempFolder();
  for (const name of ["cases.jsonl", "corpus.jsonl"]) {
    await Deno.copyFile(`${PROJECT}/${name}`, `${project}/${name}`);
  }
  const yaml = await Deno.readTextFile(`${PROJECT}/oloproof.yaml`);
  await Deno.writeTextFile(
    `${project}/oloproof.yaml`,
    yaml.replace("version: slice-b-example", "version: waiting"),
  );
  const app = await Deno.readTextFile(`${PROJECT}/app.ts`);
  const waiting = `async generate(input, context) {
    while (!await Deno.stat(${
    JSON.stringify(`${project}/go`)
  }).catch(() => false)) await new Promise((r) => setTimeout(r, 20));
    return generate(input, context);
  }`;
  assert.ok(app.includes("{ retrieve, generate, countTokens }"));
  await Deno.writeTextFile(
    `${project}/app.ts`,
    app.replace("{ retrieve, generate, ", `{ retrieve, ${waiting}, `),
  );
  const program = ["run", "-A", "--quiet", "--no-lock", `${ROOT}cli.ts`, "-C", project, "--store", store];
  const run = execute(Deno.execPath(), [...program, "run", "--json", "--quiet"]);
  for (let tries = 0; tries < 400; tries++) {
    const { stdout } = await oloproof(store, "list", "--json");
    if (JSON.parse(stdout).runs.length === 2) break;
  }
  const forgetting = oloproof(store, "forget", "--run", "latest~1", "--json");
  await new Promise((resolve) => setTimeout(resolve, 700));
  await Deno.writeTextFile(`${project}/go`, "");
  const [ran, forgot] = [await run, await forgetting];
  assert.equal(ran.code, 0, ran.stderr);
  assert.equal(forgot.code, 0, forgot.stderr);
  assert.deepEqual(JSON.parse(ran.stdout).stages.retrieve, { hit: 13, miss: 0 });
  assert.deepEqual(JSON.parse(forgot.stdout).shared.retrievals, 13);
  const inspected = await oloproof(store, "inspect", "latest", "--json");
  assert.deepEqual(figuresOf(inspected.stdout), figuresOf(ran.stdout));
});
