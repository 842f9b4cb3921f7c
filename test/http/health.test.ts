import assert from "node:assert/strict";
import { describe, test } from "node:test";
import Fastify from "fastify";
import { healthRoutes } from "../../src/http/health.ts";
import { openLog } from "../../src/observe/log.ts";
import { openTestApp } from "../app.ts";
import { freePort } from "../port.ts";

const TOKEN = "a-token-for-metrics-of-32-characters-at-least";
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
const metricsOf = async (url: string, init?: RequestInit) => {
  const answer = await fetch(`${url}/metrics`, init);
  return { status: answer.status, challenge: answer.headers.get("www-authenticate"), text: await answer.text() };
};

describe("O27 metrics are not for everybody", () => {
  test("without a setting they are for this machine: not for callers that a proxy passes on", async () => {
    const app = await openTestApp({ HOST: "127.0.0.1", TRUST_PROXY: "127.0.0.1" });
    try {
      assert.equal((await metricsOf(app.url)).status, 200);
      for (const headers of [
        { "x-forwarded-for": "203.0.113.8" },
        { "x-forwarded-for": "127.0.0.1" },
        { "x-forwarded-for": "unknown" },
        { forwarded: "for=203.0.113.8" },
      ]) {
        const { status, challenge, text } = await metricsOf(app.url, { headers });
        assert.deepEqual([status, challenge], [401, "Bearer"], JSON.stringify(headers));
        assert.match(text, /METRICS_TOKEN/);
      }
    } finally {
      await app.close();
    }
  });

  test("METRICS_TOKEN: with the token only, wherever the caller is", async () => {
    const app = await openTestApp({ METRICS_TOKEN: TOKEN });
    try {
      for (const init of [undefined, bearer("x"), bearer(`${TOKEN}x`), bearer(TOKEN.slice(1))])
        assert.equal((await metricsOf(app.url, init)).status, 401);
      const { status, text } = await metricsOf(app.url, bearer(TOKEN));
      assert.equal(status, 200);
      assert.match(text, /http_request_duration_seconds/);
      for (const path of ["/livez", "/readyz"]) assert.equal((await fetch(app.url + path)).status, 200);
    } finally {
      await app.close();
    }
  });

  test("OPERATIONS_PORT: all three are there, metrics no longer on the main port", async () => {
    const port = await freePort();
    const app = await openTestApp({ HOST: "127.0.0.1", OPERATIONS_PORT: String(port) });
    const operations = `http://127.0.0.1:${port}`;
    try {
      assert.equal((await metricsOf(app.url)).status, 404);
      assert.equal((await metricsOf(operations)).status, 200);
      for (const url of [app.url, operations])
        for (const path of ["/livez", "/readyz"]) assert.equal((await fetch(url + path)).status, 200, url + path);
      assert.equal((await fetch(`${operations}/graphql`)).status, 404);
      assert.equal((await fetch(`${operations}/metrics`, { method: "POST" })).status, 405);
      const head = await fetch(`${operations}/metrics`, { method: "HEAD" });
      assert.deepEqual([head.status, await head.text()], [200, ""]);
    } finally {
      await app.close();
    }
    await assert.rejects(fetch(`${operations}/livez`), "the port is free again");
  });

  test("both: the token is needed on the port of its own, too", async () => {
    const port = await freePort();
    const app = await openTestApp({ HOST: "127.0.0.1", OPERATIONS_PORT: String(port), METRICS_TOKEN: TOKEN });
    try {
      assert.equal((await metricsOf(`http://127.0.0.1:${port}`)).status, 401);
      assert.equal((await metricsOf(`http://127.0.0.1:${port}`, bearer(TOKEN))).status, 200);
    } finally {
      await app.close();
    }
  });
});

describe("O27 the format of the page", () => {
  test("OpenMetrics for a scraper that asks for it, plain text for everybody else", async () => {
    const app = await openTestApp({ HOST: "127.0.0.1" });
    try {
      const accept = "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5,*/*;q=0.1";
      const open = await fetch(`${app.url}/metrics`, { headers: { accept } });
      assert.equal(open.headers.get("content-type"), "application/openmetrics-text; version=1.0.0; charset=utf-8");
      assert.match(await open.text(), /^# TYPE http_requests_shed counter\n[\s\S]*\n# EOF\n$/m);
      const plain = await fetch(`${app.url}/metrics`);
      assert.equal(plain.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8");
      assert.doesNotMatch(await plain.text(), /# EOF/);
    } finally {
      await app.close();
    }
  });
});

describe("O40 live and ready", () => {
  test("?verbose gives the state and reason of each check, with METRICS_TOKEN only", async () => {
    const app = await openTestApp({ METRICS_TOKEN: TOKEN });
    try {
      assert.equal((await fetch(`${app.url}/readyz?verbose`)).status, 401);
      assert.equal((await fetch(`${app.url}/readyz?verbose`, bearer("x".repeat(40)))).status, 401);
      const answer = await fetch(`${app.url}/readyz?verbose`, bearer(TOKEN));
      assert.equal(answer.status, 200);
      const { status, checks } = (await answer.json()) as { status: string; checks: Record<string, string>[] };
      assert.equal(status, "ok");
      assert.deepEqual(
        checks.map(({ name, state }) => [name, state]).slice(0, 3),
        ["store", "migrations", "keys"].map((name) => [name, "ok"]),
      );
      for (const { reason = "" } of checks) assert.match(reason, /^[A-Z].*\.$/);
      assert.equal(await (await fetch(`${app.url}/readyz`)).text(), '{"status":"ok"}');
      assert.equal((await fetch(`${app.url}/readyz?verbosely`)).status, 200);
    } finally {
      await app.close();
    }
  });

  test("readiness ends as soon as the program is told to stop, and liveness does not", async () => {
    const app = await openTestApp({ METRICS_TOKEN: TOKEN, LOG_LEVEL: "silent" });
    const closing = app.close(2_000);
    // Together: the server ends when nobody is connected any more.
    const [ready, live] = await Promise.all([
      fetch(`${app.url}/readyz?verbose`, bearer(TOKEN)),
      fetch(`${app.url}/livez`),
    ]);
    assert.deepEqual([ready.status, ready.headers.get("retry-after")], [503, "1"]);
    assert.deepEqual(await ready.json(), {
      status: "unavailable",
      checks: [{ name: "process", state: "failing", reason: "The process is stopping." }],
    });
    assert.equal(live.status, 200);
    await closing;
  });

  test("metrics that cannot be had now are 503, and the reason is for the log alone", async () => {
    const server = Fastify();
    await server.register(
      healthRoutes({
        config: { METRICS_TOKEN: null, OPERATIONS_PORT: null },
        checks: async () => [],
        page: () => Promise.reject(new Error("The supervisor is gone.")),
        isAdministrator: async () => false,
        isClosing: () => false,
        log: openLog({ LOG_LEVEL: "silent" }),
      }),
    );
    const { statusCode, headers, body } = await server.inject("/metrics");
    assert.deepEqual([statusCode, headers["retry-after"], body], [503, "1", '{"status":"unavailable"}']);
  });
});
