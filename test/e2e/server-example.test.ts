import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openTestApp, type TestApp } from "../app.ts";
import { openBrowser, type TestBrowser } from "../browser.ts";
import { runJson } from "../command.ts";
import { freePort } from "../port.ts";
import { type Example, startExample } from "./example.ts";
import { ADA, becomeAdministrator, openVisitor, signIn, type Visitor } from "./visitor.ts";

/** Seconds. The example renews a token ten seconds before its end, so with this one it does on every page. */
const ACCESS_TOKEN_TTL = "10";

interface Credentials {
  readonly client_id: string;
  readonly client_secret: string;
}

describe("the server example", () => {
  let app: TestApp;
  let chromium: TestBrowser;
  let site: Example;
  let client: Credentials;
  let visitor: Visitor;
  before(async () => {
    [app, chromium] = await Promise.all([openTestApp({ ACCESS_TOKEN_TTL }), openBrowser()]);
    visitor = await openVisitor(chromium.browser);
    assert.ok(app.setUpUrl);
    await becomeAdministrator(visitor.page, app.setUpUrl);
    const port = await freePort();
    const address = `http://localhost:${port}/`;
    const command = ["client", "create", "--name", "Posts site", "--confidential"];
    command.push("--redirect-uri", `${address}callback`, "--post-logout-redirect-uri", address);
    client = await runJson<Credentials>(command, app.environment);
    site = await startExample("server/server.js", {
      ISSUER: app.config.AUTH_URL,
      API: app.config.BASE_URL,
      CLIENT_ID: client.client_id,
      CLIENT_SECRET: client.client_secret,
      PORT: String(port),
    });
  });
  after(async () => {
    await site?.close();
    await chromium?.close();
    await app?.close();
  });

  test("sign-in, consent, the person's posts, a new one, and no token in the browser", async () => {
    const { page } = visitor;
    await page.goto(site.url);
    await page.getByRole("link", { name: "Sign in" }).click();
    await signIn(page);
    await page.getByRole("button", { name: "Allow" }).click();
    await page.getByText(`Signed in as ${ADA.name}`).waitFor();
    await publish("First <one>");
    assert.match((await page.getByRole("listitem").first().textContent()) ?? "", /^First <one> \d{4}-\d\d-\d\d$/);

    const cookies = (await page.context().cookies(site.url)).filter((cookie) => cookie.name === "posts_site");
    assert.equal(cookies.length, 1);
    assert.equal(cookies[0]?.httpOnly, true);
    assert.equal(cookies[0]?.sameSite, "Lax");
    assert.equal(await page.evaluate(() => sessionStorage.length + localStorage.length), 0);
  });

  test("expired tokens are renewed, by requests at once too", async () => {
    const cookie = await sessionCookie();
    const pages = await Promise.all(
      Array.from({ length: 5 }, async () => (await fetch(site.url, { headers: { cookie } })).text()),
    );
    for (const page of pages) assert.match(page, /First &lt;one&gt;/);
    await publish("Second");
    assert.deepEqual(
      (await visitor.page.getByRole("listitem").allTextContents()).map((text) => text.slice(0, 6)),
      ["Second", "First "],
    );
  });

  test("a form from another site changes nothing", async () => {
    const response = await fetch(new URL("posts", site.url), {
      method: "POST",
      headers: { cookie: await sessionCookie(), origin: "https://evil.example" },
      body: new URLSearchParams({ title: "Forged", body: "x" }),
    });
    assert.equal(response.status, 403);
    await visitor.page.reload();
    assert.equal(await visitor.page.getByText("Forged").count(), 0);
  });

  test("the API's refusal is shown", async () => {
    const response = await fetch(new URL("posts", site.url), {
      method: "POST",
      headers: { cookie: await sessionCookie(), origin: new URL(site.url).origin },
      body: new URLSearchParams({ title: "", body: "x" }),
    });
    assert.equal(response.status, 502);
    assert.match(await response.text(), /role="alert">That did not work: /);
  });

  test("sign-out ends the session here and there", async () => {
    const { page } = visitor;
    const cookie = await sessionCookie();
    await page.goto(site.url);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign out?" }).waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL(`${site.url}**`);
    await page.getByRole("link", { name: "Sign in" }).waitFor();
    assert.doesNotMatch(await (await fetch(site.url, { headers: { cookie } })).text(), /Signed in as/);
    await page.getByRole("link", { name: "Sign in" }).click();
    await page.getByLabel("Password").waitFor();
    assert.deepEqual(visitor.complaints, []);
    assert.deepEqual([...visitor.hosts].sort(), [new URL(site.url).host, new URL(app.config.BASE_URL).host].sort());
  });

  async function publish(title: string): Promise<void> {
    const { page } = visitor;
    await page.getByLabel("Title").fill(title);
    await page.getByLabel("Text").fill("Some text.");
    await page.getByRole("button", { name: "Publish" }).click();
    await page.getByText(title).waitFor();
  }

  async function sessionCookie(): Promise<string> {
    const cookies = await visitor.page.context().cookies(site.url);
    return `posts_site=${cookies.find((cookie) => cookie.name === "posts_site")?.value}`;
  }
});
