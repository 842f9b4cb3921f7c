import type { TemporalApi } from "./temporal.ts";

/** A date and a time as their fields have them: `2027-01-05` and `09:00`. */
export interface LocalTime {
  readonly date: string;
  readonly time: string;
}

/** A moment, with the time that clocks in the zone show at it. */
interface Moment {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly local: LocalTime;
  /** Distance to UTC, such as `+02:00`. */
  readonly offset: string;
}

/** The moments that a local time can mean. */
export type Moments =
  | { readonly kind: "once"; readonly moment: Moment }
  /** Clocks skip this time. Moments as long before and after the jump as the time stands within the gap. */
  | { readonly kind: "never"; readonly earlier: Moment; readonly later: Moment }
  /** Clocks show this time twice. */
  | { readonly kind: "twice"; readonly earlier: Moment; readonly later: Moment };

/** @returns null for a date, a time or a zone that does not exist */
export function momentsOf(temporal: TemporalApi, { date, time }: LocalTime, zone: string): Moments | null {
  try {
    const plain = temporal.PlainDateTime.from(`${date}T${time}`);
    const earlier = plain.toZonedDateTime(zone, { disambiguation: "earlier" });
    const later = plain.toZonedDateTime(zone, { disambiguation: "later" });
    if (earlier.equals(later)) return { kind: "once", moment: momentOf(earlier) };
    const kind = earlier.toPlainDateTime().equals(plain) ? "twice" : "never";
    return { kind, earlier: momentOf(earlier), later: momentOf(later) };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The time that clocks in a zone show. */
export function localTimeOf(at: number, zone: string): LocalTime {
  const format = new Intl.DateTimeFormat("en", {
    ...{ year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
    timeZone: zone,
  } as const);
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const year = String(parts.year).padStart(4, "0");
  return { date: `${year}-${parts.month}-${parts.day}`, time: `${parts.hour}:${parts.minute}` };
}

function momentOf(zoned: Temporal.ZonedDateTime): Moment {
  const plain = zoned.toPlainDateTime();
  return {
    at: zoned.epochMilliseconds,
    local: {
      date: plain.toPlainDate().toString(),
      time: plain.toPlainTime().toString({ smallestUnit: "minute" }),
    },
    offset: zoned.offset,
  };
}
