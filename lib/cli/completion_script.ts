/** The completion of a shell as a script: what is always so, and what is so of this program. */
import { bashTables } from "./bash_completion.ts";
import type { CommandShape, ShellTables } from "./command_shape.ts";
import { fishTables } from "./fish_completion.ts";
import { zshTables } from "./zsh_completion.ts";

/** The shells that completions are made for. */
export const SHELLS = ["bash", "zsh", "fish"] as const;

/** A shell that completions are made for. */
export type Shell = typeof SHELLS[number];

/** The script that a shell sources. */
export async function completionScript(shell: Shell, program: CommandShape): Promise<string> {
  const { words, values } = tablesOf[shell](program);
  const lines = { words, values };
  const script = await scriptOf[shell]();
  return script.default.replace(
    /^#\{(words|values)\}$/gm,
    (_, name: keyof ShellTables) => lines[name].join("\n"),
  );
}

const tablesOf = { bash: bashTables, zsh: zshTables, fish: fishTables };

const scriptOf = {
  bash: () => import("./shells/complete.bash", { with: { type: "text" } }),
  zsh: () => import("./shells/complete.zsh", { with: { type: "text" } }),
  fish: () => import("./shells/complete.fish", { with: { type: "text" } }),
};
