import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { hashToken } from "../../src/secrets/token-hash.ts";
import { CLIENT_SECRET, openTestServer, PASSWORD, type TestServer, WEB_CALLBACK } from "./authorization-server.ts";
import { authorizationRequest, authorize, Browser, exchange, requestToken } from "./client.ts";

describe("A14 the scope posts:draft", () => {
  let server: TestServer;
  before(async () => {
    server = await openTestServer();
    const registered = { redirectUris: [WEB_CALLBACK], postLogoutRedirectUris: [] };
    await server.addClient({ id: "agent", ...registered, scopes: ["posts:read", "posts:write"] });
    await server.addClient({ id: "reader", ...registered, scopes: ["posts:read"] });
    await server.addClient({
      ...{ id: "job", type: "confidential", secretHash: hashToken(CLIENT_SECRET), redirectUris: [] },
      grantTypes: ["client_credentials"],
      scopes: ["posts:read", "posts:write"],
    });
  });
  after(() => server.close());

  const options = (clientId: string, scope: string) => ({
    ...{ issuer: server.issuer, clientId, redirectUri: WEB_CALLBACK, scope },
  });
  const scopeAtGraphql = async (token: string) =>
    (await server.store.artifacts.findAccessToken(hashToken(token), Math.floor(Date.now() / 1_000)))?.scope;

  test("A14 a client that is registered for posts:write gets it, and keeps it", async () => {
    const wanted = options("agent", "posts:read posts:draft");
    const browser = new Browser();
    const signInPage = await browser.follow(authorizationRequest(wanted).url);
    const consent = await browser.submit(signInPage, "/sign-in", { email: "ada@example.com", password: PASSWORD });
    assert.match(consent.text, /Write drafts/);
    const { code, verifier } = await authorize({ ...wanted, browser });
    const { status, body } = await requestToken(server.issuer, exchange(wanted, code, verifier));
    assert.deepEqual([status, body.scope], [200, "posts:read posts:draft"]);
    assert.equal(await scopeAtGraphql(body.access_token), "posts:read posts:draft");
    const refreshed = await requestToken(server.issuer, {
      ...{ grant_type: "refresh_token", refresh_token: body.refresh_token, client_id: "agent" },
    });
    assert.equal(refreshed.body.scope, "posts:read posts:draft");
    const wider = { refresh_token: refreshed.body.refresh_token, scope: "posts:write", client_id: "agent" };
    const refused = await requestToken(server.issuer, { grant_type: "refresh_token", ...wider });
    assert.equal(refused.body.error, "invalid_scope", "the wider scope needs the person again");
  });

  test("A14 a client that is not registered for posts:write does not get it", async () => {
    const wanted = options("reader", "posts:read posts:draft");
    const { code, verifier } = await authorize(wanted);
    assert.equal((await requestToken(server.issuer, exchange(wanted, code, verifier))).body.scope, "posts:read");
  });

  test("A14 a client that names no scope for itself gets those of its registration alone", async () => {
    const ask = { grant_type: "client_credentials", client_id: "job", client_secret: CLIENT_SECRET };
    assert.equal((await requestToken(server.issuer, ask)).body.scope, "posts:read posts:write");
    assert.equal((await requestToken(server.issuer, { ...ask, scope: "posts:draft" })).body.scope, "posts:draft");
  });
});
