import { createPublicKey, type JsonWebKey, type KeyObject } from "node:crypto";
import { RemoteKeys } from "../domain/clients/remote-keys.ts";
import { AppError } from "../domain/errors.ts";

export interface IssuerKeysOptions {
  /** The issuer identifier, compared character by character. */
  readonly issuer: string;
  /** Reads an address within bounds of its own. */
  fetch(url: string): Promise<Response>;
  /** Milliseconds of Unix time. */
  now(): number;
}

export interface IssuerKeys {
  /**
   * The key of that name; null for one that the issuer does not publish. Synchronous while what was read is believed.
   * @throws AppError UNAVAILABLE while the issuer's keys cannot be read
   */
  find(kid: string): KeyObject | null | Promise<KeyObject | null>;
  /** Increments when a key is removed or changed: older signatures must be checked again. */
  readonly generation: number;
}

/** How long published keys are believed. */
const FRESH_MS = 5 * 60_000;
const MOST_KEYS = 100;

interface Published {
  readonly keys: ReadonlyMap<string, KeyObject>;
  /** As it was published, to notice a change. */
  readonly text: string;
  readonly generation: number;
}

/** The keys of an outside issuer, found by its metadata (RFC 8414; OpenID Connect Discovery 1.0). */
export function openIssuerKeys({ issuer, fetch, now }: IssuerKeysOptions): IssuerKeys {
  const remote: RemoteKeys<Published> = new RemoteKeys(async () => {
    const { jwks_uri: uri } = await readMetadata(issuer, fetch);
    if (typeof uri !== "string") throw new Error("the metadata name no jwks_uri");
    const { keys: listed } = await readJson(uri, fetch);
    if (!Array.isArray(listed)) throw new Error("the keys are no JWK Set");
    const keys = new Map(listed.slice(0, MOST_KEYS).flatMap(readKey));
    const text = JSON.stringify(listed);
    const { text: before = "", generation = 0 } = remote.latest ?? {};
    return { keys: { keys, text, generation: text === before ? generation : generation + 1 }, lifetime: FRESH_MS };
  }, now);

  async function findAgain(kid: string): Promise<KeyObject | null> {
    if (!remote.isPaused) await remote.refresh().catch(() => {}); // the keys that are left decide
    const published = remote.stale();
    if (published !== null) return published.keys.get(kid) ?? null;
    throw new AppError("UNAVAILABLE", "The keys of the token's issuer cannot be read. Try again shortly.", {
      retryAfter: 5,
    });
  }

  return {
    find: (kid) => remote.fresh()?.keys.get(kid) ?? findAgain(kid),
    get generation() {
      return remote.latest?.generation ?? 0;
    },
  };
}

async function readMetadata(issuer: string, fetch: IssuerKeysOptions["fetch"]): Promise<Record<string, unknown>> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname === "/" ? "" : pathname;
  const places = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`,
  ];
  let fault: unknown;
  for (const place of places) {
    try {
      const metadata = await readJson(place, fetch);
      // RFC 8414 section 3.3: metadata of another issuer are rejected.
      if (metadata.issuer === issuer) return metadata;
      fault = new Error("the metadata are another issuer's");
    } catch (error) {
      fault = error;
    }
  }
  throw fault;
}

async function readJson(url: string, fetch: IssuerKeysOptions["fetch"]): Promise<Record<string, unknown>> {
  const response = await fetch(url);
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
  const value: unknown = await response.json();
  if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
  throw new Error(`${url} is no JSON object`);
}

/** Keys for signing that have a name; others are left out. A symmetric one is none. */
function readKey(jwk: unknown): [string, KeyObject][] {
  const { kid, use, kty } = (jwk ?? {}) as Record<string, unknown>;
  if (typeof kid !== "string" || (use !== undefined && use !== "sig") || kty === "oct") return [];
  try {
    return [[kid, createPublicKey({ key: jwk as JsonWebKey, format: "jwk" })]];
  } catch {
    return [];
  }
}
