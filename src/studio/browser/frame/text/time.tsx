import { useEffect, useState } from "preact/hooks";
import { exactTime, relativeTime } from "./time-words.ts";

interface TimeProps {
  /** RFC 3339. */
  readonly value: string;
  /** `exact` writes date and time; otherwise it says how long ago or ahead, and the exact time on hovering or focus. */
  readonly exact?: boolean;
  /** IANA name of the zone for an exact time; the person's own unless given. */
  readonly zone?: string | undefined;
}

/** A moment in the person's own words and zone. */
export function Time({ value, exact = false, zone }: TimeProps) {
  const now = useMinute();
  const words = exactTime(value, zone);
  return (
    <time dateTime={value} title={exact ? undefined : words}>
      {exact ? words : relativeTime(value, now)}
    </time>
  );
}

/** The present, once a minute, so that "2 minutes ago" does not stay for ever. */
function useMinute(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
