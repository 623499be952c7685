/** Opens the system that a project names, wherever it runs. */
import { OloproofError } from "../domain/error.ts";
import { identityOf } from "../domain/identity.ts";
import type { Project, SystemSource } from "../domain/project.ts";
import type { Caller } from "../host/caller.ts";
import { KeptProcess } from "../host/kept_process.ts";
import { remoteSystem } from "../host/remote_system.ts";
import { type OneStageSystem, type RagSystem, readSystem } from "../stages/rag_system.ts";
import { loadExport } from "./load_export.ts";
import { digestFunctions, digestSource } from "./source_digest.ts";

/** What opening a system needs of the outside. */
export interface SystemSurroundings {
  /** Fires when the user interrupts: what is being started is ended. */
  readonly stop?: AbortSignal;
  /** The value of an environment variable. */
  readonly env?: (name: string) => string | undefined;
  /** Told of what a system's process prints, piece by piece. */
  readonly onSystemLog?: (text: string) => void;
}

/** A system that answers. */
export interface OpenSystem {
  readonly system: RagSystem | OneStageSystem;
  /** How messages name it. */
  readonly where: string;
  readonly source_digest: string | null;
  /** What was started or is contacted for it; absent when it runs in this process. */
  readonly caller?: Caller;
}

type SourceOf<Kind extends SystemSource["kind"]> = Extract<SystemSource, { kind: Kind }>;

/**
 * Opens a project's system: loads its module, starts its process, or asks its service what it is.
 *
 * @throws {OloproofError} What makes that impossible.
 */
export async function openSystem(project: Project, outside: SystemSurroundings): Promise<OpenSystem> {
  const source = project.system;
  switch (source.kind) {
    case "records":
      throw new TypeError("recorded outputs are no code that could be loaded");
    case "inline":
      return await openInline(source, project.root);
    case "module":
      return await openModule(source, project.root);
    case "command":
      return await openCommand(source, project.root, outside);
    case "service":
      throw new OloproofError("not yet", { code: "not_supported", kind: "configuration" });
  }
}

async function openInline(
  { system: given, identity, module }: SourceOf<"inline">,
  root: string,
): Promise<OpenSystem> {
  const where = "the project's system";
  const system = readSystem(given, where);
  const digest = async () =>
    module === undefined ? digestFunctions(system.stages) : await digestSource(module, root);
  return { system, where, source_digest: identity === "version" ? null : await digest() };
}

async function openModule(source: SourceOf<"module">, root: string): Promise<OpenSystem> {
  const { value, where, source_digest } = await loadExport(source.object, root, source.files);
  return {
    system: readSystem(value, where),
    where,
    source_digest: source.identity === "version" ? null : digestOfExport(source.object, source_digest),
  };
}

/** Two systems of one module are two systems. */
function digestOfExport(object: string, source_digest: string): string {
  return identityOf([object.slice(object.lastIndexOf(":") + 1), source_digest]);
}

async function openCommand(
  { command, start_timeout_seconds }: SourceOf<"command">,
  root: string,
  { stop = new AbortController().signal, onSystemLog }: SystemSurroundings,
): Promise<OpenSystem> {
  const where = command.join(" ");
  const process = new KeptProcess({
    name: where,
    command,
    cwd: root,
    env: {},
    start_timeout_seconds,
    stop,
    ...(onSystemLog === undefined ? {} : { onLog: onSystemLog }),
  });
  return await openRemote(process, where, null);
}

/** Starts a process and reads what it says of itself. */
async function openRemote(
  process: KeptProcess,
  where: string,
  source_digest: string | null,
): Promise<OpenSystem> {
  try {
    const system = remoteSystem(await process.start(), process, where);
    return { system, where, source_digest, caller: process };
  } catch (cause) {
    await process.close();
    throw cause;
  }
}
