/** What `init` says, as text. */
import type { InitializedProject } from "../domain/run_report.ts";
import { printable, shellWord } from "./printable.ts";

/** The files that were made, and the next commands. */
export function initText({ folder, files, first }: InitializedProject): string {
  const at = folder === "." ? "" : `-C ${shellWord(folder)} `;
  return [
    `Made a project in ${printable(folder)}`,
    ...files.map(({ name, holds }) =>
      `  ${name.padEnd(Math.max(...files.map((file) => file.name.length)) + 1)} ${holds}`
    ),
    ...(first === undefined
      ? []
      : [`First: ${folder === "." ? first : `(cd ${shellWord(folder)} && ${first})`}`]),
    `Next: oloproof ${at}run`,
  ].join("\n") + "\n";
}
