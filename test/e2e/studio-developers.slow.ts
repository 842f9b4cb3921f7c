import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import type { TestApp } from "../app.ts";
import { LOOKS, violations } from "../axe.ts";
import { freePort } from "../port.ts";
import { enter, openStudioApp, type StudioApp } from "./studio-app.ts";
import { openVisitor, type Visitor } from "./visitor.ts";

/** No administrator: what a developer does, anybody may do. */
const BEN = { name: "Ben Okri", email: "ben@example.com", password: "seven slow barges under a bridge" };

describe("people register their own clients in the studio", () => {
  let app: TestApp;
  let studio: StudioApp;
  let visitor: Visitor;
  let page: Page;
  let port: number;
  /** Code of the pages is run here, as a developer would. */
  let folder: string;
  let id: string;
  let secret: string;

  before(async () => {
    const settings = { RATE_LIMIT_TOKEN: "off", CLIENTS_BY: "people" };
    [studio, port] = await Promise.all([openStudioApp(settings), freePort()]);
    app = studio.app;
    await studio.addPerson(BEN);
    visitor = await openVisitor(studio.chromium.browser, { locale: "en-GB", viewport: { width: 1280, height: 900 } });
    page = visitor.page;
    folder = mkdtempSync(join(tmpdir(), "content-api-snippets-"));
    symlinkSync(join(import.meta.dirname, "../../node_modules"), join(folder, "node_modules"));
    await page.goto(address("/developers"));
    await enter(page, BEN);
    await page.getByRole("heading", { name: "Your clients", level: 1 }).waitFor();
  });
  after(async () => {
    await visitor?.close();
    await studio?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const address = (path = "") => `${app.config.BASE_URL}/studio${path}`;
  const redirectUri = () => `http://localhost:${port}/callback`;
  const field = (name: string) => page.getByRole("textbox", { name, exact: true });
  const dialog = () => page.getByRole("dialog");

  /** The code on the page for a library, in its file. */
  async function saveCode(library: string, from: Page = page): Promise<string> {
    await from.getByRole("tab", { name: library }).click();
    const panel = from.getByRole("tabpanel", { name: library });
    const name = (await panel.locator(".code-head code").textContent()) ?? "";
    writeFileSync(join(folder, name), (await panel.getByRole("region", { name }).textContent()) ?? "");
    return name;
  }

  function run(command: string, args: readonly string[], environment: Record<string, string> = {}): Run {
    const child = spawn(command, args, { cwd: folder, env: { ...process.env, ...environment } });
    const heard = { text: "" };
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (part: Buffer) => {
        heard.text += part.toString();
      });
    return { child, heard };
  }

  interface Run {
    readonly child: ChildProcess;
    readonly heard: { readonly text: string };
  }

  /** Waits until a program has written what matches. */
  async function heard({ child, heard }: Run, pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(heard.text);
      if (match !== null) return match;
      assert.equal(child.exitCode, null, `the program ended: ${heard.text}`);
      await Promise.race([once(child.stdout as NonNullable<ChildProcess["stdout"]>, "data"), once(child, "close")]);
    }
  }

  async function isAccepted(given: string): Promise<boolean> {
    const answer = await fetch(`${app.config.AUTH_URL}/revoke`, {
      method: "POST",
      headers: { authorization: `Basic ${Buffer.from(`${id}:${given}`).toString("base64")}` },
      body: new URLSearchParams({ token: "none" }),
    });
    await answer.body?.cancel();
    return answer.ok;
  }

  test("S70 S71 the empty list explains itself; the choice decides the form, and mistakes in URIs are explained", async () => {
    await page.getByText("A client is a program of yours").waitFor();
    await page.getByRole("link", { name: "New client" }).click();
    await page.getByRole("heading", { name: "New client", level: 1 }).waitFor();
    // All by keyboard.
    await page.getByRole("radio", { name: "Web site with a server" }).focus();
    await page.keyboard.press("Space");
    await page.waitForURL(/kind=web$/);
    await field("Name").focus();
    await page.keyboard.type("Reading list");
    await page.keyboard.press("Tab");
    await page.keyboard.type("http://example.com/callback");
    await page.getByText("Use https, such as https://example.com/callback").waitFor();
    await field("Name").press("Enter");
    await page.locator("textarea[aria-invalid=true]:focus").waitFor();
    await page.keyboard.press("Control+A");
    await page.keyboard.insertText(redirectUri());
    await page.getByRole("checkbox", { name: "See your e-mail address" }).check();
    assert.equal(await page.getByRole("checkbox", { name: /Administer/ }).count(), 0);
    await page.getByRole("button", { name: "Create client" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Reading list is ready", level: 1 }).waitFor();
    await page.waitForURL(/\/developers\/[\w-]+$/);
    id = await field("Client id").inputValue();
    secret = await field("Client secret").inputValue();
    assert.ok(page.url().endsWith(`/${id}`) && (await isAccepted(secret)));
  });

  test("S72 the secret stays until somebody has it, and .env has it", async () => {
    await page.getByRole("link", { name: "Your clients" }).first().click();
    await dialog().getByText("Do you have the secret?").waitFor();
    await page.keyboard.press("Escape");
    await dialog().waitFor({ state: "detached" });
    assert.equal(await field("Client secret").inputValue(), secret);
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download .env" }).click(),
    ]);
    const text = await readFile(await file.path(), "utf8");
    assert.ok(text.includes(`CLIENT_ID=${id}\nCLIENT_SECRET=${secret}\n`), text);
    writeFileSync(join(folder, ".env"), text);
    await page.goBack();
    await dialog().getByRole("button", { name: "Stay here" }).click();
    await page.getByRole("heading", { name: "Reading list is ready" }).waitFor();
    assert.ok(page.url().endsWith(`/${id}`));
    assert.equal(await field("Client secret").inputValue(), secret);
  });

  test("S72 the code for openid-client and curl signs in as it stands", async () => {
    const site = run(process.execPath, ["--env-file=.env", await saveCode("openid-client")]);
    const tab = await visitor.newTab();
    try {
      await heard(site, /Open http/);
      await tab.goto(`http://localhost:${port}/`);
      await tab.getByText("Made by Ben Okri").waitFor();
      await tab.getByRole("button", { name: "Allow" }).click();
      await tab.waitForURL(/\/callback\?/);
      const { claims, data } = JSON.parse((await tab.locator("body").textContent()) ?? "");
      assert.equal(claims.name ?? claims.aud, claims.name === undefined ? id : "Ben Okri");
      assert.deepEqual(data, { posts: [] });

      const curl = run("sh", [await saveCode("curl")]);
      const [link] = await heard(curl, /http\S+\/authorize\?\S+&state=[0-9a-f]{32}/);
      await tab.goto(link);
      await tab.waitForURL(/\/callback\?/);
      curl.child.stdin?.end(`${tab.url()}\n`);
      await heard(curl, /"access_token":"[^"]+"[\s\S]*\{"data":\{"posts":\[\]\}\}/);
    } finally {
      site.child.kill();
      await tab.close();
    }
    for (const name of ["Auth.js", "Python"])
      assert.match(await readFile(join(folder, await saveCode(name)), "utf8"), new RegExp(id));
    await page.getByRole("button", { name: "I have it" }).click();
    await page.getByRole("heading", { name: "Reading list", exact: true, level: 1 }).waitFor();
    assert.equal(await field("Client secret").count(), 0);
  });

  test("S72 a job without people gets its token with the code, too", async () => {
    await page.goto(address("/developers/new"));
    await page.getByRole("radio", { name: "Job without people" }).check();
    await field("Name").fill("Search index");
    assert.equal(await field("Redirect URIs").count(), 0);
    assert.equal(await page.getByRole("checkbox", { name: "Sign you in" }).count(), 0);
    await page.getByRole("button", { name: "Create client" }).click();
    await page.getByRole("heading", { name: "Search index is ready" }).waitFor();
    const given = await field("Client secret").inputValue();
    writeFileSync(join(folder, ".env"), `CLIENT_SECRET=${given}\n`);
    const programs = [
      run(process.execPath, ["--env-file=.env", await saveCode("openid-client")]),
      run("sh", [await saveCode("curl")]),
    ];
    for (const program of programs) await heard(program, /\{"data":\{"posts":\[\]\}\}/);
    await page.getByRole("button", { name: "I have it" }).click();
    await page.getByRole("heading", { name: "Search index", exact: true }).waitFor();
  });

  test("S76 a second secret works beside the first, which then ends", async () => {
    await page.goto(address(`/developers/${id}`));
    const secrets = page.getByRole("region", { name: "Secrets" });
    await secrets.getByRole("button", { name: "Add secret" }).click();
    const added = await secrets.getByRole("textbox", { name: "New client secret" }).inputValue();
    assert.ok((await isAccepted(secret)) && (await isAccepted(added)));
    await secrets.getByRole("button", { name: `End secret …${secret.slice(-4)}` }).click();
    await dialog().getByText("It was last used").waitFor();
    await dialog().getByRole("button", { name: "End secret" }).click();
    await page.getByText("The secret is ended.").waitFor();
    await secrets.getByText("The only one").waitFor();
    assert.ok(await isAccepted(added));
    while (await isAccepted(secret)); // within a second
    secret = added;
    await page.getByRole("link", { name: "Try the sign-in" }).click();
    await dialog().getByRole("button", { name: "I have it" }).click();
    await page.getByRole("heading", { name: "Try the sign-in", level: 1 }).waitFor();
    await page.goBack();
    await secrets.getByText("The only one").waitFor();
    assert.equal(await secrets.getByRole("textbox").count(), 0);
  });

  test("S74 a request that was refused is explained", async () => {
    const query = new URLSearchParams({ client_id: id, response_type: "code", redirect_uri: `${redirectUri()}/` });
    await (await fetch(`${app.config.AUTH_URL}/authorize?${query}`)).body?.cancel();
    const problem = page.getByText("It must not end with a slash.");
    const again = page.getByRole("region", { name: "Problems" }).getByRole("button", { name: "Look again" });
    // The audit writes a moment after the answer.
    while (!(await problem.isVisible())) {
      const [answer] = await Promise.all([page.waitForResponse(/\/graphql/), again.click()]);
      await answer.finished();
      await page.locator("[aria-label=Problems] [aria-disabled=false]").waitFor();
    }
  });

  /** Runs the whole flow from the page of the client, and comes back to it. @returns what the steps showed */
  async function tryIt(): Promise<string> {
    await page.getByRole("link", { name: "Try the sign-in" }).click();
    await page.getByRole("heading", { name: "Try the sign-in", level: 1 }).waitFor();
    const begin = page.getByRole("button", { name: "Start" });
    await begin.focus();
    await page.keyboard.press("Enter");
    const end = page.getByText(/^(It works: every step is done|A step failed)/);
    await end.waitFor();
    const steps = (await page.locator("ol.trial").textContent()) ?? "";
    assert.match((await end.textContent()) ?? "", /^It works/, steps);
    return steps;
  }

  test("S73 the owner tries the sign-in, sees each step, and nothing of it is left", async () => {
    const steps = await tryIt();
    for (const part of [
      "/studio/try",
      "response_type=code",
      '"access_token"',
      '"aud"',
      '"name": "Ben Okri"',
      '"posts": []',
    ])
      assert.ok(steps.includes(part), `${part}: ${steps}`);
    assert.ok(steps.endsWith("The secret for this trial no longer works."), steps);
    await page.getByRole("link", { name: "Reading list" }).click();
    await page.getByRole("region", { name: "Secrets" }).getByText("The only one").waitFor();
  });

  test("S75 S77 settings change, with words for what is wrong", async () => {
    await field("Name").fill("Books");
    await field("Redirect URIs").fill(`${redirectUri()}\nhttps://*.example.com/callback`);
    await page.getByRole("button", { name: "Save settings" }).click();
    await page.locator("textarea[aria-invalid=true]:focus").waitFor();
    await field("Redirect URIs").fill(`${redirectUri()}\nhttps://books.example.com/callback`);
    await page.getByText("Harder to attack").click();
    await page.getByRole("checkbox", { name: "Requests are pushed first (PAR)" }).check();
    await page.getByRole("checkbox", { name: "Tokens need a key of the program (DPoP)" }).check();
    await page.getByRole("button", { name: "Save settings" }).click();
    await page.getByText("The settings are saved.").waitFor();
    await page.getByRole("heading", { name: "Books", level: 1 }).waitFor();
    await page.getByText("and pushes its sign-in requests").waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Books", level: 1 }).waitFor();
    assert.match(await field("Redirect URIs").inputValue(), /books\.example\.com/);
    assert.equal(await page.getByRole("button", { name: "Save settings" }).getAttribute("aria-disabled"), "true");
    assert.match(await tryIt(), /request_uri=/);
    await page.getByRole("link", { name: "Books" }).click();
    await page.getByRole("heading", { name: "Books", level: 1 }).waitFor();
  });

  test("S75 a client is disabled, enabled, and deleted after its name was typed", async () => {
    await page.getByRole("button", { name: "Disable", exact: true }).click();
    await dialog().getByRole("button", { name: "Disable client" }).click();
    await page.getByText("You disabled this client").waitFor();
    while (await isAccepted(secret)); // within a second
    await page.getByRole("button", { name: "Enable" }).click();
    await page.getByText("“Books” works again.").waitFor();
    assert.equal(await page.getByText("You disabled this client").count(), 0);

    await page.goto(address("/developers"));
    await page.getByRole("link", { name: "Search index" }).click();
    await page.getByRole("button", { name: "Delete" }).click();
    await dialog().getByRole("button", { name: "Delete client" }).click();
    await dialog().getByText("Type “Search index” first.").waitFor();
    await dialog().getByRole("textbox").fill("Search index");
    await page.keyboard.press("Enter");
    await page.getByText("“Search index” is deleted.").waitFor();
    await page.getByText("1 of 20").waitFor();
    await page.locator("h1:focus").waitFor();
    await page.goto(address("/developers/nothing"));
    await page.getByRole("heading", { name: "You have no such client" }).waitFor();
  });

  test("S97 S98 axe finds nothing on any page, in any look, and nothing is wider than the screen", async () => {
    const pages: readonly (readonly [path: string, ready: string])[] = [
      ["/developers", "1 of 20"],
      ["/developers/new?kind=web", "Create client"],
      [`/developers/${id}`, "Harder to attack"],
      [`/developers/${id}/try`, "your consent stays"],
    ];
    for (const [path, ready] of pages) {
      await page.goto(address(path));
      await page.getByText(ready).first().waitFor();
      for (const summary of await page.locator("main details > summary").all()) await summary.click();
      for (const [look, { colorScheme = null, forcedColors = null, viewport = null }] of Object.entries(LOOKS)) {
        await page.emulateMedia({ colorScheme, forcedColors });
        if (viewport !== null) await page.setViewportSize(viewport);
        assert.deepEqual(await violations(page), [], `${path}, ${look}`);
        assert.ok(
          (await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth")) <= 0,
          `${path}, ${look}`,
        );
      }
    }
  });

  test("no page broke its own policy", () => assert.deepEqual(visitor.complaints, []));
});
