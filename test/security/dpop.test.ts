import assert from "node:assert/strict";
import { createHash, generateKeyPairSync, type KeyObject, randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { calculateJwkThumbprint, type JWK, SignJWT } from "jose";
import * as oidc from "openid-client";
import { openTestApp, type TestApp } from "../app.ts";
import { runJson } from "../command.ts";
import { authorizationRequest, authorize, Browser, exchange, requestToken, walk } from "./client.ts";

const PASSWORD = "seventeen tall birches";
const REDIRECT_URI = "http://localhost:9/callback";
const SCOPE = "openid profile posts:read";

interface Pair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

let app: TestApp;
let clientId: string;
let boundClientId: string;

before(async () => {
  app = await openTestApp();
  const args = ["user", "create", "--email", "ada@example.com", "--name", "Ada", "--password-stdin"];
  await runJson(args, app.environment, PASSWORD);
  const create = async (...more: string[]) => {
    const options = ["--name", "Site", "--redirect-uri", REDIRECT_URI, "--public", ...more];
    return (await runJson<{ client_id: string }>(["client", "create", ...options], app.environment)).client_id;
  };
  clientId = await create();
  boundClientId = await create("--dpop");
});
after(() => app.close());

const ecPair = (): Pair => generateKeyPairSync("ec", { namedCurve: "P-256" });
const hash = (text: string) => createHash("sha256").update(text).digest("base64url");
const options = (id = clientId) => ({
  issuer: app.config.AUTH_URL,
  clientId: id,
  redirectUri: REDIRECT_URI,
  scope: SCOPE,
  email: "ada@example.com",
  password: PASSWORD,
});

interface Variation {
  readonly header?: Record<string, unknown>;
  readonly claims?: Record<string, unknown>;
  readonly alg?: string;
}

async function proof(pair: Pair, claims: Record<string, unknown>, { header, claims: other, alg }: Variation = {}) {
  const jwk = pair.publicKey.export({ format: "jwk" });
  const payload = { jti: randomUUID(), iat: Math.floor(Date.now() / 1000), ...claims, ...other };
  const protectedHeader = { typ: "dpop+jwt", alg: alg ?? "ES256", jwk, ...header };
  return new SignJWT(payload).setProtectedHeader(protectedHeader).sign(pair.privateKey);
}

const tokenProof = (pair: Pair, variation?: Variation) =>
  proof(pair, { htm: "POST", htu: `${app.config.AUTH_URL}/token` }, variation);

const proofOfUse = (pair: Pair, token: string, variation?: Variation) =>
  proof(pair, { htm: "POST", htu: `${app.config.BASE_URL}/graphql`, ath: hash(token) }, variation);

async function boundTokens(pair: Pair) {
  const { code, verifier } = await authorize(options());
  const headers = { DPoP: await tokenProof(pair) };
  const { status, body } = await requestToken(app.config.AUTH_URL, exchange(options(), code, verifier), headers);
  assert.deepEqual([status, body.token_type], [200, "DPoP"]);
  return body;
}

/** @returns status and challenge */
async function call(token: string, dpop?: string, scheme = "DPoP", headers: Record<string, string> = {}) {
  const response = await fetch(`${app.config.BASE_URL}/graphql`, {
    method: "POST",
    headers: {
      authorization: `${scheme} ${token}`,
      "content-type": "application/json",
      accept: "application/graphql-response+json",
      ...(dpop === undefined ? {} : { dpop }),
      ...headers,
    },
    body: JSON.stringify({ query: "{ posts { id } }" }),
  });
  await response.arrayBuffer();
  return { status: response.status, challenge: response.headers.get("www-authenticate") ?? "" };
}

describe("DPoP (RFC 9449)", () => {
  test("openid-client gets bound tokens and uses them at /graphql, /userinfo and for a refresh", async () => {
    const id = boundClientId;
    const config = await oidc.discovery(new URL(app.config.AUTH_URL), id, {}, oidc.None(), {
      execute: [oidc.allowInsecureRequests],
    });
    assert.ok(config.serverMetadata().dpop_signing_alg_values_supported?.includes("ES256"));
    const DPoP = oidc.getDPoPHandle(config, await oidc.randomDPoPKeyPair("ES256"));
    const { url, verifier, state } = authorizationRequest(options(id));
    const browser = new Browser();
    const end = await walk(browser, await browser.follow(url), options(id));
    const checks = { pkceCodeVerifier: verifier, expectedState: state };
    const tokens = await oidc.authorizationCodeGrant(config, end.url, checks, undefined, { DPoP });
    assert.equal(tokens.token_type, "dpop");
    const body = JSON.stringify({ query: "{ posts { id } }" });
    const ask = async (token: string) => {
      const headers = new Headers({ "content-type": "application/json" });
      const at = new URL(`${app.config.BASE_URL}/graphql`);
      return (await oidc.fetchProtectedResource(config, token, at, "POST", body, headers, { DPoP })).status;
    };
    assert.equal(await ask(tokens.access_token), 200);
    const info = await oidc.fetchUserInfo(config, tokens.access_token, oidc.skipSubjectCheck, { DPoP });
    assert.equal(info.name, "Ada");
    const refreshed = await oidc.refreshTokenGrant(config, tokens.refresh_token ?? "", undefined, { DPoP });
    assert.equal(await ask(refreshed.access_token), 200);
  });

  test("A34 a client that binds all its tokens gets none without a proof", async () => {
    const { code, verifier } = await authorize(options(boundClientId));
    const answer = await requestToken(app.config.AUTH_URL, exchange(options(boundClientId), code, verifier));
    assert.equal(answer.status, 400);
    assert.match(answer.body.error ?? "", /^invalid_(dpop_proof|request|grant)$/);
  });

  test("A34 a public client's refresh token is bound too", async () => {
    const pair = ecPair();
    const { refresh_token } = await boundTokens(pair);
    const params = { grant_type: "refresh_token", refresh_token, client_id: clientId };
    const ask = async (headers: Record<string, string>) =>
      (await requestToken(app.config.AUTH_URL, params, headers)).status;
    assert.equal(await ask({}), 400);
    assert.equal(await ask({ DPoP: await tokenProof(ecPair()) }), 400);
    assert.equal(await ask({ DPoP: await tokenProof(pair) }), 200);
  });

  test("A34 the scheme: a bound token as Bearer and one that is not bound as DPoP are refused; any case is fine", async () => {
    const pair = ecPair();
    const { access_token: token } = await boundTokens(pair);
    assert.equal((await call(token, await proofOfUse(pair, token), "dPoP")).status, 200);
    for (const dpop of [undefined, await proofOfUse(pair, token)]) {
      const downgraded = await call(token, dpop, "Bearer");
      assert.equal(downgraded.status, 401);
      assert.match(downgraded.challenge, /^DPoP error="invalid_token", algs="ES256 /);
    }
    const { code, verifier } = await authorize(options());
    const { body } = await requestToken(app.config.AUTH_URL, exchange(options(), code, verifier));
    assert.equal((await call(body.access_token, undefined, "Bearer")).status, 200);
    assert.equal((await call(body.access_token, await proofOfUse(pair, body.access_token))).status, 401);
    const unknown = await call("nobody-gave-this", await proofOfUse(pair, "nobody-gave-this"));
    assert.match(unknown.challenge, /^DPoP error="invalid_token"/);
  });

  test("A34 each part of a proof is checked at /graphql", async () => {
    const [pair, other] = [ecPair(), ecPair()];
    const { access_token: token } = await boundTokens(pair);
    const { access_token: foreign } = await boundTokens(other);
    const now = Math.floor(Date.now() / 1000);
    const url = `${app.config.BASE_URL}/graphql`;
    const good = await proofOfUse(pair, token);
    const [head = "", payload = "", signature = ""] = good.split(".");
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const privateJwk = pair.privateKey.export({ format: "jwk" });
    const claims = (changed: Record<string, unknown>) => proofOfUse(pair, token, { claims: changed });
    const header = (changed: Record<string, unknown>) => proofOfUse(pair, token, { header: changed });
    const wrong: Record<string, string | undefined> = {
      none: undefined,
      empty: "",
      "no JWT": "x",
      two: `${good}, ${await proofOfUse(pair, token)}`,
      "another key": await proofOfUse(other, token),
      "another token": await proofOfUse(pair, foreign),
      "no ath": await claims({ ath: undefined }),
      "htm of another method": await claims({ htm: "GET" }),
      "htm in lower case": await claims({ htm: "post" }),
      "no htm": await claims({ htm: undefined }),
      "htu of the token endpoint": await claims({ htu: `${app.config.AUTH_URL}/token` }),
      "htu of another host": await claims({ htu: "https://elsewhere.example/graphql" }),
      "htu with a longer path": await claims({ htu: `${url}/` }),
      "no htu": await claims({ htu: undefined }),
      "htu as a list": await claims({ htu: [url] }),
      "iat too old": await claims({ iat: now - 310 }),
      "iat ahead": await claims({ iat: now + 120 }),
      "nbf ahead": await claims({ nbf: now + 120 }),
      "nbf as text": await claims({ nbf: String(now) }),
      "exp past": await claims({ exp: now - 1 }),
      "exp as text": await claims({ exp: String(now + 60) }),
      "iat as text": await claims({ iat: String(now) }),
      "no jti": await claims({ jti: undefined }),
      "jti that is no text": await claims({ jti: 7 }),
      "typ JWT": await header({ typ: "JWT" }),
      "no typ": await header({ typ: undefined }),
      "no jwk": await header({ jwk: undefined }),
      "a private jwk": await header({ jwk: privateJwk }),
      "another jwk": await header({ jwk: other.publicKey.export({ format: "jwk" }) }),
      "a jwk of no type": await header({ jwk: { kty: "oct", k: "AAAA" } }),
      "alg none": `${encode({ typ: "dpop+jwt", alg: "none", jwk: pair.publicKey.export({ format: "jwk" }) })}.${payload}.`,
      "no signature": `${head}.${payload}.`,
      "another signature": `${head}.${payload}.${signature.replace(/^./, (c) => (c === "A" ? "B" : "A"))}`,
      "alg of another key": `${encode({ typ: "dpop+jwt", alg: "RS256", jwk: pair.publicKey.export({ format: "jwk" }) })}.${payload}.${signature}`,
      "longer than is read": await claims({ more: "x".repeat(9_000) }),
    };
    const secret = Buffer.from("a key that both know, and that is in the proof");
    const hmac = { typ: "dpop+jwt", alg: "HS256", jwk: { kty: "oct", k: secret.toString("base64url") } };
    wrong["alg HS256"] = await new SignJWT({ htm: "POST", htu: url, jti: "h", iat: now, ath: hash(token) })
      .setProtectedHeader(hmac)
      .sign(secret);
    for (const [name, dpop] of Object.entries(wrong)) {
      const answer = await call(token, dpop);
      assert.equal(answer.status, 401, name);
      assert.match(answer.challenge, /^DPoP error="invalid_(dpop_proof|token)", algs="/, name);
    }
    assert.equal((await call(token, good)).status, 200, "and the right one is taken");
    for (const times of [{ iat: now + 20 }, { nbf: now + 20 }, { exp: now + 60 }, { iat: now - 290 }])
      assert.equal((await call(token, await claims(times))).status, 200, JSON.stringify(times));
    assert.equal(
      (await call(token, await claims({ htu: `${url}?x=1#y` }))).status,
      200,
      "query and fragment do not count",
    );
  });

  test("A34 a proof works once, at both endpoints, also when six come at the same moment", async () => {
    const pair = ecPair();
    const { access_token: token } = await boundTokens(pair);
    const dpop = await proofOfUse(pair, token);
    const answers = await Promise.all(Array.from({ length: 6 }, () => call(token, dpop)));
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 401, 401, 401, 401, 401]);
    assert.equal((await call(token, dpop)).status, 401);

    const again = await tokenProof(pair);
    const codes = await Promise.all(Array.from({ length: 3 }, () => authorize(options())));
    const statuses = await Promise.all(
      codes.map(async ({ code, verifier }) => {
        const params = exchange(options(), code, verifier);
        return (await requestToken(app.config.AUTH_URL, params, { DPoP: again })).status;
      }),
    );
    assert.deepEqual(statuses.toSorted(), [200, 400, 400]);
  });

  test("A16 A34 htu is compared with the settings, whatever Host says", async () => {
    const pair = ecPair();
    const { access_token: token } = await boundTokens(pair);
    const forged = await proofOfUse(pair, token, { claims: { htu: "http://evil.example/graphql" } });
    const headers = { "x-forwarded-host": "evil.example", "x-forwarded-proto": "http" };
    assert.equal((await call(token, forged, "DPoP", headers)).status, 401);
    const { code, verifier } = await authorize(options());
    const params = exchange(options(), code, verifier);
    const dpop = await tokenProof(pair, { claims: { htu: "http://evil.example/token" } });
    const answer = await requestToken(app.config.AUTH_URL, params, { ...headers, DPoP: dpop });
    assert.deepEqual([answer.status, answer.body.error], [400, "invalid_dpop_proof"]);
  });

  test("A34 other keys: Ed25519, RSA with PSS; RSA with PKCS #1 and another curve are refused", async () => {
    const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
    for (const [alg, pair] of [
      ["EdDSA", generateKeyPairSync("ed25519")],
      ["PS256", rsa],
    ] as const) {
      const { code, verifier } = await authorize(options());
      const headers = { DPoP: await tokenProof(pair, { alg }) };
      const { status, body } = await requestToken(app.config.AUTH_URL, exchange(options(), code, verifier), headers);
      assert.equal(status, 200, alg);
      const token = body.access_token;
      assert.equal((await call(token, await proofOfUse(pair, token, { alg }))).status, 200, alg);
      if (pair !== rsa) continue;
      const refused = await call(token, await proofOfUse(pair, token, { alg: "RS256" }));
      assert.match(`${refused.status} ${refused.challenge}`, /^401 DPoP error="invalid_dpop_proof", algs="ES256 EdDSA/);
    }
    for (const [alg, pair] of [
      ["RS256", rsa],
      ["ES384", generateKeyPairSync("ec", { namedCurve: "P-384" })],
    ] as const) {
      const { code, verifier } = await authorize(options());
      const headers = { DPoP: await tokenProof(pair, { alg }) };
      const refused = await requestToken(app.config.AUTH_URL, exchange(options(), code, verifier), headers);
      assert.deepEqual([refused.status, refused.body.error], [400, "invalid_dpop_proof"], alg);
    }
    for (const url of [
      `${app.config.AUTH_URL}/.well-known/openid-configuration`,
      `${app.config.BASE_URL}/.well-known/oauth-protected-resource/graphql`,
    ]) {
      const metadata = (await (await fetch(url)).json()) as { dpop_signing_alg_values_supported?: unknown };
      assert.deepEqual(metadata.dpop_signing_alg_values_supported, ["ES256", "EdDSA", "Ed25519", "PS256"], url);
    }
  });

  test("A23 a code asked for with dpop_jkt is given to that key alone", async () => {
    const [pair, thief] = [ecPair(), ecPair()];
    const dpop_jkt = await calculateJwkThumbprint(pair.publicKey.export({ format: "jwk" }) as JWK);
    for (const [headers, status] of [
      [{}, 400],
      [{ DPoP: await tokenProof(thief) }, 400],
      [{ DPoP: await tokenProof(pair) }, 200],
    ] as const) {
      const { code, verifier } = await authorize({ ...options(), params: { dpop_jkt } });
      const answer = await requestToken(app.config.AUTH_URL, exchange(options(), code, verifier), { ...headers });
      assert.equal(answer.status, status, answer.body.error);
    }
  });
});
