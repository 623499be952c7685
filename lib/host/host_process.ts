/** One process that speaks the protocol, from its start to its end. */
import { messageOf, OloproofError } from "../domain/error.ts";
import { InvalidOutput } from "../stages/read_output.ts";
import { atExit } from "./at_exit.ts";
import { CallError, resultOf } from "./caller.ts";
import { LineSplitter, MAX_LINE_BYTES } from "./line_splitter.ts";
import { cancelLine, type Method, readLine, requestLine } from "./message.ts";
import { signalGroup } from "./signal_group.ts";
import { TextTail } from "./text_tail.ts";

/** What is started, and who is told of what it prints. */
export interface ProcessSpec {
  /** The program and its arguments. */
  readonly command: readonly string[];
  readonly cwd: string;
  /** Over the environment of this program. */
  readonly env: Readonly<Record<string, string>>;
  /** What to do when there is no such program. */
  readonly absentHint?: string;
  /** A line on stdout that is no message. */
  readonly onNoise: (line: string) => void;
  /** A piece of what it prints on stderr. */
  readonly onLog: (text: string) => void;
}

/** How long a cancelled call may go on before the process counts as stuck. */
const CANCEL_GRACE_MS = 500;

/** How long a process may take to end after its stdin was closed: it may have something to put away. */
const STOP_GRACE_MS = 5000;

/** The same when somebody waits, or when a call is stuck; and after SIGTERM. */
const SHORT_GRACE_MS = 700;

/** How long lines are read without a pause: the runtime lets many reads go before timers, such as those of time limits and ^C. */
const READ_MS = 20;

/** What may still lie in the pipe when the process has ended. */
const DRAIN_MS = 250;

interface PendingCall {
  readonly resolve: (result: unknown) => void;
  readonly reject: (cause: unknown) => void;
  /** Runs once nobody waits for the call any more; absent before. */
  grace?: ReturnType<typeof setTimeout>;
}

/** Variables that are this program's business alone. */
const OWN_VARIABLES = ["OLOPROOF_STORE_TOKEN"];

/** A running process. Calls overlap; each is known by its number. */
export class HostProcess {
  readonly #child: Deno.ChildProcess;
  readonly #stdin: WritableStreamDefaultWriter<Uint8Array>;
  readonly #calls = new Map<number, PendingCall>();
  readonly #stderr = new TextTail();
  /** This program takes it along when it ends. */
  readonly #duty: { callOff(): void };
  /** Resolves with how it ended, in words. */
  readonly ended: Promise<string>;
  #isAlive = true;
  #lastId = 0;
  #unsent: string[] = [];
  #fault: string | undefined;
  /** There while a cancelled call has not come to its end: perhaps the process is stuck. */
  #clearing: PromiseWithResolvers<void> | undefined;

  /** @param onStuck Called when a cancelled call goes on and on. */
  private constructor(private readonly spec: ProcessSpec, private readonly onStuck: () => void) {
    this.#child = spawn(spec);
    this.#stdin = this.#child.stdin.getWriter();
    this.#duty = atExit(() => signalGroup(this.#child.pid, "SIGKILL"));
    this.ended = this.#watch();
  }

  /**
   * Starts a process.
   *
   * @throws {OloproofError} `program_not_found`, `program_not_started`.
   */
  static start(spec: ProcessSpec, onStuck: () => void): HostProcess {
    return new HostProcess(spec, onStuck);
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Resolves when no cancelled call is under way any more, or when the process is given up. */
  get cleared(): Promise<void> | undefined {
    return this.#clearing?.promise;
  }

  /** Whether somebody still waits for an answer. */
  get isBusy(): boolean {
    return [...this.#calls.values()].some(({ grace }) => grace === undefined);
  }

  /** The end of what it printed on stderr. */
  get logTail(): string {
    return this.#stderr.last();
  }

  call(method: Method, params: unknown, signal?: AbortSignal): Promise<unknown> {
    const id = ++this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const call: PendingCall = { resolve, reject };
    if (!this.#isAlive) {
      reject(new CallError("the process has ended"));
      return promise;
    }
    this.#calls.set(id, call);
    this.#send(requestLine(id, method, params));
    if (signal === undefined) return promise;
    const onAbort = () => this.#cancel(id, call, signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    return promise.finally(() => signal.removeEventListener("abort", onAbort));
  }

  /** Lets the process end by itself, then asks it to, then makes it. */
  async stop(isHurried: boolean): Promise<void> {
    // A process that is gone takes nothing any more; that it is gone is known by its end.
    this.#stdin.close().catch(() => undefined);
    const patience = isHurried || this.#calls.size > 0 ? SHORT_GRACE_MS : STOP_GRACE_MS;
    if (!await within(patience, this.ended)) {
      signalGroup(this.#child.pid, "SIGTERM");
      if (!await within(SHORT_GRACE_MS, this.ended)) this.kill();
    }
    await this.ended;
  }

  /** Ends the process and all that it started, at once. */
  kill(fault?: string): void {
    this.#fault ??= fault;
    signalGroup(this.#child.pid, "SIGKILL");
  }

  #cancel(id: number, call: PendingCall, reason: unknown): void {
    call.reject(reason);
    if (!this.#isAlive) return;
    this.#send(cancelLine(id));
    this.#clearing ??= Promise.withResolvers();
    call.grace = setTimeout(() => {
      this.onStuck();
      this.#clear();
    }, CANCEL_GRACE_MS);
  }

  #clear(): void {
    this.#clearing?.resolve();
    this.#clearing = undefined;
  }

  /** Messages of one moment go out together. */
  #send(line: string): void {
    this.#unsent.push(line);
    if (this.#unsent.length > 1) return;
    queueMicrotask(() => {
      const bytes = new TextEncoder().encode(this.#unsent.join(""));
      this.#unsent = [];
      // A broken pipe is told by the end of the process.
      this.#stdin.write(bytes).catch(() => undefined);
    });
  }

  async #watch(): Promise<string> {
    const stdout = this.#readMessages();
    const stderr = this.#readLog();
    // A process that closes its stdout can answer nothing any more.
    await Promise.race([stdout, this.#child.status]);
    if (!await within(DRAIN_MS, this.#child.status)) this.kill("closed its stdout");
    const status = await this.#child.status;
    await within(DRAIN_MS, Promise.all([stdout, stderr]));
    // Whatever it started in its group ends with it, and the pipes with that.
    signalGroup(this.#child.pid, "SIGKILL");
    this.#duty.callOff();
    this.#isAlive = false;
    const how = this.#fault ?? endingOf(status);
    this.#failAll(how);
    return how;
  }

  #failAll(how: string): void {
    const said = this.logTail;
    const message = `the process ${how} before it answered${
      said === "" ? "" : `; its stderr ends with:\n${said}`
    }`;
    for (const { reject, grace } of this.#calls.values()) {
      clearTimeout(grace);
      reject(new CallError(message));
    }
    this.#calls.clear();
    this.#clear();
  }

  async #readMessages(): Promise<void> {
    const lines = new LineSplitter();
    let worked = 0;
    for await (const piece of this.#child.stdout) {
      const start = performance.now();
      for (const line of lines.push(piece)) this.#receive(line);
      worked += performance.now() - start;
      if (worked > READ_MS) {
        await new Promise((resolve) => setTimeout(resolve, 0));
        worked = 0;
      }
      if (lines.pending > MAX_LINE_BYTES) {
        this.kill(`was ended: it sent a line of over ${MAX_LINE_BYTES / 1e6} MB`);
      }
    }
    this.#receive(lines.rest());
  }

  #receive(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    const line = readLine(bytes);
    if (line.kind === "noise") {
      if (line.text.trim() !== "") this.spec.onNoise(line.text);
      return;
    }
    const call = this.#calls.get(line.id);
    if (call === undefined) return;
    this.#calls.delete(line.id);
    if (call.grace !== undefined) {
      clearTimeout(call.grace);
      if (![...this.#calls.values()].some(({ grace }) => grace !== undefined)) this.#clear();
    }
    try {
      if (line.kind === "broken") throw new InvalidOutput(`the answer cannot be read: ${line.problem}`);
      call.resolve(resultOf(line.reply));
    } catch (cause) {
      call.reject(cause);
    }
  }

  async #readLog(): Promise<void> {
    for await (const text of this.#child.stderr.pipeThrough(new TextDecoderStream())) {
      this.#stderr.add(text);
      this.spec.onLog(text);
    }
  }
}

function spawn({ command, cwd, env, absentHint }: ProcessSpec): Deno.ChildProcess {
  const [program = "", ...args] = command;
  const inherited = Object.fromEntries(
    Object.entries(Deno.env.toObject()).filter(([name]) => !OWN_VARIABLES.includes(name)),
  );
  try {
    return new Deno.Command(program, {
      args,
      cwd,
      clearEnv: true,
      env: { ...inherited, ...env },
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
      // A group of its own: ^C reaches this program alone, and all that the process starts can be ended.
      detached: Deno.build.os !== "windows",
    }).spawn();
  } catch (cause) {
    const isAbsent = cause instanceof Deno.errors.NotFound;
    throw new OloproofError(
      isAbsent
        ? `Cannot start the system: there is no program ${JSON.stringify(program)}`
        : `Cannot start the system: ${messageOf(cause)}`,
      {
        code: isAbsent ? "program_not_found" : "program_not_started",
        kind: "configuration",
        where: cwd,
        hint: isAbsent
          ? absentHint ?? "install it, or name it by its whole path"
          : "try the command by itself in a shell",
        cause,
      },
    );
  }
}

function endingOf({ code, signal }: Deno.CommandStatus): string {
  return signal === null ? `ended with code ${code}` : `was ended by ${signal}`;
}

/** Whether something comes to an end in time. */
async function within(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => timer = setTimeout(() => resolve(false), milliseconds));
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
