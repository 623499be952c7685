/** One case through a system that answers in one stage, or through outputs that were recorded before. */
import type { Case } from "../domain/case.ts";
import { canonicalJson } from "../domain/identity.ts";
import { copyJson, type Json } from "../domain/json.ts";
import type { Assembly, Passage } from "../domain/passage.ts";
import { accountForContext } from "./assemble.ts";
import { callStage } from "./call_stage.ts";
import type { CaseExecution, CaseSurroundings } from "./case_execution.ts";
import type { SystemIdentity } from "./identities.ts";
import type { AnswerStage } from "./rag_system.ts";
import { type Answer, InvalidOutput, readWholeAnswer } from "./read_output.ts";
import type { RecordedOutput } from "./read_record.ts";

/** Calls `answer` once; a fixed context is handed to it. What it tells of itself becomes candidates and context. */
export async function executeAnswer(
  input: Json,
  { stages, identity }: { readonly stages: AnswerStage; readonly identity: SystemIdentity },
  execution: string,
  surroundings: CaseSurroundings,
): Promise<CaseExecution> {
  const { settings } = identity;
  const { cache, fixedContext } = surroundings;
  const made = await callStage(
    "answer",
    (tools) =>
      stages.answer(copyJson(input), {
        ...tools,
        params: copyJson(settings.params.generate),
        ...(fixedContext === undefined ? {} : { context: copyJson(fixedContext) }),
      }),
    (returned) => withFixedContext(readWholeAnswer(returned, settings), fixedContext),
    surroundings.limits,
    surroundings,
  );
  if (!made.ok) return { error: made.failure, stages: { answer: "miss" } };
  const { value: answer, cost } = made;
  return {
    ...cache.keepAnswer(execution, answer, cost),
    ...assemblyOf(answer),
    stages: { answer: "miss" },
  };
}

/** An answer from another context than the one that it was given would be taken for evidence about that one. */
function withFixedContext(answer: Answer, fixed: readonly Passage[] | undefined): Answer {
  if (fixed === undefined) return answer;
  const namesOf = (passages: readonly Passage[]) => passages.map(({ doc_id }) => doc_id).join("\n");
  if (answer.context !== undefined && namesOf(answer.context) !== namesOf(fixed)) {
    throw new InvalidOutput(
      "answer was given a context and reports another one; with accepts_context it answers from what it is given",
    );
  }
  return { ...answer, context: fixed };
}

/** Replays what was recorded of a case. No record is a failure of the recording, never a wrong answer. */
export function replayRecord(
  testCase: Case,
  recorded: RecordedOutput | undefined,
  execution: string,
  { cache }: Pick<CaseSurroundings, "cache">,
): CaseExecution {
  const failed = (message: string): CaseExecution => ({
    error: { stage: "answer", kind: "not_recorded", message },
    stages: {},
  });
  if (recorded === undefined) return failed("the records hold no output for this case");
  const { answer, error, input, usage } = recorded;
  if (input !== undefined && canonicalJson(input) !== canonicalJson(testCase.input)) {
    return failed("the record is of another input than the case has now");
  }
  if (error !== undefined) return { error, stages: {} };
  return {
    ...cache.keepAnswer(execution, answer, usage === undefined ? {} : { usage }),
    ...assemblyOf(answer),
    stages: {},
  };
}

function assemblyOf({ candidates, context }: Answer): { readonly assembly?: Assembly } {
  if (context === undefined) return {};
  return {
    assembly: candidates === undefined ? { context, dropped: [] } : accountForContext(candidates, context),
  };
}
