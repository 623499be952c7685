/** The evidence funnel: how far the relevant units came on their way to the generator. */
import { compareText } from "../domain/error.ts";
import type { CaseRecord } from "../domain/record.ts";
import { isReported, type ReportedPart, type SystemSettings } from "../domain/settings.ts";
import { findRelevant, type RelevanceUnit, relevantIn, unitKey } from "../domain/relevance.ts";
import type { Funnel, UnitPosition } from "../domain/run_report.ts";

/** Folds records into a funnel, in any order. */
export class FunnelFold {
  #cases = 0;
  #relevant = 0;
  #retrieved = 0;
  #within = 0;
  #inContext = 0;
  readonly #positions = new Map<string, UnitPosition>();

  constructor(
    private readonly unit: RelevanceUnit,
    private readonly system: Pick<SystemSettings, "top_k" | "reports" | "ranked">,
  ) {}

  add(record: CaseRecord): void {
    if (record.error !== undefined) return;
    const candidates = this.#part(record, "candidates");
    const context = this.#part(record, "context");
    // What the system declares to report and did not would be counted as lost.
    if (candidates === undefined || context === undefined) return;
    const relevant = relevantIn(record.case.expected, this.unit);
    const found = findRelevant(candidates, relevant, this.unit);
    if (relevant.size === 0 || found === undefined) return;
    const sent = new Set(context.map((passage) => unitKey(passage, this.unit)));
    const { top_k } = this.system;
    this.#cases++;
    this.#relevant += relevant.size;
    this.#retrieved += found.length;
    this.#within += found.filter(({ position }) => position <= (top_k ?? 0)).length;
    this.#inContext += [...relevant.keys()].filter((unit) => sent.has(unit)).length;
    const positions = new Map(found.map(({ unit, position }) => [unit, position]));
    for (const unit of relevant.keys()) {
      const position = positions.get(unit) ?? null;
      this.#addPosition(position, fateOf(position, sent.has(unit), record));
    }
  }

  #addPosition(position: number | null, fate: UnitPosition["fate"]): void {
    const key = `${position} ${fate}`;
    const units = (this.#positions.get(key)?.units ?? 0) + 1;
    this.#positions.set(key, { position, fate, units });
  }

  /** By position, those that were not retrieved last; at one position by fate. */
  #sortedPositions(): readonly UnitPosition[] {
    const place = ({ position }: UnitPosition) => position ?? Infinity;
    return [...this.#positions.values()].sort((a, b) =>
      place(a) === place(b) ? compareText(a.fate, b.fate) : place(a) - place(b)
    );
  }

  /** A part of the record; empty where the system never tells it, since then nothing is counted by it. */
  #part(record: CaseRecord, part: ReportedPart): CaseRecord["candidates"] {
    return isReported(this.system, part) ? record[part] : [];
  }

  funnel(): Funnel {
    const { top_k, ranked } = this.system;
    const known = isReported(this.system, "candidates");
    return {
      unit: this.unit,
      cases: this.#cases,
      relevant: this.#relevant,
      retrieved: known ? this.#retrieved : null,
      within_top_k: known && ranked !== false && top_k !== null ? this.#within : null,
      in_context: isReported(this.system, "context") ? this.#inContext : null,
      positions: known && ranked !== false ? this.#sortedPositions() : null,
    };
  }
}

function fateOf(position: number | null, isSent: boolean, { dropped }: CaseRecord): UnitPosition["fate"] {
  if (isSent) return "in_context";
  if (position === null) return "not_retrieved";
  return dropped?.find((passage) => passage.position === position)?.reason ?? "not_known";
}
