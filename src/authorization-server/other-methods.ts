import type { FastifyInstance, RouteHandlerMethod } from "fastify";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/**
 * Answers the methods that the routes of a plugin do not take with `refuse`, with status 405 and `Allow` set (RFC 9110
 * section 15.5.6). To be called before the routes are there; what it returns, after.
 */
export function refuseOtherMethods(server: FastifyInstance, refuse: RouteHandlerMethod): () => void {
  const taken = new Map<string, Set<string>>();
  server.addHook("onRoute", ({ url, method }) => {
    taken.set(url, new Set([...(taken.get(url) ?? []), ...[method].flat()]));
  });
  return () => {
    for (const [url, methods] of [...taken]) {
      const allow = [...methods].join(", ");
      server.route({
        method: METHODS.filter((method) => !methods.has(method)),
        url,
        handler(request, reply) {
          reply.code(405).header("allow", allow);
          return refuse.call(server, request, reply);
        },
      });
    }
  };
}
