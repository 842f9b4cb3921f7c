import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { openTestApp, type TestApp } from "../app.ts";
import { openBrowser, type TestBrowser } from "../browser.ts";
import { runJson } from "../command.ts";
import { ADA, becomeAdministrator, openVisitor, signIn } from "./visitor.ts";

/** A client that does nothing but show what it was sent back with. */
interface Callback {
  readonly url: string;
  readonly server: Server;
  /** What was posted to it last. */
  posted(): URLSearchParams;
}

async function openCallback(): Promise<Callback> {
  let posted = new URLSearchParams();
  const server = createServer(async (request, response) => {
    posted = new URLSearchParams(await text(request));
    response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Client</title><h1>Client</h1>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`, server, posted: () => posted };
}

describe("signing in", () => {
  let app: TestApp;
  let chromium: TestBrowser;
  let callback: Callback;
  before(async () => {
    [app, chromium, callback] = await Promise.all([openTestApp(), openBrowser(), openCallback()]);
    const visitor = await openVisitor(chromium.browser);
    assert.ok(app.setUpUrl);
    await becomeAdministrator(visitor.page, app.setUpUrl);
    await visitor.close();
  });
  after(async () => {
    callback?.server.close();
    await chromium?.close();
    await app?.close();
  });

  /** Registers a client that nobody has agreed to yet, and returns where its sign-in starts. */
  async function newRequest(name: string, parameters: Record<string, string> = {}): Promise<string> {
    const client = await runJson<{ client_id: string }>(
      ["client", "create", "--name", name, "--public", "--redirect-uri", callback.url],
      app.environment,
    );
    const challenge = createHash("sha256").update(randomBytes(32).toString("base64url")).digest("base64url");
    return `${app.config.AUTH_URL}/authorize?${new URLSearchParams({
      response_type: "code",
      client_id: client.client_id,
      redirect_uri: callback.url,
      scope: "openid posts:read posts:write",
      state: "the-state",
      code_challenge: challenge,
      code_challenge_method: "S256",
      ...parameters,
    })}`;
  }

  /** Waits until the client has its answer. */
  async function answer(page: Page): Promise<URLSearchParams> {
    await page.waitForURL(`${callback.url}?**`);
    return new URL(page.url()).searchParams;
  }

  async function assertAnswered(page: Page): Promise<void> {
    const parameters = await answer(page);
    assert.ok(parameters.get("code"), page.url());
    assert.equal(parameters.get("state"), "the-state");
    assert.equal(parameters.get("iss"), app.config.AUTH_URL);
  }

  test("without JavaScript: sign-in, consent, and back at the client, with no other host asked", async () => {
    const visitor = await openVisitor(chromium.browser, { javaScriptEnabled: false });
    await visitor.page.goto(await newRequest("No script"));
    await signIn(visitor.page);
    await visitor.page.getByRole("button", { name: "Allow" }).click();
    await assertAnswered(visitor.page);
    assert.deepEqual([...visitor.hosts].sort(), [new URL(callback.url).host, new URL(app.config.BASE_URL).host].sort());
    assert.deepEqual(visitor.complaints, []);
    await visitor.close();
  });

  for (const javaScriptEnabled of [true, false]) {
    test(`form_post ${javaScriptEnabled ? "sends itself" : "without JavaScript is sent by a button"}`, async () => {
      const visitor = await openVisitor(chromium.browser, { javaScriptEnabled });
      const { page } = visitor;
      await page.goto(await newRequest(`Form ${javaScriptEnabled}`, { response_mode: "form_post" }));
      await signIn(page);
      await page.getByRole("button", { name: "Allow" }).click();
      if (!javaScriptEnabled) await page.getByRole("button", { name: "Continue" }).click();
      await page.waitForURL(callback.url);
      const posted = callback.posted();
      assert.ok(posted.get("code"));
      assert.deepEqual([posted.get("state"), posted.get("iss")], ["the-state", app.config.AUTH_URL]);
      assert.deepEqual(visitor.complaints, []);
      await visitor.close();
    });
  }

  test("deny goes back to the client with access_denied", async () => {
    const visitor = await openVisitor(chromium.browser);
    await visitor.page.goto(await newRequest("Denied"));
    await signIn(visitor.page);
    await visitor.page.getByRole("button", { name: "Deny" }).click();
    const parameters = await answer(visitor.page);
    assert.equal(parameters.get("error"), "access_denied");
    assert.equal(parameters.get("state"), "the-state");
    assert.equal(parameters.get("code"), null);
    await visitor.close();
  });

  test("with the keyboard alone: every control is reached by Tab, its focus is seen, Enter sends", async () => {
    const visitor = await openVisitor(chromium.browser);
    const { page } = visitor;
    await page.goto(await newRequest("Keyboard"));
    // The address has the focus when the page opens, with the browser's first frame: a letter typed before that is lost.
    await page.locator("#email:focus-visible").waitFor();
    await page.keyboard.type(ADA.email);
    await page.keyboard.press("Tab");
    await page.keyboard.type(ADA.password);
    await page.keyboard.press("Tab");
    assert.equal(await focused(page), "Sign in");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Allow Keyboard access to your account?" }).waitFor();
    const reached: string[] = [];
    for (let presses = 0; presses < 6 && reached.at(-1) !== "Allow"; presses++) {
      await page.keyboard.press("Tab");
      reached.push(await focused(page));
    }
    assert.deepEqual(reached, ["Not you?", "Allow"]);
    await page.keyboard.press("Enter");
    await assertAnswered(page);
    await visitor.close();
  });

  /** What the focused control says. Fails when its focus cannot be seen. */
  async function focused(page: Page): Promise<string> {
    const control = page.locator(":focus-visible");
    const outline = await control.evaluate((element) => {
      const { getComputedStyle } = globalThis as unknown as {
        getComputedStyle(element: unknown): { outlineStyle: string; outlineWidth: string };
      };
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      return `${outlineStyle} ${outlineWidth}`;
    });
    assert.equal(outline, "solid 2px");
    return ((await control.textContent()) ?? "").trim();
  }

  test("A13 two tabs: both requests end at the client, whichever is finished first", async () => {
    const visitor = await openVisitor(chromium.browser);
    const first = visitor.page;
    const request = await newRequest("Two tabs");
    await first.goto(request);
    const second = await visitor.newTab();
    await second.goto(request);
    await signIn(second);
    await second.getByRole("button", { name: "Allow" }).click();
    await assertAnswered(second);

    await signIn(first);
    await assertStartsAgain(first);
    await assertAnswered(first);
    await visitor.close();
  });

  test("A13 the Back button after the answer ends in a finished flow or a way to start again", async () => {
    const visitor = await openVisitor(chromium.browser);
    const { page } = visitor;
    await page.goto(await newRequest("Back button"));
    await signIn(page);
    await page.getByRole("button", { name: "Allow" }).click();
    await assertAnswered(page);

    for (let steps = 0; steps < 2; steps++) {
      await page.goBack({ waitUntil: "load" });
      if (page.url().startsWith(callback.url)) break;
    }
    // The consent page as the browser kept it, or one that says that it is over: neither may fail.
    const allow = page.getByRole("button", { name: "Allow" });
    const signInButton = page.getByRole("button", { name: "Sign in", exact: true });
    if (await allow.isVisible()) await allow.click();
    else if (await signInButton.isVisible()) await signIn(page);
    await assertStartsAgain(page);
    await assertAnswered(page);
    await visitor.close();
  });

  test("A13 a page reloaded after its time leads back to where the sign-in began", async () => {
    const visitor = await openVisitor(chromium.browser);
    const { page } = visitor;
    await page.goto(await newRequest("Reloaded"));
    const old = page.url();
    await signIn(page);
    await page.getByRole("button", { name: "Allow" }).click();
    await assertAnswered(page);
    const response = await page.goto(old);
    assert.ok(response !== null && response.status() < 500, `status ${response?.status()}`);
    await assertStartsAgain(page);
    await assertAnswered(page);
    await visitor.close();
  });

  /** Follows "Start again" when the page says that it is over; nothing to do when the flow is finished already. */
  async function assertStartsAgain(page: Page): Promise<void> {
    await page.waitForLoadState();
    if (page.url().startsWith(callback.url)) return;
    assert.match((await page.textContent("main")) ?? "", /over|start again/i);
    await page.getByRole("link", { name: /start again/i }).click();
  }

  test("a device is connected without any script, by the address that it shows", async () => {
    const { client_id } = await runJson<{ client_id: string }>(
      ["client", "create", "--name", "A television", "--public", "--grant", "device_code"],
      app.environment,
    );
    const ask = async (path: string, params: Record<string, string>) => {
      const body = new URLSearchParams({ client_id, ...params });
      const response = await fetch(app.config.AUTH_URL + path, { method: "POST", body });
      return (await response.json()) as Record<string, string>;
    };
    const device = await ask("/device/auth", { scope: "openid posts:read" });
    const visitor = await openVisitor(chromium.browser, { javaScriptEnabled: false });
    try {
      const { page } = visitor;
      await page.goto(device.verification_uri_complete ?? "");
      assert.equal(await page.getByLabel("Code").inputValue(), device.user_code);
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByText("A television").waitFor();
      await page.getByText(device.user_code ?? "").waitFor();
      await page.getByRole("button", { name: "Continue" }).click();
      await signIn(page);
      await page.getByText("On another device").waitFor();
      await page.getByRole("button", { name: "Allow" }).click();
      await page.getByRole("heading", { name: "Your device is connected" }).waitFor();
      assert.deepEqual(visitor.complaints, []);
    } finally {
      await visitor.close();
    }
    const grant_type = "urn:ietf:params:oauth:grant-type:device_code";
    const tokens = await ask("/token", { grant_type, device_code: device.device_code ?? "" });
    assert.equal(tokens.scope, "openid posts:read");
  });
});
