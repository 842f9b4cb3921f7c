import { randomBytes } from "node:crypto";
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { CLIENT_ID, callbackUrl, SCOPES, studioUrl } from "./client.ts";
import type { StudioFile, StudioFiles } from "./files.ts";
import type { PageSettings } from "./page.ts";

export interface StudioOptions {
  /** Public address of the API, without a trailing slash. */
  readonly baseUrl: string;
  /** The OAuth issuer, character by character. */
  readonly issuer: string;
  /** Metadata of the authorization server (RFC 8414), as far as the studio needs them. */
  readonly authorizationServer: object;
  /** The name of whoever runs the installation, for the top bar. */
  readonly operator: string;
  /** Opens the built files; null where there are none. Called on the first request for the studio. */
  readonly files: () => StudioFiles | null;
}

const A_YEAR = "public, max-age=31536000, immutable";

/** `/studio` and everything below it: one page for every address, and its files. */
export function studioRoutes(options: StudioOptions): FastifyPluginAsync {
  const settings = settingsOf(options);
  // Loaded with the first request: most processes of an API never see one.
  const pages = () => import("./page.ts");

  return async (server) => {
    const answerShell = async (_request: FastifyRequest, reply: FastifyReply) => {
      const { notBuiltHtml, securityHeaders, shellHtml } = await pages();
      const nonce = randomBytes(16).toString("base64url");
      const files = options.files();
      // The address may carry an authorization code: it is neither kept nor passed on (RFC 9700 section 4.2).
      reply.headers({ ...securityHeaders(options.issuer, nonce), "cache-control": "no-store" });
      if (files === null) return reply.code(503).send(notBuiltHtml(settings));
      return reply.send(shellHtml(settings, files.manifest, nonce));
    };
    // The service worker answers what stands below the slash.
    server.get("/studio", (_request, reply) => reply.redirect(`${settings.base}/`, 301));
    server.get("/studio/*", answerShell);

    server.get<{ Params: { name: string } }>("/studio/assets/:name", async (request, reply) => {
      const file = (await options.files()?.findAsset(request.params.name)) ?? null;
      return file === null ? reply.callNotFound() : sendFile(request, reply, file, A_YEAR);
    });
    server.get("/studio/sw.js", async (request, reply) => {
      const files = options.files();
      return files === null ? reply.callNotFound() : sendFile(request, reply, await files.worker(), "no-cache");
    });
    server.get("/studio/appearance.js", async (_request, reply) =>
      sendText(reply, "text/javascript; charset=utf-8", (await pages()).APPEARANCE_SCRIPT),
    );
    server.get("/studio/icon.svg", async (_request, reply) =>
      sendText(reply, "image/svg+xml", (await pages()).APP_ICON),
    );
    server.get("/studio/manifest.webmanifest", async (_request, reply) =>
      sendText(reply, "application/manifest+json", (await pages()).webManifest(settings)),
    );
  };
}

function sendFile(request: FastifyRequest, reply: FastifyReply, file: StudioFile, cacheControl: string): FastifyReply {
  const isCompressed = /\bgzip\b/.test(request.headers["accept-encoding"] ?? "");
  return reply
    .headers({
      "content-type": file.type,
      "cache-control": cacheControl,
      "x-content-type-options": "nosniff",
      vary: "Accept-Encoding",
      ...(isCompressed && { "content-encoding": "gzip" }),
    })
    .send(isCompressed ? file.gzip : file.plain);
}

function sendText(reply: FastifyReply, type: string, text: string): FastifyReply {
  return reply
    .headers({ "content-type": type, "cache-control": "public, max-age=86400", "x-content-type-options": "nosniff" })
    .send(text);
}

/** Derives the addresses of the page from the public ones of the installation. */
function settingsOf({ baseUrl, issuer, authorizationServer, operator }: StudioOptions): PageSettings {
  // Paths for our own files, not addresses: the page also works where it is reached by another name.
  const path = new URL(baseUrl).pathname.replace(/\/$/, "");
  return {
    operator,
    base: `${path}/studio`,
    graphqlPath: `${path}/graphql`,
    graphqlUrl: `${baseUrl}/graphql`,
    homePath: `${path}/`,
    issuer,
    authorizationServer: JSON.stringify(authorizationServer),
    clientId: CLIENT_ID,
    redirectUri: callbackUrl(baseUrl),
    signedOutUri: studioUrl(baseUrl),
    scope: SCOPES.join(" "),
  };
}
