import { constants, type KeyObject, verify } from "node:crypto";

/** Whether a JWS signature is the key's. @throws where key and algorithm do not match */
type Check = (key: KeyObject, input: Buffer, signature: Buffer) => boolean;

/** By `alg` (RFC 7518 section 3.1, RFC 8037). Asymmetric ones only, each with the keys that it is for. */
const CHECKS: Readonly<Record<string, Check>> = {
  ES256: (key, input, signature) =>
    key.asymmetricKeyDetails?.namedCurve === "prime256v1" &&
    verify("sha256", input, { key, dsaEncoding: "ieee-p1363" }, signature),
  EdDSA: isEdwards,
  Ed25519: isEdwards,
  RS256: (key, input, signature) => isStrongRsa(key) && verify("sha256", input, key, signature),
  PS256: (key, input, signature) =>
    isStrongRsa(key) &&
    verify("sha256", input, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }, signature),
};

/** False for an algorithm that is not taken, and for a key that is not for it. */
export function isSigned(alg: unknown, key: KeyObject, input: string, signature: string): boolean {
  const check = typeof alg === "string" && Object.hasOwn(CHECKS, alg) ? CHECKS[alg] : undefined;
  try {
    return check?.(key, Buffer.from(input), Buffer.from(signature, "base64url")) === true;
  } catch {
    return false;
  }
}

function isEdwards(key: KeyObject, input: Buffer, signature: Buffer): boolean {
  return key.asymmetricKeyType === "ed25519" && verify(null, input, key, signature);
}

function isStrongRsa(key: KeyObject): boolean {
  return key.asymmetricKeyType === "rsa" && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= 2048;
}
