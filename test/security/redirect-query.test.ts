import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import { openTestServer, type TestServer } from "./authorization-server.ts";
import { authorizationRequest, Browser, formOf, type Stop, walk } from "./client.ts";

/** Registered URIs, and what stands before the server's first parameter. */
const URIS: readonly [string, string][] = [
  ["https://app.example.com/cb?a=%E9", "https://app.example.com/cb?a=%E9&"],
  ["https://app.example.com/cb?a=%e9&b=%2F+%20", "https://app.example.com/cb?a=%e9&b=%2F+%20&"],
  ["https://app.example.com/cb?a", "https://app.example.com/cb?a&"],
  ["https://app.example.com/cb?a=1&a=2", "https://app.example.com/cb?a=1&a=2&"],
  ["https://app.example.com/cb?a='%27~!*()", "https://app.example.com/cb?a='%27~!*()&"],
  ["https://app.example.com/cb?a=%zz%", "https://app.example.com/cb?a=%zz%&"],
  ["https://app.example.com/cb?state=mine", "https://app.example.com/cb?state=mine&"],
  ["https://app.example.com/cb?", "https://app.example.com/cb?"],
  ["https://app.example.com/cb?a=1&", "https://app.example.com/cb?a=1&"],
  ["https://app.example.com", "https://app.example.com?"],
  ["https://app.example.com/a/../%7euser/", "https://app.example.com/a/../%7euser/?"],
  ["http://127.0.0.1/cb?a=%E9", "http://127.0.0.1/cb?a=%E9&"],
  ["com.example.app:/cb?a=%E9", "com.example.app:/cb?a=%E9&"],
];

describe("A54 the query of a registered URI comes back byte for byte", () => {
  let server: TestServer;
  before(async () => {
    server = await openTestServer({ settings: { SIGNED_RESPONSES: true } });
    const uris = URIS.map(([uri]) => uri);
    await server.addClient({ id: "app", redirectUris: uris, postLogoutRedirectUris: uris, firstParty: true });
  });
  after(() => server.close());

  const options = (redirectUri: string) => ({ issuer: server.issuer, clientId: "app", redirectUri });

  /** The last redirect, as the server wrote it. */
  async function lastLocation(browser: Browser, url: URL): Promise<string> {
    for (let at = url; ; ) {
      const response = await browser.fetch(at);
      const location = response.headers.get("location") ?? "";
      assert.equal(response.status, 303, await response.text());
      if (!location.startsWith(server.issuer)) return location;
      at = new URL(location);
    }
  }

  test("A54 with a code, with an error, and with a signed answer", async () => {
    const browser = new Browser();
    const [[first] = [""]] = URIS;
    await walk(browser, await browser.follow(authorizationRequest(options(first)).url), options(first));
    for (const [uri, start] of URIS) {
      const code = await lastLocation(browser, authorizationRequest(options(uri)).url);
      assert.ok(code.startsWith(`${start}code=`), code);
      assert.match(code, /&state=[0-9a-f]+&iss=http/);
      const params = { response_type: "token" };
      const error = await lastLocation(browser, authorizationRequest({ ...options(uri), params }).url);
      assert.ok(error.startsWith(`${uri}#error=`), error);
      const none = { prompt: "none" };
      const refused = await lastLocation(new Browser(), authorizationRequest({ ...options(uri), params: none }).url);
      assert.ok(refused.startsWith(`${start}error=login_required&`), refused);
      for (const response_mode of ["jwt", "query.jwt"]) {
        const signed = authorizationRequest({ ...options(uri), params: { response_mode } }).url;
        const answer = await lastLocation(browser, signed);
        assert.ok(answer.startsWith(`${start}response=`), answer);
      }
    }
  });

  test("A54 a loopback URI keeps the port of the request and the registered query", async () => {
    const browser = new Browser();
    const uri = "http://127.0.0.1:4711/cb?a=%E9";
    const end = await walk(browser, await browser.follow(authorizationRequest(options(uri)).url), options(uri));
    assert.ok(end.left);
    const location = await lastLocation(browser, authorizationRequest(options(uri)).url);
    assert.ok(location.startsWith(`${uri}&code=`), location);
  });

  test("A54 form_post posts to the URI as it was registered", async () => {
    const browser = new Browser();
    const [[uri] = [""]] = URIS;
    const { url } = authorizationRequest({ ...options(uri), params: { response_mode: "form_post" } });
    const page = await walk(browser, await browser.follow(url), options(uri));
    assert.match(page.text, /action="https:\/\/app\.example\.com\/cb\?a=%E9"/);
    assert.equal(formOf(page, "%E9").action.href, uri);
  });

  test("A54 after a sign-out, with state and without", async () => {
    for (const [uri, start] of URIS)
      for (const state of [undefined, "a b&c"]) {
        const browser = new Browser();
        const [[first] = [""]] = URIS;
        await walk(browser, await browser.follow(authorizationRequest(options(first)).url), options(first));
        const url = new URL(`${server.issuer}/logout`);
        url.searchParams.set("client_id", "app");
        url.searchParams.set("post_logout_redirect_uri", uri);
        if (state !== undefined) url.searchParams.set("state", state);
        const page: Stop = await browser.follow(url);
        const form = formOf(page, "/logout/confirm");
        const body = new URLSearchParams({ ...form.hidden, logout: "yes" });
        const response = await browser.fetch(form.action, { method: "POST", body });
        const expected = state === undefined ? uri : `${start}state=a+b%26c`;
        assert.deepEqual([response.status, response.headers.get("location")], [303, expected]);
      }
  });

  test("A54 whatever a query is made of", async () => {
    const browser = new Browser();
    const [[first] = [""]] = URIS;
    await walk(browser, await browser.follow(authorizationRequest(options(first)).url), options(first));
    const characters = fc.constantFrom(..."abzAZ09-._~!$&'()*+,;=:@/?%\"<>[]^`{|}");
    const query = fc.string({ unit: characters, maxLength: 30 });
    let number = 0;
    await fc.assert(
      fc.asyncProperty(query, async (text) => {
        const uri = `https://app.example.com/cb?x${text}`;
        const id = `any-${++number}`;
        await server.addClient({ id, redirectUris: [uri], firstParty: true });
        const { url } = authorizationRequest({ ...options(uri), clientId: id });
        const location = await lastLocation(browser, url);
        assert.ok(
          location.startsWith(uri.endsWith("&") || uri.endsWith("?") ? `${uri}code=` : `${uri}&code=`),
          location,
        );
      }),
      { numRuns: 40 },
    );
  });
});
