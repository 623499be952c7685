/** Cases as many as wanted, with evidence of a size that is met outside: a corpus of passages, ten of them a case. */
import type { ReportedCase } from "../../lib/page/case_rows.ts";
import type { Passage } from "../../lib/domain/passage.ts";

/** Numbers that look random and are always the same. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor(state / 2 ** 32 * below);
  };
}

/** `count` cases over 20,000 passages of some 800 characters. */
export async function* manyCases(count: number): AsyncGenerator<ReportedCase> {
  const next = numbers(7);
  const words = Array.from(
    { length: 6000 },
    () => Array.from({ length: 3 + next(8) }, () => String.fromCharCode(97 + next(26))).join(""),
  );
  const text = (length: number) =>
    Array.from({ length }, () => words[next(60) * next(100)] ?? "word").join(" ");
  const corpus = Array.from(
    { length: 20_000 },
    (_, index): Passage => ({ doc_id: `doc-${index}`, text: text(110) }),
  );
  for (let index = 0; index < count; index++) {
    const candidates = Array.from({ length: 10 }, (_, place) => ({
      ...corpus[next(corpus.length)] ?? { doc_id: "none" },
      score: (10 - place) / 10 + next(1000) / 10_000,
    }));
    const judgment = { status: "observed", value: next(4) > 0 } as const;
    yield {
      executions: [{
        relevance_unit: "document",
        run_id: "run_A",
        record: {
          case: {
            id: `case-${index}`,
            input: { question: text(15) },
            expected: { answer: text(5), relevant: [{ doc_id: candidates[next(10)]?.doc_id ?? "" }] },
          },
          candidates,
          context: candidates.slice(0, 4),
          dropped: candidates.slice(4).map(({ doc_id }, place) => ({
            position: place + 5,
            doc_id,
            reason: "beyond_top_k" as const,
          })),
          output: { answer: text(60) },
        },
        entry: [],
        judgments: [{ criterion: "answer_correct", judgment }],
        cache: { execution: "miss", judgment: { hit: 0, miss: 1 } },
        costs: {},
      }],
      judgments: new Map([["answer_correct", judgment]]),
    };
    await Promise.resolve();
  }
}
