import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { openTestApp } from "../app.ts";
import { openTcpProxy } from "../faults/tcp-proxy.ts";
import { openPostgres } from "../postgres.ts";
import { livedTime } from "../timing.ts";

const postgres = await openPostgres();
const TOKEN = "a-token-for-metrics-of-32-characters-at-least";

describe("O40 the database goes away", () => {
  for (const way of ["cut", "stall"] as const)
    test(`${way}: live and not ready meanwhile, ready again within a second`, async (t) => {
      const url = new URL(await postgres.createDatabase());
      const proxy = await openTcpProxy({ host: url.hostname, port: Number(url.port) });
      url.port = String(proxy.port);
      const app = await openTestApp({
        ...{ DATABASE_URL: url.href, METRICS_TOKEN: TOKEN, LOG_LEVEL: "silent" },
        SECRET_KEY: "A".repeat(43),
      });
      t.after(async () => {
        proxy.restore();
        await app.close().catch(() => {}); // the database goes with its server
        await proxy.close();
      });
      const bearer = { headers: { authorization: `Bearer ${TOKEN}` } };
      const ready = async () => {
        const answer = await fetch(`${app.url}/readyz?verbose`, bearer);
        const { checks } = (await answer.json()) as { checks: { name: string; state: string; reason: string }[] };
        return { status: answer.status, checks };
      };
      for (let i = 0; i < 500 && (await ready()).checks.at(-1)?.state !== "ok"; i++) await pause(10);
      assert.equal((await ready()).status, 200);

      proxy[way]();
      let seen = await ready();
      for (let i = 0; i < 500 && seen.status === 200; i++) seen = await ready();
      assert.equal(seen.status, 503);
      assert.equal(seen.checks[0]?.state, "failing");
      assert.match(seen.checks[0]?.reason ?? "", /^[A-Z].*\.$/);
      const asked = livedTime();
      assert.equal((await fetch(`${app.url}/livez`)).status, 200);
      assert.ok(livedTime() - asked < 500, "liveness waits for nothing");
      // A page waits for the examination for a moment only: the one after it shows the result.
      const page = async () => (await fetch(`${app.url}/metrics`, bearer)).text();
      for (let i = 0; i < 100 && !/^readiness\{check="store"\} 0$/m.test(await page()); i++) await pause(50);
      assert.match(await page(), /^readiness\{check="store"\} 0$/m, "the page is there without the database");

      proxy.restore();
      const restored = livedTime();
      while ((await ready()).status !== 200) {
        assert.ok(livedTime() - restored < 30_000, "not ready again");
        await pause(20);
      }
      const took = livedTime() - restored;
      assert.ok(took <= 1_000, `ready after ${Math.round(took)} ms`);
    });
});
