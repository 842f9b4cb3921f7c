import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createRemoteJWKSet, jwtVerify } from "jose";
import { createClient } from "../../src/domain/clients/client.ts";
import { registerClient } from "../../src/domain/clients/client-administration.ts";
import { CLIENT_CREDENTIALS } from "../../src/secrets/client-secret.ts";
import { hashToken } from "../../src/secrets/token-hash.ts";
import { openTestServer, SPA_CALLBACK, type TestServer } from "./authorization-server.ts";
import { getTokens, requestToken } from "./client.ts";

const ORDERS = "https://orders.example.com";
const BILLS = "https://bills.example.com";
const JWT = "application/token-introspection+jwt";
const SECRET = "a secret of the API";

let server: TestServer;
before(async () => {
  server = await openTestServer({
    settings: {
      RESOURCES: [
        { identifier: ORDERS, algorithm: "ES256" },
        { identifier: BILLS, algorithm: "RS256" },
      ],
    },
  });
  const api = { type: "confidential", secretHash: hashToken(SECRET), redirectUris: [], grantTypes: [] } as const;
  await server.addClient({ id: "orders", ...api, scopes: [], resourceServer: ORDERS });
  await server.addClient({ id: "bills", ...api, scopes: [], resourceServer: BILLS, idTokenAlgorithm: "RS256" });
  await server.addClient({ id: "neither", ...api, scopes: [] });
});
after(() => server.close());

async function introspect(token: string, client: string, accept = "application/json") {
  const response = await fetch(`${server.issuer}/introspect`, {
    method: "POST",
    headers: {
      accept,
      authorization: `Basic ${Buffer.from(`${client}:${encodeURIComponent(SECRET)}`).toString("base64")}`,
    },
    body: new URLSearchParams({ token }),
  });
  return { status: response.status, type: response.headers.get("content-type") ?? "", text: await response.text() };
}
const activeFor = async (token: string, client: string) =>
  (JSON.parse((await introspect(token, client)).text) as { active: boolean }).active;
const tokensFor = (resource?: string) =>
  getTokens({
    issuer: server.issuer,
    clientId: "spa",
    redirectUri: SPA_CALLBACK,
    scope: "posts:read",
    ...(resource === undefined ? {} : { params: { resource } }),
  });

describe("introspection by another API (RFC 7662)", () => {
  test("A35 an API learns of tokens for it, whoever got them, and of no other", async () => {
    const { access_token: token, refresh_token } = await tokensFor(ORDERS);
    const { status, text } = await introspect(token, "orders");
    const told = JSON.parse(text) as Record<string, unknown>;
    assert.deepEqual(
      [status, told.active, told.aud, told.client_id, told.sub, told.scope, told.iss],
      [200, true, ORDERS, "spa", server.ada.id, "posts:read", server.issuer],
    );
    for (const other of ["bills", "neither"]) assert.equal(await activeFor(token, other), false, other);
    assert.equal(await activeFor(refresh_token, "orders"), false, "a refresh token is for its client alone");
    const { access_token: opaque } = await tokensFor();
    assert.equal(await activeFor(opaque, "orders"), false, "our own API is another");
    assert.equal(await activeFor((await tokensFor(BILLS)).access_token, "orders"), false);
    assert.equal(await activeFor(`${token}x`, "orders"), false);
  });

  test("A35 it ends nothing: revocation is for the client that got the token", async () => {
    const { access_token: token } = await tokensFor(ORDERS);
    const authorization = `Basic ${Buffer.from(`orders:${encodeURIComponent(SECRET)}`).toString("base64")}`;
    const body = new URLSearchParams({ token });
    const headers = { authorization };
    assert.equal((await fetch(`${server.issuer}/revoke`, { method: "POST", headers, body })).status, 200);
    assert.equal(await activeFor(token, "orders"), true);
  });

  test("A30 it learns at once that a token was revoked, or its person or the API's client disabled", async () => {
    const { access_token: token, refresh_token } = await tokensFor(ORDERS);
    const body = new URLSearchParams({ token: refresh_token, client_id: "spa" });
    await fetch(`${server.issuer}/revoke`, { method: "POST", body });
    assert.equal(await activeFor(token, "orders"), false);
    await server.store.users.create({ ...server.ada, email: "grace@example.com" }); // another administrator
    const { access_token: next } = await tokensFor(ORDERS);
    await server.store.users.update(server.ada.id, { disabledAt: new Date().toISOString() });
    assert.equal(await activeFor(next, "orders"), false);
    await server.store.users.update(server.ada.id, { disabledAt: null });
    assert.equal(await activeFor(next, "orders"), true);
    await server.store.clients.update("orders", { disabledAt: new Date().toISOString() });
    assert.equal((await introspect(next, "orders")).status, 401);
    await server.store.clients.update("orders", { disabledAt: null });
  });

  test("RFC 9701: a signed answer to this API alone, where Accept prefers it", async () => {
    const keys = createRemoteJWKSet(new URL(`${server.issuer}/jwks`));
    for (const [client, resource, alg] of [
      ["orders", ORDERS, "ES256"],
      ["bills", BILLS, "RS256"],
    ] as const) {
      const { access_token: token } = await tokensFor(resource);
      for (const [asked, isActive] of [
        [token, true],
        ["no token", false],
        [`${token}x`, false],
      ] as const) {
        const { status, type, text } = await introspect(asked, client, JWT);
        assert.equal(status, 200);
        assert.match(type, /^application\/token-introspection\+jwt/);
        const { payload } = await jwtVerify(text, keys, {
          ...{ issuer: server.issuer, audience: client, typ: "token-introspection+jwt" },
          algorithms: [alg],
        });
        const told = payload.token_introspection as { active: boolean; aud?: string };
        assert.deepEqual([told.active, told.aud], isActive ? [true, resource] : [false, undefined], asked);
        assert.equal(typeof payload.iat, "number");
        assert.deepEqual([payload.sub, payload.exp], [undefined, undefined], "it passes for no other JWT");
      }
      const usual = await introspect(token, client, "*/*");
      assert.match(usual.type, /^application\/json/);
    }
    const discovery = (await (await fetch(`${server.issuer}/.well-known/openid-configuration`)).json()) as {
      introspection_signing_alg_values_supported: string[];
    };
    assert.deepEqual(discovery.introspection_signing_alg_values_supported, ["ES256", "RS256"]);
  });

  test("RFC 9701: an opaque token, for the client that got it", async () => {
    const { access_token: token } = await tokensFor();
    const response = await fetch(`${server.issuer}/introspect`, {
      method: "POST",
      headers: { accept: JWT },
      body: new URLSearchParams({ token, client_id: "spa" }),
    });
    const { payload } = await jwtVerify(await response.text(), createRemoteJWKSet(new URL(`${server.issuer}/jwks`)), {
      issuer: server.issuer,
      audience: "spa",
      typ: "token-introspection+jwt",
    });
    assert.equal((payload.token_introspection as { active: boolean }).active, true);
    assert.equal(payload.exp, undefined);
  });

  test("such a client gets no token, must prove who it is, and is registered for an API of RESOURCES", async () => {
    for (const grant_type of ["client_credentials", "refresh_token"]) {
      const params = { grant_type, client_id: "orders", client_secret: SECRET, refresh_token: "x" };
      assert.equal((await requestToken(server.issuer, params)).body.error, "unauthorized_client", grant_type);
    }
    const input = {
      ...{ name: "API", redirectUris: [], postLogoutRedirectUris: [], grantTypes: [], scopes: [], firstParty: false },
      resourceServer: ORDERS,
    } as const;
    await assert.rejects(
      createClient(server.store.clients, { ...input, id: "public", type: "public", secretHash: null }),
      { code: "BAD_USER_INPUT", details: { field: "resourceServer" } },
    );
    const administration = {
      ...{ store: server.store, actorId: null, now: Date.now, record: async () => {} },
      ...{ credentials: CLIENT_CREDENTIALS, nativeSchemes: [], builtIn: [], resources: [BILLS] },
    };
    await assert.rejects(registerClient(administration, { ...input, type: "confidential" }), {
      code: "BAD_USER_INPUT",
      details: { field: "resourceServer" },
    });
  });
});
