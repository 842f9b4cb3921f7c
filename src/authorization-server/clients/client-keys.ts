import { hash, type JsonWebKey } from "node:crypto";
import { LRUCache } from "lru-cache";
import type Provider from "oidc-provider";
import type { Client as EngineClient } from "oidc-provider";
import { isPublicJwk } from "../../domain/clients/jwk-set.ts";
import { type ReadKeys, RemoteKeys } from "../../domain/clients/remote-keys.ts";
import type { Log } from "../../observe/log.ts";
import type { HostBounds } from "../engine/host-bounds.ts";
import type { OutboundFetch } from "../engine/outbound-fetch.ts";
import { openClientPatch, patch } from "../engine/patches.ts";
import { cacheLifetime } from "./cache-lifetime.ts";

const MINUTE = 60_000;
/** How long keys are believed at most, and where their Cache-Control says nothing. */
const [MOST, USUAL] = [60 * MINUTE, 5 * MINUTE];
const MAX_ADDRESSES = 500;
const MAX_KEYS = 50;

/** The engine's view of a client's keys. After a failed check with keys that are not `fresh`, it calls `refresh` and retries. */
interface EngineKeys {
  selectForVerify(wanted: { alg: string; kid?: string | undefined }): JsonWebKey[];
  getKeyObject(key: JsonWebKey): JsonWebKey;
  fresh(): boolean;
  refresh(): Promise<void>;
  /** With the thumbprints of their certificates. */
  [Symbol.iterator](): Iterator<JsonWebKey>;
}

export interface ClientKeysOptions {
  /** Reaches public addresses only (A37), and follows no redirect. */
  readonly fetch: OutboundFetch;
  readonly bounds: HostBounds;
  /** Runs work that waits for a host which a caller has chosen. */
  readonly waiting: <T>(work: () => Promise<T>) => Promise<T>;
  readonly log: Log;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
}

/**
 * Gives the engine the keys of clients that publish them at an address (`jwks_uri`, RFC 7591 section 2). Its own way
 * believes them for as long as the client says, asks for no unknown one meanwhile, and asks without a pause while the
 * address is away.
 */
export function readClientKeys(provider: Provider, options: ClientKeysOptions): void {
  const addresses = new LRUCache<string, EngineKeys>({ max: MAX_ADDRESSES });
  const keysAt = (uri: string): EngineKeys => {
    const known = addresses.get(uri) ?? openKeys(uri, options);
    addresses.set(uri, known);
    return known;
  };
  const taught = new WeakSet<EngineClient>();
  const replaceKeys = openClientPatch(provider, "Client().asymmetricKeyStore");
  patch<Provider["Client"]["find"]>(
    provider,
    "Client.find",
    (find) =>
      async function (this: Provider["Client"], id) {
        const client = await find.call(this, id);
        const uri = client?.jwksUri;
        if (client === undefined || uri === undefined || taught.has(client)) return client;
        const isSelfSigned = client.clientAuthMethod === "self_signed_tls_client_auth";
        replaceKeys(client, () => (isSelfSigned ? withPause(keysAt(uri)) : keysAt(uri)));
        taught.add(client);
        return client;
      },
  );
}

function openKeys(uri: string, { fetch, bounds, waiting, log, now }: ClientKeysOptions): EngineKeys {
  const remote = new RemoteKeys(async () => {
    try {
      return await bounds.call(uri, false, () => readKeys(uri, fetch));
    } catch (error) {
      log.warn({ event: "client keys", jwksUri: uri, reason: (error as Error).message }, "not read");
      throw error;
    }
  }, now);
  const believed = () => (remote.isPaused ? remote.stale() : remote.fresh()) ?? [];
  return {
    selectForVerify: ({ alg, kid }) =>
      believed().filter((key) => isFor(key, alg) && (kid === undefined || key.kid === kid)),
    getKeyObject: (key) => key,
    fresh: () => remote.isPaused,
    [Symbol.iterator]: () => believed().map(withThumbprint)[Symbol.iterator](),
    refresh: () => waiting(() => remote.refresh()).catch(() => {}), // it is in the log
  };
}

async function readKeys(uri: string, fetch: OutboundFetch): Promise<ReadKeys<readonly JsonWebKey[]>> {
  const response = await fetch(uri, {
    method: "GET",
    headers: { accept: "application/jwk-set+json, application/json" },
  });
  if (response.status !== 200) throw new Error(`it answers ${response.status}`);
  const { keys: listed } = ((await response.json()) ?? {}) as { keys?: unknown };
  if (!Array.isArray(listed)) throw new Error("it is no JWK Set");
  return {
    // One that could also sign is everybody's by now, and not believed.
    keys: (listed as unknown[]).slice(0, MAX_KEYS).filter(isPublicJwk),
    lifetime: cacheLifetime(response.headers.get("cache-control"), { most: MOST, usual: USUAL }),
  };
}

/** The engine reads certificates again at each use, so removed ones are rejected within seconds. */
function withPause(keys: EngineKeys): EngineKeys {
  return { ...keys, refresh: async () => (keys.fresh() ? undefined : keys.refresh()) };
}

/** By which the engine finds a certificate; nothing that the key says of itself counts. */
function withThumbprint(key: JsonWebKey): JsonWebKey {
  const [certificate] = Array.isArray(key.x5c) ? (key.x5c as unknown[]) : [];
  const isText = typeof certificate === "string";
  const thumbprint = isText ? hash("sha256", Buffer.from(certificate, "base64"), "base64url") : undefined;
  return { ...key, "x5t#S256": thumbprint };
}

/** The key that each signature algorithm of ours needs (RFC 7518 section 3.1, RFC 8037 section 3.1). */
const NEEDED: Readonly<Record<string, { readonly kty: string; readonly crv?: string }>> = {
  ES256: { kty: "EC", crv: "P-256" },
  RS256: { kty: "RSA" },
  PS256: { kty: "RSA" },
  EdDSA: { kty: "OKP", crv: "Ed25519" },
};

function isFor(key: JsonWebKey, alg: string): boolean {
  const needed = NEEDED[alg];
  if (needed === undefined || key.kty !== needed.kty) return false;
  if (needed.crv !== undefined && key.crv !== needed.crv) return false;
  return (key.alg === undefined || key.alg === alg) && (key.use === undefined || key.use === "sig");
}
