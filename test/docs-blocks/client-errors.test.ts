import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { openTestApp, type TestApp } from "../app.ts";
import { runCommand, runJson } from "../command.ts";
import { authorizationRequest, Browser, getTokens, requestToken } from "../security/client.ts";
import { ROOT } from "./blocks.ts";

const PASSWORD = "seventeen tall birches";
const REDIRECT_URI = "https://app.example.com/callback";
const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

type Client = { client_id: string; client_secret: string };

/** Each test does what a page of docs/clients or docs/tasks warns of, and names the words of the page. */
describe("D05 errors that pages for clients name", () => {
  let app: TestApp;
  let publicId: string;
  let site: Client;
  before(async () => {
    app = await openTestApp();
    const person = ["user", "create", "--email", "ada@example.com", "--name", "Ada", "--password-stdin"];
    await runJson(person, app.environment, PASSWORD);
    publicId = (await create("--public", "--redirect-uri", REDIRECT_URI)).client_id;
    site = await create("--redirect-uri", REDIRECT_URI);
  });
  after(() => app.close());

  const create = (...more: string[]) =>
    runJson<Client>(["client", "create", "--name", "One", ...more], app.environment);
  const options = () => ({
    ...{ issuer: app.config.AUTH_URL, clientId: publicId, redirectUri: REDIRECT_URI, scope: "posts:read" },
    ...{ email: "ada@example.com", password: PASSWORD },
  });
  const pageHas = (page: string, words: string) =>
    assert.ok(readFileSync(join(ROOT, "docs", page), "utf8").includes(words), `docs/${page}: ${words}`);

  test("D05 another redirect URI ends at a page that says so", async () => {
    const { url } = authorizationRequest({ ...options(), redirectUri: `${REDIRECT_URI}/` });
    const { text, left } = await new Browser().follow(url);
    assert.equal(left, false);
    assert.match(text, /This redirect URI is not registered/);
    for (const name of ["nextjs", "react", "vue", "swift", "kotlin", "python", "curl"])
      pageHas(`clients/${name}.md`, "This redirect URI is not registered");
  });

  test("D05 a code or a refresh token that is used twice is invalid_grant", async () => {
    const { code, verifier, refresh_token } = await getTokens(options());
    const form = { grant_type: "refresh_token", refresh_token, client_id: publicId };
    assert.equal((await requestToken(app.config.AUTH_URL, form)).status, 200);
    assert.equal((await requestToken(app.config.AUTH_URL, form)).body.error, "invalid_grant");
    const again = { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI, code_verifier: verifier };
    const second = await requestToken(app.config.AUTH_URL, { ...again, client_id: publicId });
    assert.deepEqual([second.status, second.body.error], [400, "invalid_grant"]);
    for (const name of ["nextjs", "swift", "kotlin", "python", "go", "curl"])
      pageHas(`clients/${name}.md`, "invalid_grant");
  });

  test("D05 a missing scope is FORBIDDEN with scopes; so is createPost of a client without a person", async () => {
    const { access_token } = await getTokens(options());
    const refused = await createPost(access_token);
    assert.deepEqual([refused.status, refused.code, refused.scopes.includes("posts:write")], [403, "FORBIDDEN", true]);
    pageHas("clients/curl.md", "403 `FORBIDDEN` with `scopes`");

    const job = await create("--grant", "client_credentials", "--scope", "posts:read posts:write");
    const own = await requestToken(app.config.AUTH_URL, { grant_type: "client_credentials" }, basic(job));
    assert.equal((await createPost(own.body.access_token)).code, "FORBIDDEN");
    pageHas("clients/script.md", "`FORBIDDEN` from `createPost`");
  });

  test("D05 a wrong secret, a missing one and a grant that is not registered", async () => {
    const form = { grant_type: "client_credentials" };
    const wrong = await requestToken(app.config.AUTH_URL, form, basic({ ...site, client_secret: "wrong" }));
    const missing = await requestToken(app.config.AUTH_URL, { ...form, client_id: site.client_id });
    const other = await requestToken(app.config.AUTH_URL, form, basic(site));
    assert.deepEqual(
      [wrong, missing, other].map(({ status, body }) => `${status} ${body.error}`),
      ["401 invalid_client", "401 invalid_client", "400 unauthorized_client"],
    );
    pageHas("clients/script.md", "401 `invalid_client`");
    pageHas("clients/script.md", "400 `unauthorized_client`");
    pageHas("clients/go.md", '`oauth2: "invalid_client"`');
  });

  test("D05 a device that asks too often is told to slow down", async () => {
    const { client_id } = await create("--public", "--grant", "device_code", "--scope", "posts:read");
    const body = new URLSearchParams({ client_id, scope: "posts:read" });
    const asked = await fetch(`${app.config.AUTH_URL}/device/auth`, { method: "POST", body });
    const { device_code } = (await asked.json()) as { device_code: string };
    const poll = () => requestToken(app.config.AUTH_URL, { grant_type: DEVICE_GRANT, client_id, device_code });
    assert.equal((await poll()).body.error, "authorization_pending");
    assert.equal((await poll()).body.error, "slow_down");
    pageHas("clients/device.md", "`slow_down`");
  });

  test("D05 a scheme without a dot, and a webhook without https, are rejected", async () => {
    const scheme = ["client", "create", "--name", "App", "--public", "--redirect-uri", "posts:/callback"];
    const rejected = await runCommand(scheme, app.environment);
    assert.equal(rejected.code, 2);
    assert.match(rejected.stderr, /dot/);
    const webhook = await runCommand(["webhook", "create", "--url", "http://localhost:9000/hooks"], app.environment);
    assert.equal(webhook.code, 2);
    assert.match(webhook.stderr, /must use https/);
    pageHas("tasks/webhooks.md", "must use https");
  });

  const basic = ({ client_id, client_secret }: Client) => ({
    authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString("base64")}`,
  });

  async function createPost(token: string) {
    const response = await fetch(`${app.config.BASE_URL}/graphql`, {
      method: "POST",
      headers: {
        ...{ authorization: `Bearer ${token}`, "content-type": "application/json" },
        accept: "application/graphql-response+json",
      },
      body: JSON.stringify({ query: 'mutation { createPost(input: { title: "A", body: "b" }) { id } }' }),
    });
    const { errors } = (await response.json()) as { errors: { extensions: { code: string; scopes?: string[] } }[] };
    const { code = "", scopes = [] } = errors[0]?.extensions ?? {};
    return { status: response.status, code, scopes };
  }
});
