import type { FastifyCorsOptions } from "@fastify/cors";
import type { Config } from "../config/config.ts";
import type { IsClientOrigin } from "./client-origins.ts";

/** Origins whose pages may call every endpoint: our own, and those in the settings. */
export function ownOrigins({ BASE_URL, CORS_ORIGINS }: Config): ReadonlySet<string> {
  return new Set([new URL(BASE_URL).origin, ...CORS_ORIGINS]);
}

/** Lets pages of other origins call the API: those in the settings, and those of clients. */
export function corsOptions(config: Config, isClientOrigin: IsClientOrigin): FastifyCorsOptions {
  const configured = ownOrigins(config);
  return {
    origin: async (origin: string | undefined) =>
      origin !== undefined && (configured.has(origin) || (await isClientOrigin(origin))),
    methods: ["GET", "POST"],
    allowedHeaders: [
      "Authorization",
      "DPoP",
      "Content-Type",
      "Accept",
      "GraphQL-Cost",
      "If-None-Match",
      "Idempotency-Key",
      "Last-Event-ID",
    ],
    exposedHeaders: [
      "Allow",
      "WWW-Authenticate",
      "RateLimit",
      "RateLimit-Policy",
      "Retry-After",
      "DPoP-Nonce",
      "ETag",
      "Deprecation",
      "Sunset",
      "Idempotency-Replayed",
      "X-Request-Id",
    ],
    maxAge: 600,
  };
}
