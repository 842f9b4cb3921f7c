import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";
import { hashToken } from "../../src/secrets/token-hash.ts";
import { openTestServer, SPA_CALLBACK, type TestServer, WEB_CALLBACK } from "./authorization-server.ts";
import { authorizationRequest, authorize, Browser, formOf, getTokens, signIn, walk } from "./client.ts";

let server: TestServer;
before(async () => {
  server = await openTestServer();
});
after(() => server.close());

const spa = (params: Record<string, string | undefined> = {}) => ({
  issuer: server.issuer,
  clientId: "spa",
  redirectUri: SPA_CALLBACK,
  params,
});

/** Where a request leads that nobody is asked about. */
async function ask(params: Record<string, string | undefined>, options: Partial<ReturnType<typeof spa>> = {}) {
  const { url, state } = authorizationRequest({ ...spa(params), ...options });
  return { ...(await new Browser().follow(url)), state };
}

function assertPage(stop: Awaited<ReturnType<typeof ask>>, what: string) {
  assert.equal(stop.left, false, `${what}: redirected to ${stop.url}`);
  assert.equal(stop.response.status, 400, what);
  assert.match(stop.response.headers.get("content-type") ?? "", /^text\/html/, what);
}

function assertRedirect(stop: Awaited<ReturnType<typeof ask>>, error: string, what: string) {
  assert.equal(stop.left, true, `${what}: stayed at ${stop.url} (${stop.response.status})`);
  assert.equal(stop.response.status, 303, what);
  assert.ok(stop.url.href.startsWith(SPA_CALLBACK), `${what}: ${stop.url}`);
  // An error of the implicit flow goes into the fragment (OpenID Connect Core 1.0 section 3.2.2.5).
  const answer = stop.url.hash === "" ? stop.url.searchParams : new URLSearchParams(stop.url.hash.slice(1));
  assert.equal(answer.get("error"), error, what);
  assert.equal(answer.get("state"), stop.state, what);
  assert.equal(answer.get("iss"), server.issuer, what);
  assert.equal(answer.get("code"), null, what);
}

describe("redirect URI and client", () => {
  test("A01 an unknown client gets a page", async () => {
    assertPage(await ask({ client_id: "nobody" }), "unknown");
    assertPage(await ask({ client_id: undefined }), "missing");
    assertPage(await ask({ client_id: "<script>alert(1)</script>" }), "markup");
  });

  const wrong = {
    prefix: `https://evil.example.com/?${SPA_CALLBACK}`,
    suffix: `${SPA_CALLBACK}/x`,
    "longer host": "https://spa.example.com.evil.com/callback",
    subdomain: "https://x.spa.example.com/callback",
    query: `${SPA_CALLBACK}?x=1`,
    "path parameters": `${SPA_CALLBACK};x=1`,
    "user information": "https://evil@spa.example.com/callback",
    fragment: `${SPA_CALLBACK}#x`,
    "bare #": `${SPA_CALLBACK}#`,
    "case of the path": "https://spa.example.com/Callback",
    "case of the host": "https://SPA.example.com/callback",
    "matrix dots": "https://spa.example.com/..;/callback",
    "encoded dots": "https://spa.example.com/%2e%2e/callback",
    dots: "https://spa.example.com/x/../callback",
    backslash: "https://spa.example.com\\callback",
    "backslash host": "https://evil.com\\@spa.example.com/callback",
    scheme: "http://spa.example.com/callback",
    port: "https://spa.example.com:8443/callback",
    "default port": "https://spa.example.com:443/callback",
    space: `${SPA_CALLBACK} `,
    "line break": `${SPA_CALLBACK}\r\nx`,
    javascript: "javascript:alert(1)//https://spa.example.com/callback",
  };
  for (const [name, uri] of Object.entries(wrong)) {
    test(`A02 ${name} in the redirect URI: a page`, async () => assertPage(await ask({ redirect_uri: uri }), name));
    test(`A03 ${name} in the redirect URI and a second fault: still a page`, async () => {
      for (const second of [
        { scope: "nonsense" },
        { response_type: "token" },
        { response_type: undefined },
        { prompt: "none" },
        { code_challenge: undefined },
        { response_mode: "fragment" },
        { response_mode: "form_post", prompt: "none" },
        { request: "x" },
        { resource: "https://other.example.com" },
      ])
        assertPage(await ask({ redirect_uri: uri, ...second }), `${name} ${JSON.stringify(second)}`);
    });
  }

  test("A03 a missing or a doubled redirect URI gets a page", async () => {
    assertPage(await ask({ redirect_uri: undefined }), "missing");
    const { url, state } = authorizationRequest(spa());
    url.searchParams.append("redirect_uri", "https://evil.example.com/");
    assertPage({ ...(await new Browser().follow(url)), state }, "doubled");
  });

  test("A04 a loopback IP may vary its port and nothing else", async () => {
    const registered = ["http://127.0.0.1/cb?a=1", "http://[::1]:5000/cb", "http://localhost:5000/cb"];
    await server.addClient({ id: "native", redirectUris: registered });
    const leads = async (redirectUri: string) => {
      const { url } = authorizationRequest({ ...spa(), clientId: "native", redirectUri });
      return (await new Browser().follow(url)).response.status;
    };
    for (const good of [...registered, "http://127.0.0.1:49152/cb?a=1", "http://[::1]:6000/cb", "http://[::1]/cb"])
      assert.equal(await leads(good), 200, good);
    for (const bad of [
      "http://127.0.0.1:49152/cb?a=2",
      "http://127.0.0.1:49152/cb",
      "http://127.0.0.1:49152/other?a=1",
      "http://127.0.0.1:99999/cb?a=1",
      "http://127.0.0.2:49152/cb?a=1",
      "https://127.0.0.1:49152/cb?a=1",
      "http://x@127.0.0.1:49152/cb?a=1",
      "http://127.0.0.1:49152@evil.com/cb?a=1",
      "http://127.0.0.1:49152/cb?a=1#x",
      "http://127.1:49152/cb?a=1",
      "http://localhost:5001/other",
      "http://[::1]:6000/other",
      "http://[::ffff:127.0.0.1]:6000/cb",
    ])
      assert.equal(await leads(bad), 400, bad);
  });

  test("A04 the port of localhost varies for public clients alone, and localhost is no loopback IP", async () => {
    const redirectUris = ["http://localhost:5000/cb?a=1", "http://127.0.0.1/ip"];
    await server.addClient({ id: "tool", redirectUris });
    const secret = { type: "confidential", secretHash: hashToken("a secret") } as const;
    await server.addClient({ id: "backend", redirectUris, ...secret });
    await server.addClient({ id: "self-made", redirectUris, ...secret, origin: "registration" });
    const leads = async (clientId: string, redirectUri: string) => {
      const { url } = authorizationRequest({ ...spa(), clientId, redirectUri });
      return (await new Browser().follow(url)).response.status;
    };
    for (const uri of ["http://localhost:49152/cb?a=1", "http://localhost/cb?a=1"]) {
      assert.equal(await leads("tool", uri), 200, uri);
      assert.equal(await leads("self-made", uri), 200, uri);
      assert.equal(await leads("backend", uri), 400, uri);
    }
    for (const uri of [
      "http://localhost:5000/cb",
      "http://localhost:49152/other?a=1",
      "https://localhost:49152/cb?a=1",
      "http://localhost:99999/cb?a=1",
      "http://localhost.evil.example:49152/cb?a=1",
      "http://localhost:49152@evil.example/cb?a=1",
      "http://LOCALHOST:49152/cb?a=1",
      "http://127.0.0.1:5000/cb?a=1",
      "http://[::1]:5000/cb?a=1",
      "http://localhost/ip",
      "http://localhost:80/ip",
    ])
      assert.equal(await leads("tool", uri), 400, uri);
  });

  test("A04 the code comes to the port that was asked for, and only that one exchanges it", async () => {
    await server.addClient({ id: "loopback", redirectUris: ["http://127.0.0.1/cb"] });
    const redirectUri = "http://127.0.0.1:49153/cb";
    const tokens = await getTokens({ ...spa(), clientId: "loopback", redirectUri });
    assert.ok(tokens.access_token);
  });

  test("A05 dangerous redirect URIs cannot be registered", async () => {
    for (const uri of [
      "javascript:alert(1)",
      "data:text/html,x",
      "vbscript:x",
      "file:///etc/passwd",
      "http://example.com/cb",
      "https://example.com/cb#x",
      "https://example.com/cb#",
      "https://user@example.com/cb",
      "https://example.com\\cb",
      "https://*.example.com/cb",
      "https:example.com/cb",
      "https:///example.com/cb",
      "HTTPS://EXAMPLE.com/cb",
      "https://bücher.example/cb",
      "https://example.com/ü",
      "http://127.1/cb",
      "http://2130706433/cb",
      "http://localhost.example.com/cb",
      "/cb",
      "",
    ]) {
      await assert.rejects(server.addClient({ id: "dangerous", redirectUris: [uri] }), { code: "BAD_USER_INPUT" }, uri);
      const client = { id: "dangerous", postLogoutRedirectUris: [uri] };
      await assert.rejects(server.addClient(client), { code: "BAD_USER_INPUT" }, uri);
    }
    assert.equal(await server.store.clients.find("dangerous"), null);
  });

  test("A05 redirect URIs of every allowed kind can be", async () => {
    const redirectUris = [
      "https://example.com",
      "https://example.com:443/cb",
      "https://example.com:8443/cb?tenant=a%20b",
      "http://localhost:8080/cb",
      "http://127.0.0.1/cb",
      "http://[::1]/cb",
      "com.example.app:/cb",
      "com.example.app://cb/x",
      "https://xn--bcher-kva.example/cb",
    ];
    await server.addClient({ id: "kinds", redirectUris });
    assert.deepEqual((await server.store.clients.find("kinds"))?.redirectUris, redirectUris);
  });

  test("A11 a client's name shows something, in one line", async () => {
    for (const name of [
      "",
      " ",
      "\u00a0\u3000",
      "\u200b\u2066\u00ad",
      "two\nlines",
      "\u001b[31mred",
      "a\u2028b",
      "a\u0085b",
    ])
      await assert.rejects(
        server.addClient({ id: "nameless", name }),
        { code: "BAD_USER_INPUT" },
        JSON.stringify(name),
      );
    for (const name of ["مرحبا", "👩‍👩‍👧", "Édouard Démo", "<b>"])
      await server.addClient({ id: `named ${name}`, name });
  });
});

describe("parameters", () => {
  test("A06 only response_type=code", async () => {
    for (const type of ["token", "id_token", "code id_token", "code token", "id_token token", "none", "x"])
      assertRedirect(await ask({ response_type: type, nonce: "n" }), "unsupported_response_type", type);
    const metadata = await fetch(`${server.issuer}/.well-known/openid-configuration`).then((r) => r.json());
    assert.deepEqual((metadata as { response_types_supported: unknown }).response_types_supported, ["code"]);
    assert.deepEqual((metadata as { response_modes_supported: unknown }).response_modes_supported, [
      "query",
      "form_post",
    ]);
  });

  test("A06 a code never goes into a fragment", async () => {
    assertRedirect(await ask({ response_mode: "fragment" }), "invalid_request", "fragment");
    assertRedirect(await ask({ response_mode: "nonsense" }), "unsupported_response_mode", "nonsense");
  });

  test("A07 PKCE with S256 is required of every client", async () => {
    for (const change of [
      { code_challenge: undefined, code_challenge_method: undefined },
      { code_challenge_method: undefined },
      { code_challenge_method: "plain" },
      { code_challenge_method: "s256" },
      { code_challenge: undefined },
      { code_challenge: "a".repeat(42) },
      { code_challenge: "a".repeat(129) },
      { code_challenge: `${"a".repeat(42)}=` },
    ]) {
      assertRedirect(await ask(change), "invalid_request", JSON.stringify(change));
      const web = authorizationRequest({ ...spa(change), clientId: "web", redirectUri: WEB_CALLBACK });
      const stop = await new Browser().follow(web.url);
      assert.equal(stop.url.searchParams.get("error"), "invalid_request", JSON.stringify(change));
      assert.equal(stop.url.searchParams.get("tenant"), "1", "the registered query stays");
    }
  });

  test("A08 a doubled parameter is invalid, an unknown one is ignored", async () => {
    for (const name of ["scope", "response_type", "code_challenge", "nonce", "prompt"]) {
      const { url, state } = authorizationRequest(spa());
      url.searchParams.append(name, "x");
      url.searchParams.append(name, "y");
      assertRedirect({ ...(await new Browser().follow(url)), state }, "invalid_request", name);
    }
    const { answer } = await authorize(spa({ something_else: "1", unavailable_scope: "admin" }));
    assert.ok(answer.get("code"));
  });

  test("A08 a doubled client_id gets a page, a doubled state is not repeated", async () => {
    const first = authorizationRequest(spa());
    first.url.searchParams.append("client_id", "web");
    assertPage({ ...(await new Browser().follow(first.url)), state: "" }, "client_id");
    const second = authorizationRequest(spa());
    second.url.searchParams.append("state", "y");
    const stop = await new Browser().follow(second.url);
    assert.equal(stop.url.searchParams.get("error"), "invalid_request");
    assert.equal(stop.url.searchParams.get("state"), null);
  });

  test("A09 request objects are refused by name, and nothing is fetched", async () => {
    let calls = 0;
    const listener = createServer((_request, response) => {
      calls++;
      response.end();
    });
    await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
    const address = listener.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    assertRedirect(await ask({ request: "eyJhbGciOiJub25lIn0.e30." }), "request_not_supported", "request");
    const uri = `http://127.0.0.1:${port}/request.jwt`;
    assertRedirect(await ask({ request_uri: uri }), "request_uri_not_supported", "request_uri");
    assert.equal(calls, 0);
    listener.close();
  });

  test("A10 iss and state come with success, and every redirect is 303", async () => {
    const browser = new Browser();
    const { url, state } = authorizationRequest(spa());
    const first = await browser.fetch(url);
    assert.equal(first.status, 303);
    const end = await walk(browser, await browser.follow(url), spa());
    assert.equal(end.response.status, 303);
    assert.equal(end.url.searchParams.get("iss"), server.issuer);
    assert.equal(end.url.searchParams.get("state"), state);
  });

  test("OpenID Connect Core 3.1.2.1: the request may come by POST", async () => {
    const browser = await signIn(spa());
    const { url } = authorizationRequest(spa());
    const stop = await browser.follow(`${server.issuer}/authorize`, { method: "POST", body: url.searchParams });
    assert.ok(stop.url.searchParams.get("code"), `${stop.url}`);
  });

  test("form_post brings the answer in a form that may leave our page", async () => {
    const browser = await signIn(spa());
    const page = await browser.follow(authorizationRequest(spa({ response_mode: "form_post" })).url);
    assert.match(page.text, new RegExp(`<form method="post" action="${SPA_CALLBACK}">`));
    assert.match(page.response.headers.get("content-security-policy") ?? "", /script-src[^;]*'sha256-/);
    assert.doesNotMatch(page.response.headers.get("content-security-policy") ?? "", /form-action/);
    assert.match(page.text, /<button[^>]*type="submit">Continue<\/button>/);
    const error = await browser.follow(authorizationRequest(spa({ response_mode: "form_post", prompt: "x" })).url);
    assert.equal(error.response.status, 400);
    assert.match(error.text, /name="error" value="invalid_request"/);
    assert.match(error.text, /name="iss" value="http/);
  });

  test("A11 the page of form_post cannot be framed or kept, leaks no Referer, and repeats state as text", async () => {
    const browser = await signIn(spa());
    for (const more of [{}, { prompt: "none" }, { prompt: "x" }]) {
      const state = `"><script>alert(1)</script><input name="code" value='`;
      const { url } = authorizationRequest(spa({ response_mode: "form_post", state, ...more }));
      const page = await browser.follow(url);
      const header = (name: string) => page.response.headers.get(name) ?? "";
      assert.match(header("content-security-policy"), /default-src 'none'.*frame-ancestors 'none'/);
      assert.doesNotMatch(header("content-security-policy"), /unsafe/);
      assert.deepEqual(
        [
          header("x-frame-options"),
          header("referrer-policy"),
          header("cache-control"),
          header("x-content-type-options"),
        ],
        ["DENY", "no-referrer", "no-store", "nosniff"],
      );
      assert.equal(formOf(page, SPA_CALLBACK).hidden.state, state);
      assert.equal(page.text.match(/<script/g)?.length, 1);
      assert.equal(page.text.match(/name="(code|error)"/g)?.length, 1);
    }
  });
});

describe("scope and resource", () => {
  test("A15 a scope beyond the client's is not granted, and both the page and the token answer say so", async () => {
    await server.addClient({ id: "greedy" });
    const options = { ...spa(), clientId: "greedy", scope: "openid posts:read users:email unheard:of" };
    const browser = new Browser();
    const page = await browser.follow(authorizationRequest(options).url);
    const consent = await browser.submit(page, "/sign-in", {
      email: "ada@example.com",
      password: "correct horse battery staple",
    });
    assert.match(consent.text, /See everyone&#39;s e-mail addresses/);
    const tokens = await getTokens({ ...options, browser });
    assert.equal(tokens.scope, "openid posts:read");
  });

  test("A15 when nothing is left the request is refused", async () => {
    assertRedirect(await ask({ scope: "users:email" }), "invalid_scope", "beyond");
    assertRedirect(await ask({ scope: "unheard:of" }), "invalid_scope", "unknown");
    assertRedirect(await ask({ scope: undefined }), "invalid_scope", "missing");
  });

  test("A15 a remembered consent covers what was agreed to, in any browser, and never a new scope", async () => {
    await server.addClient({ id: "remembered" });
    const options = { ...spa(), clientId: "remembered", scope: "openid posts:read" };
    const credentials = { email: "ada@example.com", password: "correct horse battery staple" };
    await authorize(options);
    const other = new Browser();
    const again = await other.submit(await other.follow(authorizationRequest(options).url), "/sign-in", credentials);
    assert.ok(again.left, "asked again for the same");
    const narrower = await other.follow(authorizationRequest({ ...options, scope: "openid" }).url);
    assert.ok(narrower.left, "asked again for less");
    const wider = await other.follow(authorizationRequest({ ...options, scope: "openid posts:write" }).url);
    assert.equal(wider.left, false);
    assert.match(wider.text, /name="decision"/);
    const silent = await other.follow(
      authorizationRequest({ ...options, scope: "openid posts:write", params: { prompt: "none" } }).url,
    );
    assert.equal(silent.url.searchParams.get("error"), "consent_required");
  });

  test("A15 what one person agreed to does not count for another", async () => {
    const { url } = authorizationRequest({ ...spa(), clientId: "remembered", scope: "openid posts:read" });
    const browser = new Browser();
    const page = await browser.submit(await browser.follow(url), "/sign-in", {
      email: "bob@example.com",
      password: "correct horse battery staple",
    });
    assert.match(page.text, /name="decision"/);
  });

  test("A15 admin is for administrators, whoever asks", async () => {
    const scope = "openid admin";
    assert.equal((await getTokens({ ...spa(), scope })).scope, "openid admin");
    assert.equal((await getTokens({ ...spa(), scope, email: "bob@example.com" })).scope, "openid");
    const { url } = authorizationRequest({ ...spa(), scope: "admin" });
    const browser = new Browser();
    const end = await walk(browser, await browser.follow(url), { ...spa(), email: "bob@example.com" });
    assert.equal(end.url.searchParams.get("error"), "access_denied");
  });

  test("A15 denying gives nothing, and is not remembered as agreement", async () => {
    await server.addClient({ id: "denied" });
    const options = { ...spa(), clientId: "denied", decision: "deny" as const };
    const { answer, browser } = await authorize(options);
    assert.equal(answer.get("error"), "access_denied");
    assert.equal(answer.get("iss"), server.issuer);
    const again = await browser.follow(authorizationRequest(options).url);
    assert.match(again.text, /name="decision"/);
  });

  test("first-party clients are not asked about", async () => {
    await server.addClient({ id: "own", firstParty: true });
    const browser = new Browser();
    const page = await browser.follow(authorizationRequest({ ...spa(), clientId: "own" }).url);
    const end = await browser.submit(page, "/sign-in", {
      email: "ada@example.com",
      password: "correct horse battery staple",
    });
    assert.ok(end.url.searchParams.get("code"), `${end.url}`);
  });

  test("A31 a resource that is not ours is an invalid target", async () => {
    assertRedirect(await ask({ resource: "https://other.example.com/graphql" }), "invalid_target", "other");
    assertRedirect(await ask({ resource: `${server.issuer}/graphql/more` }), "invalid_target", "another path");
    for (const resource of ["/graphql", "/graphql/", "", "/"]) {
      const { answer } = await authorize(spa({ resource: server.issuer + resource }));
      assert.ok(answer.get("code"), resource);
    }
  });
});
