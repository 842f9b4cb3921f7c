import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { decodeProtectedHeader, SignJWT } from "jose";
import { hashToken } from "../../src/secrets/token-hash.ts";
import { openTestServer, PASSWORD, SPA_CALLBACK, type TestServer } from "./authorization-server.ts";
import { authorizationRequest, Browser, exchange, getTokens, requestToken, walk } from "./client.ts";

const ada = { email: "ada@example.com", password: PASSWORD };

interface Registered {
  readonly client_id: string;
  readonly client_secret?: string;
  readonly registration_access_token: string;
  readonly registration_client_uri: string;
  readonly scope: string;
  readonly error?: string;
  readonly [name: string]: unknown;
}

async function register(server: TestServer, metadata: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${server.issuer}/register`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof metadata === "string" ? metadata : JSON.stringify(metadata),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Registered };
}

/** Each test begins without a count of new clients. */
const forget = (server: TestServer) => server.store.attempts.clear("registration 127.0.0.1");

describe("clients that register themselves (RFC 7591, RFC 7592)", () => {
  let server: TestServer;
  before(async () => {
    server = await openTestServer({ settings: { REGISTRATION: "open" } });
  });
  after(() => server.close());

  test("a public client registers, signs a person in after a warning, and gets tokens", async () => {
    const metadata = { redirect_uris: [SPA_CALLBACK], token_endpoint_auth_method: "none", client_name: "Mine" };
    const grant_types = ["authorization_code", "refresh_token"];
    const { status, headers, body } = await register(server, { ...metadata, grant_types });
    assert.deepEqual([status, headers.get("cache-control")], [201, "no-store"]);
    assert.equal(body.client_secret, undefined);
    const discovery = await (await fetch(`${server.issuer}/.well-known/oauth-authorization-server`)).json();
    assert.equal((discovery as { registration_endpoint: string }).registration_endpoint, `${server.issuer}/register`);
    const options = { issuer: server.issuer, clientId: body.client_id, redirectUri: SPA_CALLBACK, ...ada };
    const browser = new Browser();
    const page = await browser.follow(authorizationRequest(options).url);
    const consent = await browser.submit(page, "/sign-in", ada);
    assert.match(consent.text, /Not checked by/);
    assert.match(consent.text, /spa\.example\.com/);
    const tokens = await getTokens(options);
    assert.notEqual(tokens.refresh_token, undefined);
  });

  test("oidcc-idtoken-signature: a client that names no algorithm gets ID tokens with RS256, and with FAPI 2.0 ES256", async () => {
    const metadata = { redirect_uris: [SPA_CALLBACK], token_endpoint_auth_method: "none" };
    for (const [more, expected] of [
      [{}, "RS256"],
      [{ id_token_signed_response_alg: "ES256" }, "ES256"],
      [{ require_pushed_authorization_requests: true }, "ES256"],
    ] as const)
      assert.equal((await register(server, { ...metadata, ...more })).body.id_token_signed_response_alg, expected);
    const { body } = await register(server, metadata);
    const options = { issuer: server.issuer, clientId: body.client_id, redirectUri: SPA_CALLBACK, ...ada };
    const { id_token } = await getTokens({ ...options, scope: "openid" });
    assert.equal(decodeProtectedHeader(id_token).alg, "RS256");
    await forget(server);
  });

  test("a confidential one gets a secret once, of which storage has the hash alone", async () => {
    await forget(server);
    const { body } = await register(server, { redirect_uris: [SPA_CALLBACK] });
    assert.equal(body.client_secret_expires_at, 0);
    const all = await server.readAll();
    for (const secret of [body.client_secret, body.registration_access_token])
      assert.ok(!all.includes(secret ?? "-"), "A43 unreadable in a stolen database");
    const params = { grant_type: "authorization_code", code: "x", redirect_uri: SPA_CALLBACK };
    const asked = { ...params, client_id: body.client_id, client_secret: body.client_secret ?? "" };
    assert.equal((await requestToken(server.issuer, asked)).body.error, "invalid_grant");
    assert.equal((await requestToken(server.issuer, { ...asked, client_secret: "x" })).status, 401);
  });

  test("A38 nobody gives privileges to themselves", async () => {
    await forget(server);
    const { body } = await register(server, {
      redirect_uris: [SPA_CALLBACK],
      scope: "openid posts:read users:email admin nonsense",
      first_party: true,
      firstParty: true,
      allowed_scopes: ["admin"],
      origin: "operator",
      client_id: "web",
      client_secret: "chosen",
      grant_types: ["authorization_code", "client_credentials", "password", "implicit"],
      __proto__: { firstParty: true },
    });
    assert.equal(body.scope, "openid posts:read");
    assert.notEqual(body.client_id, "web");
    assert.notEqual(body.client_secret, "chosen");
    assert.deepEqual(body.grant_types, ["authorization_code"]);
    const stored = await server.store.clients.find(body.client_id);
    assert.deepEqual([stored?.firstParty, stored?.origin], [false, "registration"]);
    const usual = await register(server, { redirect_uris: [SPA_CALLBACK] });
    assert.doesNotMatch(usual.body.scope, /admin|users:email/);
  });

  test("A05 what is no redirect URI is refused, and so is other nonsense", async () => {
    await forget(server);
    for (const uri of [
      "javascript:alert(1)",
      "data:text/html,x",
      "http://evil.example/",
      `${SPA_CALLBACK}#x`,
      "/x",
      "",
    ]) {
      const { status, body } = await register(server, { redirect_uris: [uri] });
      assert.deepEqual([status, body.error], [400, "invalid_redirect_uri"], uri);
    }
    await forget(server);
    for (const wrong of [
      {},
      [],
      "null",
      "{",
      { redirect_uris: [SPA_CALLBACK], token_endpoint_auth_method: "client_secret_jwt" },
      { redirect_uris: [SPA_CALLBACK], token_endpoint_auth_method: "private_key_jwt" },
      { redirect_uris: [SPA_CALLBACK], token_endpoint_auth_method: "private_key_jwt", jwks_uri: "http://10.0.0.1/" },
      ...[null, { keys: [] }, { keys: [{ kty: "EC", crv: "P-256", x: "x", y: "y" }] }, { keys: [{ kty: "RSA" }] }].map(
        (jwks) => ({ redirect_uris: [SPA_CALLBACK], token_endpoint_auth_method: "private_key_jwt", jwks }),
      ),
      { redirect_uris: [SPA_CALLBACK], response_types: ["token"] },
      { redirect_uris: [SPA_CALLBACK], grant_types: ["password"] },
      { redirect_uris: [SPA_CALLBACK], client_name: "two\nlines" },
      { redirect_uris: [SPA_CALLBACK], client_name: 7 },
      { redirect_uris: [SPA_CALLBACK], id_token_signed_response_alg: "none" },
    ]) {
      const { status, body } = await register(server, wrong);
      assert.equal(status, 400, JSON.stringify(wrong));
      assert.match(body.error ?? "", /^invalid_(client_metadata|redirect_uri)$/, JSON.stringify(wrong));
    }
    const form = await register(server, "{}", { "content-type": "application/x-www-form-urlencoded" });
    assert.equal(form.status, 400);
  });

  test("A05 a registration keeps the URIs that can be registered, and its answer lists them", async () => {
    await forget(server);
    // As Cursor asks.
    const asked = {
      client_name: "Cursor",
      redirect_uris: ["cursor://anysphere.cursor-mcp/oauth/callback", "http://evil.example/cb", "javascript:alert(1)"],
      post_logout_redirect_uris: ["unknown-app://bye", "http://localhost/bye"],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    };
    const { status, body } = await register(server, asked);
    assert.equal(status, 201, JSON.stringify(body));
    const [cursor = ""] = asked.redirect_uris;
    assert.deepEqual(body.redirect_uris, [cursor]);
    assert.deepEqual(body.post_logout_redirect_uris, ["http://localhost/bye"]);
    const options = { issuer: server.issuer, clientId: body.client_id, redirectUri: cursor, ...ada };
    assert.ok((await getTokens(options)).access_token);

    const change = (redirect_uris: string[]) =>
      fetch(body.registration_client_uri, {
        method: "PUT",
        headers: { "content-type": "application/json", authorization: `Bearer ${body.registration_access_token}` },
        body: JSON.stringify({ ...asked, client_id: body.client_id, redirect_uris }),
      });
    const changed = (await (await change(["vscode://a/b", "unknown-app://x"])).json()) as Registered;
    assert.deepEqual(changed.redirect_uris, ["vscode://a/b"]);
    const refused = await change(["unknown-app://x", "data:text/html,x"]);
    assert.deepEqual([refused.status, ((await refused.json()) as Registered).error], [400, "invalid_redirect_uri"]);
    const bye = await register(server, { ...asked, post_logout_redirect_uris: ["unknown-app://x"] });
    assert.deepEqual([bye.status, bye.body.error], [400, "invalid_client_metadata"]);
  });

  test("RFC 7592: it reads, changes and ends its registration with its own token alone", async () => {
    await forget(server);
    const public_ = { redirect_uris: [SPA_CALLBACK], token_endpoint_auth_method: "none" };
    const [mine, other] = [(await register(server, public_)).body, (await register(server, public_)).body];
    const call = async (method: string, token: string, body?: object) => {
      const response = await fetch(mine.registration_client_uri, {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, text: await response.text() };
    };
    const token = mine.registration_access_token;
    for (const wrong of ["", "x", other.registration_access_token])
      for (const method of ["GET", "PUT", "DELETE"])
        assert.equal((await call(method, wrong, method === "PUT" ? public_ : undefined)).status, 401);
    const present = JSON.parse((await call("GET", token)).text);
    assert.deepEqual([present.client_id, present.registration_access_token], [mine.client_id, token]);
    const changed = { ...public_, client_id: mine.client_id, client_name: "Renamed", scope: "openid admin" };
    const answer = JSON.parse((await call("PUT", token, changed)).text);
    assert.deepEqual([answer.client_name, answer.scope], ["Renamed", "openid"]);
    assert.equal(answer.registration_access_token, token);
    assert.equal((await call("PUT", token, { ...changed, client_id: other.client_id })).status, 400);
    assert.equal((await call("PUT", token, { ...changed, redirect_uris: ["http://evil.example/"] })).status, 400);
    assert.equal((await call("DELETE", token)).status, 204);
    assert.equal((await call("GET", token)).status, 401);
    const options = { issuer: server.issuer, clientId: mine.client_id, redirectUri: SPA_CALLBACK };
    const page = await new Browser().follow(authorizationRequest(options).url);
    assert.equal(page.response.status, 400);
  });

  test("twenty new clients of one address in an hour", async () => {
    await forget(server);
    let last = 201;
    for (let i = 0; i < 21; i++) last = (await register(server, { redirect_uris: [SPA_CALLBACK] })).status;
    assert.equal(last, 429);
  });

  test("with a token only, and off unless it is switched on", async () => {
    const token = "a-token-that-the-operator-hands-out-to-partners";
    const guarded = await openTestServer({ settings: { REGISTRATION: "token", REGISTRATION_TOKEN: token } });
    const off = await openTestServer({ empty: true });
    try {
      const metadata = { redirect_uris: [SPA_CALLBACK] };
      assert.equal((await register(guarded, metadata)).status, 401);
      assert.equal((await register(guarded, metadata, { authorization: "Bearer x" })).status, 401);
      assert.equal((await register(guarded, metadata, { authorization: `Bearer ${token}` })).status, 201);
      assert.equal((await fetch(`${off.issuer}/register`, { method: "POST", body: "{}" })).status, 404);
    } finally {
      await guarded.close();
      await off.close();
    }
  });
});

describe("clients whose id is the address of their document", () => {
  let server: TestServer;
  let site: Server;
  let origin: string;
  let asked: string[] = [];
  /** Milliseconds that the server's clock is ahead. */
  let ahead = 0;
  const documents = new Map<string, { status?: number; type?: string; location?: string; body: string }>();

  before(async () => {
    site = createServer((request, response) => {
      asked.push(request.url ?? "");
      const {
        status = 200,
        type = "application/json",
        location,
        body,
      } = documents.get(request.url ?? "") ?? {
        status: 404,
        body: "",
      };
      response.writeHead(status, { "content-type": type, ...(location === undefined ? {} : { location }) }).end(body);
    });
    await new Promise<void>((done) => site.listen(0, "127.0.0.1", done));
    origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
    server = await openTestServer({
      settings: { CLIENT_DOCUMENTS: true },
      privateHosts: ["127.0.0.1"],
      now: () => Date.now() + ahead,
    });
  });
  after(async () => {
    site.close();
    await server.close();
  });

  function put(path: string, change: Record<string, unknown> = {}, answer: object = {}): string {
    const id = origin + path;
    const document = { client_id: id, client_name: "A tool", redirect_uris: [SPA_CALLBACK], ...change };
    documents.set(path, { body: JSON.stringify(document), ...answer });
    return id;
  }
  const ask = (clientId: string) => {
    const options = { issuer: server.issuer, clientId, redirectUri: SPA_CALLBACK };
    return new Browser().follow(authorizationRequest(options).url);
  };

  test("it signs a person in, who sees its address and a warning; the document is read once", async () => {
    asked = [];
    const id = put("/client.json", {
      grant_types: ["authorization_code", "refresh_token"],
      scope: "openid admin posts:read",
    });
    const options = { issuer: server.issuer, clientId: id, redirectUri: SPA_CALLBACK, ...ada };
    const browser = new Browser();
    const consent = await browser.submit(await browser.follow(authorizationRequest(options).url), "/sign-in", ada);
    assert.match(consent.text, /Not checked by/);
    assert.match(consent.text, /A tool \(127\.0\.0\.1:\d+\)/);
    assert.match(consent.text, /spa\.example\.com/);
    const { url, verifier } = authorizationRequest(options);
    const end = await walk(browser, await browser.follow(url), options);
    const { status, body } = await requestToken(
      server.issuer,
      exchange(options, end.url.searchParams.get("code") ?? "", verifier),
    );
    assert.equal(status, 200);
    assert.doesNotMatch(body.scope, /admin/);
    const hash = hashToken(body.access_token);
    assert.equal((await server.store.artifacts.findAccessToken(hash, Math.floor(Date.now() / 1000)))?.clientId, id);
    assert.deepEqual(asked, ["/client.json"]);

    ahead = 2 * 86_400_000;
    documents.set("/client.json", { status: 500, body: "" });
    assert.match((await ask(id)).text, /A tool \(127\.0\.0\.1:\d+\)<\/bdi><\/strong> asks you to sign in/);
    assert.deepEqual(asked, ["/client.json", "/client.json"], "asked again, and gone on without");
    ahead = 0;

    await server.store.clients.update(id, { disabledAt: new Date().toISOString() });
    assert.equal((await ask(id)).response.status, 400, "the operator's word counts");
  });

  test("A04 A05 a document of a native program: any port of localhost, its own scheme, and URIs for other servers", async () => {
    const id = put("/native.json", {
      redirect_uris: ["http://localhost:1/callback", "vscode://a/b", "http://10.0.0.1/cb", "unknown-app://x"],
    });
    for (const [redirectUri, expected] of [
      ["http://localhost:53682/callback", 200],
      ["vscode://a/b", 200],
      ["http://localhost:53682/other", 400],
      ["http://127.0.0.1:1/callback", 400],
      ["http://10.0.0.1/cb", 400],
      ["unknown-app://x", 400],
    ] as const) {
      const { url } = authorizationRequest({ issuer: server.issuer, clientId: id, redirectUri });
      assert.equal((await new Browser().follow(url)).response.status, expected, redirectUri);
    }
  });

  test("its keys may be at an address, which is not called before it has to prove itself", async () => {
    asked = [];
    const keys = { token_endpoint_auth_method: "private_key_jwt", jwks_uri: `${origin}/keys.json` };
    assert.equal((await ask(put("/keyed.json", keys))).response.status, 200);
    assert.deepEqual(asked, ["/keyed.json"]);
    assert.equal((await ask(put("/keyed-twice.json", { ...keys, jwks: { keys: [] } }))).response.status, 400);
  });

  test("what it binds itself to holds: its requests come pushed or signed, its assertions by one algorithm", async () => {
    const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const keys = {
      token_endpoint_auth_method: "private_key_jwt",
      jwks: { keys: [pair.publicKey.export({ format: "jwk" })] },
    };
    for (const more of [
      { require_pushed_authorization_requests: true },
      { require_signed_request_object: true, ...keys },
    ]) {
      const { url, left } = await ask(put(`/${Object.keys(more)[0]}.json`, more));
      assert.deepEqual([left, url.searchParams.get("error")], [true, "invalid_request"], JSON.stringify(more));
    }
    const sign = async (path: string, more: object) => {
      const id = put(path, { ...keys, ...more });
      const claims = { iss: id, sub: id, aud: server.issuer, jti: path, exp: Math.floor(Date.now() / 1000) + 60 };
      const client_assertion = await new SignJWT(claims).setProtectedHeader({ alg: "ES256" }).sign(pair.privateKey);
      const client_assertion_type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
      const given = { grant_type: "refresh_token", refresh_token: "x", client_assertion_type, client_assertion };
      return (await requestToken(server.issuer, given)).body.error;
    };
    assert.equal(await sign("/es256.json", { token_endpoint_auth_signing_alg: "ES256" }), "unauthorized_client");
    assert.equal(await sign("/ps256.json", { token_endpoint_auth_signing_alg: "PS256" }), "invalid_client");
  });

  test("A37 naming one where nothing begins has nobody called", async () => {
    asked = [];
    const id = put("/unseen.json");
    for (const path of ["/revoke", "/introspect"]) {
      const body = new URLSearchParams({ client_id: id, token: "x" });
      assert.equal((await fetch(server.issuer + path, { method: "POST", body })).status, 401, path);
    }
    await fetch(`${server.issuer}/logout?${new URLSearchParams({ client_id: id })}`);
    assert.deepEqual(asked, []);
    assert.equal((await ask(id)).response.status, 200);
    assert.deepEqual(asked, ["/unseen.json"]);
  });

  test("A37 A38 a document that is not right, too long, elsewhere or private is no client", async () => {
    const wrong = [
      put("/other.json", { client_id: `${origin}/x.json` }),
      put("/secret.json", { client_secret: "x", token_endpoint_auth_method: "client_secret_basic" }),
      put("/no-uris.json", { redirect_uris: [] }),
      put("/script.json", { redirect_uris: ["javascript:alert(1)"] }),
      put("/html.json", {}, { type: "text/html" }),
      put("/moved.json", {}, { status: 302, location: `${origin}/client.json` }),
      put("/broken.json", {}, { body: "{" }),
      put("/long.json", { more: "x".repeat(20_000) }),
      put("/endless.json", { more: "x".repeat(200_000) }),
      `${origin}/missing.json`,
      `${origin}/`,
      `${origin}/a/../client.json`,
      `${origin}/client.json#x`,
      `http://user@127.0.0.1/client.json`,
      "https://127.0.0.2/client.json",
      "https://[::1]/client.json",
      "https://[::ffff:10.0.0.1]/client.json",
      "https://169.254.169.254/latest/meta-data",
      "https://2130706433/client.json",
      "http://localhost/client.json",
      "https://localhost/client.json",
    ];
    for (const id of wrong) {
      const page = await ask(id);
      assert.deepEqual([page.response.status, page.left], [400, false], id);
      assert.match(page.text, /client is not registered/, id);
    }
  });

  test("A37 the memory of documents is bounded, and forgets what failed after a minute only", async () => {
    asked = [];
    for (let i = 0; i < 3; i++) await ask(`${origin}/missing-again.json`);
    assert.equal(asked.length, 1);
  });

  test("without the switch nothing is fetched", async () => {
    const off = await openTestServer({ settings: { CLIENT_DOCUMENTS: false }, privateHosts: ["127.0.0.1"] });
    asked = [];
    try {
      const options = { issuer: off.issuer, clientId: put("/off.json"), redirectUri: SPA_CALLBACK };
      const page = await new Browser().follow(authorizationRequest(options).url);
      assert.equal(page.response.status, 400);
      assert.deepEqual(asked, []);
    } finally {
      await off.close();
    }
  });
});
