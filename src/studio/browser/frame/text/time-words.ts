const STEPS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number, until: number])[] = [
  ["minute", 60, 3_600],
  ["hour", 3_600, 86_400],
  ["day", 86_400, 7 * 86_400],
];

const formats = new Map<string, Intl.DateTimeFormat>();

/** "2 hours ago", "in 3 days"; the date where it is further than a week away. */
export function relativeTime(value: string, now: number, locale?: string): string {
  const seconds = (Date.parse(value) - now) / 1_000;
  const distance = Math.abs(seconds);
  if (distance < 45) return seconds > 0 ? "in a moment" : "just now";
  for (const [unit, length, until] of STEPS) {
    if (distance >= until) continue;
    const count = Math.max(1, Math.round(distance / length)) * Math.sign(seconds);
    return new Intl.RelativeTimeFormat(locale, { numeric: unit === "day" ? "auto" : "always" }).format(count, unit);
  }
  const isThisYear = new Date(value).getFullYear() === new Date(now).getFullYear();
  return format(locale, { day: "numeric", month: "short", ...(!isThisYear && { year: "numeric" }) }).format(
    new Date(value),
  );
}

/** Date and time with the zone, such as "28 November 2026 at 09:00 CET". */
export function exactTime(value: string, zone?: string, locale?: string): string {
  return format(locale, {
    ...{ day: "numeric", month: "long", year: "numeric", hour: "numeric", minute: "2-digit", timeZoneName: "short" },
    ...(zone !== undefined && { timeZone: zone }),
  }).format(new Date(value));
}

function format(locale: string | undefined, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(options)}`;
  const known = formats.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formats.set(key, known);
  return known;
}
