import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { CDPSession, Page } from "playwright-core";
import { LOOKS, violations } from "../axe.ts";
import { openBrowser, type TestBrowser } from "../browser.ts";
import { type EditorServer, openEditorServer } from "../studio/editor-server.ts";
import { openVisitor, type Visitor } from "./visitor.ts";

/** What the page of the tests has on its global object. */
interface TestPage {
  readonly writing: {
    readonly texts: { readonly value: { readonly body: string } };
    readonly changes: readonly unknown[];
    readonly isComposing: { readonly value: boolean };
  };
}

const BODY = `# Herons

They **wait** <b>longer</b> than we do.

![](/heron.png)

[Frogs](ftp://a.example)

#### Too deep
`;
const LEVEL_ONE = "This heading has level 1, as the title has. Begin with level 2.";
const HTML = "HTML is shown as text here. Write Markdown instead.";
const SILENT = "This picture has no alternative text. Screen readers cannot describe it.";
const LEFT_OUT = "This link is left out, because only http, https and mailto addresses may be linked.";
const SKIPPED = "This heading skips a level: level 2 comes before level 4.";

describe("beside the text in the editor", () => {
  let server: EditorServer;
  let chromium: TestBrowser;
  before(async () => {
    [server, chromium] = await Promise.all([openEditorServer(), openBrowser()]);
  });
  after(async () => {
    await chromium?.close();
    await server?.close();
  });

  type Kind = "rich" | "plain";
  async function open(
    body: string,
    kind: Kind = "rich",
    options: Parameters<typeof openVisitor>[1] = {},
  ): Promise<Visitor & { readonly cdp: CDPSession }> {
    const visitor = await openVisitor(chromium.browser, options);
    await visitor.page.goto(server.page({ title: "Herons", body }, { isPlain: kind === "plain" }));
    await visitor.page.locator(kind === "rich" ? ".cm-content" : "textarea[aria-label=Text]").waitFor();
    await visitor.page.getByText(/^\d+ words?/).waitFor();
    return { ...visitor, cdp: await visitor.page.context().newCDPSession(visitor.page) };
  }
  const field = (page: Page) => page.getByRole("textbox", { name: "Text" });
  const bodyOf = (page: Page) => page.evaluate(() => (globalThis as unknown as TestPage).writing.texts.value.body);
  const line = (page: Page) => page.locator(".writing-note [role=status]");
  async function says(page: Page, text: string): Promise<void> {
    await page.locator(".writing-note [role=status]", { hasText: text }).waitFor();
    assert.equal(await line(page).textContent(), text);
  }

  for (const kind of ["rich", "plain"] as const) {
    test(`S23 F8 goes through the notes and says each, and a note that is mended goes away (${kind})`, async () => {
      const { page, complaints, close } = await open(BODY, kind);
      await field(page).click();
      await page.keyboard.press("Control+Home");
      for (const [index, sentence] of [LEVEL_ONE, HTML, SILENT, LEFT_OUT, SKIPPED, LEVEL_ONE].entries()) {
        await page.keyboard.press("F8");
        await says(page, `${(index % 5) + 1} of 5: ${sentence}`);
      }
      await page.keyboard.press("Shift+F8");
      await says(page, `5 of 5: ${SKIPPED}`);
      await page.keyboard.press("Shift+F8");
      await page.keyboard.press("Shift+F8");
      await says(page, `3 of 5: ${SILENT}`);
      await page.keyboard.type("a heron");
      assert.match(await bodyOf(page), /!\[a heron\]\(\/heron\.png\)/, "the cursor stands where the text goes");
      await page.getByText("4 notes").waitFor();
      assert.equal(await line(page).textContent(), "");
      await page.keyboard.press("F8");
      await says(page, `3 of 4: ${LEFT_OUT}`);
      await page.getByRole("button", { name: "Close note" }).click();
      assert.equal(await line(page).textContent(), "");
      assert.deepEqual(complaints, []);
      await close();
    });

    test(`S23 F8 finds a note whose place moved before the text was read again (${kind})`, async () => {
      const { page, close } = await open("One.\n\n### Two", kind);
      await field(page).click();
      await page.keyboard.press("Control+Home");
      await page.keyboard.type("Before it. ");
      await page.keyboard.press("F8");
      await page.keyboard.type("x");
      assert.equal(await bodyOf(page), "Before it. One.\n\nx### Two");
      await close();
    });

    test(`S23 S27 while an input method composes, F8 does nothing (${kind})`, async () => {
      const { page, cdp, close } = await open("### One\n\na", kind);
      await field(page).click();
      await page.keyboard.press("Control+End");
      for (const text of ["ㅎ", "하"])
        await cdp.send("Input.imeSetComposition", { text, selectionStart: 1, selectionEnd: 1 });
      await page.keyboard.press("F8");
      assert.equal(await line(page).textContent(), "");
      await cdp.send("Input.insertText", { text: "한" });
      await page.waitForFunction(() => !(globalThis as unknown as TestPage).writing.isComposing.value);
      assert.equal(await bodyOf(page), "### One\n\na한");
      await page.keyboard.press("F8");
      await says(page, "This heading skips a level: level 2 comes before level 3.");
      await close();
    });
  }

  test("S23 marks stand in the margin with words for readers, and change nothing in the text", async () => {
    const { page, close } = await open(BODY);
    const marks = page.getByRole("button", { name: /^Note: / });
    await marks.nth(4).waitFor();
    assert.deepEqual(
      await marks.evaluateAll((all) => all.map((mark) => mark.getAttribute("aria-label"))),
      [LEVEL_ONE, HTML, SILENT, LEFT_OUT, SKIPPED].map((sentence) => `Note: ${sentence}`),
    );
    const [mark, picture] = await Promise.all([
      marks.nth(2).boundingBox(),
      page.locator(".cm-line", { hasText: "![]" }).boundingBox(),
    ]);
    assert.ok(mark !== null && picture !== null);
    assert.ok(mark.width >= 24 && mark.height >= 24, "large enough to be hit (WCAG 2.2, 2.5.8)");
    assert.ok(Math.abs(mark.y + mark.height / 2 - picture.y - picture.height / 2) < 4, "beside its line");
    assert.ok(mark.x >= picture.x + picture.width - 1, "outside of the text");
    await field(page).click();
    await page.keyboard.press("Control+End");
    await marks.nth(2).click();
    await says(page, `3 of 5: ${SILENT}`);
    await page.keyboard.type("x");
    assert.equal(await bodyOf(page), `${BODY}x`, "cursor and focus stayed in the text");
    assert.equal((await page.evaluate(() => (globalThis as unknown as TestPage).writing.changes)).length, 1);
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("Enter");
    await page.waitForTimeout(600);
    assert.equal(await marks.count(), 5, "marks move with their lines");
    await page.keyboard.press("#");
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+z");
    assert.equal(await bodyOf(page), `${BODY}x`, "notes are no step to undo");
    await close();
  });

  test("S23 the list of notes goes to each, and a text without notes says so", async () => {
    const { page, close } = await open(BODY);
    await page.getByText("5 notes").click();
    await page.getByRole("navigation", { name: "Notes" }).getByRole("button", { name: SKIPPED }).click();
    await says(page, `5 of 5: ${SKIPPED}`);
    await page.keyboard.press("Shift+End");
    await page.keyboard.type("## Deep");
    await page.getByText("4 notes").waitFor();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("Good.");
    await page.locator(".note-mark").first().waitFor({ state: "detached" });
    assert.equal(await page.getByText(/^\d notes?$/).count(), 0);
    await page.keyboard.press("F8");
    await says(page, "There are no notes.");
    await close();
  });

  for (const kind of ["rich", "plain"] as const)
    test(`S29 focus mode leaves the text and the state line, and Esc, its key and its button end it (${kind})`, async () => {
      const { page, complaints, close } = await open(BODY, kind);
      const away = [
        page.getByRole("toolbar", { name: "Formatting" }),
        page.getByRole("button", { name: "Preview" }),
        page.getByRole("complementary", { name: "Details" }),
        page.getByText("5 notes"),
        page.getByText(/^\d+ words/),
      ];
      const shown = () => Promise.all(away.map((part) => part.isVisible()));
      const all = away.map(() => true);
      const none = away.map(() => false);
      assert.deepEqual(await shown(), all);
      await page.getByRole("button", { name: "Preview" }).focus();
      await page.keyboard.press("Control+Shift+F");
      assert.deepEqual(await shown(), none);
      assert.ok(await page.getByText("Saved", { exact: true }).isVisible());
      assert.ok(await page.getByRole("textbox", { name: "Title" }).isVisible());
      await page.keyboard.press("Control+End");
      await page.keyboard.type("Quiet.");
      assert.equal(await bodyOf(page), `${BODY}Quiet.`, "the focus went to the text");
      await page.keyboard.press("F8");
      await says(page, `1 of 5: ${LEVEL_ONE}`);
      await page.keyboard.press("Escape");
      assert.deepEqual(await shown(), all);
      await page.keyboard.press("Control+Shift+F");
      await page.keyboard.press("Control+Shift+F");
      assert.deepEqual(await shown(), all);
      await page.keyboard.press("Control+Shift+F");
      await page.getByRole("button", { name: "Leave focus mode" }).click();
      assert.deepEqual(await shown(), all);
      await page.keyboard.type("x");
      assert.equal((await bodyOf(page)).length, BODY.length + 7, "the focus is in the text");
      assert.deepEqual(complaints, []);
      await close();
    });

  test("S29 Esc closes find and replace before it leaves focus mode, and does neither while composing", async () => {
    const { page, cdp, close } = await open(BODY);
    const leave = page.getByRole("button", { name: "Leave focus mode" });
    await field(page).click();
    await page.keyboard.press("Control+Shift+F");
    await page.keyboard.press("Control+f");
    const find = page.getByRole("textbox", { name: "Find" });
    await find.waitFor();
    await page.keyboard.press("Escape");
    await find.waitFor({ state: "detached" });
    assert.ok(await leave.isVisible());
    await cdp.send("Input.imeSetComposition", { text: "ㅎ", selectionStart: 1, selectionEnd: 1 });
    await cdp.send("Input.dispatchKeyEvent", {
      ...{ type: "rawKeyDown", key: "Escape", code: "Escape", windowsVirtualKeyCode: 229 },
    });
    await cdp.send("Input.insertText", { text: "하" });
    await page.waitForFunction(() => !(globalThis as unknown as TestPage).writing.isComposing.value);
    assert.ok(await leave.isVisible());
    await page.keyboard.press("Escape");
    await leave.waitFor({ state: "detached" });
    await close();
  });

  test("S29 at 390 px focus mode hides the tools too, and a button leaves it", async () => {
    const { page, close } = await open(BODY, "rich", { viewport: { width: 390, height: 844 } });
    await page.keyboard.press("Control+Shift+F");
    assert.equal(await page.getByRole("toolbar", { name: "Formatting" }).isVisible(), false);
    const button = await page.getByRole("button", { name: "Leave focus mode" }).boundingBox();
    assert.ok(button !== null && button.height >= 44 && button.x + button.width <= 390);
    assert.deepEqual(await violations(page), []);
    await close();
  });

  const GERMAN = "Der Reiher steht lange still und wartet auf den Fisch. Das ist nicht die Zeit für einen Flug.";
  const languages = (page: Page) =>
    page.evaluate(() =>
      [...document.querySelectorAll(".cm-content, .writing-plain:not([hidden]), .writing-title")].map(
        (part) => (part as HTMLElement).lang,
      ),
    );
  async function becomes(page: Page, wanted: readonly string[]): Promise<void> {
    for (const end = Date.now() + 5_000; Date.now() < end; await page.waitForTimeout(20))
      if ((await languages(page)).join() === wanted.join()) return;
    assert.deepEqual(await languages(page), wanted);
  }
  for (const kind of ["rich", "plain"] as const)
    test(`S29 the language of the text is guessed, and can be chosen for this browser (${kind})`, async () => {
      const { page, close } = await open(GERMAN, kind, { locale: "fr-FR" });
      await becomes(page, ["de", "de"]);
      const choice = page.getByLabel("Language of the text");
      await choice.locator(":checked", { hasText: /^Automatic: German$/ }).waitFor({ state: "attached" });
      await choice.selectOption({ label: "Czech" });
      await becomes(page, ["cs", "cs"]);
      await page.reload();
      await field(page).waitFor();
      await choice.waitFor();
      await becomes(page, ["cs", "cs"]);
      await choice.selectOption("");
      await page.waitForFunction(() => (document.querySelector(".writing-title") as HTMLElement).lang === "de");
      await close();
    });

  test("S29 a text that is too short has the language of the browser, until it is long enough", async () => {
    const { page, close } = await open("", "rich", { locale: "fr-FR" });
    await becomes(page, ["fr-FR", "fr-FR"]);
    await field(page).click();
    await page.keyboard.insertText(GERMAN);
    await page.waitForFunction(() => (document.querySelector(".cm-content") as HTMLElement).lang === "de");
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText(
      "The heron stands still for a long time, and it waits for the fish. That is what it is.",
    );
    await page.waitForTimeout(800);
    assert.deepEqual(await languages(page), ["de", "de"], "it is guessed once");
    await close();
  });

  for (const [look, options] of Object.entries(LOOKS))
    test(`S23 S97 axe finds nothing with notes, ${look}`, async () => {
      for (const kind of ["rich", "plain"] as const) {
        const { page, complaints, close } = await open(BODY, kind, options);
        await field(page).click();
        await page.keyboard.press("F8");
        await page.getByText("5 notes").click();
        assert.deepEqual(await violations(page), []);
        assert.equal(
          await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
          0,
        );
        assert.deepEqual(complaints, []);
        await close();
      }
    });
});
