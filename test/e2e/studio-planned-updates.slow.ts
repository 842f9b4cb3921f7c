import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import type { TestApp } from "../app.ts";
import { LOOKS, violations } from "../axe.ts";
import type { TestBrowser } from "../browser.ts";
import { enter, openStudioApp, type StudioApp } from "./studio-app.ts";
import { openVisitor, type Visitor } from "./visitor.ts";

const FIRST = "They came in the evening.";
const PLAN = `mutation ($id: ID!, $working: Int!, $version: Int!, $at: String!) { applyWorkingCopy(id: $id, workingVersion: $working,
  expectedVersion: $version, publishAt: $at, publishAtZone: "Europe/Berlin") { errors { message } } }`;
const CHANGE =
  "mutation ($id: ID!, $title: String!) { updatePost(id: $id, input: { title: $title }) { errors { message } } }";

interface PostNow {
  readonly version: number;
  readonly body: string;
  readonly title: string;
  readonly workingCopy: { readonly body: string; readonly version: number } | null;
  readonly plannedUpdate: {
    readonly publishAt: string;
    readonly publishAtZone: string | null;
    readonly body: string;
    readonly heldBecause: string | null;
  } | null;
}

describe("S56 Update later", () => {
  let studio: StudioApp;
  let app: TestApp;
  let chromium: TestBrowser;
  const open: Visitor[] = [];

  before(async () => {
    const settings = { TIME_ZONE: "Europe/Berlin", ACCESS_TOKEN_TTL: "3h", RATE_LIMIT_TOKEN: "off" };
    studio = await openStudioApp(settings);
    ({ app, chromium } = studio);
  });
  after(async () => {
    for (const visitor of open) await visitor.close();
    await studio?.close();
  });

  async function read(id: string): Promise<PostNow> {
    const fields =
      "version title body workingCopy { body version } plannedUpdate { publishAt publishAtZone body heldBecause }";
    const { post } = await studio.ask<{ post: PostNow }>(`query ($id: ID!) { post(id: $id) { ${fields} } }`, { id });
    return post;
  }

  /** A published post that is open in the studio, with the changes `more`, which are saved. */
  async function openChanged(more: string, options: BrowserContextOptions = {}): Promise<Visitor & { id: string }> {
    const visitor = await openVisitor(chromium.browser, { locale: "en-GB", timezoneId: "Europe/Berlin", ...options });
    open.push(visitor);
    const { page } = visitor;
    await page.goto(`${app.config.BASE_URL}/studio/posts/new`);
    await enter(page);
    await page.getByRole("textbox", { name: "Title" }).fill("Nine quiet herons");
    await type(page, FIRST);
    await page.waitForURL(/\/posts\/[0-9a-f-]{36}$/);
    await page.keyboard.press("Control+Enter");
    await page.getByRole("button", { name: "Publish now" }).click();
    await leave(page);
    const id = page.url().slice(-36);
    await type(page, more);
    await saved(id, more);
    return { ...visitor, id };
  }

  async function type(page: Page, text: string): Promise<void> {
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+End");
    await page.keyboard.insertText(text);
  }

  const saved = (id: string, end: string) => until(id, ({ workingCopy }) => workingCopy?.body.endsWith(end) === true);

  async function leave(page: Page): Promise<void> {
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
  }

  async function until(id: string, isMet: (post: PostNow) => boolean): Promise<PostNow> {
    for (let tries = 0; tries < 100; tries++) {
      const post = await read(id);
      if (isMet(post)) return post;
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
    throw new Error("It did not come to that.");
  }

  async function planByDialog(page: Page): Promise<void> {
    await page.keyboard.press("Control+Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Later, at a time").check();
    await dialog.getByLabel("Date").fill("2031-01-07");
    await dialog.getByLabel("Time", { exact: true }).fill("09:00");
    await dialog.getByText("Tue, 7 Jan 2031, 09:00 Europe/Berlin").waitFor();
    await dialog.getByRole("button", { name: "Update later" }).click();
    await page.getByRole("dialog", { name: "Update planned" }).waitFor();
    await leave(page);
  }

  /** Plans the working copy by a client, in some seconds. The page learns of it with its next save. */
  async function planByClient(id: string, seconds: number): Promise<void> {
    const { version, workingCopy } = await read(id);
    const at = new Date(Date.now() + seconds * 1_000).toISOString();
    await studio.ask(PLAN, { id, version, working: workingCopy?.version, at });
  }

  test("S56 a time is chosen, later writing is included on request, the list has it, and it can be cancelled", async () => {
    const { page, id, newTab } = await openChanged(" More.");
    await planByDialog(page);
    await page.getByText("Your changes go live Tue, 7 Jan 2031, 09:00 Europe/Berlin.").waitFor();
    const { body, version, plannedUpdate } = await read(id);
    assert.deepEqual([body, version], [FIRST, 2]);
    assert.deepEqual(plannedUpdate, {
      ...{ publishAt: "2031-01-07T08:00:00.000Z", publishAtZone: "Europe/Berlin", heldBecause: null },
      body: `${FIRST} More.`,
    });
    await page.reload();
    await page.getByText("Your changes go live Tue, 7 Jan 2031, 09:00 Europe/Berlin.").waitFor();
    assert.equal(await page.getByText(/not part of what goes live/).count(), 0);
    await type(page, " Later.");
    await page.getByText("Your latest changes are not part of what goes live at 09:00.").waitFor();
    assert.equal((await saved(id, " Later.")).plannedUpdate?.body, `${FIRST} More.`);
    for (const _ of " Later.") await page.keyboard.press("Backspace");
    await page.getByText(/not part of what goes live/).waitFor({ state: "detached" });
    await type(page, " Later.");
    await page.getByText("Your latest changes are not part of what goes live at 09:00.").waitFor();
    await page.getByRole("button", { name: "Include", exact: true }).click();
    await page.getByText("Your changes are part of what goes live at 09:00.").waitFor();
    assert.equal((await read(id)).plannedUpdate?.body, `${FIRST} More. Later.`);
    await page.getByText(/not part of what goes live/).waitFor({ state: "detached" });
    const list = await newTab();
    await list.goto(`${app.config.BASE_URL}/studio/posts?state=scheduled`);
    await list.getByRole("rowheader", { name: /^Tuesday,? 7 January 2031$/ }).waitFor();
    await list.locator(`tr[data-post="${id}"]`).getByText("Update planned").waitFor();
    await page.getByRole("button", { name: "Do not update" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Do not update" }).click();
    await page.getByText("The planned update is removed.").waitFor();
    const left = await read(id);
    assert.deepEqual([left.plannedUpdate, left.version, left.body], [null, 2, FIRST]);
    assert.equal(left.workingCopy?.body, `${FIRST} More. Later.`);
    await page.getByText("You have unpublished changes. Update makes them public.").waitFor();
  });

  test("S54 S56 the time comes while the post is open: the planned text is public, and writing goes on", async () => {
    const { page, id } = await openChanged(" Planned.");
    await planByClient(id, 8);
    await type(page, " Too late.");
    await page.getByText(/Your latest changes are not part of what goes live at/).waitFor();
    await page.getByText(/^Updated at \d\d:\d\d\.$/).waitFor({ timeout: 30_000 });
    const { body, version, plannedUpdate, workingCopy } = await read(id);
    assert.deepEqual([body, version, plannedUpdate], [`${FIRST} Planned.`, 3, null]);
    assert.equal(workingCopy?.body, `${FIRST} Planned. Too late.`);
    assert.equal(await page.locator(".cm-content").textContent(), `${FIRST} Planned. Too late.`);
    await type(page, " Still writing.");
    await saved(id, " Still writing.");
    await page.getByRole("button", { name: "Update", exact: true }).click();
    await page.getByRole("button", { name: "Update now" }).click();
    await leave(page);
    assert.equal((await read(id)).body, `${FIRST} Planned. Too late. Still writing.`);
  });

  test("S56 a post that another client has changed is not updated: the page and the list say so", async () => {
    const { page, id, newTab } = await openChanged(" Planned.");
    await planByClient(id, 8);
    await type(page, " More.");
    await page.getByText(/^Your changes go live /).waitFor();
    await studio.ask(CHANGE, { id, title: "Ten quiet herons" });
    await page.getByText(/will be held back, because somebody else changed the post\./).waitFor();
    await page.getByText(/was held back\. Somebody else changed the post before it\./).waitFor({ timeout: 30_000 });
    const { body, title, plannedUpdate } = await read(id);
    assert.deepEqual([body, title, plannedUpdate?.heldBecause], [FIRST, "Ten quiet herons", "POST_CHANGED"]);
    const list = await newTab();
    await list.goto(`${app.config.BASE_URL}/studio/posts?state=scheduled`);
    await list.locator(`tr[data-post="${id}"]`).getByText("Update held back").waitFor();
    await list.goto(`${app.config.BASE_URL}/studio/posts?state=published`);
    await list.locator(`tr[data-post="${id}"]`).getByText("Update held back").waitFor();
    // The other change is merged into the text. Planning again takes both.
    await planByDialog(page);
    const again = await read(id);
    assert.deepEqual([again.plannedUpdate?.heldBecause, again.plannedUpdate?.body], [null, `${FIRST} Planned. More.`]);
    assert.equal(again.title, "Ten quiet herons");
  });

  for (const [look, options] of Object.entries(LOOKS))
    test(`S97 axe finds nothing at the dialog, the details and the list: ${look}`, async () => {
      const { page } = await openChanged(" More.", options);
      const isNarrow = (options.viewport?.width ?? 1280) < 1100;
      await page.keyboard.press("Control+Enter");
      await page.getByLabel("Later, at a time").check();
      await page.getByText("readers see the present text").waitFor();
      assert.deepEqual(await violations(page), [], "dialog");
      await page.getByRole("button", { name: "Keep writing" }).click();
      await planByDialog(page);
      await type(page, " Later.");
      if (isNarrow) await page.getByRole("button", { name: "Details" }).click();
      await page.getByText(/not part of what goes live/).waitFor();
      assert.deepEqual(await violations(page), [], "details");
      await page.getByRole("button", { name: "Do not update" }).click();
      assert.deepEqual(await violations(page), [], "cancel");
      await page.goto(`${app.config.BASE_URL}/studio/posts?state=scheduled`);
      await page.getByText("Update planned").first().waitFor();
      assert.deepEqual(await violations(page), [], "list");
      await page.goto(`${app.config.BASE_URL}/studio/posts?state=published`);
      await page.getByText("Update planned").first().waitFor();
    });
});
