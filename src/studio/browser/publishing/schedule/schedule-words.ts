import { localTimeOf, type Moments } from "./moments.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `Tue 5 Jan 2027, 09:00 Europe/Berlin`, in the person's own way of writing dates. */
export function momentInZone(at: number, zone: string, locale?: string): string {
  return `${dayAndTime(at, zone, locale)} ${zone}`;
}

/** `= 03:00 for you (America/New_York), in 38 days`, with the day where it is another one. */
export function momentForYou(at: number, zone: string, own: string, now: number, locale?: string): string {
  const distance = fromNow(at, now, own);
  const [there, here] = [localTimeOf(at, zone), localTimeOf(at, own)];
  if (zone === own) return `This is your own time zone, ${distance}`;
  if (there.date === here.date && there.time === here.time) return `= the same time for you (${own}), ${distance}`;
  const time = there.date === here.date ? timeOnly(at, own, locale) : dayAndTime(at, own, locale);
  return `= ${time} for you (${own}), ${distance}`;
}

/** `in 38 days`, `in 2 hours`, `5 minutes ago`; days are counted by the calendar of the zone. */
export function fromNow(at: number, now: number, zone: string): string {
  const words = new Intl.RelativeTimeFormat("en", { numeric: "always" });
  const distance = Math.abs(at - now);
  if (distance < MINUTE) return at < now ? "just now" : "in less than a minute";
  if (distance < 90 * MINUTE) return words.format(Math.trunc((at - now) / MINUTE), "minute");
  if (distance < 36 * HOUR) return words.format(Math.round((at - now) / HOUR), "hour");
  return words.format((dayNumber(at, zone) - dayNumber(now, zone)) / DAY, "day");
}

/** The question that a local time raises where clocks change; null where it raises none. */
export function questionOf(moments: Moments, time: string): string | null {
  if (moments.kind === "once") return null;
  if (moments.kind === "never") return `${time} does not exist on this day: clocks go forward. Choose another time.`;
  return `${time} comes twice on this day: clocks go back. Choose one of the two.`;
}

/** The answers to `questionOf`. */
export function answersOf(moments: Moments): readonly { readonly at: number; readonly label: string }[] {
  if (moments.kind === "once") return [];
  const { earlier, later } = moments;
  const names = moments.kind === "twice" ? ["the first time", "the second time"] : ["before the change", "after it"];
  return [earlier, later].map(({ at, local, offset }, index) => ({
    at,
    label: `${local.time} (UTC${offset}), ${names[index]}`,
  }));
}

/** `09:00`, as the person writes times. */
export function timeOnly(at: number, zone: string, locale?: string): string {
  return new Intl.DateTimeFormat(locale, { hour: hourOf(locale), minute: "2-digit", timeZone: zone }).format(at);
}

/** `Tue 5 Jan 2027, 09:00`, as the person writes dates. */
export function dayAndTime(at: number, zone: string, locale?: string): string {
  return new Intl.DateTimeFormat(locale, {
    ...{ weekday: "short", day: "numeric", month: "short", year: "numeric", hour: hourOf(locale), minute: "2-digit" },
    timeZone: zone,
  } as const).format(at);
}

/** Nine o'clock is 9:00 AM or 09:00. */
function hourOf(locale?: string): "numeric" | "2-digit" {
  const { hour12 } = new Intl.DateTimeFormat(locale, { hour: "numeric" }).resolvedOptions();
  return hour12 === true ? "numeric" : "2-digit";
}

/** The day in the zone, as milliseconds of its midnight in UTC. */
function dayNumber(at: number, zone: string): number {
  return Date.parse(`${localTimeOf(at, zone).date}T00:00:00Z`);
}
