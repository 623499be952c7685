/** Five hundred broken projects: every mistake is told with its place, nothing crashes, and what is broken never passes in silence. */
import assert from "node:assert/strict";
import { parseDocument } from "yaml";
import { ROOT, Session } from "./session.ts";
import { tempFolder } from "../temp_folder.ts";

const SEED = 20260917;
const MUTATIONS = 500;
const FILES = ["oloproof.yaml", "cases.jsonl", "compare.yaml"] as const;

/** Numbers in [0, 1) that are the same every time (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Pick = <T>(from: readonly T[]) => T;
type Mutate = (text: string, pick: Pick, below: (limit: number) => number) => string;

/** What people, editors and programs put into files that does not belong there. */
const strangers = [
  "\u0000",
  "\u001b[31m",
  "\u0007",
  "\u009b2J",
  "\u202e",
  "\ufeff",
  "\u2028",
  "\t",
  "\r",
  "\r\n",
  "\n",
  " ",
  "\ud83d\ude00",
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  '"',
  "'",
  "\\",
  "\\u0000",
  "\\ud83d",
  "\\x",
  "#",
  "- ",
  "? ",
  "& ",
  "*a",
  "&a ",
  "!!binary ",
  "!!js/function ",
  "<<: *a",
  "%",
  "@",
  "`",
  "|",
  ">",
  "---\n",
  "...\n",
  "~",
  "null",
  "true",
  "no",
  "NaN",
  ".nan",
  ".inf",
  "-0",
  "1e999",
  "-1",
  "1e400",
  "9007199254740993",
  "0x10",
  "0o7",
  "1_000",
  "99999999999999999999999999",
  "__proto__",
  "constructor",
  "é",
  "ß",
  "<script>",
  "]]>",
  "=1+1",
  "../..",
  "/etc/passwd",
  "http://h",
  "file:///x",
  "$(x)",
  "%s",
];

const values = [
  "null",
  "true",
  "false",
  "0",
  "-1",
  "1.5",
  "1e999",
  '""',
  '"x"',
  "[]",
  "{}",
  "[null]",
  "[[[[]]]]",
  '{"a": {"b": 1}}',
  '"\\u0000"',
  '"\\ud83d"',
  '"\u202e"',
  "NaN",
  "Infinity",
  "undefined",
  "'x'",
  "18446744073709551616",
  '"' + "x".repeat(70_000) + '"',
  "[".repeat(2000) + "]".repeat(2000),
  "[".repeat(100_000),
];

const mutations: Readonly<Record<string, Mutate>> = {
  "delete a character": (text, _, below) => cut(text, below(text.length), 1),
  "delete a stretch": (text, _, below) => cut(text, below(text.length), 1 + below(60)),
  "cut the end off": (text, _, below) => text.slice(0, below(text.length)),
  "insert a stranger": (text, pick, below) => insert(text, below(text.length + 1), pick(strangers)),
  "replace a character by a stranger": (text, pick, below) => {
    const at = below(text.length);
    return insert(cut(text, at, 1), at, pick(strangers));
  },
  "swap two characters": (text, _, below) => {
    const at = below(Math.max(1, text.length - 1));
    return text.slice(0, at) + (text[at + 1] ?? "") + (text[at] ?? "") + text.slice(at + 2);
  },
  "double a line": (text, _, below) =>
    onLines(text, (lines) => lines.toSpliced(below(lines.length), 0, lines[below(lines.length)] ?? "")),
  "delete a line": (text, _, below) => onLines(text, (lines) => lines.toSpliced(below(lines.length), 1)),
  "swap two lines": (text, _, below) =>
    onLines(text, (lines) => {
      const at = below(Math.max(1, lines.length - 1));
      return lines.toSpliced(at, 2, lines[at + 1] ?? "", lines[at] ?? "");
    }),
  "indent a line otherwise": (text, pick, below) =>
    onLines(text, (lines) => {
      const at = below(lines.length);
      return lines.with(at, pick([" ", "  ", "\t", "      "]) + (lines[at] ?? ""));
    }),
  "double a token": (text, pick) => onToken(text, pick, (token) => `${token} ${token}`),
  "delete a token": (text, pick) => onToken(text, pick, () => ""),
  "replace a token by another of the file": (text, pick) =>
    onToken(text, pick, () => pick(tokensOf(text))?.[0] ?? ""),
  "replace a token by a value": (text, pick) => onToken(text, pick, () => pick(values)),
  "replace a value": (text, pick) => {
    const found = pick([...text.matchAll(/:\s*("(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|true|null)/g)]);
    if (found === undefined) return text;
    const start = found.index + found[0].length - (found[1]?.length ?? 0);
    return text.slice(0, start) + pick(values) + text.slice(found.index + found[0].length);
  },
  "rename a key": (text, pick, below) => {
    const found = pick([...text.matchAll(/"?([a-z_]+)"?:/g)]);
    if (found === undefined) return text;
    const key = found[1] ?? "";
    const at = text.indexOf(key, found.index);
    return text.slice(0, at) +
      pick([cut(key, below(key.length), 1), key.toUpperCase(), `${key}s`, "x", "__proto__"]) +
      text.slice(at + key.length);
  },
  "repeat the file": (text) => text + text,
  "empty the file": (_, pick) => pick(["", " ", "\n\n", "\ufeff", "null", "[]", "{}", "\u0000".repeat(50)]),
  "turn the ends of lines": (text) => text.replaceAll("\n", "\r\n"),
};

function cut(text: string, at: number, length: number): string {
  return text.slice(0, at) + text.slice(at + length);
}

function insert(text: string, at: number, what: string): string {
  return text.slice(0, at) + what + text.slice(at);
}

function onLines(text: string, change: (lines: string[]) => string[]): string {
  return change(text.split("\n")).join("\n");
}

function tokensOf(text: string): readonly RegExpMatchArray[] {
  return [...text.matchAll(/[\w.-]+|"(?:[^"\\]|\\.)*"|[^\s\w]/g)];
}

function onToken(text: string, pick: Pick, change: (token: string) => string): string {
  const found = pick(tokensOf(text));
  if (found?.index === undefined) return text;
  return text.slice(0, found.index) + change(found[0]) + text.slice(found.index + found[0].length);
}

/** Whether other parsers than ours find a file broken, or a rule of its form that needs no parser of ours is hurt. */
function isBroken(name: string, bytes: Uint8Array): boolean {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return true;
  }
  if (name !== "cases.jsonl") {
    const document = parseDocument(text, { prettyErrors: false });
    if (document.errors.length > 0) return true;
    const value: unknown = document.toJS();
    const key = name === "oloproof.yaml" ? "system" : "rules";
    return typeof value !== "object" || value === null || !Object.hasOwn(value, key);
  }
  const ids: unknown[] = [];
  for (const line of text.split("\n").filter((line) => line.trim() !== "")) {
    try {
      const { id, input } = JSON.parse(line);
      if (typeof id !== "string" || input === undefined) return true;
      ids.push(id);
    } catch {
      return true;
    }
  }
  return new Set(ids).size < ids.length || ids.length === 0;
}

const originals = Object.fromEntries(
  await Promise.all(
    FILES.map(async (name) =>
      [name, await Deno.readTextFile(`${ROOT}examples/support_rag/${name}`)] as const
    ),
  ),
);

/** Mistakes that are about another file, which is named: a module or a case file that is not there. */
const ELSEWHERE = /error\[(?:module_not_found|unreadable_file|no_such_file)\]/;

Deno.test(`${MUTATIONS} mutations of project, case and policy files: told with their place, or valid`, async () => {
  const random = randomFrom(SEED);
  const below = (limit: number) => Math.floor(random() * limit);
  const pick: Pick = (from) => from[below(from.length)] as (typeof from)[number];
  const cwd = await tempFolder();
  for (const name of ["app.ts", "corpus.jsonl"]) {
    await Deno.copyFile(`${ROOT}examples/support_rag/${name}`, `${cwd}/${name}`);
  }
  const session = new Session(cwd);
  const faults: string[] = [];
  const counts = { passed: 0, refused: 0 };
  for (let number = 0; number < MUTATIONS; number++) {
    const name = pick(FILES);
    const kinds = Array.from({ length: 1 + below(2) }, () => pick(Object.keys(mutations)));
    const mutated = kinds.reduce(
      (text, kind) => mutations[kind]?.(text, pick, below) ?? text,
      originals[name] ?? "",
    );
    const bytes = new TextEncoder().encode(mutated);
    // Bytes that no text has.
    if (below(20) === 0 && bytes.length > 0) bytes[below(bytes.length)] = pick([0x80, 0xc0, 0xff, 0xed]);
    for (const file of FILES) await Deno.writeTextFile(`${cwd}/${file}`, originals[file] ?? "");
    await Deno.writeFile(`${cwd}/${name}`, bytes);
    const fault = await check(session, name, bytes, counts).catch((cause) => `threw ${cause}`);
    if (fault !== undefined) faults.push(`${number} (${kinds.join(", ")} in ${name}): ${fault}`);
  }
  assert.deepEqual(faults, []);
  // Else the mutations would not be worth their name.
  assert.ok(counts.refused > MUTATIONS / 2 && counts.passed > MUTATIONS / 20, JSON.stringify(counts));
});

/** What is wrong with the answer to one mutated file. */
async function check(
  session: Session,
  name: string,
  bytes: Uint8Array,
  counts: { passed: number; refused: number },
): Promise<string | undefined> {
  const { code, stdout, stderr } = await session.run(["validate"]);
  const shown = `exit ${code}: ${stderr.slice(0, 600)}`;
  if (/[\p{Cc}\p{Bidi_Control}\u2028\u2029\ufeff]/u.test((stdout + stderr).replaceAll(/[\n\t]/g, ""))) {
    return `prints controls: ${shown}`;
  }
  if (/^\s+at .*\.[jt]s:\d+|\[object |Error:/m.test(stderr)) return `shows its inside: ${shown}`;
  const isQuoted = new TextDecoder().decode(bytes).includes("undefined");
  if (stderr.includes("undefined") && !isQuoted) return `tells of nothing: ${shown}`;
  if (stderr.length > 60_000) return `prints ${stderr.length} characters`;
  if (code === 0) {
    counts.passed++;
    return isBroken(name, bytes) ? "is broken and passed in silence" : undefined;
  }
  counts.refused++;
  if (code !== 2 || !/^error\[[a-z0-9_]+\]: /.test(stderr)) return shown;
  const placed = stderr.includes(`${name}:`) || stderr.includes(`at ${name}`);
  return placed || ELSEWHERE.test(stderr) ? undefined : `tells no place: ${shown}`;
}
