import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { isIP } from "node:net";
import proxyAddr from "@fastify/proxy-addr";
import type { Config } from "../config/config.ts";

/**
 * The IP address that a request comes from, seen through the trusted proxies; null when unknown. Each trusted proxy is
 * believed about the address before it, which it may give with a port (A47). An entry that is no IP address, such as
 * `unknown`, hides that address: the proxy's own counts then.
 */
export function clientAddress(trusted: Config["TRUST_PROXY"]): (request: IncomingMessage) => string | null {
  if (trusted === false) return ({ socket }) => socket.remoteAddress ?? null;
  const isTrusted = proxyAddr.compile([...trusted]);
  return ({ headers, socket }) => {
    let address = socket.remoteAddress;
    if (address === undefined) return null;
    for (const hop of hopsOf(headers).reverse()) {
      if (!isTrusted(address, 0)) return address;
      const before = readAddress(hop);
      if (before === null) return address;
      address = before;
    }
    return address;
  };
}

/**
 * Lets Fastify see the same address: it reads X-Forwarded-For itself, takes a port for a part of the address, and any text
 * for an address.
 *
 * @returns called with each request before Fastify gets it
 */
export function openSettledAddress(trusted: Config["TRUST_PROXY"]): (request: IncomingMessage) => void {
  if (trusted === false) return () => {};
  const addressOf = clientAddress(trusted);
  return (request) => {
    const { headers } = request;
    // It stays where there was one: a request that a proxy has passed on does not come from this machine.
    if (headers["x-forwarded-for"] !== undefined || headers.forwarded !== undefined)
      headers["x-forwarded-for"] = addressOf(request) ?? "";
    delete headers.forwarded;
  };
}

/** From the client to the last proxy: `X-Forwarded-For`, or `Forwarded` (RFC 7239) where there is none. */
function hopsOf({ "x-forwarded-for": list, forwarded }: IncomingHttpHeaders): string[] {
  if (list !== undefined) return [list].flat().join(",").split(",");
  if (forwarded === undefined) return [];
  return splitOutsideQuotes(forwarded, ",").map((element) => {
    const pair = splitOutsideQuotes(element, ";").find((part) => /^\s*for\s*=/i.test(part)) ?? "";
    return pair
      .replace(/^\s*for\s*=/i, "")
      .trim()
      .replace(/^"(.*)"$/, "$1");
  });
}

function splitOutsideQuotes(text: string, separator: "," | ";"): string[] {
  const parts = [""];
  let isQuoted = false;
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    if (character === separator && !isQuoted) parts.push("");
    else parts[parts.length - 1] += character;
  }
  return parts;
}

/** An IP address as proxies write it: `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1`, `[2001:db8::1]`, `[2001:db8::1]:4711`. */
function readAddress(text: string): string | null {
  const written = text.trim();
  const bare =
    /^\[([\d.:a-f]+)\](?::\d{1,5})?$/i.exec(written)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(written)?.[1] ?? written;
  return isIP(bare) === 0 ? null : bare;
}
