import assert from "node:assert/strict";
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { decodeJwt, SignJWT } from "jose";
import * as oauth from "oauth4webapi";
import * as openid from "openid-client";
import { openTestApp } from "../app.ts";
import { openTestServer, PASSWORD, SPA_CALLBACK, type TestServer } from "./authorization-server.ts";
import { authorizationRequest, Browser, formOf, type Stop, walk } from "./client.ts";

const ada = { email: "ada@example.com", password: PASSWORD };
const bob = { email: "bob@example.com", password: PASSWORD };
const key = generateKeyPairSync("ec", { namedCurve: "P-256" });
const other = generateKeyPairSync("ec", { namedCurve: "P-256" });
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const publicJwk = ({ publicKey }: { publicKey: KeyObject }, kid: string) => ({
  ...publicKey.export({ format: "jwk" }),
  kid,
});
const jwks = { keys: [publicJwk(key, "ec"), publicJwk(rsa, "rsa")] };
const importKey = () => {
  const algorithm = { name: "ECDSA", namedCurve: "P-256" };
  return crypto.subtle.importKey("jwk", key.privateKey.export({ format: "jwk" }), algorithm, false, ["sign"]);
};

let server: TestServer;
before(async () => {
  server = await openTestServer({ settings: { SIGNED_REQUESTS: true, SIGNED_RESPONSES: true } });
  await server.addClient({ id: "signer", type: "confidential", jwks });
  await server.addClient({ id: "strict", type: "confidential", jwks, mustSign: true });
  await server.addClient({ id: "pusher", type: "confidential", jwks, mustPush: true });
});
after(() => server.close());

/** The claims of a request object that is in order. */
function claimsOf(clientId: string, change: Record<string, unknown> = {}): Record<string, unknown> {
  const now = Math.floor(Date.now() / 1000);
  const { url } = authorizationRequest({ issuer: server.issuer, clientId, redirectUri: SPA_CALLBACK, scope: "openid" });
  const params = Object.fromEntries(url.searchParams);
  return { ...params, iss: clientId, aud: server.issuer, iat: now, nbf: now, exp: now + 300, ...change };
}

function sign(
  claims: Record<string, unknown>,
  header: Record<string, unknown> = {},
  by: KeyObject | Uint8Array = key.privateKey,
) {
  return new SignJWT(claims).setProtectedHeader({ alg: "ES256", kid: "ec", ...header }).sign(by);
}

function unsigned(claims: Record<string, unknown>): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
  return `${encode({ alg: "none" })}.${encode(claims)}.`;
}

/** Walks from a request to where it ends. */
async function send(query: Record<string, string>, who = ada, browser = new Browser()): Promise<Stop> {
  const options = { issuer: server.issuer, clientId: "", redirectUri: SPA_CALLBACK, ...who };
  return walk(browser, await browser.follow(`${server.issuer}/authorize?${new URLSearchParams(query)}`), options);
}

/** The error of a request object, at `/authorize` with all that a redirect needs, and at `/par`. */
async function refusals(request: string, clientId = "signer"): Promise<string[]> {
  const outside = { client_id: clientId, redirect_uri: SPA_CALLBACK, response_type: "code" };
  const { url, text } = await send({ ...outside, request });
  return [url.searchParams.get("error") ?? text.slice(-500), (await push({ request }, clientId)).error ?? "none"];
}

async function push(params: Record<string, string>, clientId = "signer") {
  const body = new URLSearchParams({ ...params, ...(await assertion(clientId)) });
  const response = await fetch(`${server.issuer}/par`, { method: "POST", body });
  return (await response.json()) as { error?: string; request_uri?: string };
}

async function assertion(clientId: string): Promise<Record<string, string>> {
  const jwt = await sign({
    iss: clientId,
    sub: clientId,
    aud: server.issuer,
    exp: Math.floor(Date.now() / 1000) + 60,
    jti: crypto.randomUUID(),
  });
  return { client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer", client_assertion: jwt };
}

describe("signed authorization requests (JAR, RFC 9101)", () => {
  test("openid-client signs its request, is answered, and gets tokens", async () => {
    const signing = { key: await importKey(), kid: "ec" };
    const config = await openid.discovery(new URL(server.issuer), "signer", {}, openid.PrivateKeyJwt(signing), {
      execute: [openid.allowInsecureRequests],
    });
    const metadata = config.serverMetadata();
    assert.equal(metadata.request_parameter_supported, true);
    assert.equal(metadata.request_uri_parameter_supported, false);
    assert.deepEqual(metadata.request_object_signing_alg_values_supported, ["ES256", "PS256", "EdDSA"]);
    const verifier = openid.randomPKCECodeVerifier();
    const params = {
      redirect_uri: SPA_CALLBACK,
      scope: "openid profile",
      state: "s",
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    };
    const url = await openid.buildAuthorizationUrlWithJAR(config, params, signing);
    const stop = await send({ ...Object.fromEntries(url.searchParams), scope: "openid admin", state: "outside" });
    const checks = { pkceCodeVerifier: verifier, expectedState: "s", idTokenExpected: true };
    const tokens = await openid.authorizationCodeGrant(config, stop.url, checks);
    assert.equal(tokens.scope, "openid profile", "what stands outside does not count");
  });

  test("oauth4webapi pushes a signed request, for a client that must sign", async () => {
    const [issuer, allow] = [new URL(server.issuer), { [oauth.allowInsecureRequests]: true }];
    const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, allow));
    const [client, signing] = [{ client_id: "strict" }, { key: await importKey(), kid: "ec" }];
    const verifier = oauth.generateRandomCodeVerifier();
    const params = {
      client_id: "strict",
      redirect_uri: SPA_CALLBACK,
      response_type: "code",
      scope: "openid",
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    };
    const request = await oauth.issueRequestObject(as, client, new URLSearchParams(params), signing);
    const authentication = oauth.PrivateKeyJwt(signing);
    const body = new URLSearchParams({ request });
    const pushed = await oauth.pushedAuthorizationRequest(as, client, authentication, body, allow);
    const { request_uri } = await oauth.processPushedAuthorizationResponse(as, client, pushed);
    const { url } = await send({ client_id: "strict", request_uri });
    const answer = oauth.validateAuthResponse(as, client, url);
    const exchange = await oauth.authorizationCodeGrantRequest(
      as,
      client,
      authentication,
      answer,
      SPA_CALLBACK,
      verifier,
      allow,
    );
    const tokens = await oauth.processAuthorizationCodeResponse(as, client, exchange, { requireIdToken: true });
    assert.equal(tokens.scope, "openid");
  });

  test("A33 unsigned, HS/RS confusion, foreign keys, another iss, aud, client_id, times or typ are refused at both ends", async () => {
    const now = Math.floor(Date.now() / 1000);
    const pem = Buffer.from(rsa.publicKey.export({ type: "spki", format: "pem" }));
    const good = () => claimsOf("signer");
    const wrong: Record<string, string> = {
      unsigned: unsigned(good()),
      "HS256 with the public key": await sign(good(), { alg: "HS256", kid: "rsa" }, pem),
      RS256: await sign(good(), { alg: "RS256", kid: "rsa" }, rsa.privateKey),
      "another key": await sign(good(), {}, other.privateKey),
      "another key, in the header": await sign(good(), { jwk: publicJwk(other, "ec") }, other.privateKey),
      "another key, by address": await sign(good(), { jku: "http://127.0.0.1:9/keys", kid: "x" }, other.privateKey),
      "another issuer": await sign(claimsOf("signer", { iss: "web" })),
      "no issuer": await sign(claimsOf("signer", { iss: undefined })),
      "another audience": await sign(claimsOf("signer", { aud: "https://elsewhere.example" })),
      "no audience": await sign(claimsOf("signer", { aud: undefined })),
      "another client": await sign(claimsOf("signer", { client_id: "strict" })),
      "no client": await sign(claimsOf("signer", { client_id: undefined })),
      expired: await sign(claimsOf("signer", { nbf: now - 120, exp: now - 60 })),
      "no end": await sign(claimsOf("signer", { exp: undefined })),
      "no beginning": await sign(claimsOf("signer", { nbf: undefined })),
      "not yet": await sign(claimsOf("signer", { nbf: now + 60 })),
      "more than an hour": await sign(claimsOf("signer", { exp: now + 3_700 })),
      "begun more than an hour ago": await sign(claimsOf("signer", { nbf: now - 3_700, exp: now - 110 + 100 })),
      "a client assertion": await sign(claimsOf("signer", { sub: "signer" })),
      "another kind of JWT": await sign(good(), { typ: "dpop+jwt" }),
      "a request inside": await sign(claimsOf("signer", { request: await sign(good()) })),
      "an address inside": await sign(claimsOf("signer", { request_uri: "https://client.example/x" })),
      "no JWT": "x.y.z",
    };
    for (const [name, request] of Object.entries(wrong))
      assert.deepEqual(await refusals(request), ["invalid_request_object", "invalid_request_object"], name);
    assert.ok((await push({ request: await sign(good(), { typ: "oauth-authz-req+jwt" }) })).request_uri);
    // One without keys has none to sign with.
    const keyless = { client_id: "spa", redirect_uri: SPA_CALLBACK, response_type: "code" };
    const { url } = await send({ ...keyless, request: await sign(claimsOf("spa")) });
    assert.equal(url.searchParams.get("error"), "invalid_request_object");
  });

  test("A05 a signed redirect URI is held against the registered ones as well", async () => {
    const request = await sign(claimsOf("signer", { redirect_uri: "https://evil.example/" }));
    const { left, response } = await send({ client_id: "signer", request });
    assert.deepEqual([left, response.status], [false, 400]);
    assert.equal((await push({ request })).error, "invalid_request");
  });

  test("a client that must sign is refused without, by value and pushed; request_uri is of pushed requests alone", async () => {
    const params = Object.fromEntries(
      authorizationRequest({ issuer: server.issuer, clientId: "strict", redirectUri: SPA_CALLBACK }).url.searchParams,
    );
    assert.equal((await send(params)).url.searchParams.get("error"), "invalid_request");
    assert.equal((await push(params, "strict")).error, "invalid_request");
    const { url } = await send({ ...params, request_uri: "https://client.example/request.jwt" });
    assert.equal(url.searchParams.get("error"), "request_uri_not_supported");
    const answered = await send({ client_id: "strict", request: await sign(claimsOf("strict")) });
    assert.ok(answered.url.searchParams.has("code"), answered.text);
  });

  test("a client that must push is refused without (RFC 9126 section 6)", async () => {
    const params = Object.fromEntries(
      authorizationRequest({ issuer: server.issuer, clientId: "pusher", redirectUri: SPA_CALLBACK }).url.searchParams,
    );
    assert.equal((await send(params)).url.searchParams.get("error"), "invalid_request");
    const { request_uri = "" } = await push(params, "pusher");
    assert.ok((await send({ client_id: "pusher", request_uri })).url.searchParams.has("code"));
  });

  for (const must of ["mustSign", "mustPush"] as const)
    test(`A12 the person of a client that ${must} can start again, and be somebody else: the request is kept as it was`, async () => {
      const clientId = `again-${must}`;
      await server.addClient({ id: clientId, type: "confidential", jwks, [must]: true });
      const claims = claimsOf(clientId, { claims: { userinfo: { name: null } }, state: "kept" });
      const request = await sign(claims);
      const pushed = must === "mustPush" ? await push({ request }, clientId) : { request };
      const query = { client_id: clientId, ...(pushed as Record<string, string>) };
      delete (query as Record<string, unknown>).expires_in;
      const browser = new Browser();
      const page = await browser.follow(`${server.issuer}/authorize?${new URLSearchParams(query)}`);
      const consent = await browser.submit(page, "/sign-in", ada);
      const switched = await browser.submit(consent, "/switch");
      assert.match(switched.text, /name="password"/);
      const options = { issuer: server.issuer, clientId, redirectUri: SPA_CALLBACK };
      const end = await walk(browser, switched, { ...options, ...bob });
      assert.deepEqual([end.url.searchParams.get("state"), end.url.searchParams.has("code")], ["kept", true]);

      const back = await browser.follow(page.url);
      const again = /href="([^"]*\/authorize\?[^"]*)"/.exec(back.text)?.[1]?.replaceAll("&amp;", "&") ?? "";
      assert.match(again, /request_uri=urn/);
      const restarted = await walk(browser, await browser.follow(again), { ...options, ...bob });
      assert.deepEqual(
        [restarted.url.searchParams.get("state"), restarted.url.searchParams.has("code")],
        ["kept", true],
      );
    });

  test("without the switch signed requests are refused, and who must sign gets in by no other way", async () => {
    const off = await openTestServer();
    try {
      await off.addClient({ id: "strict", type: "confidential", jwks, mustSign: true });
      const discovery = (await (await fetch(`${off.issuer}/.well-known/openid-configuration`)).json()) as Record<
        string,
        unknown
      >;
      assert.equal(discovery.request_parameter_supported ?? false, false);
      assert.equal(discovery.request_object_signing_alg_values_supported, undefined);
      assert.equal(discovery.authorization_signing_alg_values_supported, undefined);
      assert.deepEqual(discovery.response_modes_supported, ["query", "form_post"]);
      const options = { issuer: off.issuer, clientId: "strict", redirectUri: SPA_CALLBACK };
      const ask = async (params: Record<string, string>) =>
        (await new Browser().follow(authorizationRequest({ ...options, params }).url)).url.searchParams.get("error");
      assert.equal(await ask({ request: await sign(claimsOf("strict")) }), "request_not_supported");
      assert.equal(await ask({}), "invalid_request");
      assert.equal(await ask({ response_mode: "jwt" }), "unsupported_response_mode");
    } finally {
      await off.close();
    }
  });
});

test("each is switched on by its own setting, and discovery says so", async () => {
  for (const [setting, requests, responses] of [
    ["SIGNED_REQUESTS", true, false],
    ["SIGNED_RESPONSES", false, true],
  ] as const) {
    const app = await openTestApp({ [setting]: "true" });
    try {
      const url = `${app.config.AUTH_URL}/.well-known/openid-configuration`;
      const discovery = (await (await fetch(url)).json()) as Record<string, unknown>;
      assert.equal(discovery.request_parameter_supported ?? false, requests);
      assert.equal("authorization_signing_alg_values_supported" in discovery, responses);
    } finally {
      await app.close();
    }
  }
});

describe("signed answers to authorization requests (JARM)", () => {
  for (const mode of ["jwt", "query.jwt"])
    test(`openid-client asks for response_mode=${mode}, checks the answer, and gets tokens`, async () => {
      await server.addClient({ id: mode, idTokenAlgorithm: mode === "jwt" ? "ES256" : "RS256" });
      const alg = mode === "jwt" ? "ES256" : "RS256";
      const metadata = { authorization_signed_response_alg: alg, id_token_signed_response_alg: alg };
      const config = await openid.discovery(new URL(server.issuer), mode, metadata, openid.None(), {
        execute: [openid.allowInsecureRequests, openid.useJwtResponseMode],
      });
      const { authorization_signing_alg_values_supported: algorithms, response_modes_supported } =
        config.serverMetadata();
      assert.deepEqual(algorithms, ["ES256", "RS256"]);
      assert.deepEqual(response_modes_supported, ["query", "form_post", "jwt", "query.jwt", "form_post.jwt"]);
      const verifier = openid.randomPKCECodeVerifier();
      const url = openid.buildAuthorizationUrl(config, {
        redirect_uri: SPA_CALLBACK,
        scope: "openid",
        state: "s",
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
      });
      url.searchParams.set("response_mode", mode);
      const { url: end } = await send(Object.fromEntries(url.searchParams));
      assert.deepEqual([...end.searchParams.keys()], ["response"]);
      const { iss, aud, exp = 0, ...rest } = decodeJwt(end.searchParams.get("response") ?? "");
      assert.deepEqual([iss, aud, Object.keys(rest).toSorted()], [server.issuer, mode, ["code", "state"]]);
      assert.ok(Math.abs(exp - Date.now() / 1000) <= 600);
      const tokens = await openid.authorizationCodeGrant(config, end, {
        pkceCodeVerifier: verifier,
        expectedState: "s",
      });
      assert.ok(tokens.access_token);
    });

  test("form_post.jwt comes in our page, whose policy lets its one script run; errors are signed too", async () => {
    const options = { issuer: server.issuer, clientId: "spa", redirectUri: SPA_CALLBACK, scope: "openid" };
    const { url } = authorizationRequest({ ...options, params: { response_mode: "form_post.jwt" } });
    const page = await send(Object.fromEntries(url.searchParams));
    assert.equal(page.response.status, 200);
    assert.match(page.text, /One more step/);
    assert.match(page.response.headers.get("content-security-policy") ?? "", /script-src 'sha256-/);
    const { hidden } = formOf(page, SPA_CALLBACK);
    assert.deepEqual(Object.keys(hidden), ["response"]);
    const { code, state, iss, aud } = decodeJwt(hidden.response ?? "");
    assert.deepEqual([typeof code, state, iss, aud], ["string", url.searchParams.get("state"), server.issuer, "spa"]);

    for (const mode of ["form_post.jwt", "query.jwt"]) {
      const params = { response_mode: mode, prompt: "none" };
      const stop = await send(Object.fromEntries(authorizationRequest({ ...options, params }).url.searchParams));
      const response =
        mode === "query.jwt" ? stop.url.searchParams.get("response") : formOf(stop, SPA_CALLBACK).hidden.response;
      const refused = decodeJwt(response ?? "");
      assert.deepEqual([refused.error, refused.iss, refused.aud], ["login_required", server.issuer, "spa"]);
    }
  });

  test("A06 the fragment is for nobody, signed or not", async () => {
    for (const response_mode of ["fragment.jwt", "fragment"]) {
      const options = { issuer: server.issuer, clientId: "spa", redirectUri: SPA_CALLBACK, params: { response_mode } };
      const stop = await send(Object.fromEntries(authorizationRequest(options).url.searchParams));
      assert.equal(stop.url.searchParams.has("code"), false);
      assert.doesNotMatch(stop.url.hash, /code=/);
    }
  });
});
