import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from "jose";
import type { SigningKey, Store } from "../domain/store.ts";
import type { Sealer } from "./seal.ts";

/** The first signs by default; OpenID Connect Discovery demands that the second is there. */
const ALGORITHMS = ["ES256", "RS256"] as const;

/**
 * The private keys that sign ID tokens, the signing one of each algorithm before retired ones. An installation
 * without any gets them here; nodes that start at the same moment end with the same ones.
 *
 * @throws Error when the keys were sealed under another secret
 */
export async function loadSigningKeys(
  { signingKeys }: Store,
  sealer: Sealer,
  now: () => number,
): Promise<{ keys: JWK[] }> {
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
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
  const jwk = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(jwk);
  return {
    kid,
    algorithm,
    privateKey: sealer.seal(JSON.stringify(jwk), `SigningKey ${kid}`),
    createdAt: new Date(now()).toISOString(),
    retiredAt: null,
  };
}

function open({ kid, algorithm, privateKey }: SigningKey, sealer: Sealer): JWK {
  const text = sealer.open(privateKey, `SigningKey ${kid}`);
  if (text === null)
    throw new Error(
      `The signing key ${kid} cannot be decrypted: the installation's secret is not the one that it was made with.`,
    );
  return { ...(JSON.parse(text) as JWK), kid, alg: algorithm, use: "sig" };
}

function rank({ algorithm, retiredAt }: SigningKey): number {
  return ALGORITHMS.indexOf(algorithm) + (retiredAt === null ? 0 : ALGORITHMS.length);
}
