/**
 * What a process of its own costs: `deno run -A tests/host/overhead.ts [cases]`. Runs equal systems that do nothing, in this process
 * and in others, 8 cases at once, and prints what each stage call takes longer.
 */
import { openProject } from "../../lib/commands/open_project.ts";
import { run } from "../../lib/commands/run.ts";
import { testSurroundings } from "../commands/run_surroundings.ts";

const CASES = Number(Deno.args[0] ?? 5000);

const app = `export const idle = { name: "idle", version: "1", depth: 3, top_k: 2,
  retrieve: ({ text }) => ({ query: text, candidates: [0, 1, 2].map((n) => ({ doc_id: "d" + n, text: text + n })) }),
  generate: ({ text }) => ({ answer: text }) };`;
const systems: Readonly<
  Record<string, { readonly rag: unknown; readonly file: string; readonly text: string }>
> = {
  "in process": {
    rag: { object: "app:idle" },
    file: "app.mjs",
    text: app,
  },
  "deno": { rag: { object: "app:idle", runtime: "deno" }, file: "app.mjs", text: app },
  "node": { rag: { object: "app:idle", runtime: "node" }, file: "app.mjs", text: app },
  "python, threads": { rag: { object: "app:Idle" }, file: "app.py", text: python("def") },
  "python, async": { rag: { object: "app:Idle" }, file: "app.py", text: python("async def") },
  "command": {
    rag: { command: ["python3", "peer.py"] },
    file: "peer.py",
    text: await Deno.readTextFile(new URL("systems/peer.py", import.meta.url)),
  },
};

function python(def: string): string {
  return `from oloproof import rag_system, Passage, Retrieval
@rag_system(name="idle", version="1", depth=3, top_k=2)
class Idle:
    ${def} retrieve(self, input, depth):
        text = input["text"]
        return Retrieval(query=text, candidates=[Passage(doc_id=f"d{n}", text=f"{text}{n}") for n in range(3)])
    ${def} generate(self, input, context):
        return {"answer": input["text"]}
`;
}

async function secondsOf({ rag, file, text }: (typeof systems)[string]): Promise<number> {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/${file}`, text);
    const project = { system: { rag }, evaluators: [{ type: "completed" }] };
    await Deno.writeTextFile(`${folder}/oloproof.yaml`, JSON.stringify(project));
    const lines = Array.from(
      { length: CASES },
      (_, n) =>
        JSON.stringify({ id: `c${n}`, input: { text: `question ${n} ${"of many words ".repeat(10)}` } }),
    );
    await Deno.writeTextFile(`${folder}/cases.jsonl`, lines.join("\n"));
    const start = performance.now();
    const report = await run(await openProject(folder, { cwd: folder }), {}, testSurroundings());
    if (report.failures.length > 0) throw new Error(report.failures[0]?.message);
    return (performance.now() - start) / 1000;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const print = (text: string) => Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
let base = 0;
for (const [name, system] of Object.entries(systems)) {
  const seconds = await secondsOf(system);
  if (name === "in process") base = seconds;
  const more = 1000 * (seconds - base) / (2 * CASES);
  print(
    `${name.padEnd(16)} ${seconds.toFixed(2)} s for ${CASES} cases, ${more.toFixed(3)} ms more a stage call`,
  );
}
