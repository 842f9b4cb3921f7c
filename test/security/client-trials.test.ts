import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { hashToken } from "../../src/secrets/token-hash.ts";
import { openTestServer, PASSWORD, type TestServer, WEB_CALLBACK } from "./authorization-server.ts";
import { authorizationRequest, authorize, Browser, getTokens, walk } from "./client.ts";

const SECRET = "the-secret-of-the-client";
const BASE_URL = "https://api.example.com";
const TRY = `${BASE_URL}/studio/try`;

describe("S73 the owner of a client tries its sign-in in the studio", () => {
  let server: TestServer;
  before(async () => {
    server = await openTestServer({ settings: { CLIENTS_BY: "people", STUDIO: true, BASE_URL } });
    for (const id of ["own", "other"])
      await server.addClient({
        ...{ id, name: "Notebook", type: "confidential", origin: "person", ownerId: server.bob.id },
        ...{ secretHash: hashToken(SECRET), redirectUris: [WEB_CALLBACK] },
        grantTypes: ["authorization_code", "refresh_token"],
        scopes: ["openid", "profile", "posts:read"],
      });
  });
  after(() => server.close());

  const options = (email: string, change: object = {}) => ({
    ...{ issuer: server.issuer, clientId: "own", redirectUri: TRY, scope: "openid posts:read" },
    ...{ email, password: PASSWORD },
    ...change,
  });
  const until = (time: number) =>
    server.store.clients.update("own", { trialUntil: new Date(Date.now() + time).toISOString() });

  /** Whether the request gets as far as a page for people. */
  async function isTaken(change: object = {}): Promise<boolean> {
    const { response } = await new Browser().follow(authorizationRequest(options("bob@example.com", change)).url);
    // Another node leads to a page at the issuer.
    assert.ok([200, 303, 400].includes(response.status));
    return response.status !== 400;
  }

  test("the page is no redirect URI before, afterwards, in other words, for other clients, or without a studio", async () => {
    assert.equal(await isTaken(), false);
    await until(60_000);
    assert.equal(await isTaken(), true);
    for (const redirectUri of [`${TRY}/`, `${TRY}?a`, `${TRY}#a`, TRY.toUpperCase(), `${BASE_URL}/studio/callback`])
      assert.equal(await isTaken({ redirectUri }), false, redirectUri);
    assert.equal(await isTaken({ clientId: "other" }), false);
    const { url: issuer } = await server.openNode({ settings: { CLIENTS_BY: "people", STUDIO: false, BASE_URL } });
    assert.equal(await isTaken({ issuer }), false);
    await until(-1);
    assert.equal(await isTaken(), false);
  });

  test("the owner gets tokens; anybody else gets no code, whether signed in before or in the flow", async () => {
    await until(60_000);
    const tokens = await getTokens({ ...options("bob@example.com"), clientSecret: SECRET });
    assert.ok(tokens.access_token !== "" && tokens.id_token !== "");

    const fresh = await authorize(options("ada@example.com"));
    assert.deepEqual([fresh.code, fresh.answer.get("error")], ["", "access_denied"]);
    const again = await authorize({ ...options("ada@example.com"), browser: fresh.browser });
    assert.deepEqual([again.code, again.answer.get("error")], ["", "access_denied"]);
    const quiet = await authorize({
      ...options("ada@example.com", { params: { prompt: "none" } }),
      browser: fresh.browser,
    });
    assert.equal(quiet.code, "");
    // At its own redirect URI, the client is for everybody, as ever.
    const usual = await authorize({
      ...options("ada@example.com", { redirectUri: WEB_CALLBACK }),
      browser: fresh.browser,
    });
    assert.notEqual(usual.code, "");
  });

  test("a disabled client and that of a locked owner cannot be tried, on any node, however open the trial is", async () => {
    await until(60_000);
    const { url } = await server.openNode({ settings: { CLIENTS_BY: "people", STUDIO: true, BASE_URL } });
    assert.equal(await isTaken({ issuer: url }), true);
    const nodes = [server.issuer, url];
    // Each node hears of it within a second.
    const hear = async (isOpen: boolean) => {
      for (const issuer of nodes) while ((await isTaken({ issuer })) !== isOpen);
    };
    const now = new Date().toISOString();
    await server.store.users.update(server.bob.id, { disabledAt: now });
    await hear(false);
    await server.store.users.update(server.bob.id, { disabledAt: null });
    await hear(true);
    await server.store.clients.update("own", { disabledAt: now, disabledBy: "owner" });
    await hear(false);
    await server.store.clients.update("own", { disabledAt: null });
    await hear(true);
  });

  test("somebody else cannot finish what the owner began, nor after the trial is over", async () => {
    await until(60_000);
    const browser = new Browser();
    const page = await browser.follow(authorizationRequest(options("bob@example.com")).url);
    await until(-1);
    const end = await walk(browser, page, options("ada@example.com"));
    assert.equal(end.url.searchParams.get("code"), null);
    assert.equal(end.url.searchParams.get("error"), "access_denied");
  });
});
