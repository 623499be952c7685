/** The cases of a report, packed: rows, details and passages in blocks of their own. */
import { BlockWriter } from "./data_blocks.ts";
import type {
  EvidenceCell,
  EvidenceColumn,
  EvidenceDetail,
  EvidencePassage,
  EvidenceRow,
} from "./evidence.ts";
import type { PassagePool } from "./passage_pool.ts";

/** The table of cases of a report. */
export interface ReportedCases {
  readonly heading: string;
  readonly columns: readonly EvidenceColumn[];
  readonly rows: AsyncIterable<EvidenceRow>;
  /** Into which the rows put their passages as they are made. */
  readonly pool: PassagePool;
}

/** A row as it is packed: the block and the place of its detail, then its cells. */
type PackedRow = readonly [block: number, place: number, ...cells: EvidenceCell[]];

/** The blocks as they are filled, and last what a browser needs to find its way among them. */
export async function* packedCases({ columns, rows, pool }: ReportedCases): AsyncGenerator<string> {
  const details = new BlockWriter<EvidenceDetail>("cases");
  const passages = new BlockWriter<EvidencePassage>("passages");
  const table = new BlockWriter<PackedRow>("rows");
  for await (const { cells, detail } of rows) {
    const { block, place, full } = details.add(detail);
    const packed = table.add([block, place, ...cells]);
    const filled = pool.takeFresh().map((passage) => passages.add(passage).full);
    for (const done of [full, packed.full, ...filled]) if (done !== undefined) yield done.text;
  }
  for (const rest of [details.close(), passages.close(), table.close()]) {
    if (rest !== undefined) yield rest.text;
  }
  const meta = { columns, rowBlocks: table.starts.length, passages: passages.starts };
  // Nothing in it can end the element: every `<` is written as an escape.
  yield `<script type="application/json" id="meta">${
    JSON.stringify(meta).replaceAll("<", "\\u003c")
  }</script>\n`;
}
