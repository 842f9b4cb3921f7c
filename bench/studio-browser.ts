/** The studio in a real Chromium, signed in: how soon it can be used, how soon a key shows, and what stays in memory. */
import type { CDPSession, Page } from "playwright-core";
import { openBrowser } from "../test/browser.ts";
import { PERSON } from "./database.ts";
import type { Server } from "./servers.ts";

/** Paints at once instead of waiting for the screen's next picture, which takes up to 17 ms whatever a page does. */
const AT_ONCE = ["--disable-frame-rate-limit", "--disable-gpu-vsync"];

/** A line of a train: 10 Mbit/s, 40 ms for each answer; and a processor that is four times as slow. */
const SLOW_NETWORK = { offline: false, latency: 40, downloadThroughput: 1_250_000, uploadThroughput: 1_250_000 };
const SLOWER = 4;

/** Notes when the page can be used, and when it shows posts: after the paint in which that came. Milliseconds since the start. */
const WATCH = `(() => {
  const seen = (globalThis.benchSeen = {});
  const wanted = { page: ".page-head a.primary", rows: "main tbody tr" };
  const painted = (then) => requestAnimationFrame(() => setTimeout(then));
  new MutationObserver(() => {
    for (const [name, selector] of Object.entries(wanted)) {
      if (name in seen || document.querySelector(selector) === null) continue;
      seen[name] = null;
      painted(() => { seen[name] = performance.now(); });
    }
  }).observe(document, { childList: true, subtree: true });
})();`;

/** Notes for each key how long it took from the browser's own event until after the paint. */
const WATCH_KEYS = `globalThis.benchKeys = [];
  addEventListener("keydown", ({ timeStamp }) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => benchKeys.push(performance.now() - timeStamp);
    port2.postMessage(null);
  }), true);`;

interface Shown {
  /** Until the page can be used. */
  readonly page: number;
  /** Until posts are shown. */
  readonly rows: number;
}

/** Heap in bytes and nodes of the page, after everything that nobody holds was removed. */
interface Kept {
  readonly heap: number;
  readonly nodes: number;
}

export interface StudioBrowser {
  /** Opens the list in a new tab. `first`: a browser that has no file of the studio, only the session. */
  visit(kind: "first" | "second", pace: "slow" | "full"): Promise<Shown>;
  /** Types in the middle of a post. @returns milliseconds from key to paint */
  type(postId: string, keys: number): Promise<readonly number[]>;
  /** Goes so often to another page. @returns what is kept after some, and after all; and the time of each change */
  walk(postId: string, changes: number): Promise<{ early: Kept; late: Kept; times: readonly number[] }>;
  close(): Promise<void>;
}

export async function openStudioBrowser({ origin }: Pick<Server, "origin">): Promise<StudioBrowser> {
  const { browser, close } = await openBrowser(AT_ONCE);
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  context.setDefaultTimeout(60_000);
  const home = `${origin}/studio/`;
  const first = await context.newPage();
  await first.goto(home);
  await first.getByLabel("E-mail address").fill(PERSON.email);
  await first.getByLabel("Password").fill(PERSON.password);
  await first.getByRole("button", { name: "Sign in", exact: true }).click();
  await first.locator("main tbody tr").first().waitFor();
  await until(first, "navigator.serviceWorker.ready.then(() => true)");
  await first.close();

  return {
    async visit(kind, pace) {
      const page = await context.newPage();
      const session = await context.newCDPSession(page);
      if (kind === "first") {
        await session.send("Network.clearBrowserCache");
        const storageTypes = "cache_storage,service_workers";
        await session.send("Storage.clearDataForOrigin", { origin, storageTypes });
      }
      if (pace === "slow") {
        await session.send("Network.enable");
        await session.send("Network.emulateNetworkConditions", SLOW_NETWORK);
        await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
      }
      await page.addInitScript(WATCH);
      await page.goto(home);
      await until(page, "typeof benchSeen.rows === 'number'");
      const shown = await page.evaluate<Shown>("benchSeen");
      if (pace === "slow") await session.send("Emulation.setCPUThrottlingRate", { rate: 1 });
      await until(page, "navigator.serviceWorker.ready.then(() => true)");
      await page.close();
      return shown;
    },

    async type(postId, keys) {
      const page = await openPost(postId);
      await page.evaluate(WATCH_KEYS);
      // The first ones compile the code.
      for (let key = 0; key < keys + 20; key++) {
        await page.keyboard.press(
          "abcdefghij klmnopqrst"[key % 21] === " " ? "Space" : `Key${"ABCDEFGHIJKLMNOPQRSTU"[key % 21]}`,
        );
        await until(page, `benchKeys.length > ${key}`);
      }
      const times = await page.evaluate<number[]>("benchKeys");
      await page.close();
      return times.slice(20);
    },

    async walk(postId, changes) {
      const page = await context.newPage();
      await page.goto(home);
      await page.locator("main tbody tr").first().waitFor();
      const session = await context.newCDPSession(page);
      const stops = [
        [`/studio/posts/${postId}`, ".cm-content"],
        ["/studio/posts", "main tbody tr"],
        [`/studio/posts/${postId}/history`, "main h1"],
        ["/studio/device", "main h1"],
      ] as const;
      const times: number[] = [];
      let early: Kept | undefined;
      // Every page has been there for some time before the first look.
      const settled = Math.floor(changes / 5);
      for (let change = 0; change < settled + changes; change++) {
        if (change === settled) early = await whatStays(session);
        const [path, sign] = stops[change % stops.length] ?? stops[0];
        times.push(await page.evaluate<number>(goTo(path, sign)));
      }
      const late = await whatStays(session);
      await page.close();
      return { early: early ?? late, late, times: times.slice(settled) };
    },
    close,
  };

  async function openPost(postId: string): Promise<Page> {
    const page = await context.newPage();
    await page.goto(`${origin}/studio/posts/${postId}`);
    const text = page.locator(".cm-content");
    await text.waitFor();
    await text.click();
    return page;
  }
}

/** Follows a link of the page to `path`, and says how long it takes until what `sign` finds is painted. */
function goTo(path: string, sign: string): string {
  return `new Promise((resolve, reject) => {
    const started = performance.now();
    const before = document.querySelector("main")?.firstElementChild;
    const link = document.createElement("a");
    link.href = ${JSON.stringify(path)};
    document.querySelector("#studio").append(link);
    link.click();
    link.remove();
    const look = () => {
      const found = document.querySelector(${JSON.stringify(sign)});
      if (found !== null && document.querySelector("main")?.firstElementChild !== before) return resolve(performance.now() - started);
      if (performance.now() - started > 30000) return reject(new Error("No page at ${path}"));
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  })`;
}

async function whatStays(session: CDPSession): Promise<Kept> {
  await session.send("HeapProfiler.enable");
  for (let round = 0; round < 3; round++) await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  const { nodes } = await session.send("Memory.getDOMCounters");
  return { heap: usedSize, nodes };
}

/** Asks by the debugger: the page's own policy allows no evaluation. */
async function until(page: Page, condition: string): Promise<void> {
  for (const end = Date.now() + 60_000; !(await page.evaluate<boolean>(condition)); ) {
    if (Date.now() > end) throw new Error(`It does not become true: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
