/** What the completion of zsh knows of the program: it tells what commands and options are about, too. */
import {
  type CommandShape,
  everyCommand,
  optionsWithin,
  type ShellTables,
  takersOf,
  type ValueShape,
} from "./command_shape.ts";

/** The branches of the script's two `case`s. */
export function zshTables(program: CommandShape): ShellTables {
  const commands = everyCommand(program);
  const words = commands.map((command) => {
    const parts = command.commands.map(({ name, about }) => described(name, about));
    const options = optionsWithin(command, program).flatMap(({ names, about }) =>
      names.map((name) => described(name, about))
    );
    return `    ${quote(command.path)}) commands=(${parts.join(" ")}) options=(${options.join(" ")}) ;;`;
  });
  const values = commands.flatMap((command) => takersOf(command, program)).map(({ keys, value }) =>
    `    ${keys.map(quote).join("|")}) ${wanted(value)} ;;`
  );
  return { words, values };
}

function wanted(value: ValueShape): string {
  if (value.kind !== "choice") return `kind=${value.kind}`;
  return `kind=choice choices=(${value.choices.map(quote).join(" ")})`;
}

/** `name:about` as `_describe` takes it. */
function described(name: string, about: string): string {
  return quote(`${name}:${about}`);
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
