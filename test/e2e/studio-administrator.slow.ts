import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { openReceiver, type Receiver } from "../events/receiver.ts";
import { enter, openStudioApp, type StudioApp } from "./studio-app.ts";
import { ADA, openVisitor, type Visitor } from "./visitor.ts";

const BEN = { name: "Ben Okri", email: "ben@example.com", password: "seven slow barges under a bridge" };
const WIDE = { locale: "en-GB", viewport: { width: 1280, height: 900 } };

/** One browser of the administrator and one of a person, from the account to its end: each part goes on where the one before ended. */
describe("S99 an administrator's whole day, without a terminal", () => {
  let studio: StudioApp;
  let receiver: Receiver;
  let ada: Visitor;
  let ben: Visitor;
  let page: Page;

  before(async () => {
    // Behind a proxy there is no mailbox at localhost: this server sends no mail, and shows links.
    const settings = {
      RATE_LIMIT_TOKEN: "off",
      HOST: "127.0.0.1",
      TRUST_PROXY: "127.0.0.1",
      PRIVATE_HOSTS: "127.0.0.1",
    };
    [studio, receiver] = await Promise.all([openStudioApp(settings), openReceiver()]);
    const { browser } = studio.chromium;
    [ada, ben] = await Promise.all([
      openVisitor(browser, { ...WIDE, acceptDownloads: true }),
      openVisitor(browser, WIDE),
    ]);
    page = ada.page;
    await page.goto(address());
    await enter(page);
    await heading("Posts");
  });
  after(async () => {
    await ada?.close();
    await ben?.close();
    await studio?.close();
    await receiver?.close();
  });

  const address = (path = "/") => `${studio.app.config.BASE_URL}/studio${path}`;
  const heading = (name: string | RegExp, on: Page = page) => on.getByRole("heading", { name, level: 1 }).waitFor();
  const rows = () => page.locator("table.rows tbody tr");
  const dialog = () => page.getByRole("dialog");
  const section = (name: string) => page.getByRole("region", { name });

  /** Goes to a page by the navigation. */
  async function go(name: string): Promise<void> {
    await page.getByRole("navigation", { name: "Studio" }).getByRole("link", { name, exact: true }).click();
    await heading(name);
  }

  test("the pages are in the navigation, and open without another sign-in", async () => {
    for (const name of ["People", "Clients", "Agents", "Webhooks", "Audit", "Health", "Mails", "Settings"])
      await go(name);
  });

  test("a person gets an account, and is no administrator", async () => {
    await go("People");
    await page.getByRole("link", { name: "Add person" }).click();
    await page.getByRole("radio", { name: "Create the account" }).check();
    await page.getByRole("textbox", { name: "E-mail address" }).fill(BEN.email);
    await page.getByRole("textbox", { name: "Name", exact: true }).fill(BEN.name);
    await page.getByRole("button", { name: "Create account" }).click();
    const link = await page.getByLabel(`Link for ${BEN.name}`).inputValue();
    await ben.page.goto(link);
    await ben.page.locator("input[type=password]").first().fill(BEN.password);
    await ben.page.getByRole("button").first().click();
    await ben.page.getByText("Your password is changed").waitFor();
    await ben.page.goto(address("/people"));
    await enter(ben.page, BEN);
    await heading("This is for administrators", ben.page);
    assert.equal(await ben.page.getByText("Administration", { exact: true }).count(), 0);
    await page.getByRole("link", { name: "Open the account" }).click();
    await heading(BEN.name);
  });

  test("the person's role changes, and their browser knows", async () => {
    await page.getByRole("button", { name: "Change role" }).click();
    await dialog()
      .getByRole("radio", { name: /^Editor/ })
      .check();
    await dialog().getByRole("button", { name: "Change role" }).click();
    await page.getByText("The role of Ben Okri is now Editor.").waitFor();
    await ben.page.goto(address("/posts"));
    await heading("Posts", ben.page);
    await ben.page.locator(".person-name", { hasText: "Editor" }).waitFor();
  });

  test("a webhook hears of the person's post; a call that failed is sent again", async () => {
    receiver.answer = (response) => response.writeHead(500).end("no room left");
    await go("Webhooks");
    await page.getByRole("link", { name: "New webhook" }).click();
    await page.getByRole("textbox", { name: "URL" }).fill(receiver.url);
    await page.getByRole("button", { name: "Create webhook" }).click();
    await heading("The webhook is ready");
    await ben.page.goto(address("/posts/new"));
    await ben.page.getByRole("textbox", { name: "Title" }).fill("Nine quiet herons");
    await ben.page.locator(".cm-content").click();
    await ben.page.keyboard.insertText("They came in the evening.");
    await ben.page.waitForURL(/\/posts\/[0-9a-f-]{36}$/);
    await ben.page.keyboard.press("Control+Enter");
    await ben.page.getByRole("button", { name: "Publish now" }).click();
    await ben.page.getByRole("button", { name: "Done" }).click();
    await receiver.until(1);
    receiver.answer = (response) => response.writeHead(204).end();
    await page.getByRole("navigation", { name: "Studio" }).getByRole("link", { name: "Webhooks", exact: true }).click();
    await dialog().getByRole("button", { name: "I have it" }).click();
    await heading("Webhooks");
    await rows().getByRole("link").first().click();
    await rows().getByRole("link", { name: "post.published" }).first().click();
    await heading("post.published");
    await page.getByText("no room left").first().waitFor();
    await page.getByRole("button", { name: "Send again" }).click();
    await page.getByText("Delivered, 204").waitFor();
  });

  test("a client is registered, and its page leads to its audit, which becomes a file", async () => {
    await go("Clients");
    await page.getByRole("link", { name: "New client" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Reading list");
    await page.getByLabel("Redirect URIs", { exact: true }).fill("https://books.example.com/callback");
    await page.getByRole("button", { name: "Create client" }).click();
    await heading("Reading list is registered");
    await page.getByRole("link", { name: "Open client" }).click();
    await dialog().getByRole("button", { name: "I have it" }).click();
    await page.getByRole("link", { name: "Audit of this client" }).click();
    await rows().filter({ hasText: "created" }).waitFor();
    await page.getByRole("button", { name: "Export" }).click();
    const downloading = page.waitForEvent("download");
    await dialog().getByRole("button", { name: "Save file" }).click();
    const csv = readFileSync(await (await downloading).path(), "utf8");
    assert.ok(csv.includes("Reading list") && csv.includes(ADA.name), csv);
    await dialog().waitFor({ state: "detached" });
  });

  test("the keys are rotated, and health says what needs attention", async () => {
    await go("Settings");
    await page.getByRole("button", { name: "Signing keys" }).click();
    const keys = page.locator("section", { has: page.getByRole("heading", { name: "Signing keys" }) });
    const count = await keys.locator("tbody tr").count();
    await keys.getByRole("button", { name: "Rotate keys" }).click();
    await dialog().getByRole("button", { name: "Rotate keys" }).click();
    await keys.locator("tbody tr").nth(count).waitFor();
    await go("Health");
    await page.getByRole("heading", { name: "In order", level: 2 }).waitFor();
  });

  test("the palette finds the person, who is locked out of a browser that is open", async () => {
    await page.keyboard.press("Control+K");
    await dialog().getByRole("combobox").fill("Ben");
    await page.getByRole("option", { name: /Ben Okri/ }).waitFor();
    await page.getByRole("option", { name: /Ben Okri/ }).click();
    await heading(BEN.name);
    await page.getByRole("button", { name: "Lock out" }).click();
    await dialog().getByRole("button", { name: "Lock out" }).click();
    await page.getByText("Locked out", { exact: false }).first().waitFor();
    await ben.page.goto(address("/posts"));
    await ben.page.getByRole("button", { name: "Sign in" }).or(ben.page.getByLabel("Password")).first().waitFor();
    await section("Latest in the audit").getByText("made editor").waitFor();
  });

  test("no page broke its own policy", () => assert.deepEqual([...ada.complaints, ...ben.complaints], []));
});
