import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type {
  DeliveryFilter,
  DeliveryOutcome,
  DeliveryState,
  EventDelivery,
  MadeAttempt,
} from "../../src/domain/events/webhook-delivery.ts";
import { COUNTED_DELIVERIES, KEPT_ATTEMPTS } from "../../src/domain/events/webhook-delivery.ts";
import type { Id } from "../../src/domain/id.ts";
import type { Store } from "../../src/domain/store/store.ts";
import { hasCode, withStore } from "./samples.ts";
import type { OpenFresh, OpenTwo } from "./store.ts";

const MINUTE = 60_000;
const START = Date.parse("2026-01-31T12:00:00.000Z");
const at = (minutes: number) => new Date(START + minutes * MINUTE).toISOString();
const NOBODY = "01a21efd-4214-7000-8474-a0573e6a4ee8" as Id;
const POST = "01a21efd-4214-7000-8474-00000000beef" as Id;

export function webhookListsConform(open: OpenFresh, openTwo: OpenTwo): void {
  describe("deliveries of webhooks", () => {
    test("S86 attempts are kept with the outcome, twenty of each delivery, and go with it", () =>
      withStore(open, async (store) => {
        const { webhooks } = store;
        const id = await create(store);
        await add(store, id, [event(1)], at(0));
        const attempts = KEPT_ATTEMPTS + 3;
        for (let number = 1; number <= attempts; number++) {
          const error = number % 2 === 0 ? null : "no whole answer within 15 s";
          const answer = number % 2 === 0 ? 'Ü "yes" 👍\n' : null;
          await settle(store, id, at(number), "PENDING", { number, answer, error, durationMs: number * 100 });
        }
        const [delivery] = await webhooks.listDeliveries({ limit: 1 });
        assert.ok(delivery !== undefined);
        assert.equal(delivery.attempts, attempts);
        const kept = (await webhooks.listAttempts([delivery.id, NOBODY])).get(delivery.id) ?? [];
        assert.equal(kept.length, KEPT_ATTEMPTS);
        assert.deepEqual(kept[0], {
          startedAt: at(attempts),
          durationMs: attempts * 100,
          status: null,
          answer: null,
          error: "no whole answer within 15 s",
          headers: [{ name: "webhook-id", value: "1" }],
        });
        assert.deepEqual([kept[1]?.answer, kept[1]?.error], ['Ü "yes" 👍\n', null]);
        assert.equal(kept.at(-1)?.startedAt, at(attempts - KEPT_ATTEMPTS + 1));
        await webhooks.sweep(at(1), 10);
        assert.equal((await webhooks.listAttempts([delivery.id])).size, 0);
        await webhooks.delete(id);
        assert.deepEqual(await webhooks.listAttempts([]), new Map());
      }));

    test("S86 an attempt of a process that has lost its claim is not kept", () =>
      withStore(open, async (store) => {
        const { webhooks } = store;
        const id = await create(store);
        await add(store, id, [event(1)], at(0));
        const [first] = await webhooks.claim(id, { now: at(0), until: at(1), limit: 1 });
        const [second] = await webhooks.claim(id, { now: at(1), until: at(2), limit: 1 });
        assert.ok(first?.claim && second?.claim);
        const made = attemptOf(id, { number: 1, answer: "late" });
        assert.equal(await webhooks.settle(first.id, first.claim, outcome("DELIVERED", at(1)), made), false);
        assert.equal((await webhooks.listAttempts([first.id])).size, 0);
        const won = { ...made, answer: "in time" };
        assert.equal(await webhooks.settle(second.id, second.claim, outcome("DELIVERED", at(1)), won), true);
        assert.deepEqual(
          (await webhooks.listAttempts([first.id])).get(first.id)?.map(({ answer }) => answer),
          ["in time"],
        );
      }));

    test("S83 deliveries are found by webhook, state, event, post and time, in every combination, page by page", () => {
      let clock = START;
      return withStore(
        open,
        async (store) => {
          const ids = [await create(store), await create(store)];
          const types = ["post.created", "post.updated", "user.updated"] as const;
          for (let i = 0; i < 36; i++) {
            clock = START + i * MINUTE;
            const eventType = types[i % 3] ?? "post.created";
            const postId = eventType === "user.updated" ? null : i % 2 === 0 ? POST : NOBODY;
            const id = ids[i % 2] as Id;
            await add(store, id, [{ ...event(i), eventType, postId }], at(i));
            const state = (["PENDING", "DELIVERED", "FAILED"] as const)[Math.floor(i / 6) % 3] ?? "PENDING";
            if (state !== "PENDING") await settle(store, id, at(i), state, { number: 1 }, at(i));
          }
          const all = await store.webhooks.listDeliveries({ limit: 100 });
          assert.equal(all.length, 36);
          assert.deepEqual(
            all.map(({ id }) => id),
            all.map(({ id }) => id).toSorted((a, b) => (a < b ? 1 : -1)),
          );
          const posts = new Map(all.map(({ id, eventId, eventType }) => [id, postOf(eventId, eventType)]));
          const choices = {
            webhookId: [undefined, ids[0], NOBODY],
            state: [undefined, "PENDING", "FAILED"],
            eventType: [undefined, "post.updated", "post.deleted"],
            postId: [undefined, POST],
            since: [undefined, at(5)],
            until: [undefined, at(30)],
          };
          for (const filter of combinations(choices) as Omit<DeliveryFilter, "limit">[]) {
            const expected = all
              .filter(
                (each) =>
                  (filter.webhookId ?? each.webhookId) === each.webhookId &&
                  (filter.state ?? each.state) === each.state &&
                  (filter.eventType ?? each.eventType) === each.eventType &&
                  (filter.postId === undefined || posts.get(each.id) === filter.postId) &&
                  (filter.since ?? "") <= each.createdAt &&
                  each.createdAt < (filter.until ?? "9"),
              )
              .map(({ id }) => id);
            const found: Id[] = [];
            for (let after: Id | undefined; ; after = found.at(-1)) {
              const page = await store.webhooks.listDeliveries({ ...filter, after, limit: 5 });
              found.push(...page.map(({ id }) => id));
              if (page.length < 5) break;
            }
            assert.deepEqual(found, expected, JSON.stringify(filter));
          }
        },
        () => clock,
      );
    });

    test("S85 failed deliveries are sent again from a moment on, oldest first, in steps, until none is left", () => {
      let clock = START;
      return withStore(
        open,
        async (store) => {
          const { webhooks } = store;
          const [id, other] = [await create(store), await create(store)];
          for (let i = 0; i < 8; i++) {
            clock = START + i * MINUTE;
            for (const each of [id, other]) {
              await add(store, each, [event(i)], at(i));
              await settle(store, each, at(i), "FAILED", { number: 1 }, at(i));
            }
          }
          clock = START + 10 * MINUTE;
          await add(store, id, [event(99)], at(10));
          const again = (limit: number) => webhooks.resendFailed(id, { since: at(2), limit, now: at(20) });
          assert.deepEqual(await again(0), { found: 6, resent: 0 });
          assert.deepEqual(await again(4), { found: 6, resent: 4 });
          const waiting = await webhooks.listDeliveries({ webhookId: id, state: "PENDING", limit: 9 });
          assert.deepEqual(
            waiting.map(({ createdAt, dueAt, failures, eventId }) => [createdAt, dueAt, failures, eventId]),
            [[at(10), at(10), 0, event(99).eventId], ...[5, 4, 3, 2].map((i) => [at(i), at(20), 0, event(i).eventId])],
          );
          assert.deepEqual(await again(4), { found: 2, resent: 2 });
          assert.deepEqual(await again(4), { found: 0, resent: 0 });
          assert.equal((await webhooks.listDeliveries({ state: "FAILED", limit: 99 })).length, 8 + 2);
          await webhooks.disable(id, { disabledAt: at(20), disabledBy: "administrator" });
          await assert.rejects(again(4), hasCode("CONFLICT"));
          await assert.rejects(
            webhooks.resendFailed(NOBODY, { since: at(0), limit: 1, now: at(0) }),
            hasCode("NOT_FOUND"),
          );
        },
        () => clock,
      );
    });

    test("S85 two who send failed deliveries again at the same time send each once", async () => {
      const [here, there] = await openTwo();
      try {
        const id = await create(here);
        const events = Array.from({ length: 20 }, (_, i) => event(i));
        await add(here, id, events, at(0));
        for (const delivery of await here.webhooks.claim(id, { now: at(0), until: at(1), limit: 20 }))
          await here.webhooks.settle(delivery.id, delivery.claim ?? "", outcome("FAILED", at(0)));
        const request = { since: at(0), limit: 8, now: at(2) };
        const made = await Promise.all(
          [here, there, here, there].map(({ webhooks }) => webhooks.resendFailed(id, request)),
        );
        let resent = made.reduce((sum, each) => sum + each.resent, 0);
        assert.ok(resent >= 8 && resent <= 20);
        while (resent < 20) resent += (await there.webhooks.resendFailed(id, request)).resent;
        assert.equal((await here.webhooks.listDeliveries({ state: "PENDING", limit: 99 })).length, 20);
      } finally {
        await Promise.all([here.close(), there.close()]);
      }
    });

    test("S80 the numbers of a webhook: its last day, what waits, the oldest of it, and since when it fails and why", () => {
      let clock = START;
      return withStore(
        open,
        async (store) => {
          const { webhooks } = store;
          const [id, quiet] = [await create(store), await create(store)];
          const numbers = async (each = id) =>
            (await webhooks.numbers([each], new Date(clock - 24 * 60 * MINUTE).toISOString()))[0];
          const none = { oldestWaitingAt: null, failingSince: null, failingReason: null, waiting: 0 };
          assert.deepEqual(await numbers(), {
            ...{ webhookId: id, ...none },
            lastDay: { delivered: 0, failed: 0, waiting: 0 },
          });
          await add(store, id, [event(0)], at(0));
          clock = START + 24 * 60 * MINUTE + MINUTE;
          const later = 24 * 60 + 1;
          const states = ["DELIVERED", "DELIVERED", "FAILED", "PENDING"] as const;
          for (const [i, state] of states.entries()) {
            await add(store, id, [event(i + 1)], at(later));
            if (state !== "PENDING") await settle(store, id, at(later), state, { number: 1 }, at(later));
          }
          assert.deepEqual(await numbers(), {
            ...{ webhookId: id, waiting: 2, oldestWaitingAt: at(0), failingSince: at(later), failingReason: "no" },
            lastDay: { delivered: 2, failed: 1, waiting: 1 },
          });
          await settle(store, id, at(later + 5), "PENDING", { number: 2, error: "another reason" }, at(later + 5));
          const failing = await numbers();
          assert.deepEqual([failing?.failingSince, failing?.failingReason], [at(later), "another reason"]);
          await settle(store, id, at(later + 9), "DELIVERED", { number: 2, error: null }, at(later + 9));
          const well = await numbers();
          assert.deepEqual([well?.failingSince, well?.failingReason], [null, null]);
          assert.deepEqual((await webhooks.numbers([quiet, id, NOBODY], at(0))).map((each) => each.webhookId).sort(), [
            ...[id, quiet].sort(),
          ]);
          const many = Array.from({ length: COUNTED_DELIVERIES + 2 }, (_, i) => event(1_000 + i));
          await add(store, quiet, many, at(later));
          assert.equal((await numbers(quiet))?.waiting, COUNTED_DELIVERIES + 1);
          assert.deepEqual(await webhooks.numbers([], at(0)), []);
        },
        () => clock,
      );
    });

    test("S81 a webhook is changed in part; another URL does not fail yet, and what waits is due as before", () =>
      withStore(open, async (store) => {
        const { webhooks } = store;
        const id = await create(store);
        await add(store, id, [event(1)], at(0));
        await settle(store, id, at(1), "PENDING", { number: 1 }, at(1));
        const before = await webhooks.find(id);
        const failingSince = async () => (await webhooks.numbers([id], at(0)))[0]?.failingSince;
        const changed = await webhooks.update(id, { eventTypes: ["post.deleted"], includesUnpublished: true });
        assert.deepEqual(changed, { ...before, eventTypes: ["post.deleted"], includesUnpublished: true });
        assert.equal(await failingSince(), at(1));
        assert.deepEqual(await webhooks.update(id, {}), changed);
        const url = "https://other.example/";
        assert.deepEqual(await webhooks.update(id, { url }), { ...changed, url });
        assert.deepEqual(await webhooks.find(id), { ...changed, url });
        assert.equal(await failingSince(), null);
        assert.equal((await webhooks.listDeliveries({ limit: 1 }))[0]?.state, "PENDING");
        await assert.rejects(webhooks.update(NOBODY, { url }), hasCode("NOT_FOUND"));
      }));
  });
}

/** Every choice of one value for each key. */
function combinations(choices: Readonly<Record<string, readonly unknown[]>>): Record<string, unknown>[] {
  return Object.entries(choices).reduce<Record<string, unknown>[]>(
    (all, [key, values]) => all.flatMap((each) => values.map((value) => ({ ...each, [key]: value }))),
    [{}],
  );
}

function postOf(eventId: Id, eventType: string): Id | null {
  if (eventType === "user.updated") return null;
  return Number(eventId.slice(-12)) % 2 === 0 ? POST : NOBODY;
}

async function create(store: Store): Promise<Id> {
  const fields = { url: "https://receiver.example/hook", eventTypes: [], includesUnpublished: false };
  return (await store.webhooks.create(fields, { most: 100, seal: (id) => `sealed for ${id}` })).id;
}

function event(number: number): EventDelivery {
  const eventId = `01a21efd-4214-7000-8474-${String(number).padStart(12, "0")}` as Id;
  return { eventId, eventType: "post.created", payload: `{"number":${number}}` };
}

async function add(store: Store, id: Id, events: readonly EventDelivery[], time: string): Promise<void> {
  const cursor = (await store.webhooks.find(id))?.cursor ?? "";
  const to = events.at(-1)?.eventId ?? NOBODY;
  assert.equal(await store.webhooks.advance(id, { from: cursor, to }, events, time), true);
}

function outcome(state: DeliveryState, time: string, error: string | null = "no"): DeliveryOutcome {
  const isOver = state !== "PENDING";
  return { state, dueAt: isOver ? null : time, failures: 1, attemptAt: time, status: null, error };
}

function attemptOf(webhookId: Id, change: Partial<MadeAttempt>): MadeAttempt {
  const headers = [{ name: "webhook-id", value: "1" }];
  return {
    ...{ webhookId, number: 1, startedAt: at(0), durationMs: 12, status: null, answer: null, error: null, headers },
    ...change,
  };
}

/** Claims the delivery that has been due for longest, and ends the claim. */
async function settle(
  store: Store,
  webhookId: Id,
  time: string,
  state: DeliveryState,
  change: Partial<MadeAttempt>,
  only?: string,
): Promise<void> {
  const due = await store.webhooks.claim(webhookId, { now: time, until: time, limit: 1_000 });
  const delivery = due.filter(({ createdAt }) => only === undefined || createdAt <= only).at(-1);
  assert.ok(delivery?.claim != null, "nothing is due");
  for (const other of due)
    if (other !== delivery) await store.webhooks.release(other.id, other.claim ?? "", other.createdAt);
  const error = state === "DELIVERED" ? null : "no";
  const made = attemptOf(webhookId, { startedAt: time, error, ...change });
  assert.equal(await store.webhooks.settle(delivery.id, delivery.claim, outcome(state, time, made.error), made), true);
}
