/** How far something has come, in one line. */

/** What is done out of what. */
export interface Done {
  readonly done: number;
  readonly total: number;
  /** Of `done`, those that a failure ended. */
  readonly failed: number;
  /** What is counted. */
  readonly unit: string;
}

const BAR_WIDTH = 24;

/** `7/13 cases, 1 failed` */
export function progressLine({ done, total, failed, unit }: Done): string {
  return `${done}/${total} ${unit}${failed === 0 ? "" : `, ${failed} failed`}`;
}

/** The line after a bar. */
export function progressBar(progress: Done): string {
  const filled = Math.round(BAR_WIDTH * progress.done / progress.total);
  return `${"█".repeat(filled)}${"░".repeat(BAR_WIDTH - filled)} ${progressLine(progress)}`;
}
