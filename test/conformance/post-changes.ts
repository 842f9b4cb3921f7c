import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Id } from "../../src/domain/id.ts";
import { KeyInUse, type Once, REMEMBERED_SECONDS } from "../../src/domain/idempotency.ts";
import type { PostChange, PostState } from "../../src/domain/posts/post.ts";
import { publishDuePosts } from "../../src/domain/posts/post-changes.ts";
import { ALL } from "../../src/domain/reading/selection.ts";
import type { PostColumn } from "../../src/domain/reading/stored-fields.ts";
import type { Store } from "../../src/domain/store/store.ts";
import { aClient, aPerson, hasCode, listEvents, withStore } from "./samples.ts";
import type { OpenFresh, OpenTwo } from "./store.ts";

const NOBODY = "01a21efd-4214-7000-8474-a0573e6a4ee8" as Id;
const AT = "2026-01-31T12:00:00.000Z";
const RENDERED = { wordCount: 2, excerpt: "New text", bodyHtml: "<p>New text</p>" };

export function postChangesConform(open: OpenFresh, openTwo: OpenTwo): void {
  describe("changes of posts", () => {
    test("edit writes what was decided, the next version and its event; the rest stays", async () => {
      let now = Date.parse("2026-01-31T12:00:00Z");
      await withStore(
        open,
        async (store) => {
          const { id, authorId } = await draft(store);
          now += 60_000;
          let seen: PostState | null = null;
          await store.posts.edit(id, (post) => {
            seen = post; // asked again after a conflict
            return { event: "post.updated", title: "New", titleSlug: "new", body: "New text", rendered: RENDERED };
          });
          const state = { id, authorId, status: "DRAFT", version: 1, title: "Title", publishAt: null } as const;
          assert.deepEqual(seen, { ...state, updatedAt: "2026-01-31T12:00:00.000Z" });
          const updatedAt = "2026-01-31T12:01:00.000Z";
          assert.deepEqual(await readPost(store, id), {
            title: "New",
            slug: "new",
            body: "New text",
            ...RENDERED,
            status: "DRAFT",
            createdAt: "2026-01-31T12:00:00.000Z",
            updatedAt,
            publishedAt: null,
            publishAt: null,
            version: 2,
          });
          const event = (await store.outbox.list(null, 10)).at(-1);
          assert.equal(event?.type, "post.updated");
          assert.equal(event?.subjectId, id);
          assert.equal(event?.occurredAt, updatedAt);
          assert.deepEqual(JSON.parse(event?.data ?? ""), {
            id,
            authorId,
            title: "New",
            createdAt: "2026-01-31T12:00:00.000Z",
            updatedAt,
            status: "DRAFT",
            previousStatus: "DRAFT",
            version: 2,
          });
        },
        () => now,
      );
    });

    test("the first publication is remembered; then the slug stays, whatever the title", async () => {
      let now = Date.parse("2026-01-31T12:00:00Z");
      await withStore(
        open,
        async (store) => {
          const { id } = await draft(store);
          const published = () => store.posts.edit(id, () => ({ event: "post.published", status: "PUBLISHED" }));
          now += 1_000;
          await published();
          const { publishedAt } = await readPost(store, id);
          assert.equal(publishedAt, "2026-01-31T12:00:01.000Z");
          await store.posts.edit(id, () => ({ event: "post.unpublished", status: "DRAFT" }));
          now += 1_000;
          await published();
          await store.posts.edit(id, () => ({ event: "post.updated", title: "Other", titleSlug: "other" }));
          const after = await readPost(store, id);
          assert.equal(after.publishedAt, publishedAt);
          assert.equal(after.slug, "draft");
          assert.equal(after.title, "Other");
        },
        () => now,
      );
    });

    test("a slug that another post has gets a part of the id; one's own is no other", () =>
      withStore(open, async (store) => {
        const { id: first } = await draft(store, "same");
        const { id } = await draft(store, "other");
        const rename = (post: Id) =>
          store.posts.edit(post, () => ({ event: "post.updated", title: "S", titleSlug: "same" }));
        await rename(first);
        assert.equal((await readPost(store, first)).slug, "same");
        await rename(id);
        assert.equal((await readPost(store, id)).slug, `same-${id.slice(-6)}`);
      }));

    test("a new body of a post from before keeps what is derived from it, also while that is rendered", () =>
      withStore(open, async (store) => {
        const { id: authorId } = await store.users.create(aPerson());
        const id = await store.posts.create({ authorId, title: "Old", body: "Old text" });
        await store.posts.edit(id, () => ({ event: "post.updated", body: "New text", rendered: RENDERED }));
        await store.posts.keepRendered(id, {
          slug: "old",
          wordCount: 9,
          excerpt: "Old text",
          bodyHtml: "<p>Old text</p>",
        });
        const { slug, wordCount, excerpt, bodyHtml } = await readPost(store, id);
        assert.deepEqual({ slug, wordCount, excerpt, bodyHtml }, { slug: "old", ...RENDERED });
      }));

    test("a post that is deleted is gone, and its event says what it was", () =>
      withStore(open, async (store) => {
        const { id } = await draft(store);
        await store.posts.edit(id, () => ({ event: "post.deleted" }));
        assert.equal(await readPost(store, id), null);
        const { type, data } = (await store.outbox.list(null, 10)).at(-1) ?? { data: "null" };
        assert.equal(type, "post.deleted");
        assert.equal(JSON.parse(data).status, "DRAFT");
      }));

    test("what the decision throws is thrown, and nothing is written; nor is anything for null", () =>
      withStore(open, async (store) => {
        const { id } = await draft(store);
        const refusal = new Error("no");
        const refuse = () => {
          throw refusal;
        };
        await assert.rejects(store.posts.edit(id, refuse, once("a")));
        await store.posts.edit(id, () => null);
        let seen: unknown;
        await store.posts.edit(NOBODY, (post) => {
          seen = post;
          return null;
        });
        assert.equal(seen, null);
        assert.equal((await readPost(store, id)).version, 1);
        assert.equal((await listEvents(store)).length, 1);
        assert.deepEqual(await store.idempotency.find("a"), []);
      }));

    test("of changes at the same time, here and in another process, each is made on top of the others", async () => {
      const [near, far] = await openTwo();
      try {
        const { id } = await draft(near);
        const versions: number[] = [];
        const update = (store: Store) =>
          store.posts.edit(id, (post) => {
            versions.push(post?.version ?? 0);
            return { event: "post.updated", title: `${post?.version}` };
          });
        await Promise.all(Array.from({ length: 12 }, (_, i) => update(i % 2 === 0 ? near : far)));
        assert.equal((await readPost(far, id)).version, 13);
        assert.deepEqual(
          [...new Set(versions)].sort((a, b) => a - b),
          Array.from({ length: 12 }, (_, i) => i + 1),
        );
        const events = await listEvents(near);
        assert.deepEqual(
          events.map(({ data }) => JSON.parse(data).version ?? 1),
          Array.from({ length: 13 }, (_, i) => i + 1),
        );
      } finally {
        await Promise.all([near.close(), far.close()]);
      }
    });

    test("drafts are published when their time has come, once, however many processes try", async () => {
      const [near, far] = await openTwo();
      try {
        const { id: authorId } = await near.users.create(aPerson());
        const times = ["2026-03-01T00:00:00.000Z", "2026-02-01T00:00:00.000Z", "2026-04-01T00:00:00.000Z", null];
        const ids: Id[] = [];
        for (const publishAt of times)
          ids.push(await near.posts.create({ authorId, title: "t", body: "", status: "DRAFT", publishAt }));
        assert.deepEqual(await near.posts.listDue("2026-03-01T00:00:00.000Z", 10), [ids[1], ids[0]]);
        assert.deepEqual(await near.posts.listDue("2026-03-01T00:00:00.000Z", 1), [ids[1]]);
        await Promise.all(
          Array.from({ length: 6 }, (_, i) =>
            publishDuePosts((i % 2 ? near : far).posts, "2026-03-01T00:00:00.000Z", 10),
          ),
        );
        const events = (await near.outbox.list(null, 100)).filter(({ type }) => type === "post.published");
        assert.deepEqual(events.map(({ subjectId }) => subjectId).sort(), [ids[0], ids[1]].sort());
        assert.deepEqual(await far.posts.listDue("2026-03-01T00:00:00.000Z", 10), []);
        for (const [index, status] of ["PUBLISHED", "PUBLISHED", "DRAFT", "DRAFT"].entries())
          assert.equal((await readPost(near, ids[index] as Id)).status, status);
      } finally {
        await Promise.all([near.close(), far.close()]);
      }
    });
  });

  describe("changes of profiles", () => {
    test("changeProfile writes the name, the next version and its event", () =>
      withStore(open, async (store) => {
        const { id } = await store.users.create(aPerson());
        await store.users.changeProfile(id, { name: "Augusta" }, null);
        await store.users.changeProfile(id, {}, 2);
        const { name } = (await store.users.find(id)) ?? {};
        assert.equal(name, "Augusta");
        const [event, ...more] = await listEvents(store);
        assert.deepEqual(more, []);
        assert.equal(event?.type, "user.updated");
        assert.deepEqual(JSON.parse(event?.data ?? ""), { id, name, updatedAt: event?.occurredAt, version: 2 });
        const outdated = store.users.changeProfile(id, { name: "A" }, 1);
        await assert.rejects(
          outdated,
          (error) => hasCode("CONFLICT")(error) && (error as KeyInUse).details.version === 2,
        );
        await assert.rejects(store.users.changeProfile(NOBODY, { name: "A" }, null), hasCode("NOT_FOUND"));
      }));
  });

  describe("what is done once", () => {
    test("a change is noted with it; the same again is refused, and changes nothing", () =>
      withStore(open, async (store) => {
        const { id: authorId } = await store.users.create(aPerson());
        const post = { authorId, title: "t", body: "" };
        const id = await store.posts.create(post, once("a"));
        assert.deepEqual(await store.idempotency.find("a"), [
          { field: 0, fingerprint: "print", subjectId: id, answer: null },
        ]);
        const isInUse = (error: unknown) => error instanceof KeyInUse;
        await assert.rejects(store.posts.create(post, once("a")), isInUse);
        const update: PostChange = { event: "post.updated", title: "new" };
        await assert.rejects(
          store.posts.edit(id, () => update, once("a")),
          isInUse,
        );
        await assert.rejects(store.users.changeProfile(authorId, { name: "A" }, null, once("a")), isInUse);
        assert.equal((await listEvents(store)).length, 1);
        await store.posts.edit(id, () => update, once("a", 1));
        await store.posts.edit(id, () => null, once("b"));
        await store.idempotency.keepAnswer("a", 0, '{"data":"ü"}');
        assert.deepEqual(
          (await store.idempotency.find("a")).map(({ field, answer }) => [field, answer]),
          [
            [0, '{"data":"ü"}'],
            [1, null],
          ],
        );
        assert.equal((await store.idempotency.find("b")).length, 1);
      }));

    test("so is each change of administration, with what it changed", () =>
      withStore(open, async (store) => {
        const { users, clients, webhooks, idempotency } = store;
        const { id: userId } = await users.create(aPerson(), once("person"));
        const { id: clientId } = await clients.create(aClient(), once("client"));
        const fields = { url: "https://receiver.example/", eventTypes: [], includesUnpublished: false };
        const make = (key: string) => webhooks.create(fields, { most: 9, seal: () => "sealed", once: once(key) });
        const { id: webhookId, cursor } = await make("webhook");
        const event = { eventId: NOBODY, eventType: "post.created", payload: "{}" } as const;
        await webhooks.advance(webhookId, { from: cursor, to: NOBODY }, [event], AT);
        const [delivery] = await webhooks.listDeliveries({ limit: 1 });
        assert.ok(delivery !== undefined);
        const made = { person: userId, client: clientId, webhook: webhookId };
        for (const [key, id] of Object.entries(made)) assert.equal((await idempotency.find(key))[0]?.subjectId, id);
        const disabled = { disabledAt: AT, disabledBy: "administrator" } as const;
        const changes: [string, (key: string) => Promise<unknown>][] = [
          [userId, (key) => users.update(userId, { role: "editor" }, once(key))],
          [clientId, (key) => clients.update(clientId, { secretHash: key }, once(key))],
          [webhookId, (key) => webhooks.rotate(webhookId, { secret: key, previousUntil: null }, once(key))],
          [delivery.id, (key) => webhooks.resend(delivery.id, AT, once(key))],
          [webhookId, (key) => webhooks.disable(webhookId, disabled, once(key))],
          [webhookId, (key) => webhooks.enable(webhookId, once(key))],
          [webhookId, (key) => webhooks.delete(webhookId, once(key))],
        ];
        const isInUse = (error: unknown) => error instanceof KeyInUse;
        for (const [index, [id, change]] of changes.entries()) {
          await change(`change ${index}`);
          assert.equal((await idempotency.find(`change ${index}`))[0]?.subjectId, id);
          await assert.rejects(change(`change ${index}`), isInUse);
        }
        await assert.rejects(users.create(aPerson({ email: "other@example.com" }), once("person")), isInUse);
        await assert.rejects(clients.create(aClient({ id: "other" }), once("client")), isInUse);
        await assert.rejects(make("webhook"), isInUse);
        assert.deepEqual([(await users.list()).length, (await clients.list()).length], [1, 1]);
        assert.deepEqual(await webhooks.list(), []);
        // What was refused is not noted.
        await assert.rejects(users.update(NOBODY, { role: "editor" }, once("refused")), hasCode("NOT_FOUND"));
        assert.deepEqual(await idempotency.find("refused"), []);
      }));

    test("of the same change at the same time, here and in another process, one is made", async () => {
      const [near, far] = await openTwo();
      try {
        const { id: authorId } = await near.users.create(aPerson());
        const create = (store: Store) => store.posts.create({ authorId, title: "t", body: "" }, once("a"));
        const outcomes = await Promise.allSettled(Array.from({ length: 10 }, (_, i) => create(i % 2 ? near : far)));
        assert.equal(outcomes.filter(({ status }) => status === "fulfilled").length, 1);
        for (const outcome of outcomes)
          if (outcome.status === "rejected") assert.ok(outcome.reason instanceof KeyInUse);
        assert.equal((await listEvents(near)).length, 1);
      } finally {
        await Promise.all([near.close(), far.close()]);
      }
    });

    test("after a day it is forgotten, swept or not", async () => {
      let now = Date.parse("2026-01-31T12:00:00Z");
      await withStore(
        open,
        async (store) => {
          const { id: authorId } = await store.users.create(aPerson());
          const create = (key: string) => store.posts.create({ authorId, title: "t", body: "" }, once(key));
          for (const key of ["a", "b", "c"]) await create(key);
          await store.idempotency.keepAnswer("a", 0, "old");
          now += REMEMBERED_SECONDS * 1_000 - 1_000;
          assert.equal((await store.idempotency.find("a")).length, 1);
          assert.equal(await store.idempotency.sweep(10), 0);
          now += 1_000;
          assert.deepEqual(await store.idempotency.find("a"), []);
          const id = await create("a");
          assert.deepEqual(await store.idempotency.find("a"), [
            { field: 0, fingerprint: "print", subjectId: id, answer: null },
          ]);
          assert.equal(await store.idempotency.sweep(1), 1);
          assert.equal(await store.idempotency.sweep(10), 1);
          assert.equal(await store.idempotency.sweep(10), 0);
          assert.equal((await store.idempotency.find("a")).length, 1);
        },
        () => now,
      );
    });
  });
}

function once(id: string, field = 0): Once {
  return { id, field, fingerprint: "print" };
}

async function draft(store: Store, slug = "draft") {
  const email = `${slug}@example.com`;
  const { id: authorId } = await store.users.create(aPerson({ email }));
  const rendered = { slug, wordCount: 1, excerpt: "Text", bodyHtml: "<p>Text</p>" };
  const id = await store.posts.create({ authorId, title: "Title", body: "Text", status: "DRAFT", rendered });
  return { id, authorId };
}

const COLUMNS: readonly PostColumn[] = [
  "title",
  "slug",
  "body",
  "wordCount",
  "excerpt",
  "bodyHtml",
  "status",
  "createdAt",
  "updatedAt",
  "publishedAt",
  "publishAt",
  "version",
];

async function readPost(store: Store, id: Id) {
  const fields = COLUMNS.map((column) => ({ kind: "column", key: column, column }) as const);
  const read = store.prepareRead({
    kind: "post",
    id: { slot: 0 },
    viewer: { slot: 1 },
    selection: { type: "Post", fields },
  });
  return JSON.parse(await read.run([id, ALL]));
}
