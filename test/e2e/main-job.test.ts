import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { openTestApp, type TestApp } from "../app.ts";
import { openBrowser, type TestBrowser } from "../browser.ts";
import { runJson } from "../command.ts";
import { freePort } from "../port.ts";
import { postTo } from "../subscriber.ts";
import { livedTime } from "../timing.ts";
import { startExample } from "./example.ts";
import { ADA, becomeAdministrator, openVisitor, signIn, type Visitor } from "./visitor.ts";

describe("the main job, as a new user walks it", () => {
  let app: TestApp;
  let chromium: TestBrowser;
  let visitor: Visitor;
  before(async () => {
    [app, chromium] = await Promise.all([openTestApp(), openBrowser()]);
    visitor = await openVisitor(chromium.browser);
  });
  after(async () => {
    await chromium?.close();
    await app?.close();
  });

  test("start page, set-up link, first administrator; the link works once", async () => {
    const { page } = visitor;
    await page.goto(app.config.BASE_URL);
    await page.getByText("one-time set-up link").waitFor();
    assert.ok(app.setUpUrl);
    await becomeAdministrator(page, app.setUpUrl);
    const again = await page.goto(app.setUpUrl);
    assert.ok(again !== null && again.status() >= 400, `status ${again?.status()}`);
    assert.equal(await page.getByLabel("Password").count(), 0);
  });

  test("client from the command line → sign-in → consent → query → createPost → the post in the answer", async () => {
    const { page } = visitor;
    const port = await freePort();
    const address = `http://localhost:${port}/`;
    const client = await runJson<{ client_id: string }>(
      ["client", "create", "--name", "Posts page", "--public", "--redirect-uri", address].concat([
        "--post-logout-redirect-uri",
        address,
      ]),
      app.environment,
    );
    const example = await startExample("spa/serve.js", {
      ISSUER: app.config.AUTH_URL,
      API: app.config.BASE_URL,
      CLIENT_ID: client.client_id,
      PORT: String(port),
    });
    try {
      await page.goto(example.url);
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await page.getByText("Posts page asks you to sign in").waitFor();
      await signIn(page, "not the password at all");
      await page.getByRole("alert").waitFor();
      await signIn(page);

      await page.getByRole("heading", { name: "Allow Posts page access to your account?" }).waitFor();
      await page.getByText(ADA.email).waitFor();
      await page.getByText("Create, change and delete your posts").waitFor();
      await page.getByRole("button", { name: "Allow" }).click();

      await page.getByLabel("Title").fill("From the <page>");
      await page.getByLabel("Text").fill("Zwei Zeilen\nund ein 🙂");
      await page.getByRole("button", { name: "Publish" }).click();
      await page.getByText("Published.").waitFor();
      const article = page.getByRole("article").first();
      assert.equal(await article.getByRole("heading").textContent(), "From the <page>");
      assert.match((await article.textContent()) ?? "", /Zwei Zeilen\nund ein 🙂.*Ada Lovelace/s);

      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByRole("heading", { name: "Sign out?" }).waitFor();
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.waitForURL(`${address}**`);
      await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
      assert.equal(await page.getByRole("article").count(), 0);
    } finally {
      await example.close();
    }
    assert.deepEqual([...visitor.hosts].sort(), [new URL(address).host, new URL(app.config.BASE_URL).host].sort());
    assert.deepEqual(visitor.complaints, []);
  });

  test("explorer: sign-in → posts → createPost → the post in the answer → sign-out → refused", async () => {
    const explorer = await openVisitor(chromium.browser);
    const { page } = explorer;
    const run = page.getByRole("button", { name: "Execute query" });
    const answer = page.locator(".result-window .CodeMirror-code");
    async function openTab(name: string, content: string): Promise<void> {
      await page.getByRole("button", { name, exact: true }).click();
      await page.getByRole("region", { name: "Query Editor" }).getByText(content).waitFor();
      // GraphiQL looks for the operation's name a tenth of a second after a change, and sends the old one until then.
      await setTimeout(1_500);
    }
    await page.goto(`${app.config.BASE_URL}/graphql`);

    await page.getByRole("button", { name: "Show Documentation Explorer" }).click();
    await page.getByRole("link", { name: "Mutation" }).waitFor();
    await run.click();
    await page.getByText("Sign in to run this.").waitFor();
    await answer.getByText("UNAUTHENTICATED").waitFor();

    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await signIn(page);
    // The explorer is the operator's own client: nobody is asked to agree.
    await page.getByText(ADA.name).waitFor();
    assert.equal(page.url(), `${app.config.BASE_URL}/graphql`);

    await openTab("CreatePost", "mutation CreatePost");
    await run.click();
    await answer.getByText("createPost").waitFor();
    await answer.getByText('"Hello"').waitFor();
    await openTab("Posts", "query Posts");
    await run.click();
    await answer.getByText('"posts"').waitFor();
    await answer.getByText('"Hello"').waitFor();

    await page.reload();
    await page.getByText(ADA.name).waitFor();
    const token = await page.evaluate(
      () => JSON.parse(sessionStorage.getItem("explorer.session") ?? "{}").accessToken as string,
    );
    assert.equal(await ask(app, token), 200);

    const subscription = encodeURIComponent("subscription { postEvents { type post { title } } }");
    await page.goto(`${app.config.BASE_URL}/graphql?query=${subscription}`);
    await page.getByText(ADA.name).waitFor();
    await run.click();
    while (!/^graphql_subscriptions 1$/m.test(await (await fetch(`${app.url}/metrics`)).text())) await setTimeout(50);
    for (const title of ["heard", "heard too"]) {
      await postTo(app.url, token, `mutation { createPost(input: { title: "${title}", body: "" }) { id } }`);
      await answer.getByText(`"${title}"`).waitFor();
    }

    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign out?" }).waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("The explorer is signed out.").waitFor();
    for (const began = livedTime(); (await ask(app, token)) !== 401; await setTimeout(20))
      assert.ok(livedTime() - began < 1_000, "refused within a second of the revocation");
    assert.equal(await page.evaluate(() => sessionStorage.getItem("explorer.session")), null);

    assert.deepEqual([...explorer.hosts], [new URL(app.config.BASE_URL).host]);
    assert.deepEqual(explorer.complaints, []);
    await explorer.close();
  });

  test("explorer: a token that has ended says so", async () => {
    const { page, close } = await openVisitor(chromium.browser);
    await page.goto(`${app.config.BASE_URL}/graphql#sign-in`);
    await signIn(page);
    await page.getByText(ADA.name).waitFor();
    await page.evaluate(() => {
      const session = JSON.parse(sessionStorage.getItem("explorer.session") ?? "{}");
      sessionStorage.setItem("explorer.session", JSON.stringify({ ...session, accessToken: "gone" }));
    });
    await page.getByRole("button", { name: "Execute query" }).click();
    await page.getByText("The explorer's access has ended.").waitFor();
    // The session at the server lives on, so one click is enough.
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByText(ADA.name).waitFor();
    await close();
  });

  test("explorer: an answer with a wrong state or from another issuer is not taken", async () => {
    const { page, close } = await openVisitor(chromium.browser);
    const callback = `${app.config.BASE_URL}/explorer/callback`;
    await page.goto(`${callback}?code=x&state=y&iss=${encodeURIComponent(app.config.AUTH_URL)}`);
    await page.getByText("not started in this tab").waitFor();
    await page.evaluate(() => sessionStorage.setItem("explorer.request", '{"state":"y","verifier":"v"}'));
    await page.goto(`${callback}?code=x&state=y&iss=https%3A%2F%2Fevil.example`);
    await page.getByText("The answer came from another server.").waitFor();
    await page.evaluate(() => sessionStorage.setItem("explorer.request", '{"state":"y","verifier":"v"}'));
    await page.goto(`${callback}?code=x&state=y&iss=${encodeURIComponent(app.config.AUTH_URL)}`);
    await page.getByRole("heading", { name: "You are not signed in" }).waitFor();
    await page.getByRole("link", { name: "Back to the explorer" }).click();
    await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
    await close();
  });
});

async function ask(app: TestApp, token: string): Promise<number> {
  const response = await fetch(`${app.config.BASE_URL}/graphql`, {
    method: "POST",
    headers: {
      accept: "application/graphql-response+json",
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ query: "{ posts { id } }" }),
  });
  return response.status;
}
