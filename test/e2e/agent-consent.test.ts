import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { openTestApp, type TestApp } from "../app.ts";
import { violations } from "../axe.ts";
import { openBrowser, type TestBrowser } from "../browser.ts";
import { exchange, requestToken } from "../security/client.ts";
import { becomeAdministrator, openVisitor, signIn } from "./visitor.ts";

describe("A14 the consent page for agents, in a browser", () => {
  let app: TestApp;
  let chromium: TestBrowser;
  /** Where the agent waits. */
  const agent = createServer((_request, response) => response.end("You can close this window."));
  let redirectUri: string;
  before(async () => {
    [app, chromium] = await Promise.all([openTestApp({ REGISTRATION: "open" }), openBrowser()]);
    await new Promise<void>((done) => agent.listen(0, "127.0.0.1", done));
    redirectUri = `http://127.0.0.1:${(agent.address() as AddressInfo).port}/callback`;
    const visitor = await openVisitor(chromium.browser);
    await becomeAdministrator(visitor.page, app.setUpUrl ?? "");
    await visitor.close();
  });
  after(async () => {
    agent.close();
    await chromium?.close();
    await app?.close();
  });

  async function register(name: string): Promise<string> {
    const response = await fetch(`${app.config.AUTH_URL}/register`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        client_name: name,
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: "none",
      }),
    });
    return ((await response.json()) as { client_id: string }).client_id;
  }

  for (const [level, label, scope] of [
    ["read", "Read", "posts:read users:read"],
    ["draft", null, "posts:read users:read posts:draft"],
    ["write", "Read, write, publish and delete", "posts:read users:read posts:write"],
  ] as const)
    test(`${level}, without JavaScript`, async () => {
      const clientId = await register(`Claude for ${level}`);
      const verifier = randomBytes(32).toString("base64url");
      const visitor = await openVisitor(chromium.browser, {
        javaScriptEnabled: false,
        viewport: { width: 390, height: 844 },
      });
      const { page } = visitor;
      await page.goto(
        `${app.config.AUTH_URL}/authorize?${new URLSearchParams({
          ...{ response_type: "code", client_id: clientId, redirect_uri: redirectUri, state: "s" },
          ...{ scope: "posts:read users:read posts:write", resource: `${app.config.BASE_URL}/mcp` },
          code_challenge: createHash("sha256").update(verifier).digest("base64url"),
          code_challenge_method: "S256",
        })}`,
      );
      await signIn(page);
      await page.getByRole("heading", { name: `Allow Claude for ${level} to act for you?` }).waitFor();
      assert.ok(await page.getByRole("radio", { name: "Read and write drafts" }).isChecked());
      assert.equal(
        await page
          .getByRole("group", { name: `Claude for ${level} may` })
          .getByRole("radio")
          .count(),
        3,
      );
      // The whole line can be clicked, its explanation too.
      if (label !== null) await page.getByText(label, { exact: true }).click();
      assert.equal(await page.locator("input[name=level]:checked").getAttribute("value"), level);
      await page.getByRole("button", { name: "Allow" }).click();
      await page.waitForURL(`${redirectUri}?**`);
      const code = new URL(page.url()).searchParams.get("code") ?? "";
      const { body } = await requestToken(app.config.AUTH_URL, exchange({ clientId, redirectUri }, code, verifier));
      assert.equal(body.scope, scope);
      await page.goto(`${app.config.AUTH_URL}/account`);
      await page.getByText(`Agent: ${(label ?? "Read and write drafts").toLowerCase()}`).waitFor();
      assert.deepEqual(visitor.complaints, []);
      await visitor.close();
    });

  test("axe finds nothing on the page as it is served, and the keyboard is enough", async () => {
    const clientId = await register("Claude by keyboard");
    const visitor = await openVisitor(chromium.browser);
    const { page } = visitor;
    await page.goto(
      `${app.config.AUTH_URL}/authorize?${new URLSearchParams({
        ...{ response_type: "code", client_id: clientId, redirect_uri: redirectUri, state: "s" },
        ...{ scope: "posts:read posts:write", code_challenge: "x".repeat(43), code_challenge_method: "S256" },
      })}`,
    );
    await signIn(page);
    const drafts = page.getByRole("radio", { name: "Read and write drafts" });
    await drafts.waitFor();
    assert.deepEqual(await violations(page), []);
    await drafts.focus();
    await page.keyboard.press("ArrowUp");
    assert.ok(await page.getByRole("radio", { name: /^Read\b(?! and|,)/ }).isChecked());
    await page.keyboard.press("Tab");
    assert.equal(await page.locator(":focus").textContent(), "Allow");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${redirectUri}?**`);
    assert.ok(new URL(page.url()).searchParams.has("code"));
    await visitor.close();
  });
});
