/** Serves the system of a module over stdin and stdout, in Node or Deno: `serve.mjs MODULE EXPORT ROOT`. */
import * as modules from "node:module";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { NotJson, plainJson } from "./plain_json.mjs";

const PROTOCOL = 1;
const SETTINGS = [
  "name",
  "version",
  "depth",
  "top_k",
  "token_budget",
  "index_version",
  "params",
  "reports",
  "accepts_context",
  "ranked",
];
const STAGES = {
  retrieve: "retrieve",
  assemble: "assemble",
  generate: "generate",
  answer: "answer",
  count_tokens: "countTokens",
};

const { Deno, console } = globalThis;
const [path, name, root] = Deno?.args ?? process.argv.slice(2);
const exit = process.exit.bind(process);
const writeText = keepStdout();

process.chdir(root);
const watcher = await endWithParent();
guardProcess();
resolveOloproof();

/** Why a system cannot be served: a code, a message, and what to do. */
class Refusal extends Error {
  constructor(kind, message, hint) {
    super(message);
    this.kind = kind;
    this.hint = hint;
  }
}

/** Keeps stdout for messages: what the system prints goes to stderr. Answers with what writes a message. */
function keepStdout() {
  const write = Deno === undefined ? process.stdout.write.bind(process.stdout) : writeAll;
  const denoWrite = Deno?.stdout.writeSync.bind(Deno.stdout);
  function writeAll(text) {
    let rest = new TextEncoder().encode(text);
    while (rest.length > 0) rest = rest.subarray(denoWrite(rest));
  }
  for (const method of ["log", "info", "debug", "table", "dir"]) {
    console[method] = (...values) => console.error(...values);
  }
  process.stdout.write = process.stderr.write.bind(process.stderr);
  if (Deno !== undefined) {
    Deno.stdout.write = Deno.stderr.write.bind(Deno.stderr);
    Deno.stdout.writeSync = Deno.stderr.writeSync.bind(Deno.stderr);
  }
  return write;
}

/**
 * When the tool is killed outright, stdin ends, and this program with it; a stage in an endless loop never reads that. So a
 * thread looks whether the parent has changed (on Windows it never does), and after a little while ends everything.
 */
async function endWithParent() {
  const watch = `
    import process from "node:process";
    const watching = setInterval(() => {
      if (process.ppid === ${process.ppid}) return;
      clearInterval(watching);
      setTimeout(() => process.kill(process.pid, "SIGKILL"), 2000);
    }, 500);`;
  // Deno's own workers are many times lighter than those that it has for Node.
  const { Worker } = Deno === undefined ? await import("node:worker_threads") : globalThis;
  const url = new URL(`data:text/javascript,${encodeURIComponent(watch)}`);
  const watcher = new Worker(url, { type: "module" });
  watcher.unref?.();
  return watcher;
}

/** As in the tool's own process: a system must not end it, and errors that nobody awaits are told and end nothing. */
function guardProcess() {
  const refuse = () => {
    throw new Error("the process was told to exit; a system under test must not end it");
  };
  process.exit = refuse;
  if (Deno !== undefined) Deno.exit = refuse;
  const tell = (cause) => console.error("an error outside every stage was not awaited:", cause);
  process.on("uncaughtException", tell);
  process.on("unhandledRejection", tell);
}

/** In Deno, an import map does this. */
function resolveOloproof() {
  if (Deno !== undefined) return;
  const url = new URL("./oloproof.mjs", import.meta.url).href;
  if (modules.registerHooks !== undefined) {
    modules.registerHooks({
      resolve: (specifier, context, next) =>
        specifier === "oloproof" ? { url, shortCircuit: true } : next(specifier, context),
    });
    return;
  }
  const hook = `export const resolve = (specifier, context, next) =>
    specifier === "oloproof" ? { url: ${
    JSON.stringify(url)
  }, shortCircuit: true } : next(specifier, context);`;
  modules.register(`data:text/javascript,${encodeURIComponent(hook)}`);
}

async function loadSystem() {
  let module;
  try {
    module = await import(pathToFileURL(path).href);
  } catch (cause) {
    console.error(cause);
    throw moduleFailure(cause);
  }
  if (!(name in module)) {
    const names = Object.keys(module).join(", ");
    throw new Refusal(
      "export_not_found",
      `the module exports no ${JSON.stringify(name)}`,
      `it exports ${names || "nothing"}`,
    );
  }
  return systemOf(module[name]);
}

function moduleFailure(cause) {
  const message = messageOf(cause);
  const isAbsent = cause?.code === "ERR_MODULE_NOT_FOUND" ||
    /^(?:Import|Relative import path) "/.test(message);
  const isTypeScript = cause?.code === "ERR_UNKNOWN_FILE_EXTENSION" ||
    cause?.code === "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX";
  if (isTypeScript) {
    return new Refusal(
      "module_failed",
      message,
      `this is Node.js ${process.versions.node}; from 22.18 on it reads TypeScript whose types can be erased; runtime: deno reads all of it`,
    );
  }
  if (!isAbsent) return new Refusal("module_failed", message, "run again with --debug to see where");
  const install = Deno === undefined ? "npm install" : "deno install";
  return new Refusal(
    "module_needs_packages",
    message,
    `are its packages installed? try \`${install}\` in its folder`,
  );
}

function systemOf(exported) {
  if (typeof exported === "function") {
    throw new Refusal(
      "invalid_system",
      "the export is a function or a class",
      "export what it makes: ragSystem(…), an object, or an instance (new MySystem(…))",
    );
  }
  if (typeof exported !== "object" || exported === null) {
    throw new Refusal(
      "invalid_system",
      `the export is ${exported === null ? "null" : typeof exported}`,
      "export ragSystem(settings, stages), or one object with settings and stages",
    );
  }
  if ("settings" in exported && "stages" in exported) return exported;
  const stated = SETTINGS.filter((key) => key in exported).map((key) => [key, exported[key]]);
  return { settings: Object.fromEntries(stated), stages: exported };
}

const calls = new Map();
let stages = {};

function send(message) {
  // A line of its own, even after something that was printed without an end of line.
  writeText(`\n${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

function fail(id, message, data) {
  send({ id, error: { code: -32000, message, data } });
}

function messageOf(thrown) {
  try {
    if (typeof thrown !== "object" || thrown === null) return String(thrown);
    const { message } = thrown;
    if (typeof message === "string" && message !== "") return message;
    return thrown instanceof Error ? thrown.name : String(thrown);
  } catch {
    return "something without a text was thrown";
  }
}

async function hello({ id }) {
  try {
    const { settings, stages: given } = await loadSystem();
    stages = given;
    const offered = Object.keys(STAGES).filter((stage) => typeof stages?.[STAGES[stage]] === "function");
    send({
      id,
      result: { protocol: PROTOCOL, settings: plainJson(settings ?? {}, "settings"), stages: offered },
    });
  } catch (cause) {
    const { kind = "invalid_system", hint } = cause instanceof Refusal ? cause : {};
    fail(id, messageOf(cause), { kind, ...(hint === undefined ? {} : { hint }) });
  }
}

/** What a stage returns; count_tokens is asked for many passages at once. */
async function callStage(method, params, tools) {
  const { input, depth, candidates, context, passages, query, top_k, token_budget } = params;
  const { signal } = tools;
  switch (method) {
    case "retrieve":
      return await stages.retrieve(input, depth, tools);
    case "assemble":
      return await stages.assemble(input, candidates, { top_k, token_budget }, { signal });
    case "generate":
      return await stages.generate(input, context, query === undefined ? tools : { ...tools, query });
    case "answer":
      return await stages.answer(input, context === undefined ? tools : { ...tools, context });
    case "count_tokens":
      return await Promise.all(
        passages.map(async (passage) => await stages.countTokens(passage, { signal })),
      );
    default:
      throw new Error(`there is no stage ${JSON.stringify(method)}`);
  }
}

async function answer({ id, method, params }) {
  const controller = new AbortController();
  calls.set(id, controller);
  const used = [];
  const tools = {
    signal: controller.signal,
    params: params.params ?? {},
    usage: (more) => void used.push(more),
  };
  const usage = () => used.length === 0 ? {} : { usage: plainJson(used, "usage") };
  try {
    const value = await callStage(method, params, tools);
    send({ id, result: { value: value === undefined ? undefined : plainJson(value), ...usage() } });
  } catch (cause) {
    if (cause instanceof NotJson) {
      fail(id, `${method} returned a value that is not JSON: ${cause.message}`, { kind: "invalid_output" });
    } else {
      const trace = cause instanceof Error ? { trace: String(cause.stack) } : {};
      fail(id, messageOf(cause), { kind: "exception", ...trace, ...usage() });
    }
  } finally {
    calls.delete(id);
  }
}

function receive(line) {
  if (line === "") return;
  const message = JSON.parse(line);
  if (message.method === "hello") hello(message);
  else if (message.method === "cancel") {
    calls.get(message.params.id)?.abort(new Error("nobody waits any more"));
  } else answer(message);
}

process.stdin.setEncoding("utf8");
let rest = "";
for await (const piece of process.stdin) {
  const lines = (rest === "" ? piece : rest + piece).split("\n");
  rest = lines.pop();
  for (const line of lines) receive(line);
}
watcher.terminate();
exit(0);
