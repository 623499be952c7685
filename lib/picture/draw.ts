/** Draws pictures as SVG. The plotting library and the document that it needs are loaded here, and when something is drawn. */
import { columnMarks, columnScales } from "./draw_columns.ts";
import { rowHeight, rowMarks, rowScales } from "./draw_rows.ts";
import { type Layout, layOut, TEXT_SIZE } from "./layout.ts";
import { frameMarks, type Plotting } from "./marks.ts";
import { ink, paper, pictureStyle } from "./palette.ts";
import { printable } from "../report/printable.ts";
import type { Picture } from "./picture.ts";

/** The height of a frame with columns. */
const COLUMNS_HEIGHT = 200;

/**
 * Draws a picture.
 *
 * @param id Unique in the document that the picture will stand in, made of letters, digits and hyphens.
 * @returns An SVG element with a title and a description, readable on light and dark grounds and in print.
 */
export async function drawPicture(picture: Picture, id: string): Promise<string> {
  const [plot, { parseHTML }] = await Promise.all([import("@observablehq/plot"), import("linkedom")]);
  const document: unknown = Reflect.get(parseHTML("<!doctype html><html><body></body></html>"), "document");
  const inner = picture.kind === "rows" ? rowHeight(picture) : COLUMNS_HEIGHT;
  const layout = layOut(picture, inner);
  const { width, height, left, right, top, bottom } = layout;
  const svg: Drawn = plot.plot({
    document,
    width,
    height,
    marginLeft: left,
    marginRight: right,
    marginTop: top,
    marginBottom: bottom,
    style: {},
    ...(picture.kind === "rows" ? rowScales(picture) : columnScales(picture)),
    marks: [...marksOf(picture, layout, plot), ...frameMarks(layout, plot)],
  });
  finish(svg, picture, layout, id);
  // Whatever a label brought along: SVG is XML, and has no form for some characters at all.
  return printable(svg.outerHTML.toWellFormed()).replace(/[\ufffe\uffff]/g, "\ufffd");
}

function marksOf(picture: Picture, layout: Layout, plot: Plotting) {
  return picture.kind === "rows" ? rowMarks(picture, layout, plot) : columnMarks(picture, plot);
}

/** What is needed of an element; the types of a browser's document are not loaded for it. */
interface Drawn {
  textContent: string;
  readonly outerHTML: string;
  readonly ownerDocument: { createElementNS(namespace: string, name: string): Drawn };
  querySelectorAll(selector: string): Iterable<Drawn>;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  prepend(...elements: readonly Drawn[]): void;
  remove(): void;
}

/** Gives the picture its paper, its words for those who do not see it, and its own style. */
function finish(svg: Drawn, { title, description }: Picture, { width, height }: Layout, id: string): void {
  for (const style of svg.querySelectorAll("style")) style.remove();
  for (const element of svg.querySelectorAll("*")) {
    // What the parts are called would be read aloud, one by one, before the description.
    for (const name of ["aria-label", "aria-description", "aria-hidden"]) element.removeAttribute(name);
    roundNumbers(element);
  }
  const attributes = {
    xmlns: "http://www.w3.org/2000/svg",
    class: "oloproof-picture",
    role: "img",
    "aria-labelledby": `${id}-title ${id}-description`,
    "font-size": String(TEXT_SIZE),
    "font-family": "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif",
    fill: ink.light,
    color: ink.light,
  };
  for (const [name, value] of Object.entries(attributes)) svg.setAttribute(name, value);
  const add = (name: string, own: Readonly<Record<string, string>>, text: string) => {
    const element = svg.ownerDocument.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [attribute, value] of Object.entries(own)) element.setAttribute(attribute, value);
    element.textContent = text;
    return element;
  };
  svg.prepend(
    add("title", { id: `${id}-title` }, title),
    add("desc", { id: `${id}-description` }, description),
    add("style", {}, pictureStyle),
    add("rect", { width: String(width), height: String(height), fill: paper.light }, ""),
  );
}

/** Pixels need no fifteen digits. */
function roundNumbers(element: Drawn): void {
  for (
    const name of ["x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r", "d", "width", "height", "transform"]
  ) {
    const value = element.getAttribute(name);
    if (value === null) continue;
    element.setAttribute(
      name,
      value.replace(/-?\d+\.\d{3,}/g, (number) => String(Number(Number(number).toFixed(2)))),
    );
  }
}
