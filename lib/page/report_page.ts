/** The report file: one page that carries everything with it and asks nothing of anywhere. */
import { createHash } from "node:crypto";
import { drawPicture } from "../picture/draw.ts";
import { pictureStyle } from "../picture/palette.ts";
import { printable } from "../report/printable.ts";
import { counted } from "../report/run_text.ts";
import { Markup, markup } from "./markup.ts";
import { packedCases, type ReportedCases } from "./packed_cases.ts";
import style from "./report.css" with { type: "text" };
import script from "./report.js" with { type: "text" };
import { type Cell, cellText, type Section, sectionsFor, type Sheet, type Table } from "./sheet.ts";

/** What a page is made of. */
export interface ReportPage {
  readonly sheet: Sheet;
  readonly cases: ReportedCases | undefined;
  /** Said at the top, as that texts were left out. */
  readonly remarks: readonly string[];
  /** Who made the page, and when. */
  readonly made: string;
}

/** The page in pieces, in their order: rows are read, packed and passed on as they come. */
export async function* reportPage({ sheet, cases, remarks, made }: ReportPage): AsyncGenerator<string> {
  const sections = sectionsFor(sheet, "report");
  yield head(sheet.title).text;
  yield top({ ...sheet, sections }, cases, remarks).text;
  let pictures = 0;
  for (const [index, part] of sections.entries()) {
    const drawings: string[] = [];
    for (const picture of part.pictures) {
      drawings.push(await drawPicture(picture, `oloproof-picture-${++pictures}`));
    }
    yield sectionMarkup(part, index, drawings).text;
  }
  if (cases !== undefined) yield casesFrame(cases).text;
  yield markup`</main>\n<footer><p>${made}</p></footer>\n`.text;
  if (cases !== undefined) yield* packedCases(cases);
  yield `<script>${script}</script>\n</body>\n</html>\n`;
}

/** Nothing is loaded, sent or framed; the page's own script and styles are named by their hashes. */
function head(title: string): Markup {
  const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  const policy = [
    "default-src 'none'",
    `script-src ${hash(script)}`,
    `style-src ${hash(style)} ${hash(pictureStyle)}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${title}</title>
<style>${new Markup(style)}</style>
</head>
`;
}

function top(sheet: Sheet, cases: ReportedCases | undefined, remarks: readonly string[]): Markup {
  const links = sheet.sections.map(({ heading }, index) =>
    markup`<li><a href="#part-${index}">${heading}</a></li>`
  );
  const last = cases === undefined ? null : markup`<li><a href="#cases">${cases.heading}</a></li>`;
  const skip = cases === undefined
    ? markup`<a class="skip" href="#main">Skip to the content</a>`
    : markup`<a class="skip" href="#cases">Skip to the cases</a>`;
  return markup`<body>
${skip}
<header>
<h1>${sheet.title}</h1>
${remarks.map((remark) => markup`<p class="notice">${remark}</p>\n`)}<dl>${
    sheet.facts.map(([name, value]) => markup`<dt>${name}</dt><dd><bdi>${value}</bdi></dd>\n`)
  }</dl>
<nav aria-label="Contents"><ul>${links}${last}</ul></nav>
</header>
<main id="main">
`;
}

/** Pictures of a section that are shown at once; the others are folded. */
const OPEN_PICTURES = 2;

function sectionMarkup(
  { heading, tables, lines }: Section,
  index: number,
  drawings: readonly string[],
): Markup {
  const figure = (svg: string) => markup`<figure>${new Markup(svg)}</figure>\n`;
  const folded = drawings.slice(OPEN_PICTURES);
  const more = folded.length === 0
    ? null
    : markup`<details><summary>${counted(folded.length, "more picture")}</summary>${
      folded.map(figure)
    }</details>\n`;
  const words = lines.length === 0 ? null : markup`<p>${lines.map((line) => markup`${line}<br>`)}</p>\n`;
  return markup`<section id="part-${index}" aria-labelledby="part-${index}-heading">
<h2 id="part-${index}-heading">${heading}</h2>
${words}${drawings.slice(0, OPEN_PICTURES).map(figure)}${more}${tables.map(tableMarkup)}</section>
`;
}

function tableMarkup({ caption, columns, rows }: Table): Markup {
  const cellMarkup = (cell: Cell, index: number) => {
    const text = printable(cellText(cell));
    const kinds = [
      ...(columns[index]?.numeric === true ? ["number"] : []),
      ...(isUnbroken(text) ? ["long"] : []),
    ];
    const kind = kinds.length === 0 ? null : markup` class="${kinds.join(" ")}"`;
    const order = typeof cell === "string" ? null : markup` data-order="${cell.order}"`;
    return markup`<td${kind}${order}><bdi>${text}</bdi></td>`;
  };
  return markup`<div class="wide" tabindex="0" role="group" aria-label="${caption}"><table class="whole">
<caption>${caption}</caption>
<thead><tr>${columns.map(headMarkup)}</tr></thead>
<tbody>
${rows.map((row) => markup`<tr>${row.map(cellMarkup)}</tr>\n`)}</tbody>
</table></div>
`;
}

function headMarkup({ name, numeric }: { readonly name: string; readonly numeric?: boolean }): Markup {
  return markup`<th scope="col"${numeric === true ? markup` class="number"` : null}>${name}</th>`;
}

/** Whether a text has a piece without spaces that would make its column wider than the page. */
function isUnbroken(text: string): boolean {
  return text.length > 40 && /\S{41}/.test(text);
}

/** The table of cases without rows, its filters, and the window for one case; the script fills them. */
function casesFrame({ heading, columns }: ReportedCases): Markup {
  return markup`<section id="cases" aria-labelledby="cases-heading">
<h2 id="cases-heading">${heading}</h2>
<noscript><p class="notice">The cases are packed into this page; without JavaScript they cannot be shown.</p></noscript>
<form id="case-filters" role="search" aria-label="Choose cases"></form>
<div class="paging"><span id="case-status" role="status">Unpacking the cases …</span>
<button type="button" id="case-before" disabled>Previous page</button>
<button type="button" id="case-after" disabled>Next page</button></div>
<div class="wide" tabindex="0" role="group" aria-label="${heading}"><table id="case-table">
<caption>${heading}: the button of a case opens its evidence</caption>
<thead><tr>${columns.map(headMarkup)}</tr></thead>
<tbody></tbody>
</table></div>
<dialog id="case" aria-labelledby="case-name">
<header><h2 id="case-name" tabindex="-1" dir="auto"></h2>
<div><button type="button" id="case-previous">Previous</button>
<button type="button" id="case-next">Next</button>
<button type="button" id="case-close">Close</button></div></header>
<div id="case-body"></div>
</dialog>
</section>
`;
}
