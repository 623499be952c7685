import assert from "node:assert/strict";
import { issuesError, OloproofError } from "../../lib/domain/error.ts";
import { errorJson, errorText, noticeText } from "../../lib/report/error_text.ts";

const error = new OloproofError("Cannot open the store: it is a folder", {
  code: "store_unwritable",
  kind: "configuration",
  where: "/a/b",
  hint: "name a file",
});
const mistakes = issuesError("Cannot open the project", [
  {
    code: "unknown_key",
    message: 'there is no key "topk"',
    file: "a.yaml",
    line: 3,
    column: 5,
    hint: 'did you mean "top_k"?',
  },
  { code: "wrong_value", message: "k is 9", file: "a.yaml" },
]);

Deno.test("errorText: code, what failed, where, what to do", () => {
  assert.equal(
    errorText(error),
    "error[store_unwritable]: Cannot open the store: it is a folder\n  at /a/b\nhint: name a file\n",
  );
  const bare = new OloproofError("No command was given", { code: "usage", kind: "configuration" });
  assert.equal(errorText(bare), "error[usage]: No command was given\n");
});

Deno.test("errorText: every mistake on a line with its place, its hint below it", () => {
  assert.deepEqual(errorText(mistakes).split("\n"), [
    "error[invalid_project]: Cannot open the project: 2 mistakes",
    "  a.yaml: k is 9",
    '  a.yaml:3:5: there is no key "topk"',
    '    hint: did you mean "top_k"?',
    "",
  ]);
});

Deno.test("errorText: what others wrote cannot move the cursor", () => {
  const hostile = new OloproofError("Cannot load \u001b[2J", {
    code: "module_failed",
    kind: "configuration",
    where: "\u202eapp.ts",
    hint: "see \u009bm",
  });
  assert.doesNotMatch(errorText(hostile), /(?!\n)\p{Cc}|\p{Bidi_Control}/u);
  const issue = { code: "a", message: "b\u0007", file: "c\u001b", hint: "d\u0000" };
  assert.doesNotMatch(errorText(issuesError("e", [issue])), /(?!\n)\p{Cc}/u);
});

Deno.test("errorJson: the parts apart, null where there is none", () => {
  assert.deepEqual(errorJson(error), {
    error: {
      code: "store_unwritable",
      message: "Cannot open the store: it is a folder",
      where: "/a/b",
      hint: "name a file",
    },
  });
  assert.deepEqual(errorJson(mistakes), {
    error: {
      code: "invalid_project",
      message: "Cannot open the project: 2 mistakes",
      where: "a.yaml",
      hint: null,
      issues: mistakes.issues,
    },
  });
});

Deno.test("noticeText: a notice, or a problem that makes the command fail", () => {
  const notice = { severity: "notice", code: "no_evaluators", message: "nothing was judged" } as const;
  assert.equal(noticeText(notice), "notice[no_evaluators]: nothing was judged\n");
  assert.equal(
    noticeText({ ...notice, severity: "problem", hint: "add one\u001b" }),
    "error[no_evaluators]: nothing was judged\nhint: add one\\u{1b}\n",
  );
});
