/** Checks that span several parameters of an evaluator. */

/**
 * Lets such a check run though one of the parameters has a mistake of its own, so that all mistakes are told
 * at once. The check must not trust the types of what it is given.
 */
export const besideOtherMistakes: { when(payload: { value: unknown }): boolean } = {
  when: ({ value }) => typeof value === "object" && value !== null,
};
