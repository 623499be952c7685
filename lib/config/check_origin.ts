/** Where a system comes from: exactly one place, and only the keys that have a meaning there. */
import type { Issue } from "../domain/error.ts";
import { isJsonObject, type Json, readPath } from "../domain/json.ts";
import { placeholdersOf, TEMPLATE_VALUES } from "../domain/request_template.ts";
import type { Path, Places } from "./place.ts";

/** Ways in which a system can be given; one of them is needed. */
const ORIGINS = ["object", "records", "command", "url"] as const;

type Origin = (typeof ORIGINS)[number];

/** What only some of the ways read. */
const READ_BY: Readonly<Record<string, readonly Origin[]>> = {
  files: ["object"],
  identity: ["object", "command", "url"],
  runtime: ["object"],
  start_timeout_seconds: ["object", "command", "url"],
  headers: ["url"],
  request: ["url"],
  response: ["url"],
};

/** Checks the keys of `system.rag` that say where the system is and how it is reached. */
export function originIssues(value: Json, places: Places): readonly Issue[] {
  const rag = readPath(value, "system.rag");
  if (!isJsonObject(rag)) return [];
  const at = (key: string, ...inner: Path) => ({
    file: places.file,
    ...places.value(["system", "rag", key, ...inner]),
  });
  const [origin, second] = ORIGINS.filter((key) => rag[key] !== undefined);
  if (origin === undefined) {
    const message = 'system.rag needs the key "object": module:export, as in "app:supportRag"';
    return [{
      code: "missing_key",
      message,
      file: places.file,
      ...places.key(["system", "rag"]),
      hint: "or records (a JSONL file of recorded outputs), command (a program), or url (a service)",
    }];
  }
  if (second !== undefined) {
    const message = `system.rag names a system by "${origin}" and by "${second}"; allowed: one of them`;
    return [{ code: "two_systems", message, ...at(second) }];
  }
  const strangers = Object.keys(READ_BY).filter((key) =>
    rag[key] !== undefined && !READ_BY[key]?.includes(origin)
  );
  return [
    ...strangers.map((key): Issue => ({
      code: "setting_without_meaning",
      message: meaningless(key, origin),
      ...at(key),
      hint: "take it away",
    })),
    ...versionIssues(rag.identity, origin, at("identity")),
    ...(origin === "url" ? serviceIssues(rag.request, rag.response, at("response")) : []),
    ...(origin === "url" ? templateIssues(rag.request ?? null, at("request")) : []),
    ...secretIssues(rag.headers, at),
  ];
}

function meaningless(key: string, origin: Origin): string {
  if (origin === "records" && (key === "files" || key === "identity")) {
    return `"${key}" is about the system's code; beside "records" it has no meaning`;
  }
  const readers = READ_BY[key] ?? [];
  return `"${key}" belongs to ${readers.map((name) => `"${name}"`).join(", ")}; ` +
    `beside "${origin}" it has no meaning`;
}

/** Of a program and of a service nothing is seen but what they say: their version stands for their code. */
function versionIssues(
  identity: Json | undefined,
  origin: Origin,
  at: Pick<Issue, "file">,
): readonly Issue[] {
  if (origin !== "command" || identity !== "source") return [];
  const message = 'the identity of a "command" is its version: its code is not seen';
  return [{ code: "invalid_value", message, ...at, hint: "change the version when the program changes" }];
}

function serviceIssues(
  request: Json | undefined,
  response: Json | undefined,
  at: Pick<Issue, "file">,
): readonly Issue[] {
  if (response === undefined || request !== undefined) return [];
  const message = '"response" says how a service of its own kind is read; how it is asked is absent';
  return [{ code: "missing_key", message, ...at, hint: 'add request: {question: "{{input.question}}"}' }];
}

/** A placeholder must name something that there is; a context is a list, so it has no place within a text. */
function templateIssues(request: Json, at: Pick<Issue, "file">): readonly Issue[] {
  const names: readonly (string | undefined)[] = TEMPLATE_VALUES;
  return placeholdersOf(request).flatMap(({ path, alone }): readonly Issue[] => {
    const [name] = path.split(".");
    if (!names.includes(name)) {
      const message = `the placeholder {{${path}}} names nothing; allowed: ${TEMPLATE_VALUES.join(", ")}`;
      return [{ code: "invalid_value", message, ...at, hint: "as in {{input.question}}" }];
    }
    if (name !== "context" || (alone && path === "context")) return [];
    const message = `{{${path}}} stands for a list of passages, which is absent but in a diagnosis`;
    return [{ code: "invalid_value", message, ...at, hint: 'write it as a value of its own: "{{context}}"' }];
  });
}

/** Names of headers whose values nobody else may know. */
const SECRET_HEADER = /^(?:proxy-)?authorization$|cookie|key|token|secret|password/i;

/** A project file is shared, so a secret has no place in it. */
function secretIssues(
  headers: Json | undefined,
  at: (key: string, ...inner: Path) => Pick<Issue, "file">,
): readonly Issue[] {
  if (!isJsonObject(headers)) return [];
  return Object.entries(headers)
    .filter(([name, text]) => SECRET_HEADER.test(name) && typeof text === "string" && !/\$\{\w+\}/.test(text))
    .map(([name]) => ({
      code: "secret_in_file",
      message: `the header "${name}" holds a secret, which does not belong into a project file`,
      ...at("headers", name),
      hint: `take it from the environment: ${name}: "\${NAME_OF_A_VARIABLE}"`,
    }));
}
