import assert from "node:assert/strict";
import { identityOf } from "../../lib/domain/identity.ts";
import { parseProject } from "../../lib/config/parse_project.ts";
import type { Project, SystemSource } from "../../lib/domain/project.ts";
import type { PartialSettings } from "../../lib/domain/settings.ts";
import { ragSystem } from "../../lib/stages/rag_system.ts";
import { loadSystem } from "../../lib/system/load_system.ts";
import { digestSource } from "../../lib/system/source_digest.ts";
import { faultOf, folderOf } from "./project_folder.ts";

const code = `
  export const helpDesk = {
    name: "help", version: "1", depth: 4, top_k: 2,
    retrieve: () => ({ candidates: [] }),
    generate: () => null,
  };
  export const counting = { ...helpDesk, token_budget: 9, countTokens: () => 1 };
  export const bare = { retrieve: helpDesk.retrieve, generate: helpDesk.generate };
`;

/** The project of a system; all else is as a project file leaves it. */
function projectOf(root: string, system: SystemSource, settings: PartialSettings = {}): Project {
  const parsed = parseProject('{"system": {"rag": {"object": "app:any"}}}', { file: "oloproof.yaml", root });
  assert.ok(parsed.ok);
  return { ...parsed.project, system, settings };
}

function moduleSource(given: Partial<SystemSource & { kind: "module" }>): SystemSource & { kind: "module" } {
  return {
    kind: "module",
    object: "app:any",
    files: [],
    identity: "source",
    runtime: "auto",
    start_timeout_seconds: 10,
    ...given,
  };
}

/** A system of app.js in a new folder. */
async function moduleProject(
  name: string,
  settings: PartialSettings = {},
  source: Partial<SystemSource & { kind: "module" }> = {},
): Promise<Project> {
  const root = await folderOf({ "app.js": code, "prompt.txt": "be brief" });
  const system = moduleSource({ object: `app:${name}`, ...source });
  return projectOf(root, system, settings);
}

Deno.test("loadSystem: the system's settings, under the project's, under those of the run", async () => {
  const project = await moduleProject("helpDesk", { depth: 6, top_k: 3 });
  const { identity: { settings } } = await loadSystem(project, { top_k: 5, version: "2" });
  assert.deepEqual(settings, {
    name: "help",
    version: "2",
    depth: 6,
    top_k: 5,
    token_budget: null,
    params: { retrieve: {}, generate: {} },
  });
});

Deno.test("loadSystem: undefined overrides nothing, a null budget takes the budget away", async () => {
  const project = await moduleProject("counting", { token_budget: undefined });
  assert.equal((await loadSystem(project, { token_budget: undefined })).identity.settings.token_budget, 9);
  assert.equal((await loadSystem(project, { token_budget: null })).identity.settings.token_budget, null);
});

Deno.test("loadSystem: params of all three are laid over each other", async () => {
  const project = await moduleProject("helpDesk", { params: { generate: { model: "small", top_p: 1 } } });
  const { identity } = await loadSystem(project, {
    params: { generate: { model: "large" }, retrieve: { a: 1 } },
  });
  assert.deepEqual(identity.settings.params, { retrieve: { a: 1 }, generate: { model: "large", top_p: 1 } });
});

Deno.test("loadSystem: the digest is that of module and files; with identity version there is none", async () => {
  const project = await moduleProject("helpDesk", {}, { files: ["*.txt"] });
  const { source_digest } = (await loadSystem(project, {})).identity;
  const files = await digestSource(`${project.root}/app.js`, project.root, ["*.txt"]);
  // The export counts as well: two systems of one module are two systems.
  assert.equal(source_digest, identityOf(["helpDesk", files]));
  const alone = await digestSource(`${project.root}/app.js`, project.root);
  assert.notEqual(source_digest, identityOf(["helpDesk", alone]));
  const versioned = await moduleProject("helpDesk", {}, { identity: "version" });
  assert.equal((await loadSystem(versioned, {})).identity.source_digest, null);
});

Deno.test("loadSystem: an inline system has the digest of its functions", async () => {
  const stages = { retrieve: () => ({ candidates: [] }), generate: () => "a" };
  const settings = { name: "inline", version: "1", depth: 1, top_k: 1 };
  const digestOf = async (generate: () => unknown, identity: "source" | "version" = "source") => {
    const system = ragSystem(settings, { ...stages, generate });
    return (await loadSystem(projectOf("/", { kind: "inline", system, identity }), {})).identity
      .source_digest;
  };
  assert.equal(await digestOf(() => "a"), await digestOf(() => "a"));
  assert.notEqual(await digestOf(() => "a"), await digestOf(() => "b"));
  assert.equal(await digestOf(() => "a", "version"), null);
});

Deno.test("loadSystem: all that is absent is said at once, with the place", async () => {
  const project = await moduleProject("bare", { name: "help" });
  const fault = await faultOf(loadSystem(project, {}));
  assert.deepEqual(fault.issues.map(({ message }) => message), [
    'neither the system nor the project states "version"',
    'neither the system nor the project states "depth"',
    'neither the system nor the project states "top_k"',
  ]);
  assert.equal(fault.issues[0]?.file, `${project.root}/app.js:bare`);
});

Deno.test("loadSystem: top_k beyond depth is a mistake with a way out of its own", async () => {
  const fault = await faultOf(loadSystem(await moduleProject("helpDesk"), { top_k: 5 }));
  assert.equal(fault.code, "top_k_beyond_depth");
  assert.match(fault.issues[0]?.hint ?? "", /raise depth, or lower top_k/);
});

Deno.test("loadSystem: a budget needs somebody who counts, or assembles", async () => {
  const fault = await faultOf(loadSystem(await moduleProject("helpDesk", { token_budget: 40 }), {}));
  assert.equal(fault.code, "no_token_counter");
  assert.equal(fault.kind, "configuration");
  assert.ok(await loadSystem(await moduleProject("counting", { token_budget: 40 }), {}));
  const system = ragSystem({ name: "a", version: "1", depth: 1, top_k: 1, token_budget: 3 }, {
    retrieve: () => ({ candidates: [] }),
    generate: () => null,
    assemble: (_input, candidates) => candidates,
  });
  assert.ok(await loadSystem(projectOf("/", { kind: "inline", system, identity: "source" }), {}));
});

Deno.test("loadSystem: what is no system is refused", async () => {
  const root = await folderOf({ "app.js": "export const a = 1; export class B {}" });
  for (const name of ["a", "B"]) {
    const system = moduleSource({ object: `app:${name}` });
    assert.equal((await faultOf(loadSystem(projectOf(root, system), {}))).code, "invalid_system");
  }
});
