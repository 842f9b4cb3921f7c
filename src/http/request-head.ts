import type { IncomingMessage } from "node:http";
import { isIPv6 } from "node:net";

/** Fields of which Node keeps the first line without a word, and a proxy may have read the last. */
const SINGLE = ["host", "authorization", "content-type"] as const;

/** A name or an address of RFC 3986 section 3.2.2 as far as URLs on the web have it, and a port. */
const HOST = /^(?:\[([0-9a-f:.]+)\]|[\w.~-]+)(?::(\d{1,5}))?$/i;

/**
 * The reason why the head of a request means nothing, or different things to different readers: more or fewer than one Host
 * line, a Host that is no host, a fragment in the address (RFC 9112 section 3.2), a second line of a field that has one
 * value (RFC 9110 section 5.3).
 *
 * @returns null for a good one, else an error with the status 400
 */
export function headFault({ url, rawHeaders, headers, httpVersionMinor }: IncomingMessage): Error | null {
  if (url?.includes("#") === true) return fault("The address must not have a #.");
  const { host } = headers;
  if (host === undefined) {
    // Only HTTP/1.0, as health checks of proxies speak it, may do without.
    if (httpVersionMinor > 0) return fault("The request must have one Host line.");
  } else if (!isHost(host)) return fault("The Host line must be a host name, and a port if there is one.");
  for (const name of SINGLE) {
    if (headers[name] !== undefined && linesOf(rawHeaders, name) > 1)
      return fault(`The request must not have more than one ${name} line.`);
  }
  return null;
}

function linesOf(rawHeaders: readonly string[], name: string): number {
  let lines = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const other = rawHeaders[index] as string;
    if (other.length === name.length && other.toLowerCase() === name) lines++;
  }
  return lines;
}

/** The host that was good last: most requests name the same. */
let lastHost = "";

function isHost(text: string): boolean {
  if (text === lastHost) return true;
  const [isRight, literal, port] = HOST.exec(text) ?? [];
  if (isRight === undefined || Number(port ?? 0) > 65_535) return false;
  const isGood = literal === undefined || isIPv6(literal);
  if (isGood) lastHost = text;
  return isGood;
}

function fault(message: string): Error {
  return Object.assign(new Error(message), { statusCode: 400 });
}
