import assert from "node:assert/strict";
import { digestFunctions, digestSource } from "../../lib/system/source_digest.ts";
import { faultOf, folderOf, writeInto } from "./project_folder.ts";

const files = {
  "app.ts": 'import { a } from "./lib/a.ts";\nexport const app = a;',
  "lib/a.ts": 'export { b as a } from "../b.js";',
  "b.js": "export const b = 1;",
  "unrelated.ts": "export const c = 1;",
  "prompts/system.txt": "be brief",
  "prompts/de/system.txt": "sei kurz",
};

const digestOf = (root: string, globs: readonly string[] = []) => digestSource(`${root}/app.ts`, root, globs);

/** Whether writing files changes the digest of app.ts. */
async function isChangedBy(
  written: Readonly<Record<string, string>>,
  given: { readonly files?: Readonly<Record<string, string>>; readonly globs?: readonly string[] } = {},
): Promise<boolean> {
  const root = await folderOf(given.files ?? files);
  const before = await digestOf(root, given.globs);
  await writeInto(root, written);
  return await digestOf(root, given.globs) !== before;
}

Deno.test("digestSource: the module and everything that it imports by relative paths count", async () => {
  assert.equal(await isChangedBy({ "app.ts": `${files["app.ts"]} ` }), true);
  assert.equal(await isChangedBy({ "lib/a.ts": `${files["lib/a.ts"]}\n` }), true);
  assert.equal(await isChangedBy({ "b.js": "export const b = 2;" }), true);
});

Deno.test("digestSource: other files do not count", async () => {
  assert.equal(await isChangedBy({ "unrelated.ts": "export const c = 2;" }), false);
  assert.equal(await isChangedBy({ "prompts/system.txt": "be polite", "new.ts": "" }), false);
  assert.equal(await isChangedBy({ "app.ts": files["app.ts"] }), false);
});

Deno.test("digestSource: every way to write a relative import is seen", async () => {
  const ways = [
    'import { b } from "./b.js";',
    "import { b } from './b.js';",
    'import {\n  b,\n} from "./b.js";',
    'import * as all from "./b.js";',
    'import "./b.js";',
    'import"./b.js";',
    'export * from "./b.js";',
    'export { b } from "./b.js";',
    'import type { B } from "./b.js";',
    'const { b } = await import("./b.js");',
    "const { b } = await import( './b.js' );",
    'import data from "./b.js" with { type: "json" };',
    'import { b } from "./b.js?v=1";',
    'import { b } from "./sub/../b.js";',
  ];
  for (const way of ways) {
    const given = { files: { "app.ts": way, "b.js": "export const b = 1;" } };
    assert.equal(await isChangedBy({ "b.js": "export const b = 2;" }, given), true, way);
  }
});

Deno.test("digestSource: names with spaces and other letters are followed", async () => {
  const given = { files: { "app.ts": 'import "./my%20prompt é.js";', "my prompt é.js": "1;" } };
  assert.equal(await isChangedBy({ "my prompt é.js": "2;" }, given), true);
});

Deno.test("digestSource: circles end, and packages, built-ins and what is not there are passed over", async () => {
  const root = await folderOf({
    "app.ts": 'import "./b.ts"; import "node:path"; import "zod"; // from "./gone.ts" or from "./folder"',
    "b.ts": 'import "./app.ts";',
    "folder/c.ts": "",
  });
  assert.match(await digestOf(root), /^[0-9a-f]{64}$/);
});

Deno.test("digestSource: globs add files, their content and their names", async () => {
  const globs = ["prompts/**/*.txt"];
  assert.equal(await isChangedBy({ "prompts/system.txt": "be polite" }, { globs }), true);
  assert.equal(await isChangedBy({ "prompts/de/system.txt": "sei nett" }, { globs }), true);
  assert.equal(await isChangedBy({ "prompts/new.txt": "" }, { globs }), true);
  assert.equal(await isChangedBy({ "prompts/notes.md": "" }, { globs }), false);
  assert.equal(
    await isChangedBy({ "prompts/de/system.txt": "sei nett" }, { globs: ["prompts/*.txt"] }),
    false,
  );
});

Deno.test("digestSource: a file that globs match twice, or that is imported as well, counts once", async () => {
  const root = await folderOf(files);
  assert.equal(await digestOf(root, ["b.js", "*.js", "lib/*"]), await digestOf(root));
});

Deno.test("digestSource: globs reach out of the project's folder, and may be whole paths", async () => {
  const folder = await folderOf({ "project/app.ts": "", "outer.txt": "a" });
  const outer = await digestSource(`${folder}/project/app.ts`, `${folder}/project`, ["../outer.txt"]);
  const whole = await digestSource(`${folder}/project/app.ts`, `${folder}/project`, [`${folder}/outer.txt`]);
  assert.equal(outer, whole);
  assert.notEqual(outer, await digestSource(`${folder}/project/app.ts`, `${folder}/project`));
});

Deno.test("digestSource: a glob that matches no file is a mistake", async () => {
  const root = await folderOf(files);
  for (const glob of ["promts/*.txt", "prompts"]) {
    const fault = await faultOf(digestOf(root, ["b.js", glob]));
    assert.equal(fault.code, "no_such_file");
    assert.equal(fault.summary, `Cannot digest the system's files: nothing matches "${glob}"`);
  }
});

Deno.test("digestSource: the same project has the same digest in another folder", async () => {
  const [one, other] = [await folderOf(files), await folderOf(files)];
  assert.notEqual(one, other);
  assert.equal(await digestOf(one, ["prompts/**"]), await digestOf(other, ["prompts/**"]));
});

Deno.test("digestSource: the name of a file counts, not only its content", async () => {
  const one = await folderOf({ "app.ts": "", "a.txt": "x", "b.txt": "y" });
  const other = await folderOf({ "app.ts": "", "a.txt": "y", "b.txt": "x" });
  assert.notEqual(await digestOf(one, ["*.txt"]), await digestOf(other, ["*.txt"]));
});

Deno.test("digestFunctions: the text of every function, of plain objects and of classes", () => {
  const plain = (text: string) => ({ name: "a", generate: new Function(`return "${text}"`) });
  assert.equal(digestFunctions(plain("x")), digestFunctions(plain("x")));
  assert.notEqual(digestFunctions(plain("x")), digestFunctions(plain("y")));
  assert.notEqual(digestFunctions({ a: () => 1 }), digestFunctions({ b: () => 1 }));
  class Base {
    generate() {
      return 1;
    }
  }
  class Derived extends Base {}
  class Other extends Base {
    retrieve() {
      return 2;
    }
  }
  assert.notEqual(digestFunctions(new Derived()), digestFunctions(new Other()));
  assert.notEqual(digestFunctions(new Base()), digestFunctions({}));
});

Deno.test("digestFunctions: the data of an instance counts, and getters are not called", () => {
  const one = { size: 1, generate: () => 1 };
  assert.notEqual(digestFunctions({ ...one, size: 2 }), digestFunctions(one));
  class Model {
    constructor(readonly name: string) {}
    generate() {
      return this.name;
    }
  }
  assert.notEqual(digestFunctions(new Model("m1")), digestFunctions(new Model("m2")));
  assert.equal(digestFunctions(new Model("m1")), digestFunctions(new Model("m1")));
  const hostile = {
    get secret(): string {
      throw new Error("called");
    },
  };
  assert.match(digestFunctions(hostile), /^[0-9a-f]{64}$/);
});
