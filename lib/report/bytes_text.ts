/** Sizes as text. */

const units = ["kB", "MB", "GB", "TB"];

/** A number of bytes: `812 bytes`, `1.2 kB`, `3.4 MB`; a kB is 1000 bytes. */
export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} ${bytes === 1 ? "byte" : "bytes"}`;
  let value = bytes / 1000;
  let unit = 0;
  // 999.96 would be printed as 1000.0.
  while (value >= 999.95 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value.toFixed(1)} ${units[unit]}`;
}
