import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { EventEmitter } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { after, before, describe, mock, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import Fastify from "fastify";
import { OVERLOADED, openOverload } from "../../src/http/overload.ts";
import { openLog } from "../../src/observe/log.ts";
import { openMetrics } from "../../src/observe/metrics.ts";
import { openTestApp } from "../app.ts";

const MAX_DELAY = 20;

const REQUEST = {} as IncomingMessage;

function open(config: { MAX_IN_FLIGHT?: number; MAX_DELAY?: number } = {}) {
  const metrics = openMetrics();
  const overload = openOverload({
    config: { MAX_IN_FLIGHT: 1_000, MAX_DELAY, ...config },
    log: openLog({ LOG_LEVEL: "silent" }),
    metrics,
  });
  return { overload, metrics, gate: overload.gate("/x") };
}

/** Milliseconds of the clock by which the queue goes: the machine's own would count what else it has to do. */
let clock = 0;

/** Work that keeps the processor for itself, by that clock. */
function spin(milliseconds: number): void {
  clock += milliseconds;
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A queue in front of work that keeps the processor for `milliseconds`, and what became of each request. */
function openQueue(milliseconds: number, delay = MAX_DELAY) {
  const { overload, metrics, gate } = open({ MAX_DELAY: delay });
  const server = new EventEmitter() as Server;
  const served: string[] = [];
  const refused: string[] = [];
  const add = overload.queue(server, (request) => {
    const { url = "" } = request;
    if (url.startsWith("/x") && gate.isRefused(request)) {
      refused.push(url);
      return;
    }
    served.push(url);
    spin(milliseconds);
  });
  overload.close();
  return {
    served,
    refused,
    metrics,
    uncounted: overload.uncounted,
    connect: () => server.emit("connection"),
    ask: (url: string) => add({ url, destroyed: false } as IncomingMessage, {} as ServerResponse),
  };
}

const numbered = (count: number) => Array.from({ length: count }, (_, i) => `/x${i}`);

describe("load in front of the processor", () => {
  before(() => mock.method(performance, "now", () => clock));
  after(() => mock.restoreAll());

  test("a burst is served whole, in order, in turns that let others in between", async () => {
    const { ask, served, refused } = openQueue(1, 2_000);
    for (const url of numbered(100)) ask(url);
    assert.ok(served.length < 20, `${served.length} in one turn`);
    let turns = 0;
    for (; served.length + refused.length < 100; turns++) await turn();
    assert.ok(turns >= 5, `${turns} turns`);
    assert.deepEqual(served, numbered(100));
  });

  test("what has waited for MAX_DELAY is refused and counted, the rest is served, and the last few; after it all is normal", async () => {
    const { ask, served, refused, metrics } = openQueue(5, 50);
    for (const url of numbered(50)) ask(url);
    while (served.length + refused.length < 50) await turn();
    const few = served.splice(-9);
    assert.deepEqual([...served, ...refused, ...few], numbered(50));
    assert.ok(served.length >= 5 && refused.length >= 20, `${served.length} served, ${refused.length} refused`);
    assert.match(metrics.print(), new RegExp(`^http_requests_shed_total\\{reason="delay"\\} ${refused.length}$`, "m"));
    ask("/x-after");
    assert.equal(served.at(-1), "/x-after");
  });

  test("who comes when others have waited long is refused at once; operators are answered at once", async () => {
    const { ask, served, refused } = openQueue(30, 100);
    for (const url of numbered(20)) ask(url);
    spin(40);
    ask("/x-after-a-pause");
    assert.deepEqual(refused, [], "a pause of the machine refuses nobody");
    while (served.length < 4) await turn();
    ask("/x-late");
    ask("/readyz");
    assert.deepEqual(refused, ["/x-late"]);
    assert.deepEqual(served, ["/x0", "/x1", "/x2", "/x3", "/readyz"]);
  });

  test("a pause of the machine refuses nobody of those that waited meanwhile, however long it is", async () => {
    const { ask, served, refused } = openQueue(1, 200);
    for (let pauses = 0; pauses < 3; pauses++) {
      const before = served.length;
      for (const url of numbered(40)) ask(url);
      spin(1_000);
      ask("/x-after");
      while (served.length + refused.length < before + 41) await turn();
      await turn();
      assert.deepEqual(refused, []);
    }
  });

  test("few that wait are served, however long each takes", async () => {
    const { ask, served, refused } = openQueue(300, 200);
    for (const url of numbered(9)) ask(url);
    while (served.length + refused.length < 9) await turn();
    assert.deepEqual(refused, []);
  });

  test("work of our own that holds up requests refuses nobody", async () => {
    const { ask, served, refused, uncounted } = openQueue(1, 300);
    for (const url of numbered(20)) ask(url);
    assert.ok(served.length < 20);
    await Promise.all([
      uncounted(async () => spin(300)),
      uncounted(async () => {
        await turn();
        spin(300);
      }),
    ]);
    ask("/x-after");
    while (served.length + refused.length < 21) await turn();
    assert.deepEqual(refused, []);
  });

  test("new connections are accepted before what has come is begun, but not without end", async () => {
    const { ask, connect, served } = openQueue(0, 5_000);
    connect();
    ask("/x");
    await turn();
    assert.deepEqual(served, []);
    let turns = 0;
    for (; served.length === 0; turns++) {
      connect();
      await turn();
    }
    assert.ok(turns > 10 && turns < 100, `${turns} turns`);
  });
});

describe("load behind the processor", () => {
  test("MAX_IN_FLIGHT requests of one address may be under way, whatever others do", async () => {
    const { overload, metrics, gate } = open({ MAX_IN_FLIGHT: 64, MAX_DELAY: 60_000 });
    const ends: (() => void)[] = [];
    for (let request = 0; request < 64; request++) {
      assert.equal(gate.isRefused(REQUEST), false);
      void gate.watch(new Promise<void>((resolve) => ends.push(resolve)));
    }
    assert.equal(gate.isRefused(REQUEST), true);
    assert.equal(overload.gate("/y").isRefused(REQUEST), false);
    ends[0]?.();
    await turn();
    assert.equal(gate.isRefused(REQUEST), false);
    for (const end of ends) end();
    assert.match(metrics.print(), /^http_requests_shed_total\{reason="in_flight"\} 1$/m);
    overload.close();
  });

  test("the window closes while answers are slow, not below its least, and opens again when they are quick", async () => {
    const { overload, gate } = open();
    const work = { milliseconds: 4 * MAX_DELAY };
    const flood = async (requests: number) => {
      let refused = 0;
      const answers = Array.from({ length: requests }, async () => {
        if (gate.isRefused(REQUEST)) refused++;
        else await gate.watch(pause(work.milliseconds));
      });
      await Promise.all(answers);
      return refused;
    };
    assert.equal(await flood(400), 0);
    assert.ok(gate.window <= 300, `${gate.window}`);
    for (let wave = 0; wave < 14; wave++) await flood(400);
    assert.equal(gate.window, 16);
    work.milliseconds = 0;
    for (let wave = 0; wave < 200 && gate.window < 1_000; wave++) await flood(15);
    assert.equal(gate.window, 1_000);
    overload.close();
  });

  test("few that are slow close nothing: they may have a reason", async () => {
    const { overload, gate } = open();
    for (let wave = 0; wave < 3; wave++)
      await Promise.all(Array.from({ length: 16 }, () => gate.watch(pause(2 * MAX_DELAY))));
    assert.equal(gate.window, 1_000);
    overload.close();
  });
});

test("a guarded route answers 503 before its body is read, with what the hooks before it have set", async () => {
  const { overload } = open({ MAX_IN_FLIGHT: 64 });
  const server = Fastify();
  let end = () => {};
  const gone = new Promise<void>((resolve) => {
    end = resolve;
  });
  server.register(async (bounded) => {
    overload.guardRoutes(bounded);
    bounded.addHook("onRequest", async (_request, reply) => void reply.header("vary", "Origin"));
    bounded.setErrorHandler((error, _request, reply) => reply.code(error === OVERLOADED ? 503 : 500).send({}));
    bounded.post("/x", async () => {
      await gone;
      return {};
    });
    bounded.get("/y", async () => ({}));
  });
  server.get("/livez", async () => ({}));
  const under = Array.from({ length: 64 }, () => server.inject({ method: "POST", url: "/x", payload: {} }));
  while (overload.gate("/x").inFlight < 64) await turn();
  const refused = await server.inject({ method: "POST", url: "/x", headers: { "content-length": "1000000" } });
  assert.equal(refused.statusCode, 503);
  assert.equal(refused.headers.vary, "Origin");
  assert.equal((await server.inject("/y")).statusCode, 200);
  end();
  assert.deepEqual(new Set((await Promise.all(under)).map(({ statusCode }) => statusCode)), new Set([200]));
  assert.equal((await server.inject({ method: "POST", url: "/x", payload: {} })).statusCode, 200);
  await server.close();
  overload.close();
});

test("under load every way in says 503 in its own form, and the addresses for operators always answer", async (t) => {
  const app = await openTestApp({ HOST: "127.0.0.1", MAX_DELAY: "20", PUBLIC_READ: "true" });
  t.after(() => app.close());
  const json = { "content-type": "application/json", accept: "application/graphql-response+json" };
  const graphql = { method: "POST", headers: json, body: JSON.stringify({ query: "{ __typename }" }) };
  const requests: Record<string, readonly [path: string, options?: RequestInit]> = {
    fast: ["/graphql", graphql],
    cors: ["/graphql", { ...graphql, headers: { ...json, origin: app.config.BASE_URL } }],
    get: ["/graphql?query=%7B__typename%7D"],
    token: [
      "/token",
      {
        method: "POST",
        headers: { origin: app.config.BASE_URL },
        body: new URLSearchParams({ grant_type: "refresh_token" }),
      },
    ],
    userinfo: ["/userinfo", { headers: { origin: app.config.BASE_URL, authorization: "Bearer x" } }],
    page: ["/authorize", { headers: { accept: "text/html" } }],
    metadata: ["/.well-known/oauth-protected-resource"],
    livez: ["/livez"],
    readyz: ["/readyz"],
    metrics: ["/metrics"],
  };
  const ask = async (name: string) => {
    const [path, options] = requests[name] ?? [""];
    const response = await fetch(`${app.url}${path}`, options);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  for (const name of Object.keys(requests)) await ask(name); // opens what opens on first use
  // What a request costs after it has begun. Before that, it would be a pause of the machine, which refuses nobody.
  const work = () => {
    for (const end = performance.now() + 10; performance.now() < end; ); // keeps the processor for itself
  };
  subscribe("http.server.response.finish", work);
  t.after(() => unsubscribe("http.server.response.finish", work));

  const refused: Record<string, Awaited<ReturnType<typeof ask>>> = {};
  const statuses: Record<string, Set<number>> = {};
  const forms = ["cors", "fast", "get", "metadata", "page", "token", "userinfo"];
  const isOver = () => forms.every((name) => refused[name]);
  const clients = Array.from({ length: 3 }, () => Object.keys(requests)).flat();
  await Promise.all(
    clients.map(async (name) => {
      for (const end = Date.now() + 20_000; !isOver() && Date.now() < end; await pause(10 * Math.random())) {
        const answer = await ask(name);
        statuses[name] ??= new Set();
        statuses[name].add(answer.status);
        if (answer.status === 503) refused[name] = answer;
      }
    }),
  );
  assert.deepEqual(Object.keys(refused).toSorted(), forms);
  for (const name of ["livez", "readyz", "metrics"]) assert.deepEqual([...(statuses[name] ?? [])], [200], name);
  for (const name of forms) assert.match(refused[name]?.headers.get("retry-after") ?? "", /^[15]$/, name);
  const error = { message: OVERLOADED.message, extensions: { code: "UNAVAILABLE", retryAfter: 1 } };
  for (const name of ["fast", "cors", "get"]) {
    const { headers, text } = refused[name] as Awaited<ReturnType<typeof ask>>;
    assert.deepEqual(JSON.parse(text), { errors: [error] }, name);
    assert.match(headers.get("content-type") ?? "", /json; charset=utf-8$/);
  }
  for (const name of ["cors", "token", "userinfo"])
    assert.equal(refused[name]?.headers.get("access-control-allow-origin"), app.config.BASE_URL, `A32 ${name}`);
  assert.deepEqual(JSON.parse(refused.token?.text ?? ""), { error: "temporarily_unavailable" });
  assert.match(refused.page?.text ?? "", /Too busy at this moment/);
  unsubscribe("http.server.response.finish", work);
  for (const name of ["fast", "cors", "get", "metadata"]) {
    let { status } = await ask(name);
    // Who waits for 20 ms is refused, which a pause of the machine may well take.
    for (let again = 0; again < 20 && status === 503; again++) {
      await pause(50);
      ({ status } = await ask(name));
    }
    assert.equal(status, 200, name);
  }
  assert.match((await ask("metrics")).text, /^http_requests_shed_total\{reason="delay"\} [1-9]/m);
});
