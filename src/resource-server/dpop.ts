import { createHash, createPublicKey, type JsonWebKey, type KeyObject } from "node:crypto";
import { DPOP_ALGORITHMS, MOST_AHEAD, readCompactJws } from "../domain/clients/compact-jws.ts";
import { hasPrivateMember } from "../domain/clients/jwk-set.ts";
import { AppError } from "../domain/errors.ts";
import type { RequestHead } from "./bearer.ts";
import type { DpopNonces } from "./dpop-nonces.ts";
import { isSigned } from "./signatures.ts";
import { type RefusalFacts, type RefusalReason, TokenRefusal } from "./token-refusal.ts";

/** Seconds that a proof may be old; the same as at the token endpoint. */
const WINDOW_SECONDS = 300;
const MAX_LENGTH = 8_192;

/** The public members of each type of key, in the order of RFC 7638 section 3.2. */
const PUBLIC_MEMBERS: Readonly<Record<string, readonly string[]>> = {
  EC: ["crv", "kty", "x", "y"],
  OKP: ["crv", "kty", "x"],
  RSA: ["e", "kty", "n"],
};

export interface DpopOptions {
  /** Public address of what is called, by configuration (A16). */
  readonly url: string;
  /** Those that proofs must have; null where they need none. */
  readonly nonces: DpopNonces | null;
  /** Whether nobody has used this key before, at any node; asked once, and remembered until then. */
  isFirstUse(key: string, untilSeconds: number): Promise<boolean>;
  /** Milliseconds of Unix time. */
  now(): number;
}

/** @throws AppError UNAUTHENTICATED unless the request proves that its sender has the key that the token is bound to */
export type CheckProof = (head: RequestHead, token: string, jkt: string) => Promise<void>;

/** The checks of RFC 9449 section 4.3, of one use of an access token (section 7). */
export function openDpop({ url, nonces, isFirstUse, now }: DpopOptions): CheckProof {
  const target = new URL(url).href;

  return async (head, token, jkt) => {
    const proof = head.headers.dpop;
    // Node joins fields of one name with a comma, which no proof has.
    if (typeof proof !== "string" || proof.length > MAX_LENGTH)
      throw refusal("proof-missing", "send one DPoP proof with each request");
    const [header, payload] = readProof(proof);
    if (payload.htm !== head.method)
      throw refusal("proof-method", "htm is not the method of the request", {
        expected: head.method,
        found: payload.htm,
      });
    const address = typeof payload.htu === "string" ? withoutQuery(payload.htu) : null;
    if (address !== target)
      throw refusal("proof-url", `htu is not ${url}`, { expected: target, found: address && withoutUser(address) });
    const { iat, nbf, exp, jti, ath } = payload;
    const seconds = now() / 1000;
    if (typeof iat !== "number" || seconds - iat > WINDOW_SECONDS)
      throw refusal("proof-issued-at", "iat is not recent enough", { found: iat });
    if (iat > seconds + MOST_AHEAD) throw refusal("proof-issued-at", "iat is in the future", { found: iat });
    // A client may bound it further (RFC 7519 section 4.1).
    if (nbf !== undefined && !(typeof nbf === "number" && nbf <= seconds + MOST_AHEAD))
      throw refusal("proof-not-yet-valid", "nbf is to come", { found: nbf });
    if (exp !== undefined && !(typeof exp === "number" && seconds < exp))
      throw refusal("proof-expired", "exp is past", { found: exp });
    if (typeof jti !== "string" || jti === "") throw refusal("proof-id", "jti is missing");
    if (ath !== sha256(token)) throw refusal("proof-token-hash", "ath is not the hash of the access token");
    if (header.thumbprint !== jkt)
      throw new AppError(
        "UNAUTHENTICATED",
        "The access token is bound to another key than the DPoP proof's.",
        { challenge: "invalid_token", scheme: "DPoP" },
        new TokenRefusal("proof-other-key", { expected: jkt, found: header.thumbprint }),
      );
    if (nonces !== null && !(typeof payload.nonce === "string" && nonces.isTaken(payload.nonce)))
      throw new AppError(
        "UNAUTHENTICATED",
        "The DPoP proof needs the nonce of the DPoP-Nonce header.",
        { challenge: "use_dpop_nonce", scheme: "DPoP", nonce: nonces.current() },
        new TokenRefusal("proof-nonce"),
      );
    // Last, so that nobody fills the memory of proofs without a token and its key. It outlives the window at every clock.
    if (!(await isFirstUse(`dpop ${jkt} ${sha256(jti)}`, Math.ceil(iat) + 2 * WINDOW_SECONDS)))
      throw refusal("proof-replayed", "it was used before");
  };
}

/** @returns the key's thumbprint and what was signed with it @throws AppError UNAUTHENTICATED */
function readProof(proof: string): [{ thumbprint: string }, Readonly<Record<string, unknown>>] {
  const jws = readCompactJws(proof);
  if (jws === null) throw refusal("proof-not-a-jwt", "it is not a signed JWT");
  const { typ, alg, jwk, crit } = jws.header;
  if (typ !== "dpop+jwt") throw refusal("proof-type", "typ is not dpop+jwt", { found: typ });
  if (crit !== undefined) throw refusal("proof-critical-header", "crit is not understood", { found: crit });
  if (typeof alg !== "string" || !DPOP_ALGORITHMS.some((one) => one === alg))
    throw refusal("proof-algorithm", `alg is not one of ${DPOP_ALGORITHMS.join(", ")}`, { found: alg });
  const { key, thumbprint } = readKey(jwk);
  if (!isSigned(alg, key, jws.input, jws.signature)) throw refusal("proof-signature", "the signature is wrong");
  return [{ thumbprint }, jws.payload];
}

function readKey(jwk: unknown): { key: KeyObject; thumbprint: string } {
  if (typeof jwk !== "object" || jwk === null) throw refusal("proof-key", "jwk is missing");
  const members = jwk as Readonly<Record<string, unknown>>;
  if (hasPrivateMember(jwk)) throw refusal("proof-key", "jwk is not a public key");
  const { kty } = members;
  const names = typeof kty === "string" && Object.hasOwn(PUBLIC_MEMBERS, kty) ? PUBLIC_MEMBERS[kty] : undefined;
  if (names === undefined || names.some((name) => typeof members[name] !== "string"))
    throw refusal("proof-key", "jwk is not a public key");
  const needed = Object.fromEntries(names.map((name) => [name, members[name]])) as JsonWebKey;
  try {
    return { key: createPublicKey({ key: needed, format: "jwk" }), thumbprint: sha256(JSON.stringify(needed)) };
  } catch {
    throw refusal("proof-key", "jwk is not a public key");
  }
}

/** Normalised, without query and fragment (RFC 9449 section 4.3). */
function withoutQuery(address: string): string | null {
  const url = URL.parse(address);
  if (url === null) return null;
  url.search = url.hash = "";
  return url.href;
}

/** The log gets no password. */
function withoutUser(address: string): string {
  const { origin, pathname } = new URL(address);
  return origin + pathname;
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

/** @param fault for the caller, who may put it right */
function refusal(reason: RefusalReason, fault: string, facts?: RefusalFacts): AppError {
  return new AppError(
    "UNAUTHENTICATED",
    `The DPoP proof is refused: ${fault}.`,
    { challenge: "invalid_dpop_proof", scheme: "DPoP" },
    new TokenRefusal(reason, facts),
  );
}
