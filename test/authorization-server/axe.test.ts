import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { LOOKS, violations } from "../axe.ts";
import { openBrowser, type TestBrowser } from "../browser.ts";
import { PAGES } from "./every-page.ts";

describe("axe finds nothing to complain of", () => {
  let chromium: TestBrowser;
  before(async () => {
    chromium = await openBrowser();
  });
  after(() => chromium?.close());

  for (const [look, options] of Object.entries(LOOKS)) {
    test(`on any page in ${look}`, async () => {
      const context = await chromium.browser.newContext(options);
      const page = await context.newPage();
      const found: string[] = [];
      for (const [name, render] of Object.entries(PAGES)) {
        await page.setContent(render((field) => `some ${field}`));
        found.push(...(await violations(page)).map((violation) => `${name}: ${violation}`));
        const width = await page.evaluate<[number, number]>("[document.documentElement.scrollWidth, innerWidth]");
        assert.ok(width[0] <= width[1], `${name} is wider than the window: ${width}`);
      }
      await context.close();
      assert.deepEqual(found, []);
    });
  }
});
