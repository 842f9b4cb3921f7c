import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { AppError } from "../../src/domain/errors.ts";
import { hashToken } from "../../src/secrets/token-hash.ts";
import { openTestApp, type TestApp } from "../app.ts";
import { runJson } from "../command.ts";
import { CLIENT_SECRET, openTestServer, SPA_CALLBACK, type TestServer } from "./authorization-server.ts";
import { authorizationRequest, Browser, requestToken } from "./client.ts";

const MACHINE = { type: "confidential", secretHash: hashToken(CLIENT_SECRET), redirectUris: [] } as const;

describe("clients that act for themselves", () => {
  let server: TestServer;
  before(async () => {
    server = await openTestServer();
    await server.addClient({
      id: "machine",
      ...MACHINE,
      grantTypes: ["client_credentials"],
      scopes: ["openid", "profile", "email", "offline_access", "posts:read", "users:read", "admin"],
    });
  });
  after(() => server.close());

  const ask = (params: Record<string, string | undefined> = {}) =>
    requestToken(server.issuer, {
      grant_type: "client_credentials",
      client_id: "machine",
      client_secret: CLIENT_SECRET,
      ...params,
    });
  const find = (token: string) =>
    server.store.artifacts.findAccessToken(hashToken(token), Math.floor(Date.now() / 1000));
  const introspect = async (token: string) => {
    const body = new URLSearchParams({ token, client_id: "machine", client_secret: CLIENT_SECRET });
    return (await fetch(`${server.issuer}/introspect`, { method: "POST", body })).json() as Promise<{
      active: boolean;
      scope?: string;
      sub?: string;
    }>;
  };

  test("a token without a person, an ID token or a refresh token, with all that the client may have for itself", async () => {
    const { status, body, headers } = await ask();
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body).sort(), ["access_token", "expires_in", "scope", "token_type"]);
    assert.deepEqual([body.token_type, body.expires_in, body.scope], ["Bearer", 900, "posts:read users:read"]);
    assert.equal(headers.get("cache-control"), "no-store");
    const { userId, role, clientId, scope } = (await find(body.access_token)) ?? {};
    assert.deepEqual([userId, role, clientId, scope], [null, null, "machine", "posts:read users:read"]);
    assert.equal((await introspect(body.access_token)).active, true);
  });

  test("A29 it may ask for less, and never for more or for what only a person has", async () => {
    assert.equal((await ask({ scope: "users:read" })).body.scope, "users:read");
    for (const scope of [
      "openid",
      "offline_access",
      "profile",
      "email",
      "admin",
      "posts:write",
      "x",
      "posts:read admin",
    ]) {
      const { status, body } = await ask({ scope });
      assert.deepEqual([status, body.error], [400, "invalid_scope"], scope);
    }
    await server.addClient({ id: "person only", ...MACHINE, grantTypes: ["client_credentials"], scopes: ["openid"] });
    assert.equal((await ask({ client_id: "person only" })).body.error, "invalid_scope");
  });

  test("A24 A25 the secret is needed, and the grant is for clients that are registered for it", async () => {
    for (const client_secret of [undefined, "wrong"]) {
      const { status, body } = await ask({ client_secret });
      assert.deepEqual([status, body.error], [401, "invalid_client"]);
    }
    assert.equal((await ask({ client_id: "web" })).body.error, "unauthorized_client");
    assert.equal((await ask({ client_id: "spa", client_secret: undefined })).body.error, "unauthorized_client");
    const isBadInput = (error: unknown) => error instanceof AppError && error.code === "BAD_USER_INPUT";
    await assert.rejects(server.addClient({ id: "public", grantTypes: ["client_credentials"] }), isBadInput);
  });

  test("it signs nobody in", async () => {
    const options = { issuer: server.issuer, clientId: "machine", redirectUri: SPA_CALLBACK };
    const stop = await new Browser().follow(authorizationRequest(options).url);
    assert.deepEqual([stop.left, stop.response.status], [false, 400]);
  });

  test("A31 A35 another resource is an invalid target; revocation and a disabled client end the token", async () => {
    assert.equal((await ask({ resource: "https://other.example.com" })).body.error, "invalid_target");
    assert.equal((await ask({ resource: `${server.issuer}/graphql` })).status, 200);

    const revoked = (await ask()).body.access_token;
    const body = new URLSearchParams({ token: revoked, client_id: "machine", client_secret: CLIENT_SECRET });
    assert.equal((await fetch(`${server.issuer}/revoke`, { method: "POST", body })).status, 200);
    assert.equal(await find(revoked), null);
    assert.equal((await introspect(revoked)).active, false);

    const { access_token } = (await ask()).body;
    await server.store.clients.update("machine", { disabledAt: new Date().toISOString() });
    assert.equal(await find(access_token), null);
    assert.equal((await ask()).body.error, "invalid_client");
    await server.store.clients.update("machine", { disabledAt: null });
  });
});

describe("the API for a client that acts for itself", () => {
  let app: TestApp;
  before(async () => {
    app = await openTestApp();
  });
  after(() => app.close());

  test("it reads, and createPost is FORBIDDEN; userinfo has nobody", async () => {
    const { client_id, client_secret } = await runJson<{ client_id: string; client_secret: string }>(
      ["client", "create", "--name", "Job", "--grant", "client_credentials", "--scope", "posts:read posts:write"],
      app.environment,
    );
    const { body } = await requestToken(app.url, { grant_type: "client_credentials", client_id, client_secret });
    const headers = { "content-type": "application/json", authorization: `Bearer ${body.access_token}` };
    const graphql = async (query: string) => {
      const response = await fetch(`${app.url}/graphql`, { method: "POST", headers, body: JSON.stringify({ query }) });
      return (await response.json()) as { data: unknown; errors?: { extensions: { code: string } }[] };
    };
    assert.deepEqual(await graphql("{ posts { id } }"), { data: { posts: [] } });
    const { errors } = await graphql('mutation { createPost(input: { title: "t", body: "b" }) { id } }');
    assert.equal(errors?.[0]?.extensions.code, "FORBIDDEN");
    assert.equal((await fetch(`${app.url}/userinfo`, { headers })).status, 401);
  });
});
