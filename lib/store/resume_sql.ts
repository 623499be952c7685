/** What a store knows of a run that goes on. */

/** Makes a run (its id is the argument) run again, with the next attempt. */
export const resumeSql = `UPDATE runs SET attempt = attempt + 1, status = 'running', finished_at = NULL
  WHERE run_id = ? RETURNING number, attempt`;

/** The highest id of a run's entries, whose ids go from the first argument to the second; null without any. */
export const lastEntrySql = `SELECT max(id) AS id FROM (
  SELECT max(id) AS id FROM retrievals WHERE id BETWEEN ?1 AND ?2
  UNION ALL SELECT max(id) FROM generations WHERE id BETWEEN ?1 AND ?2
  UNION ALL SELECT max(id) FROM judgments WHERE id BETWEEN ?1 AND ?2)`;

/** In which rows an entry counts as made, by the text of their cache outcomes. */
const made = {
  // Without an outcome of retrieve: one stage, or recorded outputs, whose evidence is made with the execution.
  retrieval: "(cache LIKE 'miss,miss,%' OR cache LIKE 'miss,,%')",
  generation: "(cache LIKE 'miss,%,miss,%' OR cache LIKE 'miss,,%')",
  // All of a hit and none of a miss: found. A failed execution has none of either, and an entry that nobody looks for.
  judgments: "(cache NOT LIKE '%,0' OR cache LIKE '%,0,0')",
} as const;

/** The entries of the run of the third argument that none of its rows counts as made. */
export function orphansSql(table: "retrievals" | "generations" | "judgments"): string {
  const column = table === "retrievals" ? "retrieval" : table === "generations" ? "generation" : "judgments";
  return `SELECT id FROM ${table} WHERE id BETWEEN ?1 AND ?2
    EXCEPT SELECT ${column} FROM run_cases WHERE run = ?3 AND ${made[column]}`;
}

/**
 * Copies rows of one run (the second argument is its id) to the run of the first, with other cache outcomes (the third); the fourth
 * holds their places. Each place looks for its row (CROSS JOIN is taken in its order), not each row for its place.
 */
export const carrySql = `INSERT INTO run_cases
  SELECT ?1, ordinal, repeat, case_id, case_digest, execution, retrieval, generation, judgments, assembly, error, ?3,
    CASE WHEN judge_calls IS NULL THEN NULL
      ELSE json_object('hit', judge_calls ->> 'hit' + judge_calls ->> 'miss', 'miss', 0) END
  FROM json_each(?4) AS place CROSS JOIN run_cases ON run = (SELECT number FROM runs WHERE run_id = ?2)
    AND ordinal = place.value ->> 0 AND repeat = place.value ->> 1`;
