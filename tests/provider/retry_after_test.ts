import assert from "node:assert/strict";
import { readRetryAfter } from "../../lib/provider/retry_after.ts";

const NOW = Date.UTC(2026, 8, 16, 12);

const ROWS: readonly (readonly [Record<string, string>, number | undefined])[] = [
  [{}, undefined],
  [{ "retry-after": "2" }, 2000],
  [{ "retry-after": "0.5" }, 500],
  [{ "retry-after": "0" }, 0],
  [{ "retry-after": " 3 " }, 3000],
  [{ "retry-after-ms": "7", "retry-after": "3600" }, 7],
  [{ "retry-after": "Wed, 16 Sep 2026 12:00:05 GMT" }, 5000],
  [{ "retry-after": "Wed, 16 Sep 2026 11:00:00 GMT" }, 0],
  [{ "retry-after": "-1" }, undefined],
  [{ "retry-after": "soon" }, undefined],
  [{ "retry-after": "" }, undefined],
  [{ "retry-after-ms": "x", "retry-after": "1" }, 1000],
];

for (const [headers, wait] of ROWS) {
  Deno.test(`retry after ${JSON.stringify(headers)}`, () => assert.equal(readRetryAfter(headers, NOW), wait));
}
