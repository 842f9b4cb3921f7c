import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { FastifyPluginAsync } from "fastify";
import { mountPath } from "../http/endpoints.ts";

const SCRIPT = readFileSync(new URL("./browser/passkeys.js", import.meta.url));

/** Changes with the file, so that browsers may keep it for ever. */
const PATH = `/assets/passkeys-${createHash("sha256").update(SCRIPT).digest("hex").slice(0, 12)}.js`;

/** The address of the one script that our pages run (U38). */
export function scriptUrl(issuer: string): string {
  return issuer + PATH;
}

/** The script, and the document by which password managers find the page for passkeys (W3C "Passkey Endpoints Well-Known URL"). */
export function passkeyRoutes(issuer: string): FastifyPluginAsync {
  const page = `${issuer}/account/passkeys`;
  return async (server) => {
    server.get(mountPath(issuer) + PATH, (_request, reply) =>
      reply
        .headers({
          "content-type": "text/javascript; charset=utf-8",
          "cache-control": "public, max-age=31536000, immutable",
          "x-content-type-options": "nosniff",
        })
        .send(SCRIPT),
    );
    server.get("/.well-known/passkey-endpoints", (_request, reply) =>
      reply.header("cache-control", "public, max-age=3600").send({ enroll: page, manage: page }),
    );
  };
}
