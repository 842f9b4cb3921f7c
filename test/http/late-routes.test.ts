import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import type { IncomingMessage, ServerResponse } from "node:http";
import { describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { openLateRoutes, type Routes } from "../../src/http/late-routes.ts";
import { openLog } from "../../src/observe/log.ts";
import { openTestApp } from "../app.ts";

const log = openLog({ LOG_LEVEL: "silent" });
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Routes that open when the test says so. */
function openSlowly() {
  const served: string[] = [];
  const seen = { loads: 0, closed: false };
  let finish = () => {};
  const loaded = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const load = async (): Promise<Routes> => {
    seen.loads++;
    await loaded;
    return {
      serve: ({ url = "" }) => void served.push(url),
      async close() {
        seen.closed = true;
      },
    };
  };
  const routes = openLateRoutes(load, log);
  const ask = (url: string, destroyed = false) =>
    routes.serve({ url, destroyed } as IncomingMessage, {} as ServerResponse);
  return { routes, ask, served, seen, finish };
}

describe("routes that are opened late", () => {
  test("whoever needs them first waits for them, in order, and who has gone away meanwhile is not served", async () => {
    const { ask, served, seen, finish } = openSlowly();
    ask("/a");
    ask("/gone", true);
    ask("/b");
    await turn();
    assert.deepEqual(served, []);
    finish();
    await turn();
    ask("/c");
    assert.deepEqual(served, ["/a", "/b", "/c"]);
    assert.equal(seen.loads, 1);
  });

  test("they open once, after the first answer or after a second, and not after the end", async () => {
    const { routes, seen, finish } = openSlowly();
    routes.openSoon("in a second");
    await pause(50);
    assert.equal(seen.loads, 0);
    routes.openSoon("now");
    routes.openSoon("now");
    await turn();
    assert.equal(seen.loads, 1);
    finish();
    await routes.close();
    assert.ok(seen.closed);

    const unasked = openSlowly();
    unasked.routes.openSoon("in a second");
    await unasked.routes.close();
    unasked.routes.openSoon("now");
    await pause(1_100);
    assert.equal(unasked.seen.loads, 0);

    const patient = openSlowly();
    patient.routes.openSoon("in a second");
    await pause(1_500);
    assert.equal(patient.seen.loads, 1);
  });

  test("routes that cannot be opened end the process with the error", () => {
    const program = `
      import { openLateRoutes } from "./src/http/late-routes.ts";
      import { openLog } from "./src/observe/log.ts";
      setInterval(() => {}, 1_000);
      const load = async () => { throw new Error("a broken part"); };
      openLateRoutes(load, openLog({ LOG_LEVEL: "error" })).openSoon("now");`;
    const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
      cwd: new URL("../..", import.meta.url),
      encoding: "utf8",
      timeout: 20_000,
    });
    assert.equal(status, 1, stderr);
    assert.match(stderr, /"msg":"the routes cannot be opened"/);
    assert.match(stderr, /a broken part/);
  });

  test("right after the start every address is there, health as well", async () => {
    for (const [path, status] of [
      ["/readyz", 200],
      ["/nothing", 404],
      ["/.well-known/openid-configuration", 200],
    ] as const) {
      const app = await openTestApp();
      try {
        assert.equal((await fetch(`${app.url}${path}`)).status, status, path);
      } finally {
        await app.close();
      }
    }
  });
});
