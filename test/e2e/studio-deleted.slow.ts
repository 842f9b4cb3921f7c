import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { openTestApp, type TestApp } from "../app.ts";
import { LOOKS, violations } from "../axe.ts";
import type { TestBrowser } from "../browser.ts";
import { runJson } from "../command.ts";
import { buildStudioFiles } from "../studio-files.ts";
import { enter, openStudioApp, type StudioApp } from "./studio-app.ts";
import { ADA, becomeAdministrator, openVisitor, signIn, type Visitor } from "./visitor.ts";

const DAY = 86_400_000;

describe("S43 deleted posts in the studio", () => {
  let studio: StudioApp;
  let app: TestApp;
  let chromium: TestBrowser;
  let visitor: Visitor;
  let page: Page;

  before(async () => {
    studio = await openStudioApp({ RATE_LIMIT_TOKEN: "off", DELETED_DAYS: "30" });
    ({ app, chromium } = studio);
    visitor = await openVisitor(chromium.browser, { locale: "en-GB", viewport: { width: 1280, height: 900 } });
    page = visitor.page;
    await page.goto(address());
    await enter(page);
    await page.getByRole("heading", { name: "Posts", level: 1 }).waitFor();
  });
  after(async () => {
    await visitor?.close();
    await studio?.close();
  });

  const address = (path = "") => `${app.config.BASE_URL}/studio${path}`;

  async function create(title: string): Promise<string> {
    const document = "mutation ($input: CreatePostInput!) { createPost(input: $input) { id } }";
    const { createPost } = await studio.ask<{ createPost: { id: string } }>(document, {
      input: { title, body: "Text" },
    });
    return createPost.id;
  }

  async function statusOf(id: string): Promise<string | null> {
    const document = "query ($id: ID!) { post(id: $id) { status } }";
    return (await studio.ask<{ post: { status: string } | null }>(document, { id })).post?.status ?? null;
  }

  async function deleteByApi(ids: readonly string[]): Promise<void> {
    for (const id of ids) await studio.ask("mutation ($id: ID!) { deletePost(id: $id) { deletedId } }", { id });
  }

  const rows = () => page.locator("table.posts tbody tr");

  test("deleting in the editor says what happens, and Undo brings the post back with what was being written", async () => {
    const id = await create("Nine herons");
    await page.goto(address(`/posts/${id}`));
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+End");
    await page.keyboard.insertText(" and a mill");
    await page.getByText("Saved", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Delete" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("For 30 days you find the post under Deleted").waitFor();
    await dialog.getByRole("button", { name: "Delete" }).click();
    await page.getByText("The post is deleted.").waitFor();
    assert.equal(await statusOf(id), null);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("The post is back. It is a draft now.").waitFor();
    await page.waitForURL(new RegExp(`/posts/${id}$`));
    await page.locator(".cm-content", { hasText: "Text and a mill" }).waitFor();
    assert.equal(await statusOf(id), "DRAFT");
    await page.keyboard.press("Control+End");
    await page.locator(".cm-content").click();
    await page.keyboard.insertText("Again. ");
    await page.getByText("Saved", { exact: true }).waitFor();
    await page.goto(address(`/posts/${id}/history`));
    await page.getByText("Restored").first().waitFor();
    await deleteByApi([id]);
  });

  test("the list names when and for how long; one is restored, then several, and the focus goes on", async () => {
    const titles = ["Alder", "Birch", "Cedar", "Elm"];
    const ids: string[] = [];
    for (const title of titles) ids.push(await create(title));
    await deleteByApi(ids);
    await page.goto(address("/posts"));
    await page.getByRole("link", { name: "Deleted" }).click();
    await page.waitForURL(/\/posts\?state=deleted$/);
    await rows().nth(4).waitFor();
    assert.equal(await page.title(), "Deleted posts · Content API");
    const first = (await rows().first().textContent()) ?? "";
    assert.match(first, /Elm.*Ada Lovelace.*just now/);
    const gone = await rows().first().locator(".gone time").getAttribute("datetime");
    assert.ok(Math.abs(Date.parse(gone ?? "") - Date.now() - 30 * DAY) < 60_000);

    await page.getByRole("button", { name: "Restore Cedar" }).click();
    await page.getByText("“Cedar” is a draft again.").waitFor();
    await page.locator("[aria-label='Restore Birch']:focus").waitFor();
    assert.equal(await statusOf(ids[2] as string), "DRAFT");

    await page.getByRole("checkbox", { name: "Select Alder" }).check();
    await page.getByRole("checkbox", { name: "Select Elm" }).check();
    // Somebody else was faster with one of them.
    await studio.ask("mutation ($id: ID!) { restoreDeletedPost(id: $id) { post { id } } }", { id: ids[3] });
    await page.getByText("1 changed. Show").waitFor();
    await page.getByRole("region", { name: "Selected posts" }).getByRole("button", { name: "Restore" }).click();
    await page.getByText("1 post is a draft again. 1 failed.").waitFor();
    await rows().filter({ hasText: "Elm" }).getByText("cannot be restored any more").waitFor();
    assert.equal(await statusOf(ids[0] as string), "DRAFT");
    await page.getByRole("button", { name: "1 changed. Show" }).click();
    await rows().filter({ hasText: "Elm" }).waitFor({ state: "detached" });
    assert.deepEqual((await rows().locator(".row-title").allTextContents()).sort(), ["Birch", "Nine herons"]);
    await page.getByRole("link", { name: "All", exact: true }).click();
    await page.goBack();
    await rows().filter({ hasText: "Birch" }).waitFor();
  });

  test("Undo after deleting several brings all of them back", async () => {
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) ids.push(await create(`Reed ${i}`));
    await page.goto(address("/posts?state=published"));
    await page.getByRole("checkbox", { name: "Select all posts shown" }).check();
    await page.getByRole("button", { name: "Delete" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("For 30 days you can restore them, under Deleted").waitFor();
    await dialog.getByRole("button", { name: "Delete" }).click();
    await page.getByText("3 posts are deleted.").waitFor();
    for (const id of ids) assert.equal(await statusOf(id), null);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("3 posts are drafts again.").waitFor();
    for (const id of ids) assert.equal(await statusOf(id), "DRAFT");
  });

  for (const [look, { colorScheme = null, forcedColors = null, viewport = null }] of Object.entries(LOOKS))
    test(`S97 axe finds nothing, in ${look}`, async () => {
      await page.emulateMedia({ colorScheme, forcedColors });
      if (viewport !== null) await page.setViewportSize(viewport);
      await page.goto(address("/posts?state=deleted"));
      await rows().first().waitFor();
      await page.getByRole("checkbox", { name: "Select Birch" }).check();
      assert.deepEqual(await violations(page), []);
      const current = page.getByRole("link", { name: "Deleted" });
      const { x = -1, width = 0 } = (await current.boundingBox()) ?? {};
      assert.ok(x >= 0 && x + width <= (page.viewportSize()?.width ?? 0), "the tab is in sight");
      assert.ok((await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth")) <= 0);
    });

  test("without DELETED_DAYS nothing is kept, and nothing promises it", async () => {
    const studioFolder = await buildStudioFiles();
    const other = await openTestApp({ DELETED_DAYS: "0" }, { studioFolder, now: () => Date.now() });
    const guest = await openVisitor(chromium.browser);
    try {
      assert.ok(other.setUpUrl);
      await becomeAdministrator(guest.page, other.setUpUrl);
      await guest.page.goto(`${other.config.BASE_URL}/studio/posts/new`);
      const title = guest.page.getByRole("textbox", { name: "Title" });
      await title.or(guest.page.getByLabel("Password")).first().waitFor();
      if (!(await title.isVisible())) await signIn(guest.page);
      await title.fill("Short-lived");
      await guest.page.waitForURL(/\/posts\/[0-9a-f-]{36}$/);
      const id = guest.page.url().slice(-36);
      await guest.page.getByRole("button", { name: "Delete" }).click();
      const dialog = guest.page.getByRole("dialog");
      await dialog.getByText("Nobody can bring them back.").waitFor();
      await dialog.getByRole("button", { name: "Delete" }).click();
      await guest.page.getByText("The post is deleted.").waitFor();
      assert.equal(await guest.page.getByRole("button", { name: "Undo" }).count(), 0);
      assert.equal(await guest.page.getByRole("link", { name: "Deleted" }).count(), 0);
      const nothing = { data: { post: null, deletedPosts: { nodes: [] } } };
      const create = ["token", "create", "--user", ADA.email, "--client", "explorer", "--scope", "posts:read"];
      const { access_token } = await runJson<{ access_token: string }>(create, other.environment);
      const answer = await fetch(`${other.config.BASE_URL}/graphql`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${access_token}` },
        body: JSON.stringify({ query: `{ post(id: "${id}") { id } deletedPosts { nodes { id } } }` }),
      });
      assert.deepEqual(await answer.json(), nothing);
    } finally {
      await guest.close();
      await other.close();
    }
  });

  test("S03 no page broke its own policy", () => assert.deepEqual(visitor.complaints, []));
});
