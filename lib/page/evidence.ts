/** The cases of a report as they are embedded in it: what a browser unpacks and shows. Every text is printable already. */

/** A cell: a text, a number, or a text that is grouped under another one and sorted by a number. */
export type EvidenceCell = string | number | readonly [text: string, group: string, order: number];

/** A column of the table of cases. */
export interface EvidenceColumn {
  readonly name: string;
  readonly numeric?: boolean;
  /** Whether it shows the beginning of a text, which needs some room. */
  readonly preview?: boolean;
  /** Whether the rows can be chosen by the groups of this column. */
  readonly choice?: boolean;
}

/** A candidate: the index of its passage, score, tokens, 1 when it is labelled relevant, and what became of it. */
export type EvidenceCandidate = readonly [
  passage: number,
  score: number | null,
  tokens: number | null,
  relevant: 0 | 1,
  fate: string,
];

/** One execution of a case. What the page leaves out, or the system does not tell, is absent. */
export interface EvidenceExecution {
  /** Which one it is, such as `baseline` or `control`; empty where there is only one. */
  readonly name: string;
  readonly query?: string;
  readonly candidates?: readonly EvidenceCandidate[];
  /** Why there are no candidates, or no context. */
  readonly notes: readonly string[];
  /** Indices of passages. */
  readonly context?: readonly number[];
  readonly output?: string;
  readonly error?: string;
  readonly judgments: readonly (readonly [criterion: string, judgment: string])[];
}

/** Everything that is shown of a case when it is opened. */
export interface EvidenceDetail {
  readonly id: string;
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly executions: readonly EvidenceExecution[];
}

/** A case in the table, and what is shown when it is opened. */
export interface EvidenceRow {
  readonly cells: readonly EvidenceCell[];
  readonly detail: EvidenceDetail;
}

/** A passage: its name, and its text and metadata where they are shown. */
export type EvidencePassage = readonly [name: string, text: string | null, metadata: string | null];
