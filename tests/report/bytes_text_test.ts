import assert from "node:assert/strict";
import { bytesText } from "../../lib/report/bytes_text.ts";

Deno.test("bytesText: sizes in the unit that suits them, rounded as they are printed", () => {
  const rows: readonly (readonly [number, string])[] = [
    [0, "0 bytes"],
    [1, "1 byte"],
    [999, "999 bytes"],
    [1000, "1.0 kB"],
    [999_949, "999.9 kB"],
    [999_950, "1.0 MB"],
    [3_400_000, "3.4 MB"],
    [1e9, "1.0 GB"],
    [5e15, "5000.0 TB"],
  ];
  for (const [bytes, text] of rows) assert.equal(bytesText(bytes), text);
});
