import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Secret, TOTP } from "otpauth";
import type { Page } from "playwright-core";
import { hashToken } from "../../src/secrets/token-hash.ts";
import { anUpstream } from "../authorization-server/upstreams/party.ts";
import { openBrowser, type TestBrowser } from "../browser.ts";
import { CLIENT_SECRET, linkIn, openTestServer, PASSWORD, type TestServer } from "../security/authorization-server.ts";
import { lettersTo } from "../security/mailed.ts";
import { NEW_PASSWORD, somebody } from "../security/people.ts";
import { addAuthenticator, withoutAutofill } from "./virtual-authenticator.ts";
import { openVisitor } from "./visitor.ts";

const WITH_PASSKEY = { name: "Sign in with a passkey" };

/** One person's year with an account: every way in is set up, used, lost and left again. The other service is a second copy of this program. */
describe("the walk through an account, in browsers", () => {
  let provider: TestServer;
  let server: TestServer;
  let chromium: TestBrowser;
  before(async () => {
    provider = await openTestServer();
    const upstream = anUpstream(provider.issuer, { clientId: "relying", clientSecret: CLIENT_SECRET });
    [server, chromium] = await Promise.all([
      openTestServer({ hasName: true, upstreams: [upstream], privateHosts: ["127.0.0.1"] }),
      openBrowser(),
    ]);
    await provider.addClient({
      ...{ id: "relying", name: "The relying server", type: "confidential", secretHash: hashToken(CLIENT_SECRET) },
      redirectUris: [`${server.issuer}/upstream/${upstream.id}/callback`],
    });
  });
  after(async () => {
    await chromium?.close();
    await server?.close();
    await provider?.close();
  });

  const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true }).waitFor();
  const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

  async function enterPassword(page: Page, email: string, password: string): Promise<void> {
    await page.goto(`${server.issuer}/account`);
    await page.getByLabel("E-mail address").fill(email);
    await page.getByLabel("Password").fill(password);
    await press(page, "Sign in");
  }

  test("a passkey, a second browser, an authenticator app, a lost phone, a recovery, a link, and its end", async () => {
    const { email } = await somebody(server);
    const laptop = await openVisitor(chromium.browser);
    const second = await openVisitor(chromium.browser);
    const { page } = laptop;

    // A passkey.
    await addAuthenticator(page);
    await enterPassword(page, email, PASSWORD);
    await page.getByRole("link", { name: "Add a passkey" }).click();
    await press(page, "Add a passkey");
    await page.getByText("The passkey is added.").waitFor();
    await page.goto(`${server.issuer}/account`);
    await withoutAutofill(page);
    await press(page, "Sign out");
    await page.getByRole("button", WITH_PASSKEY).click();
    await heading(page, "Your account");

    // A second browser, which has no passkey.
    await enterPassword(second.page, email, PASSWORD);
    await heading(second.page, "Your account");

    // An authenticator app: the other browser is signed out.
    await page.goto(`${server.issuer}/account/authenticator`);
    const uri = (await page.getByRole("link", { name: "Open it with this link" }).getAttribute("href")) ?? "";
    const secret = Secret.fromBase32(new URL(uri).searchParams.get("secret") ?? "");
    const digits = (steps = 0) => TOTP.generate({ secret, timestamp: Date.now() + steps * 30_000 });
    await page.getByLabel("Digits").fill(digits());
    await press(page, "Confirm the app");
    await heading(page, "Keep your recovery codes");
    const codes = await page.locator("ol.codes code").allTextContents();
    assert.equal(codes.length, 10);
    await press(page, "I have kept them");
    await page.getByText("The second step is on.", { exact: false }).first().waitFor();
    await second.page.goto(`${server.issuer}/account`);
    await heading(second.page, "Sign in");
    await enterPassword(second.page, email, PASSWORD);
    await heading(second.page, "Second step");
    await second.page.getByLabel("Digits").fill(digits(1));
    await press(second.page, "Sign in");
    await heading(second.page, "Your account");

    // The phone is lost, and the password forgotten: a new password by mail does not go around the second step.
    const third = await openVisitor(chromium.browser);
    await third.page.goto(`${server.issuer}/recover`);
    await third.page.getByLabel("E-mail address").fill(email);
    await press(third.page, "Send the mail");
    await third.page.getByText("If an account has this address").waitFor();
    const letter = (await lettersTo(server, email)).find(({ subject }) => /new password/i.test(subject));
    await third.page.goto(linkIn(letter));
    await third.page.getByLabel("New password").fill(NEW_PASSWORD);
    await third.page.getByRole("button", { name: /password/i }).click();
    await enterPassword(third.page, email, NEW_PASSWORD);
    await heading(third.page, "Second step");
    await third.page.getByText("Use a recovery code").click();
    await third.page.getByLabel("Recovery code").fill(codes[4] ?? "");
    await press(third.page, "Sign in with this code");
    await heading(third.page, "Your account");
    await third.page.goto(`${server.issuer}/account/second-step`);
    await third.page.getByText("9 left.", { exact: false }).waitFor();
    await third.page.getByRole("button", { name: /Remove: authenticator app/ }).click();
    await third.page.getByText("Authenticator app").first().waitFor();

    // Another service is linked, and signs in.
    await third.page.goto(`${server.issuer}/account/links`);
    await press(third.page, "Link ACME");
    await third.page.getByLabel("E-mail address").fill("bob@example.com");
    await third.page.getByLabel("Password").fill(PASSWORD);
    await press(third.page, "Sign in");
    await press(third.page, "Allow");
    await third.page.getByText("The service is linked.").waitFor();
    await third.page.goto(`${server.issuer}/account`);
    await press(third.page, "Sign out");
    await press(third.page, "Continue with ACME");
    await heading(third.page, "Second step");
    await third.page.getByText("Use a recovery code").click();
    await third.page.getByLabel("Recovery code").fill(codes[5] ?? "");
    await press(third.page, "Sign in with this code");
    await heading(third.page, "Your account");

    // And is left again. The session that began with it ends.
    await third.page.goto(`${server.issuer}/account/links`);
    await third.page.getByRole("button", { name: /^Remove/ }).click();
    await third.page.waitForLoadState();
    await third.page.goto(`${server.issuer}/account`);
    await heading(third.page, "Sign in");

    for (const visitor of [laptop, second, third]) {
      assert.deepEqual(visitor.complaints, []);
      await visitor.close();
    }
  });
});
