/** COSE numbers of the algorithms that passkeys sign with, the best first: ES256, EdDSA, RS256. */
export const ALGORITHMS = [-7, -8, -257] as const;

/** Bytes of RSA keys: 2,048 to 4,096 bits. */
const RSA_BYTES = { least: 256, most: 512 };
/** Exponent of the RSA keys of authenticators. Any other can make a check slow, or a forgery easy. */
const RSA_EXPONENT = "010001";

/** Labels of a COSE_Key (RFC 9052, section 7.1; RFC 9053, section 7.1; RFC 8230, section 4). The last three depend on the key type. */
const KTY = 1;
const ALG = 3;
const FIRST = -1;
const SECOND = -2;
const THIRD = -3;

/**
 * The algorithm of a decoded COSE_Key, one of `ALGORITHMS`; null for a key of another algorithm, curve or length. A point off the curve
 * passes here, and no signature is right for it.
 */
export function algorithmOf(key: unknown): number | null {
  if (!(key instanceof Map)) return null;
  const algorithm: unknown = key.get(ALG);
  const [kty, first, second, third]: unknown[] = [KTY, FIRST, SECOND, THIRD].map((label) => key.get(label));
  const isGood =
    (algorithm === -7 && kty === 2 && first === 1 && isBytes(second, 32) && isBytes(third, 32)) ||
    (algorithm === -8 && kty === 1 && first === 6 && isBytes(second, 32)) ||
    (algorithm === -257 && kty === 3 && isBytes(first, RSA_BYTES.least, RSA_BYTES.most) && isExponent(second));
  return isGood ? algorithm : null;
}

function isBytes(value: unknown, least: number, most = least): value is Uint8Array {
  return value instanceof Uint8Array && value.length >= least && value.length <= most;
}

function isExponent(value: unknown): boolean {
  return isBytes(value, 3) && Buffer.from(value).toString("hex") === RSA_EXPONENT;
}
