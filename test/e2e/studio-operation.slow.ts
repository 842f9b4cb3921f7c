import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import type { TestApp } from "../app.ts";
import { LOOKS, violations } from "../axe.ts";
import { runJson } from "../command.ts";
import { type MailServer, openMailServer, replied } from "../mail/mail-server.ts";
import { raw, stateless } from "../mcp/raw-client.ts";
import { createToken } from "../subscriber.ts";
import { enter, openStudioApp, type StudioApp } from "./studio-app.ts";
import { ADA, openVisitor, type Visitor } from "./visitor.ts";

/** The mail server knows nobody of this name, until it does. */
const NOBODY = "nobody@example.com";
const PATHS = ["/health", "/settings?find=rate", "/mails", "/agents"];

describe("the pages about the running server, in the studio", () => {
  let app: TestApp;
  let mailServer: MailServer;
  let studio: StudioApp;
  let visitor: Visitor;
  let page: Page;
  let isNobodyKnown = false;
  /** Calls a tool as the agent. @returns its structured answer */
  let call: (name: string, more: Record<string, unknown>) => Promise<{ id: string }>;

  before(async () => {
    mailServer = await openMailServer({
      disabledCommands: ["STARTTLS"],
      onRcptTo: ({ address }, _session, done) =>
        address === NOBODY && !isNobodyKnown ? done(replied(550, "5.1.1 No such person")) : done(),
    });
    const settings = {
      ...{ RATE_LIMIT_TOKEN: "off", CLIENTS_BY: "people", REVISION_DAYS: "100" },
      ...{ SMTP_URL: `smtp://ada:s3cret%20pass@127.0.0.1:${mailServer.port}`, MAIL_FROM: "accounts@localhost" },
    };
    studio = await openStudioApp(settings);
    app = studio.app;
    visitor = await openVisitor(studio.chromium.browser, { locale: "en-GB", viewport: { width: 1280, height: 900 } });
    page = visitor.page;
    const create = ["client", "create", "--name", "Quill", "--redirect-uri", "https://quill.example.com/"];
    const { client_id: client } = await runJson<{ client_id: string }>(create, app.environment);
    const token = await createToken(app.environment, { user: ADA.email, client });
    call = async (name, args) => {
      const { headers, body } = stateless("tools/call", { name, arguments: args });
      const request = {
        headers: { ...headers, authorization: `Bearer ${token}` },
        ...(body !== undefined && { body }),
      };
      const answer = await raw(`${app.config.BASE_URL}/mcp`, request);
      assert.equal(answer.status, 200, answer.body);
      return JSON.parse(answer.body).result.structuredContent;
    };
    await page.goto(address("/health"));
    await enter(page);
    await page.getByRole("heading", { name: "Health", level: 1 }).waitFor();
  });
  after(async () => {
    await visitor?.close();
    await studio?.close();
    await mailServer?.close();
  });

  const address = (path = "") => `${app.config.BASE_URL}/studio${path}`;
  const rows = () => page.locator("table.rows tbody tr");

  /** Opens a page by the navigation, without loading the studio again. */
  async function visit(name: string): Promise<void> {
    await page.getByRole("navigation").getByRole("link", { name, exact: true }).click();
    await page.getByRole("heading", { name, level: 1 }).waitFor();
  }

  test("S92 health names what needs attention first, with advice, and what is in order", async () => {
    await page.getByRole("heading", { name: "In order" }).waitFor();
    const order = await page.locator("main h1, main h2").allTextContents();
    // PostgreSQL is backed up by its own means, which health does not see.
    if (process.env.TEST_STORE !== "postgres") {
      assert.deepEqual(order, ["Health", "Needs attention", "In order"]);
      await page.locator(".problem", { hasText: "Backup" }).getByText("Warning").waitFor();
      await page.getByText("Make a backup with").waitFor();
    }
    await page.locator(".checks", { hasText: "Database" }).waitFor();
    assert.match((await page.locator(".lead").textContent()) ?? "", /Checked at \d/);
    assert.equal(await page.title(), "Health · Content API");
  });

  test("S92 findings stay where a request fails, and the page goes on asking while it is seen", async () => {
    const isHealth = (url: URL) => url.pathname === "/graphql";
    await page.route(isHealth, (route) => route.abort());
    await page.getByRole("button", { name: "Check now" }).click();
    await page.getByRole("alert").getByText("What you see may be old.").waitFor();
    await page.getByRole("heading", { name: "In order" }).waitFor();
    const before = await page.locator(".lead time").getAttribute("datetime");
    await page.unroute(isHealth);
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))"); // as on coming back to the tab
    await page.getByRole("alert").waitFor({ state: "detached" });
    await page.locator(`.lead time:not([datetime="${before}"])`).waitFor();
  });

  test("S68 settings are found by name and by what was set, with their line, and secrets stay hidden", async () => {
    await visit("Settings");
    await rows().nth(50).waitFor();
    await page.getByRole("searchbox", { name: "Find" }).fill("revision_d");
    await page.waitForURL(/\/settings\?find=revision_d$/);
    const row = rows().filter({ hasText: "REVISION_DAYS=100" });
    await row.getByText("From the environment").waitFor();
    await row.getByText(/Default: \d+/).waitFor();
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await row.getByRole("button", { name: "Copy REVISION_DAYS" }).click();
    await row.getByText("Copied").waitFor();
    assert.equal(await page.evaluate("navigator.clipboard.readText()"), "REVISION_DAYS=100");
    await page.getByRole("searchbox", { name: "Find" }).fill("");
    await page.getByRole("combobox", { name: "Show" }).selectOption("set");
    await page.waitForURL(/\/settings\?source=set$/);
    await rows().filter({ hasText: "SMTP_URL=" }).waitFor();
    const all = (await page.locator("main").textContent()) ?? "";
    assert.ok(!all.includes("s3cret") && all.includes("********"));
    await page.getByRole("searchbox", { name: "Find" }).fill("no such thing");
    await page.getByRole("button", { name: "Show all settings" }).click();
    await page.waitForURL(/\/settings$/);
  });

  test("S68 signing keys are rotated by keyboard, once", async () => {
    await page.getByRole("button", { name: "Signing keys" }).press("Enter");
    const keys = page.locator("section", { has: page.getByRole("heading", { name: "Signing keys" }) });
    assert.equal(await keys.locator("tbody tr").count(), 2);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Rotate signing keys" });
    await dialog.getByRole("checkbox", { name: "A key has leaked: withdraw the old keys now" }).waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByText("The new keys are published, and sign later.").waitFor();
    await dialog.waitFor({ state: "detached" });
    assert.equal(await keys.getByText("Published, signs later").count(), 2);
    await page.locator("main button:focus", { hasText: "Rotate keys" }).waitFor();
    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "Rotate keys" }).click();
    await dialog.getByRole("alert").waitFor();
    await page.keyboard.press("Escape");
  });

  test("mails: a test mail, why one failed, and sending it again", async () => {
    await visit("Mails");
    await page.getByRole("heading", { name: "No mails yet" }).waitFor();
    await page.getByRole("button", { name: "Send a test mail" }).click();
    const dialog = page.getByRole("dialog", { name: "Send a test mail" });
    const field = dialog.getByLabel("E-mail address");
    await field.fill("nobody");
    await page.keyboard.press("Enter");
    await dialog.getByText("This is not a valid e-mail address.").waitFor();
    assert.equal(await field.getAttribute("aria-invalid"), "true");
    await field.fill(NOBODY);
    await page.keyboard.press("Enter");
    await page.getByText(`The mail to ${NOBODY} is on its way.`).waitFor();
    const row = rows().filter({ hasText: NOBODY });
    await row.getByText("Failed", { exact: true }).waitFor(); // the list looks again while a mail waits
    await row.getByText(/1 attempt\. Last: .*550/).waitFor();
    await page.getByRole("combobox", { name: "State" }).selectOption("FAILED");
    await page.waitForURL(/\/mails\?state=FAILED$/);
    isNobodyKnown = true;
    await row.getByRole("button", { name: `Send again to ${NOBODY}` }).click();
    await page.getByText("The mail is on its way again").waitFor();
    await row
      .getByText("Waits")
      .or(page.getByRole("heading", { name: "No mails in this state" }))
      .waitFor();
    await page.getByRole("combobox", { name: "State" }).selectOption("");
    await row.getByText("Sent", { exact: true }).waitFor();
    assert.equal(mailServer.mails.at(-1)?.to[0], NOBODY);
  });

  test("agents: one is stopped and let in again, then all", async () => {
    await call("create_draft", { title: "A heron", body: "By the mill", key: "heron" });
    await visit("Agents");
    const row = rows().filter({ hasText: "Quill" });
    await row.getByText(ADA.name).waitFor();
    assert.match((await row.textContent()) ?? "", /May act.*just now1/);
    await row.getByRole("button", { name: "Stop Quill" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Stop agent" }).click();
    await page.getByText("“Quill” is stopped.").waitFor();
    await row.getByText("Stopped").waitFor();
    await row.getByRole("button", { name: "Let in again Quill" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Let agent in" }).click();
    await row.getByText("May act").waitFor();

    await page.getByRole("button", { name: "Stop all agents" }).click();
    const dialog = page.getByRole("dialog", { name: "Stop all agents" });
    await dialog.getByText("People and other clients go on.").waitFor();
    await dialog.getByRole("button", { name: "Stop all agents" }).click();
    await page.getByText("All agents are stopped, since").waitFor();
    await page.getByRole("button", { name: "Let agents in again" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Let agents in" }).click();
    await page.getByText("Agents may act again.").waitFor();
    await page.getByRole("button", { name: "Stop all agents" }).waitFor();
  });

  test("agents: what one changed is looked at first, then taken back", async () => {
    const { id } = await call("create_draft", { title: "A bittern", body: "In the reeds", key: "bittern" });
    assert.ok(id);
    await page.getByRole("button", { name: "Take back changes of Quill" }).click();
    const dialog = page.getByRole("dialog", { name: "Take back changes of “Quill”" });
    const since = dialog.getByLabel("Changes since");
    const usual = await since.inputValue();
    await since.fill("2030-01-01T00:00");
    await dialog.getByRole("button", { name: "See what would happen" }).click();
    await dialog.getByText("This time has not come yet.").waitFor();
    await since.fill(usual);
    await since.press("Enter");
    await dialog.getByText("2 posts that the agent created are deleted.").waitFor();
    // Another question needs another look.
    await dialog.getByRole("radio", { name: "Everybody who uses this agent" }).check();
    await dialog.getByRole("button", { name: "See what would happen" }).click();
    await dialog.getByRole("button", { name: "Take changes back" }).click();
    await page.getByText("The changes of 2 posts are taken back.").waitFor();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Take back changes of Quill" }).click();
    await dialog.getByRole("button", { name: "See what would happen" }).click();
    await dialog.getByText("The agent changed no post in this time.").waitFor();
    await page.keyboard.press("Escape");
  });

  test("S09 the palette finds people and clients for administrators, by their names", async () => {
    await page.keyboard.press("Control+k");
    const options = page.getByRole("dialog").getByRole("option");
    await page.keyboard.insertText("ada lo");
    await options.filter({ hasText: ADA.name }).getByText("Person").waitFor();
    await page.getByRole("combobox").fill("qui");
    await options.filter({ hasText: "Quill" }).getByText("Client").waitFor();
    await page.keyboard.press("Escape");
  });

  for (const [look, { colorScheme = null, forcedColors = null, viewport = null }] of Object.entries(LOOKS))
    test(`S97 S98 axe finds nothing, and nothing is cut off, in ${look}`, async () => {
      await page.emulateMedia({ colorScheme, forcedColors });
      if (viewport !== null) await page.setViewportSize(viewport);
      for (const path of PATHS) {
        await page.goto(address(path));
        await page.locator("main .rows tbody tr, main .checks").first().waitFor();
        assert.deepEqual(await violations(page), [], path);
        const overflow = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
        assert.ok(overflow <= 0, `${path} is wider than the screen by ${overflow} px`);
      }
    });

  test("S03 no page broke its own policy", () => assert.deepEqual(visitor.complaints, []));
});
