import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openTestApp, type TestApp } from "../app.ts";
import { LOOKS, violations } from "../axe.ts";
import { openBrowser, type TestBrowser } from "../browser.ts";

describe("D07 the pages at /docs in a browser", () => {
  let app: TestApp;
  let chromium: TestBrowser;
  before(async () => {
    app = await openTestApp({ DOCS: "true" });
    chromium = await openBrowser();
  });
  after(async () => {
    await chromium?.close();
    await app?.close();
  });

  for (const [look, options] of Object.entries(LOOKS))
    test(`D07 they are accessible and nothing scrolls sideways: ${look}`, { timeout: 120_000 }, async () => {
      const context = await chromium.browser.newContext(options);
      const wrong: string[] = [];
      try {
        const page = await context.newPage();
        page.on("console", (message) => wrong.push(message.text()));
        page.on("request", (request) => {
          if (!request.url().startsWith("data:") && !request.url().startsWith(app.config.BASE_URL))
            wrong.push(request.url());
        });
        for (const path of ["/docs", "/docs/settings", "/docs/errors", "/docs/schema"]) {
          await page.goto(app.config.BASE_URL + path);
          wrong.push(...(await violations(page)).map((line) => `${path}: ${line}`));
          const wider = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
          if (wider > 0) wrong.push(`${path}: ${wider} px too wide`);
        }
      } finally {
        await context.close();
      }
      assert.deepEqual(wrong, []);
    });
});
