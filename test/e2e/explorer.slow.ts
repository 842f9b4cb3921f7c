import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { openTestApp, type TestApp } from "../app.ts";
import { LOOKS, styleOf, violations } from "../axe.ts";
import { openBrowser, type TestBrowser } from "../browser.ts";
import { runJson } from "../command.ts";
import { later } from "../security/authorization-server.ts";
import { ADA, becomeAdministrator, openVisitor, signIn } from "./visitor.ts";

/** What GraphiQL nests wrongly, and we cannot change. */
const NESTING: readonly RegExp[] = [
  // Each tab of the editor holds a button with its name and another that closes it.
  /^nested-interactive (?:\.graphiql-tab|li:nth-child)/,
  // CodeMirror's field stands beside what it scrolls.
  /^scrollable-region-focusable [^:]*\.CodeMirror-scroll(?:\[[^\]]*\])?:/,
];

describe("the explorer", () => {
  let app: TestApp;
  let chromium: TestBrowser;
  before(async () => {
    [app, chromium] = await Promise.all([
      openTestApp({ ACCESS_TOKEN_TTL: "3h" }, { now: () => Date.now() }),
      openBrowser(),
    ]);
    const visitor = await openVisitor(chromium.browser);
    assert.ok(app.setUpUrl);
    await becomeAdministrator(visitor.page, app.setUpUrl);
    await visitor.close();
  });
  after(async () => {
    await chromium?.close();
    await app?.close();
  });

  async function open(page: Page, query = ""): Promise<void> {
    await page.goto(`${app.config.BASE_URL}/graphql${query}`);
    await page.getByRole("region", { name: "Query Editor" }).waitFor();
  }

  async function openSignedIn(page: Page): Promise<void> {
    await page.goto(`${app.config.BASE_URL}/graphql#sign-in`);
    await signIn(page);
    await page.getByText(ADA.name).waitFor();
  }

  test("A50 after sign-out the session has ended: the next sign-in asks for the password", async () => {
    const { page, complaints, close } = await openVisitor(chromium.browser);
    await openSignedIn(page);
    const token = await page.evaluate(
      () => JSON.parse(sessionStorage.getItem("explorer.session") ?? "{}").accessToken as string,
    );
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign out?" }).waitFor();
    const userinfo = await fetch(`${app.config.AUTH_URL}/userinfo`, { headers: { authorization: `Bearer ${token}` } });
    assert.equal(userinfo.status, 401, "the token has ended, whatever the person chooses now");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText(/The explorer is signed out/).waitFor();
    assert.equal(page.url(), `${app.config.BASE_URL}/graphql`);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByLabel("Password").waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

  test("A50 a person who stays signed in reads that the session goes on", async () => {
    const { page, close } = await openVisitor(chromium.browser);
    await openSignedIn(page);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Stay signed in" }).click();
    await page.getByText(/unless you chose to stay signed in/).waitFor();
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByText(ADA.name).waitFor();
    await close();
  });

  test("A50 a link with a made-up state does not say that anybody is signed out", async () => {
    const { page, close } = await openVisitor(chromium.browser);
    await openSignedIn(page);
    await open(page, "?state=made-up");
    await page.getByText(ADA.name).waitFor();
    assert.equal(await page.getByText(/is signed out/).count(), 0);
    await close();
  });

  test("an administrator has the administration fields, another person has not", async () => {
    const query = `?query=${encodeURIComponent("{ accounts(first: 1) { nodes { email } } }")}`;
    const visitor = await openVisitor(chromium.browser);
    await openSignedIn(visitor.page);
    await open(visitor.page, query);
    await visitor.page.getByText("Ada Lovelace (administrator)").waitFor();
    await visitor.page.getByRole("button", { name: "Execute query" }).click();
    await visitor.page.locator(".result-window").getByText(`"${ADA.email}"`).waitFor();
    await visitor.close();

    const bob = { email: "bob@example.com", name: "Bob Member", password: "seven calm badgers dig a well" };
    await runJson(
      ["user", "create", "--email", bob.email, "--name", bob.name, "--password-stdin"],
      app.environment,
      bob.password,
    );
    const { page, close } = await openVisitor(chromium.browser);
    await page.goto(`${app.config.BASE_URL}/graphql#sign-in`);
    await page.getByLabel("E-mail address").fill(bob.email);
    await page.getByLabel("Password").fill(bob.password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByText(bob.name, { exact: true }).waitFor();
    await open(page, query);
    await page.getByRole("button", { name: "Execute query" }).click();
    await page
      .locator(".result-window")
      .getByText(/FORBIDDEN/)
      .waitFor();
    await close();
  });

  test("U61 a change that needs a recent sign-in leads to one, and then works", async () => {
    const { page, close } = await openVisitor(chromium.browser);
    await openSignedIn(page);
    const carol = ["user", "create", "--email", "carol@example.com", "--name", "Carol"];
    const { id } = await runJson<{ id: string }>(carol, app.environment);
    const query = `mutation { resetSecondStep(id: "${id}") { account { email } } }`;
    const run = async () => {
      await open(page, `?query=${encodeURIComponent(query)}`);
      await page.getByRole("button", { name: "Execute query" }).click();
    };
    await later(3_700, async () => {
      await run();
      await page.getByText("This needs a sign-in within the last hour. Sign in again.", { exact: true }).waitFor();
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await signIn(page);
      await page.getByText(ADA.name).waitFor();
      await run();
      await page.locator(".result-window").getByText("carol@example.com").waitFor();
    });
    await close();
  });

  test("WCAG 2.1.2: Tab indents in an editor; Esc, then Tab or Shift-Tab leaves it", async () => {
    const { page, close } = await openVisitor(chromium.browser, { viewport: { width: 1280, height: 900 } });
    await open(page);
    const editor = page.getByRole("region", { name: "Query Editor" }).locator(".CodeMirror textarea").first();
    const isInEditor = () => page.evaluate<boolean>("document.activeElement.closest('.CodeMirror') !== null");
    assert.equal(await editor.getAttribute("aria-describedby"), "keys");
    for (const leave of ["Tab", "Shift+Tab"]) {
      await editor.focus();
      await page.keyboard.press("Tab");
      assert.equal(await isInEditor(), true, "Tab alone stays");
      await page.keyboard.press("Escape");
      await page.keyboard.press(leave);
      assert.equal(await isInEditor(), false, `Esc, ${leave}`);
    }
    await editor.focus();
    await page.keyboard.press("Escape");
    await page.keyboard.type("a");
    await page.keyboard.press("Tab");
    assert.equal(await isInEditor(), true, "Esc counts for the next key only");
    await close();
  });

  test("the documentation opens by its address, and says which scopes a field needs", async () => {
    const { page, close } = await openVisitor(chromium.browser, { viewport: { width: 1280, height: 900 } });
    await open(page, "?docs");
    const documentation = page.getByRole("region", { name: "Documentation Explorer" });
    await documentation.getByRole("link", { name: "Mutation" }).click();
    await documentation.getByRole("link", { name: "createPost", exact: true }).click();
    await documentation.getByText("Scope: posts:write").first().waitFor();
    await close();
  });

  test("forced colours: the button that runs a query, the panes and the tabs keep an edge", async () => {
    const { page, close } = await openVisitor(chromium.browser, { forcedColors: "active" });
    await open(page);
    for (const part of ["execute-button", "editors", "response", "tab-active"]) {
      assert.equal(await styleOf(page.locator(`.graphiql-${part}`), "border-top-style"), "solid", part);
    }
    await close();
  });

  for (const [look, options] of Object.entries(LOOKS)) {
    test(`axe finds nothing but GraphiQL's own nesting, in ${look}`, async () => {
      const { page, close } = await openVisitor(chromium.browser, options);
      await open(page);
      await page.getByRole("button", { name: "Show Documentation Explorer" }).click();
      await page.getByRole("link", { name: "Mutation" }).waitFor();
      const found = new Set(await violations(page));
      await page.goto(`${app.config.BASE_URL}/explorer/callback`);
      await page.getByRole("heading", { name: "You are not signed in" }).waitFor();
      for (const violation of await violations(page)) found.add(violation);
      await close();
      assert.deepEqual(
        [...found].filter((violation) => !NESTING.some((known) => known.test(violation))),
        [],
      );
    });
  }
});
