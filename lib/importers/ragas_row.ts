/** One row of ragas. */
import type { Issue } from "../domain/error.ts";
import type { Json, JsonObject } from "../domain/json.ts";
import { quote } from "../config/quote.ts";
import type { SourceRow } from "./json_rows.ts";
import { readPythonList } from "./python_list.ts";
import type { Remarks } from "./remarks.ts";

/** A named text of a row's context. */
export interface NamedText {
  /** The id that the row gives; absent = its text alone names it. */
  readonly id?: string;
  /** Absent where a row gives ids alone. */
  readonly text?: string;
}

/** What a row says; what it does not say is absent. */
export interface RagasRow {
  readonly id?: string;
  readonly question: string;
  readonly response?: string;
  readonly reference?: string;
  readonly contexts?: readonly NamedText[];
  readonly reference_contexts?: readonly NamedText[];
  /** All other columns, such as scores. */
  readonly metadata: JsonObject;
}

/** A row, all its mistakes, or nothing where it is left out. */
export type RagasReading =
  | { readonly ok: true; readonly row: RagasRow | undefined }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** The names of a column, today's first. */
const NAMES = {
  question: ["user_input", "question"],
  response: ["response", "answer"],
  contexts: ["retrieved_contexts", "contexts"],
  context_ids: ["retrieved_context_ids"],
  reference: ["reference", "ground_truth", "ground_truths"],
  reference_contexts: ["reference_contexts"],
  reference_ids: ["reference_context_ids"],
  id: ["id"],
} as const;

const MULTI_TURN = {
  code: "multi_turn",
  message: "Left out: rows whose user_input is a list of messages",
  hint: "a conversation is one case per turn, with its history in the input",
};

/** Reads a row. Null is absent; so is an empty cell of CSV. */
export function readRagasRow(row: SourceRow, remarks: Remarks): RagasReading {
  const columns = new Columns(row);
  if (Array.isArray(columns.value("question"))) {
    remarks.add(MULTI_TURN, row.place);
    return { ok: true, row: undefined };
  }
  const question = columns.text("question");
  const read = {
    id: columns.text("id"),
    response: columns.text("response"),
    reference: columns.text("reference"),
    contexts: columns.named("contexts", "context_ids"),
    reference_contexts: columns.named("reference_contexts", "reference_ids"),
  };
  if (question === undefined && columns.issues.length === 0) {
    const message = `The row needs the key "user_input" (or "question"): what was asked`;
    columns.issues.push({ code: "missing_key", message, ...row.place });
  }
  if (columns.issues.length > 0 || question === undefined) return { ok: false, issues: columns.issues };
  const given = Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
  return { ok: true, row: { ...given, question, metadata: columns.rest() } };
}

class Columns {
  readonly issues: Issue[] = [];
  readonly #used = new Set<string>();

  constructor(private readonly row: SourceRow) {}

  value(column: keyof typeof NAMES): Json | undefined {
    const key = this.#key(column);
    return key === undefined ? undefined : this.row.value[key];
  }

  text(column: keyof typeof NAMES): string | undefined {
    const key = this.#key(column);
    const value = key === undefined ? undefined : this.row.value[key];
    if (key === undefined || value === undefined) return undefined;
    if (typeof value === "string") return value;
    if (column === "id" && Number.isInteger(value)) return String(value);
    // Of old a list of references, of which ragas itself read the first.
    if (key === "ground_truths" && Array.isArray(value) && typeof value[0] === "string") return value[0];
    this.#refuse(key, "text", value);
    return undefined;
  }

  /** Texts with their ids, one by one. */
  named(texts: keyof typeof NAMES, ids: keyof typeof NAMES): readonly NamedText[] | undefined {
    const [text, id] = [this.#list(texts), this.#list(ids)];
    if (text !== undefined && id !== undefined && text.length !== id.length) {
      const message = `${this.#key(ids)} has ${id.length} members, ${this.#key(texts)} has ${text.length}`;
      this.issues.push({ code: "invalid_value", message, ...this.row.placeOf(this.#key(ids) ?? "") });
      return undefined;
    }
    if (id?.includes("")) this.#refuse(this.#key(ids) ?? "", "a list of ids, none of them empty", [...id]);
    const length = text?.length ?? id?.length;
    if (length === undefined) return undefined;
    return Array.from({ length }, (_none, index) => {
      const [one, name] = [text?.[index], id?.[index]];
      return { ...(name === undefined ? {} : { id: name }), ...(one === undefined ? {} : { text: one }) };
    });
  }

  rest(): JsonObject {
    return Object.fromEntries(
      Object.entries(this.row.value).filter(([key, value]) => !this.#used.has(key) && value !== null),
    );
  }

  #list(column: keyof typeof NAMES): readonly string[] | undefined {
    const key = this.#key(column);
    const value = key === undefined ? undefined : this.row.value[key];
    if (key === undefined || value === undefined) return undefined;
    const list = typeof value === "string" ? listOf(value) : value;
    const members = Array.isArray(list)
      ? list.map((member: Json) => Number.isInteger(member) ? String(member) : member)
      : undefined;
    if (members?.every((member) => typeof member === "string")) return members;
    this.#refuse(key, "a list of texts", value);
    return undefined;
  }

  /** The name under which the row has a column; null is none. */
  #key(column: keyof typeof NAMES): string | undefined {
    const key = NAMES[column].find((name) => (this.row.value[name] ?? null) !== null);
    if (key !== undefined) this.#used.add(key);
    return key;
  }

  #refuse(key: string, allowed: string, value: Json): void {
    const message = `${key} must be ${allowed}, not ${quote(value)}`;
    const hint = allowed === "text"
      ? {}
      : { hint: "in CSV, a list is written as JSON or as Python prints it" };
    this.issues.push({ code: "invalid_type", message, ...this.row.placeOf(key), ...hint });
  }
}

/** A list in a cell of CSV: as JSON writes it, or as Python does. */
function listOf(text: string): Json | undefined {
  const list = readPythonList(text);
  if (list !== undefined) return list;
  try {
    return JSON.parse(text);
  } catch {
    // Neither: the row is refused with the text.
    return undefined;
  }
}
