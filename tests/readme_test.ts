/** The documents are true: what they show is what the program prints, and their code runs. */
import assert from "node:assert/strict";
import { parseCaseLine } from "../lib/config/parse_case.ts";
import { parseProject } from "../lib/config/parse_project.ts";
import { startSession } from "./cli/session.ts";
import { assertShows } from "./cli/transcript.ts";

const documents = ["README.md", "examples/support_rag/README.md", "examples/judged_answers/README.md"];

for (const document of documents) {
  Deno.test(`${document} shows what the program prints`, async () => {
    const text = await Deno.readTextFile(new URL(`../${document}`, import.meta.url));
    const transcripts = [...text.matchAll(/^```console\n(.*?)^```$/gms)].map(([, block = ""]) => block);
    const session = await startSession(["support_rag", "judged_answers"]);
    await assertShows(transcripts.join("\n"), session);
  });
}

Deno.test("the README's project file and case are valid", async () => {
  const text = await Deno.readTextFile(new URL("../README.md", import.meta.url));
  const [, yaml = ""] = /^```yaml\n(.*?)^```$/ms.exec(text) ?? [];
  assert.deepEqual(parseProject(yaml, { file: "README.md", root: "/" }).ok, true);
  const [, line = ""] = /^```json\n(.*?)^```$/ms.exec(text) ?? [];
  assert.deepEqual(parseCaseLine(line.trim(), { file: "README.md", line: 1 }, "document")?.ok, true);
});
