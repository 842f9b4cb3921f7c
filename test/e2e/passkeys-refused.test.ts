import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import type { User } from "../../src/domain/people/user.ts";
import { openBrowser, type TestBrowser } from "../browser.ts";
import { openTestServer, PASSWORD, type TestServer } from "../security/authorization-server.ts";
import { lettersTo } from "../security/mailed.ts";
import { somebody } from "../security/people.ts";
import { addAuthenticator, recordCalls, withoutAutofill } from "./virtual-authenticator.ts";
import { openVisitor, type Visitor } from "./visitor.ts";

const WITH_PASSKEY = { name: "Sign in with a passkey" };
const NO_SCRIPT = "Passkeys need JavaScript. Everything else works without it.";

describe("passkeys that sign nobody in, and pages that run one script", () => {
  let server: TestServer;
  let chromium: TestBrowser;
  /** Milliseconds by which the server's clock is ahead. */
  let ahead = 0;
  before(async () => {
    [server, chromium] = await Promise.all([
      openTestServer({ hasName: true, now: () => Date.now() + ahead }),
      openBrowser(),
    ]);
  });
  after(async () => {
    await chromium?.close();
    await server?.close();
  });

  async function visit<T>(
    act: (visitor: Visitor) => Promise<T>,
    options: Parameters<typeof openVisitor>[1] = {},
  ): Promise<T> {
    const visitor = await openVisitor(chromium.browser, options);
    try {
      return await act(visitor);
    } finally {
      await visitor.close();
    }
  }

  async function signInAt(page: Page, { email }: User, path = "/account"): Promise<void> {
    await page.goto(server.issuer + path);
    await page.getByLabel("E-mail address").fill(email);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
  }

  /** Signs in with the password, adds a passkey, and forgets the session. */
  async function enrol(page: Page, person: User): Promise<void> {
    await signInAt(page, person, "/account/passkeys");
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await page.getByText("The passkey is added.").waitFor();
    await page.context().clearCookies();
  }

  test("U39 a passkey that was removed: the page says so, and the device forgets it", async () => {
    const person = await somebody(server);
    await visit(async ({ page, complaints }) => {
      const calls = await recordCalls(page);
      const device = await addAuthenticator(page);
      await enrol(page, person);
      const [made] = await server.store.passkeys.listOf(person.id);
      assert.ok(made);
      assert.equal(await server.store.passkeys.remove(person.id, made.credentialId, made.rpId), true);
      await page.goto(`${server.issuer}/account`);
      await page.getByText("This passkey is not known here. It may have been removed.").waitFor();
      await calls.signalled("signalUnknownCredential", { rpId: "localhost", credentialId: made.credentialId });
      assert.deepEqual(await device.credentials(), []);
      assert.deepEqual(complaints, []);
    });
  });

  test("U39 a page that was open for too long says so, and the next attempt signs in", async () => {
    const person = await somebody(server);
    await visit(async ({ page }) => {
      await addAuthenticator(page);
      await enrol(page, person);
      await withoutAutofill(page);
      await page.goto(`${server.issuer}/account`);
      try {
        ahead = 3_600_000;
        await page.getByRole("button", WITH_PASSKEY).click();
        await page.getByText("The page was out of date. Please try once more.").waitFor();
        await page.getByRole("button", WITH_PASSKEY).click();
        await page.getByRole("heading", { name: "Your account" }).waitFor();
      } finally {
        ahead = 0;
      }
    });
  });

  for (const hasUserVerification of [true, false])
    test(`U37 a device that ${hasUserVerification ? "does not recognise its owner" : "cannot tell its owner"} signs nobody in, and cancelling is silent`, async () => {
      const person = await somebody(server);
      await visit(async ({ page, complaints }) => {
        const able = await addAuthenticator(page);
        await enrol(page, person);
        const [credential] = await able.credentials();
        assert.ok(credential);
        if (hasUserVerification) await able.setVerified(false);
        else {
          await able.remove(credential.credentialId);
          await (await addAuthenticator(page, { hasUserVerification, transport: "usb" })).add(credential);
        }
        const calls = await recordCalls(page);
        await page.goto(`${server.issuer}/account`);
        await page.getByRole("button", WITH_PASSKEY).click();
        await page.locator("[data-passkey]:enabled").waitFor();
        await calls.until("get: NotAllowedError");
        assert.equal(await page.getByRole("alert").count(), 0);
        await page.getByRole("heading", { name: "Sign in" }).waitFor();
        assert.deepEqual(complaints, []);
      });
    });

  test("U36 a device that cannot tell its owner gets no passkey", async () => {
    const person = await somebody(server);
    await visit(async ({ page, complaints }) => {
      const calls = await recordCalls(page);
      const device = await addAuthenticator(page, { hasUserVerification: false, transport: "usb" });
      await signInAt(page, person, "/account/passkeys");
      await page.getByRole("button", { name: "Add a passkey" }).click();
      await calls.until("create: NotAllowedError");
      assert.deepEqual(await device.credentials(), []);
      assert.deepEqual(complaints, []);
    });
  });

  test("U36 a passkey that was made on a page that was open for too long is replaced by the next", async () => {
    const person = await somebody(server);
    await visit(async ({ page, complaints }) => {
      const device = await addAuthenticator(page);
      await signInAt(page, person, "/account/passkeys");
      const add = page.getByRole("button", { name: "Add a passkey" });
      await add.waitFor();
      try {
        ahead = 3_600_000;
        await add.click();
        await page.getByRole("button", { name: "Go on" }).waitFor();
        await page.getByLabel("Password").fill(PASSWORD);
        await page.getByRole("button", { name: "Go on" }).click();
        await page.getByText("You have no passkey yet.").waitFor();
        await add.click();
        await page.getByText("The passkey is added.").waitFor();
      } finally {
        ahead = 0;
      }
      const ids = (await device.credentials()).map(({ credentialId }) => Buffer.from(credentialId, "base64"));
      const own = (await server.store.passkeys.listOf(person.id)).map(({ credentialId }) => credentialId);
      assert.deepEqual(
        ids.map((id) => id.toString("base64url")),
        own,
      );
      assert.deepEqual(complaints, []);
    });
  });

  test("U37 a device whose count went back is refused, and its owner is told by mail", async () => {
    const person = await somebody(server);
    await visit(async ({ page, complaints }) => {
      const device = await addAuthenticator(page);
      await enrol(page, person);
      await page.goto(`${server.issuer}/account`);
      await page.getByRole("heading", { name: "Your account" }).waitFor();
      const [credential] = await device.credentials();
      assert.ok(credential);
      const [passkey] = await server.store.passkeys.listOf(person.id);
      assert.equal(passkey?.counter, credential.signCount);
      await page.context().clearCookies();
      await device.remove(credential.credentialId);
      await device.add({ ...credential, signCount: 0 });
      await lettersTo(server, person.email); // those of the sign-ins before
      await withoutAutofill(page);
      await page.goto(`${server.issuer}/account`);
      await page.getByRole("button", WITH_PASSKEY).click();
      await page.getByText("This passkey is not known here. It may have been removed.").waitFor();
      assert.equal((await device.credentials()).length, 1, "the device keeps it");
      const letters = await lettersTo(server, person.email);
      assert.deepEqual(
        letters.map(({ subject }) => subject),
        ["A passkey of yours was refused"],
      );
      assert.deepEqual(complaints, []);
    });
  });

  test("U38 P35 of what somebody writes into the page, nothing runs", async () => {
    const person = await somebody(server);
    await visit(async ({ page, complaints }) => {
      await addAuthenticator(page);
      await page.route(`${server.issuer}/account`, async (route) => {
        const response = await route.fetch();
        const injected = `<script>document.title = "inline"</script><img src="x" onerror="document.title = 'handler'">
<script src="/graphql?query=%7B__typename%7D"></script><a href="javascript:document.title = 'link'">A link</a>`;
        await route.fulfill({ response, body: (await response.text()).replace("<main", `${injected}<main`) });
      });
      const response = await page.goto(`${server.issuer}/account`);
      const script = await page.evaluate<string>("document.querySelector('script[defer]').src");
      const directives = (response?.headers()["content-security-policy"] ?? "").split("; ");
      assert.deepEqual(
        directives.filter((directive) => /script|default|connect/.test(directive)),
        ["default-src 'none'", `script-src ${script}`, "require-trusted-types-for 'script'"],
      );
      await page.getByText("A link").click();
      await page.waitForLoadState("networkidle");
      assert.match(await page.title(), /^Sign in/);
      for (const refused of [/inline script/, /inline event handler/, /\/graphql/, /javascript:|JavaScript URL/i])
        assert.ok(
          complaints.some((line) => refused.test(line)),
          `${refused} in ${complaints.join("\n")}`,
        );
      await assert.rejects(page.evaluate("document.body.innerHTML = '<b>text</b>'"), /TrustedHTML/);
      await page.getByRole("button", WITH_PASSKEY).waitFor();
      await page.unroute(`${server.issuer}/account`);
      await signInAt(page, person);
      await page.getByRole("heading", { name: "Your account" }).waitFor();
    });
  });

  test("U38 pages without passkeys run no script", async () => {
    await visit(async ({ page }) => {
      for (const path of ["/account/name", "/account"]) {
        const person = await somebody(server);
        await page.context().clearCookies();
        await signInAt(page, person, path);
        await page.getByRole("heading", { name: /Your account|Change your name/ }).waitFor();
        const response = await page.reload();
        const policy = response?.headers()["content-security-policy"] ?? "";
        assert.match(policy, /^default-src 'none'; /);
        assert.doesNotMatch(policy, /script-src/);
        assert.equal(await page.locator("script").count(), 0);
      }
    });
  });

  test("U38 without JavaScript the button is hidden, and the password signs in", async () => {
    const person = await somebody(server);
    await visit(
      async ({ page, complaints }) => {
        await page.goto(`${server.issuer}/account/passkeys`);
        assert.equal(await page.locator("noscript p").textContent(), NO_SCRIPT);
        assert.equal(await page.getByRole("button", WITH_PASSKEY).count(), 0);
        await signInAt(page, person, "/account/passkeys");
        await page.getByText("You have no passkey yet.").waitFor();
        assert.equal(await page.getByRole("button", { name: "Add a passkey" }).count(), 0);
        assert.equal(await page.locator("noscript p").textContent(), NO_SCRIPT);
        assert.deepEqual(complaints, []);
      },
      { javaScriptEnabled: false },
    );
  });
});
