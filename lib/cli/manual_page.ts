/** The program on one page, as `man` would show it. */
import { type CommandShape, everyCommand } from "./command_shape.ts";
import { versionLine } from "./version_line.ts";

/** Columns of the page: it fits the terminals that there are, and a mail. */
const WIDTH = 80;
const INDENT = 4;

/** Longer terms would leave too narrow a column for what they mean. */
const LONGEST_TERM = 20;

type Entry = readonly [term: string, about: string];

/** The text of the page. */
export function manualPage(program: CommandShape): string {
  const commands = everyCommand(program).filter(({ path, commands: parts }) =>
    path !== "" && parts.length === 0
  );
  return [
    section("NAME", paragraph(`oloproof - ${lowerFirst(program.about)}`)),
    section("SYNOPSIS", paragraph("oloproof [-C DIR] [--store PLACE] [--json] COMMAND [ARGUMENTS]")),
    section("DESCRIPTION", DESCRIPTION.map(paragraph).join("\n\n")),
    section(
      "COMMANDS",
      entries(commands.map(({ usage, path, name, about }) => [path + usage.slice(name.length), about])),
    ),
    section("GLOBAL OPTIONS", entries(program.options.map(({ flags, about }) => [flags, about]))),
    section("EXIT CODES", entries(EXIT_CODES)),
    section("ENVIRONMENT", entries(ENVIRONMENT)),
    section("FILES", entries(FILES)),
    section("EXAMPLES", EXAMPLES.map((line) => " ".repeat(INDENT) + line).join("\n")),
    versionLine,
  ].join("\n\n") + "\n";
}

const DESCRIPTION = [
  "A project is a folder with oloproof.yaml, cases (cases.jsonl) and a system: a module of JavaScript, " +
  "TypeScript or Python, a service, or recorded outputs. run executes the system on the cases, keeps what every " +
  "stage did and measures it with intervals; diagnose tells where the evidence of failed cases was lost; compare " +
  "decides by a policy whether a change may be released.",
  "Results go to stdout; progress, notices and errors go to stderr. `oloproof COMMAND --help` has the options of a " +
  "command and an example.",
];

const EXIT_CODES: readonly Entry[] = [
  ["0", "done, however low the figures"],
  ["1", "something unexpected, or the surroundings failed (disk, database, network)"],
  ["2", "a mistake in the command, the project, the cases or the system"],
  ["3", "the gate of a policy blocks"],
  ["4", "a run finished with outcomes missing beyond --allow-missing"],
  ["130", "interrupted; finished cases are kept, and `run --resume RUN` goes on"],
];

const ENVIRONMENT: readonly Entry[] = [
  [
    "OLOPROOF_STORE_TOKEN",
    "the token of a store at a libsql:// URL; it is never printed, stored or handed on",
  ],
  ["OPENAI_API_KEY, …", "the key of a judge's provider: its own, or the variable that the project names"],
  ["NO_COLOR", "print without colours, as --no-color does"],
  ["PATH", "where python3, node and deno are looked for, by systems that need one of them"],
  ["PYTHONPATH", "further folders for modules of systems in Python"],
  [
    "TMPDIR",
    "where the database's native part and the programs that serve systems are unpacked, in private folders",
  ],
  [
    "others",
    "those that a service of the project names for its headers or URL; systems see the whole environment",
  ],
];

const FILES: readonly Entry[] = [
  ["oloproof.yaml", "the project: what is run, on which cases, how it is judged"],
  ["cases.jsonl", "the cases, one JSON object a line"],
  [".oloproof/", "the store (oloproof.db and its log), readable by you alone, ignored by git"],
  ["compare.yaml", "a policy; any name will do"],
  ["*.bundle", "a run in one file, which compare and inspect take in the place of a run's id"],
];

const EXAMPLES = [
  "oloproof init my-rag && oloproof -C my-rag run",
  "oloproof diagnose latest --criterion answer_correct",
  "oloproof compare latest latest~1 --policy compare.yaml",
  "oloproof export latest --format bundle -o baseline.bundle",
];

function section(title: string, text: string): string {
  return `${title}\n${text}`;
}

/** A term and what it is: beside it where all terms are short, beneath it otherwise. */
function entries(list: readonly Entry[]): string {
  const widest = Math.max(...list.map(([term]) => term.length));
  const column = INDENT + widest + 2;
  return list.map(([term, about]) =>
    widest > LONGEST_TERM
      ? `${" ".repeat(INDENT)}${term}\n${wrap(about, 2 * INDENT)}`
      : `${" ".repeat(INDENT)}${term.padEnd(widest)}  ${wrap(about, column).trimStart()}`
  ).join("\n");
}

function paragraph(text: string): string {
  return wrap(text, INDENT);
}

function wrap(text: string, indent: number): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && indent + line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].map((each) => " ".repeat(indent) + each).join("\n");
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
