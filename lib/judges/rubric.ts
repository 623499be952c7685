/** The rubric that is shipped: an answer against its reference. */

/** How the project file names it. */
export const CORRECTNESS = "correctness";

const correctness = `The answer passes when it gives the same answer to the question as the reference does.
- Wording, order, length and language do not matter; facts, figures, units, names and dates do.
- It may say more than the reference, as long as nothing of it contradicts the reference.
- It fails when it leaves out a part of the reference that the question asks for, when it contradicts the reference anywhere, when
  it hedges between the reference and something else, and when it does not answer.
- Where there are several references, agreeing with any one of them is enough.
- Judge by the reference alone, even where you know or believe something else.`;

/** The text of a rubric: the shipped one by its name, or the text itself. */
export function rubricText(rubric: string): string {
  return rubric === CORRECTNESS ? correctness : rubric.trim();
}
