import assert from "node:assert/strict";
import { describe, test } from "node:test";
import decodeQr from "qr/decode.js";
import { qrCode } from "../../../src/authorization-server/second-step/qr-code.ts";
import {
  digitsOf,
  matchAtSetUp,
  matchStep,
  newTotpSecret,
  openTotpSecret,
  sealTotpSecret,
  totpUri,
} from "../../../src/authorization-server/second-step/totp.ts";
import type { Id } from "../../../src/domain/id.ts";
import { openSealer } from "../../../src/secrets/seal.ts";

/** "12345678901234567890", the secret of RFC 6238 appendix B. */
const SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
/** Its times in seconds, with the last six of the eight digits there. */
const VECTORS = [
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
  [20_000_000_000, "353130"],
] as const;
const [, [NOW, DIGITS]] = VECTORS;
const STEP = Math.floor(NOW / 30);

describe("U42 U43 digits of authenticator apps", () => {
  test("U43 the vectors of RFC 6238 match at their step", async () => {
    for (const [seconds, digits] of VECTORS)
      assert.equal(await matchStep(SECRET, digits, seconds * 1_000), Math.floor(seconds / 30), digits);
    assert.equal(await matchStep(SECRET, "287083", 59_000), null);
  });

  test("U43 they match one step before and after their own, and no further", async () => {
    for (const steps of [-1, 0, 1]) assert.equal(await matchStep(SECRET, DIGITS, (NOW + steps * 30) * 1_000), STEP);
    for (const steps of [-2, 2, 10]) assert.equal(await matchStep(SECRET, DIGITS, (NOW + steps * 30) * 1_000), null);
  });

  test("P23 U35 blanks and dashes are taken off; digits of other scripts and anything else are no digits", () => {
    for (const typed of ["081804", " 081 804 ", "081-804", "081\u2013804", "0 8 1 8 0 4", "\t081804\n", "081\u00a0804"])
      assert.equal(digitsOf(typed), DIGITS, typed);
    for (const typed of [
      "",
      "08180",
      "0818040",
      "٠٨١٨٠٤",
      "०८१८०४",
      "０８１８０４",
      "08180a",
      "081.804",
      "+81804",
      "081804\0",
    ])
      assert.equal(digitsOf(typed), null, typed);
    assert.equal(digitsOf(`${" ".repeat(1_000)}081804`), null);
  });

  test("U42 set-up recognizes a clock that is wrong by up to ten steps", async () => {
    assert.deepEqual(await matchAtSetUp(SECRET, DIGITS, NOW * 1_000), { step: STEP });
    assert.deepEqual(await matchAtSetUp(SECRET, DIGITS, (NOW + 30) * 1_000), { step: STEP });
    assert.deepEqual(await matchAtSetUp(SECRET, DIGITS, (NOW + 120) * 1_000), { driftSeconds: -120 });
    assert.deepEqual(await matchAtSetUp(SECRET, DIGITS, (NOW - 300) * 1_000), { driftSeconds: 300 });
    assert.equal(await matchAtSetUp(SECRET, DIGITS, (NOW + 330) * 1_000), null);
  });

  test("U42 a secret has 160 random bits, and its URI names the operator and the account", async () => {
    const secrets = await Promise.all(Array.from({ length: 50 }, newTotpSecret));
    assert.equal(new Set(secrets).size, 50);
    for (const secret of secrets) assert.match(secret, /^[A-Z2-7]{32}$/);
    const uri = new URL(await totpUri(SECRET, "Example: Sons & Co", { email: "ada+x@example.com" }));
    assert.equal(`${uri.protocol}//${uri.host}`, "otpauth://totp");
    assert.equal(decodeURIComponent(uri.pathname), "/Example  Sons & Co:ada+x@example.com");
    const query = { issuer: "Example  Sons & Co", secret: SECRET, algorithm: "SHA1", digits: "6", period: "30" };
    assert.deepEqual(Object.fromEntries(uri.searchParams), query);
  });

  test("U42 the QR code is what a camera reads, as SVG without style and links", async () => {
    const uri = await totpUri(SECRET, "Example", { email: "ada@example.com" });
    const svg = await qrCode(uri, "QR code");
    assert.doesNotMatch(svg, /style|href|data:|<script|class=/);
    assert.match(svg, /^<svg [^>]*role="img" aria-label="QR code"[^>]*>.*<\/svg>$/);
    assert.equal(decodeQr(photographOf(svg)), uri);
  });

  test("U08 a sealed secret opens for its person alone, and a lost SECRET_KEY is said", () => {
    const sealer = openSealer(new Uint8Array(32).fill(1));
    const [ada, eve] = [{ id: "ada" as Id }, { id: "eve" as Id }];
    const sealed = sealTotpSecret(sealer, ada, SECRET);
    assert.equal(openTotpSecret(sealer, ada, sealed), SECRET);
    assert.doesNotMatch(Buffer.from(sealed, "base64url").toString("latin1"), new RegExp(SECRET));
    assert.throws(() => openTotpSecret(sealer, eve, sealed), { code: "INTERNAL" });
    assert.throws(() => openTotpSecret(openSealer(new Uint8Array(32)), ada, sealed), { code: "INTERNAL" });
  });
});

/** The picture that a browser makes of it, four pixels a square. */
function photographOf(svg: string): { width: number; height: number; data: Uint8Array } {
  const size = Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1]);
  const [scale, dark] = [4, /fill="#000" d="([^"]*)"/.exec(svg)?.[1] ?? assert.fail()];
  const width = size * scale;
  const data = new Uint8Array(width * width * 4).fill(255);
  for (const [, x, y, length] of dark.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g))
    for (let row = Number(y) * scale; row < (Number(y) + 1) * scale; row++)
      for (let column = Number(x) * scale; column < (Number(x) + Number(length)) * scale; column++)
        data.fill(0, (row * width + column) * 4, (row * width + column) * 4 + 3);
  return { width, height: width, data };
}
