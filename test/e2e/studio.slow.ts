import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import type { TestApp } from "../app.ts";
import { LOOKS, violations } from "../axe.ts";
import type { TestBrowser } from "../browser.ts";
import { runCommand } from "../command.ts";
import { openStudioApp, type StudioApp } from "./studio-app.ts";
import { ADA, openTab, openVisitor, signIn, type Visitor } from "./visitor.ts";

const BEN = { name: "Ben Member", email: "ben@example.com", password: "seven calm badgers dig a well" };
const WIDE = { viewport: { width: 1280, height: 900 } };
/** As on the first visit, and in private windows of some browsers. */
const WITHOUT_WORKER = { ...WIDE, serviceWorkers: "block" } as const;

describe("the studio in a browser", () => {
  let studio: StudioApp;
  let app: TestApp;
  let chromium: TestBrowser;
  let usual: Visitor | undefined;
  before(async () => {
    studio = await openStudioApp({ RATE_LIMIT_TOKEN: "off" });
    ({ app, chromium } = studio);
    await studio.addPerson(BEN);
  });
  after(async () => {
    await studio?.close();
  });

  const address = (path = "") => `${app.config.BASE_URL}/studio${path}`;

  async function open(options: Parameters<typeof openVisitor>[1] = WIDE, path = ""): Promise<Visitor> {
    const visitor = await openVisitor(chromium.browser, options);
    visitor.page.setDefaultTimeout(30_000);
    await visitor.page.goto(address(path));
    await signIn(visitor.page);
    await ready(visitor.page);
    return visitor;
  }

  /** A tab of a device that stays signed in, for tests that leave nothing on it. */
  async function openUsual(path = ""): Promise<Visitor> {
    usual ??= await open();
    const visitor = await openTab(usual);
    await visitor.page.goto(address(path));
    await ready(visitor.page);
    return visitor;
  }

  const ready = (page: Page) => page.getByRole("heading", { name: "Posts", level: 1 }).waitFor();

  /** @returns their ids, in this order */
  async function createPosts(titles: readonly string[], more = 'status: DRAFT, body: "Tea."'): Promise<string[]> {
    const fields = titles.map(
      (title, at) => `p${at}: createPost(input: { title: ${JSON.stringify(title)}, ${more} }) { id }`,
    );
    const data = await studio.ask<Record<string, { id: string }>>(`mutation { ${fields.join(" ")} }`);
    return titles.map((_title, at) => data[`p${at}`]?.id ?? "");
  }

  /** Asks by the debugger: the page's own policy allows no evaluation. */
  async function until(page: Page, condition: string): Promise<void> {
    for (const end = Date.now() + 15_000; !(await page.evaluate<boolean>(condition)); ) {
      assert.ok(Date.now() < end, `it does not become true: ${condition}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  let harbour: Promise<void> | undefined;
  /** 60 drafts and a published post, for all tests that follow the first. */
  function withPosts(): Promise<void> {
    harbour ??= (async () => {
      const titles = Array.from({ length: 60 }, (_, at) => `Harbour ${String(at).padStart(2, "0")}`);
      for (let at = 0; at < titles.length; at += 20) await createPosts(titles.slice(at, at + 20));
      await createPosts(["A published one"], 'status: PUBLISHED, body: "Salt."');
    })();
    return harbour;
  }

  /** Names of the scripts that only this part needs. */
  function partFiles(part: string): readonly string[] {
    const { parts } = JSON.parse(readFileSync(join(studio.folder, "manifest.json"), "utf8")) as {
      parts: Record<string, string[]>;
    };
    return parts[part] ?? [];
  }

  /** Goes to an address of the studio without loading the page. */
  async function follow(page: Page, path: string): Promise<void> {
    await page.evaluate(`{
      const link = document.createElement("a");
      link.href = ${JSON.stringify(address(path))};
      document.body.append(link);
      link.click();
      link.remove();
    }`);
  }

  const row = (page: Page, title: string) => page.getByRole("row", { name: title });

  test("S04 S13 a person signs in through the real page, and finds where to begin", async () => {
    const { page, complaints, hosts, close } = await open();
    await page.getByRole("heading", { name: "Write your first post" }).waitFor();
    assert.equal(page.url(), address("/"));
    assert.equal(await page.title(), "Posts · Content API");
    assert.deepEqual([...hosts], [new URL(app.config.BASE_URL).host], "no other host is asked");
    const stored = await page.evaluate<string>("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])");
    assert.equal(stored, "[{},{}]", "S05 tokens are in neither");
    const algorithm = await page.evaluate<unknown>(`new Promise((resolve) => {
      indexedDB.open("studio-session").onsuccess = ({ target: { result } }) => {
        result.transaction("session").objectStore("session").get("keys").onsuccess = ({ target }) =>
          resolve([target.result.privateKey.extractable, target.result.privateKey.algorithm.name]);
      };
    })`);
    assert.deepEqual(algorithm, [false, "ECDSA"], "S05 the key that tokens are bound to does not leave the browser");
    assert.deepEqual(complaints, []);
    await close();
  });

  test("S05 two tabs that need a token at once stay signed in, and a third borrows one", async () => {
    const { page, newTab, complaints, close } = await open();
    let requests = 0;
    page.context().on("request", (request) => {
      if (request.url().endsWith("/token")) requests += 1;
    });
    const tab = await newTab();
    await tab.goto(address());
    await ready(tab);
    assert.equal(requests, 0, "the first tab lent its token");
    // On a busy machine one may be back before the other has gone, and lends its token.
    for (let round = 0; round < 3 || (requests === 0 && round < 12); round++) {
      await Promise.all([page.reload(), tab.reload()]);
      await Promise.all([ready(page), ready(tab)]);
      await Promise.all([page, tab].map((one) => one.getByRole("navigation", { name: "Posts by state" }).waitFor()));
    }
    for (const one of [page, tab]) assert.equal(await one.getByText("You are signed out").count(), 0);
    assert.ok(requests >= 1, "nothing survives both tabs but the refresh token");
    assert.deepEqual(complaints, []);
    await close();
  });

  test("S06 a refused refresh leaves the page as it is; signing in beside it goes on", async () => {
    const { page, newTab, close } = await open();
    const tab = await newTab();
    await tab.goto(address());
    await ready(tab);
    const { code } = await runCommand(["user", "sign-out", ADA.email], app.environment);
    assert.equal(code, 0);
    await page.getByRole("link", { name: "Drafts" }).click();
    await page.getByText("You are signed out. Your text is kept on this device.").waitFor();
    await ready(page);
    const opened = page.waitForEvent("popup");
    await page.getByRole("button", { name: "Sign in" }).click();
    const popup = await opened;
    const closed = popup.waitForEvent("close");
    await signIn(popup);
    await closed;
    for (const one of [page, tab]) await one.getByText("You are signed out").waitFor({ state: "detached" });
    assert.equal(page.url(), address("/posts?state=drafts"), "the page is where it was");
    await page.getByRole("heading", { name: "No drafts" }).waitFor();
    await close();
  });

  test("S06 where the browser allows no second window, the sign-in comes back to the same place", async () => {
    const { page, close } = await open();
    await page.goto(address("/posts?state=archived"));
    await ready(page);
    await runCommand(["user", "sign-out", ADA.email], app.environment);
    await page.evaluate("window.open = () => null");
    await page.getByRole("link", { name: "Drafts" }).click();
    await page.getByRole("button", { name: "Sign in" }).click();
    await signIn(page);
    await page.getByRole("heading", { name: "No drafts" }).waitFor();
    assert.equal(page.url(), address("/posts?state=drafts"));
    await close();
  });

  test("S06 another person's sign-in stops this page", async () => {
    const { page, newTab, close } = await open();
    await page.evaluate(`new Promise((resolve) => {
      const channel = new BroadcastChannel("studio-session");
      channel.postMessage({ type: "signed-in", token: { token: "x", expiresAt: Date.now() + 9e5, personId: "someone-else" } });
      resolve();
    })`);
    await page.getByText("Somebody else signed in in this browser. This page belongs to Ada Lovelace.").waitFor();
    const sent: string[] = [];
    page.on("request", (request) => sent.push(request.url()));
    await page.getByRole("link", { name: "Drafts" }).click();
    await page.waitForTimeout(500);
    assert.deepEqual(
      sent.filter((url) => url.endsWith("/graphql")),
      [],
    );
    await newTab();
    await close();
  });

  test("S07 sign-out revokes, wipes, ends the session, and asks for the password next time", async () => {
    const { page, newTab, complaints, close } = await open();
    const tab = await newTab();
    await tab.goto(address());
    await ready(tab);
    await page.getByRole("button", { name: ADA.name }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign out?" }).waitFor();
    await tab.getByText("You are signed out").first().waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "You are signed out" }).waitFor();
    const kept = await page.evaluate<unknown[]>(`new Promise((resolve) => {
      indexedDB.open("studio-session").onsuccess = ({ target: { result } }) => {
        result.transaction("session").objectStore("session").getAll().onsuccess = ({ target }) => resolve(target.result);
      };
    })`);
    assert.deepEqual(kept, []);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByLabel("Password").waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

  test("S10 the list: tabs, search, author and order are in the address; Back restores scroll and focus", async () => {
    await withPosts();
    const { page, complaints, close } = await openUsual();
    await row(page, "Harbour 59").waitFor();
    await page.getByRole("link", { name: "Published", exact: true }).click();
    await row(page, "A published one").waitFor();
    assert.equal(await page.getByRole("row").count(), 2);
    assert.equal(page.url(), address("/posts?state=published"));
    await page.goBack();
    await page.getByRole("searchbox").fill("harbour 1");
    await row(page, "Harbour 10").waitFor();
    await page.waitForURL(/q=harbour\+1/);
    assert.equal(await page.getByRole("row").count(), 11, "the last word may be the beginning of one");
    await page.getByRole("searchbox").fill("");
    await row(page, "Harbour 59").waitFor();
    await page.getByLabel("Order").selectOption("Title");
    await page.waitForURL(/order=title/);
    await row(page, "Harbour 00").waitFor();
    // S11: the next page comes by itself.
    await page.getByRole("row").last().scrollIntoViewIfNeeded();
    await row(page, "Harbour 59").waitFor();
    const link = page.getByRole("link", { name: "Harbour 45" });
    await link.scrollIntoViewIfNeeded();
    const before = await page.evaluate<number>("scrollY");
    await link.click();
    await page.getByLabel("Title").waitFor();
    await page.goBack();
    await link.waitFor();
    await until(page, "document.activeElement?.textContent === 'Harbour 45'");
    assert.ok(Math.abs((await page.evaluate<number>("scrollY")) - before) < 120, "the list is where it was");
    await page.getByRole("searchbox").fill("nothing has these words");
    await page.getByRole("heading", { name: /No posts with/ }).waitFor();
    await page.getByRole("link", { name: "Show all posts" }).click();
    await row(page, "Harbour 59").waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

  test("S11 a page of the list is one request, without a count, however many rows it has", async () => {
    await withPosts();
    const { page, close } = await openUsual();
    await row(page, "Harbour 59").waitFor();
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/graphql")) sent.push(request.postData() ?? "");
    });
    await page.getByRole("link", { name: "Drafts" }).click();
    await page.getByText("A published one").waitFor({ state: "detached" });
    await row(page, "Harbour 59").waitFor();
    await page.waitForTimeout(300);
    assert.equal(sent.length, 1, sent.join("\n"));
    const { documentId } = JSON.parse(sent[0] ?? "{}") as { documentId: string };
    const texts = JSON.parse(readFileSync(join(studio.folder, "documents.json"), "utf8")) as Record<string, string>;
    assert.doesNotMatch(texts[documentId] ?? "totalCount", /totalCount|boundedCount/);
    await close();
  });

  test("S12 many posts change at once; those that fail stay selected and say why", async () => {
    const ids = await createPosts(["Bulk one", "Bulk two", "Bulk three", "Bulk four", "Bulk five"]);
    const { page, close } = await openUsual();
    await page.getByRole("searchbox").fill("bulk");
    await page.waitForURL(/q=bulk/); // the list of all posts has them too, until then
    await row(page, "Bulk five").waitFor();
    // Somebody else is faster with two of them.
    await studio.ask(
      `mutation { a: updatePost(id: "${ids[1]}", input: { body: "Other." }) { post { id } errors { message } }
        b: deletePost(id: "${ids[3]}") { deletedId } }`,
    );
    await page.getByLabel("Select Bulk five").check();
    await page.getByLabel("Select Bulk one").click({ modifiers: ["Shift"] });
    await page.getByText("5 selected").waitFor();
    await page.getByRole("button", { name: "Publish" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Publish" }).click();
    await page.getByText("3 posts are published. 2 failed and stay selected.").waitFor();
    await page.getByText("2 selected").waitFor();
    assert.equal(await page.getByLabel("Select Bulk two").isChecked(), true);
    assert.equal(await page.getByLabel("Select Bulk four").isChecked(), true);
    assert.equal(await page.locator("tbody .field-error").count(), 2);
    const { post } = await studio.ask<{ post: { status: string } }>(`{ post(id: "${ids[0]}") { status } }`);
    assert.equal(post.status, "PUBLISHED");
    await close();
  });

  test("S12 deleting more than ten asks for their number; the focus goes to the row after them", async () => {
    await createPosts(Array.from({ length: 12 }, (_, at) => `Gone ${String(at).padStart(2, "0")}`));
    const { page, close } = await openUsual("/posts?q=gone&order=title");
    await row(page, "Gone 11").waitFor();
    await page.getByLabel("Select Gone 00").check();
    await page.getByLabel("Select Gone 10").click({ modifiers: ["Shift"] });
    await page.getByRole("button", { name: "Delete" }).click();
    const dialog = page.getByRole("dialog");
    const button = dialog.getByRole("button", { name: "Delete" });
    assert.equal(await button.isDisabled(), true);
    await dialog.getByLabel("Type 11 to delete them").fill("11");
    await button.click();
    await page.getByText("11 posts are deleted.").waitFor();
    await until(page, "document.activeElement?.textContent === 'Gone 11'");
    assert.equal(await page.getByRole("row").count(), 2);
    await close();
  });

  test("S13 changes by others are marked and counted, and nothing moves before somebody asks", async () => {
    await withPosts();
    const { page, close } = await openUsual("/posts?state=drafts");
    await row(page, "Harbour 59").waitFor();
    await page.waitForTimeout(1_000);
    const [id] = await createPosts(["Quite new"]);
    await page.getByRole("button", { name: "1 new. Show" }).waitFor();
    assert.equal(await row(page, "Quite new").count(), 0);
    await page.getByRole("button", { name: "1 new. Show" }).click();
    await row(page, "Quite new").waitFor();
    await studio.ask(`mutation { updatePost(id: "${id}", input: { body: "Later." }) { errors { message } } }`);
    await row(page, "Quite new").getByText("Changed just now").waitFor();
    await close();
  });

  test("S09 Ctrl+K finds posts and actions by keyboard alone", async () => {
    await withPosts();
    const { page, complaints, close } = await open();
    await page.keyboard.press("Control+k");
    const field = page.getByRole("combobox", { name: "Search posts, pages and actions" });
    await field.waitFor();
    await page.keyboard.type("Harbour 07");
    const option = page.getByRole("option", { name: "Harbour 07" });
    await option.waitFor();
    assert.equal(await option.getAttribute("aria-selected"), "true");
    assert.equal(await field.getAttribute("aria-activedescendant"), await option.getAttribute("id"));
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/posts\/[\w-]{36}$/);
    await until(page, "document.querySelector('#main textarea, #main input')?.value === 'Harbour 07'");
    await page.getByRole("link", { name: "Posts" }).click();
    await ready(page);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("dark");
    await page.keyboard.press("Enter");
    await until(page, "document.documentElement.classList.contains('dark')");
    await page.reload();
    assert.equal(
      await page.evaluate("document.documentElement.className"),
      "dark",
      "S94 chosen before the first paint",
    );
    assert.deepEqual(complaints, []);
    await close();
  });

  test("S09 S29 Ctrl+K has what the open page can do; focus mode takes the focus to the text", async () => {
    const { page, complaints, close } = await open();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("focus");
    await page.getByText("Nothing found.").waitFor();
    await page.keyboard.press("Escape");
    await page
      .getByRole("button", { name: "New post" })
      .or(page.getByRole("link", { name: "New post" }))
      .first()
      .click();
    await page.locator(".cm-content").waitFor();
    await page.getByRole("button", { name: "Preview" }).focus();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("focus");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Leave focus mode" }).waitFor();
    await until(page, "document.activeElement?.classList.contains('cm-content')");
    await page.waitForTimeout(100);
    assert.ok(await page.evaluate("document.activeElement.classList.contains('cm-content')"), "it stays there");
    assert.equal(await page.getByRole("link", { name: "Posts" }).isVisible(), false);
    await page.keyboard.press("Control+k");
    await page.getByRole("option", { name: "Leave focus mode" }).click();
    await page.getByRole("link", { name: "Posts" }).click();
    await ready(page);
    assert.deepEqual(complaints, []);
    await close();
  });

  test("S97 everything in the list works by keyboard, and single keys can be switched off", async () => {
    await withPosts();
    const { page, close } = await open();
    await row(page, "Harbour 59").waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await until(page, "document.activeElement?.id === 'main'");
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.getByText("1 selected").waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await page.evaluate(`document.querySelector("dialog [aria-label='Close']").click();
      document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "j", bubbles: true }))`);
    await page.waitForTimeout(100);
    const isSecond = "document.querySelectorAll('[data-post]')[1].contains(document.activeElement)";
    assert.equal(await page.evaluate(isSecond), true, "a key right after a dialog counts");
    await page.keyboard.press("j");
    await page.keyboard.press("Shift+X");
    await page.getByText("3 selected").waitFor();
    await page.keyboard.press("k");
    await page.keyboard.press("x");
    await page.getByText("2 selected").waitFor();
    await page.keyboard.press("/");
    await until(page, "document.activeElement?.id === 'search-posts'");
    await page.getByRole("button", { name: ADA.name }).click();
    await page.getByLabel("Single-key shortcuts").uncheck();
    await page.keyboard.press("Escape");
    await page.keyboard.press("n");
    await page.keyboard.press("?");
    await page.waitForTimeout(200);
    assert.equal(await page.getByRole("dialog").count(), 0);
    assert.ok(!page.url().includes("/new"));
    await close();
  });

  for (const [look, options] of Object.entries(LOOKS)) {
    test(`S97 axe finds nothing, in ${look}`, async () => {
      await withPosts();
      const { page, complaints, close } = await open(options);
      await row(page, "Harbour 59").waitFor();
      const found = new Set(await violations(page));
      const collect = async () => {
        for (const violation of await violations(page)) found.add(violation);
      };
      await page.getByLabel("Select Harbour 59").check();
      await page.getByRole("button", { name: "Delete" }).click();
      await collect();
      await page.keyboard.press("Escape");
      await page.keyboard.press("Control+k");
      await page.getByRole("dialog").getByRole("option").first().waitFor();
      await collect();
      await page.keyboard.press("Escape");
      await page.keyboard.press("Control+/");
      await collect();
      await page.keyboard.press("Escape");
      const menu = page.getByRole("button", { name: /^(?:Menu|A Ada|Ada)/ });
      await menu.first().click();
      await collect();
      for (const path of ["/posts?q=nothing+like+this", "/posts?state=scheduled", "/device", "/no/such/page"]) {
        await page.goto(address(path));
        await page.getByRole("heading", { level: 1 }).waitFor();
        await page.waitForTimeout(300);
        await collect();
      }
      const wide = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
      assert.ok(wide <= 0, `${wide} px too wide`);
      assert.deepEqual([...found], []);
      assert.deepEqual(complaints, []);
      await close();
    });
  }

  test("S95 sizes: the first load, the editor and the style sheet", async () => {
    const { outputs } = JSON.parse(readFileSync(join(studio.folder, "metafile.json"), "utf8")) as {
      outputs: Record<string, { entryPoint?: string; imports: { path: string; kind: string }[] }>;
    };
    const withStatic = (file: string, found = new Set<string>()): Set<string> => {
      if (found.has(file)) return found;
      found.add(file);
      for (const { path, kind } of outputs[file]?.imports ?? [])
        if (kind === "import-statement") withStatic(path, found);
      return found;
    };
    const entry = (end: string) => Object.keys(outputs).find((name) => outputs[name]?.entryPoint?.endsWith(end)) ?? "";
    const size = (files: Iterable<string>) => {
      let sum = 0;
      for (const file of files)
        sum += gzipSync(readFileSync(join(studio.folder, "assets", file.slice(file.lastIndexOf("/") + 1))), {
          level: 9,
        }).length;
      return sum / 1_000;
    };
    const first = withStatic(entry("shell/main.tsx"));
    const without = (file: string, ...known: Set<string>[]) =>
      [...withStatic(file)].filter((name) => known.every((set) => !set.has(name)));
    const page = withStatic(entry("editor/page.tsx"));
    const surface = Object.keys(outputs).filter((name) =>
      /editor\/code-mirror\/surface/.test(outputs[name]?.entryPoint ?? ""),
    );
    assert.equal(surface.length, 1);
    const sizes = {
      first: size(first),
      history: size(first) + size(without(entry("publishing/history/history-page.tsx"), first)),
      device: size(first) + size(without(entry("saving/device-page.tsx"), first)),
      writing: size(first) + size(without(entry("editor/page.tsx"), first)),
      editor: size(without(surface[0] ?? "", first, page)),
      styles: size(Object.keys(outputs).filter((name) => name.endsWith(".css"))),
    };
    const budgets = { first: 75, history: 75, device: 75, writing: 125, editor: 125, styles: 12 };
    for (const [name, most] of Object.entries(budgets)) {
      const found = sizes[name as keyof typeof sizes];
      assert.ok(found > 1 && found <= most, `${name}: ${found} kB of ${most}, in ${JSON.stringify(sizes)}`);
    }
  });

  test("S95 pages that are left leave no connection to the storage behind", async () => {
    const [id] = await createPosts(["Left and opened again"]);
    const { page, complaints, close } = await open();
    await page.addInitScript(`globalThis.openedDatabases = [];
      const open = IDBFactory.prototype.open;
      IDBFactory.prototype.open = function (name, ...more) {
        openedDatabases.push(name);
        return open.call(this, name, ...more);
      };`);
    await page.reload();
    await ready(page);
    for (let round = 0; round < 5; round++)
      for (const [path, sign] of [
        [`/studio/posts/${id}`, ".cm-content"],
        ["/studio/posts", "main tbody tr"],
        ["/studio/device", "main h1"],
      ] as const) {
        await page.evaluate(`(() => {
          const link = document.createElement("a");
          link.href = "${path}";
          document.body.append(link);
          link.click();
          link.remove();
        })()`);
        await until(page, `location.pathname === "${path}" && document.querySelector("${sign}") !== null`);
      }
    const opened = await page.evaluate<string[]>("openedDatabases");
    assert.deepEqual(opened.toSorted(), ["studio-session", "studio-texts"]);
    assert.deepEqual(complaints, []);
    await close();
  });

  test("S95 S96 the second visit comes from this device, and works without a network", async () => {
    await withPosts();
    const { page, close } = await open();
    await page.evaluate("navigator.serviceWorker.ready");
    await page.reload();
    await row(page, "Harbour 59").waitFor();
    await until(page, "navigator.serviceWorker.controller !== null");
    const kept = await page.evaluate<string[]>(
      "caches.open('studio-files').then((cache) => cache.keys()).then((keys) => keys.map(({ url }) => new URL(url).pathname))",
    );
    assert.ok(kept.length > 3);
    const asked: string[] = [];
    const warnings: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    page.on("console", (message) => warnings.push(message.text()));
    await page.reload();
    await row(page, "Harbour 59").waitFor();
    const chunks = asked.filter((path) => path.includes("/assets/chunk-"));
    assert.ok(chunks.length > 3);
    assert.equal(new Set(chunks).size, chunks.length, "no file is asked for twice");
    const unneeded = asked.filter((path) => path.startsWith("/.well-known/"));
    assert.deepEqual(unneeded, [], "the page has the metadata of its authorization server");
    assert.deepEqual(
      warnings.filter((text) => text.includes("preload")),
      [],
    );
    assert.deepEqual(
      kept.filter((path) => !path.startsWith("/studio/")),
      [],
      "S30 no answer of the API and no token",
    );
    await page.context().setOffline(true);
    await page.goto(address("/posts?state=drafts"));
    await ready(page);
    await page.getByText("You are offline.").waitFor();
    await page.context().setOffline(false);
    await page.getByRole("button", { name: "Try again" }).click();
    await row(page, "Harbour 59").waitFor();
    await close();
  });

  test("S96 a part that the server no longer has is no white page", async () => {
    await withPosts();
    const { page, close } = await open(WITHOUT_WORKER, "/posts?state=drafts");
    await row(page, "Harbour 59").waitFor();
    await page.context().route(/assets\/device-page/, (route) => route.fulfill({ status: 404 }));
    await page.getByRole("link", { name: "On this device" }).click();
    await page.getByText("A new version is here. Your text is safe.").waitFor();
    await page.getByRole("heading", { name: "This page could not be loaded" }).waitFor();
    await close();
  });

  test("S96 a part that could not be loaded is loaded when it is asked for again", async () => {
    await withPosts();
    const { page, complaints, close } = await open(WITHOUT_WORKER, "/posts?state=drafts");
    await row(page, "Harbour 59").waitFor();
    // Its own script, and one that this imports: the page fetches the editor's early.
    const others = new Set(partFiles("editor/page"));
    const own = partFiles("publishing/history/history-page").filter((file) => !others.has(file));
    assert.ok(own.length > 1, own.join());
    const [post] = await createPosts(["Without its history"]);
    for (const broken of own) {
      const isBroken = (url: URL) => url.pathname.endsWith(broken);
      await page.goto(address("/posts"));
      await row(page, "Without its history").waitFor();
      await page.route(isBroken, (route) => route.abort());
      await follow(page, `/posts/${post}/history`);
      await page.getByRole("heading", { name: "This page could not be loaded" }).waitFor();
      assert.equal(await page.getByText("A new version is here").count(), 0, "the server said nothing of the kind");
      await page.unroute(isBroken);
      await page.getByRole("button", { name: "Try again" }).click();
      await page.getByRole("heading", { level: 1, name: "History" }).waitFor();
    }
    assert.deepEqual(complaints, []);
    await close();
  });

  test("S30 S96 the service worker has all parts: those that were never opened work without a network", async () => {
    await withPosts();
    const { page, complaints, close } = await open();
    await page.evaluate("navigator.serviceWorker.ready");
    await page.reload();
    await row(page, "Harbour 59").waitFor();
    await until(page, "navigator.serviceWorker.controller !== null");
    const kept = await page.evaluate<string[]>(
      "caches.open('studio-files').then((cache) => cache.keys()).then((keys) => keys.map(({ url }) => url))",
    );
    for (const file of readdirSync(join(studio.folder, "assets")))
      assert.ok(
        kept.some((url) => url.endsWith(`/${file}`)),
        file,
      );
    await page.context().setOffline(true);
    await page.getByRole("link", { name: "On this device" }).click();
    await page.getByRole("heading", { level: 1, name: "On this device" }).waitFor();
    await page.goto(address("/posts/new"));
    await page.locator(".cm-content").waitFor();
    await page.locator(".cm-content").click();
    await page.keyboard.type("herons");
    await page.keyboard.press("Control+f");
    await page.locator(".cm-search").waitFor();
    assert.deepEqual(complaints, []);
    await page.context().setOffline(false);
    await close();
  });

  test("S08 a member sees no more than a member may", async () => {
    await withPosts();
    const { page, close } = await openVisitor(chromium.browser, WIDE);
    page.setDefaultTimeout(30_000);
    await page.goto(address());
    await page.getByLabel("E-mail address").fill(BEN.email);
    await page.getByLabel("Password").fill(BEN.password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await row(page, "A published one").waitFor();
    assert.equal(await row(page, "Harbour 59").count(), 0, "drafts of others");
    await page.getByLabel("Select A published one").check();
    await page.getByText("1 selected").waitFor();
    assert.equal(await page.getByRole("button", { name: "Delete" }).count(), 0);
    await close();
  });
});
