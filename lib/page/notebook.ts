/** What a notebook shows of a value: a table, a picture and plain text, each front end takes what it can. */
import { drawPicture } from "../picture/draw.ts";
import type { Picture } from "../picture/picture.ts";
import { oneLine } from "../report/printable.ts";
import { type Html, html } from "./html.ts";
import { cellText, type Section, type Sheet, type Table } from "./sheet.ts";

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
  const sections = sheet.sections.filter(({ brief }) => brief);
  const drawings: Drawing[] = [];
  for (const picture of sections.flatMap(({ pictures }) => pictures)) {
    const svg = await drawPicture(picture, `oloproof-picture-${drawings.length + 1}`);
    drawings.push({ picture, svg });
  }
  const body = html`<div><p><strong>${sheet.title}</strong></p>${factsHtml(sheet.facts)}${
    sections.map((one) => sectionHtml(one, drawings))
  }</div>`;
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

function factsHtml(facts: Sheet["facts"]): Html {
  const items = facts.map(([name, value]) => html`${name}: ${oneLine(value, MOST_CHARACTERS)}<br>`);
  return facts.length === 0 ? html`` : html`<p>${items}</p>`;
}

function sectionHtml({ tables, pictures, lines }: Section, drawings: readonly Drawing[]): Html {
  return html`${tables.map(tableHtml)}${
    pictures.map((picture) => imageHtml(drawings.find((one) => one.picture === picture)))
  }${lines.length === 0 ? null : html`<p>${lines.map((line) => html`${line}<br>`)}</p>`}`;
}

/** Front ends put all cells to the right; words are read from the left. */
function tableHtml({ caption, columns, rows }: Table): Html {
  const align = (index: number) => columns[index]?.numeric === true ? "right" : "left";
  const head = columns.map(({ name }, index) =>
    html`<th scope="col" style="text-align:${align(index)}">${name}</th>`
  );
  const body = rows.slice(0, MOST_ROWS).map((row) =>
    html`<tr>${
      row.map((cell, index) =>
        html`<td style="text-align:${align(index)}">${oneLine(cellText(cell), MOST_CHARACTERS)}</td>`
      )
    }</tr>`
  );
  const rest = rows.length - MOST_ROWS;
  const more = rest > 0 ? html`<p>… ${rest} more rows are in the value.</p>` : null;
  return html`
    <table>
      <caption>${caption}</caption>
      <thead>
        <tr>${head}</tr>
      </thead>
      <tbody>${body}</tbody>
    </table>${more}
  `;
}

function imageHtml(drawing: Drawing | undefined): Html | null {
  if (drawing === undefined) return null;
  const { picture: { title, subtitle, description }, svg } = drawing;
  const source = `data:image/svg+xml;base64,${new TextEncoder().encode(svg).toBase64()}`;
  return html`<p><img src="${source}" alt="${title}. ${subtitle}. ${description}"></p>`;
}
