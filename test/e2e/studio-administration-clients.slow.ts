import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import type { TestApp } from "../app.ts";
import { LOOKS, violations } from "../axe.ts";
import { enter, openStudioApp, type StudioApp } from "./studio-app.ts";
import { ADA, openVisitor, type Visitor } from "./visitor.ts";

const WIDE = { width: 1280, height: 900 };

describe("clients and the audit, for administrators", () => {
  let studio: StudioApp;
  let app: TestApp;
  let visitor: Visitor;
  let page: Page;
  let clientId = "";
  let secret = "";

  before(async () => {
    const settings = { RATE_LIMIT_TOKEN: "off", CLIENTS_BY: "people" };
    studio = await openStudioApp(settings);
    app = studio.app;
    visitor = await openVisitor(studio.chromium.browser, { locale: "en-GB", viewport: WIDE });
    page = visitor.page;
    await page.goto(address("/clients"));
    const heading = page.getByRole("heading", { name: "Clients", level: 1 });
    await enter(page);
    await heading.waitFor();
  });
  after(async () => {
    await visitor?.close();
    await studio?.close();
  });

  const address = (path = "") => `${app.config.BASE_URL}/studio${path}`;
  const rows = () => page.locator("table.rows tbody tr");
  const dialog = () => page.getByRole("dialog");

  /** What the token endpoint answers to the client with this secret. */
  async function tokenStatus(id: string, withSecret: string): Promise<number> {
    const { token_endpoint: url } = (await (
      await fetch(`${app.config.AUTH_URL}/.well-known/openid-configuration`)
    ).json()) as { token_endpoint: string };
    const answer = await fetch(url, {
      method: "POST",
      headers: { authorization: `Basic ${btoa(`${id}:${withSecret}`)}` },
      body: new URLSearchParams({ grant_type: "client_credentials", scope: "posts:read" }),
    });
    return answer.status;
  }

  test("S67 a client is registered by keyboard, its URIs are judged while they are typed, and its secret is shown once", async () => {
    await page.getByRole("link", { name: "New client" }).click();
    await page.getByLabel("Name", { exact: true }).focus();
    await page.keyboard.type("Nightly job");
    await page.getByRole("button", { name: "Create client" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("needs at least one redirect URI").waitFor();
    await page.locator('textarea:focus[aria-invalid="true"]').waitFor();
    await page.keyboard.type("app.example.com/cb");
    await page.getByText("Begin with https://, such as https://app.example.com/cb").waitFor();
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type("https://app.example.com/cb\nhttp://localhost:3000/cb");
    await page.getByText("localhost and 127.0.0.1 are two hosts").waitFor();
    await page.getByText("Begin with https://").waitFor({ state: "detached" });
    await page.getByLabel("Act for itself").focus();
    await page.keyboard.press("Space");
    await page.getByLabel("Administer people").waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Nightly job is registered" }).waitFor();
    secret = await page.getByLabel("Client secret").inputValue();
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download client.env" }).click();
    const file = readFileSync(await (await downloading).path(), "utf8");
    clientId = /CLIENT_ID=(.+)\n/.exec(file)?.[1] ?? "";
    assert.ok(file.includes(`CLIENT_SECRET=${secret}\n`) && clientId !== "");
    assert.equal(await tokenStatus(clientId, secret), 200);
    const command = async (words: string) => {
      await page.keyboard.press("ControlOrMeta+K");
      await page.getByRole("combobox", { name: /^Search posts/ }).fill(words);
      await page.keyboard.press("Enter");
    };
    for (const leave of [() => page.goBack(), () => command("Sign out"), () => command("New post")]) {
      await leave();
      await dialog().getByText("Do you have the secret?").waitFor();
      await dialog().getByRole("button", { name: "Stay here" }).click();
      await dialog().waitFor({ state: "detached" });
    }
    assert.equal(await page.getByLabel("Client secret").inputValue(), secret);
    await page.getByRole("link", { name: "Open client" }).click();
    await dialog().getByRole("button", { name: "I have it" }).click();
    await page.waitForURL(new RegExp(`/clients/${clientId}$`));
    await page.getByRole("heading", { name: "Nightly job" }).waitFor();
    assert.equal(await page.getByText(secret).count(), 0);
  });

  test("S75 S77 settings are edited, and what the server rejects stands at its field", async () => {
    const save = page.getByRole("button", { name: "Save settings" });
    assert.equal(await save.getAttribute("aria-disabled"), "true");
    await page.getByLabel("Name", { exact: true }).fill("Nightly report");
    await page.getByText("More settings").click();
    await page.getByLabel("URL to call when a person signs out").fill("http://app.example.com/out");
    await save.click();
    await page.getByText("must use https").waitFor();
    await page.locator('input[type="url"]:focus').waitFor();
    await page.getByRole("link", { name: "Clients", exact: true }).first().click();
    await dialog().getByText("Leave without saving?").waitFor();
    await dialog().getByRole("button", { name: "Stay here" }).click();
    await page.getByLabel("URL to call when a person signs out").fill("");
    await page.getByLabel("Its authorization requests must be pushed").check();
    await save.click();
    await page.getByText("The settings are saved.").waitFor();
    await page.getByRole("heading", { name: "Nightly report", level: 1 }).waitFor();
    await page.reload();
    await page.getByText("More settings").click();
    assert.equal(await page.getByLabel("Its authorization requests must be pushed").isChecked(), true);
    assert.equal(await page.getByLabel("Name", { exact: true }).inputValue(), "Nightly report");
  });

  test("S76 a second secret works beside the first, the first is ended, and replacing ends all", async () => {
    const secrets = page.getByRole("region", { name: "Secrets" });
    await secrets.getByText("The only one").waitFor();
    await secrets.getByRole("button", { name: "Add secret" }).click();
    const second = await secrets.getByLabel("New client secret").inputValue();
    assert.deepEqual(await Promise.all([secret, second].map((one) => tokenStatus(clientId, one))), [200, 200]);
    await secrets.getByRole("button", { name: `End secret …${secret.slice(-4)}` }).click();
    await dialog().getByText("rejected within a second").waitFor();
    await dialog().getByRole("button", { name: "End secret" }).click();
    await page.getByText("The secret is ended.").waitFor();
    await secrets.getByText(/^Ended/).waitFor();
    assert.deepEqual(await Promise.all([secret, second].map((one) => tokenStatus(clientId, one))), [401, 200]);
    await secrets.getByRole("button", { name: "Replace all" }).click();
    await dialog().getByRole("button", { name: "Replace all" }).click();
    await dialog().waitFor({ state: "detached" });
    // Its file has the secret that is shown now.
    const downloading = page.waitForEvent("download");
    await secrets.getByRole("button", { name: "Download client.env" }).click();
    const file = readFileSync(await (await downloading).path(), "utf8");
    const shown = await secrets.getByLabel("New client secret").inputValue();
    assert.equal(file, `CLIENT_ID=${clientId}\nCLIENT_SECRET=${shown}\n`);
    assert.notEqual(shown, second);
    secret = shown;
    assert.deepEqual(await Promise.all([second, secret].map((one) => tokenStatus(clientId, one))), [401, 200]);
  });

  test("S67 a client is disabled, let in again, and its tokens are ended", async () => {
    await page.getByRole("button", { name: "Disable client" }).click();
    await dialog().getByRole("button", { name: "Disable client" }).click();
    await page.getByText(/^Disabled since/).waitFor();
    assert.equal(await tokenStatus(clientId, secret), 401);
    await page.getByRole("button", { name: "Enable client" }).click();
    await page.getByRole("button", { name: "Disable client" }).waitFor();
    assert.equal(await tokenStatus(clientId, secret), 200);
    await page.getByRole("button", { name: "End all tokens" }).click();
    await dialog().getByRole("button", { name: "End all tokens" }).click();
    await page.getByText("All tokens of the client are ended.").waitFor();
  });

  test("S67 the list is filtered in the URL, and Back shows it again", async () => {
    await page.getByRole("link", { name: "Clients", exact: true }).first().click();
    await dialog().getByRole("button", { name: "I have it" }).click();
    await rows().filter({ hasText: "Nightly report" }).waitFor();
    assert.ok((await rows().count()) >= 3, "the studio, the explorer and ours");
    await page.getByLabel("Name", { exact: true }).fill("night");
    await page.waitForURL(/\?q=night$/);
    await rows().nth(1).waitFor({ state: "detached" });
    await page.getByLabel("Origin").selectOption("Operator");
    await page.waitForURL(/\?q=night&origin=operator$/);
    await page.getByRole("link", { name: "Nightly report" }).click();
    await page.getByRole("heading", { name: "Nightly report" }).waitFor();
    await page.goBack();
    await page.waitForURL(/\?q=night&origin=operator$/);
    await rows().filter({ hasText: "Nightly report" }).waitFor();
    await page.getByLabel("Owner").fill(ADA.email);
    await page.waitForURL(/owner=[0-9a-f-]{36}/);
    await page.getByRole("heading", { name: "No clients" }).waitFor();
    await page.getByRole("link", { name: "Clear filters" }).click();
    await page.getByRole("link", { name: "Studio" }).first().waitFor();
  });

  test("S67 clients that cannot be edited say why", async () => {
    await page.goto(address("/clients/studio"));
    await page.getByText("belongs to the program").waitFor();
    assert.equal(await page.getByRole("button", { name: "Save settings" }).count(), 0);
    assert.equal(await page.getByRole("button", { name: "Delete client" }).count(), 0);
    // The id of a client that describes itself is a URL.
    await page.goto(address(`/clients/${encodeURIComponent("https://app.example.com/client.json")}`));
    await page.getByRole("heading", { name: "There is no such client" }).waitFor();
  });

  test("S90 the audit of the client is one click away, each entry opens, and its links filter", async () => {
    await page.goto(address(`/clients/${clientId}`));
    await page.getByRole("link", { name: "Audit of this client" }).click();
    await page.waitForURL(new RegExp(`/audit\\?client=${clientId}$`));
    const created = rows().filter({ hasText: "created" });
    await created.waitFor();
    assert.match((await created.textContent()) ?? "", /Client changed.*created.*OK.*Ada Lovelace.*Nightly report/);
    const opener = created.getByRole("button");
    await opener.focus();
    await page.keyboard.press("Enter");
    await dialog().getByText(ADA.email).waitFor();
    await dialog().getByText(clientId, { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await created.locator("button:focus").waitFor();
    await page.getByLabel("Result").selectOption("Refused");
    await page.waitForURL(/result=refused/);
    await rows().filter({ hasText: "invalid_client" }).first().waitFor();
    await rows().first().getByRole("button").click();
    await dialog().locator("dd", { hasText: "127.0.0.1" }).getByRole("link").click();
    await page.waitForURL(/\/audit\?ip=127\.0\.0\.1$/);
    await page.getByLabel("IP address").waitFor();
    await page.getByLabel("Person").fill("nobody@example.com");
    await page.getByText("Nobody here has the e-mail address nobody@example.com.").waitFor();
    await page.getByLabel("Person").fill(ADA.email);
    await page.waitForURL(/person=[0-9a-f-]{36}/);
    await rows().filter({ hasText: "Sign-in" }).first().waitFor();
  });

  test("S91 what is filtered becomes CSV and JSON lines", async () => {
    await page.goto(address("/clients/new"));
    await page.getByLabel("Name", { exact: true }).fill('=HYPERLINK("x")');
    await page.getByLabel("Redirect URIs", { exact: true }).fill("https://a.example/cb");
    await page.getByRole("button", { name: "Create client" }).click();
    await page.getByRole("link", { name: "Open client" }).click();
    await dialog().getByRole("button", { name: "I have it" }).click();
    await page.waitForURL(/\/clients\/[0-9a-f]+$/);
    const id = new URL(page.url()).pathname.split("/").at(-1);
    await page.goto(address(`/audit?client=${id}`));
    await rows().first().waitFor();
    const save = async (format: string) => {
      await page.getByRole("button", { name: "Export" }).click();
      await dialog().getByLabel(format).check();
      const downloading = page.waitForEvent("download");
      await dialog().getByRole("button", { name: "Save file" }).click();
      const download = await downloading;
      await dialog().waitFor({ state: "detached" });
      return [download.suggestedFilename(), readFileSync(await download.path(), "utf8")] as const;
    };
    // Cancelled while the server thinks: no file.
    const files: string[] = [];
    page.on("download", (download) => files.push(download.suggestedFilename()));
    let goOn = () => {};
    const held = new Promise<void>((done) => {
      goOn = done;
    });
    await page.route("**/graphql", async (route) => {
      await held;
      await route.continue().catch(() => undefined);
    });
    await page.getByRole("button", { name: "Export" }).click();
    await dialog().getByRole("button", { name: "Save file" }).click();
    await dialog().getByText("0 entries so far").waitFor();
    await dialog().getByRole("button", { name: "Cancel" }).click();
    await dialog().waitFor({ state: "detached" });
    goOn();
    await page.unroute("**/graphql");
    const [name, csv] = await save("CSV");
    assert.deepEqual(files, [name]);
    assert.match(name, /^audit-\d{4}-\d\d-\d\d\.csv$/);
    assert.ok(csv.startsWith("\ufeffat,event,result,detail,"));
    assert.ok(csv.includes(`,"'=HYPERLINK(""x"")",`), csv);
    const [, lines] = await save("JSON lines");
    const entry = JSON.parse(lines.split("\n")[0] ?? "") as Record<string, unknown>;
    assert.deepEqual([entry.client_name, entry.event, entry.client_id], ['=HYPERLINK("x")', "client", id]);
    await page.getByText(/^1 entry saved as audit-.*jsonl/).waitFor();
  });

  /** Looks at what is open in all ways. */
  async function lookAt(what: string): Promise<void> {
    for (const [look, { colorScheme = null, forcedColors = null, viewport = null }] of Object.entries(LOOKS)) {
      await page.emulateMedia({ colorScheme, forcedColors });
      await page.setViewportSize(viewport ?? WIDE);
      assert.deepEqual(await violations(page), [], `${what} in ${look}`);
      const overflow = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
      assert.ok(overflow <= 0, `${what} is ${overflow} px too wide in ${look}`);
      const { SHOTS } = process.env;
      if (SHOTS !== undefined)
        await page.screenshot({ path: `${SHOTS}${what}-${look.replace(/\W+/g, "-")}.png`, fullPage: true });
    }
    await page.emulateMedia({ colorScheme: null, forcedColors: null });
    await page.setViewportSize(WIDE);
  }

  test("S97 S98 axe finds nothing in the audit, and nothing is too wide", async () => {
    await page.goto(address(`/audit?event=client`));
    await rows().first().waitFor();
    await lookAt("audit");
    await rows().first().getByRole("button").click();
    await dialog().waitFor();
    await lookAt("audit-entry");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Export" }).click();
    await dialog().waitFor();
    await lookAt("audit-export");
  });

  test("S97 S98 axe finds nothing in the pages of clients, and nothing is too wide", async () => {
    await page.goto(address("/clients"));
    await rows().first().waitFor();
    await lookAt("clients");
    await page.getByRole("link", { name: "New client" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Another");
    await page.getByLabel("Redirect URIs", { exact: true }).fill("https://*.example.com/cb\nhttp://localhost/cb");
    await page.getByText("Wildcards are not possible").waitFor();
    await page.getByText("More settings").click();
    await lookAt("clients-new");
    await page.goto(address(`/clients/${clientId}`));
    await page.getByRole("button", { name: "Delete client" }).waitFor();
    await lookAt("client");
  });

  test("S75 deleting asks for the name, goes to the list, and cannot be used any more", async () => {
    await page.goto(address(`/clients/${clientId}`));
    await page.getByRole("button", { name: "Delete client" }).click();
    await dialog().getByRole("button", { name: "Delete client" }).click();
    await dialog().getByText("Type “Nightly report” first.").waitFor();
    await dialog().getByRole("textbox").fill("Nightly report");
    await page.keyboard.press("Enter");
    await page.getByText("“Nightly report” is deleted.").waitFor();
    await page.waitForURL(/\/clients$/);
    await rows().first().waitFor();
    await page.getByRole("link", { name: "Nightly report" }).waitFor({ state: "detached" });
    assert.equal(await tokenStatus(clientId, secret), 401);
  });

  test("S03 no page broke its own policy", () => assert.deepEqual(visitor.complaints, []));
});
