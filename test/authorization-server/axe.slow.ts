import { after, before, describe, test } from "node:test";
import { LOOKS } from "../axe.ts";
import { openBrowser, type TestBrowser } from "../browser.ts";
import { judgePages } from "./axe-pages.ts";

describe("axe finds nothing to complain of, in every look", () => {
  let chromium: TestBrowser;
  before(async () => {
    chromium = await openBrowser();
  });
  after(() => chromium?.close());

  for (const look of Object.keys(LOOKS)) test(`on any page in ${look}`, () => judgePages(chromium, look));
});
