import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { DeliveryOutcome, NewDelivery } from "../../src/domain/events/webhook-delivery.ts";
import type { Id } from "../../src/domain/id.ts";
import type { Store } from "../../src/domain/store/store.ts";
import { aPerson, HARD_TEXTS, hasCode, withStore } from "./samples.ts";
import type { OpenFresh, OpenTwo } from "./store.ts";

const T = "2026-01-31T12:00:00.000Z";
const LATER = "2026-01-31T12:00:20.000Z";
const NOBODY = "01a21efd-4214-7000-8474-a0573e6a4ee8" as Id;

const FAILED: DeliveryOutcome = {
  state: "PENDING",
  dueAt: LATER,
  failures: 1,
  attemptAt: T,
  status: 500,
  error: "the receiver answered 500",
};

export function webhooksConform(open: OpenFresh, openTwo: OpenTwo): void {
  describe("webhooks", () => {
    test("what is created is found and listed whole, oldest first, with the secret sealed for its id", () =>
      withStore(open, async (store) => {
        const first = await create(store);
        const second = await create(store, { eventTypes: ["post.created", "user.updated"], includesUnpublished: true });
        assert.deepEqual(await store.webhooks.find(second.id), second);
        assert.deepEqual(await store.webhooks.list(), [first, second]);
        const { id, createdAt, ...rest } = second;
        assert.match(createdAt, /^\d{4}-.*Z$/);
        assert.deepEqual(rest, {
          url: "https://receiver.example/hook",
          eventTypes: ["post.created", "user.updated"],
          includesUnpublished: true,
          secret: `sealed for ${id}`,
          previousSecret: null,
          previousUntil: null,
          cursor: "",
          disabledAt: null,
          disabledBy: null,
        });
        assert.equal(await store.webhooks.find(NOBODY), null);
      }));

    test("no more are created than there may be", () =>
      withStore(open, async ({ webhooks }) => {
        const fields = { url: "https://receiver.example/hook", eventTypes: [], includesUnpublished: false };
        const made = await Promise.allSettled(
          Array.from({ length: 6 }, () => webhooks.create(fields, { most: 3, seal: () => "sealed" })),
        );
        assert.equal(made.filter(({ status }) => status === "fulfilled").length, 3);
        for (const each of made) if (each.status === "rejected") assert.ok(hasCode("CONFLICT")(each.reason));
        assert.equal((await webhooks.list()).length, 3);
      }));

    test("the cursor begins behind the newest event, and is there again when a disabled one is enabled", () =>
      withStore(open, async (store) => {
        const authorId = (await store.users.create(aPerson())).id;
        const write = () => store.posts.create({ authorId, title: "t", body: "" });
        const newest = async () => (await store.outbox.list(null, 100)).at(-1)?.id;
        await write();
        const { id, cursor } = await create(store);
        assert.equal(cursor, await newest());
        await write();
        assert.equal((await store.webhooks.enable(id)).cursor, cursor, "one that is enabled goes on where it was");
        await store.webhooks.disable(id, { disabledAt: T, disabledBy: "receiver" });
        const again = await store.webhooks.disable(id, { disabledAt: LATER, disabledBy: "administrator" });
        assert.deepEqual([again.disabledAt, again.disabledBy], [T, "receiver"]);
        const enabled = await store.webhooks.enable(id);
        assert.equal(enabled.cursor, await newest());
        assert.deepEqual([enabled.disabledAt, enabled.disabledBy], [null, null]);
      }));

    test("a secret that is rotated becomes the previous one while both sign, or is gone", () =>
      withStore(open, async (store) => {
        const { id, secret } = await create(store);
        const both = await store.webhooks.rotate(id, { secret: "second", previousUntil: LATER });
        assert.deepEqual([both.secret, both.previousSecret, both.previousUntil], ["second", secret, LATER]);
        const third = await store.webhooks.rotate(id, { secret: "third", previousUntil: null });
        assert.deepEqual([third.secret, third.previousSecret, third.previousUntil], ["third", null, null]);
        assert.deepEqual(await store.webhooks.find(id), third);
      }));

    test("what is not there is NOT_FOUND", () =>
      withStore(open, async ({ webhooks }) => {
        const missing = hasCode("NOT_FOUND");
        await assert.rejects(webhooks.rotate(NOBODY, { secret: "s", previousUntil: null }), missing);
        await assert.rejects(webhooks.disable(NOBODY, { disabledAt: T, disabledBy: "administrator" }), missing);
        await assert.rejects(webhooks.enable(NOBODY), missing);
        await assert.rejects(webhooks.delete(NOBODY), missing);
        await assert.rejects(webhooks.resend(NOBODY, T), missing);
        assert.equal(await webhooks.advance(NOBODY, { from: "", to: NOBODY }, [], T), false);
        assert.deepEqual(await webhooks.claim(NOBODY, { now: T, until: LATER, limit: 9 }), []);
        assert.equal(await webhooks.settle(NOBODY, "claim", FAILED), false);
        assert.equal(await webhooks.findDelivery(NOBODY), null);
      }));

    test("of several processes exactly one makes deliveries of an event; a disabled webhook gets none", async () => {
      const [here, there] = await openTwo();
      try {
        const { id } = await create(here);
        const [first, second] = [event(1), event(2)];
        const moves = [here, there, here, there].map(({ webhooks }) =>
          webhooks.advance(id, { from: "", to: second.eventId }, [first, second], T),
        );
        assert.deepEqual((await Promise.all(moves)).sort(), [false, false, false, true]);
        const made = await there.webhooks.listDeliveries({ webhookId: id, limit: 10 });
        assert.deepEqual(
          made.map(({ eventId, eventType, payload }) => ({ eventId, eventType, payload })),
          [second, first],
        );
        await here.webhooks.disable(id, { disabledAt: T, disabledBy: "administrator" });
        const third = event(3);
        const cursor = { from: second.eventId, to: third.eventId };
        assert.equal(await there.webhooks.advance(id, cursor, [third], T), false);
        assert.equal((await here.webhooks.find(id))?.cursor, second.eventId);
      } finally {
        await Promise.all([here.close(), there.close()]);
      }
    });

    test("O25 the backlog has events that the slowest webhook has not read, and deliveries that are due", () =>
      withStore(open, async (store) => {
        const { webhooks } = store;
        assert.deepEqual(await webhooks.backlog(T), { pending: 0, oldest: null });
        const authorId = (await store.users.create(aPerson())).id;
        await store.posts.create({ authorId, title: "t", body: "" });
        assert.deepEqual(await webhooks.backlog(LATER), { pending: 0, oldest: null }, "nobody waits for it");
        const first = await create(store);
        const second = await create(store);
        assert.deepEqual(await webhooks.backlog(LATER), { pending: 0, oldest: null }, "they begin behind it");
        await store.posts.create({ authorId, title: "u", body: "" });
        const written = (await store.outbox.list(first.cursor || null, 10)).at(0);
        assert.deepEqual(await webhooks.backlog(LATER), { pending: 1, oldest: written?.occurredAt });
        const moved = { from: first.cursor, to: written?.id as Id };
        await webhooks.advance(first.id, moved, [], T);
        assert.equal((await webhooks.backlog(LATER)).pending, 1, "the other has not read it");
        await webhooks.advance(second.id, { ...moved, from: second.cursor }, [event(1), event(2)], T);
        assert.deepEqual(await webhooks.backlog(LATER), { pending: 2, oldest: T });
        await webhooks.claim(second.id, { now: T, until: LATER, limit: 1 });
        assert.deepEqual(await webhooks.backlog(T), { pending: 1, oldest: T }, "what is under way does not wait");
        await webhooks.disable(second.id, { disabledAt: T, disabledBy: "administrator" });
        assert.deepEqual(await webhooks.backlog(LATER), { pending: 0, oldest: null });
      }));

    test("F16 each delivery is claimed by one process at a time, however many ask", async () => {
      const [here, there] = await openTwo();
      try {
        const { id } = await create(here);
        const events = Array.from({ length: 30 }, (_, i) => event(i));
        await here.webhooks.advance(id, { from: "", to: NOBODY }, events, T);
        const asking = [here, there, here, there, here, there, here, there].map(({ webhooks }) =>
          webhooks.claim(id, { now: T, until: LATER, limit: 7 }),
        );
        const claimed = (await Promise.all(asking)).flat();
        assert.equal(claimed.length, 30);
        assert.equal(new Set(claimed.map((delivery) => delivery.id)).size, 30);
        assert.deepEqual(await there.webhooks.claim(id, { now: T, until: LATER, limit: 7 }), []);
        // Until the claim is over: then whoever had it is taken to be dead.
        assert.deepEqual(await there.webhooks.listDue(T), []);
        assert.deepEqual(await there.webhooks.listDue(LATER), [id]);
        const [again] = await there.webhooks.claim(id, { now: LATER, until: LATER, limit: 1 });
        const before = claimed.find((delivery) => delivery.id === again?.id);
        assert.ok(again?.claim && before?.claim && again.claim !== before.claim);
        assert.equal(await here.webhooks.settle(again.id, before.claim, FAILED), false);
        assert.equal(await there.webhooks.settle(again.id, again.claim, FAILED), true);
      } finally {
        await Promise.all([here.close(), there.close()]);
      }
    });

    test("an outcome is kept, with what it says of the next attempt; what is given back counts nothing", () =>
      withStore(open, async (store) => {
        const { webhooks } = store;
        const { id } = await create(store);
        await webhooks.advance(id, { from: "", to: NOBODY }, [event(1)], T);
        const claim = async (now: string) => {
          const [delivery] = await webhooks.claim(id, { now, until: LATER, limit: 9 });
          assert.ok(delivery?.claim != null);
          return { ...delivery, claim: delivery.claim };
        };
        const first = await claim(T);
        await webhooks.release(first.id, first.claim, T);
        const second = await claim(T);
        assert.equal(second.attempts, 0);
        assert.equal(await webhooks.settle(second.id, second.claim, FAILED), true);
        const { claim: _, webhookId: __, id: ___, createdAt: ____, ...rest } = (await claim(LATER)) ?? {};
        assert.deepEqual(rest, {
          ...event(1),
          state: "PENDING",
          dueAt: LATER,
          attempts: 1,
          failures: 1,
          lastAttemptAt: T,
          lastStatus: 500,
          lastError: "the receiver answered 500",
        });
      }));

    test("a delivery is sent again from the beginning, but not while it is tried, nor to a disabled webhook", () =>
      withStore(open, async (store) => {
        const { webhooks } = store;
        const { id } = await create(store);
        await webhooks.advance(id, { from: "", to: NOBODY }, [event(1)], T);
        const [delivery] = await webhooks.claim(id, { now: T, until: LATER, limit: 1 });
        assert.ok(delivery?.claim != null);
        await assert.rejects(webhooks.resend(delivery.id, T), hasCode("CONFLICT"));
        await webhooks.settle(delivery.id, delivery.claim, { ...FAILED, state: "FAILED", dueAt: null, failures: 10 });
        assert.deepEqual(await webhooks.listDue(LATER), []);
        const again = await webhooks.resend(delivery.id, T);
        assert.deepEqual([again.state, again.failures, again.attempts, again.dueAt], ["PENDING", 0, 1, T]);
        await webhooks.disable(id, { disabledAt: T, disabledBy: "administrator" });
        await assert.rejects(webhooks.resend(delivery.id, LATER), hasCode("CONFLICT"));
        assert.equal((await webhooks.findDelivery(delivery.id))?.dueAt, T, "a refusal changes nothing");
        assert.deepEqual(await webhooks.listDue(LATER), [], "a disabled webhook has nothing due");
      }));

    test("deliveries are listed newest first, by webhook and state, page by page", () =>
      withStore(open, async (store) => {
        const { webhooks } = store;
        const [one, other] = [await create(store), await create(store)];
        const texts = HARD_TEXTS.filter((text) => !text.includes("\0")).map((text, i) => ({
          ...event(i),
          payload: text,
        }));
        await webhooks.advance(one.id, { from: "", to: NOBODY }, texts, T);
        await webhooks.advance(other.id, { from: "", to: NOBODY }, [event(99)], T);
        const listed = await webhooks.listDeliveries({ webhookId: one.id, limit: 100 });
        assert.deepEqual(
          listed.map(({ payload }) => payload),
          texts.map(({ payload }) => payload).reverse(),
        );
        const after = listed[4]?.id as Id;
        assert.deepEqual(await webhooks.listDeliveries({ webhookId: one.id, after, limit: 3 }), listed.slice(5, 8));
        const [claimed] = await webhooks.claim(one.id, { now: T, until: LATER, limit: 1 });
        assert.ok(claimed?.claim != null);
        await webhooks.settle(claimed.id, claimed.claim, { ...FAILED, state: "DELIVERED", dueAt: null, error: null });
        const delivered = await webhooks.listDeliveries({ state: "DELIVERED", limit: 9 });
        assert.deepEqual(
          delivered.map((delivery) => delivery.id),
          [claimed.id],
        );
        assert.equal((await webhooks.listDeliveries({ limit: 100 })).length, texts.length + 1);
      }));

    test("deliveries go with their webhook, and old ones by themselves, oldest first, within a limit", () =>
      withStore(open, async (store) => {
        const { webhooks } = store;
        const [one, other] = [await create(store), await create(store)];
        await webhooks.advance(one.id, { from: "", to: NOBODY }, [event(1), event(2)], T);
        await webhooks.advance(other.id, { from: "", to: NOBODY }, [event(1), event(2)], T);
        await webhooks.advance(other.id, { from: NOBODY, to: event(3).eventId }, [event(3)], LATER);
        await webhooks.delete(one.id);
        assert.equal(await webhooks.find(one.id), null);
        assert.equal((await webhooks.listDeliveries({ limit: 9 })).length, 3);
        assert.equal(await webhooks.sweep(LATER, 1), 1);
        assert.equal(await webhooks.sweep(LATER, 9), 1);
        assert.equal(await webhooks.sweep(LATER, 9), 0);
        assert.deepEqual(
          (await webhooks.listDeliveries({ limit: 9 })).map(({ eventId }) => eventId),
          [event(3).eventId],
        );
      }));
  });
}

function create(
  store: Store,
  change: { eventTypes?: readonly NewDelivery["eventType"][]; includesUnpublished?: boolean } = {},
) {
  const fields = { url: "https://receiver.example/hook", eventTypes: [], includesUnpublished: false, ...change };
  return store.webhooks.create(fields, { most: 100, seal: (id) => `sealed for ${id}` });
}

function event(number: number): NewDelivery {
  const eventId = `01a21efd-4214-7000-8474-${String(number).padStart(12, "0")}` as Id;
  return { eventId, eventType: "post.created", payload: `{"number":${number}}` };
}
