/**
 * YAML text → a JSON value with the places of its parts, or what is wrong with the text. Source: YAML 1.2.2,
 * core schema.
 */
import { parseDocument } from "yaml";
import type { Issue } from "../domain/error.ts";
import type { Json } from "../domain/json.ts";
import { locateIn, Places } from "./place.ts";
import { shorten } from "./quote.ts";
import { YamlConverter } from "./yaml_value.ts";

/**
 * `value` is absent when the text is no YAML or too large: nothing more can be said of it. An empty text is
 * null.
 */
export interface YamlReading {
  readonly value?: Json;
  readonly places: Places;
  readonly issues: readonly Issue[];
}

/**
 * Reads one YAML document. Aliases are followed (a part reached through one is placed where the anchor
 * stands); merge keys, tags beyond the core schema and further documents are issues. A byte-order mark is no
 * part of any column.
 */
export function readYaml(text: string, file: string): YamlReading {
  const source = text.startsWith("\ufeff") ? text.slice(1) : text;
  // Equal keys are found when the document is converted, with the others that JSON does not have.
  const document = parseDocument(source, { prettyErrors: false, schema: "core", uniqueKeys: false });
  // Not yaml's LineCounter: in broken text it misses lines.
  const locate = locateIn(source);
  const issues: Issue[] = [];
  const report = (code: string, message: string, offset: number) => {
    issues.push({ code, message, file, ...locate(offset) });
  };
  for (const { code, message, pos: [offset] } of document.errors) {
    // One mistake often makes the parser stumble again on the same line.
    if (issues.some(({ line }) => line === locate(offset).line)) continue;
    report("yaml_syntax", code === "MULTIPLE_DOCS" ? SECOND_DOCUMENT : invalidYaml(message), offset);
  }
  if (issues.length > 0) return { places: new Places(file, undefined, locate), issues };
  const converter = new YamlConverter(report);
  const { value, part } = converter.convert(document.contents, 0);
  const places = new Places(file, part, locate);
  return converter.isExhausted ? { places, issues } : { value, places, issues };
}

const SECOND_DOCUMENT = "A second YAML document begins here; the file holds one";

/** Messages of the parser may quote the text. */
const LONGEST_MESSAGE = 160;

function invalidYaml(message: string): string {
  return `Invalid YAML: ${shorten(message.split("\n", 1)[0] ?? message, LONGEST_MESSAGE)}`;
}
