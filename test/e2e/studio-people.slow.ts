import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { parseId } from "../../src/domain/id.ts";
import { openStore } from "../../src/storage/open.ts";
import type { TestApp } from "../app.ts";
import { LOOKS, violations } from "../axe.ts";
import { runCommand, runJson } from "../command.ts";
import { enter, openStudioApp, type StudioApp } from "./studio-app.ts";
import { ADA, openVisitor, type Visitor } from "./visitor.ts";

const BEN = { name: "Ben Okri", email: "ben@example.com", password: "seven slow barges under a bridge" };

describe("people in the studio", () => {
  let studio: StudioApp;
  let app: TestApp;
  let visitor: Visitor;
  let page: Page;
  let guest: Visitor;
  let benId: string;

  before(async () => {
    // Behind a proxy there is no mailbox at localhost: this server sends no mail, and shows links.
    const settings = { RATE_LIMIT_TOKEN: "off", CLIENTS_BY: "people", HOST: "127.0.0.1", TRUST_PROXY: "127.0.0.1" };
    studio = await openStudioApp(settings);
    app = studio.app;
    visitor = await openVisitor(studio.chromium.browser, { locale: "en-GB", viewport: { width: 1280, height: 900 } });
    page = visitor.page;
    await page.goto(address("/people"));
    await enter(page);
    await page.getByRole("heading", { name: "People", level: 1 }).waitFor();
  });
  after(async () => {
    await guest?.close();
    await visitor?.close();
    await studio?.close();
  });

  const address = (path = "") => `${app.config.BASE_URL}/studio${path}`;
  const rows = () => page.locator("table.rows tbody tr");
  const section = (name: string) => page.getByRole("region", { name });
  const dialog = () => page.getByRole("dialog");

  async function typeBensPassword(on = guest.page, password = BEN.password): Promise<void> {
    await on.getByRole("textbox", { name: "E-mail address" }).fill(BEN.email);
    await on.getByLabel("Password").fill(password);
    await on.getByRole("button", { name: "Sign in", exact: true }).click();
  }

  async function signInAsBen(): Promise<void> {
    await guest.page.goto(`${app.config.AUTH_URL}/account`);
    await typeBensPassword();
    await guest.page.getByText(BEN.email).first().waitFor();
  }

  test("S65 an account is made by keyboard, and its person chooses a password with the link that is shown once", async () => {
    await page.getByRole("link", { name: "Add person" }).focus();
    await page.keyboard.press("Enter");
    await page.locator("h1:focus", { hasText: "Add a person" }).waitFor();
    await page.getByRole("radio", { name: "Invite" }).focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Tab");
    await page.keyboard.type("ben");
    await page.keyboard.press("Enter");
    await page.getByText("Type an e-mail address such as ada@example.com.").waitFor();
    await page.getByText("Type the name of the person.").waitFor();
    await page.locator("input[type=email]:focus").waitFor();
    await page.keyboard.press("End");
    await page.keyboard.type("@example.com");
    await page.keyboard.press("Tab");
    await page.keyboard.type(BEN.name);
    await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.locator("h2:focus", { hasText: `${BEN.name} has an account` }).waitFor();
    const link = await page.getByLabel(`Link for ${BEN.name}`).inputValue();

    guest = await openVisitor(studio.chromium.browser, { locale: "en-GB" });
    await guest.page.goto(link);
    await guest.page.locator("input[type=password]").first().fill(BEN.password);
    await guest.page.getByRole("button").first().click();
    await guest.page.getByText("Your password is changed").waitFor();
    await signInAsBen();
    await page.getByRole("link", { name: "Open the account" }).click();
    await page.locator("h1:focus", { hasText: BEN.name }).waitFor();
    benId = page.url().slice(-36);
  });

  test("S65 the list finds by the beginning of a name or address, by role and by state; Back brings the rows", async () => {
    await page.getByRole("link", { name: "People" }).first().click();
    await rows().nth(1).waitFor();
    const [newest = "", oldest = ""] = await rows().allTextContents();
    assert.match(newest, /Ben Okri.*ben@example\.com.*Editor.*Active.*(?:just now|ago).*Off/);
    assert.match(oldest, /Ada Lovelace.*You.*Administrator.*Active/);
    await page.getByLabel("Search", { exact: true }).fill("BEN@");
    await page.waitForURL(/\/people\?q=BEN%40$/);
    await rows().filter({ hasText: "Ada" }).waitFor({ state: "detached" });
    await rows().filter({ hasText: BEN.name }).waitFor();
    await page.getByLabel("Role").selectOption({ label: "Administrator" });
    await page.getByRole("heading", { name: "Nobody found" }).waitFor();
    await page.getByRole("link", { name: "Show everybody" }).click();
    await rows().nth(1).waitFor();
    await page.getByLabel("Role").selectOption({ label: "Editor" });
    await page.waitForURL(/\/people\?role=EDITOR$/);
    await rows().nth(1).waitFor({ state: "detached" });
    await page.getByRole("link", { name: BEN.name }).click();
    await page.locator("h1:focus", { hasText: BEN.name }).waitFor();
    await page.goBack();
    await page.locator(`#person-${benId}:focus`).waitFor();
  });

  test("S65 an invitation is shown once, sent again and withdrawn; a second one for the address is an error of its field", async () => {
    await page.goto(address("/people/new?role=ADMIN"));
    await page.getByRole("radio", { name: "Administrator" }).and(page.locator(":checked")).waitFor();
    await page.getByRole("textbox", { name: "E-mail address" }).fill("cleo@example.com");
    await page.getByRole("button", { name: "Invite" }).click();
    await page.getByRole("heading", { name: "cleo@example.com is invited" }).waitFor();
    const first = await page.getByLabel("Link for cleo@example.com").inputValue();
    await page.getByRole("button", { name: "Add another person" }).click();
    await page.getByRole("textbox", { name: "E-mail address" }).fill("Cleo@example.com");
    await page.getByRole("button", { name: "Invite" }).click();
    await page.locator("input[type=email][aria-invalid=true]").waitFor();
    assert.match((await page.locator(".field-error").textContent()) ?? "", /invitation/);
    await page.getByRole("link", { name: "Cancel" }).click();
    await page.getByRole("link", { name: "Invitations" }).click();
    await page.waitForURL(/view=invitations$/);
    const row = rows().filter({ hasText: "cleo@example.com" });
    await row.getByText("Open", { exact: true }).waitFor();
    await row.getByRole("button", { name: "Send again" }).click();
    const second = await page.getByLabel("Link for cleo@example.com").inputValue();
    assert.ok(second.startsWith("http") && second !== first);
    await row.getByRole("button", { name: "Withdraw" }).click();
    await dialog().getByText("stop working immediately").waitFor();
    await dialog().getByRole("button", { name: "Withdraw invitation" }).click();
    await row.getByText("Withdrawn", { exact: true }).waitFor();
    assert.equal(await page.getByLabel("Link for cleo@example.com").count(), 0);
    assert.equal(await row.getByRole("button").count(), 0);
  });

  test("S66 the page of a person changes the role, and ends sessions and the access of clients", async () => {
    const token = ["token", "create", "--user", BEN.email, "--client", "explorer", "--scope", "posts:read posts:write"];
    await runJson(token, app.environment);
    await page.goto(address(`/people/${benId}`));
    await section("Browsers that are signed in").getByText("Chrome").waitFor();
    await page.getByRole("button", { name: "Change role" }).click();
    await dialog().getByRole("radio", { name: "Administrator" }).check();
    await dialog().getByText("A mail tells the person").waitFor();
    await dialog().getByRole("radio", { name: "Member" }).check();
    await dialog().getByRole("button", { name: "Change role" }).click();
    await page.getByText("The role of Ben Okri is now Member.").waitFor();
    await page.getByRole("button", { name: "Change role" }).and(page.locator(":focus")).waitFor();
    await page.getByText("Member · Active").waitFor();
    await section("Latest in the audit").getByText("made member").waitFor();

    const clients = section("Clients that may act for this person");
    await clients.getByText("Create, change and delete your posts").waitFor();
    await clients.getByRole("button", { name: "Withdraw the access of" }).first().click();
    await dialog().getByRole("button", { name: "Withdraw access" }).click();
    await clients.getByText("No client may act for Ben Okri.").waitFor();

    await page.getByRole("button", { name: "End the session in Chrome" }).click();
    await dialog().getByRole("button", { name: "End session" }).click();
    await page.getByText("Ben Okri is not signed in anywhere.").waitFor();
    await signInAsBen();
    await page.getByRole("button", { name: "Sign out everywhere" }).click();
    await dialog().getByRole("button", { name: "Sign out everywhere" }).click();
    await page.getByText("Ben Okri is signed out everywhere.").waitFor();
    await guest.page.goto(`${app.config.AUTH_URL}/account`);
    await guest.page.getByLabel("Password").waitFor();
  });

  test("S66 lost passwords: a link to hand over. Locked out, nobody can sign in until an administrator lets them in", async () => {
    await page.getByRole("button", { name: "Send link for a new password" }).click();
    await dialog().getByText("the link is the account").waitFor();
    await dialog().getByRole("button", { name: "Send link" }).click();
    assert.match(await page.getByLabel(`Link for ${BEN.name}`).inputValue(), /^http.*\/recover\//);
    await page.getByRole("button", { name: "Lock out" }).click();
    await dialog().getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Lock out" }).and(page.locator(":focus")).click();
    await dialog().getByRole("button", { name: "Lock out" }).click();
    await page.getByText("Locked out since").waitFor();
    await typeBensPassword();
    await guest.page.getByRole("alert").or(guest.page.getByText("disabled")).first().waitFor();
    await page.getByRole("button", { name: "Let in again" }).click();
    await page.getByText("Ben Okri can sign in again.").waitFor();
    await page.getByText("Member · Active").waitFor();
  });

  test("S66 a lost second step is reset, and a link to another service is removed", async () => {
    const store = await openStore(app.config.DATABASE_URL);
    try {
      const known = async () => {
        const user = await store.users.find(parseId(benId) ?? assert.fail());
        return user ?? assert.fail();
      };
      const at = new Date().toISOString();
      await store.secondSteps.confirmTotp(await known(), { sealedSecret: "sealed", confirmedAt: at, step: 1 });
      await store.secondSteps.replaceRecoveryCodes(await known(), ["a code"], at);
      assert.ok(await store.secondSteps.turnOn(await known(), null));
      const { id: userId, credentialVersion } = await known();
      const identity = { provider: "acme", subject: "4711", userId, emailAtLink: "ben@acme.example", linkedAt: at };
      assert.ok(await store.upstreamIdentities.link(identity, credentialVersion));
    } finally {
      await store.close();
    }
    await page.reload();
    await section("Sign-in").getByText("Password, another service").waitFor();
    await page.getByRole("button", { name: "Reset second step" }).click();
    await dialog().getByRole("checkbox", { name: "Remove passkeys too" }).waitFor();
    await dialog().getByRole("button", { name: "Reset second step" }).click();
    await page.getByText("Ben Okri signs in without a second step now.").waitFor();
    await page.getByRole("button", { name: "Reset second step" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Remove the link to acme" }).click();
    await dialog().getByText("can no longer sign in as ben@acme.example at acme").waitFor();
    await dialog().getByRole("button", { name: "Remove link" }).click();
    await page.getByText("The link to acme is removed.").waitFor();
    await section("Sign-in").getByText("Password", { exact: true }).waitFor();
  });

  test("S66 failed attempts are reset, as the sign-in page of the person shows", async () => {
    // A browser in which nobody has signed in: it has no attempts of its own.
    const elsewhere = await openVisitor(studio.chromium.browser, { locale: "en-GB" });
    const open = () => elsewhere.page.goto(`${app.config.AUTH_URL}/account`);
    for (let i = 0; i < 10; i++) {
      await open();
      await typeBensPassword(elsewhere.page, "not the password of Ben");
      await elsewhere.page.getByRole("alert").waitFor();
    }
    await open();
    await typeBensPassword(elsewhere.page);
    await elsewhere.page.getByText(/too many/i).waitFor();
    await page.getByRole("button", { name: "Reset failed attempts" }).click();
    await dialog().getByText("Somebody may be guessing").waitFor();
    await dialog().getByRole("button", { name: "Reset failed attempts" }).click();
    await page.getByText("Ben Okri can try again.").waitFor();
    await section("Latest in the audit").getByText("unlocked").waitFor();
    await open();
    await typeBensPassword(elsewhere.page);
    await elsewhere.page.getByText(BEN.email).first().waitFor();
    await elsewhere.close();
  });

  test("U65 sign-in here is allowed, and ended", async () => {
    await page.getByRole("button", { name: "Allow sign-in here" }).click();
    await dialog().getByText("Other domains need no permission").waitFor();
    await dialog().getByRole("button", { name: "Allow sign-in here" }).click();
    await section("Sign-in").getByText("Allowed, although the domain uses another service").waitFor();
    await page.getByRole("button", { name: "End sign-in here" }).click();
    await dialog().getByRole("button", { name: "End sign-in here" }).click();
    await page.getByText("Ben Okri signs in as the domain does.").waitFor();
    await page.getByRole("button", { name: "Allow sign-in here" }).waitFor();
  });

  test("U73 everything about a person is downloaded", async () => {
    await page.getByRole("button", { name: "Download everything about this person" }).click();
    await dialog().getByText("The audit keeps that you downloaded it").waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      dialog().getByRole("button", { name: "Download" }).click(),
    ]);
    assert.equal(download.suggestedFilename(), `account-${benId}.json`);
    const { profile, securityEvents } = JSON.parse(await readFile(await download.path(), "utf8"));
    assert.deepEqual([profile.id, profile.email], [benId, BEN.email]);
    assert.ok(securityEvents.length > 3);
    await section("Latest in the audit").getByText("downloaded by an administrator").waitFor();
  });

  test("S66 deleting an account asks for the name, and is undone from the notice and from the page", async () => {
    await page.getByRole("button", { name: "Delete account" }).click();
    await dialog().getByRole("radio", { name: "Delete them" }).check();
    await dialog().getByRole("button", { name: "Delete account" }).click();
    await dialog().getByText("Type “Ben Okri” first.").waitFor();
    await dialog().getByLabel("Type “Ben Okri” to go on").fill(BEN.name);
    await dialog().getByRole("button", { name: "Delete account" }).click();
    await page.waitForURL(/\/people$/);
    await page.getByText("The account of Ben Okri will be deleted").waitFor();
    await rows().getByText("Will be deleted").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("The account of Ben Okri is kept.").waitFor();
    await page.getByRole("link", { name: BEN.name }).click();
    await page.getByRole("button", { name: "Delete account" }).click();
    await dialog().getByLabel("Type “Ben Okri” to go on").fill(BEN.name);
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/people$/);
    await page.goBack();
    await page.getByText("Nobody can sign in with it until it is kept.").waitFor();
    await page.getByRole("button", { name: "Keep account" }).click();
    await page.getByText("Member · Active").waitFor();
  });

  test("S65 the own page says who else can do what nobody does to themselves", async () => {
    const { id } = await runJson<{ id: string }>(["user", "show", ADA.email], app.environment);
    await page.goto(address(`/people/${id}`));
    await page.getByText("you are the only administrator").waitFor();
    for (const name of ["Change role", "Lock out", "Delete account", "Reset second step"])
      assert.equal(await page.getByRole("button", { name }).count(), 0, name);
    assert.equal((await runCommand(["user", "set-role", BEN.email, "admin"], app.environment)).code, 0);
    await page.reload();
    await page.getByText("Administrators who can: Ben Okri.").waitFor();
    await page.goto(address("/people/nobody"));
    await page.getByRole("heading", { name: "There is no such person" }).waitFor();
  });

  test("S69 the question for a recent sign-in stands over that of the change; without it, nothing is changed", async () => {
    // Stands for the server's answer some minutes later: the clocks of server and browser cannot both be put forward.
    let isLate = true;
    await page.route("**/graphql", async (route) => {
      if (!isLate || !(route.request().postData() ?? "").includes('"role":"EDITOR"')) return route.fallback();
      const error = { message: "Sign in again.", extensions: { code: "UNAUTHENTICATED", maxAge: 900 } };
      return route.fulfill({
        status: 401,
        headers: { "www-authenticate": 'DPoP error="insufficient_user_authentication", max_age="900"' },
        json: { errors: [error] },
      });
    });
    await page.goto(address(`/people/${benId}`));
    await page.getByRole("button", { name: "Change role" }).click();
    const change = page.getByRole("dialog", { name: "Change the role of Ben Okri" });
    const question = page.getByRole("dialog", { name: "Sign in again" });
    await change.getByRole("radio", { name: /^Editor/ }).check();
    await change.getByRole("button", { name: "Change role" }).click();
    await question.getByText("within the last 15 minutes").waitFor();
    await question.getByRole("button", { name: "Cancel" }).click();
    await change.getByText("Nothing was changed, because you did not sign in again.").waitFor();
    await change.getByRole("button", { name: "Change role" }).click();
    await question.getByText("within the last 15 minutes").waitFor();
    isLate = false;
    await question.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("The role of Ben Okri is now Editor.").waitFor();
    await page.unroute("**/graphql");
  });

  test("S05 a session that ends under an open dialog lets the person sign in, and the dialog goes on", async () => {
    await page.goto(address(`/people/${benId}`));
    await page.getByRole("button", { name: "Change role" }).click();
    const change = page.getByRole("dialog", { name: "Change the role of Ben Okri" });
    await change.getByRole("radio", { name: /^Member/ }).check();
    await page.context().clearCookies();
    let isEnded = true;
    await page.route("**/graphql", async (route) => {
      if (!isEnded || !(route.request().postData() ?? "").includes('"role":"MEMBER"')) return route.fallback();
      isEnded = false;
      return route.fulfill({ status: 401, headers: { "www-authenticate": 'DPoP error="invalid_token"' }, json: {} });
    });
    await change.getByRole("button", { name: "Change role" }).click();
    await page.getByRole("heading", { name: "Sign in again" }).waitFor();
    assert.equal(await page.evaluate("document.activeElement.textContent"), "Sign in again");
    assert.equal(await change.isVisible(), false);
    const popup = page.waitForEvent("popup");
    await page.getByRole("button", { name: "Sign in", exact: true }).click({ timeout: 5_000 });
    const window = await popup;
    await window.getByRole("textbox", { name: "E-mail address" }).fill(ADA.email);
    await window.getByLabel("Password").fill(ADA.password);
    await window.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByText("The role of Ben Okri is now Member.").waitFor();
    await page.unroute("**/graphql");
  });

  test("S98 a name and an address without any space fit on a phone", async () => {
    const long = ["--email", `${"x".repeat(60)}@${"y".repeat(60)}.example.com`, "--name", "W".repeat(120)];
    assert.equal((await runCommand(["user", "create", ...long], app.environment)).code, 0);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(address("/people"));
    await page.getByRole("link", { name: "WWW" }).click();
    await page.getByText("Active, cannot sign in yet").first().waitFor();
    await fits();
    await page.getByRole("button", { name: "Delete account" }).click();
    await dialog().getByRole("button", { name: "Delete account" }).waitFor();
    await fits();
  });

  for (const [look, { colorScheme = null, forcedColors = null, viewport = null }] of Object.entries(LOOKS))
    test(`S97 axe finds nothing, in ${look}`, async () => {
      await page.emulateMedia({ colorScheme, forcedColors });
      if (viewport !== null) await page.setViewportSize(viewport);
      await page.goto(address("/people"));
      await rows().first().waitFor();
      await fits();
      await page.getByRole("link", { name: "Invitations" }).click();
      await rows().filter({ hasText: "cleo@example.com" }).waitFor();
      await fits();
      await page.getByRole("link", { name: "Add person" }).click();
      await page.getByRole("textbox", { name: "E-mail address" }).waitFor();
      await fits();
      await page.getByRole("link", { name: "Cancel" }).click();
      await page.getByRole("link", { name: BEN.name }).click();
      await section("Latest in the audit").waitFor();
      await fits();
    });

  async function fits(): Promise<void> {
    assert.deepEqual(await violations(page), []);
    assert.ok((await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth")) <= 0);
  }

  test("S03 no page broke its own policy", () => assert.deepEqual(visitor.complaints, []));
});
