import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import { openChores } from "../../src/app/chores.ts";
import type { Id } from "../../src/domain/id.ts";
import type { Store } from "../../src/domain/store/store.ts";
import { openStore } from "../../src/storage/open.ts";
import { openTestApp } from "../app.ts";
import { aPerson } from "../conformance/samples.ts";

const QUIET = { debug() {}, info() {}, error() {} };

/** Tables in which nothing has expired. */
const EMPTY = {
  plannedUpdates: { listDue: async () => [] },
  idempotency: { sweep: async () => 0 },
  webhooks: { sweep: async () => 0 },
  artifacts: { sweep: async () => 0, sweepPending: async () => 0 },
  attempts: { sweep: async () => 0 },
  audit: { sweep: async () => 0 },
};

const options = {
  sealer: null,
  renderMarkdown: async (text: string) => ({ html: text, text }),
  config: { WEBHOOK_DAYS: 30, AUDIT_DAYS: 90, REVISION_DAYS: 365, DELETED_DAYS: 30 },
  now: () => 0,
  deleteDueAccounts: async () => 0,
};

describe("what happens by itself", () => {
  test("the program publishes a draft within seconds after its time", async () => {
    const app = await openTestApp();
    const store = await openStore(app.config.DATABASE_URL);
    try {
      const { id: authorId } = await store.users.create(aPerson());
      const draft = { authorId, title: "t", body: "", status: "DRAFT" } as const;
      const due = await store.posts.create({ ...draft, publishAt: new Date(Date.now() + 200).toISOString() });
      await store.posts.create({ ...draft, publishAt: new Date(Date.now() + 3_600_000).toISOString() });
      const published = async () =>
        (await store.outbox.list(null, 100)).filter(({ type }) => type === "post.published");
      for (const deadline = Date.now() + 30_000; (await published()).length === 0; await pause(50))
        assert.ok(Date.now() < deadline, "it is still a draft");
      assert.deepEqual(
        (await published()).map(({ subjectId }) => subjectId),
        [due],
      );
    } finally {
      await store.close();
      await app.close();
    }
  });

  test("F09 a database that is away for a while is no end of it, and told of once", async (t) => {
    t.mock.timers.enable({ apis: ["setInterval"] });
    const warnings: string[] = [];
    let isAway = true;
    const looks: string[] = [];
    const posts: Partial<Store["posts"]> = {
      listUnrendered: async () => [],
      reindex: async () => 0,
      listDue: async (now) => {
        looks.push(now);
        if (isAway) throw new Error("away");
        return [];
      },
    };
    const log = { ...QUIET, warn: (_: object, message: string) => void warnings.push(message) };
    const chores = openChores({ ...options, store: { ...EMPTY, posts } as unknown as Store, log });
    const second = async () => {
      t.mock.timers.tick(1_000);
      await nextTurn();
    };
    for (let i = 0; i < 3; i++) await second();
    assert.deepEqual(
      looks,
      Array.from({ length: 3 }, () => "1970-01-01T00:00:00.000Z"),
    );
    assert.deepEqual(warnings, ["drafts wait for now"]);
    isAway = false;
    await second();
    isAway = true;
    await second();
    assert.equal(warnings.length, 2);
    await chores.close();
    await second();
    assert.equal(looks.length, 5);
  });

  test("more than one step has at a time is done in steps, one after the other", async (t) => {
    t.mock.timers.enable({ apis: ["setInterval"] });
    const steps: number[] = [];
    let left = 250;
    let isBusy = false;
    const idempotency: Partial<Store["idempotency"]> = {
      sweep: async (limit) => {
        assert.equal(isBusy, false);
        isBusy = true;
        await nextTurn();
        isBusy = false;
        const swept = Math.min(limit, left);
        left -= swept;
        steps.push(swept);
        return swept;
      },
    };
    const posts: Partial<Store["posts"]> = { listDue: async (): Promise<Id[]> => [], listUnrendered: async () => [] };
    const beforeTimes: string[] = [];
    const webhooks: Partial<Store["webhooks"]> = {
      sweep: async (before) => {
        beforeTimes.push(before);
        return 0;
      },
    };
    const log = { ...QUIET, warn() {} };
    const chores = openChores({
      ...options,
      store: { ...EMPTY, posts, idempotency, webhooks } as unknown as Store,
      log,
    });
    t.mock.timers.tick(60_000);
    t.mock.timers.tick(60_000);
    while (steps.length < 3) await nextTurn();
    await chores.close();
    assert.deepEqual(steps, [100, 100, 50]);
    assert.equal(beforeTimes[0], "1969-12-02T00:00:00.000Z", "deliveries of thirty days are kept");
  });

  test("U72 every minute accounts whose time has come are deleted, until none is left", async (t) => {
    t.mock.timers.enable({ apis: ["setInterval"] });
    const limits: number[] = [];
    const store = { ...EMPTY, posts: { listDue: async () => [], listUnrendered: async () => [] } } as unknown as Store;
    const deleteDueAccounts = async (limit: number) => {
      limits.push(limit);
      return limits.length === 1 ? limit : 3;
    };
    const chores = openChores({ ...options, store, deleteDueAccounts, log: { ...QUIET, warn() {} } });
    t.mock.timers.tick(59_000);
    assert.deepEqual(limits, []);
    t.mock.timers.tick(1_000);
    for (let i = 0; i < 10; i++) await nextTurn();
    await chores.close();
    assert.deepEqual(limits, [100, 100]);
  });

  test("every minute, artifacts are removed a day after they expired, attempts when they did, audit events after their days", async (t) => {
    t.mock.timers.enable({ apis: ["setInterval"] });
    const swept: unknown[] = [];
    const sweep = (name: string) => async (before: unknown, limit: unknown) => {
      swept.push([name, before, limit]);
      return 0;
    };
    const store = {
      ...EMPTY,
      posts: { listDue: async () => [], listUnrendered: async () => [] },
      artifacts: { sweep: sweep("artifacts") },
      attempts: { sweep: sweep("attempts") },
      audit: { sweep: sweep("audit") },
    } as unknown as Store;
    const chores = openChores({ ...options, store, log: { ...QUIET, warn() {} } });
    t.mock.timers.tick(60_000);
    await chores.close();
    assert.deepEqual(swept, [
      ["artifacts", -86_400, 1_000],
      ["attempts", 0, 1_000],
      ["audit", "1969-10-03T00:00:00.000Z", 1_000],
    ]);
  });
});
