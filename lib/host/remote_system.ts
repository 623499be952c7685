/** What a system on the other side of the protocol is on this one: settings as it states them, stages that ask it. */
import { OloproofError } from "../domain/error.ts";
import { type OneStageSystem, type RagSystem, readSystem } from "../stages/rag_system.ts";
import type { Caller } from "./caller.ts";
import { isRecord, PROTOCOL } from "./message.ts";
import { remoteStages } from "./remote_stages.ts";

/** The stages as messages call them and as they are called here. */
const NAMES = {
  retrieve: "retrieve",
  assemble: "assemble",
  generate: "generate",
  answer: "answer",
  count_tokens: "countTokens",
} as const;

/**
 * Reads what a system says of itself: `{ protocol, settings, stages }`.
 *
 * @param where How messages name the system.
 * @throws {OloproofError} `protocol_error`; `invalid_system` as for a system of this process.
 */
export function remoteSystem(hello: unknown, caller: Caller, where: string): RagSystem | OneStageSystem {
  if (!isRecord(hello)) throw protocolError(where, "its hello is no object { protocol, settings, stages }");
  const { protocol, settings = {}, stages } = hello;
  if (protocol !== PROTOCOL) {
    throw protocolError(
      where,
      `its hello has the protocol ${JSON.stringify(protocol)}; this is version ${PROTOCOL}`,
    );
  }
  if (!Array.isArray(stages) || !stages.every(isStage)) {
    throw protocolError(
      where,
      `its stages are ${JSON.stringify(stages)}; allowed: ${Object.keys(NAMES).join(", ")}`,
    );
  }
  const all = remoteStages(caller);
  const offered = stages.map((name) => [NAMES[name], all[NAMES[name]]] as const);
  return readSystem({ settings, stages: Object.fromEntries(offered) }, where);
}

function isStage(name: unknown): name is keyof typeof NAMES {
  return typeof name === "string" && Object.hasOwn(NAMES, name);
}

function protocolError(where: string, problem: string): OloproofError {
  return new OloproofError(`Cannot use the system: ${problem}`, {
    code: "protocol_error",
    kind: "configuration",
    where,
    hint:
      'hello is answered with {"protocol": 1, "settings": {"name": …, "version": …}, "stages": ["retrieve", "generate"]}',
  });
}
