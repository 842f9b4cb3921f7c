import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import type { TestApp } from "../app.ts";
import { LOOKS, violations } from "../axe.ts";
import type { TestBrowser } from "../browser.ts";
import { enter, openStudioApp, type StudioApp } from "./studio-app.ts";
import { openVisitor, type Visitor } from "./visitor.ts";

const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 390, height: 844 };
const BODY = "They came in the *evening*.\n\n## At night\n\n- one\n\n![](data:image/gif;base64,R0lGODlhAQABAAAAACw=)";
const MISSING = "01890a5d-ac96-774b-bcce-b302099a8057";

/** One person and one page for all tests: nothing here depends on what was open before. */
describe("how the studio looks and feels", () => {
  let studio: StudioApp;
  let app: TestApp;
  let chromium: TestBrowser;
  let visitor: Visitor;
  let page: Page;
  let draft: string;
  let published: string;
  const failed: string[] = [];

  before(async () => {
    studio = await openStudioApp({ RATE_LIMIT_TOKEN: "off" });
    ({ app, chromium } = studio);
    visitor = await openVisitor(chromium.browser, { viewport: WIDE, hasTouch: true });
    page = visitor.page;
    page.setDefaultTimeout(20_000);
    [draft, published] = await createPosts();
    page.context().on("response", (response) => {
      if (response.status() >= 400) failed.push(`${response.status()} ${response.url()}`);
    });
    await page.goto(address());
    await enter(page);
    await page.getByRole("heading", { name: "Posts", level: 1 }).waitFor();
  });
  after(async () => {
    await visitor?.close();
    await studio?.close();
  });

  const address = (path = "") => `${app.config.BASE_URL}/studio${path}`;

  async function createPosts(): Promise<[string, string]> {
    const data = await studio.ask<{ a: { id: string }; b: { id: string } }>(
      `mutation($body: String!) {
        a: createPost(input: { title: "Herons", body: $body, status: DRAFT }) { id }
        b: createPost(input: { title: "Mills", body: $body, status: PUBLISHED }) { id }
      }`,
      { body: BODY },
    );
    return [data.a.id, data.b.id];
  }

  async function openPost(id: string): Promise<void> {
    await page.goto(address(`/posts/${id}`));
    await page.locator(".cm-content").waitFor();
  }
  const button = (name: string | RegExp) => page.getByRole("button", { name, exact: typeof name === "string" });
  const hasFocus = (locator: Locator) => locator.evaluate((element) => element === document.activeElement);
  async function focused(locator: Locator, message: string): Promise<void> {
    for (const end = Date.now() + 5_000; !(await hasFocus(locator)); ) {
      assert.ok(
        Date.now() < end,
        `${message}: ${await page.evaluate("document.activeElement?.outerHTML.slice(0, 200)")}`,
      );
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Presses Tab until the focus leaves the page or comes round. @returns each stop */
  async function walk(): Promise<readonly Stop[]> {
    // From the very beginning, wherever the page itself put the focus.
    await page.evaluate(
      "document.body.tabIndex = -1; document.body.focus(); document.body.removeAttribute('tabindex'); scrollTo(0, 0)",
    );
    await page.evaluate(STOP_MARK);
    const stops: Stop[] = [];
    for (let step = 0; step < 120; step++) {
      await page.keyboard.press("Tab");
      await page.waitForTimeout(20); // the editor marks its line a moment after the focus has come
      const stop = await page.evaluate<Stop | null>(STOP);
      if (stop === null) break;
      stops.push(stop);
    }
    return stops;
  }

  for (const [size, viewport] of Object.entries({
    "1280 px": WIDE,
    "390 px": NARROW,
    "400 %": { width: 320, height: 256 },
  }))
    test(`S97 by keyboard alone, at ${size}: every stop has a name, is seen, and none is a trap`, async () => {
      await page.setViewportSize(viewport);
      const pages = {
        list: ["", 8],
        new: ["/posts/new", 6],
        editor: [`/posts/${draft}`, 7],
        history: [`/posts/${published}/history`, 4],
        device: ["/device", 3],
        "no page": ["/none", 3],
        "no post": [`/posts/${MISSING}`, 2],
      } as const;
      const faults: string[] = [];
      for (const [name, [path, least]] of Object.entries(pages)) {
        // The others have the same bars, and nothing else that the size changes.
        if (size !== "1280 px" && !["list", "editor", "history"].includes(name)) continue;
        await page.goto(address(path));
        await page.getByRole("heading", { level: 1 }).first().waitFor({ state: "attached" });
        if (name === "editor") await page.locator(".cm-content").waitFor();
        await page.waitForTimeout(300);
        const stops = await walk();
        if (stops.length < least) faults.push(`${name}: ${stops.length} stops`);
        if (stops.length >= 120) faults.push(`${name}: no end`);
        for (const { label, problem } of stops) if (problem !== "") faults.push(`${name}: ${label}: ${problem}`);
        const over = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
        if (over > 0) faults.push(`${name}: ${over} px too wide`);
        const title = await page.title();
        if (!/^\S.* · Content API$/.test(title)) faults.push(`${name}: titled ${title}`);
      }
      assert.deepEqual(faults, []);
    });

  test("S97 the title in the browser's tab says which page this is", async () => {
    await page.setViewportSize(WIDE);
    const titles: string[] = [];
    for (const path of ["/device", "/none", "/posts/new", `/posts/${published}/history`, `/posts/${published}`]) {
      await page.goto(address(path));
      await page.getByRole("heading", { level: 1 }).first().waitFor({ state: "attached" });
      await page.waitForTimeout(200);
      titles.push(await page.title());
    }
    assert.deepEqual(
      titles.map((title) => title.replace(" · Content API", "")),
      ["On this device", "There is no such page", "New post", "History", "Mills"],
    );
  });

  test("S97 a dialog focuses its step, the safe one where something is lost, and gives the focus back", async () => {
    await page.setViewportSize(WIDE);
    await openPost(draft);
    await button("Publish").click();
    await focused(button("Publish now"), "the step of the dialog");
    await page.keyboard.press("Escape");
    await focused(button("Publish"), "its opener");
    await button("Delete").click();
    await focused(button("Cancel"), "nothing is deleted by a hasty Enter");
    await page.keyboard.press("Escape");
    await focused(button("Delete"), "its opener");
    await button("New preview link").click();
    await focused(page.getByLabel("Expires"), "the first field");
    await button("Make the link").click();
    await focused(page.getByRole("textbox", { name: "Link", exact: true }), "what was made");
    await button("Done").click();
    await focused(button("New preview link"), "its opener");
    await button("Revoke").click();
    await page.getByText("The link is revoked.").waitFor();
    await focused(button("New preview link"), "the next control after the revoked one is gone");
    await page.goto(address());
    await button(/^A Ada|^Ada/).click();
    const panel = page.locator(".person-panel");
    const cut = await panel.evaluate((element) => {
      const { right, bottom, top } = element.getBoundingClientRect();
      const seen = document.elementFromPoint(right - 3, (top + bottom) / 2);
      return !element.contains(seen);
    });
    assert.equal(cut, false, "nothing cuts the menu off");
    await button("Keyboard shortcuts").click();
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await page.keyboard.press("Escape");
    await focused(button(/^A Ada|^Ada/), "the menu's button, since its entry is hidden");
    await page.setViewportSize(NARROW);
    await button("Menu").click();
    await focused(button("Close"), "no screen keyboard comes up");
    await page.keyboard.press("Escape");
    await focused(button("Menu"), "its opener");
  });

  test("S21 the way back, the plain editor and the address have their places", async () => {
    await page.setViewportSize(WIDE);
    await openPost(published);
    const details = page.getByRole("complementary", { name: "Details" });
    assert.equal(await details.getByLabel("Plain editor").count(), 1);
    assert.equal(await page.locator(".writing-foot").getByLabel("Plain editor").count(), 0);
    assert.equal(await details.locator(".address-whole").count(), 0, "no POST_URL, so no address but its last part");
    const back = page.getByRole("link", { name: "Posts", exact: true });
    assert.equal((await back.textContent())?.trim(), "Posts");
    await page.context().setOffline(true);
    await page.getByText("You are offline.").waitFor();
    const [bar, link] = await Promise.all([page.locator(".bar-note").boundingBox(), back.boundingBox()]);
    await page.context().setOffline(false);
    assert.ok(bar !== null && link !== null && link.y >= bar.y + bar.height, "the bar above does not cover it");
    await page.locator(".cm-content").click();
    const mark = await page.evaluate<{ width: string; height: number; field: number }>(`(() => {
      const line = document.querySelector(".cm-focused .cm-activeLine");
      const { width, height } = getComputedStyle(line, "::before");
      return { width, height: parseFloat(height), field: document.querySelector(".cm-content").offsetHeight };
    })()`);
    assert.equal(mark.width, "2px");
    assert.ok(mark.height > 10 && mark.height < mark.field / 2, "a mark at the paragraph, and no bar beside the text");
    await back.click();
    await page.getByRole("heading", { name: "Posts", level: 1 }).waitFor();
  });

  test("S98 by touch at 390 px: targets of 44 px, tools above the state line, and formatting keeps the text's focus", async () => {
    await page.setViewportSize(NARROW);
    const small: string[] = [];
    const measure = async (name: string) => {
      for (const fault of await page.evaluate<string[]>(SMALL)) small.push(`${name}: ${fault}`);
    };
    await page.goto(address());
    await page.getByRole("row", { name: "Herons" }).waitFor();
    await measure("list");
    await button("Menu").tap();
    await measure("menu");
    await page.goto(address("/device"));
    await page.getByRole("heading", { level: 1 }).waitFor();
    await measure("device");
    await openPost(draft);
    await measure("editor");
    await page.locator(".cm-content").tap();
    await button("Bold").tap();
    await focused(page.locator(".cm-content"), "the tools leave the focus in the text");
    const [tools, foot] = await Promise.all([
      page.getByRole("toolbar").boundingBox(),
      page.locator(".writing-foot").boundingBox(),
    ]);
    assert.ok(tools !== null && foot !== null && tools.y + tools.height <= foot.y + 1 && foot.y + foot.height <= 845);
    await button("Publish").tap();
    await focused(button("Publish now"), "the step of the dialog");
    await measure("publish");
    const seen = await page.getByRole("dialog").evaluate((dialog) => dialog.scrollTop);
    assert.equal(seen, 0, "what is published is read before the step");
    const [dialog, step] = await Promise.all([
      page.getByRole("dialog").boundingBox(),
      button("Publish now").boundingBox(),
    ]);
    assert.ok(dialog !== null && step !== null && step.y + step.height <= dialog.y + dialog.height, "the step is seen");
    assert.deepEqual(small, []);
  });

  for (const [look, { colorScheme, forcedColors, viewport }] of Object.entries(LOOKS))
    test(`S97 axe finds nothing in the states of the editor, in ${look}`, async () => {
      await page.emulateMedia({
        colorScheme: colorScheme ?? "light",
        forcedColors: forcedColors ?? "none",
        reducedMotion: "reduce",
      });
      await page.setViewportSize(viewport ?? WIDE);
      const found: string[] = [];
      const collect = async (name: string) => {
        for (const violation of await violations(page)) found.push(`${name}: ${violation}`);
      };
      await openPost(draft);
      await button("Preview").click();
      await page.locator("iframe").waitFor();
      await page.waitForTimeout(500);
      await collect("preview");
      await button("Preview").click();
      await page.context().setOffline(true);
      await page.getByText("You are offline.").waitFor();
      await collect("offline");
      await page.context().setOffline(false);
      if ((viewport?.width ?? 1280) < 1100) await button("Details").click();
      await button("Delete").click();
      await collect("delete");
      await page.keyboard.press("Escape");
      await page.goto(address(`/posts/${MISSING}`));
      await page.getByRole("heading", { name: "There is no such post" }).waitFor();
      await collect("no post");
      await page.keyboard.press("Control+k");
      await page.getByRole("option").first().waitFor();
      await collect("palette over the editor");
      await page.keyboard.press("Escape");
      const moving = await page.evaluate<number>(
        "document.getAnimations().filter(({ playState }) => playState === 'running').length",
      );
      assert.equal(moving, 0, "S94 nothing moves under reduced motion");
      assert.deepEqual(found, []);
    });

  test("S97 no request of all these pages failed, and their policy refused nothing", () => {
    assert.deepEqual(failed, []);
    assert.deepEqual(visitor.complaints, []);
  });
});

interface Stop {
  readonly label: string;
  /** Empty for a stop that is as it should be. */
  readonly problem: string;
}

/** Remembers what a stop looks like without the focus, and which were passed. */
const STOP_MARK = `globalThis.passed = new Set();
globalThis.looks = new WeakMap();
for (const element of document.querySelectorAll("*")) {
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
  looks.set(element, [outlineStyle === "none" ? 0 : outlineWidth, boxShadow].join());
}`;

const STOP = `(() => {
  const element = document.activeElement;
  if (element === null || element === document.body || passed.has(element)) return null;
  passed.add(element);
  const problems = [];
  const label = element.getAttribute("aria-label") ?? (element.labels?.[0]?.textContent || element.textContent || "").trim();
  if (label === "" && element.tagName !== "IFRAME") problems.push("no name");
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
  const now = [outlineStyle === "none" ? 0 : outlineWidth, boxShadow].join();
  const line = element.querySelector(".cm-activeLine");
  const plain = element.parentElement;
  const marked = [line, plain].some((one) => one !== null && getComputedStyle(one, "::before").width === "2px");
  if (looks.get(element) === now && !marked) problems.push("no visible focus");
  const box = element.getBoundingClientRect();
  const left = Math.max(0, box.left), right = Math.min(innerWidth, box.right);
  const top = Math.max(0, box.top), bottom = Math.min(innerHeight, box.bottom);
  if (right <= left || bottom <= top) problems.push("out of sight");
  else {
    // Not entirely hidden by a bar (2.4.11): one of five points at least is its own.
    const points = [[0.5, 0.5], [0.1, 0.1], [0.9, 0.1], [0.1, 0.9], [0.9, 0.9]];
    const isSeen = points.some(([x, y]) => {
      const at = document.elementFromPoint(left + (right - left) * x, top + (bottom - top) * y);
      return at !== null && (element.contains(at) || at.contains(element) && at.closest("label") !== null);
    });
    if (!isSeen) problems.push("hidden");
  }
  return { label: label.slice(0, 40) || element.tagName, problem: problems.join(", ") };
})()`;

/**
 * Controls that a finger may miss. Links within a sentence, and what a label of that size belongs to, may be smaller, and so
 * may marks beside a line: the list of notes at the foot has the same (WCAG 2.2, criterion 2.5.5, "equivalent").
 */
const SMALL = `[...document.querySelectorAll("button, a[href], input, select, textarea, summary")].flatMap((element) => {
  const scope = document.querySelector("dialog[open]");
  if (!element.checkVisibility({ visibilityProperty: true }) || (scope !== null && !scope.contains(element))) return [];
  if (element.matches("p a, .skip, button.link, .cm-content *, .note-mark")) return [];
  const boxes = [element, element.closest("label"), element.closest(".pick")].filter((one) => one !== null);
  const large = boxes.some((one) => {
    const { width, height } = one.getBoundingClientRect();
    return width >= 43.5 && height >= 43.5;
  });
  const { width, height } = element.getBoundingClientRect();
  return large ? [] : [(element.textContent || element.getAttribute("aria-label") || element.id).trim().slice(0, 30) + " " + Math.round(width) + "x" + Math.round(height)];
})`;
