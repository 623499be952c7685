/** Tables for the terminal: one rule under the header, none between rows. */
import Table from "cli-table3";
import { printable } from "./printable.ts";

const noRule = { "left-mid": "", "mid": "", "mid-mid": "", "right-mid": "" };

/** A boxed table of text cells. Identical on a terminal and in a pipe. */
export function textTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const table = new Table({ head: [...header], style: { head: [], border: [] } });
  for (const [index, row] of rows.entries()) {
    // The rule above the first row stands under the header; those above the others are left out.
    table.push(row.map((cell) => ({
      content: printable(cell),
      ...(index === 0 ? {} : { chars: noRule }),
    })));
  }
  return table.toString();
}
