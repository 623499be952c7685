/** A service that knows nothing of the protocol: its own request is made from a template, its own response read by paths. */
import { messageOf, OloproofError } from "../domain/error.ts";
import { type Json, type JsonObject, readPath, toJson } from "../domain/json.ts";
import type { PassagePaths, ServiceMapping } from "../domain/project.ts";
import { fillTemplate, placeholdersOf } from "../domain/request_template.ts";
import type { Usage } from "../domain/record.ts";
import type { PartialSettings } from "../domain/settings.ts";
import type { AnswerResult, OneStageSystem } from "../stages/rag_system.ts";
import { InvalidOutput } from "../stages/read_output.ts";
import { type Endpoint, pieceOf } from "./endpoint.ts";

/**
 * A service as a system of one stage. What its response is mapped to is what it reports; it accepts a context where its request
 * has a place for one.
 *
 * @param stated What the project states over that.
 * @throws {OloproofError} `setting_absent`, `setting_without_meaning`.
 */
export function mappedSystem(
  { request, response }: ServiceMapping,
  endpoint: Endpoint,
  stated: PartialSettings,
): OneStageSystem {
  const names = new Set(placeholdersOf(request).map(({ path }) => path.split(".")[0]));
  const { depth } = stated;
  if (names.has("depth") && depth === undefined) {
    throw mistake("setting_absent", "the request needs {{depth}}, which the project does not state");
  }
  if (stated.accepts_context === true && !names.has("context")) {
    throw mistake(
      "setting_without_meaning",
      "it is said to accept a context, for which its request has no place",
    );
  }
  const settings: PartialSettings = {
    reports: (["candidates", "context"] as const).filter((part) => response[part] !== undefined),
    accepts_context: names.has("context"),
  };
  return {
    settings,
    stages: {
      async answer(input, { context, params, signal, usage }) {
        const values = {
          input,
          params,
          ...(depth === undefined ? {} : { depth }),
          ...(context === undefined
            ? {}
            : { context: context.map((passage): JsonObject => ({ ...passage })) }),
        };
        const body = fillTemplate(request, values);
        const answered = readJson(await endpoint.post(JSON.stringify(body), signal));
        const used = usageOf(answered, response.usage);
        if (used !== undefined) usage(used);
        return readResponse(answered, response);
      },
    },
  };
}

function readJson(text: string): Json {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    throw new InvalidOutput(
      `the service answered with what is not JSON (${messageOf(cause)}): ${pieceOf(text)}`,
    );
  }
  const reading = toJson(parsed, "response");
  if (reading.ok) return reading.value;
  throw new InvalidOutput(`the response is not JSON: at ${reading.path}, ${reading.problem}`);
}

function readResponse(
  answered: Json,
  { output, candidates, context }: ServiceMapping["response"],
): AnswerResult {
  const found = readPath(answered, output);
  if (found === undefined) throw new InvalidOutput(`the response has nothing at ${JSON.stringify(output)}`);
  const parts = Object.entries({ candidates, context }).map(([part, paths]) =>
    [part, paths === undefined ? undefined : passagesAt(answered, paths)] as const
  );
  return { output: found, ...Object.fromEntries(parts.filter(([, list]) => list !== undefined)) };
}

/** The passages of a part; undefined when the response does not tell it. Whether they are passages is checked later. */
function passagesAt(answered: Json, { items, ...paths }: PassagePaths): readonly JsonObject[] | undefined {
  const list = readPath(answered, items) ?? undefined;
  if (list === undefined) return undefined;
  if (!Array.isArray(list)) throw new InvalidOutput(`the response has no list at ${JSON.stringify(items)}`);
  return list.map((item: Json) => {
    const parts = Object.entries(paths).map(([key, path]) => [key, readPath(item, path)] as const);
    return Object.fromEntries(parts.map(([key, value]) => [key, key.endsWith("_id") ? idOf(value) : value]));
  });
}

/** Ids are texts here; services number their documents, too. */
function idOf(value: Json | undefined): Json | undefined {
  return typeof value === "number" ? String(value) : value;
}

function usageOf(answered: Json, paths: ServiceMapping["response"]["usage"]): Usage | undefined {
  const found = Object.entries(paths).map(([key, path]) => [key, readPath(answered, path)] as const)
    .filter(([, value]) => value !== undefined && value !== null);
  const strange = found.find(([, value]) => typeof value !== "number");
  if (strange !== undefined) throw new InvalidOutput(`the response has no number for ${strange[0]}`);
  return found.length === 0 ? undefined : Object.fromEntries(found) as Usage;
}

function mistake(code: string, problem: string): OloproofError {
  return new OloproofError(`Cannot use the service: ${problem}`, {
    code,
    kind: "configuration",
    hint: "see system.rag in the project file",
  });
}
