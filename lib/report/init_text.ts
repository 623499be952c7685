/** What `init` says, as text. */
import type { InitializedProject } from "../domain/run_report.ts";
import { printable, shellWord } from "./printable.ts";

/** The files that were made, and the next commands. */
export function initText({ folder, files }: InitializedProject): string {
  const at = folder === "." ? "" : `-C ${shellWord(folder)} `;
  return [
    `Made a project in ${printable(folder)}`,
    ...files.map(({ name, holds }) => `  ${name.padEnd(14)} ${holds}`),
    `Next: oloproof ${at}run`,
  ].join("\n") + "\n";
}
