/** What the completion of bash knows of the program. */
import {
  type CommandShape,
  everyCommand,
  optionsWithin,
  type ShellTables,
  takersOf,
  type ValueShape,
} from "./command_shape.ts";

/** The branches of the script's two `case`s. */
export function bashTables(program: CommandShape): ShellTables {
  const commands = everyCommand(program);
  const words = commands.map((command) => {
    const parts = command.commands.map(({ name }) => name).join(" ");
    const options = optionsWithin(command, program).flatMap(({ names }) => names).join(" ");
    return `    ${quote(command.path)}) commands=${quote(parts)} options=${quote(options)} ;;`;
  });
  const values = commands.flatMap((command) => takersOf(command, program)).map(({ keys, value }) =>
    `    ${keys.map(quote).join("|")}) ${wanted(value)} ;;`
  );
  return { words, values };
}

function wanted(value: ValueShape): string {
  if (value.kind !== "choice") return `kind=${value.kind}`;
  return `kind=choice choices=${quote(value.choices.join(" "))}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
