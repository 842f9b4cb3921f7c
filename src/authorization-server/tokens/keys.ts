import { createHash, generateKeyPair, type JsonWebKey } from "node:crypto";
import { promisify } from "node:util";
import { SIGNING_ALGORITHMS, type SigningAlgorithm } from "../../domain/clients/client.ts";
import { AppError } from "../../domain/errors.ts";
import type { KeyState } from "../../domain/store/signing-key-administration.ts";
import type { SigningKey } from "../../domain/store/signing-keys.ts";
import type { Store } from "../../domain/store/store.ts";
import type { Sealer } from "../../secrets/seal.ts";

/** A private key as a JSON Web Key (RFC 7517). */
export interface SigningJwk extends JsonWebKey {
  readonly kid: string;
  readonly alg: SigningAlgorithm;
  readonly use: "sig";
}

/**
 * How long a key that does not sign any more stays published. ID tokens live an hour, but clients send them back as
 * hints for as long as the session lasts, 14 days.
 */
const KEPT_MS = 15 * 86_400_000;

/** How long a new key is published before it signs, as a multiple of the time for which verifiers may keep the old set. */
const LEAD = 2;

export function keyState({ signsFrom, retiredAt }: SigningKey, now: number): KeyState {
  if (retiredAt !== null && Date.parse(retiredAt) <= now)
    return Date.parse(retiredAt) + KEPT_MS <= now ? "gone" : "retired";
  return Date.parse(signsFrom) <= now ? "signing" : "next";
}

/** Until when a key is published; null while it is not known. */
export function publishedUntil({ retiredAt }: SigningKey): string | null {
  return retiredAt === null ? null : new Date(Date.parse(retiredAt) + KEPT_MS).toISOString();
}

/** Destroys keys that nothing can ask for any more. */
export async function sweepSigningKeys({ signingKeys }: Store, now: number): Promise<void> {
  await signingKeys.sweep(new Date(now - KEPT_MS).toISOString());
}

/** Every key that is kept, newest first; an installation without any gets them here, the same ones on every node. */
export async function listSigningKeys(
  { signingKeys }: Store,
  sealer: Sealer,
  now: () => number,
): Promise<SigningKey[]> {
  const kept = await signingKeys.list();
  if (kept.length > 0) return kept;
  const createdAt = new Date(now()).toISOString();
  const keys = SIGNING_ALGORITHMS.map((algorithm) => newSigningKey(algorithm, sealer, createdAt, createdAt));
  await signingKeys.createIfNone(await Promise.all(keys));
  return signingKeys.list();
}

/** Keys that are published at a time. For each algorithm the signing key comes first, as the engine expects. */
export function publishedKeys(kept: readonly SigningKey[], now: number): readonly SigningKey[] {
  const published = kept.filter((key) => keyState(key, now) !== "gone");
  return published.toSorted((a, b) => rank(a, now) - rank(b, now));
}

/** `publishedKeys`, opened. @throws AppError INTERNAL when the keys were sealed under another secret */
export function keySet(kept: readonly SigningKey[], sealer: Sealer, now: number): { keys: SigningJwk[] } {
  return { keys: publishedKeys(kept, now).map((key) => open(key, sealer)) };
}

/**
 * Rotation without a verification that fails: the new keys are published now, and sign once every node has them
 * and no verifier can still hold, as `/jwks` allows for `maxAgeSeconds`, a set without them.
 *
 * @throws AppError CONFLICT while an earlier rotation is under way
 */
export async function rotateSigningKeys(
  { signingKeys }: Store,
  sealer: Sealer,
  algorithms: readonly SigningAlgorithm[],
  { now, maxAgeSeconds }: { now: number; maxAgeSeconds: number },
): Promise<void> {
  const signsFrom = new Date(now + LEAD * maxAgeSeconds * 1_000).toISOString();
  const keys = algorithms.map((name) => newSigningKey(name, sealer, new Date(now).toISOString(), signsFrom));
  await signingKeys.rotate(await Promise.all(keys));
}

/** For leaked keys: the new keys sign immediately, and all signatures of the old keys become invalid. */
export async function replaceSigningKeys(
  { signingKeys }: Store,
  sealer: Sealer,
  algorithms: readonly SigningAlgorithm[],
  now: number,
): Promise<void> {
  const createdAt = new Date(now).toISOString();
  const keys = algorithms.map((name) => newSigningKey(name, sealer, createdAt, createdAt));
  await signingKeys.replace(await Promise.all(keys));
}

async function newSigningKey(
  algorithm: SigningAlgorithm,
  sealer: Sealer,
  createdAt: string,
  signsFrom: string,
): Promise<SigningKey> {
  const jwk = await newPrivateJwk(algorithm);
  const kid = thumbprint(jwk);
  const privateKey = sealer.seal(JSON.stringify(jwk), `SigningKey ${kid}`);
  return { kid, algorithm, privateKey, createdAt, signsFrom, retiredAt: null };
}

async function newPrivateJwk(algorithm: SigningAlgorithm): Promise<JsonWebKey> {
  const generate = promisify(generateKeyPair);
  const { privateKey } =
    algorithm === "ES256"
      ? await generate("ec", { namedCurve: "P-256" })
      : await generate("rsa", { modulusLength: 2_048 });
  return privateKey.export({ format: "jwk" });
}

/** SHA-256 of the members that the key's type requires, in lexicographic order (RFC 7638 section 3). */
function thumbprint({ kty, crv, x, y, e, n }: JsonWebKey): string {
  const required = kty === "EC" ? { crv, kty, x, y } : { e, kty, n };
  return createHash("sha256").update(JSON.stringify(required)).digest("base64url");
}

function open({ kid, algorithm, privateKey }: SigningKey, sealer: Sealer): SigningJwk {
  const text = sealer.open(privateKey, `SigningKey ${kid}`);
  if (text === null)
    throw new AppError(
      "INTERNAL",
      "The signing keys are encrypted under another secret than this installation's. Every node needs the same SECRET_KEY: put back the one, or the secret.key, that they were made with.",
    );
  return { ...(JSON.parse(text) as JsonWebKey), kid, alg: algorithm, use: "sig" };
}

/** If no key signs yet, because the clock was set back, the first one signs. */
function rank(key: SigningKey, now: number): number {
  const states: readonly KeyState[] = ["signing", "retired", "next", "gone"];
  return SIGNING_ALGORITHMS.indexOf(key.algorithm) + SIGNING_ALGORITHMS.length * states.indexOf(keyState(key, now));
}
