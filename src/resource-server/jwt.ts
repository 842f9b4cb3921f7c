import { LRUCache } from "lru-cache";
import type { ChangeListener } from "../domain/change.ts";
import { MOST_AHEAD, readCompactJws } from "../domain/clients/compact-jws.ts";
import type { Door } from "../domain/door.ts";
import { type Id, parseId } from "../domain/id.ts";
import { isScope, isScopeOfRole } from "../domain/scopes.ts";
import type { Role, SignIn, Viewer } from "../domain/viewer.ts";
import { type Metrics, openMetrics } from "../observe/metrics.ts";
import type { IssuerKeys } from "./issuer-keys.ts";
import { isSigned } from "./signatures.ts";
import { TokenRefusal } from "./token-refusal.ts";
import type { Live, Verify } from "./verify.ts";

export interface JwtVerifierOptions {
  readonly issuer: string;
  /** The resource identifiers of which a token must be for one, each with the door that it names; null for both. */
  readonly audiences: ReadonlyMap<unknown, Door | null>;
  readonly keys: IssuerKeys;
  /** Null for somebody who is not there. */
  findPerson(
    id: Id,
  ): Promise<{ readonly role: Role; readonly isDisabled: boolean; readonly hasSecondStep: boolean } | null>;
  /** Has the listener told of people who have changed. */
  watch(listener: ChangeListener): void;
  /** Milliseconds of Unix time. */
  now(): number;
  /** Counts tokens. Defaults to metrics that nobody reads. */
  readonly metrics?: Pick<Metrics, "counter">;
}

/** Claims of a token whose signature has been checked. */
interface Claims {
  readonly subject: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly jkt: string | null;
  readonly x5t: string | null;
  readonly audience: Door | null;
  readonly signIn: SignIn | null;
  readonly expiresAt: number;
}

interface Entry extends Live {
  readonly claims: Claims;
  readonly generation: number;
  readonly askedAt: number;
}

const MAX_LENGTH = 8_192;
/** Characters of tokens that are remembered. */
const MAX_SIZE = 16_000_000;
/** How long it is believed that a person is as they were. */
const FRESH_MS = 500;

/** Opaque tokens have no dots. */
export function isJwt(token: string): boolean {
  return token.includes(".");
}

/**
 * Finds the viewer behind a JWT access token (RFC 9068 section 4) of another issuer. `sub` that is the id of a person here
 * is that person, unless disabled; any other is nobody here, and the client has what its scopes allow without one.
 */
export function openJwtVerifier(options: JwtVerifierOptions): Verify {
  const { issuer, keys, now, metrics = openMetrics() } = options;
  const hits = metrics.counter("tokens_verified_total", "hit");
  const misses = metrics.counter("tokens_verified_total", "miss");
  const cache = new LRUCache<string, Entry>({ maxSize: MAX_SIZE, sizeCalculation: (_entry, token) => token.length });
  let told = 0;
  options.watch((change) => {
    if (change.kind !== "user" || change.id === null) return;
    told++;
    for (const [token, { claims }] of cache) if (claims.subject === change.id) cache.delete(token);
  });

  async function look(token: string, known: Entry | undefined): Promise<Live | TokenRefusal> {
    const { generation } = keys;
    const isKnown = known !== undefined && known.generation === generation;
    const claims = isKnown ? known.claims : await read(token, options);
    if (claims instanceof TokenRefusal || now() >= claims.expiresAt) {
      cache.delete(token);
      return claims instanceof TokenRefusal ? claims : expired(claims.expiresAt / 1_000);
    }
    const askedAt = now();
    const toldBefore = told;
    const userId = parseId(claims.subject);
    const person = userId === null ? null : await options.findPerson(userId);
    if (person?.isDisabled) {
      cache.delete(token);
      return new TokenRefusal("person-disabled", { found: userId });
    }
    const role = person?.role ?? null;
    const viewer: Viewer = {
      userId: person === null ? null : userId,
      role,
      // Clients of ours may have the same id.
      clientId: `${issuer} ${claims.clientId}`,
      scopes: new Set(claims.scopes.filter((scope) => isScope(scope) && isScopeOfRole(scope, role))),
      signIn: person === null ? null : claims.signIn,
      hasSecondStep: person?.hasSecondStep ?? false,
    };
    const { jkt, x5t, audience } = claims;
    const entry: Entry = { viewer, jkt, x5t, audience, claims, generation: keys.generation, askedAt };
    if (told === toldBefore) cache.set(token, entry);
    return entry;
  }

  return (token) => {
    if (token.length > MAX_LENGTH) return new TokenRefusal("too-long", { expected: MAX_LENGTH, found: token.length });
    const entry = cache.get(token);
    const at = now();
    const isFresh =
      entry !== undefined &&
      entry.generation === keys.generation &&
      Math.abs(at - entry.askedAt) < FRESH_MS &&
      at < entry.claims.expiresAt;
    (isFresh ? hits : misses).add();
    return isFresh ? entry : look(token, entry);
  };
}

/** The claims of a token that this server may accept (RFC 9068 section 4, RFC 8725). */
async function read(
  token: string,
  { issuer, audiences, keys, now }: JwtVerifierOptions,
): Promise<Claims | TokenRefusal> {
  const jws = readCompactJws(token);
  if (jws === null) return new TokenRefusal("not-a-jwt");
  const { header, payload, input, signature } = jws;
  const { typ, crit, kid, alg } = header;
  // No other JWT passes for an access token, least of all an ID token.
  if (typeof typ !== "string" || !/^(?:application\/)?at\+jwt$/i.test(typ))
    return new TokenRefusal("type", { expected: "at+jwt", found: typ });
  if (crit !== undefined) return new TokenRefusal("critical-header", { found: crit });
  if (typeof kid !== "string") return new TokenRefusal("key-id", { found: kid });
  // Before the signature, so that another issuer's tokens cause no look-up of keys.
  const { iss, aud, exp, nbf, sub, client_id: clientId, scope = "", cnf } = payload;
  if (iss !== issuer) return new TokenRefusal("issuer", { expected: issuer, found: iss, kid });
  const ours = [aud].flat().filter((one) => audiences.has(one));
  if (ours.length === 0) return new TokenRefusal("audience", { expected: [...audiences.keys()][0], found: aud, kid });
  const seconds = now() / 1_000;
  if (typeof exp !== "number" || seconds >= exp) return expired(exp);
  if (nbf !== undefined && !(typeof nbf === "number" && nbf <= seconds + MOST_AHEAD))
    return new TokenRefusal("not-yet-valid", { found: nbf });
  if (typeof sub !== "string") return new TokenRefusal("claim", { expected: "sub" });
  if (typeof clientId !== "string") return new TokenRefusal("claim", { expected: "client_id" });
  if (typeof scope !== "string") return new TokenRefusal("claim", { expected: "scope" });
  const confirmation = readConfirmation(cnf);
  if (confirmation === null) return new TokenRefusal("confirmation", { found: Object.keys(cnf ?? {}) });

  const key = await keys.find(kid);
  if (key === null) return new TokenRefusal("unknown-key", { kid });
  if (!isSigned(alg, key, input, signature)) return new TokenRefusal("signature", { found: alg, kid });
  const scopes = scope.split(" ").filter((name) => name !== "");
  const signIn = readSignIn(payload, seconds);
  const doors = new Set(ours.map((one) => audiences.get(one) ?? null));
  const [audience = null] = doors.size === 1 ? doors : [];
  return { subject: sub, clientId, scopes, ...confirmation, audience, signIn, expiresAt: exp * 1_000 };
}

/** RFC 9068 section 2.2.1. A time to come is none. */
function readSignIn({ auth_time: at, acr }: Readonly<Record<string, unknown>>, nowSeconds: number): SignIn | null {
  if (typeof at !== "number" || at > nowSeconds + MOST_AHEAD) return null;
  return { atSeconds: at, acr: typeof acr === "string" ? acr : null };
}

/** @param exp as the token has it */
function expired(exp: unknown): TokenRefusal {
  return new TokenRefusal("expired", { found: exp });
}

/** The key (RFC 9449 section 6.1) or the certificate (RFC 8705 section 3.1) that a token is bound to; null for a binding that we cannot check. */
function readConfirmation(cnf: unknown): Pick<Claims, "jkt" | "x5t"> | null {
  if (cnf === undefined) return { jkt: null, x5t: null };
  const { jkt = null, "x5t#S256": x5t = null, ...others } = (cnf ?? {}) as Record<string, unknown>;
  if (Object.keys(others).length > 0 || (jkt === null && x5t === null)) return null;
  return isTextOrNull(jkt) && isTextOrNull(x5t) ? { jkt, x5t } : null;
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === "string";
}
