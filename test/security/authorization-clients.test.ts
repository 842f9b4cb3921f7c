import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { hashToken } from "../../src/secrets/token-hash.ts";
import { CLIENT_SECRET, openTestServer, SPA_CALLBACK, WEB_CALLBACK } from "./authorization-server.ts";
import { authorizationRequest, authorize, Browser, exchange, getTokens, requestToken } from "./client.ts";

const server = await openTestServer();
after(() => server.close());
const { issuer } = server;
const web = { issuer, clientId: "web", redirectUri: WEB_CALLBACK, clientSecret: CLIENT_SECRET };
const spa = { issuer, clientId: "spa", redirectUri: SPA_CALLBACK };
const origin = new URL(SPA_CALLBACK).origin;

/** Each endpoint at which clients say who they are, with a request that is right but for that. */
const ENDPOINTS: readonly [string, Record<string, string>][] = [
  ["/token", { grant_type: "refresh_token", refresh_token: "x" }],
  ["/introspect", { token: "x" }],
  ["/revoke", { token: "x" }],
  ["/par", Object.fromEntries(authorizationRequest(web).url.searchParams)],
];

describe("client authentication (RFC 6749 section 5.2)", () => {
  for (const [path, params] of ENDPOINTS) {
    const send = (change: Record<string, string>, headers: Record<string, string> = {}) => {
      const { client_id: _, ...rest } = params;
      return fetch(issuer + path, { method: "POST", headers, body: new URLSearchParams({ ...rest, ...change }) });
    };

    test(`A24 ${path}: none is invalid_client with 401`, async () => {
      for (const change of [
        {},
        { client_id: "" },
        { client_secret: CLIENT_SECRET },
        { client_assertion: "x.y.z", client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer" },
      ]) {
        const answer = await send(change as Record<string, string>, { origin });
        assert.equal(answer.status, 401, JSON.stringify(change));
        assert.equal(answer.headers.get("www-authenticate"), null);
        assert.equal(answer.headers.get("cache-control"), "no-store");
        assert.equal(answer.headers.get("access-control-allow-origin"), origin);
        const body = await answer.json();
        assert.deepEqual(body, { error: "invalid_client", error_description: "client authentication failed" });
      }
      const foreign = await send({}, { origin: "https://evil.example.com" });
      assert.equal(foreign.headers.get("access-control-allow-origin"), null);
    });

    test(`A24 ${path}: a header that is not Basic, or malformed, is too, and names the scheme`, async () => {
      const encode = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;
      for (const authorization of [
        "Basic",
        "Basic !!!",
        "Basic =",
        "Bearer abc",
        "Digest username=web",
        "Basic a b",
        encode("web"),
        encode("web:"),
        encode(`:${CLIENT_SECRET}`),
        encode("web:%zz"),
        encode("web:a\u0000b"),
        encode("wéb:secret"),
        `${encode("web:x")}=`,
      ]) {
        const answer = await send({}, { authorization });
        assert.equal(answer.status, 401, authorization);
        assert.match(answer.headers.get("www-authenticate") ?? "", /^Basic realm="http/);
        assert.equal(((await answer.json()) as { error: string }).error, "invalid_client");
      }
    });

    test(`A24 ${path}: a known client without its secret is too; two kinds at once are invalid_request`, async () => {
      assert.equal((await send({ client_id: "web" })).status, 401);
      const both = await send(
        { client_id: "web", client_secret: CLIENT_SECRET },
        { authorization: `basic ${Buffer.from(`web:${CLIENT_SECRET}`).toString("base64")}` },
      );
      assert.equal(both.status, 400);
      assert.equal(((await both.json()) as { error: string }).error, "invalid_request");
    });
  }

  test("A24 a refusal is in the log, without what was sent", async () => {
    const from = server.lines.length;
    await requestToken(issuer, { grant_type: "refresh_token", refresh_token: "secret-thing" });
    const [line = ""] = server.lines.slice(from);
    assert.match(line, /invalid_client/);
    assert.doesNotMatch(line, /secret-thing/);
  });
});

describe("grants that a client may not use", () => {
  test("unauthorized_client, at both endpoints, and what it has is not harmed", async () => {
    await server.addClient({ id: "short", grantTypes: ["authorization_code"] });
    await server.addClient({
      id: "machine",
      type: "confidential",
      secretHash: hashToken(CLIENT_SECRET),
      grantTypes: ["refresh_token"],
      redirectUris: [SPA_CALLBACK],
    });
    const short = { ...spa, clientId: "short" };
    const tokens = await getTokens(short);
    assert.equal(tokens.refresh_token, undefined);
    const refused = await requestToken(issuer, { grant_type: "refresh_token", refresh_token: "x", client_id: "short" });
    assert.deepEqual([refused.status, refused.body.error], [400, "unauthorized_client"]);

    const code = await requestToken(issuer, {
      ...exchange({ ...spa, clientId: "machine" }, "x", "v".repeat(43)),
      client_secret: CLIENT_SECRET,
    });
    assert.deepEqual([code.status, code.body.error], [400, "unauthorized_client"]);
    const end = await new Browser().follow(authorizationRequest({ ...spa, clientId: "machine" }).url);
    assert.equal(end.url.searchParams.get("error"), "unauthorized_client");
    // Unknown grants are another matter, and so are clients that are not known.
    const unknown = await requestToken(issuer, { grant_type: "urn:x", client_id: "short" });
    assert.equal(unknown.body.error, "unsupported_grant_type");
    const nobody = await requestToken(issuer, { grant_type: "refresh_token", refresh_token: "x", client_id: "no" });
    assert.equal(nobody.body.error, "invalid_client");
  });

  test("a replayed code still revokes what the first use gave, of a client without refresh tokens too", async () => {
    const short = { ...spa, clientId: "short" };
    const { code, verifier } = await authorize(short);
    const params = exchange(short, code, verifier);
    const { body } = await requestToken(issuer, params);
    assert.equal((await requestToken(issuer, params)).body.error, "invalid_grant");
    const info = await fetch(`${issuer}/userinfo`, { headers: { authorization: `Bearer ${body.access_token}` } });
    assert.equal(info.status, 401);
  });
});

describe("scopes that do not exist (RFC 6749 section 3.3)", () => {
  test("A15 they are ignored, and the consent page and the token answer say so", async () => {
    const options = { ...spa, clientId: "curious", scope: "openid made:up posts:read" };
    await server.addClient({ id: "curious" });
    const browser = new Browser();
    const page = await browser.follow(authorizationRequest(options).url);
    const consent = await browser.submit(page, "/sign-in", {
      email: "ada@example.com",
      password: "correct horse battery staple",
    });
    assert.match(consent.text, /made:up/);
    const tokens = await getTokens({ ...options, browser });
    assert.equal(tokens.scope, "openid posts:read");
  });

  test("A15 alone they are invalid_scope; so are malformed ones, everywhere", async () => {
    for (const scope of ["made:up", "", "a\u0001b", 'openid "x"', "openid \\"]) {
      const end = await new Browser().follow(authorizationRequest({ ...spa, scope }).url);
      assert.equal(end.url.searchParams.get("error"), "invalid_scope", scope);
      assert.ok(end.url.searchParams.has("state"));
    }
    const { refresh_token } = await getTokens(spa);
    for (const scope of ["made:up", "openid made:up", 'openid "x"']) {
      const params = { grant_type: "refresh_token", refresh_token, client_id: "spa", scope };
      assert.equal((await requestToken(issuer, params)).body.error, "invalid_scope", scope);
    }
    const params = Object.fromEntries(authorizationRequest({ ...spa, scope: "made:up" }).url.searchParams);
    const pushed = await fetch(`${issuer}/par`, { method: "POST", body: new URLSearchParams(params) });
    assert.equal(((await pushed.json()) as { error: string }).error, "invalid_scope");
  });
});
