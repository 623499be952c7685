/** Holds the plan of the house: who may import whom, and where effects may be. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { VERSION } from "../lib/version.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** A room of lib/: the rooms below it that it may import, and the packages that are its business alone. */
interface Room {
  readonly imports: readonly string[];
  readonly packages: readonly string[];
  /** Rooms that effects belong to: files, clock, environment, streams. */
  readonly top?: true;
}

/** From the ground floor to the top. `version` is the one file beside the rooms. */
const ROOMS: Readonly<Record<string, Room>> = {
  domain: { imports: [], packages: ["zod"] },
  stats: { imports: [], packages: [] },
  judges: { imports: ["domain", "stats"], packages: ["zod"] },
  evaluators: { imports: ["domain", "judges"], packages: ["zod"] },
  config: { imports: ["domain", "evaluators"], packages: ["fastest-levenshtein", "yaml", "zod"] },
  importers: { imports: ["config", "domain"], packages: ["csv-parse/sync"] },
  stages: { imports: ["domain"], packages: ["zod"] },
  metrics: { imports: ["domain", "stats"], packages: [] },
  diagnose: { imports: ["domain"], packages: [] },
  compare: { imports: ["domain", "stats"], packages: [] },
  report: { imports: ["domain", "stats"], packages: ["cli-table3", "csv-stringify/sync"] },
  picture: { imports: ["domain", "report", "stats"], packages: ["@observablehq/plot", "linkedom"] },
  page: { imports: ["domain", "picture", "report", "stats"], packages: [] },
  host: { imports: ["domain", "stages", "version"], packages: [], top: true },
  system: { imports: ["domain", "host", "stages"], packages: ["fastest-levenshtein"], top: true },
  store: { imports: ["domain"], packages: ["@libsql/client"], top: true },
  provider: {
    imports: ["domain", "judges"],
    packages: ["ai", "@ai-sdk/anthropic", "@ai-sdk/google", "@ai-sdk/openai", "@ai-sdk/openai-compatible"],
    top: true,
  },
  commands: {
    imports: [
      "compare",
      "config",
      "diagnose",
      "domain",
      "evaluators",
      "importers",
      "judges",
      "metrics",
      "provider",
      "stages",
      "stats",
      "store",
      "system",
      "version",
    ],
    packages: ["dataloader", "fastest-levenshtein", "zod"],
    top: true,
  },
  api: {
    imports: ["commands", "config", "domain", "page", "report", "stages", "system"],
    packages: ["ulid"],
    top: true,
  },
  cli: {
    imports: ["commands", "config", "domain", "page", "report", "system", "version"],
    packages: ["commander", "ulid"],
    top: true,
  },
};

/** Arrows that are narrower than the table of rooms can say. */
const NARROW: readonly {
  readonly from: string;
  readonly to: string;
  readonly allows: (of: Import) => boolean;
}[] = [
  { from: "api", to: "stages", allows: ({ typeOnly }) => typeOnly },
  { from: "api", to: "system", allows: ({ specifier }) => specifier.endsWith("/clock.ts") },
  { from: "cli", to: "system", allows: ({ specifier }) => /\/(?:clock|base)\.ts$/.test(specifier) },
];

/** Built-ins that compute and touch nothing. */
const PURE_BUILT_INS = ["node:buffer", "node:crypto", "node:path", "node:zlib"];

interface Import {
  readonly specifier: string;
  readonly typeOnly: boolean;
  /** Loaded when the line is reached. */
  readonly dynamic: boolean;
}

interface Source {
  /** Relative to the repository. */
  readonly file: string;
  readonly room: string;
  readonly text: string;
  readonly imports: readonly Import[];
}

/** Statements at the beginning of a line, and imports in the middle of an expression or a type. */
const importPattern =
  /^(?:import|export)\b(\s+type\b)?[^"'`;=]*?\bfrom\s*"([^"]+)"|^import\s*"([^"]+)"|\bimport\(\s*"([^"]+)"/gm;

function importsOf(text: string): readonly Import[] {
  return [...text.matchAll(importPattern)].map(([, type, from, alone, dynamic]) => ({
    specifier: from ?? alone ?? dynamic ?? "",
    typeOnly: type !== undefined,
    dynamic: dynamic !== undefined,
  }));
}

/** The text without comments; strings and templates stay as they are. */
function withoutComments(text: string): string {
  const token = /\/\*[^]*?\*\/|\/\/.*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/g;
  return text.replace(token, (found) => found.startsWith("/") ? "" : found);
}

async function readSource(path: string): Promise<Source> {
  const text = withoutComments(await readFile(path, "utf8"));
  const file = relative(ROOT, path);
  const [first, second] = file.split("/");
  const room = first === "lib" ? second?.replace(/\.ts$/, "") ?? "" : file;
  return { file, room, text, imports: importsOf(text) };
}

const names = await readdir(join(ROOT, "lib"), { recursive: true });
const files = names.filter((name) => name.endsWith(".ts"));
/** What a page carries with it, imported as text. */
const texts = names.filter((name) => /\.(?:css|js)$/.test(name));
const library = await Promise.all(files.toSorted().map((name) => readSource(join(ROOT, "lib", name))));
const entries = await Promise.all(["mod.ts", "cli.ts"].map((name) => readSource(join(ROOT, name))));
const configuration = JSON.parse(await readFile(join(ROOT, "deno.json"), "utf8"));

/** The file that a relative import names, relative to the repository. */
function targetOf(source: Source, specifier: string): string {
  return relative(ROOT, resolve(ROOT, dirname(source.file), specifier));
}

/** The room that an import leads to; `undefined` within the room and to packages. */
function roomOf(source: Source, { specifier }: Import): string | undefined {
  if (!specifier.startsWith(".")) return undefined;
  const [top, room] = targetOf(source, specifier).split("/");
  const name = top === "lib" ? room?.replace(/\.ts$/, "") : top;
  return name === source.room ? undefined : name;
}

function isAllowed(source: Source, imported: Import): boolean {
  const to = roomOf(source, imported);
  if (to === undefined) return true;
  if (ROOMS[source.room]?.imports.includes(to) !== true) return false;
  return NARROW.every(({ from, to: into, allows }) =>
    from !== source.room || into !== to || allows(imported)
  );
}

Deno.test("architecture: imports and comments are read as they are written", () => {
  const text = [
    'import type { A } from "./a.ts";',
    "import {",
    "  b,",
    "  type C,",
    '} from "./b.ts";',
    'import "./c.ts";',
    'export * from "./d.ts";',
    'const e = await import("./e.ts");',
    'type F = import("./f.ts").F;',
    '// import "./comment.ts";',
    '/** import "./comment.ts"; */',
    'const text = "// not a comment", from = "g";',
  ].join("\n");
  assert.deepEqual(importsOf(withoutComments(text)), [
    { specifier: "./a.ts", typeOnly: true, dynamic: false },
    { specifier: "./b.ts", typeOnly: false, dynamic: false },
    { specifier: "./c.ts", typeOnly: false, dynamic: false },
    { specifier: "./d.ts", typeOnly: false, dynamic: false },
    { specifier: "./e.ts", typeOnly: false, dynamic: true },
    { specifier: "./f.ts", typeOnly: false, dynamic: true },
  ]);
  assert.ok(withoutComments(text).includes("// not a comment"));
});

Deno.test("architecture: every file of lib stands in a room of the table", () => {
  assert.ok(library.length > 80, `only ${library.length} files were found`);
  const strangers = library.filter(({ room, file }) => !(room in ROOMS) && file !== "lib/version.ts");
  assert.deepEqual(strangers.map(({ file }) => file), []);
  const empty = Object.keys(ROOMS).filter((room) => !library.some((source) => source.room === room));
  assert.deepEqual(empty, []);
});

Deno.test("architecture: rooms import the rooms that the table allows, and no others", () => {
  const forbidden = library.flatMap((source) =>
    source.imports.filter((imported) => !isAllowed(source, imported)).map(({ specifier }) =>
      `${source.file} imports ${specifier}`
    )
  );
  assert.deepEqual(forbidden, []);
});

/** The circles of a graph, each as `a → b → a`. */
function circlesOf(arrows: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const circles: string[] = [];
  const done = new Set<string>();
  const walk = (node: string, path: readonly string[]) => {
    const start = path.indexOf(node);
    if (start >= 0) circles.push([...path.slice(start), node].join(" → "));
    if (start >= 0 || done.has(node)) return;
    for (const next of arrows.get(node) ?? []) walk(next, [...path, node]);
    done.add(node);
  };
  for (const node of arrows.keys()) walk(node, []);
  return circles;
}

/** Who imports whom, by a name of the importing file and one of the imported. */
function arrowsBetween(
  from: (source: Source) => string,
  to: (source: Source, imported: Import) => string | undefined,
): ReadonlyMap<string, ReadonlySet<string>> {
  const arrows = new Map(library.map((source) => [from(source), new Set<string>()]));
  for (const source of library) {
    for (const imported of source.imports) {
      const target = to(source, imported);
      if (target !== undefined) arrows.get(from(source))?.add(target);
    }
  }
  return arrows;
}

Deno.test("architecture: circles are found", () => {
  const arrows = new Map([["a", new Set(["b"])], ["b", new Set(["c", "d"])], ["c", new Set(["b"])]]);
  assert.deepEqual(circlesOf(arrows), ["b → c → b"]);
  arrows.delete("c");
  assert.deepEqual(circlesOf(arrows), []);
});

Deno.test("architecture: no room reaches itself by way of others", () => {
  assert.deepEqual(circlesOf(arrowsBetween(({ room }) => room, roomOf)), []);
});

Deno.test("architecture: no file reaches itself by way of others, but for what is loaded when it is needed", () => {
  const target = (source: Source, { specifier, dynamic }: Import) =>
    specifier.startsWith(".") && !dynamic ? targetOf(source, specifier) : undefined;
  assert.deepEqual(circlesOf(arrowsBetween(({ file }) => file, target)), []);
});

Deno.test("architecture: mod.ts re-exports, and its values come from api, domain and stages", () => {
  const [mod, cli] = entries;
  assert.ok(mod !== undefined && cli !== undefined);
  const rest = mod.text.replaceAll(importPattern, "").replaceAll(/[\s;]/g, "");
  assert.equal(rest, "");
  const values = mod.imports.filter(({ typeOnly }) => !typeOnly).map((imported) => roomOf(mod, imported));
  assert.deepEqual([...new Set(values)].toSorted(), ["api", "domain", "stages"]);
  assert.deepEqual([...new Set(cli.imports.map((imported) => roomOf(cli, imported)))], ["cli"]);
  assert.ok(cli.text.split("\n").filter((line) => line.trim() !== "").length <= 6, "cli.ts is a few lines");
});

Deno.test("architecture: imports name files of the repository, built-ins of Node, or packages of deno.json", () => {
  const known = new Set([...files, ...texts].map((name) => join("lib", name)));
  const faults = [...library, ...entries].flatMap((source) =>
    source.imports.flatMap(({ specifier }) => {
      // A program in another language is imported as text.
      if (specifier.startsWith(".") && !specifier.endsWith(".ts")) {
        return existsSync(join(ROOT, targetOf(source, specifier))) ? [] : [specifier];
      }
      if (specifier.startsWith(".")) return known.has(targetOf(source, specifier)) ? [] : [specifier];
      if (specifier.startsWith("node:")) return [];
      // A package's own part, as in csv-parse/sync, comes with its package.
      const [name = ""] = /^(?:@[^/]+\/)?[^/]+/.exec(specifier) ?? [];
      return String(configuration.imports[name]).startsWith(`npm:${name}@`) ? [] : [specifier];
    }).map((specifier) => `${source.file} imports ${specifier}`)
  );
  assert.deepEqual(faults, []);
});

Deno.test("architecture: a package is the business of the rooms that the table names", () => {
  const faults = library.flatMap((source) =>
    source.imports.filter(({ specifier }) =>
      !/^\.|^node:/.test(specifier) && ROOMS[source.room]?.packages.includes(specifier) !== true
    ).map(({ specifier }) => `${source.file} imports ${specifier}`)
  );
  assert.deepEqual(faults, []);
});

const effects =
  /\bDeno\.|\bDate\.now\b|\bnew Date\b|\bMath\.random\b|\bfetch\(|\bconsole\.|\bprocess\.|\bperformance\.|\bset(?:Timeout|Interval)\(|\brandomUUID\b|\bgetRandomValues\b/;

Deno.test("architecture: effects appear on the top floor only", () => {
  const below = library.filter(({ room }) => ROOMS[room]?.top !== true);
  const faults = below.flatMap(({ file, text, imports }) => [
    ...text.split("\n").filter((line) => effects.test(line)).map((line) => `${file}: ${line.trim()}`),
    ...imports.filter(({ specifier }) => specifier.startsWith("node:") && !PURE_BUILT_INS.includes(specifier))
      .map(({ specifier }) => `${file} imports ${specifier}`),
  ]);
  assert.deepEqual(faults, []);
});

Deno.test("architecture: the streams of the process are the business of one file", () => {
  const faults = [...library, ...entries].filter(({ text }) =>
    /\bconsole\b|\bprocess\.std|\bDeno\.std/.test(text)
  );
  assert.deepEqual(faults.map(({ file }) => file), ["lib/cli/real_io.ts"]);
});

Deno.test("architecture: SQL is written in the store only", () => {
  const statement =
    /\b(?:SELECT|INSERT INTO|INSERT OR|UPDATE|DELETE FROM|CREATE (?:TABLE|INDEX)|PRAGMA|ALTER TABLE|VACUUM)\b/;
  const faults = library.filter(({ room, text }) => room !== "store" && statement.test(text));
  assert.deepEqual(faults.map(({ file }) => file), []);
  assert.ok(library.some(({ room, text }) => room === "store" && statement.test(text)));
});

Deno.test("architecture: no room has a barrel", () => {
  const barrels = library.filter(({ file }) => /\/(?:mod|index)\.ts$/.test(file));
  assert.deepEqual(barrels.map(({ file }) => file), []);
});

Deno.test("architecture: files have names of one kind, and none of them means nothing", () => {
  const faults = files.filter((name) =>
    !/^(?:[a-z]+\/)?[a-z0-9_]+\.ts$/.test(name) || /(?:utils?|helpers?|common|manager|misc)/.test(name)
  );
  assert.deepEqual(faults, []);
});

Deno.test("architecture: the version is that of deno.json", () => {
  assert.equal(VERSION, configuration.version);
});
