/** A real browser for tests of pages, where the machine has one. */
import puppeteer, { type Browser, type Page } from "puppeteer-core";
import axe from "axe-core";

const PLACES = [
  Deno.env.get("OLOPROOF_CHROMIUM"),
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

/** The path of a Chromium; undefined where there is none. */
export const chromium: string | undefined = PLACES.find((place) => {
  if (place === undefined || place === "") return false;
  try {
    return Deno.statSync(place).isFile;
  } catch {
    return false;
  }
});

/** A test's name, with the reason why it is skipped where it is. */
export function named(name: string): string {
  return chromium === undefined ? `${name} (skipped: no Chromium here; OLOPROOF_CHROMIUM names one)` : name;
}

/** A page that was opened, and everything that went wrong or out on it. */
export interface OpenedPage {
  readonly page: Page;
  /** Messages on the console, errors, and requests beyond the file itself. */
  readonly trouble: readonly string[];
  /** Milliseconds until the page said that it was ready. */
  readonly milliseconds: number;
}

/** How a page is opened. */
export interface OpenOptions {
  readonly scheme?: "light" | "dark";
  readonly hash?: string;
}

/** Opens files of HTML until the test is done. */
export async function withBrowser(
  test: (open: (file: string, options?: OpenOptions) => Promise<OpenedPage>) => Promise<void>,
): Promise<void> {
  const browser: Browser = await puppeteer.launch({
    executablePath: chromium ?? "",
    headless: true,
    args: ["--no-sandbox", "--disable-gpu"],
  });
  try {
    await test(async (file, { scheme = "light", hash = "" } = {}) => {
      const page = await browser.newPage();
      const trouble: string[] = [];
      page.on("console", (message) => trouble.push(`console ${message.type()}: ${message.text()}`));
      page.on("pageerror", (error) => trouble.push(`error: ${error}`));
      page.on("dialog", (dialog) => trouble.push(`dialog: ${dialog.message()}`));
      page.on("request", (request) => {
        if (request.url() !== `file://${file}${hash}`) {
          trouble.push(`request: ${request.url().slice(0, 100)}`);
        }
      });
      await page.setViewport({ width: 1200, height: 900 });
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
      const begin = performance.now();
      await page.goto(`file://${file}${hash}`);
      await page.waitForSelector("html[data-ready]");
      return { page, trouble, milliseconds: performance.now() - begin };
    });
  } finally {
    await browser.close();
  }
}

/** What axe-core finds serious or worse on a page, a line each. */
export async function seriousFaults(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const violations = await page.evaluate(`axe.run(document).then(({ violations }) => violations.map(
    ({ id, impact, nodes }) => ({ id, impact, nodes: nodes.map(({ html, failureSummary }) => html.slice(0, 200) + " " + failureSummary) }),
  ))`) as readonly { id: string; impact: string; nodes: readonly string[] }[];
  return violations.filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, impact, nodes }) => `${id} (${impact}): ${nodes.slice(0, 3).join(" | ")}`);
}
