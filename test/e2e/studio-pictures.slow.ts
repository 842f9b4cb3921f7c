/**
 * Pictures of docs/studio.md: demonstration people and posts, in light and dark. With UPDATE_PICTURES=1 they are written into
 * docs/images, otherwise they are only taken.
 */
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { DEMO_EMAILS, DEMO_PASSWORD } from "../../src/app/demonstration.ts";
import { fillDemo } from "../../src/cli/demo.ts";
import { openTestApp, type TestApp } from "../app.ts";
import { openBrowser, type TestBrowser } from "../browser.ts";
import { runJson } from "../command.ts";
import { LARGEST, SIZE } from "../pictures.ts";
import { buildStudioFiles } from "../studio-files.ts";
import { openVisitor } from "./visitor.ts";

const FOLDER = join(import.meta.dirname, "../../docs/images");

const TEXT = [
  "Nine of them, grey and quiet, stood over the mill until the lamps came on. Nobody had seen more than two",
  "together before.",
  "",
  "## What they did",
  "",
  "They did *nothing at all*, and did it well:",
  "",
  "- one looked at the water",
  "- eight looked at the first",
  "",
  "> A heron that waits is not waiting for you.",
  "",
  "The [count of last winter](https://example.com/count) had three.",
].join("\n");

/** Each of its notes stands for one rule. */
const NOTED = [
  "The mill has a new wheel. It turns when the river does, and rests when the river rests.",
  "",
  "![](https://example.com/wheel.webp)",
  "",
  "#### Who built it",
  "",
  "Two carpenters and <b>a lot of rain</b>. They left [their plans](plans.pdf) in the shed.",
].join("\n");

describe("pictures of the studio", () => {
  let app: TestApp;
  let chromium: TestBrowser;
  let id: string;
  let noted: string;
  before(async () => {
    const studioFolder = await buildStudioFiles();
    const settings = { TIME_ZONE: "Europe/Berlin", POST_URL: "https://example.com/posts/{slug}" };
    [app, chromium] = await Promise.all([
      openTestApp(settings, { studioFolder, now: () => Date.now() }),
      openBrowser(),
    ]);
    await fillDemo(app.config);
    const create = ["token", "create", "--user", DEMO_EMAILS[0], "--client", "explorer", "--scope"];
    const made = await runJson<{ access_token: string }>([...create, "posts:read posts:write"], app.environment);
    const ask = async (query: string, variables: object) => {
      const answer = await fetch(`${app.config.BASE_URL}/graphql`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${made.access_token}` },
        body: JSON.stringify({ query, variables }),
      });
      const { data, errors } = (await answer.json()) as { data: Record<string, { id: string }>; errors?: unknown };
      assert.equal(errors, undefined, JSON.stringify(errors));
      return data;
    };
    const post = "mutation ($input: CreatePostInput!) { createPost(input: $input) { id } }";
    await ask(post, { input: { title: "A winter by the mill", body: "Ice on the wheel.", status: "DRAFT" } });
    const later = { title: "The count of this winter", body: "Eleven.", publishAt: "2031-01-07T08:00:00Z" };
    await ask(post, { input: { ...later, status: "DRAFT" } });
    for (const title of ["Notes for a talk", "Ducks, an apology"]) {
      const made = await ask(post, { input: { title, body: "Quack." } });
      await ask("mutation ($id: ID!) { deletePost(id: $id) { deletedId } }", { id: made.createPost?.id });
    }
    noted = (await ask(post, { input: { title: "The new wheel", body: NOTED, status: "DRAFT" } })).createPost?.id ?? "";
    const first = TEXT.replace("Nine of them, grey and quiet", "Some herons").replace(
      "- eight looked at the first\n",
      "",
    );
    const { createPost } = await ask(post, { input: { title: "Nine quiet herons", body: first, status: "PUBLISHED" } });
    id = createPost?.id ?? "";
    await ask(
      "mutation ($id: ID!, $body: String!) { updatePost(id: $id, input: { body: $body }) { errors { message } } }",
      {
        id,
        body: TEXT,
      },
    );
    const history = "query ($id: ID!) { post(id: $id) { revisions(first: 9) { nodes { id } } } }";
    const { post: written } = (await ask(history, { id })) as unknown as {
      post: { revisions: { nodes: { id: string }[] } };
    };
    await ask(
      'mutation ($id: ID!, $revision: ID!) { nameRevision(id: $id, revision: $revision, name: "Before the count") { errors { code } } }',
      { id, revision: written.revisions.nodes.at(-1)?.id },
    );
  });
  after(async () => {
    await chromium?.close();
    await app?.close();
  });

  for (const colorScheme of ["light", "dark"] as const)
    test(`S94 list, editor, history, notes, deleted posts and dialog, ${colorScheme}`, async () => {
      const { page, complaints, close } = await openVisitor(chromium.browser, {
        ...{ locale: "en-GB", timezoneId: "Europe/Berlin", colorScheme, viewport: SIZE, reducedMotion: "reduce" },
      });
      const address = `${app.config.BASE_URL}/studio`;
      await page.goto(address);
      await page.getByLabel("E-mail address").fill(DEMO_EMAILS[0]);
      await page.getByLabel("Password").fill(DEMO_PASSWORD);
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await page.getByRole("row", { name: "Nine quiet herons" }).waitFor();
      await page.getByLabel("Author").selectOption("Mine"); // the fonts of a machine for tests may lack some scripts
      await page.getByRole("row", { name: "第一篇文章" }).waitFor({ state: "detached" });
      await take(page, `list-${colorScheme}`);

      await page.goto(`${address}/posts/${id}`);
      await page.locator(".cm-content").getByText("Nine of them").waitFor();
      await page.getByRole("button", { name: "Preview", exact: true }).click();
      await page.frameLocator("iframe").getByText("Nine of them").waitFor();
      await take(page, `editor-${colorScheme}`);

      await page.goto(`${address}/posts/${id}/history`);
      await page.locator("button.history-entry").first().click();
      await page.locator("ins").first().waitFor();
      await take(page, `history-${colorScheme}`);

      await page.goto(`${address}/posts/${noted}`);
      await page.locator(".cm-content").getByText("The mill has").waitFor();
      await page.locator(".cm-content").click();
      await page.keyboard.press("Control+Home");
      await page.getByRole("button", { name: "Details" }).click(); // away
      await page.locator(".writing-notes summary").click();
      await page.keyboard.press("F8");
      await take(page, `notes-${colorScheme}`);

      await page.goto(`${address}/posts?state=deleted`);
      await page.getByRole("row", { name: "Ducks, an apology" }).waitFor();
      await take(page, `deleted-${colorScheme}`);

      await page.goto(`${address}/posts?state=scheduled`);
      await page.getByRole("link", { name: "The count of this winter" }).click();
      await page.locator(".cm-content").getByText("Eleven.").waitFor();
      await page.keyboard.press("Control+Enter");
      await page.getByText("Tue, 7 Jan 2031, 09:00").first().waitFor();
      await take(page, `schedule-${colorScheme}`);
      assert.deepEqual(complaints, []);
      await close();
    });

  async function take(page: Page, name: string): Promise<void> {
    await page.waitForTimeout(500); // fonts, and what fades in
    const shot = await page.screenshot({ animations: "disabled", caret: "hide" });
    const picture = await toWebp(shot);
    assert.ok(picture.length < LARGEST, `${name}: ${picture.length} bytes`);
    if (process.env.UPDATE_PICTURES !== "1") return;
    await mkdir(FOLDER, { recursive: true });
    await writeFile(join(FOLDER, `studio-${name}.webp`), picture);
  }

  /** A quarter of the size of PNG. The browser is at hand, so it does it. */
  async function toWebp(png: Buffer): Promise<Buffer> {
    const context = await chromium.browser.newContext();
    const page = await context.newPage();
    const url = await page.evaluate<string>(`(async () => {
      const image = new Image();
      image.src = "data:image/png;base64,${png.toString("base64")}";
      await image.decode();
      const canvas = document.createElement("canvas");
      canvas.width = image.width;
      canvas.height = image.height;
      canvas.getContext("2d").drawImage(image, 0, 0);
      return canvas.toDataURL("image/webp", 0.9);
    })()`);
    await context.close();
    assert.match(url, /^data:image\/webp;base64,/);
    return Buffer.from(url.slice(url.indexOf(",") + 1), "base64");
  }
});
