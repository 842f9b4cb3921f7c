import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { decodeJwt } from "jose";
import * as oauth from "oauth4webapi";
import { DEVICE_GRANT } from "../../src/domain/clients/client.ts";
import {
  CLIENT_SECRET,
  openTestServer,
  PASSWORD,
  SPA_CALLBACK,
  type TestServer,
  WEB_CALLBACK,
} from "./authorization-server.ts";
import { type AuthorizeOptions, authorizationRequest, Browser, getTokens, walk } from "./client.ts";

const ada = { email: "ada@example.com", password: PASSWORD };

describe("claims asked for by their names (OpenID Connect Core 1.0 section 5.5)", () => {
  let server: TestServer;
  before(async () => {
    server = await openTestServer();
    await server.addClient({ id: "narrow", scopes: ["openid", "posts:read"] });
    await server.addClient({ id: "ours", firstParty: true });
  });
  after(() => server.close());

  function asking(claims: object | string, clientId = "spa", more: Record<string, string> = {}): AuthorizeOptions {
    const params = { claims: typeof claims === "string" ? claims : JSON.stringify(claims), ...more };
    return { issuer: server.issuer, clientId, redirectUri: SPA_CALLBACK, scope: "openid", params, ...ada };
  }

  async function userinfo(token: string): Promise<Record<string, unknown>> {
    const response = await fetch(`${server.issuer}/userinfo`, { headers: { authorization: `Bearer ${token}` } });
    return (await response.json()) as Record<string, unknown>;
  }

  /** Where a request ends that is refused; the parameters that the client gets. */
  async function refusal(options: AuthorizeOptions, browser = new Browser()): Promise<URLSearchParams> {
    const stop = await walk(browser, await browser.follow(authorizationRequest(options).url), options);
    assert.ok(stop.left, stop.text);
    return stop.url.searchParams;
  }

  test("each comes where it was asked for, after the person was asked; the scope stays as it was", async () => {
    const options = asking({ userinfo: { email: { essential: true } }, id_token: { name: null, auth_time: null } });
    const browser = new Browser();
    const consent = await browser.submit(await browser.follow(authorizationRequest(options).url), "/sign-in", ada);
    assert.match(consent.text, /<h2>See<.*Your e-mail address/s);
    assert.match(consent.text, /<h2>See<.*Your name/s);
    const { access_token, id_token, scope } = await getTokens({ ...options, browser });
    assert.equal(scope, "openid");
    assert.deepEqual(await userinfo(access_token), { sub: server.ada.id, email: "ada@example.com" });
    const { name, email, auth_time } = decodeJwt(id_token);
    assert.deepEqual([name, email, typeof auth_time], ["Ada", undefined, "number"]);

    const less = await getTokens({ ...asking({ userinfo: { email_verified: null } }), browser });
    assert.deepEqual(await userinfo(less.access_token), { sub: server.ada.id, email_verified: true });
    const none = await getTokens({ ...asking({ userinfo: {} }), browser });
    assert.deepEqual(
      await userinfo(none.access_token),
      { sub: server.ada.id },
      "what was agreed to is not given unasked",
    );
  });

  test("A15 nothing beyond the client's registration; the page says so; what does not exist is left out", async () => {
    const claims = { userinfo: { email: null, phone_number: { essential: true }, passwordHash: null, role: null } };
    const options = asking(claims, "narrow");
    const browser = new Browser();
    const consent = await browser.submit(await browser.follow(authorizationRequest(options).url), "/sign-in", ada);
    assert.match(consent.text, /that it will not get:.*See your e-mail address/s);
    const { access_token } = await getTokens({ ...options, browser });
    assert.deepEqual(await userinfo(access_token), { sub: server.ada.id });
  });

  test("A15 nothing without the person: prompt=none asks first, a denial gives nothing, first-party is not asked", async () => {
    const bob = { email: "bob@example.com", password: PASSWORD };
    const browser = new Browser();
    await getTokens({ ...asking({}, "spa"), params: {}, ...bob, browser });
    const silent = asking({ userinfo: { email: null } }, "spa", { prompt: "none" });
    assert.equal((await refusal({ ...silent, ...bob }, browser)).get("error"), "consent_required");
    const denied = { ...asking({ userinfo: { email: null } }), ...bob, decision: "deny" } as const;
    assert.equal((await refusal(denied, browser)).get("error"), "access_denied");
    const { access_token } = await getTokens({ ...asking({ userinfo: { email: null } }), ...bob, browser });
    assert.equal((await userinfo(access_token)).email, "bob@example.com");
    const again = await getTokens({ ...silent, ...bob, browser });
    assert.equal((await userinfo(again.access_token)).email, "bob@example.com");
    const ours = await getTokens({ ...asking({ userinfo: { name: null } }, "ours", { prompt: "none" }), browser });
    assert.deepEqual(await userinfo(ours.access_token), { sub: server.bob.id, name: "Bob" });
  });

  test("a wanted sub is held against who is signed in; an essential acr is a sign-in that failed, not one for ever", async () => {
    const browser = new Browser();
    await getTokens({ ...asking({}), params: {}, browser });
    const wanted = (value: string) => asking({ id_token: { sub: { value } } }, "spa", { prompt: "none" });
    assert.equal((await refusal(wanted(server.bob.id), browser)).get("error"), "login_required");
    assert.ok((await refusal(wanted(server.ada.id), browser)).has("code"));
    for (const acr of [
      { essential: true, value: "high" },
      { essential: true, values: ["high"] },
      { essential: true, values: 7 },
    ]) {
      const refused = await refusal(asking({ id_token: { acr } }), browser);
      assert.equal(refused.get("error"), "unmet_authentication_requirements");
    }
    assert.ok((await refusal(asking({ id_token: { acr: { values: ["high"] } } }), browser)).has("code"), "a wish only");
  });

  test("what is no claims parameter is invalid_request, and never a fault", async () => {
    for (const wrong of [
      "{",
      "7",
      "null",
      "[]",
      "{}",
      { userinfo: 7 },
      { id_token: [] },
      { id_token: { sub: "x" } },
      { id_token: { acr: 7 } },
      { userinfo: { name: true } },
      { userinfo: { name: ["x"] } },
    ]) {
      const answer = await refusal(asking(wrong));
      assert.equal(answer.get("error"), "invalid_request", JSON.stringify(wrong));
    }
    const odd = '{"userinfo":{"__proto__":{"name":null},"constructor":null,"toString":null,"sub":null}}';
    const { access_token } = await getTokens(asking(odd));
    assert.deepEqual(await userinfo(access_token), { sub: server.ada.id });
    assert.deepEqual(
      server.lines.filter((line) => line.includes('"level":"error"')),
      [],
    );
  });

  test("oauth4webapi pushes it (RFC 9126), and is given it", async () => {
    const [issuer, allow] = [new URL(server.issuer), { [oauth.allowInsecureRequests]: true }];
    const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, allow));
    assert.equal(as.claims_parameter_supported, true);
    const [client, authentication] = [{ client_id: "web" }, oauth.ClientSecretPost(CLIENT_SECRET)];
    const verifier = oauth.generateRandomCodeVerifier();
    const request = {
      client_id: "web",
      redirect_uri: WEB_CALLBACK,
      response_type: "code",
      scope: "openid",
      claims: JSON.stringify({ userinfo: { name: { essential: true } } }),
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    };
    const pushed = await oauth.pushedAuthorizationRequest(
      as,
      client,
      authentication,
      new URLSearchParams(request),
      allow,
    );
    const { request_uri } = await oauth.processPushedAuthorizationResponse(as, client, pushed);
    const url = `${server.issuer}/authorize?${new URLSearchParams({ client_id: "web", request_uri })}`;
    const browser = new Browser();
    const options = { issuer: server.issuer, clientId: "web", redirectUri: WEB_CALLBACK };
    const { url: end } = await walk(browser, await browser.follow(url), options);
    const params = oauth.validateAuthResponse(as, client, end);
    const exchange = await oauth.authorizationCodeGrantRequest(
      as,
      client,
      authentication,
      params,
      WEB_CALLBACK,
      verifier,
      allow,
    );
    const tokens = await oauth.processAuthorizationCodeResponse(as, client, exchange, { requireIdToken: true });
    const info = await oauth.userInfoRequest(as, client, tokens.access_token, allow);
    const claims = await oauth.processUserInfoResponse(as, client, server.ada.id, info);
    assert.deepEqual(claims, { sub: server.ada.id, name: "Ada" });
  });

  test("a device asks for claims too (RFC 8628)", async () => {
    await server.addClient({
      id: "tv",
      grantTypes: [DEVICE_GRANT],
      redirectUris: [],
    });
    const form = { client_id: "tv", scope: "openid", claims: JSON.stringify({ userinfo: { name: null } }) };
    const asked = await fetch(`${server.issuer}/device/auth`, { method: "POST", body: new URLSearchParams(form) });
    const { user_code = "", device_code = "" } = (await asked.json()) as Record<string, string>;
    const browser = new Browser();
    const page = await browser.follow(`${server.issuer}/device`);
    const confirm = await browser.submit(page, "/device", { user_code });
    const signIn = await browser.submit(confirm, "/device", { confirm: "yes" });
    const consent = await browser.submit(signIn, "/sign-in", ada);
    assert.match(consent.text, /<h2>See<.*Your name/s);
    await browser.submit(consent, "/consent", { decision: "approve" });
    const token = { client_id: "tv", device_code, grant_type: DEVICE_GRANT };
    const answer = await fetch(`${server.issuer}/token`, { method: "POST", body: new URLSearchParams(token) });
    const { access_token = "" } = (await answer.json()) as { access_token?: string };
    assert.deepEqual(await userinfo(access_token), { sub: server.ada.id, name: "Ada" });
  });
});
