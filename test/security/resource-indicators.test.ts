import assert from "node:assert/strict";
import { generateKeyPairSync, randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { createRemoteJWKSet, decodeJwt, type JWTPayload, jwtVerify, SignJWT } from "jose";
import * as oauth from "oauth4webapi";
import { lifetimes } from "../../src/authorization-server/grants/lifetimes.ts";
import { rotateSigningKeys } from "../../src/authorization-server/tokens/keys.ts";
import { DEVICE_GRANT } from "../../src/domain/clients/client.ts";
import { openSealer } from "../../src/secrets/seal.ts";
import { hashToken } from "../../src/secrets/token-hash.ts";
import {
  CLIENT_SECRET,
  openTestServer,
  PASSWORD,
  SPA_CALLBACK,
  type TestServer,
  WEB_CALLBACK,
} from "./authorization-server.ts";
import {
  type AuthorizeOptions,
  authorizationRequest,
  authorize,
  Browser,
  exchange,
  formOf,
  getTokens,
  requestToken,
  walk,
} from "./client.ts";

const API = "https://api.example.com/v1";
const RSA_API = "https://old.example.com";

let server: TestServer;
let own: string;
let options: AuthorizeOptions & { clientSecret: string };
before(async () => {
  server = await openTestServer({
    settings: {
      RESOURCES: [
        { identifier: API, algorithm: "ES256" },
        { identifier: RSA_API, algorithm: "RS256" },
      ],
    },
  });
  await server.addClient({
    id: "job",
    type: "confidential",
    secretHash: hashToken(CLIENT_SECRET),
    redirectUris: [],
    grantTypes: ["client_credentials"],
    scopes: ["posts:read", "users:read", "admin"],
  });
  await server.addClient({ id: "tv", redirectUris: [], grantTypes: [DEVICE_GRANT, "refresh_token"] });
  own = `${server.issuer}/graphql`;
  options = {
    issuer: server.issuer,
    clientId: "web",
    redirectUri: WEB_CALLBACK,
    clientSecret: CLIENT_SECRET,
    scope: "openid posts:read posts:write",
  };
});
after(() => server.close());

const credentials = { client_id: "web", client_secret: CLIENT_SECRET };
const asking = (resource: string | string[], more: Partial<AuthorizeOptions> = {}) => ({
  ...options,
  ...more,
  params: { resource, ...more.params },
});

/** As an API elsewhere checks it (RFC 9068 section 4). */
async function verify(token: string, audience: string, alg = "ES256") {
  const keys = createRemoteJWKSet(new URL(`${server.issuer}/jwks`));
  return jwtVerify(token, keys, { issuer: server.issuer, audience, typ: "at+jwt", algorithms: [alg] });
}

/** Whether our API takes it for a token of its own. */
async function opensOurs(token: string): Promise<boolean> {
  return (await server.store.artifacts.findAccessToken(hashToken(token), Math.floor(Date.now() / 1_000))) !== null;
}

async function post(path: string, params: Record<string, string>, at = server.issuer) {
  const response = await fetch(`${at}${path}`, { method: "POST", body: new URLSearchParams(params) });
  const text = await response.text();
  return { status: response.status, body: (text === "" ? null : JSON.parse(text)) as Record<string, unknown> | null };
}

const introspect = async (token: string, as: Record<string, string> = credentials) =>
  (await post("/introspect", { token, ...as })).body ?? {};
const refresh = (token: string, more: Record<string, string> = {}) =>
  requestToken(server.issuer, { grant_type: "refresh_token", refresh_token: token, ...credentials, ...more });

describe("resource indicators (RFC 8707) and JWT access tokens (RFC 9068)", () => {
  test("a token for an API elsewhere is an at+jwt with what RFC 9068 section 2.2 asks for, restricted to it", async () => {
    const startedAt = Math.floor(Date.now() / 1_000);
    const tokens = await getTokens(asking(API));
    const { protectedHeader, payload } = await verify(tokens.access_token, API);
    assert.equal(protectedHeader.alg, "ES256");
    assert.equal(protectedHeader.typ, "at+jwt");
    assert.equal(typeof protectedHeader.kid, "string");
    assert.deepEqual(
      [payload.iss, payload.aud, payload.sub, payload.client_id, payload.scope],
      [server.issuer, API, server.ada.id, "web", "posts:read posts:write"],
    );
    assert.equal(Number(payload.exp) - Number(payload.iat), 900);
    assert.ok(Number(payload.auth_time) >= startedAt);
    assert.deepEqual([payload.acr, payload.amr], ["https://refeds.org/profile/sfa", ["pwd"]]);
    assert.ok(String(payload.jti).length >= 16);
    assert.deepEqual([tokens.scope, tokens.token_type, tokens.expires_in], ["posts:read posts:write", "Bearer", 900]);
    assert.ok(decodeJwt(tokens.id_token).sub === server.ada.id, "the ID token comes all the same");
    await assert.rejects(verify(tokens.access_token, own), "another audience");
    const issuer = new URL(server.issuer);
    const insecure = { [oauth.allowInsecureRequests]: true };
    const metadata = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...insecure });
    const as = await oauth.processDiscoveryResponse(issuer, metadata);
    const use = new Request(API, { headers: { authorization: `Bearer ${tokens.access_token}` } });
    const claims = await oauth.validateJwtAccessToken(as, use, API, insecure);
    assert.equal(claims.sub, server.ada.id, "oauth4webapi, which checks everything, is content");
  });

  test("it is signed with what the operator chose for that API", async () => {
    const { access_token: token } = await getTokens(asking(RSA_API));
    assert.equal((await verify(token, RSA_API, "RS256")).protectedHeader.alg, "RS256");
  });

  test("our own API, named or not, gets an opaque token, which opens the userinfo endpoint too", async () => {
    for (const tokens of [
      await getTokens(options),
      await getTokens(asking(own)),
      await getTokens(asking([own, own])),
    ]) {
      assert.doesNotMatch(tokens.access_token, /\./);
      assert.equal(await opensOurs(tokens.access_token), true);
      assert.equal(tokens.scope, "openid posts:read posts:write");
      const headers = { authorization: `Bearer ${tokens.access_token}` };
      assert.equal((await fetch(`${server.issuer}/userinfo`, { headers })).status, 200);
      const again = await refresh(tokens.refresh_token, { resource: own });
      assert.equal(await opensOurs(again.body.access_token), true);
    }
  });

  test("A31 our own API by any of its names: the public address or the endpoint, with and without a slash at its end", async () => {
    for (const name of [server.issuer, `${server.issuer}/`, own, `${own}/`]) {
      const { code, verifier } = await authorize(asking(name));
      const exchanged = await requestToken(server.issuer, {
        ...exchange(options, code, verifier),
        ...credentials,
        resource: name,
      });
      assert.equal(exchanged.status, 200, `${name}: ${JSON.stringify(exchanged.body)}`);
      assert.equal(await opensOurs(exchanged.body.access_token), true);
      for (const other of [own, `${own}/`, server.issuer])
        assert.equal(
          (await refresh(exchanged.body.refresh_token, { resource: API })).body.error,
          "invalid_target",
          other,
        );
      const again = await refresh(exchanged.body.refresh_token, { resource: `${own}/` });
      assert.equal(await opensOurs(again.body.access_token), true);

      const { url } = authorizationRequest(asking(name));
      const pushed = await post("/par", { ...Object.fromEntries(url.searchParams), client_secret: CLIENT_SECRET });
      assert.equal(pushed.status, 201, name);
      const device = await post("/device/auth", { client_id: "tv", scope: "posts:read", resource: name });
      assert.equal(device.status, 200, name);
      const job = { grant_type: "client_credentials", client_id: "job", client_secret: CLIENT_SECRET, resource: name };
      assert.equal(await opensOurs((await requestToken(server.issuer, job)).body.access_token), true, name);

      // Beside another API, the one of the two that a token request names.
      const both = await authorize(asking([name, API]));
      const params = { ...exchange(options, both.code, both.verifier), ...credentials };
      const { body } = await requestToken(server.issuer, { ...params, resource: `${own}/` });
      assert.equal(await opensOurs(body.access_token), true, name);
      const elsewhere = await refresh(body.refresh_token, { resource: API });
      assert.equal((await verify(elsewhere.body.access_token, API)).payload.aud, API);
    }
  });

  test("a JWT, its jti, and what is kept of it open nothing here", async () => {
    const { access_token: jwt } = await getTokens(asking(API));
    const { jti = "" } = decodeJwt(jwt);
    for (const token of [jwt, jti, hashToken(jwt), jwt.split(".")[2] ?? ""]) {
      assert.equal(await opensOurs(token), false);
      const response = await fetch(`${server.issuer}/userinfo`, { headers: { authorization: `Bearer ${token}` } });
      assert.equal(response.status, 401);
      if (token !== jwt) assert.deepEqual(await introspect(token), { active: false });
    }
    const all = await server.readAll();
    assert.ok(!all.includes(jwt) && !all.includes(jwt.split(".")[2] ?? ""), "A43 not in the database");
  });

  test("A31 what the operator did not name, and what was not granted, is an invalid target, at each endpoint", async () => {
    const wrong = [
      "https://evil.example.com",
      `${API}/`,
      `${API}#f`,
      "/v1",
      "urn:x",
      `${own}//`,
      `${server.issuer}//`,
      `${server.issuer}/other`,
      "https://api.example.com",
    ];
    for (const resource of wrong) {
      const { url } = authorizationRequest(asking(resource));
      const end = await new Browser().follow(url);
      assert.equal(end.url.searchParams.get("error"), "invalid_target", resource);
      const pushed = await post("/par", { ...Object.fromEntries(url.searchParams), client_secret: CLIENT_SECRET });
      assert.deepEqual([pushed.status, pushed.body?.error], [400, "invalid_target"], resource);
      const device = await post("/device/auth", { client_id: "tv", scope: "posts:read", resource });
      assert.deepEqual([device.status, device.body?.error], [400, "invalid_target"], resource);
      const job = { grant_type: "client_credentials", client_id: "job", client_secret: CLIENT_SECRET, resource };
      assert.equal((await requestToken(server.issuer, job)).body.error, "invalid_target", resource);
    }
    for (const [asked, then] of [
      [API, own],
      [API, RSA_API],
      [own, API],
    ] as const) {
      const { code, verifier } = await authorize(asking(asked));
      const params = { ...exchange(options, code, verifier), ...credentials, resource: then };
      const answer = await requestToken(server.issuer, params);
      assert.deepEqual([answer.status, answer.body.error], [400, "invalid_target"], `${asked} ${then}`);
    }
    const tokens = await getTokens(asking(API));
    assert.equal((await refresh(tokens.refresh_token, { resource: own })).body.error, "invalid_target");
  });

  test("one sign-in for several: each token is for one, the first for ours, and the refresh token serves all", async () => {
    const tokens = await getTokens(asking([own, API, RSA_API]));
    assert.equal(await opensOurs(tokens.access_token), true);
    const second = await refresh(tokens.refresh_token, { resource: API, scope: "posts:read" });
    assert.equal((await verify(second.body.access_token, API)).payload.scope, "posts:read");
    const third = await refresh(second.body.refresh_token, { resource: RSA_API });
    await verify(third.body.access_token, RSA_API, "RS256");
    const fourth = await refresh(third.body.refresh_token);
    assert.equal(await opensOurs(fourth.body.access_token), true);
    const both = new URLSearchParams({
      grant_type: "refresh_token",
      refresh_token: fourth.body.refresh_token,
      ...credentials,
    });
    for (const resource of [API, RSA_API]) both.append("resource", resource);
    const answer = await fetch(`${server.issuer}/token`, { method: "POST", body: both });
    assert.equal(((await answer.json()) as { error: string }).error, "invalid_target");
    const elsewhere = await authorize(asking([API, RSA_API]));
    const unclear = { ...exchange(options, elsewhere.code, elsewhere.verifier), ...credentials };
    assert.equal((await requestToken(server.issuer, unclear)).body.error, "invalid_target", "neither is chosen for it");
  });

  test("without openid, and by a pushed request, the refresh stays with the API that was granted", async () => {
    const { url, verifier } = authorizationRequest(asking(API, { scope: "posts:read" }));
    const pushed = await post("/par", { ...Object.fromEntries(url.searchParams), client_secret: CLIENT_SECRET });
    assert.equal(pushed.status, 201);
    const start = new URL(`${server.issuer}/authorize`);
    start.search = `${new URLSearchParams({ client_id: "web", request_uri: String(pushed.body?.request_uri) })}`;
    const browser = new Browser();
    const end = await walk(browser, await browser.follow(start), options);
    const code = end.url.searchParams.get("code") ?? "";
    const { body } = await requestToken(server.issuer, { ...exchange(options, code, verifier), ...credentials });
    const first = await verify(body.access_token, API);
    const again = await refresh(body.refresh_token);
    const second = await verify(again.body.access_token, API);
    assert.equal(second.payload.auth_time, first.payload.auth_time);
    assert.notEqual(second.payload.jti, first.payload.jti);
  });

  test("a client for itself gets what it is registered for, never admin, in its own name", async () => {
    const params = { grant_type: "client_credentials", client_id: "job", client_secret: CLIENT_SECRET, resource: API };
    const { body } = await requestToken(server.issuer, params);
    const { payload } = await verify(body.access_token, API);
    assert.deepEqual([payload.sub, payload.client_id, payload.scope], ["job", "job", "posts:read users:read"]);
    assert.equal(payload.auth_time, undefined);
    const as = { client_id: "job", client_secret: CLIENT_SECRET };
    assert.equal((await introspect(body.access_token, as)).active, true);
    assert.equal((await post("/revoke", { token: body.access_token, ...as })).status, 200);
    assert.deepEqual(await introspect(body.access_token, as), { active: false });
  });

  test("a device gets one too", async () => {
    const asked = await post("/device/auth", { client_id: "tv", scope: "openid posts:read", resource: API });
    const device = asked.body as { device_code: string; user_code: string; verification_uri: string };
    const browser = new Browser();
    const page = await browser.follow(device.verification_uri);
    const confirm = await browser.submit(page, "/device", { user_code: device.user_code });
    const next = await browser.submit(confirm, "/device", { confirm: "yes" });
    await walk(browser, next, { ...options, clientId: "tv" });
    const { body } = await requestToken(server.issuer, {
      grant_type: DEVICE_GRANT,
      client_id: "tv",
      device_code: device.device_code,
    });
    const { payload } = await verify(body.access_token, API);
    assert.deepEqual([payload.sub, payload.scope, payload.amr], [server.ada.id, "posts:read", ["pwd"]]);
    const again = { grant_type: "refresh_token", refresh_token: body.refresh_token, client_id: "tv" };
    await verify((await requestToken(server.issuer, again)).body.access_token, API);
  });

  test("A34 one for a DPoP key says so in cnf", async () => {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const { code, verifier } = await authorize(asking(API));
    const header = { typ: "dpop+jwt", alg: "ES256", jwk: publicKey.export({ format: "jwk" }) };
    const proof = await new SignJWT({ jti: randomUUID(), htm: "POST", htu: `${server.issuer}/token` })
      .setIssuedAt()
      .setProtectedHeader(header)
      .sign(privateKey);
    const params = { ...exchange(options, code, verifier), ...credentials };
    const { body } = await requestToken(server.issuer, params, { dpop: proof });
    assert.equal(body.token_type, "DPoP");
    const { payload } = await verify(body.access_token, API);
    const { jkt } = (payload as JWTPayload & { cnf: { jkt: string } }).cnf;
    assert.match(jkt, /^[\w-]{43}$/);
    const answer = await introspect(body.access_token);
    assert.deepEqual([answer.token_type, answer.cnf], ["DPoP", { jkt }]);
  });

  test("the person allows each API apart, sees its address, and is asked again for another one", async () => {
    const more = { clientId: "spa", redirectUri: SPA_CALLBACK, scope: "openid posts:read admin" };
    const ask = async (browser: Browser, resource: string | string[]) =>
      browser.follow(authorizationRequest(asking(resource, more)).url);
    const browser = new Browser();
    const signIn = await ask(browser, API);
    const first = await browser.submit(signIn, "/sign-in", { email: "ada@example.com", password: PASSWORD });
    assert.ok(first.text.includes(API), "the address is shown");
    assert.match(first.text.slice(first.text.indexOf("will not get")), /Administer/, "what no API elsewhere gets");
    const agreed = await browser.submit(first, "/consent", { decision: "approve" });
    assert.ok(agreed.left);
    assert.ok((await ask(browser, API)).left, "remembered");
    for (const others of [[own], [RSA_API], [API, RSA_API]]) {
      const page = await ask(browser, others);
      assert.equal(page.left, false, String(others));
      formOf(page, "/consent");
    }
    assert.match(first.text, /Only at/);
    const both = await ask(browser, [API, RSA_API]);
    assert.match((await ask(browser, [own, API])).text, /Also at/);
    assert.ok((await browser.submit(both, "/consent", { decision: "approve" })).left);
    assert.ok((await ask(browser, RSA_API)).left);
    assert.equal((await ask(browser, own)).left, false, "nothing of it counts here");
    const other = new Browser();
    const back = await other.submit(await ask(other, [API, RSA_API]), "/sign-in", {
      email: "ada@example.com",
      password: PASSWORD,
    });
    assert.ok(back.left, "in any browser");
    const account = await other.follow(`${server.issuer}/account`);
    assert.match(account.text, new RegExp(`Used at .*${API}.*, .*${RSA_API}`));
  });

  test("several survive a request by POST, and a fresh start after the Back button", async () => {
    const resources = [own, API, RSA_API];
    const { url } = authorizationRequest(asking(resources));
    const posted = await fetch(`${server.issuer}/authorize`, {
      method: "POST",
      body: url.searchParams,
      redirect: "manual",
    });
    const next = new URL(posted.headers.get("location") ?? "", server.issuer);
    assert.deepEqual(next.searchParams.getAll("resource"), resources);
    const browser = new Browser();
    const page = await browser.follow(next);
    const end = await walk(browser, page, options);
    assert.ok(end.left, `${end.url}`);
    const back = await browser.follow(page.url);
    const href = /href="([^"]*\/authorize[^"]*)"/.exec(back.text)?.[1]?.replaceAll("&amp;", "&") ?? "";
    assert.deepEqual(new URL(href, server.issuer).searchParams.getAll("resource"), resources);
  });

  test("introspection tells the client whose it is, and nobody else; revocation ends the pair", async () => {
    const tokens = await getTokens(asking(API));
    const { payload } = await verify(tokens.access_token, API);
    const { cnf: _, ...claims } = payload;
    assert.ok("auth_time" in claims && "acr" in claims && "amr" in claims, "RFC 9470 section 6.2");
    const expected = { active: true, ...claims, token_type: "Bearer" };
    assert.deepEqual(await introspect(tokens.access_token), expected);
    const job = { client_id: "job", client_secret: CLIENT_SECRET };
    assert.deepEqual(await introspect(tokens.access_token, job), { active: false });
    assert.equal((await post("/revoke", { token: tokens.access_token, ...job })).status, 200);
    const [header = "", , signature = ""] = tokens.access_token.split(".");
    const forged = Buffer.from(JSON.stringify({ ...payload, scope: "admin" })).toString("base64url");
    for (const token of [`${header}.${forged}.${signature}`, `${tokens.access_token}.`, tokens.id_token])
      assert.deepEqual(await introspect(token), { active: false });
    assert.equal((await introspect(tokens.access_token)).active, true, "others end nothing");
    const wrong = await post("/introspect", { token: tokens.access_token, client_id: "web", client_secret: "x" });
    assert.deepEqual([wrong.status, wrong.body?.error], [401, "invalid_client"]);

    const revoked = await post("/revoke", { token: tokens.access_token, ...credentials });
    assert.deepEqual([revoked.status, revoked.body], [200, null]);
    assert.deepEqual(await introspect(tokens.access_token), { active: false });
    assert.equal((await refresh(tokens.refresh_token)).body.error, "invalid_grant");
    assert.equal((await post("/revoke", { token: tokens.access_token, ...credentials })).status, 200, "once more");
  });

  test("revoking the refresh token, and a disabled person, end it too", async () => {
    const tokens = await getTokens(asking(API));
    await post("/revoke", { token: tokens.refresh_token, ...credentials });
    assert.deepEqual(await introspect(tokens.access_token), { active: false });
    const bobs = await getTokens(asking(API, { email: "bob@example.com" }));
    await server.store.users.update(server.bob.id, { disabledAt: new Date().toISOString() });
    assert.deepEqual(await introspect(bobs.access_token), { active: false });
    assert.equal((await refresh(bobs.refresh_token)).body.error, "invalid_grant");
    await server.store.users.update(server.bob.id, { disabledAt: null });
  });

  test("A20 A21 a code for it works once among twenty at once, and its replay ends what it gave", async () => {
    for (const clientId of ["web", "once"]) {
      if (clientId === "once") {
        const secretHash = hashToken(CLIENT_SECRET);
        const grantTypes = ["authorization_code"] as const;
        await server.addClient({
          id: clientId,
          type: "confidential",
          secretHash,
          redirectUris: [WEB_CALLBACK],
          grantTypes,
        });
      }
      const as = { client_id: clientId, client_secret: CLIENT_SECRET };
      const { code, verifier } = await authorize(asking(API, { clientId }));
      const params = { ...exchange(options, code, verifier), ...as };
      const answers = await Promise.all(Array.from({ length: 20 }, () => requestToken(server.issuer, params)));
      const won = answers.filter(({ status }) => status === 200);
      assert.equal(won.length, 1);
      assert.deepEqual([...new Set(answers.map(({ body }) => body.error))].sort(), ["invalid_grant", undefined]);
      assert.deepEqual(await introspect(won[0]?.body.access_token ?? "", as), { active: false }, "a replay");
    }
    const { refresh_token: token } = await getTokens(asking(API));
    const rotated = await Promise.all(Array.from({ length: 10 }, () => refresh(token)));
    const winners = rotated.filter(({ status }) => status === 200);
    assert.equal(winners.length, 1);
    assert.equal((await introspect(winners[0]?.body.access_token ?? "")).active, true, "a race revokes nothing");
  });

  test("another node, and keys that rotate: what was signed before stays good, and what comes next is signed anew", async () => {
    const node = await server.openNode();
    const before = await getTokens(asking(API));
    const answer = await post("/introspect", { token: before.access_token, ...credentials }, node.url);
    assert.equal(answer.body?.active, true);
    const at = Date.now();
    const kidOf = async () => (await verify((await getTokens(asking(API))).access_token, API)).protectedHeader.kid;
    const old = await kidOf();
    await rotateSigningKeys(server.store, openSealer(server.secret), ["ES256"], { now: at, maxAgeSeconds: 0 });
    for (let tries = 0; (await kidOf()) === old; tries++) {
      assert.ok(tries < 200, "the new key does not sign");
      await pause(10);
    }
    await verify(before.access_token, API);
    assert.equal((await introspect(before.access_token)).active, true);
  });

  test("a JWT lives a day at most, since it cannot be taken back where it is used and its key must be published", () => {
    const month = 30 * 86_400;
    const { AccessToken } = lifetimes(
      { ACCESS_TOKEN_TTL: month, REFRESH_TOKEN_TTL: month, SESSION_MAX: month },
      Date.now,
    );
    assert.deepEqual([AccessToken(null, {}), AccessToken(null, { resourceServer: {} })], [month, 86_400]);
  });

  test("discovery names the resources (RFC 9728 section 4)", async () => {
    const metadata = await fetch(`${server.issuer}/.well-known/oauth-authorization-server`);
    const { protected_resources: named } = (await metadata.json()) as { protected_resources: string[] };
    assert.deepEqual(named, [own, `${server.issuer}/mcp`, API, RSA_API]);
  });
});
