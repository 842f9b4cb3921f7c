import type { IncomingMessage } from "node:http";
import proxyAddr from "@fastify/proxy-addr";
import type { Config } from "../config/config.ts";

/** Ids as proxies make them; what else they may pass on from clients is not taken over. */
const REQUEST_ID = /^[\w.:+=/@-]{1,128}$/;

/** Callers whose `traceparent` and `x-request-id` are taken over. */
export function openTrustedCaller({
  TRACE_CONTEXT: context,
  TRUST_PROXY: proxies,
}: Pick<Config, "TRACE_CONTEXT" | "TRUST_PROXY">): (request: IncomingMessage) => boolean {
  if (context === "all") return () => true;
  if (context === "none" || proxies === false) return () => false;
  const isProxy = proxyAddr.compile([...proxies]);
  return ({ socket: { remoteAddress } }) => remoteAddress !== undefined && isProxy(remoteAddress, 0);
}

/** The id of each request: that of a trusted caller, or a new one. */
export function openRequestIds(
  isTrusted: (request: IncomingMessage) => boolean,
  newId: () => string,
): (request: IncomingMessage) => string {
  return (request) => {
    const given = request.headers["x-request-id"];
    return typeof given === "string" && isTrusted(request) && REQUEST_ID.test(given) ? given : newId();
  };
}
