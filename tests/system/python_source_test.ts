import assert from "node:assert/strict";
import { relative } from "node:path";
import { digestPython } from "../../lib/system/python_source.ts";
import { digestSource } from "../../lib/system/source_digest.ts";
import { folderOf, writeInto } from "./project_folder.ts";

async function filesOf(
  files: Readonly<Record<string, string>>,
  module = "app.py",
): Promise<readonly string[]> {
  const root = await folderOf(files);
  return [...(await digestPython(`${root}/${module}`, root)).keys()].map((path) => relative(root, path))
    .sort();
}

Deno.test("a Python module is made of itself and of the project's modules that it imports, and theirs", async () => {
  const files = {
    "app.py": [
      "import json, helpers",
      "import pkg.deep.leaf as leaf",
      "from pkg import (",
      "    one,  # a comment",
      "    two as zwei,",
      ")",
      "from prompts import TEXT; from \\",
      "    other import x",
      "import numpy as np",
      "lazy = importlib.import_module('lazy')",
    ].join("\n"),
    "helpers.py": "from nested.inner import value",
    "nested/inner.py": "value = 1",
    "pkg/__init__.py": "from . import three",
    "pkg/one.py": "from .two import y\nfrom ..top import z",
    "pkg/two.py": "",
    "pkg/three.py": "",
    "pkg/deep/__init__.py": "",
    "pkg/deep/leaf.py": "from ... import above",
    "prompts.py": "TEXT = 1",
    "other.py": "x = 1",
    "lazy.py": "",
    "top.py": "",
    "above.py": "",
    "unused.py": "",
    "pkg/unused.py": "",
  };
  assert.deepEqual(
    await filesOf(files),
    Object.keys(files).filter((name) => !name.includes("unused")).sort(),
  );
});

Deno.test("modules of the project's folder count for a module in a folder below it", async () => {
  const files = { "sub/app.py": "import near, far", "sub/near.py": "", "far.py": "", "sub/far/x.py": "" };
  assert.deepEqual(await filesOf(files, "sub/app.py"), ["far.py", "sub/app.py", "sub/near.py"]);
});

Deno.test("an edit of an imported module, or of a file that is named, is another digest", async () => {
  const root = await folderOf({
    "app.py": "import prompts",
    "prompts.py": "a = 1",
    "data.txt": "x",
    "b.py": "",
  });
  const digest = () => digestSource(`${root}/app.py`, root, ["data.txt"]);
  const first = await digest();
  assert.equal(await digest(), first);
  await writeInto(root, { "b.py": "changed" });
  assert.equal(await digest(), first);
  await writeInto(root, { "prompts.py": "a = 2" });
  const second = await digest();
  assert.notEqual(second, first);
  await writeInto(root, { "data.txt": "y" });
  assert.notEqual(await digest(), second);
});
