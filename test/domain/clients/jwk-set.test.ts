import assert from "node:assert/strict";
import { generateKeyPairSync, type JsonWebKey, type KeyObject } from "node:crypto";
import { describe, test } from "node:test";
import { isPublicJwk, readJwkSet } from "../../../src/domain/clients/jwk-set.ts";
import { AppError } from "../../../src/domain/errors.ts";

const publicJwk = ({ publicKey }: { publicKey: KeyObject }): JsonWebKey => publicKey.export({ format: "jwk" });
const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
const ec = publicJwk(pair);
const rsa = publicJwk(generateKeyPairSync("rsa", { modulusLength: 2048 }));
const ed = publicJwk(generateKeyPairSync("ed25519"));

function refusal(jwks: unknown): string {
  try {
    readJwkSet("jwks", jwks);
  } catch (error) {
    assert.ok(error instanceof AppError && error.code === "BAD_USER_INPUT");
    assert.equal(error.details.field, "jwks");
    return error.message;
  }
  return "taken";
}

describe("JWK Sets of clients (RFC 7517)", () => {
  test("keys of each type and curve are taken, with what else stands in them", () => {
    const keys = [
      ...["P-256", "P-384", "P-521", "secp256k1"].map((namedCurve) =>
        publicJwk(generateKeyPairSync("ec", { namedCurve })),
      ),
      ed,
      publicJwk(generateKeyPairSync("ed448")),
      publicJwk(generateKeyPairSync("x25519")),
      publicJwk(generateKeyPairSync("x448")),
      rsa,
      { ...ec, kid: "1", use: "sig", alg: "ES256", key_ops: ["verify"], x5c: ["AAAA"], more: { d: 1 } },
    ];
    assert.deepEqual(readJwkSet("jwks", { keys, more: 1 }), { keys });
  });

  test("A33 what is no public key is refused, and so is one that is too short", () => {
    const wrong: Record<string, unknown> = {
      "no object": "x",
      "a list": [ec],
      "without a type": { ...ec, kty: undefined },
      "of a type from the prototype": { kty: "constructor", crv: "name", x: "x" },
      "of a curve from the prototype": { kty: "EC", crv: "constructor", x: "x", y: "y" },
      symmetric: { kty: "oct", k: "AAAA" },
      private: pair.privateKey.export({ format: "jwk" }),
      "with the primes of RSA": { ...rsa, oth: [] },
      "with half of a private RSA key": { ...rsa, dp: "AQAB" },
      "on a curve of nobody's": { ...ec, crv: "P-255" },
      "without y": { ...ec, y: undefined },
      "with a short x": { ...ec, x: ec.x?.slice(1) },
      "with a long x": { ...ec, x: `A${ec.x}` },
      "with base64": { ...ec, x: `+${ec.x?.slice(1)}` },
      "with x as a number": { ...ec, x: 7 },
      "Ed25519 without x": { ...ed, x: undefined },
      "Ed25519 as EC": { ...ed, kty: "EC" },
      "RSA without n": { ...rsa, n: undefined },
      "RSA without e": { ...rsa, e: undefined },
      "RSA of 1024 bits": publicJwk(generateKeyPairSync("rsa", { modulusLength: 1024 })),
      "RSA of 1024 bits, made longer": { ...rsa, n: `${"A".repeat(172)}${rsa.n?.slice(172)}` },
      "RSA of 16384 bits": { ...rsa, n: (rsa.n ?? "").repeat(8) },
      "RSA with e = 1": { ...rsa, e: "AQ" },
      "RSA with an even e": { ...rsa, e: "AQAC" },
      "with a number as kid": { ...ec, kid: 1 },
      "with text as x5c": { ...ec, x5c: "AAAA" },
    };
    for (const [name, key] of Object.entries(wrong)) {
      assert.match(refusal({ keys: [ec, key] }), /^Key 2 of the JWK Set (is|has) .*\.$/, name);
      assert.equal(isPublicJwk(key), false, name);
    }
  });

  test("one to ten keys", () => {
    for (const jwks of [null, "x", [], ec, {}, { keys: {} }, { keys: [] }, { keys: Array(11).fill(ec) }])
      assert.match(refusal(jwks), /one to 10 public keys/, JSON.stringify(jwks));
  });
});
