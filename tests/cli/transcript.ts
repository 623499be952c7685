/** Transcripts: commands with what they print, as files that are replayed. */
import assert from "node:assert/strict";
import { type Session, splitWords } from "./session.ts";

const PROMPT = "$ oloproof";

/** A command and the text that follows it. */
interface Step {
  readonly command: string;
  readonly printed: string;
}

/** The commands of a transcript with their output. Text before the first command is ignored. */
export function stepsOf(transcript: string): readonly Step[] {
  const steps: { command: string; lines: string[] }[] = [];
  for (const line of transcript.split("\n")) {
    if (line.startsWith(PROMPT)) steps.push({ command: line.slice(PROMPT.length).trim(), lines: [] });
    else steps.at(-1)?.lines.push(line);
  }
  return steps.map(({ command, lines }) => ({ command, printed: lines.join("\n").trim() }));
}

/** Runs every command of a transcript and answers with the transcript as it is now: stderr marked, exit codes told. */
export async function replay(transcript: string, session: Session): Promise<string> {
  const [preamble = ""] = transcript.split(PROMPT);
  let text = preamble;
  for (const { command } of stepsOf(transcript)) {
    const { stdout, stderr, code } = await session.run(splitWords(command));
    const errors = stderr.replaceAll(/^(?=.)/gm, "! ");
    text += `${PROMPT} ${command}\n${stdout}${errors}${code === 0 ? "" : `[exit ${code}]\n`}\n`;
  }
  return `${text.trimEnd()}\n`.replaceAll(session.cwd, "/work");
}

/** Checks a document's transcripts as a reader meets them: both streams as a terminal shows them, `…` for left-out lines. */
export async function assertShows(transcript: string, session: Session): Promise<void> {
  for (const { command, printed } of stepsOf(transcript)) {
    const { both } = await session.run(splitWords(command));
    const shown = both.trim();
    const parts = printed.split(/^…$/m).map((part) => part.trim());
    let from = 0;
    for (const [index, part] of parts.entries()) {
      const at = shown.indexOf(part, from);
      const fits = at >= 0 && (index > 0 || at === 0) && (index < parts.length - 1 || shown.endsWith(part));
      if (!fits) assert.equal(shown, printed, `the document shows another output of: oloproof ${command}`);
      from = at + part.length;
    }
  }
}
