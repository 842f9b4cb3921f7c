import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { openTestServer, type TestServer } from "../../security/authorization-server.ts";
import type { Browser, Stop } from "../../security/client.ts";
import { openRelyingParty, type RelyingParty } from "./relying-party.ts";

const BYE = "https://rp.example.com/bye";

describe("oidcc-rp-initiated-logout-certification-test-plan", () => {
  let server: TestServer;
  let party: RelyingParty;
  before(async () => {
    server = await openTestServer();
    party = await openRelyingParty(server, { id: "rp" });
  });
  after(() => server.close());

  test("oidcc-rp-initiated-logout-discovery-endpoint-verification", () => {
    assert.equal(party.config.serverMetadata().end_session_endpoint, `${server.issuer}/logout`);
  });

  test("oidcc-rp-initiated-logout", async () => {
    const { browser, hint } = await signedIn();
    const end = await signOut(browser, { id_token_hint: hint, post_logout_redirect_uri: BYE, state: "s&t=1" });
    assert.ok(end.left);
    assert.equal(end.url.origin + end.url.pathname, BYE);
    assert.deepEqual([...end.url.searchParams], [["state", "s&t=1"]]);
    assert.equal(await isSignedIn(browser), false);
  });

  test("oidcc-rp-initiated-logout: by POST, and with client_id", async () => {
    const { browser, hint } = await signedIn();
    const params = { id_token_hint: hint, client_id: "rp", post_logout_redirect_uri: BYE, state: "s" };
    const asked = await browser.follow(`${server.issuer}/logout`, {
      method: "POST",
      body: new URLSearchParams(params),
    });
    const end = await browser.submit(asked, "/logout/confirm", { logout: "yes" });
    assert.equal(end.url.href, `${BYE}?state=s`);
    const other = await signedIn();
    assertRefused(await ask(other.browser, { ...params, id_token_hint: other.hint, client_id: "spa" }));
  });

  test("oidcc-rp-initiated-logout-bad-post-logout-redirect-uri", async () => {
    const { browser, hint } = await signedIn();
    for (const uri of [
      "https://rp.example.com/other",
      "https://evil.example.com/",
      `${BYE}/`,
      BYE.toUpperCase(),
      `${BYE}#x`,
    ])
      assertRefused(await ask(browser, { id_token_hint: hint, post_logout_redirect_uri: uri, state: "s" }), uri);
    assert.equal(await isSignedIn(browser), true);
  });

  test("oidcc-rp-initiated-logout-modified-id-token-hint", async () => {
    const { browser, hint } = await signedIn();
    const [header = "", payload = "", signature = ""] = hint.split(".");
    const bent = signature[0] === "A" ? `B${signature.slice(1)}` : `A${signature.slice(1)}`;
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as object;
    const other = Buffer.from(JSON.stringify({ ...claims, sub: server.bob.id })).toString("base64url");
    for (const modified of [`${header}.${payload}.${bent}`, `${header}.${other}.${signature}`, `${header}.${payload}.`])
      assertRefused(await ask(browser, { id_token_hint: modified, post_logout_redirect_uri: BYE, state: "s" }));
    assert.equal(await isSignedIn(browser), true);
  });

  test("oidcc-rp-initiated-logout-bad-id-token-hint", async () => {
    const { browser } = await signedIn();
    const { privateKey, publicKey } = await generateKeyPair("ES256");
    const foreign = await new SignJWT({ sub: server.ada.id, sid: "x" })
      .setProtectedHeader({ alg: "ES256", kid: "of-the-suite", jwk: await exportJWK(publicKey) })
      .setIssuer(server.issuer)
      .setAudience("rp")
      .setIssuedAt()
      .setExpirationTime("5m")
      .sign(privateKey);
    for (const hint of [foreign, "not-a-jwt", "a.b.c"])
      assertRefused(await ask(browser, { id_token_hint: hint, post_logout_redirect_uri: BYE, state: "s" }), hint);
    assert.equal(await isSignedIn(browser), true);
  });

  // Nothing says which client asks, so that its address cannot be known: the person is asked, and stays here.
  for (const [module, params] of [
    ["oidcc-rp-initiated-logout-no-id-token-hint", { post_logout_redirect_uri: BYE, state: "s" }],
    ["oidcc-rp-initiated-logout-no-params", {}],
    ["oidcc-rp-initiated-logout-only-state", { state: "s" }],
  ] as const) {
    test(module, async () => {
      const { browser } = await signedIn();
      const end = await signOut(browser, params);
      assert.equal(end.left, false);
      assert.match(end.text, /You are signed out/);
      assert.equal(await isSignedIn(browser), false);
    });
  }

  test("oidcc-rp-initiated-logout-no-post-logout-redirect-uri", async () => {
    const { browser, hint } = await signedIn();
    const end = await signOut(browser, { id_token_hint: hint, state: "s" });
    assert.deepEqual([end.left, end.response.status], [false, 200]);
    assert.equal(await isSignedIn(browser), false);
  });

  test("oidcc-rp-initiated-logout-no-state", async () => {
    const { browser, hint } = await signedIn();
    const end = await signOut(browser, { id_token_hint: hint, post_logout_redirect_uri: BYE });
    assert.equal(end.url.href, BYE);
    assert.equal(await isSignedIn(browser), false);
  });

  test("oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri", async () => {
    const { browser, hint } = await signedIn();
    const added = { id_token_hint: hint, post_logout_redirect_uri: `${BYE}?foo=bar`, state: "s" };
    assertRefused(await ask(browser, added));
    assert.equal(await isSignedIn(browser), true);
  });

  test("oidcc-rp-initiated-logout: an ID token that has expired is still a good hint, and a session that is over no fault", async (t) => {
    const { browser, hint } = await signedIn();
    t.mock.timers.enable({ apis: ["Date"], now: Date.now() + 2 * 3_600_000 });
    const params = { id_token_hint: hint, post_logout_redirect_uri: BYE, state: "s" };
    assert.equal((await signOut(browser, params)).url.href, `${BYE}?state=s`);
    t.mock.timers.reset();
    // Nobody is signed in any more: the page sends itself, without a question.
    const page = await ask(browser, params);
    const end = await browser.submit(page, "/logout/confirm");
    assert.equal(end.url.href, `${BYE}?state=s`);
  });

  async function signedIn(): Promise<{ browser: Browser; hint: string }> {
    const { browser, tokens } = await party.signIn();
    return { browser, hint: tokens.id_token ?? "" };
  }

  function ask(browser: Browser, params: Record<string, string>): Promise<Stop> {
    return browser.follow(`${server.issuer}/logout?${new URLSearchParams(params)}`);
  }

  async function signOut(browser: Browser, params: Record<string, string>): Promise<Stop> {
    const page = await ask(browser, params);
    assert.match(page.text, /<h1>Sign out\?<\/h1>/);
    return browser.submit(page, "/logout/confirm", { logout: "yes" });
  }

  async function isSignedIn(browser: Browser): Promise<boolean> {
    const { params } = await party.send(await party.request({ prompt: "none" }), { browser });
    return params?.has("code") === true;
  }

  function assertRefused(stop: Stop, message?: string): void {
    assert.deepEqual([stop.left, stop.response.status], [false, 400], message);
    assert.doesNotMatch(stop.text, /<form/);
  }
});
