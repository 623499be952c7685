/** What the program tells of itself: completions for a shell, and one page of all. */
import { Argument, type Command } from "commander";
import { nearest } from "../config/nearest.ts";
import { OloproofError } from "../domain/error.ts";
import { shapeOf } from "./command_shape.ts";
import { EXIT } from "./exit_code.ts";
import type { Io } from "./io.ts";
import type { Shell } from "./completion_script.ts";

type Done = (code: number) => void;

/** `completions SHELL`: made of the commands as they are defined, so that they cannot fall behind. */
export function defineCompletions(program: Command, io: Io, done: Done): void {
  program.command("completions")
    .description("print what a shell needs to complete commands, options and their choices")
    .addArgument(new Argument("<shell>", "which one").choices(["bash", "zsh", "fish"]))
    .addHelpText(
      "after",
      "\nExample: oloproof completions bash\n\n" +
        "bash, in ~/.bashrc:               source <(oloproof completions bash)\n" +
        "zsh, in ~/.zshrc after compinit:  source <(oloproof completions zsh)\n" +
        "fish, once:                       oloproof completions fish > ~/.config/fish/completions/oloproof.fish",
    )
    .action(async (shell: Shell) => {
      const { completionScript } = await import("./completion_script.ts");
      io.stdout(await completionScript(shell, shapeOf(program)));
      done(EXIT.done);
    });
}

/** `help`: the manual page, or the help of a command. */
export function defineHelp(program: Command, io: Io, done: Done): void {
  program.helpCommand(false);
  const names = program.commands.map((one) => one.name());
  program.command("help")
    .description("everything on one page, or the help of one command")
    .addArgument(
      new Argument("[command...]", "whose help").choices(names)
        // A word that is none of them is told with the nearest that is one.
        .argParser((word: string, before: readonly string[] = []) => [...before, word]),
    )
    .addHelpText("after", "\nExample: oloproof help run")
    .action(async (words: readonly string[]) => {
      if (words.length === 0) {
        const { manualPage } = await import("./manual_page.ts");
        io.stdout(manualPage(shapeOf(program)));
      } else {
        findCommand(program, words).outputHelp();
      }
      done(EXIT.done);
    });
}

function findCommand(program: Command, words: readonly string[]): Command {
  let found = program;
  for (const word of words) {
    const next = found.commands.find((one) => one.name() === word);
    if (next === undefined) throw unknownCommand(word, found);
    found = next;
  }
  return found;
}

function unknownCommand(word: string, { commands }: Command): OloproofError {
  const names = commands.map((one) => one.name());
  const meant = nearest(word, names);
  return new OloproofError(`Unknown command ${JSON.stringify(word)}`, {
    code: "usage",
    kind: "configuration",
    hint: meant === undefined ? "`oloproof --help` lists the commands" : `did you mean ${meant}?`,
  });
}
