import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import {
  createWebhook,
  disableWebhook,
  enableWebhook,
  resendDelivery,
  rotateWebhookSecret,
  updateWebhook,
  type WebhookAdministration,
  type WebhookInput,
} from "../../src/domain/events/webhook-administration.ts";
import { exampleBody } from "../../src/domain/events/webhook-example.ts";
import { resendFailedDeliveries } from "../../src/domain/events/webhook-sending.ts";
import type { Id } from "../../src/domain/id.ts";
import { createPost, type NewPost } from "../../src/domain/posts/post.ts";
import { deletePost, publishPost, unpublishPost, updatePost } from "../../src/domain/posts/post-changes.ts";
import type { Store } from "../../src/domain/store/store.ts";
import type { Viewer } from "../../src/domain/viewer.ts";
import { openWebhooks, type Webhooks, type WebhooksOptions } from "../../src/events/webhooks.ts";
import { openGuardedFetch } from "../../src/http/guarded-fetch.ts";
import { openWebhookSecrets } from "../../src/secrets/webhook-secrets.ts";
import { openStore } from "../../src/storage/open.ts";
import { aPerson } from "../conformance/samples.ts";
import { createTestDatabase, type TestDatabase } from "../database.ts";
import { openReceiver, type Receiver, verify } from "./receiver.ts";

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };
const secrets = openWebhookSecrets(new Uint8Array(32).fill(7));
const trusting = openGuardedFetch({ privateHosts: ["127.0.0.1"] });
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

interface House {
  readonly database: TestDatabase;
  readonly store: Store;
  readonly administration: WebhookAdministration;
  readonly authorId: Id;
  /** Moves the clock, in milliseconds. */
  pass(milliseconds: number): void;
  receiver(): Promise<Receiver>;
  webhook(receiver: Receiver, input?: Partial<WebhookInput>): ReturnType<typeof createWebhook>;
  post(title: string, more?: Partial<NewPost>): Promise<Id>;
  /** Starts sending, as one process does. */
  start(change?: Partial<WebhooksOptions>): Webhooks;
}

/** A store with a clock of its own, and a person in it; the test's end ends everything. */
async function openHouse(t: TestContext): Promise<House> {
  const folder = await mkdtemp(join(tmpdir(), "content-api-"));
  const database = await createTestDatabase(folder);
  let clock = Date.now();
  const now = () => clock;
  const store = await openStore(database.url, { now });
  const opened: { close(): Promise<void> }[] = [];
  t.after(async () => {
    await Promise.all(opened.map((each) => each.close()));
    await store.close();
    await database.drop();
    await rm(folder, { recursive: true });
  });
  const administration: WebhookAdministration = {
    store,
    secrets,
    actorId: null,
    privateHosts: ["127.0.0.1"],
    now,
    record: async () => {},
  };
  const { id: authorId } = await store.users.create(aPerson());
  return {
    database,
    store,
    administration,
    authorId,
    pass: (milliseconds) => {
      clock += milliseconds;
    },
    async receiver() {
      const receiver = await openReceiver();
      opened.push(receiver);
      return receiver;
    },
    webhook: ({ url }, input = {}) => createWebhook(administration, { url, ...input }),
    post: (title, more = {}) => store.posts.create({ authorId, title, body: "", ...more }),
    start(change = {}) {
      const metrics = { webhookCalled() {} };
      const options = { store, metrics, send: trusting, openSecret: secrets.open, now, log: SILENT, random: () => 0 };
      const webhooks = openWebhooks({ ...options, ...change });
      opened.unshift(webhooks);
      return webhooks;
    },
  };
}

/** Whatever is due now is sent. */
async function send(webhooks: Webhooks): Promise<void> {
  for (let i = 0; i < 2; i++) {
    await webhooks.look();
    await webhooks.idle();
  }
}

describe("webhooks", () => {
  test("an event is sent as Standard Webhooks has it, and the receiver's library takes it", async (t) => {
    const { store, authorId, receiver, webhook, post, start } = await openHouse(t);
    const there = await receiver();
    const { secret } = await webhook(there);
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    const id = await post("Übergrößen 👩‍👩‍👧‍👦");
    await send(start());
    const [received, ...more] = there.received;
    assert.ok(received !== undefined && more.length === 0);
    const event = (await store.outbox.list(null, 10)).at(-1);
    const { type, timestamp, data } = verify(secret, received);
    assert.deepEqual([type, timestamp], ["post.created", event?.occurredAt]);
    assert.deepEqual(data, JSON.parse(event?.data ?? ""));
    assert.equal((data as { id: Id }).id, id);
    assert.deepEqual(Object.keys(JSON.parse(received.body)), ["type", "timestamp", "data"]);
    assert.equal(received.headers["webhook-id"], event?.id);
    assert.equal(received.headers["content-type"], "application/json");
    assert.throws(() => verify(secret, { ...received, body: received.body.replace(authorId, id) }));
    const [delivery] = await store.webhooks.listDeliveries({ limit: 10 });
    assert.deepEqual(
      [delivery?.state, delivery?.attempts, delivery?.lastStatus, delivery?.lastError, delivery?.dueAt],
      ["DELIVERED", 1, 204, null, null],
    );
  });

  test("secrets are encrypted in the database", async (t) => {
    const { administration, database, receiver, webhook } = await openHouse(t);
    const first = await webhook(await receiver());
    const second = await rotateWebhookSecret(administration, first.webhook.id);
    const all = await database.readAll();
    assert.ok(all.includes(first.webhook.url));
    for (const { secret } of [first, second]) assert.ok(!all.includes(secret.slice("whsec_".length)));
  });

  test("a rotated secret signs beside the new one for a day, unless it has leaked", async (t) => {
    const { administration, receiver, webhook, post, start, pass } = await openHouse(t);
    const there = await receiver();
    const first = await webhook(there);
    const webhooks = start();
    const next = async () => {
      await post("t");
      await send(webhooks);
      const received = there.received.at(-1);
      assert.ok(received !== undefined);
      return { ...received, signatures: String(received.headers["webhook-signature"]).split(" ").length };
    };
    const second = await rotateWebhookSecret(administration, first.webhook.id);
    const both = await next();
    assert.equal(both.signatures, 2);
    verify(first.secret, both);
    verify(second.secret, both);
    pass(DAY - 1);
    assert.equal((await next()).signatures, 2);
    pass(1);
    assert.equal((await next()).signatures, 1);
    pass(-DAY);
    const third = await rotateWebhookSecret(administration, first.webhook.id, true);
    const alone = await next();
    assert.equal(alone.signatures, 1);
    verify(third.secret, alone);
    assert.throws(() => verify(second.secret, alone), /No matching signature/);
  });

  for (const [random, name] of [
    [0, "without jitter"],
    [1, "with all of it"],
  ] as const) {
    test(`F16 the schedule is exact, ${name}, with one id; then it has failed, and may be sent again`, async (t) => {
      const { administration, store, receiver, webhook, post, start, pass } = await openHouse(t);
      const there = await receiver();
      there.answer = (response) => response.writeHead(500).end("no");
      await webhook(there);
      const webhooks = start({ random: () => random });
      await post("t");
      await send(webhooks);
      const delays = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
      for (const [index, seconds] of delays.entries()) {
        assert.equal(there.received.length, index + 1);
        pass(seconds * 1_000 * (1 + 0.1 * random) - 1);
        await send(webhooks);
        assert.equal(there.received.length, index + 1, `${seconds} s are not over`);
        pass(1);
        await send(webhooks);
      }
      assert.equal(there.received.length, 10);
      pass(30 * DAY);
      await send(webhooks);
      assert.equal(there.received.length, 10);
      const [failed] = await store.webhooks.listDeliveries({ limit: 10 });
      assert.deepEqual(
        [failed?.state, failed?.attempts, failed?.lastStatus, failed?.lastError],
        ["FAILED", 10, 500, "the receiver answered 500"],
      );
      there.answer = (response) => response.end("yes");
      await resendDelivery(administration, failed?.id ?? null);
      await send(webhooks);
      assert.equal(there.received.length, 11);
      assert.equal(new Set(there.received.map(({ headers }) => headers["webhook-id"])).size, 1);
      assert.equal(new Set(there.received.map(({ body }) => body)).size, 1);
      const timestamps = there.received.map(({ headers }) => Number(headers["webhook-timestamp"]));
      assert.deepEqual(timestamps, timestamps.toSorted());
      assert.equal((await store.webhooks.findDelivery(failed?.id as Id))?.state, "DELIVERED");
    });
  }

  test("F16 whatever a receiver does, it is tried again, nothing is followed, and others are told meanwhile", async (t) => {
    const { store, receiver, webhook, post, start, pass } = await openHouse(t);
    const target = await receiver();
    const healthy = await receiver();
    const timeout = 1_500; // of those that hang: others have all the time that a slow machine needs
    const bad: Record<string, Receiver["answer"]> = {
      "hangs: no whole answer within 1.5 s": () => {},
      "hangs in the body: no whole answer within 1.5 s": (response) => response.writeHead(200).write("{"),
      "redirects: the receiver answered 301": (response) => response.writeHead(301, { location: target.url }).end(),
      "redirects it all: the receiver answered 307": (response) =>
        response.writeHead(307, { location: target.url }).end(),
      "has enough: the receiver answered 429": (response) => response.writeHead(429, { "retry-after": "1" }).end(),
      "is away: the receiver answered 503": (response) => response.writeHead(503).end(),
      "never ends: the answer is longer than 65536 bytes": (response) => {
        const more = () => {
          while (!response.destroyed && response.write("x".repeat(16_384)));
        };
        response.on("drain", more).on("error", () => {});
        more();
      },
    };
    const receivers = await Promise.all(
      Object.entries(bad).map(async ([name, answer]) => {
        const there = await receiver();
        there.answer = answer;
        const { webhook: made } = await webhook(there);
        return { name, there, id: made.id };
      }),
    );
    await webhook(healthy);
    const hanging = new Set(receivers.filter(({ name }) => name.startsWith("hangs")).map(({ there }) => there.url));
    const webhooks = start({
      timeout,
      send: (url, request) => trusting(url, { ...request, timeout: hanging.has(url) ? timeout : 60_000 }),
    });
    const titles = Array.from({ length: 6 }, (_, i) => `post ${i}`);
    for (const title of titles) await post(title);
    await webhooks.look();
    await healthy.until(titles.length); // while the others hang
    await send(webhooks);
    for (const { name, there, id } of receivers) {
      const deliveries = await store.webhooks.listDeliveries({ webhookId: id, limit: 10 });
      for (const delivery of deliveries) {
        assert.deepEqual([delivery.state, delivery.attempts, delivery.failures], ["PENDING", 1, 1], name);
        assert.ok(name.endsWith(`: ${delivery.lastError}`), `${name} is told as ${delivery.lastError}`);
      }
      assert.equal(deliveries.length, titles.length);
      assert.equal(there.received.length, titles.length);
    }
    assert.equal(target.received.length, 0, "a redirect is not followed");
    // They recover: each event is there, with its signature.
    for (const { there } of receivers) there.answer = (response) => response.end();
    pass(5_000);
    await send(webhooks);
    await send(webhooks);
    for (const { name, there } of receivers) {
      const events = there.received.map(({ body }) => JSON.parse(body).data.title);
      assert.deepEqual(new Set(events), new Set(titles), name);
      assert.equal(events.length, 2 * titles.length, name);
    }
    assert.equal(healthy.received.length, titles.length);
  });

  test("F16 a receiver that answers 410 is told nothing more, until it is enabled again", async (t) => {
    const { administration, store, receiver, webhook, post, start } = await openHouse(t);
    const there = await receiver();
    there.answer = (response) => response.writeHead(410).end();
    const { webhook: made } = await webhook(there);
    const webhooks = start();
    await post("first");
    await send(webhooks);
    const gone = await store.webhooks.find(made.id);
    assert.equal(gone?.disabledBy, "receiver");
    assert.ok(gone?.disabledAt);
    assert.equal((await store.webhooks.listDeliveries({ limit: 10 }))[0]?.state, "FAILED");
    await post("meanwhile");
    await send(webhooks);
    assert.equal(there.received.length, 1);
    there.answer = (response) => response.end();
    await enableWebhook(administration, made.id);
    await post("afterwards");
    await send(webhooks);
    assert.deepEqual(
      there.received.map(({ body }) => JSON.parse(body).data.title),
      ["first", "afterwards"],
    );
  });

  test("what waits while a webhook is disabled goes out when it is enabled", async (t) => {
    const { administration, receiver, webhook, post, start, pass } = await openHouse(t);
    const there = await receiver();
    there.answer = (response) => response.writeHead(500).end();
    const { webhook: made } = await webhook(there);
    const webhooks = start();
    await post("t");
    await send(webhooks);
    await disableWebhook(administration, made.id);
    pass(5 * MINUTE);
    await send(webhooks);
    assert.equal(there.received.length, 1);
    await enableWebhook(administration, made.id);
    await send(webhooks);
    assert.equal(there.received.length, 2);
  });

  test("S81 a webhook says how many deliveries wait while it is disabled, and each goes out when it is enabled", async (t) => {
    const { administration, store, receiver, webhook, post, start } = await openHouse(t);
    const there = await receiver();
    const { webhook: made } = await webhook(there);
    for (let i = 0; i < 17; i++) await post(`${i}`);
    const [cursor, events] = [made.cursor, await store.outbox.list(made.cursor === "" ? null : made.cursor, 100)];
    const deliveries = events.map(({ id, type }) => ({ eventId: id, eventType: type, payload: "{}" }));
    await store.webhooks.advance(made.id, { from: cursor, to: events.at(-1)?.id as Id }, deliveries, made.createdAt);
    await disableWebhook(administration, made.id);
    const webhooks = start();
    await post("while it is disabled");
    await send(webhooks);
    const waiting = async () => (await store.webhooks.numbers([made.id], "2026-01-31T12:00:00.000Z"))[0]?.waiting;
    assert.equal(await waiting(), 17);
    assert.equal(there.received.length, 0);
    await enableWebhook(administration, made.id);
    assert.equal(await waiting(), 17);
    await webhooks.look();
    await there.until(17);
    await send(webhooks);
    assert.equal(there.received.length, 17);
    assert.equal(await waiting(), 0);
  });

  test("S81 what waits goes to a new URL, and events follow what the webhook is told from now on", async (t) => {
    const { administration, receiver, webhook, post, start, pass } = await openHouse(t);
    const [there, elsewhere] = [await receiver(), await receiver()];
    there.answer = (response) => response.writeHead(500).end();
    const { webhook: made } = await webhook(there);
    const webhooks = start();
    await post("first");
    await send(webhooks);
    await updateWebhook(administration, made.id, { url: elsewhere.url, eventTypes: ["post.deleted"] });
    await post("second");
    pass(5_000);
    await send(webhooks);
    assert.equal(there.received.length, 1);
    assert.deepEqual(
      elsewhere.received.map(({ body }) => JSON.parse(body).data.title),
      ["first"],
    );
  });

  test("S84 each attempt is kept, with its answer or its reason; S87 the webhook says since when it fails, and why", async (t) => {
    const { store, receiver, webhook, post, start, pass } = await openHouse(t);
    const there = await receiver();
    const { webhook: made } = await webhook(there);
    const webhooks = start();
    there.answer = (response) => response.writeHead(301, { location: "/" }).end("moved");
    await post("t");
    await send(webhooks);
    const health = async () => {
      const [{ failingSince, failingReason } = assert.fail()] = await store.webhooks.numbers([made.id], "2026-01-31");
      return { failingSince, failingReason };
    };
    const [delivery] = await store.webhooks.listDeliveries({ limit: 1 });
    assert.ok(delivery !== undefined);
    const failingReason = "the receiver answered 301, and redirects are not followed";
    assert.deepEqual(await health(), { failingSince: delivery.lastAttemptAt, failingReason });
    pass(5_000);
    there.answer = (response) => response.end("thanks");
    await send(webhooks);
    const log = (await store.webhooks.listAttempts([delivery.id])).get(delivery.id) ?? [];
    assert.deepEqual(
      log.map(({ status, answer, error }) => [status, answer, error]),
      [
        [200, "thanks", null],
        [301, "moved", failingReason],
      ],
    );
    for (const [index, { headers }] of log.toReversed().entries())
      for (const { name, value } of headers ?? []) assert.equal(there.received[index]?.headers[name], value);
    assert.deepEqual(await health(), { failingSince: null, failingReason: null });
  });

  test("S85 failed deliveries are sent again with the webhook-id that they had", async (t) => {
    const { administration, receiver, webhook, post, start } = await openHouse(t);
    const there = await receiver();
    there.answer = (response) => response.writeHead(410).end();
    const { webhook: made } = await webhook(there);
    const webhooks = start();
    for (const title of ["a", "b", "c"]) await post(title);
    await send(webhooks);
    const ids = () => there.received.map(({ headers }) => String(headers["webhook-id"]));
    const before = ids();
    there.answer = (response) => response.end();
    await enableWebhook(administration, made.id);
    const since = "2026-01-31T12:00:00.000Z";
    assert.deepEqual(await resendFailedDeliveries(administration, made.id, { since, limit: 2 }), {
      found: before.length,
      resent: Math.min(2, before.length), // the webhook may be disabled before there is a second attempt
    });
    const { resent } = await resendFailedDeliveries(administration, made.id, { since, limit: 2 });
    await send(webhooks);
    assert.deepEqual(ids().slice(before.length).sort(), before.toSorted().slice(0, 2 + resent));
  });

  test("S82 an example has the fields that real events have", async (t) => {
    const { administration, store, authorId } = await openHouse(t);
    const viewer: Viewer = { userId: authorId, role: "member", clientId: "client", scopes: new Set() };
    const renderMarkdown = async (text: string) => ({ html: text, text });
    const context = { store, viewer, once: undefined };
    const id = await createPost(context, { title: "t", body: "", status: "DRAFT" }, renderMarkdown);
    const request = { ...context, id, expectedVersion: null };
    await publishPost(request);
    await updatePost(request, { title: "u" }, renderMarkdown);
    await unpublishPost(request);
    await deletePost(request);
    const { webhook } = await createWebhook(administration, { url: "https://a.example/", includesUnpublished: true });
    const seen = new Set<string>();
    for (const { type, data } of await store.outbox.list(null, 100)) {
      const example = JSON.parse(exampleBody(webhook, type, "2026-01-31T12:00:00.000Z"));
      assert.deepEqual(Object.keys(example.data).sort(), Object.keys(JSON.parse(data)).sort(), type);
      seen.add(type);
    }
    assert.ok(seen.size >= 6, [...seen].join(", "));
  });

  test("A37 private addresses are refused at connect time, and what is there is not told", async (t) => {
    const { administration, store, receiver, post, start } = await openHouse(t);
    const there = await receiver();
    const port = new URL(there.url).port;
    const hosts = [
      "127.0.0.1",
      "localhost",
      "[::1]",
      "[::ffff:127.0.0.1]",
      "2130706433",
      "10.0.0.1",
      "169.254.169.254",
    ];
    for (const host of hosts) await createWebhook(administration, { url: `https://${host}:${port}/` });
    await post("t");
    await send(start({ send: openGuardedFetch({ privateHosts: [] }) }));
    const deliveries = await store.webhooks.listDeliveries({ limit: 100 });
    assert.equal(deliveries.length, hosts.length);
    for (const { lastError, lastStatus } of deliveries)
      assert.deepEqual([lastError, lastStatus], ["the address is not a public one", null]);
    assert.equal(there.received.length, 0);
  });

  test("what is written in drafts is told to no webhook but those for which an administrator has decided it", async (t) => {
    const { store, authorId, receiver, webhook, start } = await openHouse(t);
    const [there, insider] = [await receiver(), await receiver()];
    await webhook(there);
    await webhook(insider, { includesUnpublished: true });
    const viewer: Viewer = { userId: authorId, role: "member", clientId: "client", scopes: new Set() };
    const context = { store, viewer, once: undefined };
    const renderMarkdown = async (text: string) => ({ html: text, text });
    const id = await createPost(context, { title: "plan one", body: "", status: "DRAFT" }, renderMarkdown);
    const request = { ...context, id, expectedVersion: null };
    await updatePost(request, { title: "plan two" }, renderMarkdown);
    await updatePost(request, { title: "announcement" }, renderMarkdown);
    await publishPost(request);
    await unpublishPost(request);
    await updatePost(request, { title: "plan three" }, renderMarkdown);
    await deletePost(request);
    await send(start());
    const told = ({ received }: Receiver) =>
      received
        .map(({ body }) => JSON.parse(body))
        .map(({ type, data }) => `${type} ${data.title ?? Object.keys(data)}`);
    assert.deepEqual(told(there).sort(), ["post.published announcement", "post.unpublished id"]);
    assert.deepEqual(told(insider).sort(), [
      "post.created plan one",
      "post.deleted plan three",
      "post.published announcement",
      "post.unpublished announcement",
      "post.updated announcement",
      "post.updated plan three",
      "post.updated plan two",
    ]);
    const deliveries = await store.webhooks.listDeliveries({ limit: 100 });
    assert.equal(deliveries.length, 9, "nothing else is kept for sending either");
  });

  test("nothing is missed while no process runs, however much it is, and each comes once", async (t) => {
    const { receiver, webhook, post, start } = await openHouse(t);
    const there = await receiver();
    await post("before there was a webhook");
    const { secret } = await webhook(there);
    const early = start();
    await post("0");
    await send(early);
    await early.close();
    for (let written = 0; written < 250; written += 10)
      await Promise.all(Array.from({ length: 10 }, (_, i) => post(`${written + i + 1}`)));
    start();
    await there.until(251);
    const received = there.received.map((each) => verify(secret, each).data as { title: string });
    assert.deepEqual(
      received.map(({ title }) => Number(title)).sort((a, b) => a - b),
      Array.from({ length: 251 }, (_, i) => i),
    );
  });

  test("two processes tell a receiver of each event once", async (t) => {
    const { database, receiver, webhook, post, start } = await openHouse(t);
    const other = await openStore(database.url);
    t.after(() => other.close());
    const there = await receiver();
    await webhook(there);
    const processes = [start({ now: Date.now }), start({ store: other, now: Date.now })];
    await Promise.all(Array.from({ length: 40 }, (_, i) => post(`${i}`)));
    await there.until(40);
    for (const webhooks of processes) await send(webhooks);
    assert.equal(there.received.length, 40);
    await processes[1]?.close(); // before its store
  });

  test("the end breaks off calls that hang, and the next process makes them at once, not counted twice", async (t) => {
    const { store, receiver, webhook, post, start } = await openHouse(t);
    const there = await receiver();
    there.answer = () => {};
    await webhook(there);
    const first = start();
    await post("t");
    await first.look();
    await there.until(1);
    await first.close();
    const [broken] = await store.webhooks.listDeliveries({ limit: 10 });
    assert.deepEqual([broken?.attempts, broken?.failures, broken?.claim], [0, 0, null]);
    there.answer = (response) => response.end();
    await send(start());
    assert.equal(there.received.length, 2);
    assert.equal((await store.webhooks.findDelivery(broken?.id as Id))?.attempts, 1);
  });

  test("F09 a database that is away for a while is no end of it, and told of once", async (t) => {
    const { store, receiver, webhook, post, start } = await openHouse(t);
    const there = await receiver();
    await webhook(there);
    await post("t");
    const warnings: string[] = [];
    let isAway = true;
    const webhooks = start({
      store: {
        ...store,
        webhooks: {
          ...store.webhooks,
          list: () => (isAway ? Promise.reject(new Error("away")) : store.webhooks.list()),
        },
      },
      log: { ...SILENT, warn: (_: object, message: string) => void warnings.push(message) },
    });
    for (let i = 0; i < 3; i++) await webhooks.look();
    assert.deepEqual(warnings, ["webhooks wait for now"]);
    isAway = false;
    await send(webhooks);
    assert.equal(there.received.length, 1);
  });

  test("a secret that was encrypted under another SECRET_KEY is said to be so, and retried; rotated, it signs", async (t) => {
    const { store, administration, receiver, webhook, post, start, pass } = await openHouse(t);
    const there = await receiver();
    const { webhook: made } = await webhook(there);
    await post("t");
    const others = openWebhookSecrets(new Uint8Array(32).fill(8));
    const webhooks = start({ openSecret: others.open });
    await send(webhooks);
    const [delivery] = await store.webhooks.listDeliveries({ limit: 10 });
    assert.match(delivery?.lastError ?? "", /another SECRET_KEY: rotate it/);
    assert.equal(delivery?.state, "PENDING");
    assert.equal(there.received.length, 0);
    await rotateWebhookSecret({ ...administration, secrets: others }, made.id);
    pass(5_000);
    await send(webhooks);
    assert.equal(there.received.length, 1);
  });
});
