/** The commands and options of the program as data: what completions and the manual page are made of. */
import type { Argument, Command, Option } from "commander";

/** What may stand where a value is expected. */
export type ValueShape =
  | { readonly kind: "choice"; readonly choices: readonly string[] }
  | { readonly kind: "file" }
  | { readonly kind: "folder" }
  /** A number, an id, a name: nothing that a shell could know. */
  | { readonly kind: "free" };

/** An option with its spellings, such as `-o` and `--output`. */
export interface OptionShape {
  readonly names: readonly string[];
  /** The option as help shows it: `-o, --output <dir>`. */
  readonly flags: string;
  readonly about: string;
  /** Absent = the option takes no value. */
  readonly value?: ValueShape;
}

/** A command, or the program itself. */
export interface CommandShape {
  /** The words that call it, `cache stats`; empty for the program. */
  readonly path: string;
  /** The last of these words; `oloproof` of the program. */
  readonly name: string;
  /** How it is called, as help shows it: `compare [options] <candidate> [baseline]`. */
  readonly usage: string;
  readonly about: string;
  readonly options: readonly OptionShape[];
  readonly values: readonly ValueShape[];
  readonly commands: readonly CommandShape[];
}

/** Names of arguments that stand for a place on the disk. A bundle may take a run's place in `compare`. */
const FILES = ["file", "path", "place", "qrels", "run", "topics", "candidate", "baseline"];
const FOLDERS = ["dir", "folder"];

/** The shape of a command and all that it holds. */
export function shapeOf(command: Command, path = ""): CommandShape {
  const help = command.createHelp();
  return {
    path,
    name: command.name(),
    usage: help.subcommandTerm(command),
    about: command.description(),
    options: help.visibleOptions(command).map(optionOf),
    values: command.registeredArguments.map(argumentOf),
    commands: command.commands.map((one) => shapeOf(one, path === "" ? one.name() : `${path} ${one.name()}`)),
  };
}

/** A command and all that it holds, in the order of help. */
export function everyCommand(command: CommandShape): readonly CommandShape[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}

/** The options that a command takes: its own, and those of the program, once each. */
export function optionsWithin(command: CommandShape, program: CommandShape): readonly OptionShape[] {
  const own = new Set(command.options.flatMap(({ names }) => names));
  const others = command === program ? [] : program.options.filter(({ names }) =>
    // `--version` is the program's alone.
    !names.includes("--version") && !names.some((name) => own.has(name))
  );
  return [...command.options, ...others];
}

/** Something that takes a value: an option of a command, `run --limit`, or its argument at a place from 0, `import csv 0`. */
export interface ValueTaker {
  readonly keys: readonly string[];
  readonly value: ValueShape;
}

/** Lines that stand in the places `#{words}` and `#{values}` of a shell's script. */
export interface ShellTables {
  readonly words: readonly string[];
  readonly values: readonly string[];
}

/** All that takes a value within a command. */
export function takersOf(command: CommandShape, program: CommandShape): readonly ValueTaker[] {
  const { path, values } = command;
  return [
    ...optionsWithin(command, program).flatMap(({ names, value }) =>
      value === undefined ? [] : [{ keys: names.map((name) => `${path} ${name}`), value }]
    ),
    ...values.map((value, place) => ({ keys: [`${path} ${place}`], value })),
  ];
}

function optionOf(option: Option): OptionShape {
  const names = [option.short, option.long].filter((name) => name !== undefined && name !== null);
  const { flags, description: about } = option;
  if (!option.required && !option.optional) return { names, flags, about };
  const placeholder = /[<[]([\w=]+)/.exec(flags)?.[1] ?? "";
  return { names, flags, about, value: valueOf(placeholder, option.argChoices) };
}

function argumentOf(argument: Argument): ValueShape {
  return valueOf(argument.name(), argument.argChoices);
}

function valueOf(name: string, choices: readonly string[] | undefined): ValueShape {
  if (choices !== undefined) return { kind: "choice", choices };
  if (FILES.includes(name)) return { kind: "file" };
  return { kind: FOLDERS.includes(name) ? "folder" : "free" };
}
