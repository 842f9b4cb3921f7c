import { createHash } from "node:crypto";
import type { FastifyPluginAsync } from "fastify";
import type { IntrospectionQuery } from "graphql";
import { ASSET_VERSION, findAsset } from "./assets.ts";
import { CLIENT_ID, callbackUrl, explorerUrl, SCOPES } from "./client.ts";
import { callbackHtml, explorerHtml, type PageSettings, securityHeaders } from "./page.ts";

export interface ExplorerOptions {
  /** Public address of the API, without a trailing slash. */
  readonly baseUrl: string;
  /** The OAuth issuer, character by character. */
  readonly issuer: string;
  /** The name of whoever runs the installation, for the top bar. */
  readonly operator: string;
  /** Gives the schema, which the editor knows before anyone has signed in; absent where introspection is off. */
  readonly introspect?: () => IntrospectionQuery;
}

/** Answers a browser's `GET /graphql` with `Accept: text/html`. */
export function explorerPage(options: ExplorerOptions): { headers: Record<string, string>; body: string } {
  return {
    headers: { ...securityHeaders(options.issuer), "cache-control": "no-cache", vary: "Accept" },
    body: explorerHtml(settings(options)),
  };
}

/** `/explorer/callback`, where sign-in comes back to, the schema, and the page's files. */
export function explorerRoutes(options: ExplorerOptions): FastifyPluginAsync {
  return async (server) => {
    server.get("/explorer/callback", (_request, reply) =>
      // The address carries the authorization code: it is neither kept nor passed on (RFC 9700 section 4.2).
      reply
        .headers({ ...securityHeaders(options.issuer), "cache-control": "no-store" })
        .send(callbackHtml(settings(options))),
    );

    const { introspect } = options;
    if (introspect !== undefined) {
      let answer: { readonly text: string; readonly etag: string } | undefined;
      server.get("/explorer/schema.json", (request, reply) => {
        answer ??= describeSchema(introspect());
        const { text, etag } = answer;
        reply.headers({ etag, "cache-control": "no-cache", "x-content-type-options": "nosniff" });
        if (request.headers["if-none-match"] === etag) return reply.code(304).send();
        return reply.type("application/json; charset=utf-8").send(text);
      });
    }

    server.get<{ Params: { version: string; name: string } }>("/explorer/:version/:name", async (request, reply) => {
      const asset = request.params.version === ASSET_VERSION ? findAsset(request.params.name) : null;
      if (asset === null) return reply.callNotFound();
      const compressed = /\bgzip\b/.test(request.headers["accept-encoding"] ?? "");
      return reply
        .headers({
          "content-type": asset.type,
          "cache-control": "public, max-age=31536000, immutable",
          "x-content-type-options": "nosniff",
          vary: "Accept-Encoding",
          ...(compressed && { "content-encoding": "gzip" }),
        })
        .send(await (compressed ? asset.gzip() : asset.plain()));
    });
  };
}

/** Derives the addresses of the pages from the public ones of the installation. */
function settings(options: ExplorerOptions): PageSettings {
  // Paths for our own files, not addresses: the editor also works where it is reached by another name.
  const path = new URL(options.baseUrl).pathname.replace(/\/$/, "");
  return {
    operator: options.operator,
    homePath: `${path}/`,
    graphqlPath: `${path}/graphql`,
    graphqlUrl: explorerUrl(options.baseUrl),
    schemaPath: options.introspect === undefined ? null : `${path}/explorer/schema.json`,
    assetPath: `${path}/explorer/${ASSET_VERSION}`,
    issuer: options.issuer,
    clientId: CLIENT_ID,
    redirectUri: callbackUrl(options.baseUrl),
    scope: SCOPES.join(" "),
  };
}

/** The answer to the introspection query, and the name of this version of it. */
function describeSchema(data: IntrospectionQuery): { text: string; etag: string } {
  const text = JSON.stringify({ data });
  return { text, etag: `"${createHash("sha256").update(text).digest("base64url").slice(0, 16)}"` };
}
