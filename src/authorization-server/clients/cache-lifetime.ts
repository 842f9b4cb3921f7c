const MINUTE = 60_000;

/**
 * How long an answer is believed, by its Cache-Control (RFC 9111 section 5.2.2): between a minute and `most`, and
 * `usual` where it says nothing. All in milliseconds.
 */
export function cacheLifetime(cacheControl: string | null, { most, usual }: { most: number; usual: number }): number {
  if (/\bno-(?:store|cache)\b/i.test(cacheControl ?? "")) return MINUTE;
  const seconds = /\bmax-age=(\d{1,9})/i.exec(cacheControl ?? "")?.[1];
  return seconds === undefined ? usual : Math.min(most, Math.max(MINUTE, Number(seconds) * 1000));
}
