import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import type { TestApp } from "../app.ts";
import { LOOKS, violations } from "../axe.ts";
import type { TestBrowser } from "../browser.ts";
import { runs } from "../scale.ts";
import { enter, openStudioApp, type StudioApp } from "./studio-app.ts";
import { openTab, openVisitor, type Visitor } from "./visitor.ts";

const TITLE = "Nine quiet herons";
const SITE = "https://site.example/blog/{slug}";
const DAY = 86_400_000;
/** Of ten bodies. */
const ROUNDS = runs(10, 100);

interface PostNow {
  readonly version: number;
  readonly status: string;
  readonly title: string;
  readonly body: string;
  readonly bodyHtml: string;
  readonly slug: string;
  readonly publishAt: string | null;
  readonly publishAtZone: string | null;
  readonly workingCopy: { readonly body: string } | null;
  readonly revisions: { readonly nodes: readonly { readonly kind: string; readonly body: string | null }[] };
}

describe("from a text to its readers", () => {
  let studio: StudioApp;
  let app: TestApp;
  let chromium: TestBrowser;
  /** Milliseconds that the server's clock is ahead of the device's. */
  let ahead = 0;
  const open: Visitor[] = [];
  /** A device that stays signed in. */
  let usual: Visitor | undefined;

  before(async () => {
    const settings = { TIME_ZONE: "Europe/Berlin", POST_URL: SITE, ACCESS_TOKEN_TTL: "3h", RATE_LIMIT_TOKEN: "off" };
    studio = await openStudioApp(settings, () => Date.now() + ahead);
    ({ app, chromium } = studio);
  });
  afterEach(async () => {
    for (const visitor of open.splice(0)) await visitor.close();
  });
  after(async () => {
    await studio?.close();
  });

  async function read(id: string): Promise<PostNow> {
    const fields =
      "version status title body bodyHtml slug publishAt publishAtZone workingCopy { body } revisions { nodes { kind body } }";
    const { post } = await studio.ask<{ post: PostNow }>(`query ($id: ID!) { post(id: $id) { ${fields} } }`, { id });
    return post;
  }

  /** Signs in, writes a text, and waits until the post is there. */
  async function write(
    { title = TITLE, body = "They came in the evening." } = {},
    options: BrowserContextOptions = {},
  ): Promise<Visitor & { readonly id: string }> {
    const device = { locale: "en-GB", timezoneId: "Europe/Berlin", ...options };
    const isUsual = Object.keys(options).length === 0;
    const isSignedIn = isUsual && usual !== undefined;
    if (isUsual) usual ??= await openVisitor(chromium.browser, device);
    const visitor = await (isUsual && usual !== undefined ? openTab(usual) : openVisitor(chromium.browser, device));
    open.push(visitor);
    const { page } = visitor;
    await page.goto(`${app.config.BASE_URL}/studio/posts/new`);
    if (!isSignedIn) {
      await enter(page);
    }
    await page.getByRole("textbox", { name: "Title" }).fill(title);
    await type(page, body);
    await page.waitForURL(/\/posts\/[0-9a-f-]{36}$/);
    return { ...visitor, id: page.url().slice(-36) };
  }

  async function type(page: Page, text: string): Promise<void> {
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+End");
    await page.keyboard.insertText(text);
  }

  async function publish(page: Page): Promise<void> {
    await page.keyboard.press("Control+Enter");
    await page.getByRole("button", { name: /^(Publish|Update) now$/ }).click();
    await leave(page);
  }

  /** Closes the dialog that says what was done. */
  async function leave(page: Page): Promise<void> {
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
  }

  async function until<Value>(what: () => Promise<Value>, isMet: (value: Value) => boolean): Promise<Value> {
    for (let tries = 0; tries < 100; tries++) {
      const value = await what();
      if (isMet(value)) return value;
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
    throw new Error("It did not come to that.");
  }

  test("S52 what the dialog shows is published, with saving under way; Undo takes it back", async () => {
    const { page, id, complaints } = await write();
    await type(page, " And a last word that no pause has saved.");
    await page.keyboard.press("Control+Enter");
    const dialog = page.getByRole("dialog", { name: "Publish this post" });
    await dialog.getByText("And a last word").waitFor();
    await dialog.getByText("https://site.example/blog/nine-quiet-herons").waitFor();
    await dialog.getByRole("button", { name: "Publish now" }).click();
    const done = page.getByRole("dialog", { name: "Published" });
    await done.waitFor();
    const post = await read(id);
    assert.equal(post.status, "PUBLISHED");
    assert.equal(post.body, "They came in the evening. And a last word that no pause has saved.");
    assert.equal(await done.getByLabel("Address").inputValue(), `https://site.example/blog/${post.slug}`);
    await done.getByRole("button", { name: "Undo" }).click();
    await page.getByText("The post is a draft again.").waitFor();
    assert.equal((await read(id)).status, "DRAFT");
    assert.deepEqual(complaints, []);
  });

  test("S51 an empty title stops, anything else does not", async () => {
    const { page } = await write({ title: "", body: "![](https://a.example/a.png) [x](javascript:alert(1))" });
    await page.keyboard.press("Control+Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("The title is empty.").waitFor();
    assert.ok(await dialog.getByRole("button", { name: "Publish now" }).isDisabled());
    await dialog.getByRole("button", { name: "Keep writing" }).click();
    await page.getByRole("textbox", { name: "Title" }).fill("A title");
    await page.keyboard.press("Control+Enter");
    await dialog.getByText("One picture has no alternative text.").waitFor();
    await dialog.getByText("One link is left out").waitFor();
    assert.ok(await dialog.getByRole("button", { name: "Publish now" }).isEnabled());
  });

  test("S52 a text that somebody changes while the dialog is open is not published unseen", async () => {
    const { page, id } = await write({ body: "First line.\n\nSecond line." });
    await page.keyboard.press("Control+Enter");
    const dialog = page.getByRole("dialog", { name: "Publish this post" });
    await dialog.getByText("First line.").waitFor();
    const { version } = await read(id);
    await studio.ask(
      'mutation ($id: ID!, $v: Int!) { updatePost(id: $id, input: { title: "Changed" }, expectedVersion: $v) { errors { message } } }',
      { id, v: version },
    );
    await dialog
      .getByText("The text has changed since this dialog opened.")
      .or(dialog.getByText("Somebody changed the post."))
      .first()
      .waitFor({ timeout: 5_000 })
      .catch(() => dialog.getByRole("button", { name: "Publish now" }).click());
    assert.notEqual((await read(id)).status, "PUBLISHED");
    const again = dialog.getByRole("button", { name: "Show the new text" });
    if (await again.isVisible()) await again.click();
    await dialog.getByText("Changed", { exact: true }).waitFor();
    await dialog.getByRole("button", { name: "Publish now" }).click();
    await page.getByRole("dialog", { name: "Published" }).waitFor();
    assert.equal((await read(id)).title, "Changed");
  });

  test("S56 changes of a published post are not public until Update; Discard keeps them in the history", async () => {
    const { page, id } = await write();
    await publish(page);
    await type(page, " Second thought.");
    await page.getByRole("button", { name: "Update" }).waitFor();
    await until(
      () => read(id),
      ({ workingCopy }) => workingCopy?.body.endsWith("Second thought.") === true,
    );
    assert.equal((await read(id)).body, "They came in the evening.");
    await publish(page);
    assert.equal((await read(id)).body, "They came in the evening. Second thought.");
    await type(page, " Third thought.");
    await page.getByRole("button", { name: "Discard changes" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Discard changes" }).click();
    await page.getByText("The changes are discarded.").waitFor();
    const { workingCopy, revisions } = await read(id);
    assert.equal(workingCopy, null);
    assert.ok(revisions.nodes.some(({ kind, body }) => kind === "MERGED" && body?.endsWith("Third thought.")));
    await until(
      () => page.locator(".cm-content").textContent(),
      (text) => text === "They came in the evening. Second thought.",
    );
  });

  test("S54 a scheduled post goes live while it is open, and what was written since is a working copy", async () => {
    const { page, id } = await write();
    const { version } = await until(
      () => read(id),
      ({ body }) => body !== "",
    );
    await until(
      () => read(id),
      ({ workingCopy, body }) => (workingCopy?.body ?? body) === "They came in the evening.",
    );
    const schedule =
      'mutation ($id: ID!, $at: String!, $v: Int!) { updatePost(id: $id, input: { publishAt: $at, publishAtZone: "Europe/Berlin" }, expectedVersion: $v) { errors { message } } }';
    await studio.ask(schedule, { id, v: version, at: new Date(Date.now() + 8_000).toISOString() });
    await page.getByText(/^Goes live /).waitFor();
    await type(page, " Too late.");
    await page.getByText(/Your latest changes are not part of what goes live at/).waitFor();
    await page.getByText(/^Published at \d\d:\d\d\.$/).waitFor({ timeout: 30_000 });
    await page.getByRole("button", { name: "Update" }).waitFor();
    const post = await until(
      () => read(id),
      ({ workingCopy }) => workingCopy?.body.endsWith("Too late.") === true,
    );
    assert.equal(post.status, "PUBLISHED");
    assert.equal(post.body, "They came in the evening.");
  });

  test("S53 the schedule is applied with its zone, later changes are included on request, and it can be taken off", async () => {
    const { page, id, newTab } = await write();
    await page.keyboard.press("Control+Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Later, at a time").check();
    await dialog.getByLabel("Date").fill("2031-01-07");
    await dialog.getByLabel("Time", { exact: true }).fill("09:00");
    await dialog.getByText("Tue, 7 Jan 2031, 09:00 Europe/Berlin").waitFor();
    await dialog.getByRole("button", { name: "Schedule" }).click();
    await page.getByRole("dialog", { name: "Scheduled" }).waitFor();
    await leave(page);
    const { publishAt, publishAtZone, status } = await read(id);
    assert.deepEqual([publishAt, publishAtZone, status], ["2031-01-07T08:00:00.000Z", "Europe/Berlin", "DRAFT"]);
    await type(page, " More.");
    await page.getByText("Your latest changes are not part of what goes live at 09:00.").waitFor();
    await page.getByRole("button", { name: "Include", exact: true }).click();
    await page.getByText("Your changes are part of what goes live at 09:00.").waitFor();
    const included = await read(id);
    assert.deepEqual([included.body, included.publishAt], ["They came in the evening. More.", publishAt]);
    const list = await newTab();
    await list.goto(`${app.config.BASE_URL}/studio/posts?state=scheduled`);
    await list.getByRole("rowheader", { name: /^Tuesday,? 7 January 2031$/ }).waitFor();
    await page.getByRole("button", { name: "Take off the schedule" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Take off the schedule" }).click();
    await page.getByText("The post is off the schedule.").waitFor();
    assert.equal((await read(id)).publishAt, null);
  });

  test("S53 a time that has passed is not scheduled: the dialog offers to publish now", async () => {
    const { page, id } = await write();
    await page.keyboard.press("Control+Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Later, at a time").check();
    await dialog.getByLabel("Date").fill("2020-01-07");
    await dialog.getByText("This time has passed.").waitFor();
    await dialog.getByRole("button", { name: "Publish now" }).click();
    await page.getByRole("dialog", { name: "Published" }).waitFor();
    assert.equal((await read(id)).status, "PUBLISHED");
  });

  for (const timezoneId of ["Europe/Berlin", "America/New_York", "Asia/Kolkata"])
    test(`S53 nights on which clocks change, on a device in ${timezoneId}`, async () => {
      const { page, id } = await write({}, { timezoneId });
      const nights: readonly (readonly [
        zone: string,
        date: string,
        time: string,
        answer: RegExp | null,
        at: string,
      ])[] = [
        ["Europe/Berlin", "2031-03-30", "02:30", /^01:30 .*before/, "2031-03-30T00:30:00.000Z"],
        ["Europe/Berlin", "2031-03-30", "02:30", /^03:30 .*after/, "2031-03-30T01:30:00.000Z"],
        ["Europe/Berlin", "2031-10-26", "02:30", /first time/, "2031-10-26T00:30:00.000Z"],
        ["Europe/Berlin", "2031-10-26", "02:30", /second time/, "2031-10-26T01:30:00.000Z"],
        ["America/New_York", "2031-11-02", "01:30", /second time/, "2031-11-02T06:30:00.000Z"],
        ["UTC", "2031-03-30", "02:30", null, "2031-03-30T02:30:00.000Z"],
        ["Pacific/Kiritimati", "2031-01-01", "00:00", null, "2030-12-31T10:00:00.000Z"],
      ];
      for (const [zone, date, time, answer, at] of nights) {
        await page.keyboard.press("Control+Enter");
        const dialog = page.getByRole("dialog");
        await dialog.getByLabel("Later, at a time").check();
        await dialog.getByLabel("Time zone").selectOption(zone);
        await dialog.getByLabel("Date").fill(date);
        await dialog.getByLabel("Time", { exact: true }).fill(time);
        if (answer !== null) await dialog.getByLabel(answer).check();
        await dialog.getByRole("button", { name: "Schedule" }).click();
        await page.getByRole("dialog", { name: "Scheduled" }).waitFor();
        await leave(page);
        const { publishAt, publishAtZone } = await read(id);
        assert.deepEqual([publishAt, publishAtZone], [at, zone]);
      }
    });

  test("S50 a taken address is told while typing; the old address of a published post leads to it", async () => {
    const { page, id } = await write({ title: "The heron itself" });
    const other = await write({ title: "The other heron" });
    await publish(other.page);
    const address = page.getByRole("textbox", { name: "Address" });
    await address.fill("The Other Heron");
    await page.getByText("“The other heron” has this address already.").waitFor();
    await address.fill("grey-heron");
    await until(() => page.getByText("You chose it.").isVisible(), Boolean);
    await publish(page);
    assert.equal((await read(id)).slug, "grey-heron");
    await address.fill("white-heron");
    await address.press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Change the address" }).click();
    await publish(page);
    const bySlug = "query ($slug: String!) { postBySlug(slug: $slug) { id slug } }";
    for (const slug of ["grey-heron", "white-heron"])
      assert.deepEqual(await studio.ask(bySlug, { slug }), { postBySlug: { id, slug: "white-heron" } });
  });

  test("S41 S42 versions are compared and restored, and restoring is undone", async () => {
    const { page, id, complaints } = await write({ body: "One.\n\nThe quick brown fox.\n\nLast." });
    await publish(page);
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+A");
    await page.keyboard.insertText("One.\n\nThe quick red fox.\n\nLast.");
    await page.getByRole("button", { name: "Update" }).waitFor();
    await publish(page);
    await page.getByRole("link", { name: "Compare and restore earlier versions" }).click();
    await page.getByRole("heading", { name: "History" }).waitFor();
    await page.locator("button.history-entry").first().click();
    await page.locator("del", { hasText: "brown" }).waitFor();
    await page.locator("ins", { hasText: "red" }).waitFor();
    await page.keyboard.press("Alt+ArrowDown");
    await page.getByText("Change 1 of 1").waitFor();
    assert.ok(await page.evaluate<boolean>("document.activeElement.matches('[data-change]')"));
    await page.locator("button.history-entry").last().click();
    await page.getByRole("button", { name: /^Restore version/ }).click();
    await page.getByText(/is your text now\. Nothing was published\./).waitFor();
    const restored = await read(id);
    assert.match(restored.workingCopy?.body ?? "", /brown/);
    assert.match(restored.body, /red/);
    await page.getByRole("button", { name: "Undo" }).click();
    await until(
      () => read(id),
      ({ workingCopy, body }) => /red/.test(workingCopy?.body ?? body),
    );
    assert.deepEqual(complaints, []);
  });

  test("S40 a version gets a name, which the history and its lists show", async () => {
    const { page, id, complaints } = await write({ body: "One." });
    await publish(page);
    await page.locator(".cm-content").click();
    await page.keyboard.insertText("Two. ");
    await page.getByRole("button", { name: "Update" }).waitFor();
    await publish(page);
    await page.getByRole("link", { name: "Compare and restore earlier versions" }).click();
    await page.locator("button.history-entry").last().click();
    await page.getByRole("button", { name: /^Name version/ }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("  Before the review ");
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.locator("button.history-entry", { hasText: "Before the review" }).waitFor();
    assert.match(
      await page.evaluate<string>("document.activeElement.textContent"),
      /^Rename version \d$/,
      "S97 the focus goes back to its opener",
    );
    const names = async () =>
      (
        await studio.ask<{ post: { revisions: { nodes: { name: string | null }[] } } }>(
          "query ($id: ID!) { post(id: $id) { revisions(first: 9) { nodes { name } } } }",
          { id },
        )
      ).post.revisions.nodes.flatMap(({ name }) => name ?? []);
    assert.deepEqual(await names(), ["Before the review"]);
    assert.match(
      (await page.getByLabel("Compare", { exact: true }).textContent()) ?? "",
      /Before the review: version \d/,
    );
    await page.reload();
    await page.locator("button.history-entry", { hasText: "Before the review" }).click();
    await page.getByRole("button", { name: /^Rename version/ }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("button", { name: /^Name version/ }).waitFor();
    assert.deepEqual(await names(), []);
    assert.deepEqual(complaints, []);
  });

  test("S44 the preview is what readers get", async () => {
    const { page, id, complaints } = await write({ body: "x" });
    await page.getByRole("button", { name: "Preview", exact: true }).click();
    const text = page.frameLocator("iframe").locator("#text");
    const blank = await (await chromium.browser.newContext()).newPage();
    for (const body of BODIES) {
      await page.locator(".cm-content").click();
      await page.keyboard.press("Control+A");
      await page.keyboard.press("Backspace");
      await page.keyboard.insertText(body);
      await page.getByRole("button", { name: /^(Publish|Update)$/ }).waitFor();
      await publish(page);
      const post = await read(id);
      assert.equal(post.body, body);
      await blank.setContent(`<div id="text" dir="auto">${post.bodyHtml}</div>`);
      const expected = await blank.locator("#text").innerHTML();
      await until(
        () => text.innerHTML(),
        (html) => html === expected,
      );
    }
    await blank.context().close();
    assert.deepEqual(complaints, []);
  });

  test(`S44 for ${10 * ROUNDS} bodies, the HTML of the preview is the HTML after publishing, byte for byte`, async () => {
    const parts = [
      ...BODIES.flatMap((body) => body.split("\n")),
      "",
      "",
      "    code",
      "```",
      "* * *",
      "1. x",
      "> ",
      "\t- y",
      "  ",
    ];
    let seed = 16;
    const pick = () => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
      return parts[(seed >> 8) % parts.length] ?? "";
    };
    for (let round = 0; round < ROUNDS; round++) {
      const bodies = Array.from({ length: 10 }, () => Array.from({ length: 8 }, pick).join("\n"));
      const variables = Object.fromEntries(bodies.map((body, index) => [`b${index}`, body]));
      const types = bodies.map((_, index) => `$b${index}: String!`).join(", ");
      const previews = bodies.map((_, index) => `p${index}: renderMarkdown(markdown: $b${index}) { bodyHtml }`);
      const posts = bodies.map(
        (_, index) => `p${index}: createPost(input: { title: "T", body: $b${index}, status: PUBLISHED }) { bodyHtml }`,
      );
      const before = await studio.ask(`query (${types}) { ${previews.join(" ")} }`, variables);
      assert.deepEqual(await studio.ask(`mutation (${types}) { ${posts.join(" ")} }`, variables), before);
    }
  });

  test("S44 offline, the preview says so", async () => {
    const { page } = await write();
    await page.getByRole("button", { name: "Preview", exact: true }).click();
    await page.frameLocator("iframe").getByText("They came").waitFor();
    await page.context().setOffline(true);
    await page.getByText("You are offline. The preview needs the server").waitFor();
    await type(page, " Written offline.");
    await page.context().setOffline(false);
    await page.frameLocator("iframe").getByText("Written offline.").waitFor();
  });

  test("S57 deleting says for whom, and goes back to the list", async () => {
    const { page, id } = await write();
    await publish(page);
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByText("Readers and apps no longer find the post.").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("The post is deleted.").waitFor();
    assert.equal(await read(id), null);
  });

  for (const [look, options] of Object.entries(LOOKS))
    test(`S97 axe finds nothing at dialogs and pages: ${look}`, async () => {
      const { page } = await write({ body: "One.\n\n![](https://a.example/a.png)" }, options);
      const isNarrow = (options.viewport?.width ?? 1280) < 1100;
      const check = async (name: string) => assert.deepEqual(await violations(page), [], name);
      await page.keyboard.press("Control+Enter");
      await page.getByLabel("Later, at a time").check();
      await page.getByLabel("Date").fill("2031-10-26");
      await page.getByLabel("Time", { exact: true }).fill("02:30");
      await page.getByLabel(/second time/).check();
      await check("publish dialog");
      await page.getByRole("button", { name: "Keep writing" }).click();
      await publish(page);
      if (isNarrow) await page.getByRole("button", { name: "Details" }).click();
      await page.getByRole("button", { name: "New preview link" }).click();
      await check("new preview link");
      await page.getByRole("button", { name: "Cancel" }).click();
      await page.getByRole("button", { name: "Unpublish" }).click();
      await check("unpublish");
      await page.getByRole("button", { name: "Cancel" }).click();
      await check("side panel");
      await page.getByRole("link", { name: "Compare and restore earlier versions" }).click();
      await page.getByRole("heading", { name: "History" }).waitFor();
      await check("history");
    });

  test("S45 a link works in a browser that never signed in, follows the text, and ends when revoked or expired", async () => {
    const { page } = await write();
    const links: string[] = [];
    for (const days of ["1", "7"]) {
      await page.getByRole("button", { name: "New preview link" }).click();
      await page.getByLabel("Expires").selectOption(days);
      await page.getByRole("button", { name: "Make the link" }).click();
      links.push(await page.getByRole("textbox", { name: "Link", exact: true }).inputValue());
      await page.getByRole("button", { name: "Done" }).click();
    }
    const [short = "", long = ""] = links;
    const stranger = await openVisitor(chromium.browser);
    open.push(stranger);
    await stranger.page.goto(short);
    await stranger.page.getByText("They came in the evening.").waitFor();
    await type(page, " And stayed.");
    await until(
      async () => (await fetch(short)).text(),
      (html) => html.includes("And stayed."),
    );
    assert.deepEqual(stranger.complaints, []);
    ahead = 1.5 * DAY;
    assert.deepEqual([(await fetch(short)).status, (await fetch(long)).status], [404, 200]);
    ahead = 0;
    await page.getByRole("button", { name: "Revoke" }).first().click();
    await page.getByText("The link is revoked.").waitFor();
    const statuses = [(await fetch(short)).status, (await fetch(long)).status].sort();
    assert.deepEqual(statuses, [200, 404]);
    await page
      .getByText("Last used")
      .first()
      .waitFor({ timeout: 1_000 })
      .catch(() => undefined);
  });
});

/** Texts whose HTML has something that a browser could take differently. */
const BODIES = [
  "# Heading\n\nText with *emphasis*, **strong**, ~~gone~~ and `code`.",
  'a < b && c > d "quoted" &amp; &lt;script&gt;',
  "<script>alert(1)</script>\n\n<b onclick=x>bold</b>",
  "| a | b |\n|:--|--:|\n| 1 | <td> |",
  '- a\n  - b\n\n    ```js\n    const a = "<";\n    ```\n3. c',
  '[x](javascript:alert(1)) [y](https://a.example/?a=1&b=2 "t\\"t") <https://b.example>',
  '![alt "text"](https://a.example/a.png) line  \nbreak\n\n---\n\n> quote\n> more',
  "\u0627\u0644\u0639\u0631\u0628\u064a\u0629 and \u65e5\u672c\u8a9e and e\u0301 and \ud83d\udc26",
];
