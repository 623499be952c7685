/** A key of an expectation that is misspelt only leaves cases out: `validate` tells it. */
import assert from "node:assert/strict";
import { openProject } from "../../lib/commands/open_project.ts";
import { validate } from "../../lib/commands/validate.ts";
import { folderOf } from "../system/project_folder.ts";
import { testSurroundings } from "./run_surroundings.ts";

async function noticesFor(...expectations: readonly unknown[]): Promise<readonly string[]> {
  const lines = expectations.map((expected, index) =>
    JSON.stringify({ id: `c${index}`, input: "q", expected })
  );
  const folder = await folderOf({
    "oloproof.yaml": `system: {name: log, version: "1", rag: {records: records.jsonl}}
evaluators:
  - {type: contains, field: answer, expected_field: context.text}
  - {type: hit_rate, k: 1}
`,
    "cases.jsonl": lines.join("\n"),
    "records.jsonl": lines.map((_, index) => JSON.stringify({ case_id: `c${index}`, output: 1 })).join("\n"),
  });
  const { notices } = await validate(await openProject(folder, { cwd: folder }), testSurroundings());
  return notices.filter(({ code }) => code === "misspelt_key").map(({ message, hint }) =>
    `${message}; ${hint}`
  );
}

const relevant = [{ doc_id: "a" }];

Deno.test("a key beside the one that was meant is told with the case, and how many have it", async () => {
  assert.deepEqual(
    await noticesFor({ relevant }, { relevent: relevant }, { goldContext: [] }, { goldContext: [] }),
    [
      'No evaluator names expected.relevent, which the case "c1" has; did you mean "relevant"?',
      'No evaluator names expected.goldContext, which 2 cases have, the first "c2"; did you mean "gold_context"?',
    ],
  );
});

Deno.test("nothing is told of keys that evaluators name, that are far from ours, or that stand beside ours", async () => {
  const expected = { context: { text: "t" }, reference: "r", source: "s", relevant, relevant_note: "n" };
  assert.deepEqual(await noticesFor(expected, "relevent", null), []);
});
