import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { auth, extractWWWAuthenticateParams, type OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import type { OAuthClientInformationMixed, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";
import { openTestApp, type TestApp } from "../app.ts";
import { runJson } from "../command.ts";
import { Browser, walk } from "../security/client.ts";

const PASSWORD = "seventeen tall birches";
const REDIRECT_URI = "http://127.0.0.1:9/callback";

let app: TestApp;
before(async () => {
  app = await openTestApp({ REGISTRATION: "open" });
  const args = ["user", "create", "--email", "ada@example.com", "--name", "Ada", "--password-stdin"];
  await runJson(args, app.environment, PASSWORD);
});
after(() => app.close());

/** What an MCP client keeps, and where it sends the person. */
class Memory implements OAuthClientProvider {
  information: OAuthClientInformationMixed | undefined;
  saved: OAuthTokens | undefined;
  verifier = "";
  sentTo: URL | undefined;

  get redirectUrl() {
    return REDIRECT_URI;
  }
  get clientMetadata() {
    return {
      client_name: "An MCP client",
      redirect_uris: [REDIRECT_URI],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    };
  }
  clientInformation() {
    return this.information;
  }
  saveClientInformation(information: OAuthClientInformationMixed) {
    this.information = information;
  }
  tokens() {
    return this.saved;
  }
  saveTokens(tokens: OAuthTokens) {
    this.saved = tokens;
  }
  redirectToAuthorization(url: URL) {
    this.sentTo = url;
  }
  saveCodeVerifier(verifier: string) {
    this.verifier = verifier;
  }
  codeVerifier() {
    return this.verifier;
  }
}

test("the MCP SDK's client: a 401, discovery, registration, sign-in, tokens, the API, a refresh", async () => {
  const serverUrl = `${app.config.BASE_URL}/graphql`;
  const call = (token?: string) =>
    fetch(serverUrl, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ query: "{ posts { id } }" }),
    });

  const { resourceMetadataUrl } = extractWWWAuthenticateParams(await call());
  assert.ok(resourceMetadataUrl, "the 401 says where the metadata are");
  const memory = new Memory();
  assert.equal(await auth(memory, { serverUrl, resourceMetadataUrl }), "REDIRECT");
  assert.ok(memory.information?.client_id && memory.sentTo);
  assert.equal(memory.sentTo.searchParams.get("resource"), serverUrl);

  const browser = new Browser();
  const options = { issuer: app.config.AUTH_URL, clientId: memory.information.client_id, redirectUri: REDIRECT_URI };
  const end = await walk(browser, await browser.follow(memory.sentTo), {
    ...options,
    email: "ada@example.com",
    password: PASSWORD,
  });
  assert.ok(end.left, end.text.slice(-500));
  const authorizationCode = end.url.searchParams.get("code") ?? "";
  assert.equal(await auth(memory, { serverUrl, resourceMetadataUrl, authorizationCode }), "AUTHORIZED");
  const first = memory.saved;
  assert.doesNotMatch(first?.scope ?? "", /admin|users:email/, "A38");
  assert.equal((await call(first?.access_token)).status, 200);

  assert.equal(await auth(memory, { serverUrl, resourceMetadataUrl }), "AUTHORIZED", "by the refresh token");
  assert.notEqual(memory.saved?.access_token, first?.access_token);
  assert.equal((await call(memory.saved?.access_token)).status, 200);
});
