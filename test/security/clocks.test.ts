import assert from "node:assert/strict";
import { generateKeyPairSync, randomUUID, sign as signBytes } from "node:crypto";
import { after, before, beforeEach, describe, mock, test } from "node:test";
import { SignJWT } from "jose";
import { MOST_AHEAD } from "../../src/domain/clients/compact-jws.ts";
import { CLIENT_SECRET, openTestServer, SPA_CALLBACK, type TestServer, WEB_CALLBACK } from "./authorization-server.ts";
import { authorizationRequest, authorize, Browser, exchange, requestToken } from "./client.ts";

const ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const key = generateKeyPairSync("ec", { namedCurve: "P-256" });
const jwk = key.publicKey.export({ format: "jwk" });
const DAY = 86_400;

/** Seconds of Unix time, of every clock here. */
const START = Math.floor(Date.now() / 1000);
const at = (seconds: number) => mock.timers.setTime((START + seconds) * 1000);

let server: TestServer;
before(async () => {
  mock.timers.enable({ apis: ["Date"], now: START * 1000 });
  server = await openTestServer({ settings: { SIGNED_REQUESTS: true }, now: () => Date.now() });
  await server.addClient({ id: "signer", type: "confidential", jwks: { keys: [{ ...jwk, kid: "1" }] } });
});
after(async () => {
  await server.close();
  mock.timers.reset();
});
beforeEach(() => at(0));

type Claims = Record<string, unknown>;

function sign(claims: Claims, header: Record<string, unknown> = {}): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: "ES256", kid: "1", ...header }).sign(key.privateKey);
}

function assertion(change: Claims = {}): Promise<string> {
  return sign({ iss: "signer", sub: "signer", aud: server.issuer, jti: randomUUID(), exp: START + 60, ...change });
}

/** Asks with a code that does not exist: whoever is let in learns just that. */
async function isLetIn(client_assertion: string): Promise<boolean> {
  const params = { grant_type: "authorization_code", code: "x", redirect_uri: SPA_CALLBACK };
  const sent = { ...params, code_verifier: "v".repeat(43), client_assertion_type: ASSERTION, client_assertion };
  const { status, body } = await requestToken(server.issuer, sent);
  assert.match(`${status} ${body.error}`, /^(401 invalid_client|400 invalid_grant)$/);
  return status === 400;
}

async function push(change: Claims, client_assertion?: string) {
  const { url } = authorizationRequest({ ...spa(), clientId: "signer" });
  const times = { iat: START, nbf: START, exp: START + 50, ...change };
  const claims = { ...Object.fromEntries(url.searchParams), iss: "signer", aud: server.issuer, ...times };
  const own = { client_assertion_type: ASSERTION, client_assertion: client_assertion ?? (await assertion()) };
  const body = new URLSearchParams({ request: await sign(claims), ...own });
  const response = await fetch(`${server.issuer}/par`, { method: "POST", body });
  const { error, request_uri, expires_in } = (await response.json()) as Record<string, unknown>;
  return { status: response.status, error, request_uri: String(request_uri), expires_in };
}

/** Whether a pushed request still leads to a page of ours. */
async function isKnown(request_uri: string, client_id: string): Promise<boolean> {
  const query = new URLSearchParams({ client_id, request_uri });
  const { left, text } = await new Browser().follow(`${server.issuer}/authorize?${query}`);
  return !left && text.includes('name="password"');
}

const spa = () => ({ issuer: server.issuer, clientId: "spa", redirectUri: SPA_CALLBACK });
const web = () => ({ issuer: server.issuer, clientId: "web", redirectUri: WEB_CALLBACK });
const SECRET = { client_secret: CLIENT_SECRET };

async function tokens() {
  const { code, verifier, browser } = await authorize(web());
  const { body } = await requestToken(server.issuer, { ...exchange(web(), code, verifier), ...SECRET });
  return { ...body, browser };
}

describe("what a client has dated may be ahead, by 30 seconds", () => {
  for (const name of ["iat", "nbf"]) {
    test(`${name} of an assertion`, async () => {
      assert.equal(await isLetIn(await assertion({ [name]: START + MOST_AHEAD })), true);
      assert.equal(await isLetIn(await assertion({ [name]: START + MOST_AHEAD + 1 })), false);
      assert.equal(await isLetIn(await assertion({ [name]: String(START) })), false);
    });

    test(`${name} of a signed request`, async () => {
      assert.equal((await push({ [name]: START + MOST_AHEAD })).status, 201);
      assert.equal((await push({ [name]: START + MOST_AHEAD + 1 })).error, "invalid_request_object");
      assert.equal((await push({ [name]: String(START) })).error, "invalid_request_object");
    });
  }

  test("A34 iat of a DPoP proof; a nonce of ours makes no difference", async () => {
    const nonces = await openTestServer({ settings: { DPOP_NONCES: true }, now: () => Date.now() });
    try {
      for (const { issuer } of [server, nonces]) {
        const { code, verifier } = await authorize({ ...spa(), issuer });
        let nonce: string | undefined;
        const ask = async (iat: number) => {
          const claims = { htm: "POST", htu: `${issuer}/token`, jti: randomUUID(), iat, nonce };
          const DPoP = await sign(claims, { typ: "dpop+jwt", jwk, kid: undefined });
          const body = new URLSearchParams(exchange(spa(), code, verifier));
          const response = await fetch(`${issuer}/token`, { method: "POST", body, headers: { DPoP } });
          nonce = response.headers.get("dpop-nonce") ?? undefined;
          return ((await response.json()) as { error?: string }).error ?? "taken";
        };
        if (issuer === nonces.issuer) assert.equal(await ask(START), "use_dpop_nonce");
        assert.equal(await ask(START + MOST_AHEAD + 1), "invalid_dpop_proof");
        if (issuer === nonces.issuer) assert.equal(await ask(START), "use_dpop_nonce");
        assert.equal(await ask(START + MOST_AHEAD), "taken");
      }
    } finally {
      await nonces.close();
    }
  });
});

describe("an end counts to the second", () => {
  test("A33 of an assertion, with a fraction too", async () => {
    for (const exp of [START + 60, START + 60.5]) {
      at(0);
      const [first, second] = [await assertion({ exp }), await assertion({ exp })];
      at(59);
      assert.equal(await isLetIn(first), true);
      assert.equal(await isLetIn(first), false, "it works once");
      at(61);
      assert.equal(await isLetIn(second), false);
    }
    at(0);
    const last = await assertion();
    at(60);
    assert.equal(await isLetIn(last), false);
  });

  test("A33 an end that is no time is refused, not remembered", async () => {
    const whole = await assertion();
    const [header = "", payload = ""] = whole.split(".");
    for (const exp of ['"9999999999"', "1e400", "[9999999999]", "0", "-1"]) {
      const claims = Buffer.from(payload, "base64url")
        .toString()
        .replace(/"exp":\d+/, `"exp":${exp}`);
      const input = `${header}.${Buffer.from(claims).toString("base64url")}`;
      const options = { key: key.privateKey, dsaEncoding: "ieee-p1363" } as const;
      const signature = signBytes("sha256", Buffer.from(input), options).toString("base64url");
      assert.equal(await isLetIn(`${input}.${signature}`), false, exp);
    }
  });

  test("of a signed request, when it is pushed and when it is used, with a fraction too", async () => {
    for (const exp of [START + 50, START + 50.5]) {
      at(0);
      const { request_uri, status } = await push({ exp });
      assert.equal(status, 201);
      at(49);
      assert.equal(await isKnown(request_uri, "signer"), true);
      at(51);
      assert.equal(await isKnown(request_uri, "signer"), false);
      assert.equal((await push({ exp }, await assertion({ exp: START + 90 }))).error, "invalid_request_object");
    }
    at(50);
    assert.equal((await push({}, await assertion({ exp: START + 90 }))).error, "invalid_request_object");
  });

  test("of a pushed request: 60 seconds", async () => {
    const { url } = authorizationRequest(web());
    const body = new URLSearchParams([...url.searchParams, ...Object.entries(SECRET)]);
    const pushed = await fetch(`${server.issuer}/par`, { method: "POST", body });
    const { request_uri, expires_in } = (await pushed.json()) as { request_uri: string; expires_in: number };
    assert.equal(expires_in, 60);
    at(59);
    assert.equal(await isKnown(request_uri, "web"), true);
    at(60);
    assert.equal(await isKnown(request_uri, "web"), false);
  });

  test("A22 of a code: 60 seconds", async () => {
    for (const [seconds, status] of [
      [59, 200],
      [60, 400],
    ] as const) {
      at(0);
      const { code, verifier } = await authorize(web());
      at(seconds);
      const answer = await requestToken(server.issuer, { ...exchange(web(), code, verifier), ...SECRET });
      assert.equal(answer.status, status, `${seconds} s`);
    }
  });

  test("of an access token at /userinfo and /introspect: 15 minutes", async () => {
    const { access_token } = await tokens();
    const body = new URLSearchParams({ token: access_token, client_id: "web", ...SECRET });
    for (const [seconds, isLive] of [
      [899, true],
      [900, false],
    ] as const) {
      at(seconds);
      const headers = { authorization: `Bearer ${access_token}` };
      const { status } = await fetch(`${server.issuer}/userinfo`, { headers });
      assert.equal(status, isLive ? 200 : 401, `${seconds} s`);
      const answer = await fetch(`${server.issuer}/introspect`, { method: "POST", body });
      assert.equal(((await answer.json()) as { active: boolean }).active, isLive, `${seconds} s`);
    }
  });

  test("of a refresh token: 30 days", async () => {
    for (const [seconds, status] of [
      [30 * DAY - 1, 200],
      [30 * DAY, 400],
    ] as const) {
      at(0);
      const { refresh_token } = await tokens();
      at(seconds);
      const params = { grant_type: "refresh_token", refresh_token, client_id: "web", ...SECRET };
      assert.equal((await requestToken(server.issuer, params)).status, status, `${seconds} s`);
    }
  });

  test("of a session: 14 days", async () => {
    for (const [seconds, error] of [
      [14 * DAY - 1, null],
      [14 * DAY, "login_required"],
    ] as const) {
      at(0);
      const { browser } = await tokens();
      at(seconds);
      const { url } = authorizationRequest({ ...web(), params: { prompt: "none" } });
      assert.equal((await browser.follow(url)).url.searchParams.get("error"), error, `${seconds} s`);
    }
  });
});
