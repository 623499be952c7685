/** YAML text → a JSON value with the places of its parts, or what is wrong with the text. Source: YAML 1.2.2, core schema. */
import { LineCounter, parseDocument } from "yaml";
import type { Issue } from "../domain/error.ts";
import type { Json } from "../domain/json.ts";
import { Places } from "./place.ts";
import { shorten } from "./quote.ts";
import { YamlConverter } from "./yaml_value.ts";

/** `value` is absent when the text is no YAML or too large: nothing more can be said of it. An empty text is null. */
export interface YamlReading {
  readonly value?: Json;
  readonly places: Places;
  readonly issues: readonly Issue[];
}

/**
 * Reads one YAML document. Aliases are followed (a part reached through one is placed where the anchor stands); merge
 * keys, tags beyond the core schema and further documents are issues. A byte-order mark is no part of any column.
 */
export function readYaml(text: string, file: string): YamlReading {
  const lines = new LineCounter();
  const source = text.startsWith("\ufeff") ? text.slice(1) : text;
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false, schema: "core" });
  const locate = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: col };
  };
  const issues: Issue[] = [];
  const report = (code: string, message: string, offset: number) => {
    issues.push({ code, message, file, ...locate(offset) });
  };
  const broken = document.errors.filter((error) => error.code !== "DUPLICATE_KEY");
  for (const { code, message, pos: [offset] } of onePerLine(broken, (error) => locate(error.pos[0]).line)) {
    report(
      "yaml_syntax",
      code === "MULTIPLE_DOCS"
        ? SECOND_DOCUMENT
        : `Invalid YAML: ${shorten(firstLine(message), LONGEST_MESSAGE)}`,
      offset,
    );
  }
  if (broken.length > 0) return { places: new Places(file, undefined, locate), issues };
  const converter = new YamlConverter(report);
  const { value, part } = converter.convert(document.contents, 0);
  const places = new Places(file, part, locate);
  return converter.isExhausted ? { places, issues } : { value, places, issues };
}

/** Messages of the parser may quote the text. */
const LONGEST_MESSAGE = 160;
const SECOND_DOCUMENT = "A second YAML document begins here; the file holds one";

/** One mistake often makes the parser stumble again on the same line. */
function onePerLine<T>(errors: readonly T[], lineOf: (error: T) => number): readonly T[] {
  const seen = new Set<number>();
  return errors.filter((error) => {
    const line = lineOf(error);
    return seen.has(line) ? false : seen.add(line);
  });
}

function firstLine(message: string): string {
  return message.split("\n", 1)[0] ?? message;
}
