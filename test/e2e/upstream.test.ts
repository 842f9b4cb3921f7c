import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { openTestApp, type TestApp } from "../app.ts";
import { openBrowser, type TestBrowser } from "../browser.ts";
import { runCommand, runJson } from "../command.ts";
import { freePort } from "../port.ts";
import { ADA, becomeAdministrator, openVisitor, signIn } from "./visitor.ts";

/** Two copies of the program, of which one signs people in at the other. Cookies ignore ports, so their hosts differ. */
describe("sign-in at another server of this program", () => {
  let folder: string;
  let acme: TestApp;
  let app: TestApp;
  let chromium: TestBrowser;
  let callback: Server;
  let client: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "content-api-upstream-"));
    const [there, here] = [await freePort(), await freePort()];
    const address = `http://127.0.0.1:${there}`;
    [acme, chromium] = await Promise.all([
      openTestApp({ PORT: String(there), AUTH_URL: address, BASE_URL: address, OPERATOR_NAME: "ACME" }),
      openBrowser(),
    ]);
    const registered = await runJson<{ client_id: string; client_secret: string }>(
      [
        "client",
        "create",
        "--name",
        "The other server",
        "--redirect-uri",
        `http://localhost:${here}/upstream/acme/callback`,
      ],
      acme.environment,
    );
    const { client_id, client_secret } = registered;
    const file = join(folder, "upstreams.json");
    await writeFile(file, JSON.stringify([{ id: "acme", name: "ACME", issuer: address, client_id, client_secret }]));
    app = await openTestApp({ PORT: String(here), UPSTREAMS: file, PRIVATE_HOSTS: "127.0.0.1" });
    for (const one of [acme, app]) {
      const visitor = await openVisitor(chromium.browser);
      assert.ok(one.setUpUrl);
      await becomeAdministrator(visitor.page, one.setUpUrl);
      await visitor.close();
    }
    callback = createServer((_request, response) => {
      response
        .writeHead(200, { "content-type": "text/html" })
        .end("<!doctype html><title>Client</title><h1>Client</h1>");
    });
    await new Promise<void>((resolve) => callback.listen(0, "127.0.0.1", resolve));
    client = `http://127.0.0.1:${(callback.address() as AddressInfo).port}/callback`;
  });
  after(async () => {
    callback?.close();
    await chromium?.close();
    await app?.close();
    await acme?.close();
    await rm(folder, { recursive: true });
  });

  /** At ACME, where the person is not signed in yet. */
  async function signInThere(page: Page): Promise<void> {
    await page.waitForURL(`${acme.config.AUTH_URL}/**`);
    await signIn(page);
    await page.getByRole("button", { name: "Allow" }).click();
  }

  test("U63 sign in there, sign in here, link; the next time one press suffices, also at a client's request", async () => {
    const { page, complaints, close } = await openVisitor(chromium.browser, { javaScriptEnabled: false });
    const home = `${app.config.AUTH_URL}/account`;
    await page.goto(home);
    await page.getByRole("button", { name: "Continue with ACME" }).click();
    await signInThere(page);
    await page.getByRole("heading", { name: "Which account is yours?" }).waitFor();
    assert.match((await page.textContent("main")) ?? "", new RegExp(`ACME knows you as ${ADA.email}`));
    await page.getByRole("button", { name: "I have an account: sign in, then link" }).click();
    await signIn(page);
    await page.getByRole("heading", { name: /Link ACME .* to your account\?/ }).waitFor();
    await page.getByRole("button", { name: "Link", exact: true }).click();
    await page.getByRole("heading", { name: "Linked services" }).waitFor();

    await page.goto(home);
    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await page.getByRole("button", { name: "Continue with ACME" }).click();
    await page.getByRole("heading", { name: "Your account" }).waitFor(); // ACME still knows the browser

    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    const registered = await runJson<{ client_id: string }>(
      ["client", "create", "--name", "A client", "--public", "--first-party", "--redirect-uri", client],
      app.environment,
    );
    const challenge = createHash("sha256").update(randomBytes(32).toString("base64url")).digest("base64url");
    const request = {
      ...{ response_type: "code", client_id: registered.client_id, redirect_uri: client, scope: "openid", state: "s" },
      ...{ code_challenge: challenge, code_challenge_method: "S256" },
    };
    await page.goto(`${app.config.AUTH_URL}/authorize?${new URLSearchParams(request)}`);
    // From here to the client no page asks for anything: the whole chain follows one press.
    await page.getByRole("button", { name: "Continue with ACME" }).click();
    await page.waitForURL(`${client}?**`);
    assert.ok(new URL(page.url()).searchParams.get("code"));
    assert.deepEqual(complaints, []);
    await close();
  });

  test("U30 step-up at the service asks for the password there anew", async () => {
    const { page, close } = await openVisitor(chromium.browser);
    await page.goto(`${app.config.AUTH_URL}/account/step-up?for=links`);
    await page.getByRole("button", { name: "Continue with ACME" }).click();
    await page.waitForURL(`${acme.config.AUTH_URL}/**`);
    await signIn(page); // what was agreed to there is remembered
    await page.getByRole("heading", { name: "Your account" }).waitFor();
    await page.goto(`${app.config.AUTH_URL}/account/step-up?for=links`);
    await page.getByRole("button", { name: "Continue with ACME" }).click();
    await page.waitForURL(`${acme.config.AUTH_URL}/**`);
    await signIn(page);
    await page.getByRole("heading", { name: "Linked services" }).waitFor();
    await close();
  });

  test("U70 upstream check asks the service", async () => {
    const { code, stdout } = await runCommand(["upstream", "check"], app.environment);
    assert.equal(code, 0, stdout);
    assert.match(stdout, /upstream acme\s+good\s+http:\/\/127\.0\.0\.1:\d+ answers, and signs with/);
    const away = await runCommand(["upstream", "check", "--json"], { ...app.environment, PRIVATE_HOSTS: "127.0.0.2" });
    assert.notEqual(away.code, 0, "an issuer on this machine has to be allowed");
  });
});
