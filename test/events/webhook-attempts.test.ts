import assert from "node:assert/strict";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { describe, type TestContext, test } from "node:test";
import { openWebhookTest } from "../../src/app/webhook-test.ts";
import { AppError } from "../../src/domain/errors.ts";
import { EVENT_TYPES } from "../../src/domain/events/event.ts";
import type { Webhook } from "../../src/domain/events/webhook.ts";
import { exampleBody } from "../../src/domain/events/webhook-example.ts";
import type { Id } from "../../src/domain/id.ts";
import { openTestCall } from "../../src/events/test-call.ts";
import { openGuardedFetch } from "../../src/http/guarded-fetch.ts";
import { openWebhookSecrets } from "../../src/secrets/webhook-secrets.ts";
import { openReceiver, type Receiver, verify } from "./receiver.ts";

const secrets = openWebhookSecrets(new Uint8Array(32).fill(7));
const ID = "01a21efd-4214-7000-8474-a0573e6a4ee8" as Id;
const SECRET = secrets.create();
const AT = "2026-01-31T12:00:00.000Z";

function webhookAt(url: string, includesUnpublished = true): Webhook {
  return {
    ...{ id: ID, url, eventTypes: [], includesUnpublished, secret: secrets.seal(SECRET, ID) },
    ...{ previousSecret: null, previousUntil: null, cursor: "", createdAt: AT, disabledAt: null, disabledBy: null },
  };
}

async function aReceiver(t: TestContext): Promise<Receiver> {
  const receiver = await openReceiver();
  t.after(() => receiver.close());
  return receiver;
}

describe("calls to webhooks", () => {
  const options = { openSecret: secrets.open, now: Date.now, timeout: 1_000 };
  const call = openTestCall({ ...options, send: openGuardedFetch({ privateHosts: ["127.0.0.1", "localhost"] }) });

  test("S84 headers are those that were sent, the time is measured, and the answer is cut after 1 KiB", async (t) => {
    const there = await aReceiver(t);
    there.answer = (response) => void setTimeout(() => response.end(`x${"Ü".repeat(600)}`), 60);
    const attempt = await call(webhookAt(there.url), "{}");
    const [received] = there.received;
    assert.ok(received !== undefined);
    verify(SECRET, received);
    assert.ok(attempt.durationMs >= 50 && attempt.durationMs < 5_000, `${attempt.durationMs}`);
    assert.deepEqual([attempt.status, attempt.error], [200, null]);
    assert.equal(attempt.answer, `x${"Ü".repeat(511)}`, "a character that is cut is left out");
    const sent = attempt.headers ?? [];
    assert.deepEqual(
      sent.map(({ name }) => name),
      ["content-type", "user-agent", "webhook-id", "webhook-timestamp", "webhook-signature"],
    );
    for (const { name, value } of sent) assert.equal(received.headers[name], value);
    assert.ok(!JSON.stringify(attempt).includes(SECRET.slice("whsec_".length)));
  });

  test("S84 an answer that is no text is shown as far as it is, without control characters", async (t) => {
    const there = await aReceiver(t);
    there.answer = (response) => response.end(Buffer.from([0x61, 0, 0xff, 0x09, 0x0a, 0x1b, 0x62]));
    assert.equal((await call(webhookAt(there.url), "{}")).answer, "a\uFFFD\uFFFD\t\n\uFFFDb");
    there.answer = (response) => response.end();
    assert.equal((await call(webhookAt(there.url), "{}")).answer, "");
  });

  test("S84 each kind of failure is told in words: DNS, TLS, time, redirect, address, connection, secret", async (t) => {
    const there = await aReceiver(t);
    const errorOf = async (url: string, by = call) => (await by(webhookAt(url), "{}")).error;
    there.answer = (response) => response.writeHead(302, { location: "/" }).end();
    assert.equal(await errorOf(there.url), "the receiver answered 302, and redirects are not followed");
    there.answer = (response) => response.writeHead(404).end();
    assert.equal(await errorOf(there.url), "the receiver answered 404");
    there.answer = () => {};
    assert.equal(await errorOf(there.url), "no whole answer within 1 s");
    there.answer = (response) => response.destroy();
    assert.equal(await errorOf(there.url), "the receiver closed the connection (ECONNRESET)");

    const noName = Object.assign(new Error("getaddrinfo ENOTFOUND x"), { code: "ENOTFOUND" });
    const nowhere = openGuardedFetch({ privateHosts: [], resolve: () => Promise.reject(noName) });
    const lost = openTestCall({ ...options, send: nowhere });
    assert.equal(await errorOf("https://nowhere.example/", lost), "DNS: the host name was not found (ENOTFOUND)");

    const plain = new URL(there.url).port;
    assert.match(
      (await errorOf(`https://127.0.0.1:${plain}/`)) ?? "",
      /^TLS: the connection is not secure \((EPROTO|ERR_SSL_\w+)\)$/,
    );
    const silent = createTlsServer();
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const { port } = silent.address() as AddressInfo;
    assert.match((await errorOf(`https://127.0.0.1:${port}/`)) ?? "", /^TLS: |closed the connection/);
    await new Promise((resolve) => silent.close(resolve));
    assert.equal(await errorOf(`https://127.0.0.1:${port}/`), "the host refused the connection (ECONNREFUSED)");

    const guarded = openTestCall({ ...options, send: openGuardedFetch({ privateHosts: [] }) });
    assert.equal(await errorOf("https://169.254.169.254/", guarded), "the address is not a public one");
    const others = openTestCall({ ...options, openSecret: () => null, send: nowhere });
    const unsigned = await others(webhookAt(there.url), "{}");
    assert.match(unsigned.error ?? "", /another SECRET_KEY: rotate it/);
    assert.equal(unsigned.headers, null);
  });
});

describe("tests of webhooks", () => {
  test("S82 an example of each event is marked as a test, and has what the webhook would be told", () => {
    for (const type of EVENT_TYPES) {
      const body = JSON.parse(exampleBody(webhookAt("https://receiver.example/"), type, AT));
      assert.deepEqual(Object.keys(body), ["type", "timestamp", "test", "data"]);
      assert.deepEqual([body.type, body.timestamp, body.test], [type, AT, true]);
      assert.match(body.data.id, /^[0-9a-f-]{36}$/);
    }
    const told = (type: (typeof EVENT_TYPES)[number]) =>
      Object.keys(JSON.parse(exampleBody(webhookAt("https://receiver.example/", false), type, AT)).data);
    assert.deepEqual(told("post.unpublished"), ["id"]);
    assert.deepEqual(told("post.archived"), ["id"]);
    assert.ok(told("post.published").includes("title"));
  });

  test("S82 a receiver that never answers ends a test before the request's time is over", async (t) => {
    const there = await aReceiver(t);
    there.answer = () => {};
    const config = { PRIVATE_HOSTS: ["127.0.0.1"], REQUEST_TIMEOUT: 2 };
    const attempt = await openWebhookTest(config, { openSecret: secrets.open, now: Date.now })(
      ...[webhookAt(there.url), "{}", ID],
    );
    assert.equal(attempt.error, "no whole answer within 1 s");
  });

  test("A45 tests have small bounds: two at a time for a host and a person, twenty in a minute", async (t) => {
    const there = await aReceiver(t);
    const waiting: (() => void)[] = [];
    there.answer = (response) => void waiting.push(() => response.end());
    let clock = Date.parse(AT);
    const config = { PRIVATE_HOSTS: ["127.0.0.1"], REQUEST_TIMEOUT: 10 };
    const callWebhook = openWebhookTest(config, { openSecret: secrets.open, now: () => clock });
    const webhook = webhookAt(there.url);
    const isLimited = (error: unknown) =>
      error instanceof AppError && error.code === "RATE_LIMITED" && error.details.retryAfter === 60;
    const running = [callWebhook(webhook, "{}", ID), callWebhook(webhook, "{}", ID)];
    await assert.rejects(callWebhook(webhook, "{}", null), isLimited, "the host is busy");
    await assert.rejects(callWebhook(webhookAt("https://other.example/"), "{}", ID), isLimited, "the person is busy");
    await there.until(2);
    for (const end of waiting) end();
    for (const { status } of await Promise.all(running)) assert.equal(status, 200);
    there.answer = (response) => response.end();
    for (let i = 2; i < 20; i++) await callWebhook(webhook, "{}", ID);
    await assert.rejects(callWebhook(webhook, "{}", ID), isLimited);
    assert.equal(there.received.length, 20);
    clock += 60_000;
    assert.equal((await callWebhook(webhook, "{}", ID)).status, 200);
  });
});
