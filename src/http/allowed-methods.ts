import type { FastifyInstance } from "fastify";

/**
 * Tells the methods that the routes of a server take at a path, for 405 and `Allow` (RFC 9110 section 15.5.6): none where
 * no route is. To be opened before the routes are there. Routes for any path at all do not count.
 */
export function openAllowedMethods(server: FastifyInstance): (path: string) => readonly string[] {
  const routes = new Map<string, { path: RegExp; methods: Set<string> }>();
  server.addHook("onRoute", ({ url, method }) => {
    if (url.includes("*")) return;
    const route = routes.get(url) ?? { path: pattern(url), methods: new Set() };
    for (const one of [method].flat()) route.methods.add(one);
    routes.set(url, route);
  });
  return (path) => {
    for (const route of routes.values()) if (route.path.test(path)) return [...route.methods];
    return [];
  };
}

/** `/interaction/:uid` is any one segment after `/interaction/`; all else is as it is written. */
function pattern(url: string): RegExp {
  const escaped = url.replaceAll(/[.+*?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${escaped.replaceAll(/:[^/]+/g, "[^/]+")}$`);
}
