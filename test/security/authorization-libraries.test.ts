import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import * as oauth from "oauth4webapi";
import * as openid from "openid-client";
import { hashToken } from "../../src/secrets/token-hash.ts";
import { CLIENT_SECRET, openTestServer, SPA_CALLBACK, type TestServer } from "./authorization-server.ts";
import { Browser, walk } from "./client.ts";

let server: TestServer;
before(async () => {
  server = await openTestServer();
});
after(() => server.close());

test("openid-client signs a person in, refreshes, revokes and ends, with nothing of ours", async () => {
  const { issuer } = server;
  // openid-client takes the query off the address that it came back to.
  const redirectUri = "https://server.example.com/callback";
  await server.addClient({
    id: "server",
    type: "confidential",
    secretHash: hashToken(CLIENT_SECRET),
    redirectUris: [redirectUri],
  });
  const config = await openid.discovery(new URL(issuer), "server", CLIENT_SECRET, undefined, {
    execute: [openid.allowInsecureRequests],
  });
  const verifier = openid.randomPKCECodeVerifier();
  const [state, nonce] = [openid.randomState(), openid.randomNonce()];
  const url = openid.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: "openid email posts:read",
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    state,
    nonce,
  });
  const browser = new Browser();
  const end = await walk(browser, await browser.follow(url), { issuer, clientId: "server", redirectUri });
  const tokens = await openid.authorizationCodeGrant(config, end.url, {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  });
  assert.equal(tokens.claims()?.sub, server.ada.id);
  assert.equal(tokens.claims()?.email, "ada@example.com");
  const userinfo = await openid.fetchUserInfo(config, tokens.access_token, server.ada.id);
  assert.equal(userinfo.email, "ada@example.com");
  const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? "");
  assert.equal(refreshed.claims()?.sub, server.ada.id);
  await openid.tokenRevocation(config, refreshed.refresh_token ?? "");
  const { active } = await openid.tokenIntrospection(config, refreshed.access_token);
  assert.equal(active, false);
});

test("oauth4webapi, which checks everything, is content with both metadata documents and the public client flow", async () => {
  const insecure = { [oauth.allowInsecureRequests]: true };
  const issuer = new URL(server.issuer);
  const [as, again] = await Promise.all(
    (["oidc", "oauth2"] as const).map(async (algorithm) =>
      oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { algorithm, ...insecure })),
    ),
  );
  assert.ok(as !== undefined);
  assert.deepEqual(as, again);
  const client: oauth.Client = { client_id: "spa" };
  const verifier = oauth.generateRandomCodeVerifier();
  const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()];
  const url = new URL(as.authorization_endpoint ?? "");
  url.search = String(
    new URLSearchParams({
      client_id: "spa",
      response_type: "code",
      redirect_uri: SPA_CALLBACK,
      scope: "openid profile posts:read posts:write",
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      resource: `${server.issuer}/graphql`,
      state,
      nonce,
    }),
  );
  const browser = new Browser();
  const options = { issuer: server.issuer, clientId: "spa", redirectUri: SPA_CALLBACK };
  const end = await walk(browser, await browser.follow(url), options);
  const response = await oauth.authorizationCodeGrantRequest(
    as,
    client,
    oauth.None(),
    oauth.validateAuthResponse(as, client, end.url, state),
    SPA_CALLBACK,
    verifier,
    { ...insecure, additionalParameters: { resource: `${server.issuer}/graphql` } },
  );
  const result = await oauth.processAuthorizationCodeResponse(as, client, response, {
    expectedNonce: nonce,
    requireIdToken: true,
  });
  await oauth.validateApplicationLevelSignature(as, response, insecure);
  assert.equal(oauth.getValidatedIdTokenClaims(result)?.name, "Ada");
  assert.equal(result.scope, "openid profile posts:read posts:write");
});
