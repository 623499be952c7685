/** From a date or date-time as a user writes it to a moment. */
import { OloproofError } from "../domain/error.ts";

const form =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/;

/**
 * Milliseconds since 1970 of an ISO date (its first moment) or date-time; UTC where it states no offset.
 *
 * @param named What the text was given for.
 * @throws {OloproofError} `invalid_date`, also for a day that no calendar has.
 */
export function parseInstant(text: string, named: string): number {
  const match = form.exec(text);
  const [, year, month, day, hour = "00", minute = "00", second = "00", offset = "Z"] = match ?? [];
  // A day beyond its month would be taken for one of the next.
  const last = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  const fits = match !== null && Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 &&
    Number(day) <= last;
  const instant = fits ? Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`) : NaN;
  if (!Number.isNaN(instant)) return instant;
  throw new OloproofError(`Cannot read ${named} ${JSON.stringify(text)}: it is no date`, {
    code: "invalid_date",
    kind: "configuration",
    hint: "write a date like 2026-09-17, or a moment like 2026-09-17T10:00:00Z",
  });
}
