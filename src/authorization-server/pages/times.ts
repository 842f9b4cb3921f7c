import { type Html, html } from "./layout/html.ts";

/** A point in time, as one person writes it. */
export interface Times {
  text(seconds: number): string;
  /** @param seconds Unix time */
  element(seconds: number): Html;
}

/** Languages of a field that are looked at; nobody reads more. */
const MOST_LANGUAGES = 10;

/**
 * Times in the person's own language, and in the zone of its country, where all of the country has one time: no browser tells
 * its zone without script. Otherwise the zone is UTC. The zone stands beside each time.
 *
 * @param acceptLanguage the field of the request (RFC 9110 section 12.5.4)
 */
export function openTimes(acceptLanguage = ""): Times {
  const asked = preferredLocale(acceptLanguage);
  const locale = asked ?? "en-GB";
  const format = new Intl.DateTimeFormat(locale, {
    ...{ day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", timeZoneName: "short" },
    timeZone: asked === null ? "UTC" : zoneOf(asked),
  });
  const text = (seconds: number) => format.format(seconds * 1_000);
  return {
    text,
    element: (seconds) =>
      html`<time datetime="${new Date(seconds * 1_000).toISOString()}" lang="${locale}" dir="auto">${text(seconds)}</time>`,
  };
}

/** The first of the languages, by their weights, in which times can be written; null for none. */
function preferredLocale(acceptLanguage: string): string | null {
  const ranges = acceptLanguage
    .split(",", MOST_LANGUAGES)
    .map((range) =>
      /^\s*([a-z]{2,3}(?:-[a-z0-9]{2,8})*)(?:-[a-z0-9]-[a-z0-9-]*)?\s*(?:;\s*q=([01](?:\.\d{1,3})?)\s*)?$/i.exec(range),
    )
    .filter((match) => match !== null)
    .map(([, tag = "", weight = "1"]) => ({ tag, weight: Number(weight) }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight);
  for (const { tag } of ranges) {
    const [locale] = supported(tag);
    if (locale !== undefined) return locale;
  }
  return null;
}

function supported(tag: string): string[] {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag);
  } catch {
    return []; // no well-formed tag, whatever it looks like
  }
}

function zoneOf(locale: string): string {
  // ECMA-402, which TypeScript's library does not know yet.
  const { getTimeZones } = Intl.Locale.prototype as { getTimeZones?: (this: Intl.Locale) => string[] | undefined };
  const [zone = "UTC", ...others] = getTimeZones?.call(new Intl.Locale(locale).maximize()) ?? [];
  const offsets = offsetsOf(zone);
  return others.every((other) => offsetsOf(other) === offsets) ? zone : "UTC";
}

/** The offsets of a zone in winter and in summer, as text. */
function offsetsOf(timeZone: string): string {
  const format = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" });
  return [Date.UTC(2026, 0), Date.UTC(2026, 6)].map((day) => format.format(day)).join();
}
