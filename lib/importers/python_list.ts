/** Lists of texts as Python prints them: what a data frame's CSV holds where a column has lists. */

/** The members of a list written as Python's `repr` writes it, or `undefined` when the text is no such list. */
export function readPythonList(text: string): readonly string[] | undefined {
  const members: string[] = [];
  let at = skipSpace(text, 0);
  if (text[at] !== "[") return undefined;
  at = skipSpace(text, at + 1);
  while (text[at] !== "]") {
    LITERAL.lastIndex = at;
    const [literal, single, double] = LITERAL.exec(text) ?? [];
    const member = unescape(single ?? double ?? "");
    if (literal === undefined || member === undefined) return undefined;
    members.push(member);
    at = skipSpace(text, at + literal.length);
    // A comma may stand before the end; without one, two texts are one in Python, and a list of arrays is ambiguous.
    if (text[at] === ",") at = skipSpace(text, at + 1);
    else if (text[at] !== "]") return undefined;
  }
  return skipSpace(text, at + 1) === text.length ? members : undefined;
}

const LITERAL = /'((?:[^'\\\n]|\\[^])*)'|"((?:[^"\\\n]|\\[^])*)"/y;
const ESCAPE = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([^]))/g;
const SHORT: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  "\\": "\\",
  "'": "'",
  '"': '"',
};

function unescape(literal: string): string | undefined {
  let known = true;
  const text = literal.replace(ESCAPE, (_all, two, four, eight, short) => {
    const hex = two ?? four ?? eight;
    const character = hex === undefined ? SHORT[short] : fromCodePoint(Number.parseInt(hex, 16));
    known &&= character !== undefined;
    return character ?? "";
  });
  return known && text.isWellFormed() ? text : undefined;
}

function fromCodePoint(point: number): string | undefined {
  return point <= 0x10ffff ? String.fromCodePoint(point) : undefined;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (/\s/.test(text[at] ?? "")) at++;
  return at;
}
