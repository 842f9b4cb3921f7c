import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { hashToken } from "../../src/secrets/token-hash.ts";
import { livedTime } from "../timing.ts";
import { CLIENT_SECRET, openTestServer, SPA_CALLBACK, type TestServer } from "./authorization-server.ts";
import { authorize, Browser, exchange, getTokens, requestToken, walk } from "./client.ts";

const API = "https://orders.example.com";
const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

describe("A51 what a client or a person lost is lost in everything that waits", () => {
  let server: TestServer;
  before(async () => {
    server = await openTestServer({
      settings: { REGISTRATION: "open", RESOURCES: [{ identifier: API, algorithm: "ES256" }] },
    });
  });
  after(() => server.close());

  /** A client that registers itself, and a way for it to change its scope (RFC 7592). */
  async function register(scope: string) {
    await server.store.attempts.clear("registration 127.0.0.1");
    const metadata = {
      redirect_uris: [SPA_CALLBACK],
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token", DEVICE_GRANT],
    };
    const call = async (url: string, method: string, body: object, headers = {}) => {
      const init = { method, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) };
      const response = await fetch(url, init);
      return { status: response.status, body: (await response.json()) as Record<string, string> };
    };
    const { body } = await call(`${server.issuer}/register`, "POST", { ...metadata, scope });
    const { client_id: clientId = "", registration_client_uri: uri = "", registration_access_token: token } = body;
    return {
      clientId,
      options: { issuer: server.issuer, clientId, redirectUri: SPA_CALLBACK, scope },
      async change(changed: string) {
        const authorization = `Bearer ${token}`;
        const sent = { ...metadata, client_id: clientId, scope: changed };
        const answer = await call(uri, "PUT", sent, { authorization });
        assert.equal(answer.status, 200, JSON.stringify(answer.body));
      },
    };
  }

  const scopeAtGraphql = async (token: string) =>
    (await server.store.artifacts.findAccessToken(hashToken(token), Math.floor(Date.now() / 1000)))?.scope;

  async function introspectedScope(at: string, clientId: string, token: string, more = {}): Promise<string> {
    const body = new URLSearchParams({ token, client_id: clientId, ...more });
    const response = await fetch(`${at}/introspect`, { method: "POST", body });
    return ((await response.json()) as { scope: string }).scope;
  }

  const refresh = (clientId: string, token: string, scope?: string) =>
    requestToken(server.issuer, { grant_type: "refresh_token", refresh_token: token, client_id: clientId, scope });

  test("A51 a waiting code gives what is left, and the answer says so", async () => {
    const { options, change } = await register("openid posts:read posts:write");
    const { code, verifier } = await authorize(options);
    await change("openid posts:read");
    const { status, body } = await requestToken(server.issuer, exchange(options, code, verifier));
    assert.deepEqual([status, body.scope], [200, "openid posts:read"]);
    assert.equal(await scopeAtGraphql(body.access_token), "openid posts:read");
  });

  test("A51 a refresh token gives what is left, on every node within a second, and never more again", async () => {
    const node = await server.openNode();
    const { clientId, options, change } = await register("posts:read posts:write");
    const tokens = await getTokens(options);
    await requestToken(node.url, { grant_type: "refresh_token", refresh_token: "x", client_id: clientId }); // is in memory
    await change("posts:read");
    assert.equal(await scopeAtGraphql(tokens.access_token), "posts:read", "the token that was issued before");
    const began = livedTime();
    while ((await introspectedScope(node.url, clientId, tokens.access_token)) !== "posts:read") {
      assert.ok(livedTime() - began < 1_000, "the other node still has the scopes of before");
      await pause(20);
    }
    const there = await requestToken(node.url, {
      grant_type: "refresh_token",
      refresh_token: tokens.refresh_token,
      client_id: clientId,
    });
    assert.deepEqual([there.status, there.body.scope], [200, "posts:read"]);
    const wider = await refresh(clientId, there.body.refresh_token, "posts:read posts:write");
    assert.deepEqual([wider.status, wider.body.error], [400, "invalid_scope"]);
    await change("posts:read posts:write");
    const later = await refresh(clientId, there.body.refresh_token);
    assert.equal(later.body.scope, "posts:read", "the person is asked again first");
  });

  test("A51 a client that lost everything gets invalid_grant, and its code is not burnt", async () => {
    const { clientId, options, change } = await register("posts:read");
    const { code, verifier } = await authorize(options);
    const tokens = await getTokens(options);
    await change("posts:write");
    const codeAnswer = await requestToken(server.issuer, exchange(options, code, verifier));
    assert.deepEqual([codeAnswer.status, codeAnswer.body.error], [400, "invalid_grant"]);
    const refreshed = await refresh(clientId, tokens.refresh_token);
    assert.deepEqual([refreshed.status, refreshed.body.error], [400, "invalid_grant"]);
    assert.equal(await scopeAtGraphql(tokens.access_token), "");
    await change("posts:read");
    assert.equal((await requestToken(server.issuer, exchange(options, code, verifier))).status, 200);
  });

  test("A51 a device code gives what is left", async () => {
    const { clientId, change } = await register("openid posts:read posts:write");
    const response = await fetch(`${server.issuer}/device/auth`, {
      method: "POST",
      body: new URLSearchParams({ client_id: clientId, scope: "openid posts:read posts:write" }),
    });
    const device = (await response.json()) as {
      device_code: string;
      user_code: string;
      verification_uri_complete: string;
    };
    const browser = new Browser();
    const form = await browser.follow(device.verification_uri_complete);
    const confirm = await browser.submit(form, "/device", { user_code: device.user_code });
    const end = await walk(browser, await browser.submit(confirm, "/device", { confirm: "yes" }), {
      issuer: server.issuer,
      clientId,
      redirectUri: SPA_CALLBACK,
    });
    assert.equal(end.left, false);
    await change("openid posts:read");
    const { status, body } = await requestToken(server.issuer, {
      grant_type: DEVICE_GRANT,
      device_code: device.device_code,
      client_id: clientId,
    });
    assert.deepEqual([status, body.scope], [200, "openid posts:read"], JSON.stringify(body));
  });

  test("A51 a person who was demoted gives admin no longer: codes, refresh tokens, introspection, userinfo", async () => {
    const options = { issuer: server.issuer, clientId: "spa", redirectUri: SPA_CALLBACK, scope: "openid admin" };
    const tokens = await getTokens(options);
    assert.equal(await introspectedScope(server.issuer, "spa", tokens.access_token), "openid admin");
    const { code, verifier } = await authorize({ ...options, browser: tokens.browser });
    await server.store.users.create({ ...server.ada, email: "grace@example.com" }); // another administrator
    await server.store.users.update(server.ada.id, { role: "editor" });
    try {
      const exchanged = await requestToken(server.issuer, exchange(options, code, verifier));
      assert.deepEqual([exchanged.status, exchanged.body.scope], [200, "openid"]);
      assert.equal(await scopeAtGraphql(tokens.access_token), "openid");
      assert.equal(await introspectedScope(server.issuer, "spa", tokens.access_token), "openid");
      assert.equal((await refresh("spa", tokens.refresh_token)).body.scope, "openid");
    } finally {
      await server.store.users.update(server.ada.id, { role: "admin" });
    }
  });

  test("A51 claims that were asked for by their names go with their scope", async () => {
    const { options, change } = await register("openid email posts:read");
    const claims = JSON.stringify({ id_token: { email: null }, userinfo: { email: null } });
    const { code, verifier } = await authorize({ ...options, scope: "openid posts:read", params: { claims } });
    await change("openid posts:read");
    const { body } = await requestToken(server.issuer, exchange(options, code, verifier));
    const idToken = JSON.parse(Buffer.from(body.id_token.split(".")[1] ?? "", "base64url").toString());
    assert.equal(idToken.email, undefined);
    const headers = { authorization: `Bearer ${body.access_token}` };
    const userinfo = (await (await fetch(`${server.issuer}/userinfo`, { headers })).json()) as { email?: string };
    assert.equal(userinfo.email, undefined);
  });

  test("A51 tokens for another API: the next one and the introspection of the last one have what is left", async () => {
    const { clientId, options, change } = await register("posts:read posts:write");
    const { code, verifier } = await authorize({ ...options, params: { resource: API } });
    const { body } = await requestToken(server.issuer, exchange(options, code, verifier));
    assert.equal(body.scope, "posts:read posts:write");
    await change("posts:read");
    assert.equal(await introspectedScope(server.issuer, clientId, body.access_token), "posts:read");
    assert.equal((await refresh(clientId, body.refresh_token)).body.scope, "posts:read");
  });

  test("A51 a client's own token has what is left", async () => {
    const nightly = {
      id: "nightly",
      name: "Nightly",
      type: "confidential",
      secretHash: hashToken(CLIENT_SECRET),
      redirectUris: [],
      grantTypes: ["client_credentials"],
      scopes: ["posts:read", "users:read"],
    } as const;
    await server.addClient(nightly);
    const ask = { grant_type: "client_credentials", client_id: "nightly", client_secret: CLIENT_SECRET };
    const { body } = await requestToken(server.issuer, ask);
    assert.equal(await scopeAtGraphql(body.access_token), "posts:read users:read");
    await server.store.clients.put({
      ...nightly,
      postLogoutRedirectUris: [],
      firstParty: false,
      scopes: ["posts:read"],
    });
    assert.equal(await scopeAtGraphql(body.access_token), "posts:read");
    const own = { client_secret: CLIENT_SECRET };
    assert.equal(await introspectedScope(server.issuer, "nightly", body.access_token, own), "posts:read");
  });
});
