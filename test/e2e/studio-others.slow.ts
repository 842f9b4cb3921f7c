import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import type { TestApp } from "../app.ts";
import { LOOKS, violations } from "../axe.ts";
import type { TestBrowser } from "../browser.ts";
import { openStudioApp, type StudioApp } from "./studio-app.ts";
import { ADA, openVisitor, type Visitor } from "./visitor.ts";

const LINES = "one\n\ntwo\n\nthree\n\nfour\n\nfive\n";
const BEN = { ...ADA, name: "Ben Okri", email: "ben@example.com" };
const CARA = { ...ADA, name: "Cara Ōta", email: "cara@example.com" };

describe("S38: people who write one post, in real browsers", { timeout: 240_000 }, () => {
  let studio: StudioApp;
  let app: TestApp;
  let chromium: TestBrowser;
  const tokens = new Map<string, string>();
  const open: Visitor[] = [];

  before(async () => {
    studio = await openStudioApp({ ACCESS_TOKEN_TTL: "3h", RATE_LIMIT_TOKEN: "off" });
    ({ app, chromium } = studio);
    for (const person of [BEN, CARA]) await studio.addPerson(person, "editor");
    for (const { email } of [ADA, BEN, CARA]) tokens.set(email, await studio.createToken(undefined, email));
  });
  afterEach(async () => {
    for (const visitor of open.splice(0)) {
      assert.deepEqual(visitor.complaints, []);
      await visitor.close();
    }
  });
  after(async () => {
    await studio?.close();
  });

  async function create(body = LINES): Promise<string> {
    const query =
      'mutation ($body: String!) { createPost(input: { title: "Herons", body: $body, status: DRAFT }) { id } }';
    return (await studio.ask<{ createPost: { id: string } }>(query, { body }, tokens.get(ADA.email))).createPost.id;
  }

  const announce = (id: string, { email }: typeof ADA) =>
    studio.ask("mutation ($id: ID!) { announceEditing(id: $id) }", { id }, tokens.get(email));

  async function edit(id: string, person: typeof ADA, options: BrowserContextOptions = {}): Promise<Visitor> {
    const visitor = await openVisitor(chromium.browser, { locale: "en-GB", ...options });
    open.push(visitor);
    const { page } = visitor;
    await page.goto(`${app.config.BASE_URL}/studio/posts/${id}`);
    await page.getByLabel("E-mail address").fill(person.email);
    await page.getByLabel("Password").fill(person.password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await field(page).waitFor();
    return visitor;
  }

  const field = (page: Page) => page.locator(".cm-content");
  const others = (page: Page) => page.locator(".others-line");

  async function saysOthers(page: Page, words: string): Promise<void> {
    await page.locator(".others-line", { hasText: words }).waitFor({ timeout: 20_000 });
  }

  async function type(page: Page, text: string, at: "start" | "end"): Promise<void> {
    await field(page).click();
    await page.keyboard.press(at === "end" ? "Control+End" : "Control+Home");
    await page.keyboard.insertText(text);
  }

  async function shoot(page: Page, name: string): Promise<void> {
    const folder = process.env.SHOTS;
    if (folder !== undefined) await page.screenshot({ path: `${folder}/others-${name}.png` });
  }

  test("S38 each sees the other's name and not their own, takes over what was saved, and may go on writing", async () => {
    const id = await create();
    const [{ page: ada }, { page: ben }] = [await edit(id, ADA), await edit(id, BEN)];
    await type(ben, "Ben begins.\n\n", "start");
    await saysOthers(ada, "Ben Okri is editing");
    assert.equal(await others(ben).textContent(), "");
    await field(ada).getByText("Ben begins.").waitFor();
    await type(ada, "\nAda goes on.", "end");
    await saysOthers(ben, "Ada Lovelace is editing");
    await field(ben).getByText("Ada goes on.").waitFor();
    for (const page of [ada, ben]) {
      const text = (await field(page).textContent()) ?? "";
      assert.match(text, /^Ben begins\..*Ada goes on\.$/s);
    }
  });

  test("S33 what was merged is shown on demand, and the focus goes back to the text; axe finds nothing", async () => {
    const id = await create();
    const { page } = await edit(id, ADA);
    await page
      .context()
      .route("**/graphql", (route) =>
        (route.request().postData() ?? "").includes("workingVersion") ? route.abort() : route.fallback(),
      );
    await type(page, "mine\n\n", "start");
    await studio.ask(
      `mutation ($id: ID!, $body: String!) {
        saveWorkingCopy(id: $id, input: { body: $body }, workingVersion: 0, baseVersion: 1) { errors { message } }
      }`,
      { id, body: LINES.replace("five", "five herons") },
      tokens.get(BEN.email),
    );
    await page.context().unroute("**/graphql");
    const notice = page.locator(".notice", { hasText: "Ben Okri's changes were merged." });
    await notice.waitFor({ timeout: 20_000 });
    await notice.getByRole("button", { name: "Show" }).click();
    const dialog = page.getByRole("dialog", { name: "Ben Okri's changes" });
    await dialog.getByText("1 change").waitFor();
    assert.deepEqual(await dialog.locator("ins").allTextContents(), [" herons"]);
    assert.equal(await dialog.locator("del").count(), 0);
    await page.keyboard.press("Alt+ArrowDown");
    await dialog.getByText("Change 1 of 1").waitFor();
    for (const [name, { viewport, ...media }] of Object.entries(LOOKS)) {
      await page.emulateMedia({ colorScheme: "light", forcedColors: "none", ...media });
      await page.setViewportSize(viewport ?? assert.fail("every look has a size"));
      assert.deepEqual(await violations(page), []);
      await shoot(page, `show-${name}`);
    }
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    assert.equal(await field(page).evaluate((element) => element.contains(document.activeElement)), true);
  });

  test("S38 tabs of one browser share one stream: the one that somebody looks at has it", async () => {
    const [one, two] = [await create(), await create()];
    const visitor = await edit(one, ADA);
    const { page: first } = visitor;
    await announce(one, BEN);
    await saysOthers(first, "Ben Okri is editing");
    const second = await visitor.newTab();
    await second.goto(`${app.config.BASE_URL}/studio/posts/${two}`);
    await field(second).waitFor();
    await announce(two, CARA);
    await saysOthers(second, "Cara Ōta is editing");
    await first.locator(".others-line:empty").waitFor({ state: "attached" });
    await second.close();
    await saysOthers(first, "Ben Okri is editing");
  });

  test("S38 the line stands beside the state at every width, in both appearances; axe finds nothing", async () => {
    const id = await create();
    const { page } = await edit(id, ADA);
    await announce(id, BEN);
    await announce(id, CARA);
    await saysOthers(page, "Ben Okri and Cara Ōta are editing");
    for (const [name, { viewport, ...media }] of Object.entries(LOOKS)) {
      await page.emulateMedia({ colorScheme: "light", forcedColors: "none", ...media });
      await page.setViewportSize(viewport ?? assert.fail("every look has a size"));
      const box = await others(page).boundingBox();
      assert.ok(box !== null && box.width > 150 && box.x >= 0 && box.x + box.width <= (viewport?.width ?? 0));
      assert.equal(await others(page).evaluate((line) => line.scrollWidth <= line.clientWidth), true, "nothing is cut");
      assert.deepEqual(await violations(page), []);
      await shoot(page, `line-${name}`);
    }
  });
});
