import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openTestApp, type TestApp } from "../app.ts";
import { openBrowser, type TestBrowser } from "../browser.ts";
import { ADA, openVisitor } from "./visitor.ts";

describe("forms, without JavaScript", () => {
  let app: TestApp;
  let chromium: TestBrowser;
  before(async () => {
    [app, chromium] = await Promise.all([openTestApp(), openBrowser()]);
  });
  after(async () => {
    await chromium?.close();
    await app?.close();
  });

  test("every error is shown at once, the first marked field has the focus, and what can be kept is kept", async () => {
    const { page, close } = await openVisitor(chromium.browser, { javaScriptEnabled: false });
    assert.ok(app.setUpUrl);
    await page.goto(app.setUpUrl);
    await page.getByLabel("Your name").fill(ADA.name);
    await page.getByLabel("E-mail address").fill("ada");
    await page.getByLabel("Password").fill("short");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByText("The e-mail address must look like").waitFor();
    await page.getByText("The password must have at least 15 characters").waitFor();
    await page.locator("#email:focus-visible").waitFor();
    assert.equal(await page.getByLabel("Your name").inputValue(), ADA.name);
    await page.getByLabel("E-mail address").fill(ADA.email);
    await page.getByLabel("Password").fill(ADA.password);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByRole("heading", { name: `Ready, ${ADA.name}` }).waitFor();

    await page.goto(`${app.config.AUTH_URL}/account`);
    await page.getByLabel("E-mail address").fill(ADA.email);
    await page.getByLabel("Password").fill("not the password");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.locator("#email:focus-visible").waitFor();
    assert.equal(await page.getByLabel("E-mail address").inputValue(), ADA.email);
    await page.getByLabel("Password").fill(ADA.password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();

    await page.getByRole("link", { name: "Change password" }).click();
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByText("Enter your current password.").waitFor();
    await page.locator("#current:focus-visible").waitFor();
    assert.equal(await page.locator("[aria-invalid]").count(), 2);
    await close();
  });
});
