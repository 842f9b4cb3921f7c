import type { FastifyCorsOptions } from "@fastify/cors";
import type { Config } from "../config/config.ts";
import type { Store } from "../domain/store/store.ts";
import { openAllowedOrigins } from "./client-origins.ts";

/** Who may call the API from a page of another origin: those who are configured, and the origins of clients. */
export function corsOptions(config: Config, store: Store, now: () => number): FastifyCorsOptions {
  const isAllowed = openAllowedOrigins({
    configured: [new URL(config.BASE_URL).origin, ...config.CORS_ORIGINS],
    listRedirectUris: async () =>
      (await store.clients.list()).flatMap((client) => (client.disabledAt === null ? client.redirectUris : [])),
    now,
  });
  return {
    origin: async (origin: string | undefined) => origin !== undefined && (await isAllowed(origin)),
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
    ],
    maxAge: 600,
  };
}
