import assert from "node:assert/strict";
import { generateKeyPairSync, type KeyObject, randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { SignJWT } from "jose";
import * as oidc from "openid-client";
import { openTestServer, SPA_CALLBACK, type TestServer } from "./authorization-server.ts";
import { authorize, exchange, requestToken } from "./client.ts";

const ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const key = generateKeyPairSync("ec", { namedCurve: "P-256" });
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const publicJwk = (pair: { publicKey: KeyObject }, kid: string) => ({
  ...pair.publicKey.export({ format: "jwk" }),
  kid,
});

/** Milliseconds that the server's clock is ahead. */
let ahead = 0;
let server: TestServer;
before(async () => {
  server = await openTestServer({ now: () => Date.now() + ahead });
  await server.addClient({
    id: "signer",
    type: "confidential",
    jwks: { keys: [publicJwk(key, "ec"), publicJwk(rsa, "rsa")] },
  });
});
after(() => server.close());

async function assertion(
  change: Record<string, unknown> = {},
  header: Record<string, unknown> = {},
  signer: KeyObject | Uint8Array = key.privateKey,
) {
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: "signer",
    sub: "signer",
    aud: server.issuer,
    jti: randomUUID(),
    iat: now,
    exp: now + 60,
    ...change,
  };
  return new SignJWT(claims).setProtectedHeader({ alg: "ES256", kid: "ec", ...header }).sign(signer);
}

/** Asks for tokens with a code that does not exist: whoever is let in learns just that. */
async function tryWith(client_assertion: string, more: Record<string, string> = {}) {
  const params = {
    grant_type: "authorization_code",
    code: "x",
    redirect_uri: SPA_CALLBACK,
    code_verifier: "v".repeat(43),
  };
  const sent = { ...params, client_assertion_type: ASSERTION, client_assertion, ...more };
  const { status, body } = await requestToken(server.issuer, sent);
  return `${status} ${body.error}`;
}
const IN = "400 invalid_grant";

describe("private_key_jwt (RFC 7523)", () => {
  test("openid-client signs who it is, and gets tokens", async () => {
    const imported = await crypto.subtle.importKey(
      "jwk",
      key.privateKey.export({ format: "jwk" }),
      { name: "ECDSA", namedCurve: "P-256" },
      false,
      ["sign"],
    );
    const method = oidc.PrivateKeyJwt({ key: imported, kid: "ec" });
    const config = await oidc.discovery(new URL(server.issuer), "signer", {}, method, {
      execute: [oidc.allowInsecureRequests],
    });
    assert.ok(config.serverMetadata().token_endpoint_auth_methods_supported?.includes("private_key_jwt"));
    const options = { issuer: server.issuer, clientId: "signer", redirectUri: SPA_CALLBACK };
    const { verifier, answer } = await authorize(options);
    const url = new URL(`${SPA_CALLBACK}?${answer}`);
    const expectedState = answer.get("state") ?? "";
    const tokens = await oidc.authorizationCodeGrant(config, url, { pkceCodeVerifier: verifier, expectedState });
    assert.notEqual(tokens.access_token, undefined);
    const par = await oidc.buildAuthorizationUrlWithPAR(config, {
      redirect_uri: SPA_CALLBACK,
      scope: "openid",
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    });
    assert.match(par.searchParams.get("request_uri") ?? "", /^urn:/);
  });

  test("A33 the keys that are registered, the issuer or the token endpoint as audience, RSA too", async () => {
    assert.equal(await tryWith(await assertion()), IN);
    assert.equal(await tryWith(await assertion({ aud: `${server.issuer}/token` })), IN);
    assert.equal(await tryWith(await assertion({}, { alg: "PS256", kid: "rsa" }, rsa.privateKey)), IN);
  });

  test("A33 alg none, HS/RS confusion, foreign keys, jku and jwk headers, wrong aud, iss, sub, exp are refused", async () => {
    const other = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const now = Math.floor(Date.now() / 1000);
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const [, payload = ""] = (await assertion()).split(".");
    const pem = Buffer.from(rsa.publicKey.export({ type: "spki", format: "pem" }));
    const wrong: Record<string, string> = {
      "alg none": `${encode({ alg: "none" })}.${payload}.`,
      "alg HS256 with the public key": await assertion({}, { alg: "HS256", kid: "rsa" }, pem),
      "another key": await assertion({}, {}, other.privateKey),
      "another key, in the header": await assertion({}, { jwk: publicJwk(other, "ec") }, other.privateKey),
      "another key, by address": await assertion({}, { jku: "http://127.0.0.1:9/keys" }, other.privateKey),
      "an unknown kid": await assertion({}, { kid: "x" }, other.privateKey),
      "another audience": await assertion({ aud: "https://elsewhere.example" }),
      "no audience": await assertion({ aud: undefined }),
      "another issuer": await assertion({ iss: "web" }),
      "another subject": await assertion({ sub: "web" }),
      expired: await assertion({ exp: now - 60 }),
      "no end": await assertion({ exp: undefined }),
      "no jti": await assertion({ jti: undefined }),
    };
    for (const [name, jwt] of Object.entries(wrong)) assert.equal(await tryWith(jwt), "401 invalid_client", name);
    assert.match(await tryWith("x"), /^40[01] invalid_(client|request)$/);
    assert.match(await tryWith(await assertion(), { client_assertion_type: "x" }), /^40[01] invalid_(client|request)$/);
    assert.match(await tryWith(await assertion(), { client_id: "web" }), /^40[01] invalid_(client|request)$/);
    assert.equal(
      (await requestToken(server.issuer, { grant_type: "authorization_code", code: "x", client_id: "signer" })).status,
      401,
    );
  });

  test("A53 an assertion lasts an hour at most, and names nobody else in aud", async () => {
    const now = Math.floor(Date.now() / 1000);
    assert.equal(await tryWith(await assertion({ exp: now + 3_590 })), IN);
    for (const seconds of [3_700, 86_400, 365 * 86_400, 1e12, 1e300])
      assert.equal(await tryWith(await assertion({ exp: now + seconds })), "401 invalid_client", `${seconds} s`);
    assert.equal(await tryWith(await assertion({ aud: [server.issuer] })), IN);
    assert.equal(await tryWith(await assertion({ aud: [server.issuer, `${server.issuer}/token`] })), IN);
    for (const aud of [
      [server.issuer, "https://elsewhere.example"],
      ["https://elsewhere.example", server.issuer],
      [server.issuer, 7],
      [server.issuer, null],
      [server.issuer, [server.issuer]],
      [],
    ])
      assert.equal(await tryWith(await assertion({ aud })), "401 invalid_client", JSON.stringify(aud));
    // The other endpoints at which clients prove who they are.
    for (const path of ["/revoke", "/introspect", "/par"]) {
      const ask = async (change: Record<string, unknown>) => {
        const client_assertion = await assertion(change);
        const body = new URLSearchParams({ token: "x", client_assertion_type: ASSERTION, client_assertion });
        return (await fetch(server.issuer + path, { method: "POST", body })).status;
      };
      assert.notEqual(await ask({ aud: server.issuer }), 401, path);
      assert.equal(await ask({ exp: now + 86_400 }), 401, path);
      assert.equal(await ask({ aud: [server.issuer, "https://elsewhere.example"] }), 401, path);
    }
  });

  test("A33 an assertion works once, also of six at the same moment", async () => {
    const one = await assertion();
    const answers = await Promise.all(Array.from({ length: 6 }, () => tryWith(one)));
    assert.equal(answers.filter((answer) => answer === IN).length, 1);
    assert.equal(answers.filter((answer) => answer === "401 invalid_client").length, 5);
    try {
      for (ahead of [1_000, 2_000, 30_000]) assert.equal(await tryWith(one), "401 invalid_client", `${ahead} ms later`);
      assert.equal(await tryWith(await assertion()), IN);
    } finally {
      ahead = 0;
    }
  });

  test("A25 a client with a secret cannot sign, and one that signs has no secret", async () => {
    const jwt = await assertion({ iss: "web", sub: "web" });
    assert.equal(await tryWith(jwt), "401 invalid_client");
    const options = { clientId: "signer", redirectUri: SPA_CALLBACK };
    const params = { ...exchange(options, "x", "v".repeat(43)), client_secret: "x" };
    assert.equal((await requestToken(server.issuer, params)).status, 401);
  });
});
