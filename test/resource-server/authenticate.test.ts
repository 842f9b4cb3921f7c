import assert from "node:assert/strict";
import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { describe, test } from "node:test";
import { AppError } from "../../src/domain/errors.ts";
import type { Log } from "../../src/observe/log.ts";
import { openAuthenticate } from "../../src/resource-server/authenticate.ts";
import type { RequestHead } from "../../src/resource-server/bearer.ts";
import { openDpop } from "../../src/resource-server/dpop.ts";
import { type RefusalReason, TokenRefusal } from "../../src/resource-server/token-refusal.ts";
import type { Live } from "../../src/resource-server/verify.ts";

const NOW = Date.parse("2026-11-28T12:00:00Z");
const URL_OF_API = "https://api.example/graphql";
const TOKEN = "a-token-that-nobody-may-see";

const viewer = { userId: null, role: null, clientId: "c", scopes: new Set<never>() };
const sha256 = (text: string) => createHash("sha256").update(text).digest("base64url");
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const { crv, kty, x, y } = publicKey.export({ format: "jwk" });
const jwk = { crv, kty, x, y };
const jkt = sha256(JSON.stringify(jwk));

function makeProof(claims: object = {}, header: object = {}, key: KeyObject = privateKey): string {
  const body = {
    ...{ htm: "POST", htu: URL_OF_API, iat: NOW / 1_000, jti: "j", ath: sha256(TOKEN), nonce: "right" },
    ...claims,
  };
  const input = `${encode({ typ: "dpop+jwt", alg: "ES256", jwk, ...header })}.${encode(body)}`;
  return `${input}.${sign("sha256", Buffer.from(input), { key, dsaEncoding: "ieee-p1363" }).toString("base64url")}`;
}

interface Line {
  readonly level: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

function open(found: Live | TokenRefusal, publicRead = false, isFirstUse = true) {
  const lines: Line[] = [];
  const at = (level: string) => (fields: object) => void lines.push({ level, fields: { ...fields } });
  const log: Log = { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
  const checkProof = openDpop({
    url: URL_OF_API,
    nonces: { current: () => "right", isTaken: (nonce) => nonce === "right" },
    isFirstUse: async () => isFirstUse,
    now: () => NOW,
  });
  const verify = () => Promise.resolve(found);
  return {
    lines,
    authenticate: openAuthenticate({ verify, checkProof, audiences: ["graphql", null], publicRead, log }),
  };
}

function head(headers: Record<string, string>, more: Partial<RequestHead> = {}): RequestHead {
  return { method: "POST", url: "/graphql", headers, requestId: "r1", ...more };
}

const bearer = { authorization: `Bearer ${TOKEN}` };
const dpop = (proof?: string) => ({ authorization: `DPoP ${TOKEN}`, ...(proof === undefined ? {} : { dpop: proof }) });
const live: Live = { viewer, jkt: null, x5t: null, audience: null };
const bound: Live = { ...live, jkt };

describe("a refused token", () => {
  const cases: [RefusalReason, Live | TokenRefusal, RequestHead, object?][] = [
    ["missing", live, head({})],
    ["in-query", live, head({}, { url: `/graphql?access_token=${TOKEN}` })],
    ["authorization-header", live, head({ authorization: `Basic ${TOKEN}` })],
    ["unknown", new TokenRefusal("unknown"), head(bearer)],
    ["bound-to-key", bound, head(bearer)],
    ["not-bound-to-key", live, head(dpop(makeProof()))],
    ["certificate", { ...live, x5t: "right" }, head(bearer), { expected: "right", found: null }],
    ["audience", { ...live, audience: "mcp" }, head(bearer), { expected: "graphql", found: "mcp" }],
    ["proof-missing", bound, head(dpop())],
    ["proof-not-a-jwt", bound, head(dpop("x.y"))],
    ["proof-type", bound, head(dpop(makeProof({}, { typ: "JWT" }))), { found: "JWT" }],
    ["proof-critical-header", bound, head(dpop(makeProof({}, { crit: ["b64"] }))), { found: ["b64"] }],
    ["proof-algorithm", bound, head(dpop(makeProof({}, { alg: "none" }))), { found: "none" }],
    ["proof-key", bound, head(dpop(makeProof({}, { jwk: undefined })))],
    ["proof-key", bound, head(dpop(makeProof({}, { jwk: { kty: "oct", k: "x" } })))],
    ["proof-signature", bound, head(dpop(`${makeProof().replace(/[^.]+$/, "")}AAAA`))],
    ["proof-method", bound, head(dpop(makeProof({ htm: "GET" }))), { expected: "POST", found: "GET" }],
    [
      "proof-url",
      bound,
      head(dpop(makeProof({ htu: `https://me:${TOKEN}@other.example/graphql?access_token=${TOKEN}` }))),
      { expected: URL_OF_API, found: "https://other.example/graphql" },
    ],
    ["proof-url", bound, head(dpop(makeProof({ htu: 1 }))), { expected: URL_OF_API, found: null }],
    ["proof-issued-at", bound, head(dpop(makeProof({ iat: 1 }))), { found: 1 }],
    ["proof-issued-at", bound, head(dpop(makeProof({ iat: NOW })))],
    ["proof-not-yet-valid", bound, head(dpop(makeProof({ nbf: NOW })))],
    ["proof-expired", bound, head(dpop(makeProof({ exp: 1 })))],
    ["proof-id", bound, head(dpop(makeProof({ jti: "" })))],
    ["proof-token-hash", bound, head(dpop(makeProof({ ath: "x" })))],
    ["proof-other-key", { ...live, jkt: "other" }, head(dpop(makeProof())), { expected: "other", found: jkt }],
    ["proof-nonce", bound, head(dpop(makeProof({ nonce: "old" })))],
  ];

  for (const [reason, found, request, facts = {}] of cases) {
    test(`is logged at debug with the reason ${reason}; A42 without the token or its proof`, async () => {
      const { lines, authenticate } = open(found);
      await assert.rejects(async () => authenticate(request), AppError);
      assert.deepEqual(
        lines.map(({ level }) => level),
        ["debug"],
      );
      const { requestId, ...fields } = lines[0]?.fields ?? {};
      assert.equal(requestId, "r1");
      assert.equal(fields.reason, reason);
      assert.deepEqual({ ...fields, ...facts }, fields, "expected and found");
      const text = JSON.stringify(lines);
      assert.ok(!text.includes(TOKEN));
      const proof = String(request.headers.dpop ?? "");
      for (const part of proof.split(".")) assert.ok(part.length < 10 || !text.includes(part));
    });
  }

  test("a proof that was used before has a reason as well", async () => {
    const { lines, authenticate } = open(bound, false, false);
    await assert.rejects(async () => authenticate(head(dpop(makeProof()))), AppError);
    assert.equal(lines[0]?.fields.reason, "proof-replayed");
  });

  test("what is taken leaves no line", async () => {
    for (const [found, request] of [
      [live, head(bearer)],
      [{ ...live, audience: "graphql" }, head(bearer)],
      [bound, head(dpop(makeProof()))],
    ] as const) {
      const { lines, authenticate } = open(found);
      assert.equal(await authenticate(request), viewer);
      assert.deepEqual(lines, []);
    }
    const { lines, authenticate } = open(live, true);
    await authenticate(head({}));
    assert.deepEqual(lines, [], "PUBLIC_READ needs no token");
  });

  test("what a request brings is bounded in the log", () => {
    const found = ["x".repeat(1_000), [["deep"]], { a: TOKEN }, ...Array.from({ length: 100 }, () => 1)];
    const text = JSON.stringify(new TokenRefusal("audience", { found, kid: { a: TOKEN } }).fields);
    assert.ok(text.length < 400, text);
    assert.ok(!text.includes(TOKEN));
  });
});
