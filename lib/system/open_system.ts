/** Opens the system that a project names, wherever it runs. */
import { identityOf } from "../domain/identity.ts";
import type { Project, SystemSource } from "../domain/project.ts";
import type { PartialSettings } from "../domain/settings.ts";
import type { Caller } from "../host/caller.ts";
import { KeptProcess, type KeptSpec } from "../host/kept_process.ts";
import { Endpoint } from "../host/endpoint.ts";
import { HttpService } from "../host/http_service.ts";
import { mappedSystem } from "../host/mapped_service.ts";
import { remoteSystem } from "../host/remote_system.ts";
import { type OneStageSystem, type RagSystem, readSystem } from "../stages/rag_system.ts";
import { chooseRuntime, hostProgram } from "./choose_runtime.ts";
import { loadExport } from "./load_export.ts";
import { resolveModule, SYSTEM_FILES } from "./resolve_module.ts";
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
 * @param stated What holds over the system's own settings.
 * @throws {OloproofError} What makes that impossible.
 */
export async function openSystem(
  project: Project,
  stated: PartialSettings,
  outside: SystemSurroundings,
): Promise<OpenSystem> {
  const source = project.system;
  switch (source.kind) {
    case "records":
      throw new TypeError("recorded outputs are no code that could be loaded");
    case "inline":
      return await openInline(source, project.root);
    case "module":
      return await openModule(source, project.root, outside);
    case "command":
      return await openCommand(source, project.root, outside);
    case "service":
      return await openService(source, stated, outside);
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

async function openModule(
  source: SourceOf<"module">,
  root: string,
  outside: SystemSurroundings,
): Promise<OpenSystem> {
  const { object, files, identity } = source;
  const module = await resolveModule(object, root, SYSTEM_FILES);
  const digestOf = (digest: string) => identity === "version" ? null : digestOfExport(module.name, digest);
  const runtime = await chooseRuntime(source, module);
  if (runtime === undefined) {
    const { value, where, source_digest } = await loadExport(object, root, files);
    return { system: readSystem(value, where), where, source_digest: digestOf(source_digest) };
  }
  // The same files have the same digest, whatever runs them.
  const source_digest = digestOf(await digestSource(module.path, root, files));
  const program = await hostProgram(runtime, { ...module, root }, source.python);
  const where = `${module.path}:${module.name}`;
  return await openRemote({ ...program, name: where, ...source }, where, source_digest, outside);
}

/** Two systems of one module are two systems. */
function digestOfExport(name: string, source_digest: string): string {
  return identityOf([name, source_digest]);
}

async function openCommand(
  { command, start_timeout_seconds }: SourceOf<"command">,
  root: string,
  outside: SystemSurroundings,
): Promise<OpenSystem> {
  const where = command.join(" ");
  return await openRemote(
    { name: where, command, cwd: root, env: {}, start_timeout_seconds },
    where,
    null,
    outside,
  );
}

/** Starts a process and reads what it says of itself. */
async function openRemote(
  spec: Omit<KeptSpec, "stop" | "onLog">,
  where: string,
  source_digest: string | null,
  { stop = new AbortController().signal, onSystemLog }: SystemSurroundings,
): Promise<OpenSystem> {
  const process = new KeptProcess({
    ...spec,
    stop,
    ...(onSystemLog === undefined ? {} : { onLog: onSystemLog }),
  });
  try {
    const system = remoteSystem(await process.start(), process, where);
    return { system, where, source_digest, caller: process };
  } catch (cause) {
    await process.close();
    throw cause;
  }
}

async function openService(
  { mapping, identity, start_timeout_seconds, ...address }: SourceOf<"service">,
  stated: PartialSettings,
  { stop = new AbortController().signal, env = (name) => Deno.env.get(name) }: SystemSurroundings,
): Promise<OpenSystem> {
  const endpoint = Endpoint.open(address, env);
  const where = `the service at ${endpoint.host}`;
  const caller = new HttpService(endpoint);
  if (mapping === undefined) {
    const hello = await caller.hello(start_timeout_seconds, stop);
    return { system: remoteSystem(hello, caller, where), where, source_digest: null, caller };
  }
  return {
    system: mappedSystem(mapping, endpoint, stated),
    where,
    // How it is asked and read is in the project: another prompt is another system.
    source_digest: identity === "version" ? null : identityOf(mapping),
    caller,
  };
}
