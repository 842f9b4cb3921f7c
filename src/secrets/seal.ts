import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";
import { LRUCache } from "lru-cache";

const VERSION = 1;
const SALT = 16;
const NONCE = 12;
const TAG = 16;
/** Keys that are kept: those of as many sealers, of processes that may have ended long ago, as have sealed what is opened now. */
const KEYS = 256;

/** Encrypts what is stored, so that a stolen database tells nothing. */
export interface Sealer {
  /** `context` names the place where the text is kept; text that was moved elsewhere does not open (GCM's AAD). */
  seal(text: string, context: string): string;
  /** @returns null for what was altered, moved, or sealed under another secret */
  open(sealed: string, context: string): string | null;
}

/** A key for one purpose, from the installation's secret (HKDF, RFC 5869). */
export function deriveKey(secret: Uint8Array, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", `content-api ${purpose}`, 32));
}

/**
 * AES-256-GCM. Each sealer has a key of its own, made from a random salt that stands before each text, and counts its
 * nonces, so that none comes twice (NIST SP 800-38D section 8.2.1). Keys are KeyObjects: given as bytes they cost three
 * times as much as all the rest.
 */
export function openSealer(secret: Uint8Array): Sealer {
  const master = createSecretKey(deriveKey(secret, "storage encryption"));
  const keys = new LRUCache<string, KeyObject>({ max: KEYS });
  const keyFor = (salt: Buffer) => {
    const name = salt.toString("latin1");
    const known = keys.get(name);
    if (known !== undefined) return known;
    const key = createSecretKey(createHmac("sha256", master).update(salt).digest());
    keys.set(name, key);
    return key;
  };
  const salt = randomBytes(SALT);
  const sealing = keyFor(salt);
  let count = 0;
  return {
    seal(text, context) {
      const nonce = Buffer.alloc(NONCE);
      nonce.writeUIntBE(count++, NONCE - 6, 6);
      const cipher = createCipheriv("aes-256-gcm", sealing, nonce).setAAD(Buffer.from(context));
      const sealed = [cipher.update(text, "utf8"), cipher.final()];
      return Buffer.concat([Buffer.of(VERSION), salt, nonce, cipher.getAuthTag(), ...sealed]).toString("base64url");
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed, "base64url");
      if (bytes[0] !== VERSION || bytes.length < 1 + SALT + NONCE + TAG) return null;
      const [salt, nonce, tag, text] = split(bytes.subarray(1), SALT, NONCE, TAG);
      try {
        const decipher = createDecipheriv("aes-256-gcm", keyFor(salt), nonce, { authTagLength: TAG });
        decipher.setAAD(Buffer.from(context)).setAuthTag(tag);
        return Buffer.concat([decipher.update(text), decipher.final()]).toString("utf8");
      } catch {
        return null;
      }
    },
  };
}

/** Proofs that a text is ours: form tokens and the set-up link. */
export interface Signer {
  sign(text: string): string;
  /** Takes the same time wherever the two differ. */
  verify(text: string, signature: string): boolean;
}

export function openSigner(secret: Uint8Array, purpose: string): Signer {
  const key = createSecretKey(deriveKey(secret, purpose));
  const sign = (text: string) => createHmac("sha256", key).update(text).digest("base64url");
  return { sign, verify: (text, signature) => equalInConstantTime(sign(text), signature) };
}

export function equalInConstantTime(expected: string, actual: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(actual)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function split(bytes: Buffer, first: number, second: number, third: number): [Buffer, Buffer, Buffer, Buffer] {
  return [
    bytes.subarray(0, first),
    bytes.subarray(first, first + second),
    bytes.subarray(first + second, first + second + third),
    bytes.subarray(first + second + third),
  ];
}
