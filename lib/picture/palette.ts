/**
 * The colours of pictures. The light ones are written into the picture, so that it can be read wherever styles are taken out (as
 * some viewers of notebooks do); a style turns them into the dark ones where the reader's surroundings are dark. Blue, vermilion and
 * green are of Okabe and Ito's palette for every kind of colour vision, darkened and lightened to a contrast of 3 to 1 and more.
 */
import type { Tone } from "./picture.ts";

interface Shade {
  readonly light: string;
  readonly dark: string;
}

/** What is not a tone: paper, words and lines. No two light colours are the same, or one could not be told from another. */
export const paper: Shade = { light: "#ffffff", dark: "#17191c" };
export const ink: Shade = { light: "#1c1e21", dark: "#e8e9eb" };
export const quiet: Shade = { light: "#555b63", dark: "#a9aeb5" };
export const line: Shade = { light: "#d9dce0", dark: "#3a3e44" };
export const zone: Shade = { light: "#e3edf5", dark: "#22323f" };

/** By meaning. */
export const tones: Readonly<Record<Tone, Shade>> = {
  value: { light: "#0067a5", dark: "#56b4e9" },
  good: { light: "#00755a", dark: "#2fc79c" },
  bad: { light: "#bf4800", dark: "#ff9457" },
  open: { light: "#7b5c00", dark: "#e6b833" },
  muted: { light: "#6b7078", dark: "#9ba0a8" },
};

const shades: readonly Shade[] = [paper, ink, quiet, line, zone, ...Object.values(tones)];

/** The style of a picture: dark colours on dark screens; paper is printed light. */
export const pictureStyle: string = [
  "text{white-space:pre}",
  "@media screen and (prefers-color-scheme:dark){",
  ...shades.map(({ light, dark }) =>
    `.oloproof-picture [fill="${light}"]{fill:${dark}}.oloproof-picture [stroke="${light}"]{stroke:${dark}}`
  ),
  "}",
].join("");
