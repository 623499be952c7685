/** What `system.rag` says of a system's origin → the source that is loaded. */
import { resolve } from "node:path";
import type { z } from "zod";
import type { PassagePaths, ServiceMapping, SystemSource } from "../domain/project.ts";
import type { projectSchema } from "./project_schema.ts";

type Parsed = z.output<typeof projectSchema>;
type Rag = Parsed["system"]["rag"];

/** The source of a checked project; exactly one way is stated. */
export function systemSource({ system: { rag }, python }: Parsed, root: string): SystemSource {
  const { object, records, command, url, identity, start_timeout_seconds } = rag;
  if (object !== undefined) {
    const { files, runtime } = rag;
    return {
      kind: "module",
      object,
      files,
      identity,
      runtime,
      ...(python === undefined ? {} : { python: python.command }),
      start_timeout_seconds,
    };
  }
  if (command !== undefined) return { kind: "command", command, start_timeout_seconds };
  if (url === undefined) return { kind: "records", path: resolve(root, records ?? "") };
  const mapping = mappingOf(rag);
  return {
    kind: "service",
    url,
    headers: rag.headers,
    ...(mapping === undefined ? {} : { mapping }),
    identity,
    start_timeout_seconds,
  };
}

function mappingOf({ request, response }: Rag): ServiceMapping | undefined {
  if (request === undefined) return undefined;
  const { output, candidates, context, usage = {} } = response ?? {};
  return {
    request,
    response: {
      ...(output === undefined ? {} : { output }),
      ...(candidates === undefined ? {} : { candidates: pathsOf(candidates) }),
      ...(context === undefined ? {} : { context: pathsOf(context) }),
      usage: Object.fromEntries(Object.entries(usage).filter(([, path]) => path !== undefined)),
    },
  };
}

/** A path alone: the items have the names of a passage. */
function pathsOf(passages: string | PassagePaths): PassagePaths {
  if (typeof passages !== "string") return passages;
  return {
    items: passages,
    doc_id: "doc_id",
    chunk_id: "chunk_id",
    score: "score",
    text: "text",
    metadata: "metadata",
  };
}
