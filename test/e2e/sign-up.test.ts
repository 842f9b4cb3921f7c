import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { openBrowser, type TestBrowser } from "../browser.ts";
import { linkIn, openTestServer, type TestServer } from "../security/authorization-server.ts";
import { authorizationRequest } from "../security/client.ts";
import { codeIn } from "../security/mailed.ts";
import { openVisitor } from "./visitor.ts";

describe("a new account and a lost password, in a browser without JavaScript", () => {
  let server: TestServer;
  let chromium: TestBrowser;
  let callback: string;
  const client = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Client</title><h1>Client</h1>");
  });
  before(async () => {
    await new Promise<void>((resolve) => client.listen(0, "127.0.0.1", resolve));
    callback = `http://127.0.0.1:${(client.address() as AddressInfo).port}/callback`;
    [server, chromium] = await Promise.all([openTestServer({ settings: { SIGN_UP: "open" } }), openBrowser()]);
    await server.addClient({ id: "own", name: "Our app", redirectUris: [callback], firstParty: true });
  });
  after(async () => {
    client.close();
    await chromium?.close();
    await server?.close();
  });

  test("U12 U13 U14 U24 with the code to the client, then with a new password to the client again", async () => {
    const { page, complaints, close } = await openVisitor(chromium.browser, { javaScriptEnabled: false });
    const request = authorizationRequest({ issuer: server.issuer, clientId: "own", redirectUri: callback });
    await page.goto(request.url.href);
    await page.getByRole("link", { name: "Create an account" }).click();
    await page.getByLabel("E-mail address").fill("grace@example.com");
    await page.getByRole("button", { name: "Send the mail" }).click();
    await page.getByText("We have sent a mail to grace@example.com.").waitFor();
    const [letter] = await server.letters();
    assert.ok(letter);
    await page.getByLabel("Code").fill("bbbb bbbb");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("This code is not right. 4 tries are left.").waitFor();
    await page.locator("#code:focus-visible").waitFor();
    await page.getByLabel("Code").fill(codeIn(letter).toLowerCase());
    await page.getByRole("button", { name: "Continue" }).click();
    assert.equal(await page.getByLabel("E-mail address").inputValue(), "grace@example.com");
    await page.getByLabel("Your name").fill("Grace");
    await page.getByLabel("New password").fill("eleven slow otters at noon");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByRole("heading", { name: "Client" }).waitFor();
    assert.ok(new URL(page.url()).searchParams.has("code"), "the form's policy let the browser follow");

    await page.context().clearCookies();
    await page.goto(request.url.href);
    await page.getByRole("link", { name: "Forgot the password?" }).click();
    await page.getByLabel("E-mail address").fill("grace@example.com");
    await page.getByRole("button", { name: "Send the mail" }).click();
    await page.getByText("If an account has this address, a mail is on its way.").waitFor();
    await page.goto(linkIn((await server.letters())[0]));
    await page.getByLabel("New password").fill("twelve quick otters at dawn");
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByRole("heading", { name: "Your password is changed" }).waitFor();
    await page.getByRole("link", { name: "Sign in" }).click();
    await page.getByLabel("E-mail address").fill("grace@example.com");
    await page.getByLabel("Password").fill("twelve quick otters at dawn");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("heading", { name: "Client" }).waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });
});
