import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Auth, type AuthConfig } from "@auth/core";
import { openTestApp, type TestApp } from "../app.ts";
import { runJson } from "../command.ts";
import { Browser, walk } from "../security/client.ts";

const PASSWORD = "seventeen tall birches";
const SITE = "http://localhost:9";
const REDIRECT_URI = `${SITE}/auth/callback/ours`;

let app: TestApp;
let clientId: string;
let clientSecret: string;
before(async () => {
  app = await openTestApp();
  const person = ["user", "create", "--email", "ada@example.com", "--name", "Ada", "--password-stdin"];
  await runJson(person, app.environment, PASSWORD);
  const args = ["client", "create", "--name", "A site", "--redirect-uri", REDIRECT_URI];
  const client = await runJson<{ client_id: string; client_secret: string }>(args, app.environment);
  clientId = client.client_id;
  clientSecret = client.client_secret;
});
after(() => app.close());

test("Auth.js, as a site would use it, signs a person in and knows who it is", async () => {
  const config: AuthConfig = {
    basePath: "/auth",
    secret: "a secret of the site, which is long enough",
    trustHost: true,
    providers: [{ id: "ours", name: "Ours", type: "oidc", issuer: app.config.AUTH_URL, clientId, clientSecret }],
    logger: { error: (error) => assert.fail(error) },
  };
  const cookies = new Map<string, string>();
  /** One request of the person's browser to the site. */
  async function site(path: string, form?: Record<string, string>): Promise<Response> {
    const headers = { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") };
    const body = form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) };
    const response = await Auth(new Request(new URL(path, SITE), { headers, ...body }), config);
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return response;
  }

  const { csrfToken } = (await (await site("/auth/csrf")).json()) as { csrfToken: string };
  const start = await site("/auth/signin/ours", { csrfToken, callbackUrl: `${SITE}/home` });
  const authorize = start.headers.get("location") ?? "";
  assert.match(authorize, /^http:\/\/localhost:\d+\/authorize\?/);
  const browser = new Browser();
  const end = await walk(browser, await browser.follow(authorize), {
    issuer: app.config.AUTH_URL,
    clientId,
    redirectUri: REDIRECT_URI,
    email: "ada@example.com",
    password: PASSWORD,
  });
  assert.ok(end.left, end.text.slice(-500));
  const back = await site(end.url.pathname + end.url.search);
  assert.equal(back.headers.get("location"), `${SITE}/home`);
  const session = (await (await site("/auth/session")).json()) as { user?: { name?: string; email?: string } };
  assert.deepEqual([session.user?.name, session.user?.email], ["Ada", "ada@example.com"]);
});
