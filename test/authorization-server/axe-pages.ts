import assert from "node:assert/strict";
import type { BrowserContextOptions } from "playwright-core";
import { violations } from "../axe.ts";
import type { TestBrowser } from "../browser.ts";
import { PAGES } from "./every-page.ts";

/** Has axe look at every page, and sees that none is wider than the window. */
export async function judgePages(chromium: TestBrowser, look: BrowserContextOptions): Promise<void> {
  const context = await chromium.browser.newContext(look);
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
}
