import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { LOOKS } from "../axe.ts";
import { openBrowser, type TestBrowser } from "../browser.ts";
import { judgePages } from "./axe-pages.ts";
import { PAGES } from "./every-page.ts";

const PARTS = [
  ".note:not(.danger)",
  ".note.danger",
  "[aria-invalid=true]",
  "input:not([type=hidden], [type=radio], [aria-invalid])", // the browser draws a radio button
];
/** Part, style and width of the edge of each on the page. */
const EDGES = `${JSON.stringify(PARTS)}.flatMap((part) => [...document.querySelectorAll(part)].map((element) => {
  const { borderTopStyle, borderTopWidth } = getComputedStyle(element);
  return [part, borderTopStyle, borderTopWidth];
}))`;

describe("axe finds nothing to complain of", () => {
  let chromium: TestBrowser;
  before(async () => {
    chromium = await openBrowser();
  });
  after(() => chromium?.close());

  for (const [look, options] of Object.entries(LOOKS))
    test(`axe: any page in ${look}`, () => judgePages(chromium, options));

  test("forced colours: notes, errors and invalid fields keep an edge", async () => {
    const context = await chromium.browser.newContext({ forcedColors: "active" });
    const page = await context.newPage();
    const edges = new Map<string, number>();
    for (const render of Object.values(PAGES)) {
      await page.setContent(render((field) => `some ${field}`));
      for (const [part, style, width] of await page.evaluate<[string, string, string][]>(EDGES)) {
        assert.equal(style, "solid", part);
        edges.set(part, Number.parseFloat(width));
      }
    }
    await context.close();
    assert.deepEqual([...edges.values()].sort(), [1, 1, 3, 3], "what is wrong has a thicker one");
  });
});
