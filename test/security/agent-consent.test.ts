import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Client } from "../../src/domain/clients/client.ts";
import { DEVICE_GRANT } from "../../src/domain/clients/client.ts";
import { hashToken } from "../../src/secrets/token-hash.ts";
import { openTestServer, PASSWORD, SPA_CALLBACK, type TestServer } from "./authorization-server.ts";
import {
  type AuthorizeOptions,
  authorizationRequest,
  authorize,
  Browser,
  exchange,
  formOf,
  getTokens,
  requestToken,
  type Stop,
} from "./client.ts";

const LOOPBACK = "http://127.0.0.1/callback";
const CLAUDE = "https://claude.ai/api/mcp/auth_callback";
const ASKED = "posts:read users:read posts:write";
const ada = { email: "ada@example.com", password: PASSWORD };

let server: TestServer;
let mcp: string;
before(async () => {
  server = await openTestServer();
  mcp = `${server.issuer}/mcp`;
});
after(() => server.close());

let count = 0;
/** A new client that registered itself, and a request of it for `/mcp`. */
async function agent(more: Partial<AuthorizeOptions> = {}, origin: Client["origin"] = "registration") {
  const { redirectUri = LOOPBACK } = more;
  const clientId = `agent-${++count}`;
  const scopes = ["openid", "email", "offline_access", "posts:read", "users:read", "posts:write", "admin"];
  await server.addClient({ id: clientId, name: "Claude", redirectUris: [redirectUri], origin, scopes });
  const options = { issuer: server.issuer, clientId, redirectUri, scope: ASKED, params: { resource: mcp }, ...more };
  return { ...options, browser: new Browser() };
}

/** The consent page of a request. */
async function pageOf(options: AuthorizeOptions): Promise<Stop> {
  const { browser = new Browser() } = options;
  const page = await browser.follow(authorizationRequest(options).url);
  return page.text.includes('name="password"') ? browser.submit(page, "/sign-in", ada) : page;
}

const choicesOn = ({ text }: Stop) =>
  [...text.matchAll(/name="level" value="(\w+)"( checked)?/g)].map(([, level, checked]) => `${level}${checked ?? ""}`);
const refresh = (client_id: string, refresh_token: string, more: Record<string, string> = {}) =>
  requestToken(server.issuer, { grant_type: "refresh_token", client_id, refresh_token, ...more });
const stored = (token: string) =>
  server.store.artifacts.findAccessToken(hashToken(token), Math.floor(Date.now() / 1000));
const consentsOf = (clientId: string) => server.store.audit.list({ clientId, event: "consent", limit: 10 });

describe("A14 the person chooses how far an agent may go", () => {
  for (const [level, scope] of [
    ["read", "posts:read users:read"],
    ["draft", "posts:read users:read posts:draft"],
    ["write", "posts:read users:read posts:write"],
  ] as const)
    test(`${level}: code, tokens, answers and refreshed tokens carry that, and the audit names it`, async () => {
      const options = await agent({ level });
      const tokens = await getTokens(options);
      assert.equal(tokens.scope, scope);
      assert.equal((await stored(tokens.access_token))?.scope, scope);
      const again = await refresh(options.clientId, tokens.refresh_token);
      assert.deepEqual([again.status, again.body.scope], [200, scope]);
      assert.equal((await stored(again.body.access_token))?.scope, scope);
      const wider = await refresh(options.clientId, again.body.refresh_token, { scope: ASKED });
      assert.equal(wider.body.error, level === "write" ? undefined : "invalid_scope");
      const [row] = await consentsOf(options.clientId);
      assert.deepEqual([row?.result, row?.detail], ["ok", `level ${level}: ${scope} at ${mcp}`]);
    });

  test("the page says what an agent is, and offers no more than was asked, drafts marked", async () => {
    const page = await pageOf(await agent());
    assert.match(
      page.text,
      /<strong><bdi>Claude<\/bdi> is a program that acts for you\.<\/strong> .*even posts by strangers/,
    );
    assert.match(page.text, /You remain responsible for what it publishes\./);
    assert.match(page.text, /127\.0\.0\.1/, "where it returns to");
    assert.deepEqual(choicesOn(page), ["read", "draft checked", "write"]);
    assert.doesNotMatch(page.text, /<script/);
    assert.deepEqual(choicesOn(await pageOf(await agent({ scope: "posts:read users:read" }))), ["read checked"]);
    assert.deepEqual(choicesOn(await pageOf(await agent({ scope: "posts:read posts:draft" }))), [
      "read",
      "draft checked",
    ]);
  });

  test("no choice is the marked one; another than was offered gives nothing and asks again", async () => {
    assert.equal((await getTokens(await agent())).scope, "posts:read users:read posts:draft");
    const options = await agent({ scope: "posts:read users:read" });
    const page = await pageOf(options);
    for (const level of ["draft", "write", "nonsense", "__proto__"]) {
      const again = await options.browser.submit(page, "/consent", { decision: "approve", level });
      assert.deepEqual([again.left, again.response.status, choicesOn(again)], [false, 200, ["read checked"]], level);
    }
    assert.deepEqual(await consentsOf(options.clientId), []);
    const end = await options.browser.submit(page, "/consent", { decision: "approve", level: "read" });
    assert.ok(end.url.searchParams.has("code"));
  });

  test("a client that stops looking like an agent while the person reads gets no more than they chose", async () => {
    const options = await agent({ params: {} });
    const page = await pageOf(options);
    assert.deepEqual(choicesOn(page), ["read", "draft checked", "write"]);
    const client = await server.store.clients.find(options.clientId);
    assert.ok(client !== null);
    await server.store.clients.put({ ...client, redirectUris: [LOOPBACK, SPA_CALLBACK] });
    const again = await options.browser.submit(page, "/consent", { decision: "approve", level: "read" });
    assert.match(again.text, /access to your account\?.*Create, change and delete your posts/s);
    assert.deepEqual(await consentsOf(options.clientId), []);
    const denied = await options.browser.submit(page, "/consent", { decision: "deny" });
    assert.equal(denied.url.searchParams.get("error"), "access_denied");
  });

  test("a later request is silent for what was agreed, and asks again for more, the earlier choice marked", async () => {
    for (const level of ["read", "draft"] as const) {
      const options = await agent({ level });
      const { scope } = await getTokens(options);
      const silent = await options.browser.follow(
        authorizationRequest({ ...options, scope, params: { resource: mcp, prompt: "none" } }).url,
      );
      assert.ok(silent.url.searchParams.has("code"), `${silent.url}`);
      const more = await options.browser.follow(
        authorizationRequest({ ...options, params: { resource: mcp, prompt: "none" } }).url,
      );
      assert.equal(more.url.searchParams.get("error"), "consent_required");
      const page = await pageOf(options);
      assert.deepEqual(
        choicesOn(page).filter((choice) => choice.endsWith("checked")),
        [`${level} checked`],
      );
    }
    const options = await agent({ level: "write" });
    await getTokens(options);
    assert.ok((await options.browser.follow(authorizationRequest(options).url)).url.searchParams.has("code"));
    const page = await pageOf({ ...options, scope: `${ASKED} email` });
    assert.deepEqual(choicesOn(page), ["read", "draft", "write checked"]);
    assert.match(page.text, /Your e-mail address/);
  });

  test("a lower choice ends what the agent had, and counts from then on", async () => {
    const options = await agent({ level: "write" });
    const first = await getTokens(options);
    const asked = { resource: mcp, prompt: "consent" };
    const second = await getTokens({ ...options, params: asked, level: "read" });
    assert.equal(second.scope, "posts:read users:read");
    assert.equal(await stored(first.access_token), null);
    assert.equal((await refresh(options.clientId, first.refresh_token)).body.error, "invalid_grant");
    assert.notEqual(await stored(second.access_token), null);
    assert.deepEqual(choicesOn(await pageOf(options)), ["read checked", "draft", "write"], "asked once more");
    // A request for less is no choice of less.
    const higher = await getTokens({ ...options, level: "draft" });
    await getTokens({ ...options, scope: "posts:read email", level: "read" });
    assert.notEqual(await stored(higher.access_token), null);
  });

  test("a privileged scope is never in what an agent of an administrator gets", async () => {
    const options = await agent({ scope: `openid ${ASKED} admin`, level: "write" }, "operator");
    const page = await pageOf(options);
    assert.match(page.text, /will not get:<\/p>\s*<ul[^>]*><li>Administer people/);
    assert.doesNotMatch(page.text, /an administrator\./);
    const { scope } = await getTokens(options);
    assert.doesNotMatch(scope, /admin/);
    assert.match(scope, /posts:write/);
  });

  test("without a door: an agent by its redirects is asked so too; GraphQL alone, and what somebody checked, is not", async () => {
    const unnamed = await agent({ params: {} });
    assert.equal(choicesOn(await pageOf(unnamed)).length, 3);
    assert.equal((await getTokens({ ...unnamed, level: "read" })).scope, "posts:read users:read");
    const base = await agent({ params: { resource: `${server.issuer}/` } });
    assert.equal((await getTokens(base)).scope, "posts:read users:read posts:draft");
    for (const usual of [
      await agent({ params: { resource: `${server.issuer}/graphql` } }),
      await agent({ params: {} }, "operator"),
      await agent({ params: {}, redirectUri: SPA_CALLBACK }),
    ]) {
      const page = await pageOf(usual);
      assert.match(page.text, /access to your account\?/);
      assert.deepEqual(choicesOn(page), []);
      assert.equal((await getTokens({ ...usual, level: "read" })).scope, ASKED, "a level means nothing there");
    }
    const signIn = await pageOf(await agent({ scope: "openid email" }));
    assert.deepEqual(choicesOn(signIn), [], "nothing to choose about");
  });

  test("a pushed request, and a device", async () => {
    const options = await agent({ level: "read" });
    const { url, verifier } = authorizationRequest(options);
    const pushed = await fetch(`${server.issuer}/par`, { method: "POST", body: url.searchParams });
    const { request_uri } = (await pushed.json()) as { request_uri: string };
    const start = new URL(
      `${server.issuer}/authorize?${new URLSearchParams({ client_id: options.clientId, request_uri })}`,
    );
    const page = await options.browser.submit(await options.browser.follow(start), "/sign-in", ada);
    const end = await options.browser.submit(page, "/consent", { decision: "approve", level: "read" });
    const code = end.url.searchParams.get("code") ?? "";
    const { body } = await requestToken(server.issuer, exchange(options, code, verifier));
    assert.equal(body.scope, "posts:read users:read");

    await server.addClient({
      id: "tv",
      redirectUris: [],
      grantTypes: [DEVICE_GRANT, "refresh_token"],
      origin: "registration",
    });
    const params = { client_id: "tv", scope: "posts:read posts:write", resource: mcp };
    const asked = await fetch(`${server.issuer}/device/auth`, { method: "POST", body: new URLSearchParams(params) });
    const device = (await asked.json()) as { device_code: string; user_code: string; verification_uri: string };
    const { browser } = options;
    const codePage = await browser.follow(device.verification_uri);
    const confirm = await browser.submit(codePage, "/device", { user_code: device.user_code });
    const consent = await browser.submit(confirm, "/device", { confirm: "yes" });
    assert.match(consent.text, /On another device/);
    await browser.submit(consent, "/consent", { decision: "approve", level: "draft" });
    const polled = { grant_type: DEVICE_GRANT, client_id: "tv", device_code: device.device_code };
    const tokens = await requestToken(server.issuer, polled);
    assert.deepEqual([tokens.status, tokens.body.scope], [200, "posts:read posts:draft"], JSON.stringify(tokens.body));
  });

  test("denied: nothing is remembered, and the client is told", async () => {
    const options = await agent();
    const { answer } = await authorize({ ...options, decision: "deny" });
    assert.equal(answer.get("error"), "access_denied");
    assert.equal(choicesOn(await pageOf(options)).length, 3);
    assert.deepEqual(
      (await consentsOf(options.clientId)).map(({ result }) => result),
      ["denied"],
    );
  });

  test("a form from elsewhere, or of another browser, chooses nothing", async () => {
    const options = await agent();
    const page = await pageOf(options);
    const { action, hidden } = formOf(page, "/consent");
    const send = (browser: Browser, csrf: string) =>
      browser.follow(action, {
        method: "POST",
        body: new URLSearchParams({ ...hidden, csrf, decision: "approve", level: "write" }),
      });
    assert.equal((await send(options.browser, "x")).response.status, 400);
    assert.equal((await send(new Browser(), hidden.csrf ?? "")).response.status, 400);
    assert.deepEqual(await consentsOf(options.clientId), []);
  });
});

describe("A15 consents stand by themselves", () => {
  test("two clients that call themselves Claude", async () => {
    const [one, other] = [await agent({ level: "write" }), await agent()];
    await getTokens(one);
    assert.equal(choicesOn(await pageOf({ ...other, browser: one.browser })).length, 3);
  });

  test("the doors of one client", async () => {
    const options = await agent({ level: "write" });
    await getTokens(options);
    for (const params of [{}, { resource: `${server.issuer}/graphql` }]) {
      const page = await pageOf({ ...options, params });
      assert.match(page.text, /name="decision"/, JSON.stringify(params));
    }
    await getTokens({ ...options, params: {}, level: "read" });
    const silent = await options.browser.follow(authorizationRequest(options).url);
    assert.ok(silent.url.searchParams.has("code"), "what was agreed to for /mcp stays");
  });

  test("what was agreed to for GraphQL alone is no choice for an agent", async () => {
    const graphql = { resource: `${server.issuer}/graphql` };
    const options = await agent({ params: {} });
    const first = await getTokens({ ...options, params: graphql });
    assert.equal(first.scope, ASKED);
    const silent = { ...options, params: { prompt: "none" } };
    const refused = await options.browser.follow(authorizationRequest(silent).url);
    assert.equal(refused.url.searchParams.get("error"), "consent_required");
    assert.deepEqual(choicesOn(await pageOf(options)), ["read", "draft checked", "write"]);
    assert.equal((await getTokens({ ...options, level: "write" })).scope, ASKED);
    assert.notEqual(await stored(first.access_token), null, "what it had for GraphQL goes on");
    assert.ok((await options.browser.follow(authorizationRequest(silent).url)).url.searchParams.has("code"));

    const lower = await agent({ params: {} });
    await getTokens({ ...lower, level: "draft" });
    await getTokens({ ...lower, params: graphql });
    assert.deepEqual(choicesOn(await pageOf(lower)), ["read", "draft checked", "write"], "more since the choice");
    assert.equal((await getTokens({ ...lower, level: "draft" })).scope, "posts:read users:read posts:draft");
  });

  test("who answers for the name, and what is certain about it", async () => {
    const registered = await pageOf(await agent({ redirectUri: CLAUDE }));
    assert.match(registered.text, /Not checked by <bdi>Example/);
    assert.match(registered.text, /Returns to <bdi>claude\.ai/);
    assert.doesNotMatch(registered.text, /Any program on your computer|says that this is/);
    const local = await pageOf(await agent());
    assert.match(local.text, /Not checked by <bdi>Example/);
    assert.match(local.text, /Any program on your computer can say that it is <bdi>Claude/);
    const operators = await pageOf(await agent({}, "operator"));
    assert.doesNotMatch(operators.text, /Not checked by/);
  });

  test("the account page says what each agent may do, until its access ends", async () => {
    const options = await agent({ level: "draft", email: "bob@example.com" });
    const { browser } = await getTokens(options);
    const page = await browser.follow(`${server.issuer}/account`);
    assert.match(page.text, /<bdi>Claude<\/bdi><\/strong> <span class="tag">Agent: read and write drafts<\/span>/);
    assert.match(page.text, /<li>Write drafts<\/li>/);
  });
});
