import type { LookupAddress } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { traced } from "./traced-fetch.ts";

export interface GuardedFetchOptions {
  /** Host names, as in a URL, that may be in private networks and may be called by plain http. */
  readonly privateHosts: readonly string[];
  /** Finds the addresses of a name; the system's way unless given. */
  readonly resolve?: (hostname: string) => Promise<LookupAddress[]>;
}

interface GuardedRequest {
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Limit: bytes of the answer. Defaults to 64 KiB. */
  readonly bodyLimit?: number;
  /** Time limit in milliseconds. Defaults to 2,500. */
  readonly timeout?: number;
  /** Breaks the call off. */
  readonly signal?: AbortSignal;
}

/** Calls an address that somebody else has chosen. A redirect is an answer like any other: it is not followed. */
export type GuardedFetch = (url: string, request?: GuardedRequest) => Promise<Response>;

/** Thrown for an address that is not to be called. The message names neither what it resolved to nor what is there. */
export class ForbiddenTarget extends Error {
  override readonly name = "ForbiddenTarget";
}

/**
 * A `fetch` that does not reach into the operator's own network (A37): https only, and every address that a name
 * resolves to must be public. It is checked while connecting, on what is then connected to, so that a name which
 * changes its mind in between gains nothing.
 */
export function openGuardedFetch({ privateHosts, resolve: find = findAll }: GuardedFetchOptions): GuardedFetch {
  const trusted = new Set(privateHosts.map((host) => host.toLowerCase()));
  const lookup = publicLookup(find);

  const call: GuardedFetch = async (
    address,
    { method = "GET", headers = {}, body, bodyLimit = 65_536, timeout = 2_500, signal } = {},
  ) => {
    const url = new URL(address); // writes decimal and octal hosts as what they are
    const isTrusted = trusted.has(url.hostname);
    if (url.protocol !== "https:" && !(isTrusted && url.protocol === "http:"))
      throw new ForbiddenTarget("only https addresses are called");
    if (url.username !== "" || url.password !== "") throw new ForbiddenTarget("the address has user information");
    const literal = url.hostname.replace(/^\[(.*)\]$/, "$1");
    if (!isTrusted && isIP(literal) !== 0) assertPublic(literal);

    // As ES modules they make Node load the whole of its own `fetch`, which no start should wait for.
    const { request: send } = await (url.protocol === "https:" ? import("node:https") : import("node:http"));
    return new Promise<Response>((resolve, reject) => {
      const request = send(url, {
        method,
        headers: { ...headers, ...(body === undefined ? {} : { "content-length": Buffer.byteLength(body) }) },
        agent: false,
        ...(signal === undefined ? {} : { signal }),
        ...(isTrusted ? {} : { lookup }),
      });
      // The host decides what it sends, and when, and whether it sends anything: the call ends by our own clock (A44).
      const timer = setTimeout(() => fail(new Error(`no whole answer within ${timeout / 1_000} s`)), timeout);
      const fail = (error: Error) => {
        clearTimeout(timer);
        request.destroy();
        reject(error);
      };
      request.on("error", fail);
      request.on("close", () => fail(new Error("the connection ended before the answer did")));
      request.on("upgrade", (_response, socket) => {
        socket.destroy();
        fail(new Error("the answer changes the protocol, which was not asked for"));
      });
      request.on("response", (response) => {
        const chunks: Buffer[] = [];
        let length = 0;
        response.on("data", (chunk: Buffer) => {
          length += chunk.length;
          if (length > bodyLimit) fail(new Error(`the answer is longer than ${bodyLimit} bytes`));
          else chunks.push(chunk);
        });
        response.on("error", fail);
        response.on("end", () => {
          clearTimeout(timer);
          const status = response.statusCode ?? 0;
          if (status < 200 || status > 599) return fail(new Error(`the answer has the status ${status}`));
          const content = [204, 205, 304].includes(status) ? null : Buffer.concat(chunks);
          const fields = Object.entries(response.headersDistinct).flatMap(([name, values = []]) =>
            values.map((value): [string, string] => [name, value]),
          );
          try {
            resolve(new Response(content, { status, headers: fields }));
          } catch (error) {
            fail(error as Error); // a field that node:http takes and `Headers` does not
          }
        });
      });
      request.end(body);
    });
  };
  return traced(call);
}

async function findAll(hostname: string): Promise<LookupAddress[]> {
  const { lookup } = await import("node:dns/promises");
  return lookup(hostname, { all: true });
}

/** Resolves to public IP addresses only. A single private one rejects all of them. */
function publicLookup(find: (hostname: string) => Promise<LookupAddress[]>): LookupFunction {
  return (hostname, { all }, done) => {
    find(hostname)
      .then((addresses) => {
        for (const { address } of addresses) assertPublic(address);
        const [first] = addresses;
        if (first === undefined) throw new ForbiddenTarget("the name has no address");
        if (all) done(null, addresses);
        else done(null, first.address, first.family);
      })
      .catch((error: NodeJS.ErrnoException) => done(error, []));
  };
}

/** @throws ForbiddenTarget for an address that is private, loopback, link-local, mapped, translated or reserved */
function assertPublic(address: string): void {
  const isPublic =
    isIP(address) === 4
      ? !RESERVED.check(address, "ipv4")
      : GLOBAL_UNICAST.check(address, "ipv6") && !RESERVED.check(address, "ipv6");
  if (!isPublic) throw new ForbiddenTarget("the address is not a public one");
}

/** The one block that has public addresses of IPv6. Mapped, NAT64 and local ones are outside of it. */
const GLOBAL_UNICAST = subnets("2000::/3");

/** The registries of special-purpose addresses (RFC 6890), and multicast. */
const RESERVED = subnets(
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24"],
  ...["192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"],
  ...["224.0.0.0/4", "240.0.0.0/4"],
  ...["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"],
);

function subnets(...all: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of all) {
    const [network = "", prefix] = subnet.split("/");
    list.addSubnet(network, Number(prefix), network.includes(":") ? "ipv6" : "ipv4");
  }
  return list;
}
