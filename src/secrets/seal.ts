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
/** Texts of this version say after it which secret they are under: those that are sealed while the secret is changed. */
const NAMED_VERSION = 2;
const NAME = 5;
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
  /** Whether the text is under the present secret for sure. */
  isCurrent(sealed: string): boolean;
}

/** A key for one purpose, from the installation's secret (HKDF, RFC 5869). */
export function deriveKey(secret: Uint8Array, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", `content-api ${purpose}`, 32));
}

/**
 * AES-256-GCM. Each sealer has a key of its own, made from a random salt that stands before each text, and counts its
 * nonces, so that none comes twice (NIST SP 800-38D section 8.2.1). Keys are KeyObjects: given as bytes they cost three
 * times as much as all the rest.
 *
 * @param previous a secret under which texts may still be; it opens them and seals nothing
 */
export function openSealer(secret: Uint8Array, previous: Uint8Array | null = null): Sealer {
  const present = openMaster(secret);
  const masters = previous === null ? [present] : [present, openMaster(previous)];
  const salt = randomBytes(SALT);
  const sealing = present.keyFor(salt);
  const namedHead = Buffer.concat([Buffer.of(NAMED_VERSION), present.name]);
  // Programs from before know one version only, and may run beside this one while it is upgraded.
  const head = previous === null ? Buffer.of(VERSION) : namedHead;
  let count = 0;
  return {
    seal(text, context) {
      const nonce = Buffer.alloc(NONCE);
      nonce.writeUIntBE(count++, NONCE - 6, 6);
      const cipher = createCipheriv("aes-256-gcm", sealing, nonce).setAAD(Buffer.from(context));
      const sealed = [cipher.update(text, "utf8"), cipher.final()];
      return Buffer.concat([head, salt, nonce, cipher.getAuthTag(), ...sealed]).toString("base64url");
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed, "base64url");
      const isNamed = bytes[0] === NAMED_VERSION;
      if (!isNamed && bytes[0] !== VERSION) return null;
      const name = isNamed ? bytes.subarray(1, 1 + NAME) : null;
      const rest = bytes.subarray(isNamed ? 1 + NAME : 1);
      for (const master of masters) {
        if (name !== null && !master.name.equals(name)) continue;
        const text = openWith(master, rest, context);
        if (text !== null) return text;
      }
      return null;
    },
    isCurrent: (sealed) =>
      Buffer.from(sealed, "base64url")
        .subarray(0, 1 + NAME)
        .equals(namedHead),
  };
}

interface Master {
  /** Tells the secret from others, and tells nothing of it. */
  readonly name: Buffer;
  keyFor(salt: Buffer): KeyObject;
}

function openMaster(secret: Uint8Array): Master {
  const master = createSecretKey(deriveKey(secret, "storage encryption"));
  const keys = new LRUCache<string, KeyObject>({ max: KEYS });
  return {
    name: deriveKey(secret, "name of the secret").subarray(0, NAME),
    keyFor(salt) {
      const name = salt.toString("latin1");
      const known = keys.get(name);
      if (known !== undefined) return known;
      const key = createSecretKey(createHmac("sha256", master).update(salt).digest());
      keys.set(name, key);
      return key;
    },
  };
}

function openWith({ keyFor }: Master, bytes: Buffer, context: string): string | null {
  if (bytes.length < SALT + NONCE + TAG) return null;
  const [salt, nonce, tag, text] = split(bytes, SALT, NONCE, TAG);
  try {
    const decipher = createDecipheriv("aes-256-gcm", keyFor(salt), nonce, { authTagLength: TAG });
    decipher.setAAD(Buffer.from(context)).setAuthTag(tag);
    return Buffer.concat([decipher.update(text), decipher.final()]).toString("utf8");
  } catch {
    return null;
  }
}

/** Proofs that a text is ours: form tokens and the set-up link. */
export interface Signer {
  sign(text: string): string;
  /** Takes the same time wherever the two differ. */
  verify(text: string, signature: string): boolean;
}

/** @param previous a secret whose signatures still count */
export function openSigner(secret: Uint8Array, purpose: string, previous: Uint8Array | null = null): Signer {
  const signWith = (from: Uint8Array) => {
    const key = createSecretKey(deriveKey(from, purpose));
    return (text: string) => createHmac("sha256", key).update(text).digest("base64url");
  };
  const sign = signWith(secret);
  const signs = previous === null ? [sign] : [sign, signWith(previous)];
  return { sign, verify: (text, signature) => signs.some((one) => equalInConstantTime(one(text), signature)) };
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
