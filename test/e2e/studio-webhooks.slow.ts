import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { Locator, Page } from "playwright-core";
import type { Id } from "../../src/domain/id.ts";
import type { Store } from "../../src/domain/store/store.ts";
import { openStore } from "../../src/storage/open.ts";
import type { TestApp } from "../app.ts";
import { LOOKS, violations } from "../axe.ts";
import { runJson } from "../command.ts";
import { openReceiver, type Receiver, verify } from "../events/receiver.ts";
import { freePort } from "../port.ts";
import { enter, openStudioApp, type StudioApp } from "./studio-app.ts";
import { openVisitor, type Visitor } from "./visitor.ts";

/** Failed deliveries: more than one page of the list, and more than one request sends again. */
const FAILED = 120;

describe("webhooks in the studio", () => {
  let studio: StudioApp;
  let app: TestApp;
  let visitor: Visitor;
  let page: Page;
  let store: Store;
  let receiver: Receiver;
  let folder: string;
  let child: ChildProcess | undefined;
  let webhook: { id: Id; secret: string };

  before(async () => {
    const settings = { RATE_LIMIT_TOKEN: "off", CLIENTS_BY: "people", PRIVATE_HOSTS: "127.0.0.1" };
    folder = await mkdtemp(join(tmpdir(), "content-api-webhooks-"));
    [studio, receiver] = await Promise.all([openStudioApp(settings), openReceiver()]);
    app = studio.app;
    store = await openStore(app.config.DATABASE_URL);
    const options = { locale: "en-GB", viewport: { width: 1280, height: 900 }, acceptDownloads: true };
    visitor = await openVisitor(studio.chromium.browser, options);
    page = visitor.page;
    await page.goto(address("/webhooks"));
    await enter(page);
    await page.getByRole("heading", { name: "Webhooks", level: 1 }).waitFor();
  });
  after(async () => {
    child?.kill();
    await visitor?.close();
    await store?.close();
    await studio?.close();
    await receiver?.close();
    if (folder !== undefined) await rm(folder, { recursive: true });
  });

  const address = (path = "") => `${app.config.BASE_URL}/studio${path}`;
  const rows = () => page.locator("main table tbody tr");
  const title = (name: string) => page.getByRole("heading", { name, level: 1, exact: true }).waitFor();
  const tab = (name: string) => page.getByRole("navigation", { name: "Webhook" }).getByRole("link", { name });
  async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
    for (const deadline = Date.now() + 15_000; !(await isSo()); await pause(50)) assert.ok(Date.now() < deadline);
  }
  /** Waits for what the page shows once it has looked for changes, as it does when a person comes back to its tab. */
  const seen = (locator: Locator) =>
    until(async () => {
      await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
      return locator.isVisible();
    });
  const lastCall = () => receiver.received.at(-1) ?? assert.fail("no call came");

  async function publish(name: string): Promise<string> {
    const query = "mutation ($input: CreatePostInput!) { createPost(input: $input) { id } }";
    const input = { title: name, body: "Text" };
    return (await studio.ask<{ createPost: { id: string } }>(query, { input })).createPost.id;
  }

  /** Deliveries that are due in a minute, so that the running program leaves them alone. */
  async function waitingDeliveries(count: number): Promise<string> {
    const soon = new Date(Date.now() + 60_000).toISOString();
    const { cursor = "" } = (await store.webhooks.find(webhook.id)) ?? {};
    const event = { eventType: "post.updated", payload: '{"type":"post.updated","data":{}}' } as const;
    const all = Array.from({ length: count }, () => ({ ...event, eventId: crypto.randomUUID() as Id }));
    const to = cursor === "" ? webhook.id : cursor;
    assert.ok(await store.webhooks.advance(webhook.id, { from: cursor, to }, all, soon));
    return soon;
  }

  async function failedDeliveries(count: number): Promise<void> {
    const now = await waitingDeliveries(count);
    const until = new Date(Date.now() + 120_000).toISOString();
    const claimed = await store.webhooks.claim(webhook.id, { now, until, limit: count });
    assert.equal(claimed.length, count);
    const outcome = { dueAt: null, failures: 10, attemptAt: now, status: 503, error: "the receiver answered 503" };
    for (const { id, claim } of claimed) await store.webhooks.settle(id, claim ?? "", { ...outcome, state: "FAILED" });
  }

  /** Sends off what waits, and lets the running program end it. */
  async function untilNoneWaits(): Promise<void> {
    const waiting = () => store.webhooks.listDeliveries({ webhookId: webhook.id, state: "PENDING", limit: FAILED });
    for (const { id, claim, attempts } of await waiting())
      if (claim === null && attempts > 0)
        await store.webhooks.resend(id, new Date().toISOString()).catch(() => undefined); // it may have begun
    await until(async () => (await waiting()).length === 0);
  }

  test("S80 S82 a webhook is made by keyboard, and the receiver of its page runs and takes a test", async () => {
    const port = await freePort();
    await page.getByText("No webhooks yet").waitFor();
    await page.getByRole("link", { name: "New webhook" }).press("Enter");
    await title("New webhook");
    const url = page.getByRole("textbox", { name: "URL" });
    await url.fill("http");
    assert.equal(await page.locator(".field-error").count(), 0, "a beginning is no mistake");
    await url.fill("http://app.example.com/hooks");
    await page.getByText("The URL must use https: plain http is for hosts that PRIVATE_HOSTS names.").waitFor();
    assert.equal(await url.getAttribute("aria-invalid"), "true");
    await url.fill(`http://127.0.0.1:${port}/hooks`);
    await page.getByText(`Calls go to 127.0.0.1:${port}, which PRIVATE_HOSTS lists.`).waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowDown"); // "Only these"
    await page.keyboard.press("Enter");
    await page.getByText("Choose an event, or all events.").waitFor();
    const published = page.getByRole("checkbox", { name: "post.published" });
    await published.focus();
    await page.keyboard.press("Space");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter"); // its example
    await page.getByText('"previousStatus": "DRAFT"').waitFor();
    await published.press("Enter");
    await title("The webhook is ready");
    await until(() => page.evaluate<boolean>("document.activeElement?.tagName === 'H1'"));

    const secret = await page.getByLabel("Signing secret").inputValue();
    assert.match(secret, /^whsec_/);
    for (const name of [".env", "receiver.mjs"]) {
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: `Download ${name}` }).click(),
      ]);
      await download.saveAs(join(folder, name));
    }
    child = spawn(process.execPath, ["--env-file=.env", "receiver.mjs"], {
      cwd: folder,
      env: { PATH: process.env.PATH, PORT: String(port) },
    });
    let printed = "";
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (text) => {
        printed += text;
      });
    await until(async () => {
      assert.equal(child?.exitCode, null, printed);
      const forged = { method: "POST", body: "{}" };
      return fetch(`http://127.0.0.1:${port}`, forged).then(
        ({ status }) => status === 401,
        () => false,
      );
    });
    await page.getByRole("link", { name: "Send a test" }).press("Enter");
    await page.getByRole("button", { name: "I have it" }).press("Enter");
    await page.getByRole("combobox", { name: "Event" }).waitFor();
    assert.equal(await page.getByRole("combobox", { name: "Event" }).inputValue(), "POST_PUBLISHED");
    await page.getByRole("button", { name: "Send test" }).press("Enter");
    await page.getByText("Delivered, 204").waitFor();
    await page.getByText('"test": true').last().waitFor();
    assert.match(printed, /^post\.published \{/);
    assert.ok(!(await page.content()).includes(secret), "the secret is gone with its page");
  });

  test("S83 S84 S85 a call fails: the list is live, the delivery says why, and is sent again with its id", async () => {
    const create = ["webhook", "create", "--url", receiver.url, "--event", "post.created"];
    webhook = await runJson<{ id: Id; secret: string }>(create, app.environment);
    receiver.answer = (response) => response.writeHead(500).end("no room <b>left</b>");
    await page.goto(address(`/webhooks/${webhook.id}`));
    await page.getByText("No deliveries yet").waitFor();
    const post = await publish("Nine herons");
    await seen(rows().first().getByText("Retrying"));
    await page.getByText(/This webhook is failing.*The receiver answered 500\./).waitFor();
    await publish("A mill");
    await page.getByRole("button", { name: "1 new. Show" }).click();
    await rows().nth(1).waitFor();
    await page.getByRole("searchbox", { name: "Post" }).fill(post);
    await page.waitForURL(new RegExp(`\\?post=${post}$`));
    await rows().nth(1).waitFor({ state: "detached" });

    await rows().first().getByRole("link", { name: "post.created" }).click();
    await title("post.created");
    await page.getByText("Failed, 500").first().waitFor();
    await page.getByText("no room <b>left</b>").first().waitFor();
    await page.getByText("Headers as sent").first().click();
    await page.locator(".made-call .facts").getByText(/^v1,/).first().waitFor();
    await page.getByText(`curl --include '${receiver.url}'`).waitFor();
    const body = page.locator(".payload", { hasText: '"title": "Nine herons"' });
    assert.match((await body.textContent()) ?? "", /^\{\n {2}"type"/);
    await page.getByRole("button", { name: "As sent" }).click();
    const [first] = receiver.received;
    await page.getByText(first?.body ?? "", { exact: true }).waitFor();

    receiver.answer = (response) => response.writeHead(204).end();
    await page.getByRole("button", { name: "Send again" }).click();
    await seen(page.getByText("Delivered, 204"));
    const id = first?.headers["webhook-id"];
    assert.ok(receiver.received.filter(({ headers }) => headers["webhook-id"] === id).length >= 2);
    await page.getByRole("heading", { name: /attempts/ }).waitFor();
    await page.goBack();
    await rows().first().getByText("Delivered").waitFor();
    assert.equal(await page.getByRole("searchbox", { name: "Post" }).inputValue(), post);
    await untilNoneWaits();
  });

  test("S83 S85 filters stand in the address, pages follow, and all failed deliveries go again after their number", async () => {
    await failedDeliveries(FAILED);
    await page.goto(address(`/webhooks/${webhook.id}`));
    await page.getByRole("combobox", { name: "State" }).selectOption("Failed");
    await page.waitForURL(/\?state=FAILED$/);
    await rows().nth(49).waitFor();
    await until(() =>
      page.evaluate<boolean>(
        `(scrollTo(0, document.body.scrollHeight), document.querySelectorAll("main tbody tr").length === ${FAILED})`,
      ),
    );
    await page.getByRole("button", { name: "Load more" }).waitFor({ state: "detached" });
    const sent = receiver.received.length;
    await page.getByRole("button", { name: "Send all failed again" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(`${FAILED} deliveries failed since then.`).waitFor();
    await dialog.getByRole("button", { name: `Send ${FAILED} again` }).click();
    await page.getByText(`${FAILED} deliveries are being sent again.`).waitFor();
    await receiver.until(sent + FAILED);
    await untilNoneWaits();
    await until(() => page.evaluate<boolean>("document.activeElement?.textContent === 'Send all failed again'"));
  });

  test("S81 disabled and enabled it says what waits; the old secret signs for a day, or ends when it has leaked", async () => {
    await waitingDeliveries(2);
    await page.goto(address(`/webhooks/${webhook.id}/settings`));
    await page.getByRole("textbox", { name: "URL" }).fill(`${receiver.url}/new`);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("2 waiting calls go to the new URL.").waitFor();
    await page.getByRole("button", { name: "Disable webhook" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("2 waiting calls are kept.").waitFor();
    await dialog.getByRole("button", { name: "Disable webhook" }).click();
    await page.getByRole("button", { name: "Enable: 2 waiting calls go out" }).click();
    await page.getByText("The webhook is enabled. 2 waiting calls go out now.").waitFor();

    async function testCall() {
      await tab("Test").click();
      await dialog.getByRole("button", { name: "I have it" }).click();
      await page.getByRole("button", { name: "Send test" }).click();
      await page.getByText("Delivered, 204").waitFor();
      assert.equal(lastCall().path, "/hook/new");
      await tab("Settings").click();
      return lastCall();
    }
    async function rotate(choice: string): Promise<string> {
      await page.getByRole("button", { name: "New secret" }).click();
      await dialog.getByRole("radio", { name: choice }).check();
      await dialog.getByRole("button", { name: "Make a new secret" }).click();
      await dialog.waitFor({ state: "detached" });
      return page.getByLabel("Signing secret").inputValue();
    }
    const second = await rotate("Both secrets sign for one day");
    await page.getByText(/The secret before this one signs too, until .*20\d\d/).waitFor();
    const both = await testCall();
    verify(webhook.secret, both);
    verify(second, both);
    const third = await rotate("The old secret has leaked");
    const leaked = await testCall();
    verify(third, leaked);
    assert.throws(() => verify(second, leaked));
    await page.getByText("The secret before this one").waitFor({ state: "detached" });
  });

  test("S97 S98 axe finds nothing on any page, in any look", async () => {
    const visits: [path: string, ready: () => Promise<unknown>][] = [
      ["/webhooks", () => rows().nth(1).waitFor()],
      ["/webhooks/new", () => page.getByRole("radio", { name: "Only these" }).check()],
      [`/webhooks/${webhook.id}?event=POST_CREATED`, () => rows().first().waitFor()],
      [`/webhooks/${webhook.id}/settings`, () => page.getByRole("button", { name: "Delete webhook" }).waitFor()],
    ];
    const check = async (name: string) => {
      for (const [look, { colorScheme = null, forcedColors = null, viewport = null }] of Object.entries(LOOKS)) {
        await page.emulateMedia({ colorScheme, forcedColors });
        if (viewport !== null) await page.setViewportSize(viewport);
        assert.deepEqual(await violations(page), [], `${name}, ${look}`);
        const tooWide = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
        assert.ok(tooWide <= 0, `${name}, ${look}: ${tooWide} px too wide`);
      }
      await page.emulateMedia({ colorScheme: null, forcedColors: null });
      await page.setViewportSize({ width: 1280, height: 900 });
    };
    for (const [path, ready] of visits) {
      await page.goto(address(path));
      await ready();
      await check(path);
    }
    await page.goto(address(`/webhooks/${webhook.id}?event=POST_CREATED`));
    await rows().first().getByRole("link").click();
    await page.getByRole("heading", { name: "The same call by hand" }).waitFor();
    await page.getByText("Headers as sent").first().click();
    await check("a delivery");
  });

  test("S87 S81 a receiver that answers 410 is named on the list, with the reason; deleting asks for the host", async () => {
    receiver.answer = (response) => response.writeHead(410).end();
    await publish("Gone");
    await until(async () => (await store.webhooks.find(webhook.id))?.disabledBy === "receiver");
    await page.goto(address("/webhooks"));
    const note = page.locator(".note", { hasText: "because the receiver answered 410" });
    await note.getByRole("link").click();
    await tab("Settings").click();
    await page.getByRole("button", { name: "Delete webhook" }).click();
    const dialog = page.getByRole("dialog");
    const remove = dialog.getByRole("button", { name: "Delete webhook" });
    await remove.click();
    await dialog.getByText(/Type “127\.0\.0\.1:\d+” first\./).waitFor();
    await dialog.getByRole("textbox").fill(new URL(receiver.url).host);
    await remove.click();
    await page.getByText(`The webhook of ${new URL(receiver.url).host} is deleted.`).waitFor();
    await title("Webhooks");
    await rows().nth(1).waitFor({ state: "detached" });
    assert.equal(await store.webhooks.find(webhook.id), null);
  });

  test("S03 no page broke its own policy", () => assert.deepEqual(visitor.complaints, []));
});
