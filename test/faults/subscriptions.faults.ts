import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import WebSocket from "ws";
import { startPostgres } from "../postgres.ts";
import { openWebSocketClient, postTo, Results, untilSubscribed } from "../subscriber.ts";
import { bestOfThree, livedTime } from "../timing.ts";
import { count, isFull } from "./counts.ts";
import { type Installation, install, untilReady } from "./installation.ts";

const QUERY = "subscription ($after: ID) { postEvents(after: $after) { id post { title } } }";
/** Milliseconds in which the program is ready again after the database is. */
const READY = 10_000;
/** A second, and as much again for a machine with other things to do. */
const WITHIN = 2_000;
/** Bytes of memory that an idle subscriber may take. */
const EACH = 20_000;

const postgres = await startPostgres({ durable: true });
after(() => postgres.stop());

describe("subscribers", () => {
  test("F12 the database is restarted again and again: nothing is missed, neither by who stays nor by who comes again", async (t) => {
    const times = count(20, 3);
    const installation = await install(t, { url: await postgres.createDatabase() });
    await installation.start();
    const [stays, returns] = [new Results(), new Results()];
    const client = await openWebSocketClient(installation.url, installation.token);
    client.subscribe({ query: QUERY }, stays.sink);
    client.subscribe({ query: QUERY }, returns.sink)();
    await untilSubscribed(client);
    await create(installation, "0");
    await stays.untilCount(1);
    const first = stays.events[0].id;
    for (let restart = 1; restart <= times; restart++) {
      await postgres.kill(restart % 2 === 0 ? "SIGINT" : "SIGKILL");
      await pause(Math.random() * 500);
      await postgres.start();
      await untilReady(installation.url, READY);
      await create(installation, String(restart));
    }
    await stays.untilCount(times + 1);
    client.subscribe({ query: QUERY, variables: { after: first } }, returns.sink);
    await returns.untilCount(times);
    const titles = Array.from({ length: times + 1 }, (_, index) => String(index));
    assert.deepEqual(
      stays.events.map(({ post }) => post.title),
      titles,
    );
    assert.deepEqual(
      returns.events.map(({ post }) => post.title),
      titles.slice(1),
    );
    await client.dispose();
    t.diagnostic(`F12 ${times} restarts of the database: ${times + 1} events, each told once and in order`);
  });

  test("F12 an event of 1 MB passes", async (t) => {
    const installation = await install(t, { url: await postgres.createDatabase() });
    await installation.start();
    const client = await openWebSocketClient(installation.url, installation.token);
    const results = new Results();
    client.subscribe({ query: "subscription { postEvents { post { body } } }" }, results.sink);
    await untilSubscribed(client);
    const body = "ä".repeat(500_000);
    await create(installation, "large", body);
    await create(installation, "large too", body);
    await results.untilCount(2);
    assert.deepEqual(
      results.events.map(({ post }) => post.body === body),
      [true, true],
    );
    await client.dispose();
  });

  for (const [name, place] of [
    ["SQLite", async () => ({})],
    ["PostgreSQL", async () => ({ url: await postgres.createDatabase() })],
  ] as const) {
    test(`F13 idle subscribers take less than 20 KB each, and are all told within a second (${name})`, {
      skip: process.platform !== "linux" && "needs /proc",
    }, async (t) => {
      const subscribers = count(10_000, 1_000);
      const installation = await install(t, await place());
      const { child } = await installation.start();
      const sockets: WebSocket[] = [];
      t.after(() => {
        for (const socket of sockets) socket.terminate();
      });
      // What the first ones need is loaded once.
      for (let opened = 0; opened < 200; opened += 50) sockets.push(...(await openSockets(installation, 50)));
      await pause(2_000);
      const before = residentBytes(child.pid ?? 0);
      while (sockets.length < subscribers + 200) sockets.push(...(await openSockets(installation, 100)));
      await pause(2_000);
      const each = (residentBytes(child.pid ?? 0) - before) / subscribers;
      // Of few, what the heap happens to keep for others counts too much.
      assert.ok(each < (isFull ? EACH : 2 * EACH), `${each} bytes each`);
      await bestOfThree(WITHIN, async () => {
        const told = Promise.all(sockets.map((socket) => next(socket)));
        const began = performance.now();
        await create(installation, "for all");
        const written = performance.now() - began;
        await told;
        const took = performance.now() - began;
        t.diagnostic(
          `F13 ${subscribers} subscribers on ${name}: ${Math.round(each)} bytes each; written after ${Math.round(written)} ms, all told after ${Math.round(took)} ms`,
        );
        return took;
      });
    });
  }

  test("F13 slow readers are sent away, half-open ones forgotten, and hold nobody up", async (t) => {
    const installation = await install(t);
    const { child } = await installation.start();
    const slow = await openSockets(installation, count(100, 10), "subscription { postEvents { post { body } } }");
    const [quick] = await openSockets(installation, 1);
    assert.ok(quick);
    const closed = slow.map(
      (socket) => new Promise<number>((resolve) => void socket.on("close", (code) => resolve(code))),
    );
    for (const socket of slow) socket.pause();
    const before = residentBytes(child.pid ?? 0);
    let slowest = 0;
    for (let written = 0; written < 20; written++) {
      const told = next(quick);
      const began = livedTime();
      await create(installation, `post ${written}`, "x".repeat(1_000_000));
      await told;
      slowest = Math.max(slowest, livedTime() - began);
    }
    const grown = residentBytes(child.pid ?? 0) - before;
    assert.ok(slowest < 2 * WITHIN, `${slowest} ms`);
    const open = async () => /^graphql_subscriptions (\d+)$/m.exec(await metrics(installation))?.[1];
    for (const deadline = performance.now() + 60_000; (await open()) !== "1"; await pause(200))
      assert.ok(performance.now() < deadline, `${await open()} are still there`);
    for (const socket of slow) socket.resume();
    const codes = new Set(await Promise.all(closed));
    t.diagnostic(
      `F13 ${slow.length} slow readers of 20 MB: closed with ${[...codes]}, the program grew by ${Math.round(grown / 1e6)} MB, others were told within ${Math.round(slowest)} ms`,
    );
    // 1006: the connection was given up before its end could be told.
    assert.ok([...codes].every((code) => code === 1013 || code === 1006));
    quick.terminate();

    const [halfOpen] = await openSockets(installation, 1);
    assert.ok(halfOpen);
    const gone = new Promise((resolve) => halfOpen.on("close", resolve));
    while ((await open()) !== "1") await pause(50); // the quick one is gone
    halfOpen.pause(); // answers no ping
    while ((await open()) !== "0") await pause(500);
    halfOpen.resume();
    await gone;
  });

  test("a sign of life comes every 12 seconds", async (t) => {
    const installation = await install(t);
    await installation.start();
    const [socket] = await openSockets(installation, 1);
    assert.ok(socket);
    const pinged = new Promise((resolve) => socket.once("ping", resolve));
    const address = `${installation.url}/graphql?query=${encodeURIComponent("subscription { postEvents { id } }")}`;
    const headers = { accept: "text/event-stream", authorization: `Bearer ${installation.token}` };
    const began = performance.now();
    const { body } = await fetch(address, { headers });
    let text = "";
    for await (const chunk of body ?? []) {
      text += Buffer.from(chunk).toString();
      if (text.length >= 6) break;
    }
    await pinged;
    assert.equal(text, ":\n\n:\n\n");
    assert.ok(performance.now() - began < 2 * 12_000);
    socket.terminate();
  });

  test("F13 thousands come again at once, each where it was", async (t) => {
    const clients = count(5_000, 500);
    const installation = await install(t);
    await installation.start();
    const [before] = await openSockets(installation, 1);
    assert.ok(before);
    const told = next(before);
    await create(installation, "seen");
    const { id } = (await told).postEvents;
    for (let missed = 0; missed < 5; missed++) await create(installation, `missed ${missed}`);
    const began = performance.now();
    const all = await Promise.all(
      Array.from({ length: clients }, async () => {
        const [socket] = await openSockets(installation, 1, QUERY, { after: id }, 5);
        socket?.terminate();
      }),
    );
    t.diagnostic(
      `F13 ${all.length} at once: each told what it had missed, after ${Math.round(performance.now() - began)} ms`,
    );
    before.terminate();
    await untilReady(installation.url, READY);
  });
});

async function create(installation: Installation, title: string, body = ""): Promise<void> {
  const query = "mutation ($input: CreatePostInput!) { createPost(input: $input) { id } }";
  const { errors } = await postTo(installation.url, installation.token, query, { input: { title, body } });
  assert.equal(errors, undefined, JSON.stringify(errors));
}

async function metrics({ url }: Installation): Promise<string> {
  return (await fetch(`${url}/metrics`)).text();
}

function residentBytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1_024;
}

/** Raw, because ten thousand real clients would be the test's own load. @param events that each waits for */
async function openSockets(
  { url, token }: Installation,
  sockets: number,
  query = QUERY,
  variables: object = {},
  events = 0,
): Promise<WebSocket[]> {
  const init = JSON.stringify({ type: "connection_init", payload: { authorization: `Bearer ${token}` } });
  const subscribe = JSON.stringify({ id: "1", type: "subscribe", payload: { query, variables } });
  const opened = Array.from({ length: sockets }, async () => {
    for (;;) {
      const socket = new WebSocket(`${url.replace("http", "ws")}/graphql`, "graphql-transport-ws", {
        perMessageDeflate: false,
      });
      const isReady = await new Promise<boolean>((resolve) => {
        let left = events + 1;
        socket.on("error", () => resolve(false)); // too many at once
        socket.on("open", () => socket.send(init));
        socket.on("message", (data: Buffer) => {
          if (data.toString() === '{"type":"connection_ack"}') {
            socket.send(subscribe);
            socket.ping(); // answered when the subscription is there
          } else if (--left === 0) resolve(true);
        });
        socket.on("pong", () => {
          if (--left === 0) resolve(true);
        });
      });
      socket.removeAllListeners("message").removeAllListeners("pong");
      if (isReady) return socket;
      await pause(Math.random() * 200);
    }
  });
  return Promise.all(opened);
}

// biome-ignore lint/suspicious/noExplicitAny: as the documents select
function next(socket: WebSocket): Promise<any> {
  return new Promise((resolve) => {
    socket.once("message", (data: Buffer) => resolve(JSON.parse(data.toString()).payload.data));
  });
}
