import { createHash, generateKeyPair, type JsonWebKey } from "node:crypto";
import { promisify } from "node:util";
import { AppError } from "../domain/errors.ts";
import type { SigningKey, Store } from "../domain/store.ts";
import type { Sealer } from "./seal.ts";

/** The first signs by default; OpenID Connect Discovery demands that the second is there. */
const ALGORITHMS = ["ES256", "RS256"] as const;

/** A private key as a JSON Web Key (RFC 7517). */
export interface SigningJwk extends JsonWebKey {
  readonly kid: string;
  readonly alg: SigningKey["algorithm"];
  readonly use: "sig";
}

/**
 * The private keys that sign ID tokens, the signing one of each algorithm before retired ones. An installation
 * without any gets them here; nodes that start at the same moment end with the same ones.
 *
 * @throws AppError INTERNAL when the keys were sealed under another secret
 */
export async function loadSigningKeys(
  { signingKeys }: Store,
  sealer: Sealer,
  now: () => number,
): Promise<{ keys: SigningJwk[] }> {
  let kept = await signingKeys.list();
  if (kept.length === 0) {
    await signingKeys.createIfNone(await Promise.all(ALGORITHMS.map((name) => newSigningKey(name, sealer, now))));
    kept = await signingKeys.list();
  }
  const ordered = kept.toSorted((a, b) => rank(a) - rank(b));
  return { keys: ordered.map((key) => open(key, sealer)) };
}

async function newSigningKey(
  algorithm: SigningKey["algorithm"],
  sealer: Sealer,
  now: () => number,
): Promise<SigningKey> {
  const jwk = await newPrivateJwk(algorithm);
  const kid = thumbprint(jwk);
  return {
    kid,
    algorithm,
    privateKey: sealer.seal(JSON.stringify(jwk), `SigningKey ${kid}`),
    createdAt: new Date(now()).toISOString(),
    retiredAt: null,
  };
}

async function newPrivateJwk(algorithm: SigningKey["algorithm"]): Promise<JsonWebKey> {
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
      "The signing keys are encrypted under another secret than this installation's. Put back the secret.key or SECRET_KEY that they were made with.",
    );
  return { ...(JSON.parse(text) as JsonWebKey), kid, alg: algorithm, use: "sig" };
}

function rank({ algorithm, retiredAt }: SigningKey): number {
  return ALGORITHMS.indexOf(algorithm) + (retiredAt === null ? 0 : ALGORITHMS.length);
}
