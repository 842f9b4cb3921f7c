import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import { isSlow } from "./scale.ts";

const SOURCE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const ALL: Readonly<Record<string, BrowserContextOptions>> = {
  "light, 1280 px": { colorScheme: "light", viewport: { width: 1280, height: 900 } },
  "dark, 390 px": { colorScheme: "dark", viewport: { width: 390, height: 844 } },
  "light, 390 px": { colorScheme: "light", viewport: { width: 390, height: 844 } },
  "dark, 1280 px": { colorScheme: "dark", viewport: { width: 1280, height: 900 } },
  "forced colours, 1280 px": { forcedColors: "active", viewport: { width: 1280, height: 900 } },
  "forced colours, 390 px": { forcedColors: "active", viewport: { width: 390, height: 844 } },
};

/** The ways of looking at a page that differ in its style sheet: the first two in `npm test`, all in the slow suites. */
export const LOOKS = Object.fromEntries(Object.entries(ALL).slice(0, isSlow ? undefined : 2));

/**
 * What axe finds wrong with a page, best practices included, one line for each element: rule, selector, summary.
 */
export async function violations(page: Page): Promise<readonly string[]> {
  // Evaluated by the browser's debugger, so that the page's own policy has no say in it.
  // It is still there after `setContent`.
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(SOURCE);
  const { violations } = await page.evaluate<AxeResults>("axe.run({ resultTypes: ['violations'] })");
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(" ")}: ${failureSummary?.replace(/\s+/g, " ")}`),
  );
}

/** A computed value of the style of the one element that the locator finds. */
export function styleOf(locator: Locator, property: string): Promise<string> {
  return locator.evaluate((element, name) => {
    const { getComputedStyle } = globalThis as unknown as {
      getComputedStyle(element: unknown): { getPropertyValue(name: string): string };
    };
    return getComputedStyle(element).getPropertyValue(name);
  }, property);
}
