import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import fc from "fast-check";
import { openTestServer, SPA_CALLBACK } from "./authorization-server.ts";
import { authorizationRequest, Browser, formOf, type Stop } from "./client.ts";

const server = await openTestServer({ settings: { REGISTRATION: "open" } });
after(() => server.close());

const FORM = "application/x-www-form-urlencoded";
const accepts = fc.oneof(
  fc.constantFrom(
    "text/html",
    "text/html,application/xhtml+xml,*/*;q=0.8",
    "application/json;q=0, text/html",
    "application/xml",
    "image/*",
    "*/*",
    "",
    "nonsense",
    "text/event-stream",
  ),
  fc.string({ unit: fc.constantFrom(..."abc/*;,=q.0 "), maxLength: 40 }),
);
/** What is wrong in some way at every one of the endpoints. */
const wrongs = fc.record({
  method: fc.constantFrom("GET", "POST", "PUT", "DELETE", "PATCH"),
  path: fc.constantFrom("/token", "/register", "/par", "/register/0123456789abcdef"),
  type: fc.constantFrom(FORM, "application/json", "text/html", "multipart/form-data; boundary=x", `${FORM}; charset=x`),
  body: fc.oneof(
    fc.constantFrom(
      "",
      "{",
      "null",
      "grant_type=authorization_code",
      "grant_type=x&grant_type=y",
      "client_id=web&client_secret=x",
    ),
    fc.constantFrom(
      "x".repeat(200_000),
      "client_assertion=a.b.c&client_assertion_type=x",
      "request=a.b.c&client_id=spa",
    ),
    fc.string({ maxLength: 60 }),
  ),
  authorization: fc.constantFrom("", "Basic x", "Basic d2ViOng=", "Bearer x", "DPoP x"),
  accept: accepts,
});

describe("A26 errors for clients", () => {
  test("are JSON with an error code at /token, /register and /par, whatever the request accepts, and lead nowhere", async () => {
    const seen = new Set<number>();
    await fc.assert(
      fc.asyncProperty(wrongs, async ({ method, path, type, body, authorization, accept }) => {
        await server.store.attempts.clear("registration 127.0.0.1");
        const response = await fetch(server.issuer + path, {
          method,
          redirect: "manual",
          headers: { accept, "content-type": type, ...(authorization === "" ? {} : { authorization }) },
          ...(method === "GET" ? {} : { body }),
        });
        seen.add(response.status);
        const text = await response.text();
        assert.ok(response.status >= 400 && response.status < 500, `${response.status} ${text}`);
        assert.match(response.headers.get("content-type") ?? "", /^application\/json/, text);
        assert.equal(response.headers.get("location"), null);
        assert.match((JSON.parse(text) as { error: string }).error, /^[a-z_]+$/, text);
        assert.equal(response.headers.get("cache-control"), "no-store");
      }),
      { numRuns: 250 },
    );
    for (const status of [400, 401]) assert.ok(seen.has(status), `${[...seen]}`);
  });

  test("metadata are read again after five minutes at the latest", async () => {
    for (const path of ["openid-configuration", "oauth-authorization-server"]) {
      const { headers } = await fetch(`${server.issuer}/.well-known/${path}`);
      const [, seconds] = /max-age=(\d+)/.exec(headers.get("cache-control") ?? "") ?? [];
      assert.ok(Number(seconds) <= 300, path);
    }
  });
});

describe("A26 an authorization error", () => {
  const options = { issuer: server.issuer, clientId: "spa", redirectUri: SPA_CALLBACK };

  async function consentPage(browser: Browser): Promise<Stop> {
    const { url } = authorizationRequest({ ...options, params: { prompt: "consent" } });
    const page = await browser.follow(url);
    return browser.submit(page, "/sign-in", { email: "ada@example.com", password: "correct horse battery staple" });
  }

  test("is sent back once: what led there leads to a page of ours afterwards, not to the client again", async () => {
    const browser = new Browser();
    const page = await consentPage(browser);
    const { action, hidden } = formOf(page, "/consent");
    const post = () =>
      browser.fetch(action, { method: "POST", body: new URLSearchParams({ ...hidden, decision: "deny" }) });
    const resume = (await post()).headers.get("location") ?? "";
    const first = await browser.follow(resume);
    assert.equal(first.url.searchParams.get("error"), "access_denied");
    assert.equal([...first.url.searchParams.keys()].filter((name) => name === "error").length, 1);
    for (const again of [
      () => browser.follow(resume),
      () => browser.follow(page.url),
      async () => stopOf(await post()),
    ]) {
      const stop = await again();
      assert.deepEqual([stop.left, stop.response.status], [false, 400]);
      assert.match(stop.text, /This sign-in is over/);
    }
    async function stopOf(response: Response): Promise<Stop> {
      return { url: action, response, left: false, text: await response.text() };
    }
  });
});
