import assert from "node:assert/strict";
import { after, afterEach, describe, test } from "node:test";
import type { NewClient } from "../../src/domain/clients/client.ts";
import { hashToken } from "../../src/secrets/token-hash.ts";
import { CLIENT_SECRET, openTestServer, PASSWORD, SPA_CALLBACK, WEB_CALLBACK } from "./authorization-server.ts";
import { authorizationRequest, authorize, Browser, exchange, getTokens, requestToken, signIn } from "./client.ts";

const server = await openTestServer();
after(() => server.close());
const { issuer, store, bob } = server;
const person = { email: "bob@example.com", password: PASSWORD };
const spa = { issuer, clientId: "spa", redirectUri: SPA_CALLBACK, ...person };
const web = { issuer, clientId: "web", redirectUri: WEB_CALLBACK, clientSecret: CLIENT_SECRET, ...person };

const now = () => new Date().toISOString();
const disablePerson = () => store.users.update(bob.id, { disabledAt: now() });
const disableClient = (id: string) => store.clients.update(id, { disabledAt: now() });
const CLIENT: NewClient = {
  id: "busy",
  name: "A machine",
  type: "confidential",
  secretHash: hashToken(CLIENT_SECRET),
  redirectUris: [],
  postLogoutRedirectUris: [],
  grantTypes: ["client_credentials"],
  scopes: ["posts:read"],
  firstParty: false,
};
afterEach(async () => {
  await store.users.update(bob.id, { disabledAt: null });
  for (const id of ["spa", "web"]) await store.clients.update(id, { disabledAt: null });
});

describe("A17 a disabled person", () => {
  test("A17 between signing in and agreeing: no code", async () => {
    await server.addClient({ id: "fresh" });
    const browser = new Browser();
    const page = await browser.follow(authorizationRequest({ ...spa, clientId: "fresh" }).url);
    const consent = await browser.submit(page, "/sign-in", person);
    assert.match(consent.text, /name="decision"/);
    await disablePerson();
    const end = await browser.submit(consent, "/consent", { decision: "approve" });
    assert.deepEqual([end.left, end.response.status], [false, 400]);
    // Nor by going on as if nothing had happened.
    const again = await browser.follow(authorizationRequest({ ...spa, clientId: "fresh" }).url);
    assert.match(again.text, /name="password"/);
  });

  for (const params of [
    {},
    { prompt: "none" },
    { prompt: "consent" },
    { max_age: "100000" },
    { response_mode: "form_post" },
  ]) {
    test(`A17 whose session is still there, ${JSON.stringify(params)}: no code`, async () => {
      const browser = await signIn(spa);
      await disablePerson();
      const end = await browser.follow(authorizationRequest({ ...spa, params }).url);
      assert.equal(end.url.searchParams.has("code"), false);
      assert.doesNotMatch(end.text, /name="code"/);
    });
  }

  test("A17 with a request pushed before: no code", async () => {
    const browser = await signIn(spa);
    const body = authorizationRequest({ ...spa, params: { prompt: "none" } }).url.searchParams;
    const pushed = (await (await fetch(`${issuer}/par`, { method: "POST", body })).json()) as { request_uri: string };
    await disablePerson();
    const query = new URLSearchParams({ client_id: "spa", request_uri: pushed.request_uri });
    const end = await browser.follow(`${issuer}/authorize?${query}`);
    assert.equal(end.url.searchParams.get("error"), "login_required");
  });

  for (const [name, client] of [
    ["public", spa],
    ["confidential", web],
  ] as const) {
    test(`A17 a ${name} client's code and refresh token give nothing, its access token is refused, and they come back to nothing`, async () => {
      const secret = "clientSecret" in client ? { client_secret: client.clientSecret } : {};
      const tokens = await getTokens(client);
      const { code, verifier } = await authorize(client);
      await disablePerson();
      const byCode = await requestToken(issuer, { ...exchange(client, code, verifier), ...secret });
      assert.deepEqual([byCode.status, byCode.body.error], [400, "invalid_grant"]);
      const params = { grant_type: "refresh_token", refresh_token: tokens.refresh_token, client_id: client.clientId };
      const refreshed = await requestToken(issuer, { ...params, ...secret });
      assert.deepEqual([refreshed.status, refreshed.body.error], [400, "invalid_grant"]);
      const headers = { authorization: `Bearer ${tokens.access_token}` };
      assert.equal((await fetch(`${issuer}/userinfo`, { headers })).status, 401);
    });
  }
});

describe("A17 a disabled client", () => {
  test("A17 at each endpoint where it says who it is: invalid_client", async () => {
    const { refresh_token, access_token } = await getTokens(web);
    await disableClient("web");
    const credentials = { client_id: "web", client_secret: CLIENT_SECRET };
    for (const [path, params] of [
      ["/token", { grant_type: "refresh_token", refresh_token }],
      ["/introspect", { token: access_token }],
      ["/revoke", { token: access_token }],
      ["/par", Object.fromEntries(authorizationRequest(web).url.searchParams)],
    ] as const) {
      const body = new URLSearchParams({ ...params, ...credentials });
      const answer = await fetch(issuer + path, { method: "POST", body });
      assert.equal(answer.status, 401, path);
      assert.equal(((await answer.json()) as { error: string }).error, "invalid_client", path);
    }
    const headers = { authorization: `Bearer ${access_token}` };
    assert.equal((await fetch(`${issuer}/userinfo`, { headers })).status, 401);
  });

  test("A17 in the middle of a sign-in, and with a request pushed before: a page, nothing leaves", async () => {
    const browser = new Browser();
    const page = await browser.follow(authorizationRequest(spa).url);
    const body = authorizationRequest(spa).url.searchParams;
    const pushed = (await (await fetch(`${issuer}/par`, { method: "POST", body })).json()) as { request_uri: string };
    await disableClient("spa");
    const end = await browser.submit(page, "/sign-in", person);
    assert.deepEqual([end.left, end.response.status], [false, 400]);
    const query = new URLSearchParams({ client_id: "spa", request_uri: pushed.request_uri });
    const stopped = await browser.follow(`${issuer}/authorize?${query}`);
    assert.deepEqual([stopped.left, stopped.response.status], [false, 400]);
  });
});

describe("A17 a client that many requests keep in memory", () => {
  const machine = { grant_type: "client_credentials", client_id: "busy" };
  const old = { ...machine, client_secret: CLIENT_SECRET };
  const NEW_SECRET = "what-it-was-given-instead";
  const statusAt = async (url: string, params: Record<string, string>) => (await requestToken(url, params)).status;

  for (const [name, change, after] of [
    ["that is disabled", { disabledAt: now() }, 401],
    ["with another secret", { secretHash: hashToken(NEW_SECRET) }, 200],
  ] as const) {
    test(`A17 one ${name}: at once where that was done, within a second on another node`, async () => {
      const node = await server.openNode();
      await store.clients.put(CLIENT);
      await store.clients.update("busy", { disabledAt: null });
      for (const url of [issuer, node.url]) assert.equal(await statusAt(url, old), 200, url);

      await store.clients.update("busy", change);
      const changed = performance.now();
      assert.equal(await statusAt(issuer, old), 401);
      assert.equal(await statusAt(issuer, { ...machine, client_secret: NEW_SECRET }), after);
      while (performance.now() - changed < 1_000) await statusAt(node.url, old);
      assert.equal(await statusAt(node.url, old), 401);
      assert.equal(await statusAt(node.url, { ...machine, client_secret: NEW_SECRET }), after);
    });
  }
});

describe("A38 what nobody gives themselves", () => {
  test("A38 there is no registration, and none in a request", async () => {
    for (const path of ["/register", "/reg", "/clients"]) {
      const answer = await fetch(issuer + path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ redirect_uris: ["https://evil.example.com/"], scope: "admin", first_party: true }),
      });
      assert.equal(answer.status, 404, path);
    }
    const registration = JSON.stringify({ redirect_uris: ["https://evil.example.com/"], first_party: true });
    const end = await new Browser().follow(authorizationRequest({ ...spa, params: { registration } }).url);
    assert.equal(end.url.searchParams.get("error"), "registration_not_supported");
  });

  test("A38 privileged fields beside a request, a push, a form: ignored", async () => {
    const privileges = {
      first_party: "true",
      allowed_scopes: "admin users:email",
      role: "admin",
      email_verified: "true",
      emailVerified: "true",
      accountId: server.ada.id,
      sub: server.ada.id,
      decision: "approve",
    };
    await server.addClient({ id: "climbing", scopes: ["openid", "posts:read"] });
    const climbing = { ...spa, clientId: "climbing", scope: "openid posts:read admin users:email" };
    const browser = new Browser();
    const page = await browser.follow(authorizationRequest({ ...climbing, params: privileges }).url);
    const consent = await browser.submit(page, "/sign-in", { ...privileges, ...person });
    assert.match(consent.text, /name="decision"/, "being first party would have skipped this");
    assert.match(consent.text, /bob@example\.com/);
    const tokens = await getTokens({ ...climbing, params: privileges, browser });
    assert.equal(tokens.scope, "openid posts:read");
    const body = new URLSearchParams({ ...privileges, ...exchange(climbing, tokens.code, tokens.verifier) });
    assert.equal((await fetch(`${issuer}/token`, { method: "POST", body })).status, 400);
    const found = await store.users.find(bob.id);
    assert.deepEqual([found?.role, found?.emailVerified], ["member", true]);
  });

  test("A38 email_verified is what the operator says, not what the person does", async () => {
    const { passwordHash } = (await store.users.find(bob.id)) ?? { passwordHash: null };
    const eve = { name: "Eve", email: "eve@example.com", emailVerified: false, role: "member", passwordHash } as const;
    await store.users.create(eve);
    const tokens = await getTokens({
      ...spa,
      email: eve.email,
      scope: "openid email",
      params: { email_verified: "true" },
    });
    const [, payload = ""] = tokens.id_token.split(".");
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as Record<string, unknown>;
    const headers = { authorization: `Bearer ${tokens.access_token}` };
    const info = (await (await fetch(`${issuer}/userinfo`, { headers })).json()) as Record<string, unknown>;
    for (const told of [claims, info]) assert.deepEqual([told.email, told.email_verified], [eve.email, false]);
  });
});
