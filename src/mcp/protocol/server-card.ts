import { createHash } from "node:crypto";
import { isIP } from "node:net";
import { SUPPORTED } from "./revision.ts";
import type { McpService } from "./service.ts";

/** A public document, and the headers that it is served with to everybody. */
export interface PublicDocument {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface ServerCardOptions {
  readonly info: McpService<never>["info"];
  /** One sentence of at most 100 characters on what the server is for. */
  readonly description: string;
  /** URL of the endpoint. */
  readonly url: string;
}

const CARD_TYPE = "application/mcp-server-card+json";

/**
 * Card of the server, for `GET <url>/server-card` (SEP-2127, a draft). It says where to connect and in which revisions; tools
 * depend on the caller and are listed only to callers.
 */
export function serverCard({ info, description, url }: ServerCardOptions): PublicDocument {
  const { hostname } = new URL(url);
  return publicDocument(CARD_TYPE, {
    $schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
    name: `${reversed(hostname)}/${info.name}`,
    title: info.title,
    description,
    version: info.version,
    remotes: [{ type: "streamable-http", url, supportedProtocolVersions: SUPPORTED }],
  });
}

/** Catalog of the host, for `/.well-known/ai-catalog.json`, with the card as its one entry. */
export function aiCatalog({ info, url }: Pick<ServerCardOptions, "info" | "url">): PublicDocument {
  const { hostname } = new URL(url);
  return publicDocument("application/ai-catalog+json", {
    specVersion: "1.0",
    entries: [{ identifier: `urn:air:${hostname}:mcp:${info.name}`, type: CARD_TYPE, url: `${url}/server-card` }],
  });
}

/** Status for a request with this If-None-Match: 304 where the client has the document already (RFC 9110 section 13.1.2). */
export function documentStatus({ headers }: PublicDocument, ifNoneMatch: string | undefined): 200 | 304 {
  const known = ifNoneMatch?.split(",").map((tag) => tag.trim().replace(/^W\//, "")) ?? [];
  return known.includes(headers.etag ?? "") || known.includes("*") ? 304 : 200;
}

function publicDocument(type: string, content: object): PublicDocument {
  const body = JSON.stringify(content);
  const digest = createHash("sha256").update(body).digest("base64url").slice(0, 22);
  return {
    headers: {
      "content-type": type,
      "cache-control": "public, max-age=3600",
      etag: `"${digest}"`,
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "GET",
      "access-control-allow-headers": "Content-Type, If-None-Match",
      "access-control-expose-headers": "ETag",
    },
    body,
  };
}

/** `api.example.com` as `com.example.api`; an IP address in its own order. */
function reversed(hostname: string): string {
  const plain = hostname.replaceAll(/[[\]]/g, "");
  return isIP(plain) === 0 ? plain.split(".").reverse().join(".") : plain.replaceAll(":", "-");
}
