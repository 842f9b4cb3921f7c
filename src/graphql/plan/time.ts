import { badInput } from "../../domain/errors.ts";

const RFC_3339 =
  /^(\d{4})-(\d\d)-(\d\d)[Tt](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,3}(\d{0,6}))?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** The last millisecond that is stored, after which there is none to round up to. */
const LAST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * A moment in RFC 3339 with any offset, as the text that is stored: UTC, with milliseconds. What is finer is rounded up, so that
 * a range holds what is stored from its beginning on and before its end, and nothing else.
 *
 * @throws AppError BAD_USER_INPUT naming `field`
 */
export function parseTime(field: string, text: string): string {
  const [, year, month, day, finer = ""] = RFC_3339.exec(text) ?? [];
  const milliseconds = Date.parse(text.toUpperCase()); // cuts off what is finer
  // Date knows no 30th of February and makes it a day of March.
  const days = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  if (year === undefined || Number.isNaN(milliseconds) || Number(day) > days) {
    throw badInput(field, `${field} must be a moment in RFC 3339, such as 2026-01-31T12:00:00Z.`);
  }
  const isBetween = /[1-9]/.test(finer) && milliseconds < LAST;
  const time = new Date(milliseconds + (isBetween ? 1 : 0)).toISOString();
  if (time.length === 24) return time;
  throw badInput(field, `${field} must be in the years from 0000 to 9999.`);
}
