import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import type { TestApp } from "../app.ts";
import type { TestBrowser } from "../browser.ts";
import { runJson } from "../command.ts";
import { freePort } from "../port.ts";
import { openStudioApp, type StudioApp } from "./studio-app.ts";
import { openVisitor, signIn } from "./visitor.ts";

/** What stands between the browser and the program, and may keep an answer of the token endpoint for a while. */
async function openGate() {
  let target = 0;
  let held: { readonly arrived: () => void; readonly opened: Promise<void> } | null = null;
  const server = createServer(async (incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const forwarded = request({ port: target, host: "127.0.0.1", method, path, headers });
    forwarded.end(await buffer(incoming));
    forwarded.on("error", () => outgoing.destroy());
    forwarded.on("response", async (answer) => {
      if (method === "POST" && path === "/token" && held !== null) {
        held.arrived();
        await held.opened;
      }
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    lead(port: number) {
      target = port;
    },
    /** @returns when an answer has come, and how to let it go on */
    holdTokens(): { readonly arrived: Promise<void>; readonly open: () => void } {
      const arrived = Promise.withResolvers<void>();
      const opened = Promise.withResolvers<void>();
      held = { arrived: arrived.resolve, opened: opened.promise };
      return {
        arrived: arrived.promise,
        open() {
          held = null;
          opened.resolve();
        },
      };
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

describe("a refresh whose page is left", () => {
  let gate: Awaited<ReturnType<typeof openGate>>;
  let studio: StudioApp;
  let app: TestApp;
  let chromium: TestBrowser;

  before(async () => {
    gate = await openGate();
    const port = await freePort();
    gate.lead(port);
    studio = await openStudioApp({
      ...{ BASE_URL: `http://localhost:${gate.port}`, REFRESH_GRACE: "0", PORT: String(port) },
    });
    ({ app, chromium } = studio);
  });
  after(async () => {
    await studio?.close();
    gate?.close();
  });

  for (const left of ["loaded again", "left for another", "closed"])
    test(`S05 a page that is ${left} while its token is refreshed does not sign the person out`, async () => {
      const { page, newTab, complaints, close } = await openVisitor(chromium.browser);
      const studio = `${app.config.BASE_URL}/studio/posts`;
      await page.goto(studio);
      await signIn(page);
      await page.getByRole("navigation", { name: "Posts by state" }).waitFor();
      await page.evaluate("navigator.serviceWorker.ready");

      const answer = gate.holdTokens();
      await page.goto(studio);
      await answer.arrived;
      const next = left === "closed" ? await newTab() : page;
      if (left === "closed") await page.close();
      if (left === "left for another") await page.goto("about:blank");
      await next.goto(studio);
      await new Promise((resolve) => setTimeout(resolve, 500));
      answer.open();
      await next.getByRole("navigation", { name: "Posts by state" }).waitFor();
      await next.getByRole("link", { name: "Drafts" }).click();
      await next.getByRole("heading", { name: "No drafts" }).waitFor();
      assert.equal(await next.getByText("You are signed out").count(), 0);

      const entries = await runJson<{ result: string }[]>(["audit", "--event", "token"], app.environment);
      assert.deepEqual(
        entries.filter(({ result }) => result !== "ok"),
        [],
      );
      assert.deepEqual(complaints, []);
      await close();
    });
});
