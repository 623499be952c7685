/** What a notebook shows of a value: a table, a picture and plain text, each front end takes what it can. */
import { Buffer } from "node:buffer";
import { drawPicture } from "../picture/draw.ts";
import type { Picture } from "../picture/picture.ts";
import { oneLine } from "../report/printable.ts";
import { type Markup, markup } from "./markup.ts";
import { cellText, type Section, sectionsFor, type Sheet, type Table } from "./sheet.ts";

/** The forms of one value by MIME type. */
export interface MediaBundle {
  readonly "text/plain": string;
  readonly "text/html": string;
  readonly "image/svg+xml"?: string;
}

/** Rows and characters of a cell that a notebook shows; the value itself has everything. */
const MOST_ROWS = 50;
const MOST_CHARACTERS = 400;

/**
 * Shows a sheet.
 *
 * Pictures stand in the HTML as images of their own, since front ends that have HTML show nothing else, and take SVG out of it where
 * they do not trust a notebook.
 */
export async function notebookBundle(sheet: Sheet, text: string): Promise<MediaBundle> {
  const sections = sectionsFor(sheet, "notebook");
  const drawings: Drawing[] = [];
  for (const picture of sections.flatMap(({ pictures }) => pictures)) {
    const svg = await drawPicture(picture, `oloproof-picture-${drawings.length + 1}`);
    drawings.push({ picture, svg });
  }
  const parts = sections.map((one) => sectionMarkup(one, drawings));
  const body = markup`<div><p><strong>${sheet.title}</strong></p>${factsMarkup(sheet.facts)}${parts}</div>`;
  const [first] = drawings;
  return {
    "text/plain": text.trimEnd(),
    "text/html": body.text,
    ...(first === undefined ? {} : { "image/svg+xml": first.svg }),
  };
}

interface Drawing {
  readonly picture: Picture;
  readonly svg: string;
}

function factsMarkup(facts: Sheet["facts"]): Markup {
  const items = facts.map(([name, value]) => markup`${name}: ${oneLine(value, MOST_CHARACTERS)}<br>`);
  return facts.length === 0 ? markup`` : markup`<p>${items}</p>`;
}

function sectionMarkup({ tables, pictures, lines }: Section, drawings: readonly Drawing[]): Markup {
  const images = pictures.map((picture) => imageMarkup(drawings.find((one) => one.picture === picture)));
  const words = lines.length === 0 ? null : markup`<p>${lines.map((line) => markup`${line}<br>`)}</p>`;
  return markup`${tables.map(tableMarkup)}${images}${words}`;
}

/** Front ends put all cells to the right; words are read from the left. */
function tableMarkup({ caption, columns, rows }: Table): Markup {
  const align = (index: number) => columns[index]?.numeric === true ? "right" : "left";
  const head = columns.map(({ name }, index) =>
    markup`<th scope="col" style="text-align:${align(index)}">${name}</th>`
  );
  const cells = (row: Table["rows"][number]) =>
    row.map((cell, index) => {
      const text = oneLine(cellText(cell), MOST_CHARACTERS);
      return markup`<td style="text-align:${align(index)}">${text}</td>`;
    });
  const body = rows.slice(0, MOST_ROWS).map((row) => markup`<tr>${cells(row)}</tr>`);
  const rest = rows.length - MOST_ROWS;
  const more = rest > 0 ? markup`<p>… ${rest} more rows are in the value.</p>` : null;
  const table = markup`<caption>${caption}</caption><thead><tr>${head}</tr></thead><tbody>${body}</tbody>`;
  return markup`<table>${table}</table>${more}`;
}

function imageMarkup(drawing: Drawing | undefined): Markup | null {
  if (drawing === undefined) return null;
  const { picture: { title, subtitle, description }, svg } = drawing;
  const source = `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
  return markup`<p><img src="${source}" alt="${
    oneLine(`${title}. ${subtitle}. ${description}`, 10_000)
  }"></p>`;
}
