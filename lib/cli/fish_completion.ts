/** What the completion of fish knows of the program: it tells what commands and options are about, too. */
import {
  type CommandShape,
  everyCommand,
  type OptionShape,
  optionsWithin,
  type ShellTables,
  takersOf,
  type ValueShape,
} from "./command_shape.ts";

/** The lists that the script's function reads, and the rules that call it. */
export function fishTables(program: CommandShape): ShellTables {
  const commands = everyCommand(program);
  const paths = commands.map(({ path }) => path).filter((path) => path !== "");
  const takers = commands.flatMap((command) => takersOf(command, program)).flatMap(({ keys }) => keys);
  return {
    words: [
      `set -g __oloproof_commands ${paths.map(quote).join(" ")}`,
      `set -g __oloproof_takers ${takers.map(quote).join(" ")}`,
    ],
    values: commands.flatMap((command) => [
      ...command.commands.map(({ name, about }) =>
        rule(command.path, 0, `-a ${quote(name)} -d ${quote(about)}`)
      ),
      ...optionsWithin(command, program).map((option) => rule(command.path, undefined, optionRule(option))),
      ...command.values.map((value, place) => rule(command.path, place, valueRule(value))),
    ]),
  };
}

function rule(path: string, place: number | undefined, rest: string): string {
  const at = place === undefined ? "" : ` ${place}`;
  return `complete -c oloproof -n "__oloproof_at '${path}'${at}" ${rest}`;
}

function optionRule({ names, about, value }: OptionShape): string {
  const spelt = names.map((name) => name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`);
  return [...spelt, ...(value === undefined ? [] : ["-r", valueRule(value)]), `-d ${quote(about)}`].join(" ");
}

function valueRule(value: ValueShape): string {
  switch (value.kind) {
    case "choice":
      return `-f -a ${quote(value.choices.map(listed).join(" "))}`;
    case "file":
      return "-F";
    case "folder":
      return "-f -a '(__fish_complete_directories)'";
    case "free":
      return "-f";
  }
}

/** A word of a list of choices, which fish reads as it reads a command line. */
function listed(word: string): string {
  return /^[\w-]+$/.test(word) ? word : `\\${word}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
