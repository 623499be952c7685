/** The kinds of project that `init` makes: the language or the framework of the system. */

/** A file of a new project. */
export interface TemplateFile {
  readonly name: string;
  /** What it holds, for the list that `init` prints. */
  readonly holds: string;
  readonly text: string;
}

/** What the system of a new project is written with. */
export const INIT_KINDS = [
  "ts",
  "js",
  "python",
  "service",
  "langchain",
  "llamaindex",
  "haystack",
  "ai-sdk",
] as const;

/** One of {@link INIT_KINDS}. */
export type InitKind = (typeof INIT_KINDS)[number];

/** What a kind has of its own. */
export interface KindParts {
  /** The part of `oloproof.yaml` below `system:`. */
  readonly system: string;
  /** The system, and what it needs. */
  readonly files: readonly TemplateFile[];
  /** The evaluators; absent = those for a system of two stages. */
  readonly evaluators?: string;
  /** What is to be kept out of version control besides the store. */
  readonly ignored?: readonly string[];
  /** What is to be done in the folder before the first run; absent = nothing. */
  readonly first?: string;
}

const object = (name: string) => `  rag:\n    object: ${name}    # module:export\n`;
const PYTHON_OBJECT = object("app.py:HelpDesk");

const PIP = "python3 -m venv .venv && .venv/bin/pip install -r requirements.txt";

function python(text: string, framework: string, packages: readonly string[]): KindParts {
  return {
    system: PYTHON_OBJECT,
    files: [
      { name: "app.py", holds: `the system: its documents of ${framework} become passages here`, text },
      { name: "requirements.txt", holds: "what it needs", text: `${packages.join("\n")}\n` },
    ],
    ignored: [".venv/"],
    first: PIP,
  };
}

const SERVICE = `  name: help-desk
  version: "1"    # change it when the service changes: what it answered is kept under this name
  rag:
    url: http://127.0.0.1:8787/ask
    request: {question: "{{input.question}}", sources: "{{context}}"}
    response: {context: {items: sources, doc_id: id, text: body}}
`;

/** It tells what it read, and not what it found. */
const SERVICE_EVALUATORS =
  `  - {type: contains, criterion: answer_correct, field: answer, expected_field: answer}
  - {type: completed}
`;

const AI_SDK_PACKAGE = `{
  "private": true,
  "type": "module",
  "dependencies": { "ai": "^6.0.0" }
}
`;

/** The parts of a kind; the kinds ts and js are made in `init_template.ts`. */
export async function kindParts(kind: Exclude<InitKind, "ts" | "js">): Promise<KindParts> {
  switch (kind) {
    case "python": {
      const app = (await import("./templates/python.py", { with: { type: "text" } })).default;
      return {
        system: PYTHON_OBJECT,
        files: [{ name: "app.py", holds: "the system: a retriever and a generator", text: app }],
      };
    }
    case "langchain":
      return python(
        (await import("./templates/langchain.py", { with: { type: "text" } })).default,
        "LangChain",
        [
          "langchain-core",
          "numpy",
        ],
      );
    case "llamaindex":
      return python(
        (await import("./templates/llamaindex.py", { with: { type: "text" } })).default,
        "LlamaIndex",
        [
          "llama-index-core",
        ],
      );
    case "haystack":
      return python(
        (await import("./templates/haystack.py", { with: { type: "text" } })).default,
        "Haystack",
        ["haystack-ai"],
      );
    case "ai-sdk":
      return {
        system: object("app.mjs:helpDesk"),
        files: [
          {
            name: "app.mjs",
            holds: "the system: a retriever and a generator with the AI SDK",
            text: (await import("./templates/ai_sdk.mjs.txt", { with: { type: "text" } })).default,
          },
          { name: "package.json", holds: "what it needs", text: AI_SDK_PACKAGE },
        ],
        ignored: ["node_modules/"],
        first: "npm install",
      };
    case "service":
      return {
        system: SERVICE,
        evaluators: SERVICE_EVALUATORS,
        files: [{
          name: "service.mjs",
          holds: "a stand-in for your service, until url names it",
          text: (await import("./templates/service.mjs", { with: { type: "text" } })).default,
        }],
        first: "node service.mjs &",
      };
  }
}
