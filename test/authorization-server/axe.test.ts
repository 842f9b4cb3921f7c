import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { styleOf } from "../axe.ts";
import { openBrowser, type TestBrowser } from "../browser.ts";
import { judgePages } from "./axe-pages.ts";
import { PAGES } from "./every-page.ts";

describe("axe finds nothing to complain of", () => {
  let chromium: TestBrowser;
  before(async () => {
    chromium = await openBrowser();
  });
  after(() => chromium?.close());

  for (const look of ["light, 1280 px", "dark, 390 px"])
    test(`on any page in ${look}`, () => judgePages(chromium, look));

  test("forced colours: notes, errors and invalid fields keep an edge", async () => {
    const context = await chromium.browser.newContext({ forcedColors: "active" });
    const page = await context.newPage();
    const edges = new Map<string, number>();
    for (const render of Object.values(PAGES)) {
      await page.setContent(render((field) => `some ${field}`));
      for (const part of [
        ".note:not(.danger)",
        ".note.danger",
        "[aria-invalid=true]",
        "input:not([type=hidden], [type=radio], [aria-invalid])", // the browser draws a radio button
      ])
        for (const element of await page.locator(part).all()) {
          assert.equal(await styleOf(element, "border-top-style"), "solid", part);
          edges.set(part, Number.parseFloat(await styleOf(element, "border-top-width")));
        }
    }
    await context.close();
    assert.deepEqual([...edges.values()].sort(), [1, 1, 3, 3], "what is wrong has a thicker one");
  });
});
