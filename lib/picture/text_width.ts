/** How wide a text will be, as far as that can be told without a screen. */

/** Shares of the font size by kind of character, on the wide side of common sans-serif fonts. */
const WIDTHS = { narrow: 0.36, capital: 0.76, wide: 1, other: 0.62 } as const;

/** The width of a text in pixels at a font size; rather too much than too little. */
export function textWidth(text: string, size: number): number {
  let width = 0;
  for (const character of text) width += widthOf(character);
  return width * size;
}

function widthOf(character: string): number {
  if (/[ \u00a0.,:;'|!ijltfr()[\]·]/.test(character)) return WIDTHS.narrow;
  if (
    /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Emoji_Presentation}/u.test(
      character,
    )
  ) {
    return WIDTHS.wide;
  }
  return /[\p{Lu}MWmw%@]/u.test(character) ? WIDTHS.capital : WIDTHS.other;
}

/** A text that fits into a width, its end left out where it does not. */
export function fitText(text: string, width: number, size: number): string {
  if (textWidth(text, size) <= width) return text;
  const characters = [...text];
  while (characters.length > 1 && textWidth(`${characters.join("")}…`, size) > width) characters.pop();
  return `${characters.join("")}…`;
}

/** A text in lines that fit into a width, broken where it says so and between words. */
export function wrapText(text: string, width: number, size: number): readonly string[] {
  return text.split("\n").flatMap((line) => wrapLine(line, width, size));
}

/** A text of parts between ` · ` in lines that fit into a width; only a part that is wider itself is broken. */
export function wrapParts(text: string, width: number, size: number): readonly string[] {
  // Spaces that do not break, for as long as lines are made: the dot stays with what it follows.
  const unbroken = text.split(" · ").map((part, index, { length }) => {
    const whole = index === length - 1 ? part : `${part} ·`;
    return textWidth(whole, size) <= width ? whole.replaceAll(" ", "\u00a0") : whole;
  });
  return wrapText(unbroken.join(" "), width, size).map((line) => line.replaceAll("\u00a0", " "));
}

function wrapLine(text: string, width: number, size: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && textWidth(longer, size) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line].map((one) => fitText(one, width, size));
}
