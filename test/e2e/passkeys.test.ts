import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "playwright-core";
import { openTestApp } from "../app.ts";
import { openBrowser, type TestBrowser } from "../browser.ts";
import { runJson } from "../command.ts";
import { linkIn, openTestServer, PASSWORD, type TestServer } from "../security/authorization-server.ts";
import { authorizationRequest } from "../security/client.ts";
import { letterTo } from "../security/mailed.ts";
import { somebody } from "../security/people.ts";
import { addAuthenticator, type RecordedCalls, recordCalls, withoutAutofill } from "./virtual-authenticator.ts";
import { becomeAdministrator, openVisitor, signIn, type Visitor } from "./visitor.ts";

const WITH_PASSKEY = { name: "Sign in with a passkey" };

describe("passkeys, in a browser with an authenticator", () => {
  let server: TestServer;
  let chromium: TestBrowser;
  let callback: string;
  /** Milliseconds by which the server's clock is ahead. */
  let ahead = 0;
  const client = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Client</title><h1>Client</h1>");
  });
  before(async () => {
    await new Promise<void>((resolve) => client.listen(0, "127.0.0.1", resolve));
    callback = `http://127.0.0.1:${(client.address() as AddressInfo).port}/callback`;
    const settings = { SIGN_UP: "open" } as const;
    [server, chromium] = await Promise.all([
      openTestServer({ hasName: true, settings, now: () => Date.now() + ahead }),
      openBrowser(),
    ]);
  });
  after(async () => {
    client.close();
    await chromium?.close();
    await server?.close();
  });

  async function visit<T>(act: (visitor: Visitor) => Promise<T>): Promise<T> {
    const visitor = await openVisitor(chromium.browser);
    try {
      return await act(visitor);
    } finally {
      await visitor.close();
    }
  }

  /** Signs in with the password and adds a passkey. */
  async function enrol(page: Page, email: string): Promise<void> {
    await page.goto(`${server.issuer}/account/passkeys`);
    await page.getByLabel("E-mail address").fill(email);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await page.getByText("The passkey is added.").waitFor();
  }

  /** Somebody whose device has a passkey, and who is signed out. */
  async function enrolledAndOut(page: Page, email: string, device?: Parameters<typeof addAuthenticator>[1]) {
    const calls = await recordCalls(page);
    const added = await addAuthenticator(page, device);
    await enrol(page, email);
    await page.context().clearCookies();
    return { calls, device: added };
  }

  /** Waits until the device has the request of the address field. */
  async function waits(calls: RecordedCalls, after = 0): Promise<void> {
    await calls.until("get conditional", after);
    await pause(500); // what is recorded has yet to go through the browser
  }

  test("U36 U37 U38 the first administrator adds one, and signs in with it at the account page and for a client", async () => {
    const app = await openTestApp();
    try {
      await visit(async ({ page, complaints, hosts }) => {
        const { AUTH_URL: issuer } = app.config;
        assert.match(issuer, /^http:\/\/localhost:/);
        await becomeAdministrator(page, app.setUpUrl ?? assert.fail());
        const device = await addAuthenticator(page);
        await page.goto(`${issuer}/account`);
        await signIn(page);
        await page.getByRole("link", { name: "Add a passkey" }).click();
        await page.getByText("You have no passkey yet.").waitFor();
        await page.getByRole("button", { name: "Add a passkey" }).click();
        await page.getByText("The passkey is added.").waitFor();
        await page.getByText("Chrome on Linux").waitFor();
        await page.getByText("Not used yet.").waitFor();
        const [credential] = await device.credentials();
        assert.deepEqual([credential?.rpId, credential?.isResidentCredential], ["localhost", true]);
        await page.getByRole("link", { name: "Back to your account" }).click();
        await withoutAutofill(page);
        await page.getByRole("button", { name: "Sign out", exact: true }).click();
        await page.getByRole("button", WITH_PASSKEY).waitFor();
        await page.goto(`${issuer}/account/passkeys`);
        await page.getByRole("button", WITH_PASSKEY).click();
        await page.getByText("Last used").waitFor();
        assert.equal(page.url(), `${issuer}/account/passkeys`);

        await page.context().clearCookies();
        const { client_id: clientId } = await runJson<{ client_id: string }>(
          ["client", "create", "--name", "An app", "--public", "--redirect-uri", callback],
          app.environment,
        );
        const scope = "openid posts:read";
        await page.goto(authorizationRequest({ issuer, clientId, redirectUri: callback, scope }).url.href);
        await page.getByText("An app asks you to sign in.").waitFor();
        await page.getByRole("button", WITH_PASSKEY).click();
        await page.getByRole("button", { name: "Allow" }).click();
        await page.getByRole("heading", { name: "Client" }).waitFor();
        assert.ok(new URL(page.url()).searchParams.has("code"));
        assert.deepEqual(complaints, []);
        assert.deepEqual([...hosts].sort(), [new URL(callback).host, new URL(issuer).host].sort());
      });
    } finally {
      await app.close();
    }
  });

  test("U37 the address field offers passkeys: whoever takes one there types and presses nothing", async () => {
    const { email } = await somebody(server);
    await visit(async ({ page, complaints }) => {
      const { calls, device } = await enrolledAndOut(page, email, { isSynced: true });
      await device.setTouched(false);
      await page.goto(`${server.issuer}/account/name`);
      assert.equal(await page.locator("#email").getAttribute("autocomplete"), "username webauthn");
      await device.setTouched(true);
      await page.reload();
      await page.getByRole("heading", { name: "Change your name" }).waitFor();
      assert.deepEqual(calls.lines.slice(-2), ["get conditional", "get conditional: done"]);
      assert.deepEqual(complaints, []);
    });
  });

  test("U37 the button ends the request that waits at the address field, and no error is shown", async () => {
    const { email } = await somebody(server);
    await visit(async ({ page, complaints }) => {
      const { calls, device } = await enrolledAndOut(page, email);
      await device.setTouched(false);
      await page.goto(`${server.issuer}/account`);
      const button = page.getByRole("button", WITH_PASSKEY);
      await waits(calls);
      await button.click();
      await calls.until("get conditional: AbortError");
      assert.equal(calls.lines.filter((line) => line.startsWith("get: ")).length, 0, "the other one waits");
      assert.equal(await page.getByRole("alert").count(), 0);

      const before = calls.lines.length;
      await page.goto(`${server.issuer}/account`);
      await waits(calls, before);
      await device.setTouched(true);
      await button.click();
      await page.getByRole("heading", { name: "Your account" }).waitFor();
      assert.deepEqual(complaints, []);
    });
  });

  test("U37 a press of the button that comes before the address field is ready is the only request", async () => {
    const { email } = await somebody(server);
    await visit(async ({ page }) => {
      const { calls } = await enrolledAndOut(page, email);
      await page.addInitScript(`
        const isAvailable = new Promise((resolve) => { globalThis.answer = () => resolve(true); });
        PublicKeyCredential.isConditionalMediationAvailable = () => isAvailable;
        document.addEventListener("click", () => setTimeout(answer));`);
      const before = calls.lines.length;
      await page.goto(`${server.issuer}/account`);
      await page.getByRole("button", WITH_PASSKEY).click();
      await page.getByRole("heading", { name: "Your account" }).waitFor();
      assert.deepEqual(calls.lines.slice(before), ["get", "get: done"]);
    });
  });

  test("U37 after a request that was cancelled, the address field offers passkeys again", async () => {
    const { email } = await somebody(server);
    await visit(async ({ page, complaints }) => {
      const { calls, device } = await enrolledAndOut(page, email);
      await device.setVerified(false);
      await page.goto(`${server.issuer}/account`);
      await calls.until("get conditional: NotAllowedError");
      await page.getByRole("button", WITH_PASSKEY).click();
      await calls.until("get: NotAllowedError");
      await page.locator("[data-passkey]:enabled").waitFor();
      const cancelled = calls.lines.indexOf("get: NotAllowedError");
      assert.ok(cancelled > 0 && calls.lines.lastIndexOf("get conditional") > cancelled, calls.lines.join(", "));
      assert.deepEqual(complaints, []);
    });
  });

  test("U36 sign-up with a passkey instead of a password, which is set later", async () => {
    const email = "grace@example.com";
    await visit(async ({ page, complaints }) => {
      const device = await addAuthenticator(page);
      await page.goto(`${server.issuer}/sign-up`);
      await page.getByLabel("E-mail address").fill(email);
      await page.getByRole("button", { name: "Send the mail" }).click();
      await page.getByText(`We have sent a mail to ${email}.`).waitFor();
      await page.goto(linkIn(await letterTo(server, email)));
      const instead = page.getByRole("button", { name: "Use a passkey instead" });
      await instead.click();
      assert.equal(await page.locator("#name:focus").count(), 1, "the browser asks for the name");
      assert.deepEqual(await device.credentials(), [], "before any passkey is made");
      await page.getByLabel("Your name").fill("Grace Hopper");
      await instead.click();
      await page.waitForURL(`${server.issuer}/account`); // the page of the form has the same heading
      await page.getByRole("heading", { name: "Your account" }).waitFor();
      const [credential] = await device.credentials();
      assert.deepEqual([credential?.userName, credential?.userDisplayName], [email, "Grace Hopper"]);
      const made = await server.store.users.findByEmail(email);
      assert.deepEqual([made?.name, made?.passwordHash], ["Grace Hopper", null]);

      await page.getByRole("link", { name: "Set a password" }).click();
      await page.getByLabel("New password").fill("eleven slow otters at noon");
      await page.getByRole("button", { name: "Set a password" }).click();
      await page.getByRole("link", { name: "Change password" }).waitFor();
      await page.context().clearCookies();
      await device.setTouched(false);
      await page.goto(`${server.issuer}/account`);
      await page.getByLabel("E-mail address").fill(email);
      await page.getByLabel("Password").fill("eleven slow otters at noon");
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await page.getByRole("heading", { name: "Your account" }).waitFor();
      assert.deepEqual(complaints, []);
    });
  });

  test("U30 U36 a passkey is the proof that an old sign-in needs", async () => {
    const { email } = await somebody(server);
    await visit(async ({ page, complaints }) => {
      await addAuthenticator(page);
      await enrol(page, email);
      try {
        ahead = 3_600_000;
        await page.goto(`${server.issuer}/account/password`);
        await page.getByRole("heading", { name: "Is it you?" }).waitFor();
        await page.getByRole("button", { name: "Use a passkey" }).click();
        await page.getByRole("heading", { name: "Change your password" }).waitFor();
        assert.deepEqual(complaints, []);
      } finally {
        ahead = 0;
      }
    });
  });

  test("U36 U39 passkeys are renamed and removed, and the browser is told which are left", async () => {
    const person = await somebody(server);
    await visit(async ({ page, complaints }) => {
      const calls = await recordCalls(page);
      const first = await addAuthenticator(page);
      await enrol(page, person.email);
      await page.getByRole("button", { name: "Add a passkey" }).click();
      await page.getByText("This device has a passkey for your account already.").waitFor();
      await page.getByText("Rename").click();
      await page.getByLabel("Name", { exact: true }).fill("The <old> laptop");
      await page.getByRole("button", { name: "Save the name" }).click();
      await page.getByText("The passkey has another name.").waitFor();
      const [kept] = await server.store.passkeys.listOf(person.id);
      const left = { rpId: "localhost", userId: kept?.userHandle, allAcceptedCredentialIds: [kept?.credentialId] };
      await calls.signalled("signalAllAcceptedCredentials", left);
      await page.getByRole("button", { name: "Remove: The <old> laptop" }).click();
      await page.getByText("You have no passkey yet.").waitFor();
      assert.deepEqual(await server.store.passkeys.listOf(person.id), []);
      await calls.signalled("signalUnknownCredential", { rpId: "localhost", credentialId: kept?.credentialId });
      assert.deepEqual(await first.credentials(), [], "the device has none either");
      assert.deepEqual(complaints, []);
    });
  });
});
