import { createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto";
import { promisify } from "node:util";
import { ExternalSigningKey } from "oidc-provider";
import type { SigningJwk } from "./keys.ts";

/**
 * A signing key as the engine takes it, which signs by itself. The engine would have WebCrypto sign on another thread: for
 * ES256 that takes longer than the signature, and token requests come back from it one by one, each to a commit of its own.
 */
export class EngineKey extends ExternalSigningKey {
  readonly #jwk: SigningJwk;
  readonly #private: KeyObject;
  readonly #public: KeyObject;

  constructor(jwk: SigningJwk) {
    super();
    this.#jwk = jwk;
    this.#private = createPrivateKey({ key: jwk, format: "jwk" });
    this.#public = createPublicKey(this.#private);
  }

  override get kid(): string {
    return this.#jwk.kid;
  }

  override get alg(): string {
    return this.#jwk.alg;
  }

  override keyObject(): KeyObject {
    return this.#public;
  }

  override sign(data: Uint8Array): Uint8Array | Promise<Uint8Array> {
    if (this.#jwk.alg === "ES256") return joseSignature(sign("sha256", data, this.#private));
    return signElsewhere("sha256", data, this.#private); // RSA takes twenty times as long
  }
}

const signElsewhere = promisify<string, Uint8Array, KeyObject, Buffer>(sign);

/**
 * Both numbers of a P-256 signature, 32 bytes each, one after the other (RFC 7518 section 3.4), from DER's SEQUENCE of two
 * INTEGERs (RFC 3279 section 2.2.3), whose lengths take one byte each. Node can do this (`dsaEncoding`), but looks at a
 * key anew that comes with options, which takes as long as half a signature.
 */
function joseSignature(der: Uint8Array): Uint8Array {
  const signature = new Uint8Array(64);
  let start = 2;
  for (const end of [32, 64]) {
    const length = der[start + 1] ?? 0;
    const number = der.subarray(start + 2, start + 2 + length);
    const digits = number.subarray(Math.max(0, length - 32)); // without the zero that makes a high first bit positive
    signature.set(digits, end - digits.length);
    start += 2 + length;
  }
  return signature;
}
