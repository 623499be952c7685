/** The files of a new project: a system of four passages that runs at once and gets one of its three answers wrong. */
import { type InitKind, type KindParts, kindParts, type TemplateFile } from "./init_kinds.ts";

const EVALUATORS = `  - {type: contains, criterion: answer_correct, field: answer, expected_field: answer}
  - {type: hit_rate, k: 2}
  - {type: mrr, k: 3}
  - {type: citation_validity}
`;

const projectFile = (system: string, evaluators: string) =>
  `# What is run, on which cases, and how its answers are judged.
system:
${system}cases: cases.jsonl
evaluators:
${evaluators}slices: [metadata.topic]
min_slice_support: 4
`;

const appFile = (typed: boolean) =>
  `import { ragSystem } from "oloproof";

const passages = [
  { doc_id: "refunds", text: "Refunds for yearly plans are paid within 14 days." },
  { doc_id: "seats", text: "A team plan has 25 seats. More seats can be bought at any time." },
  { doc_id: "trial", text: "The trial lasts 30 days and needs no card." },
  { doc_id: "export", text: "Your data can be exported as CSV from the settings page." },
];

const words = (text${typed ? ": string" : ""}) => text.toLowerCase().match(/\\w+/g) ?? [];
const overlap = (a${typed ? ": string" : ""}, b${typed ? ": string" : ""}) =>
  words(a).filter((word) => words(b).includes(word)).length;

export const helpDesk = ragSystem(
  // version names the generator, index_version the index: change them when these change.
  { name: "help-desk", version: "1", depth: 3, top_k: 2, index_version: "1" },
  {
    // Your retriever: up to depth candidates, the best first.
    retrieve(input${typed ? ": { question: string }" : ""}, depth${typed ? ": number" : ""}) {
      const candidates = passages
        .map((passage) => ({ ...passage, score: overlap(input.question, passage.text) }))
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score)
        .slice(0, depth);
      return { query: input.question, candidates };
    },
    // Your generator: it sees exactly the passages of the context. May be async, and may return any JSON.
    generate(_input, context) {
      const [best] = context;
      return best === undefined ? { answer: "I do not know." } : { answer: best.text, citations: [best.doc_id] };
    },
  },
);
`;

const casesFile = [
  {
    id: "refund_days",
    input: { question: "How fast are refunds paid?" },
    expected: {
      answer: "14 days",
      relevant: [{ doc_id: "refunds" }],
      gold_context: [{ doc_id: "refunds", text: "Refunds for yearly plans are paid within 14 days." }],
    },
    metadata: { topic: "billing" },
  },
  {
    id: "trial_length",
    input: { question: "How long is the trial?" },
    expected: {
      answer: "30 days",
      relevant: [{ doc_id: "trial" }],
      gold_context: [{ doc_id: "trial", text: "The trial lasts 30 days and needs no card." }],
    },
    metadata: { topic: "billing" },
  },
  {
    id: "colleagues",
    input: { question: "How many colleagues may I invite?" },
    expected: {
      answer: "25",
      relevant: [{ doc_id: "seats" }],
      gold_context: [{
        doc_id: "seats",
        text: "A team plan has 25 seats. More seats can be bought at any time.",
      }],
    },
    metadata: { topic: "plans" },
  },
].map((line) => JSON.stringify(line)).join("\n") + "\n";

/** The files of a new project, and what is to be done before its first run. */
export interface Template {
  readonly files: readonly TemplateFile[];
  /** Lines of `.gitignore` besides that of the store. */
  readonly ignored: readonly string[];
  readonly first?: string;
}

/** The template of a kind. */
export async function templateOf(kind: InitKind): Promise<Template> {
  const { system, evaluators = EVALUATORS, files, ignored = [], first } = kind === "ts" || kind === "js"
    ? scriptParts(kind)
    : await kindParts(kind);
  return {
    files: [
      {
        name: "oloproof.yaml",
        holds: "what is run, and how it is judged",
        text: projectFile(system, evaluators),
      },
      ...files,
      { name: "cases.jsonl", holds: "three questions with what is expected", text: casesFile },
    ],
    ignored,
    ...(first === undefined ? {} : { first }),
  };
}

function scriptParts(kind: "ts" | "js"): KindParts {
  return {
    system: `  rag:\n    object: app.${kind}:helpDesk    # module:export\n`,
    files: [
      { name: `app.${kind}`, holds: "the system: a retriever and a generator", text: appFile(kind === "ts") },
    ],
  };
}
