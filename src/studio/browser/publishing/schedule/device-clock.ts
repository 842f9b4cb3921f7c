/** Milliseconds of difference that do not matter to a schedule. */
const TOLERATED = 60_000;

/**
 * How far this device's clock is off, by the `Date` header of an answer (RFC 9110 section 6.6.1).
 *
 * @returns milliseconds to add to the device's time; null if the server cannot be asked
 */
export async function clockOffset(
  ask: (url: string, init: RequestInit) => Promise<Response>,
  now: () => number,
): Promise<number | null> {
  const start = now();
  try {
    const { headers } = await ask("/", { method: "HEAD", cache: "no-store", credentials: "omit" });
    const served = Date.parse(headers.get("date") ?? "");
    if (Number.isNaN(served)) return null;
    // The header has whole seconds, so the moment lies half a second later on average. A cache says how old the answer is.
    const age = Number(headers.get("age") ?? 0) * 1_000;
    return served + 500 + age - (start + now()) / 2;
  } catch {
    return null;
  }
}

/** The sentence about a clock that is off by more than a minute; null for a good clock. */
export function clockWarning(offset: number): string | null {
  if (Math.abs(offset) <= TOLERATED) return null;
  const distance = Math.abs(offset);
  const [size, unit] =
    distance < 2 * 3_600_000
      ? [60_000, "minute"]
      : distance < 2 * 86_400_000
        ? [3_600_000, "hour"]
        : [86_400_000, "day"];
  const count = Math.round(distance / size);
  const amount = `${count} ${unit}${count === 1 ? "" : "s"}`;
  return `This device's clock is ${amount} ${offset < 0 ? "fast" : "slow"}. The post goes live by the server's clock.`;
}
