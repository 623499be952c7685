/** docs/protocol.md is true: its program answers what the document shows, and its projects can be run. */
import assert from "node:assert/strict";
import { parseProject } from "../../lib/config/parse_project.ts";
import { openProject } from "../../lib/commands/open_project.ts";
import { run } from "../../lib/commands/run.ts";
import { readText } from "../../lib/host/message.ts";
import { testSurroundings } from "../commands/run_surroundings.ts";
import { folderOf } from "../system/project_folder.ts";

const text = await Deno.readTextFile(new URL("../../docs/protocol.md", import.meta.url));

function blocksOf(language: string): readonly string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "gms"))].map(([, block = ""]) =>
    block
  );
}

Deno.test("what is typed into a shell is answered as it is shown", async () => {
  const [program = ""] = blocksOf("python");
  const [transcript = ""] = blocksOf("console");
  const [command = "", ...lines] = transcript.trim().split("\n");
  const folder = await folderOf({ "shout.py": program });
  const [name = "", ...args] = command.replace("$ ", "").split(" ");
  const child = new Deno.Command(name, { args, cwd: folder, stdin: "piped", stdout: "piped" }).spawn();
  const isTyped = (line: string) => line.includes('"method"');
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(lines.filter(isTyped).map((line) => `${line}\n`).join("")));
  await writer.close();
  const { code, stdout } = await child.output();
  assert.equal(code, 0);
  assert.deepEqual(
    new TextDecoder().decode(stdout).trim().split("\n"),
    lines.filter((line) => !isTyped(line)),
  );
});

Deno.test("the document's project runs its program", async () => {
  const [program = ""] = blocksOf("python");
  const [project = ""] = blocksOf("yaml");
  const folder = await folderOf({
    "shout.py": program,
    "oloproof.yaml": project,
    "cases.jsonl": '{"id": "a", "input": {"question": "why?"}, "expected": {"text": "WHY?"}}\n',
  });
  const report = await run(await openProject(folder, { cwd: folder }), {}, testSurroundings());
  assert.equal(report.metrics[0]?.estimate, 1);
});

Deno.test("the README's Python class is a system that runs", async () => {
  const readme = await Deno.readTextFile(new URL("../../README.md", import.meta.url));
  const [, app = ""] = /^```python\n(.*?)^```$/ms.exec(readme) ?? [];
  const folder = await folderOf({
    "app.py": app,
    "oloproof.yaml": 'system: {rag: {object: "app:HelpDesk"}}\nevaluators: [{type: citation_validity}]\n',
    "cases.jsonl": '{"id": "a", "input": {"question": "why?"}}\n',
  });
  const report = await run(await openProject(folder, { cwd: folder }), {}, testSurroundings());
  assert.equal(report.metrics[0]?.estimate, 1);
  assert.deepEqual(report.usage.generate?.usage, { input_tokens: 120, output_tokens: 15 });
});

Deno.test("the document's service is a valid project, and its error a message", () => {
  const [, service = ""] = blocksOf("yaml");
  assert.deepEqual(parseProject(service, { file: "oloproof.yaml", root: "/" }).ok, true);
  const [error = ""] = blocksOf("json");
  const line = readText(error.trim());
  assert.ok(line.kind === "reply" && !line.reply.ok && line.reply.error.kind === "exception");
});
