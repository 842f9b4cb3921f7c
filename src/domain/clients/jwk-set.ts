import { badInput } from "../errors.ts";

/** Public keys (RFC 7517 section 5). */
export interface JwkSet {
  readonly keys: readonly Readonly<Record<string, unknown>>[];
}

const MOST_KEYS = 10;
/** Bits of an RSA modulus: the minimum of RFC 7518 section 3.3, and the most that is checked in good time. */
const [FEWEST_BITS, MOST_BITS] = [2_048, 8_192];

/** Characters of a coordinate in base64url, by curve (RFC 7518 section 6.2.1, RFC 8037 section 2, RFC 8812 section 3.1). */
const CURVES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  EC: { "P-256": 43, "P-384": 64, "P-521": 88, secp256k1: 43 },
  OKP: { Ed25519: 43, Ed448: 76, X25519: 43, X448: 75 },
};

/** Members of private and symmetric keys (RFC 7518 sections 6.2.2, 6.3.2 and 6.4.1). */
const PRIVATE_MEMBERS = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

/** Whether a JWK has a part that is nobody's to see but its owner's. */
export function hasPrivateMember(jwk: object): boolean {
  return PRIVATE_MEMBERS.some((name) => Object.hasOwn(jwk, name));
}

/** Whether a value is a public key as a JWK should be: its own members are there, of their lengths, and nothing private. */
export function isPublicJwk(jwk: unknown): jwk is JwkSet["keys"][number] {
  return faultOf(jwk) === null;
}

/**
 * One to ten public keys.
 *
 * @param field what the error names
 * @throws AppError BAD_USER_INPUT
 */
export function readJwkSet(field: string, jwks: unknown): JwkSet {
  const keys = typeof jwks === "object" && jwks !== null ? (jwks as { keys?: unknown }).keys : undefined;
  if (!Array.isArray(keys) || keys.length < 1 || keys.length > MOST_KEYS)
    throw badInput(field, `A JWK Set has "keys", a list of one to ${MOST_KEYS} public keys.`);
  for (const [index, key] of (keys as unknown[]).entries()) {
    const fault = faultOf(key);
    if (fault !== null) throw badInput(field, `Key ${index + 1} of the JWK Set ${fault}.`);
  }
  return { keys: keys as JwkSet["keys"] };
}

/** The fault of a public key, as a text that follows its name; null for a good key. */
function faultOf(jwk: unknown): string | null {
  if (typeof jwk !== "object" || jwk === null || Array.isArray(jwk)) return "is no object";
  if (hasPrivateMember(jwk)) return "is not public: whoever has seen it can sign with it";
  const { kty, kid, use, alg, key_ops, x5c, ...members } = jwk as Readonly<Record<string, unknown>>;
  if ([kid, use, alg].some((member) => member !== undefined && typeof member !== "string"))
    return "has kid, use or alg that is no text";
  if ([key_ops, x5c].some((member) => member !== undefined && !isTexts(member)))
    return "has key_ops or x5c that is no list of texts";
  if (kty === "RSA") return faultOfRsa(members);
  const curves = typeof kty === "string" && Object.hasOwn(CURVES, kty) ? CURVES[kty] : undefined;
  if (curves === undefined) return "is none of EC, OKP and RSA (kty)";
  const { crv, x, y } = members;
  const length = typeof crv === "string" && Object.hasOwn(curves, crv) ? curves[crv] : undefined;
  if (length === undefined) return `has another curve (crv) than ${Object.keys(curves).join(", ")}`;
  const coordinates = kty === "EC" ? [x, y] : [x];
  if (coordinates.every((one) => isBase64url(one) && one.length === length)) return null;
  return `has not what a key on ${String(crv)} needs (${kty === "EC" ? "x, y" : "x"})`;
}

function faultOfRsa({ n, e }: Readonly<Record<string, unknown>>): string | null {
  if (!isBase64url(n) || !isBase64url(e)) return "has not what an RSA key needs (n, e)";
  const [modulus, exponent] = [readNumber(n), readNumber(e)];
  const bits = modulus.toString(2).length;
  if (bits < FEWEST_BITS || bits > MOST_BITS) return `has not ${FEWEST_BITS} to ${MOST_BITS} bits`;
  return exponent >= 3n && exponent < 1n << 64n && exponent % 2n === 1n ? null : "has no exponent (e) of an RSA key";
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

/** Whether it is base64url of a length that bytes can have. */
function isBase64url(value: unknown): value is string {
  return typeof value === "string" && value.length <= 2_048 && /^[\w-]+$/.test(value) && value.length % 4 !== 1;
}

/** Reads a number from its bytes, the most significant first. */
function readNumber(base64url: string): bigint {
  const bytes = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
  const digits = Array.from(bytes, (byte) => byte.charCodeAt(0).toString(16).padStart(2, "0")).join("");
  return BigInt(`0x${digits}`);
}
