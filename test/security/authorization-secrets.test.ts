import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { hashToken } from "../../src/secrets/token-hash.ts";
import {
  CLIENT_SECRET,
  openTestServer,
  PASSWORD,
  SPA_CALLBACK,
  type TestServer,
  WEB_CALLBACK,
} from "./authorization-server.ts";
import { authorizationRequest, authorize, Browser, exchange, getTokens, requestToken } from "./client.ts";

let server: TestServer;
before(async () => {
  server = await openTestServer();
  await server.addClient({ id: "other" });
});
after(() => server.close());

const spa = () => ({ issuer: server.issuer, clientId: "spa", redirectUri: SPA_CALLBACK });
const web = () => ({ issuer: server.issuer, clientId: "web", redirectUri: WEB_CALLBACK });

async function post(path: string, params: Record<string, string>) {
  const response = await fetch(server.issuer + path, { method: "POST", body: new URLSearchParams(params) });
  const text = await response.text();
  return { status: response.status, body: text === "" ? null : JSON.parse(text) };
}

describe("introspection and revocation", () => {
  const asWeb = { client_id: "web", client_secret: CLIENT_SECRET };

  test("A35 a token is active for its own client only", async () => {
    const own = await getTokens({ ...web(), clientSecret: CLIENT_SECRET });
    const foreign = await getTokens(spa());
    const active = await post("/introspect", { ...asWeb, token: own.access_token });
    assert.equal(active.body.active, true);
    assert.deepEqual(
      [active.body.sub, active.body.client_id, active.body.scope, active.body.iss],
      [server.ada.id, "web", own.scope, server.issuer],
    );
    assert.equal((await post("/introspect", { ...asWeb, token: own.refresh_token })).body.active, true);
    for (const token of [foreign.access_token, foreign.refresh_token, "unknown"])
      assert.deepEqual((await post("/introspect", { ...asWeb, token })).body, { active: false });
    assert.equal((await post("/introspect", { client_id: "web", token: own.access_token })).status, 401);
    assert.notEqual((await post("/introspect", { token: own.access_token })).status, 200);
  });

  test("A17 a disabled person's tokens are not active", async () => {
    const own = await getTokens({ ...web(), clientSecret: CLIENT_SECRET, email: "bob@example.com" });
    const activity = async () => {
      const answers = [own.access_token, own.refresh_token].map((token) => post("/introspect", { ...asWeb, token }));
      return (await Promise.all(answers)).map(({ body }) => body.active);
    };
    await server.store.users.update(server.bob.id, { disabledAt: new Date().toISOString() });
    try {
      assert.deepEqual(await activity(), [false, false]);
      assert.equal((await userinfo(own.access_token)).status, 401);
    } finally {
      await server.store.users.update(server.bob.id, { disabledAt: null });
    }
    assert.deepEqual(await activity(), [true, true]);
  });

  test("A35 a rotated refresh token is inactive at once", async () => {
    const { refresh_token } = await getTokens({ ...web(), clientSecret: CLIENT_SECRET });
    await requestToken(server.issuer, { grant_type: "refresh_token", refresh_token, ...asWeb });
    assert.deepEqual((await post("/introspect", { ...asWeb, token: refresh_token })).body, { active: false });
  });

  test("A35 revoking another client's token has no effect, an unknown token is no error", async () => {
    const { access_token, refresh_token } = await getTokens(spa());
    for (const token of [access_token, refresh_token, "unknown"]) {
      assert.equal((await post("/revoke", { ...asWeb, token })).status, 200);
      assert.equal((await post("/revoke", { client_id: "other", token })).status, 200);
    }
    assert.equal((await userinfo(access_token)).status, 200);
    assert.equal((await post("/revoke", { client_id: "spa", token: access_token })).status, 200);
    assert.equal((await userinfo(access_token)).status, 401);
    const again = { grant_type: "refresh_token", refresh_token, client_id: "spa" };
    assert.equal((await requestToken(server.issuer, again)).body.error, "invalid_grant");
  });

  test("what was revoked does not come back by a refresh that was on its way", async () => {
    for (let round = 0; round < 20; round++) {
      const { refresh_token } = await getTokens(spa());
      const [refreshed] = await Promise.all([
        requestToken(server.issuer, { grant_type: "refresh_token", refresh_token, client_id: "spa" }),
        post("/revoke", { client_id: "spa", token: refresh_token }),
      ]);
      if (refreshed.status === 200) assert.equal((await userinfo(refreshed.body.access_token)).status, 401);
    }
  });
});

describe("userinfo", () => {
  test("it gives what the scopes allow, by header and by form, and never by query", async () => {
    const { access_token } = await getTokens({ ...spa(), scope: "openid email" });
    const expected = { sub: server.ada.id, email: "ada@example.com", email_verified: true };
    assert.deepEqual((await userinfo(access_token)).body, expected);
    assert.deepEqual((await post("/userinfo", { access_token })).body, expected);
    assert.equal((await fetch(`${server.issuer}/userinfo?access_token=${access_token}`)).status, 400);
    const api = await getTokens({ ...spa(), scope: "posts:read" });
    assert.equal(api.id_token, undefined);
    assert.equal((await userinfo(api.access_token)).status, 403);
  });

  test("I02 refresh token, code and ID token open nothing", async () => {
    const { refresh_token, id_token } = await getTokens(spa());
    const { code } = await authorize(spa());
    for (const token of [refresh_token, id_token, code]) {
      assert.equal((await userinfo(token)).status, 401);
      assert.equal(await server.store.artifacts.findAccessToken(hashToken(token), 0), null);
    }
  });
});

describe("sign-out", () => {
  const logout = (browser: Browser, params: Record<string, string>) =>
    browser.follow(`${server.issuer}/logout?${new URLSearchParams(params)}`);

  test("it asks, ends the session and what it gave, and goes to the registered address", async () => {
    const { browser, id_token, access_token } = await getTokens(spa());
    const page = await logout(browser, {
      id_token_hint: id_token,
      post_logout_redirect_uri: "https://spa.example.com/bye",
      state: "s",
    });
    assert.match(page.text, /A page &lt;b&gt;/);
    assert.match(page.response.headers.get("content-security-policy") ?? "", /form-action[^;]*https:\/\/spa\.example/);
    const end = await browser.submit(page, "/logout/confirm", { logout: "yes" });
    assert.equal(end.url.href, "https://spa.example.com/bye?state=s");
    assert.equal(browser.cookie("content-api-session"), undefined);
    assert.equal((await userinfo(access_token)).status, 401);
    const again = await browser.follow(authorizationRequest(spa()).url);
    assert.match(again.text, /name="password"/);
  });

  test("what was given with offline_access outlives it", async () => {
    const offline = { ...spa(), scope: "openid offline_access", params: { prompt: "consent" } };
    const { browser, id_token, refresh_token, scope } = await getTokens(offline);
    assert.equal(scope, "openid offline_access");
    const page = await logout(browser, { id_token_hint: id_token });
    const end = await browser.submit(page, "/logout/confirm", { logout: "yes" });
    assert.match(end.text, /signed out/i);
    const again = await requestToken(server.issuer, { grant_type: "refresh_token", refresh_token, client_id: "spa" });
    assert.equal(again.status, 200);
  });

  test("by POST it works too, and staying signed in is an answer", async () => {
    const { browser, id_token } = await getTokens(spa());
    const body = new URLSearchParams({ id_token_hint: id_token });
    const page = await browser.follow(`${server.issuer}/logout`, { method: "POST", body });
    const end = await browser.submit(page, "/logout/confirm");
    assert.match(end.text, /<h1>You are still signed in<\/h1>/, "A50");
    assert.ok((await browser.follow(authorizationRequest(spa()).url)).url.searchParams.get("code"));
  });

  test("A50 the page without a redirect says whether the session has ended, with and without a client's name", async () => {
    for (const named of [true, false]) {
      const { browser, id_token } = await getTokens(spa());
      const params = named ? { id_token_hint: id_token } : {};
      const stay = await browser.submit(await logout(browser, params), "/logout/confirm");
      assert.match(stay.text, /You are still signed in/);
      const end = await browser.submit(await logout(browser, params), "/logout/confirm", { logout: "yes" });
      assert.match(end.text, /You are signed out/);
    }
  });

  test("A41 an unregistered address or a modified hint leads nowhere", async () => {
    const { browser, id_token } = await getTokens(spa());
    const [header, payload, signature = ""] = id_token.split(".");
    const changed = { ...JSON.parse(Buffer.from(payload ?? "", "base64url").toString()), aud: "other" };
    const modified = `${header}.${Buffer.from(JSON.stringify(changed)).toString("base64url")}.${signature}`;
    const unsigned = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${payload}.`;
    const good = "https://spa.example.com/bye";
    for (const params of [
      { id_token_hint: id_token, post_logout_redirect_uri: "https://evil.example.com/" },
      { id_token_hint: id_token, post_logout_redirect_uri: `${good}/x` },
      { id_token_hint: modified, post_logout_redirect_uri: good },
      { id_token_hint: unsigned, post_logout_redirect_uri: good },
      { id_token_hint: `${header}.${payload}.${"A".repeat(86)}`, post_logout_redirect_uri: good },
      { id_token_hint: "x", post_logout_redirect_uri: good },
      { id_token_hint: id_token, client_id: "other", post_logout_redirect_uri: good },
    ]) {
      const stop = await logout(browser, params);
      assert.deepEqual([stop.left, stop.response.status], [false, 400], JSON.stringify(params));
    }
    const page = await logout(browser, { post_logout_redirect_uri: good });
    const end = await browser.submit(page, "/logout/confirm", { logout: "yes" });
    assert.equal(end.left, false, "without a hint nobody says which client's address it is");
  });
});

describe("other ways in", () => {
  test("RFC 9126 a pushed request works once", async () => {
    const request = authorizationRequest(web());
    const pushed = await post("/par", {
      ...Object.fromEntries(request.url.searchParams),
      client_secret: CLIENT_SECRET,
    });
    assert.equal(pushed.status, 201);
    const url = new URL(`${server.issuer}/authorize`);
    url.search = String(new URLSearchParams({ client_id: "web", request_uri: pushed.body.request_uri }));
    const { browser } = await authorize(web());
    const end = await browser.follow(url);
    const code = end.url.searchParams.get("code") ?? "";
    const params = { ...exchange(web(), code, request.verifier), client_secret: CLIENT_SECRET };
    assert.equal((await requestToken(server.issuer, params)).status, 200);
    const again = await browser.follow(url);
    assert.deepEqual([again.left, again.response.status], [false, 400]);
  });

  test("operators get the same kind of access token without a browser", async () => {
    const { token, expiresAtSeconds } = await server.server.createAccessToken({
      userId: server.bob.id,
      clientId: "spa",
      scope: "openid posts:read",
      ttlSeconds: 3_600,
    });
    const found = await server.store.artifacts.findAccessToken(hashToken(token), expiresAtSeconds - 2);
    assert.deepEqual([found?.userId, found?.clientId, found?.scope], [server.bob.id, "spa", "openid posts:read"]);
    assert.equal(await server.store.artifacts.findAccessToken(hashToken(token), expiresAtSeconds + 1), null);
    assert.deepEqual((await userinfo(token)).body, { sub: server.bob.id });
    assert.equal((await post("/revoke", { client_id: "spa", token })).status, 200);
    assert.equal((await userinfo(token)).status, 401);
    await assert.rejects(
      server.server.createAccessToken({ userId: server.bob.id, clientId: "nobody", scope: "openid", ttlSeconds: 60 }),
      { code: "NOT_FOUND" },
    );
  });
});

describe("what can be found later", () => {
  test("A42 no log line, A43 and no byte of the database, has anything that opens something", async () => {
    const attempt = new Browser();
    const mistyped = "my other password, mistyped";
    const page = await attempt.follow(authorizationRequest(spa()).url);
    await attempt.submit(page, "/sign-in", { email: "ada@example.com", password: mistyped });
    const tokens = await getTokens({ ...web(), clientSecret: CLIENT_SECRET });
    const refreshed = await requestToken(server.issuer, {
      grant_type: "refresh_token",
      refresh_token: tokens.refresh_token,
      client_id: "web",
      client_secret: CLIENT_SECRET,
    });
    const unused = await authorize(web());
    await requestToken(server.issuer, {
      ...exchange(web(), "a-code-of-nobody", tokens.verifier),
      client_secret: "x-wrong-secret",
    });
    await fetch(`${server.issuer}/token?client_secret=${CLIENT_SECRET}`, { method: "POST" });
    const { token } = await server.server.createAccessToken({
      userId: server.ada.id,
      clientId: "web",
      scope: "posts:read",
      ttlSeconds: 60,
    });
    const secrets = {
      password: PASSWORD,
      mistyped,
      "client secret": CLIENT_SECRET,
      "wrong client secret": "x-wrong-secret",
      "access token": tokens.access_token,
      "refresh token": tokens.refresh_token,
      "refreshed access token": refreshed.body.access_token,
      "refreshed refresh token": refreshed.body.refresh_token,
      "operator's token": token,
      "ID token": tokens.id_token,
      "used code": tokens.code,
      "unused code": unused.code,
      verifier: tokens.verifier,
      "session id": tokens.browser.cookie("content-api-session"),
      "session signature": tokens.browser.cookie("content-api-session.sig"),
      "interaction id": page.url.pathname.split("/").at(-1),
    };
    const log = server.lines.join("\n");
    assert.ok(log.length > 1_000);
    const stolen = await server.readAll();
    assert.ok(stolen.includes("ada@example.com"), "the right database");
    for (const [name, secret] of Object.entries(secrets)) {
      assert.ok(secret, name);
      assert.ok(!log.includes(secret), `${name} is in the log`);
      assert.ok(!stolen.includes(secret), `${name} is in the database`);
    }
    for (const key of await server.store.signingKeys.list()) assert.doesNotMatch(key.privateKey, /"d"|"kty"/);
  });

  test("A43 a payload that was moved to another row, or altered, opens nothing", async () => {
    const { access_token } = await getTokens(spa());
    const { access_token: other } = await getTokens({ ...spa(), email: "bob@example.com" });
    const { artifacts } = server.store;
    const mine = await artifacts.find("AccessToken", hashToken(access_token));
    const theirs = await artifacts.find("AccessToken", hashToken(other));
    assert.ok(mine !== null && theirs !== null);
    await artifacts.put({ ...mine, payload: theirs.payload });
    assert.equal((await userinfo(access_token)).status, 401);
    await artifacts.put({ ...mine, payload: `${mine.payload.slice(0, -2)}AA` });
    assert.equal((await userinfo(access_token)).status, 401);
    await artifacts.put(mine);
    assert.equal((await userinfo(access_token)).status, 200);
  });
});

async function userinfo(token: string) {
  const response = await fetch(`${server.issuer}/userinfo`, { headers: { authorization: `Bearer ${token}` } });
  return { status: response.status, body: await response.json() };
}
