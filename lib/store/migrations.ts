/** The schema of the store, as numbered steps. A step that was released is never edited; a change is a new step. */

/**
 * Entry tables (retrievals, generations, judgments) hold evidence, each piece once and only ever added to; their ids are
 * `run number * 2^24 + n`, so an id tells which run made the entry. run_cases ties a run's case to its entries. Identities are
 * kept as the 32 bytes that they are, and found by the first of them (identity_index.ts). A run's attempt rises whenever it is resumed, and only its newest attempt writes. The number of
 * a run is never given again, even when the run was forgotten: its entries may still be used, and its writer may still live. A
 * document (a diagnosis) has its content under a hash as its id, and beside it what is
 * outside the hash; made again, it is a new row with the same id.
 * Verdicts of judges stand apart: they belong to no run, and go with the last judgments of the record that they are about.
 */
const first = [
  `CREATE TABLE runs (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    status TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    finished_at TEXT,
    forgotten INTEGER NOT NULL DEFAULT 0,
    header TEXT NOT NULL
  ) STRICT`,
  // With row ids: contents in the order of their digests would be written all over the file.
  `CREATE TABLE case_contents (digest BLOB NOT NULL PRIMARY KEY, content TEXT NOT NULL) STRICT`,
  `CREATE TABLE retrievals (
    id INTEGER PRIMARY KEY,
    identity BLOB NOT NULL,
    content TEXT NOT NULL,
    cost TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX retrievals_by_identity ON retrievals (substr(identity, 1, 8))`,
  `CREATE TABLE generations (
    id INTEGER PRIMARY KEY,
    identity BLOB NOT NULL,
    content TEXT NOT NULL,
    cost TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX generations_by_identity ON generations (substr(identity, 1, 8))`,
  `CREATE TABLE evaluator_sets (number INTEGER PRIMARY KEY, evaluators TEXT NOT NULL UNIQUE) STRICT`,
  `CREATE TABLE judgments (
    id INTEGER PRIMARY KEY,
    record BLOB NOT NULL,
    evaluator_set INTEGER NOT NULL REFERENCES evaluator_sets,
    content TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX judgments_by_record ON judgments (substr(record, 1, 8))`,
  `CREATE TABLE judge_calls (
    number INTEGER PRIMARY KEY,
    identity BLOB NOT NULL,
    record BLOB NOT NULL,
    run_id TEXT,
    verdict TEXT NOT NULL,
    usage TEXT
  ) STRICT`,
  `CREATE INDEX judge_calls_by_identity ON judge_calls (substr(identity, 1, 8))`,
  `CREATE TABLE run_cases (
    run INTEGER NOT NULL REFERENCES runs,
    ordinal INTEGER NOT NULL,
    repeat INTEGER NOT NULL,
    case_id TEXT NOT NULL,
    case_digest BLOB NOT NULL REFERENCES case_contents,
    execution BLOB NOT NULL,
    retrieval INTEGER REFERENCES retrievals,
    generation INTEGER REFERENCES generations,
    judgments INTEGER NOT NULL REFERENCES judgments,
    assembly TEXT,
    error TEXT,
    cache TEXT NOT NULL,
    judge_calls TEXT,
    PRIMARY KEY (run, ordinal, repeat)
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX run_cases_by_execution ON run_cases (substr(execution, 1, 8)) WHERE error IS NULL`,
  `CREATE TABLE documents (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    run_id TEXT NOT NULL,
    question TEXT NOT NULL,
    content TEXT NOT NULL,
    beside TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX documents_by_id ON documents (id)`,
  `CREATE INDEX documents_by_question ON documents (run_id, question)`,
  `CREATE INDEX documents_by_question_alone ON documents (question)`,
];

/** Step n brings a store from version n to version n + 1. */
export const migrations: readonly (readonly string[])[] = [first];
