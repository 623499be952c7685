/** The program in process, with a clock that stands still and ids that count: transcripts need no redaction. */
import { cp } from "node:fs/promises";
import { join } from "node:path";
import type { Io } from "../../lib/cli/io.ts";
import { main } from "../../lib/cli/main.ts";
import { systemClock } from "../../lib/system/clock.ts";
import { tempFolder } from "../temp_folder.ts";

/** What one command printed, and how it ended. `both` is what a terminal shows of the two streams. */
export interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly both: string;
  readonly code: number;
}

/** The root of the repository. */
export const ROOT = new URL("../../", import.meta.url).pathname;

/** A user's session in a folder of its own. */
export class Session {
  #ids = 0;
  readonly #env: Readonly<Record<string, string>>;

  constructor(readonly cwd: string, env: Readonly<Record<string, string>> = {}) {
    this.#env = env;
  }

  /** Runs one command; the program's name is not among the arguments. */
  async run(args: readonly string[], overrides: Partial<Io> = {}): Promise<Outcome> {
    let stdout = "";
    let stderr = "";
    let both = "";
    const code = await main(args, {
      stdout: (text) => {
        stdout += text;
        both += text;
      },
      stderr: (text) => {
        stderr += text;
        both += text;
      },
      stdoutIsClosed: () => false,
      stderrIsTerminal: false,
      env: (name) => this.#env[name],
      cwd: this.cwd,
      clock: { now: () => Date.UTC(2026, 8, 16, 12), elapsed: () => 0, wait: systemClock.wait },
      newId: () => `01K5A4T000${String(++this.#ids).padStart(16, "0")}`,
      stop: new AbortController().signal,
      ...overrides,
    });
    return { stdout, stderr, both, code };
  }
}

/** A session in a temporary folder, with copies of examples where they are asked for. */
export async function startSession(examples: readonly string[] = []): Promise<Session> {
  const cwd = await tempFolder();
  for (const example of examples) {
    await cp(join(ROOT, "examples", example), join(cwd, "examples", example), {
      recursive: true,
      filter: (path) => !path.includes(".oloproof"),
    });
  }
  return new Session(cwd);
}

/** Words of a command line as a shell splits them, quotes and all; nothing is expanded. */
export function splitWords(line: string): readonly string[] {
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, single, double, bare]) =>
    single ?? double ?? bare ?? ""
  );
}
