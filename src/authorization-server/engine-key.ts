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

  /** RFC 7518 section 3.4: both numbers of an ECDSA signature, one after the other. */
  override sign(data: Uint8Array): Uint8Array | Promise<Uint8Array> {
    if (this.#jwk.alg === "ES256") return sign("sha256", data, { key: this.#private, dsaEncoding: "ieee-p1363" });
    return signElsewhere("sha256", data, this.#private); // RSA takes twenty times as long
  }
}

const signElsewhere = promisify<string, Uint8Array, KeyObject, Buffer>(sign);
