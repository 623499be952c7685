import assert from "node:assert/strict";
import { loadExport } from "../../lib/system/load_export.ts";
import { digestSource } from "../../lib/system/source_digest.ts";
import { faultOf, folderOf, writeInto } from "./project_folder.ts";

Deno.test("loadExport: an export with its place and the digest of its code", async () => {
  const root = await folderOf({ "app.ts": "export const answer: number = 42;" });
  const loaded = await loadExport("app:answer", root);
  assert.deepEqual(loaded, {
    value: 42,
    where: `${root}/app.ts:answer`,
    source_digest: await digestSource(`${root}/app.ts`, root),
  });
});

Deno.test("loadExport: default exports, folders and every kind of file", async () => {
  const root = await folderOf({
    "a.js": "export default 1;",
    "b.mjs": "export const value = 2;",
    "sub/c.ts": 'import { value } from "../b.mjs"; export const sum: number = value + 1;',
  });
  assert.equal((await loadExport("a:default", root)).value, 1);
  assert.equal((await loadExport("b.mjs:value", root)).value, 2);
  assert.equal((await loadExport("./sub/c:sum", root)).value, 3);
});

Deno.test("loadExport: the package itself and built-ins of Node resolve", async () => {
  const root = await folderOf({
    "app.ts":
      'import { ragSystem } from "oloproof"; import { sep } from "node:path"; export const made = [ragSystem, sep];',
  });
  const { value } = await loadExport("app:made", root);
  assert.equal(typeof (value as unknown[])[0], "function");
});

Deno.test("loadExport: a module that is not there", async () => {
  const root = await folderOf({});
  const fault = await faultOf(loadExport("app:helpDesk", root));
  assert.equal(fault.code, "module_not_found");
  assert.equal(fault.kind, "configuration");
  assert.equal(fault.summary, 'Cannot load "app:helpDesk": there is no such module');
  assert.equal(fault.hint, `looked for ${root}/app with .ts, .js, .mjs`);
});

Deno.test("loadExport: a name that several files could mean", async () => {
  const root = await folderOf({ "app.ts": "export const a = 1;", "app.js": "export const a = 2;" });
  const fault = await faultOf(loadExport("app:a", root));
  assert.equal(fault.code, "module_ambiguous");
  assert.match(fault.summary, /app\.ts and .*app\.js both exist$/);
  assert.equal((await loadExport("app.js:a", root)).value, 2);
});

Deno.test("loadExport: Python modules are refused in so many words, unless a file beside them can be loaded", async () => {
  const root = await folderOf({ "app.py": "a = 1", "both.py": "a = 1", "both.js": "export const a = 1;" });
  for (const object of ["app:a", "app.py:a"]) {
    const fault = await faultOf(loadExport(object, root));
    assert.equal(fault.code, "not_supported");
    assert.match(fault.summary, /only a system may be a Python module$/);
  }
  assert.equal((await loadExport("both:a", root)).value, 1);
});

Deno.test("loadExport: an export that is not there, with the nearest and all the others", async () => {
  const root = await folderOf({
    "app.ts": "export const helpDesk = 1; export const other = 2;",
    "empty.ts": "export {};",
  });
  const fault = await faultOf(loadExport("app:helpdesk", root));
  assert.equal(fault.code, "export_not_found");
  assert.equal(fault.summary, 'Cannot load "app:helpdesk": the module exports no "helpdesk"');
  assert.equal(fault.hint, 'did you mean "helpDesk"? it exports helpDesk, other');
  assert.equal((await faultOf(loadExport("empty:a", root))).hint, "it exports nothing");
  assert.equal((await faultOf(loadExport("app:toString", root))).code, "export_not_found");
});

Deno.test("loadExport: a module that throws while it is loaded is named with what it said", async () => {
  const root = await folderOf({
    "app.js": 'throw new Error("no OPENAI_API_KEY");',
    "odd.js": "throw Object.create(null);",
    "late.js": 'await Promise.reject(new Error("index is gone")); export const a = 1;',
  });
  const fault = await faultOf(loadExport("app:a", root));
  assert.equal(fault.code, "module_failed");
  assert.equal(fault.summary, 'Cannot load "app:a": no OPENAI_API_KEY');
  assert.equal(fault.where, `${root}/app.js`);
  assert.ok(fault.cause instanceof Error);
  assert.equal((await faultOf(loadExport("odd:a", root))).code, "module_failed");
  assert.match((await faultOf(loadExport("late:a", root))).summary, /index is gone$/);
});

Deno.test("loadExport: a module that cannot be parsed, or whose import is not there", async () => {
  const root = await folderOf({
    "broken.js": "export const a = ;",
    "lost.js": 'import "./nowhere.js"; export const a = 1;',
    "named.js": 'import { b } from "./target.js"; export const a = b;',
    "target.js": "export const c = 1;",
  });
  const broken = await faultOf(loadExport("broken:a", root));
  assert.equal(broken.code, "module_failed");
  assert.match(broken.message, /^Cannot load "broken:a": /);
  assert.match((await faultOf(loadExport("lost:a", root))).summary, /nowhere\.js/);
  assert.match((await faultOf(loadExport("named:a", root))).summary, /export named 'b'/);
});

Deno.test("loadExport: an import of a package names the ways out, also when it stands in an imported file", async () => {
  const root = await folderOf({
    "app.ts": 'import leftPad from "left-pad"; export const a = leftPad;',
    "outer.ts": 'export * from "./app.ts";',
  });
  for (const object of ["app:a", "outer:a"]) {
    const fault = await faultOf(loadExport(object, root));
    assert.equal(fault.code, "module_needs_packages");
    assert.equal(
      fault.summary,
      `Cannot load "${object}": it imports "left-pad", which this process cannot resolve`,
    );
    assert.match(fault.hint ?? "", /npm:left-pad/);
    assert.match(fault.hint ?? "", /esbuild app\.ts --bundle/);
  }
});

Deno.test("loadExport: messages are plain text, whatever colours the runtime or the module gave them", async () => {
  const root = await folderOf({
    "app.js": 'throw new Error("\\u001b[31mred\\u001b[0m");',
    "broken.ts": "a b",
  });
  assert.equal((await faultOf(loadExport("app:a", root))).summary, 'Cannot load "app:a": red');
  assert.doesNotMatch((await faultOf(loadExport("broken:a", root))).summary, /(?!\n)\p{Cc}/u);
});

Deno.test("loadExport: code that changed after it was loaded is refused, since the old code would run", async () => {
  const root = await folderOf({
    "app.ts": 'export { prompt } from "./prompt.ts";',
    "prompt.ts": 'export const prompt = "be brief";',
  });
  await loadExport("app:prompt", root);
  await loadExport("app:prompt", root);
  await writeInto(root, { "prompt.ts": 'export const prompt = "be polite";' });
  const fault = await faultOf(loadExport("app:prompt", root));
  assert.equal(fault.code, "source_changed");
  assert.equal(fault.where, `${root}/prompt.ts`);
  await writeInto(root, { "prompt.ts": 'export const prompt = "be brief";' });
  assert.equal((await loadExport("app:prompt", root)).value, "be brief");
});

Deno.test("loadExport: so is a new module that imports a file of which an older version runs", async () => {
  const root = await folderOf({
    "app.ts": 'export { shared } from "./shared.ts";',
    "other.ts": 'export { shared } from "./shared.ts";',
    "shared.ts": "export const shared = 1;",
  });
  await loadExport("app:shared", root);
  await writeInto(root, { "shared.ts": "export const shared = 2;" });
  const fault = await faultOf(loadExport("other:shared", root));
  assert.equal(fault.code, "source_changed");
});

Deno.test("loadExport: a module that failed and was mended since needs a new process as well, and that is said", async () => {
  const root = await folderOf({ "app.js": 'throw new Error("not yet");' });
  assert.equal((await faultOf(loadExport("app:a", root))).code, "module_failed");
  assert.equal((await faultOf(loadExport("app:a", root))).code, "module_failed");
  await writeInto(root, { "app.js": "export const a = 1;" });
  const fault = await faultOf(loadExport("app:a", root));
  assert.equal(fault.code, "source_changed");
  assert.match(fault.hint ?? "", /restart the program/);
});

Deno.test("loadExport: a change of a file that is only digested loads nothing anew", async () => {
  const root = await folderOf({ "app.ts": "export const a = 1;", "prompt.txt": "be brief" });
  const before = await loadExport("app:a", root, ["*.txt"]);
  await writeInto(root, { "prompt.txt": "be polite" });
  const after = await loadExport("app:a", root, ["*.txt"]);
  assert.equal(after.value, 1);
  assert.notEqual(after.source_digest, before.source_digest);
});
