import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ContentEvent } from "../../src/domain/events/event.ts";
import { type Id, parseId } from "../../src/domain/id.ts";
import type { ReadBack } from "../../src/domain/reading/prepared-read.ts";
import type { Store } from "../../src/domain/store/store.ts";
import { aPerson, HARD_TEXTS, hasCode, listEvents, withStore } from "./samples.ts";
import type { OpenFresh } from "./store.ts";

export function postsConform(open: OpenFresh): void {
  describe("posts and the outbox", () => {
    test("create writes the post and its event", () =>
      withStore(
        open,
        async (store) => {
          const author = await store.users.create(aPerson());
          const id = await store.posts.create({ authorId: author.id, title: "Title", body: "Body" });
          assert.notEqual(parseId(id), null);
          const createdAt = "2026-01-31T12:00:00.000Z";
          assert.deepEqual(await readPost(store, id), { id, title: "Title", body: "Body", createdAt });
          const [event, ...others] = await listEvents(store);
          assert.deepEqual(others, []);
          assert.ok(event);
          const { id: eventId, data, ...rest } = event;
          assert.notEqual(parseId(eventId), null);
          assert.deepEqual(rest, { type: "post.created", subjectId: id, occurredAt: createdAt });
          assert.deepEqual(JSON.parse(data), {
            id,
            authorId: author.id,
            title: "Title",
            createdAt,
            status: "PUBLISHED",
          });
        },
        () => Date.parse("2026-01-31T12:00:00Z"),
      ));

    test("I17 the answer to a creation and to a change is read within its transaction", () =>
      withStore(open, async (store) => {
        const { id: authorId } = await store.users.create(aPerson());
        const reads = (["title", "version"] as const).map((column) =>
          store.prepareRead({
            kind: "post",
            id: { slot: 0 },
            selection: { type: "Post", fields: [{ kind: "column", key: column, column }] },
          }),
        );
        const answers = Array.from({ length: 4 }, (): ReadBack => ({ reads, valuesFor: (id) => [id], json: null }));
        const [plain, keyed, changed, unchanged] = answers;
        const once = { id: "once", field: 0, fingerprint: "f" };
        const id = await store.posts.create({ authorId, title: "plain", body: "" }, undefined, plain);
        await store.posts.create({ authorId, title: "keyed", body: "" }, once, keyed);
        await store.posts.edit(id, () => ({ event: "post.updated", title: "changed" }), undefined, changed);
        await store.posts.edit(id, () => null, undefined, unchanged);
        assert.deepEqual(
          answers.map(({ json }) => json),
          [
            ['{"title":"plain"}', '{"version":1}'],
            ['{"title":"keyed"}', '{"version":1}'],
            ['{"title":"changed"}', '{"version":2}'],
            ['{"title":"changed"}', '{"version":2}'],
          ],
        );
      }));

    test("I17 the answer to a new name, and to none, is read within its transaction", () =>
      withStore(open, async (store) => {
        const { id } = await store.users.create(aPerson());
        const columns = (["name", "version"] as const).map(
          (column) => ({ kind: "column", key: column, column }) as const,
        );
        const read = store.prepareRead({
          kind: "user",
          id: { slot: 0 },
          selection: { type: "User", fields: columns },
        });
        for (const change of [{ name: "Augusta" }, {}]) {
          const answer: ReadBack = { reads: [read], valuesFor: (own) => [own], json: null };
          await store.users.changeProfile(id, change, null, undefined, answer);
          assert.deepEqual(answer.json, ['{"name":"Augusta","version":2}']);
        }
      }));

    test("the newest event is told by its id; what is written after it comes after it", () =>
      withStore(open, async (store) => {
        assert.equal(await store.outbox.last(), null);
        const { id: authorId } = await store.users.create(aPerson());
        await store.posts.create({ authorId, title: "first", body: "" });
        const last = await store.outbox.last();
        assert.equal((await store.outbox.list(null, 10)).at(-1)?.id, last);
        const id = await store.posts.create({ authorId, title: "second", body: "" });
        assert.deepEqual(
          (await store.outbox.list(last, 10)).map(({ subjectId }) => subjectId),
          [id],
        );
      }));

    test("create for a missing author is NOT_FOUND and leaves nothing", () =>
      withStore(open, async (store) => {
        const authorId = "01a21efd-4214-7000-8474-a0573e6a4ee8" as Id;
        await assert.rejects(store.posts.create({ authorId, title: "t", body: "" }), hasCode("NOT_FOUND"));
        assert.deepEqual(await store.outbox.list(null, 10), []);
        assert.equal(await listPosts(store), "[]");
      }));

    test("ids ascend in the order of creation, within one millisecond and with the clock running backwards", async () => {
      let now = Date.parse("2026-01-31T12:00:00Z");
      await withStore(
        open,
        async (store) => {
          const { id: authorId } = await store.users.create(aPerson());
          const ids: string[] = [];
          for (let i = 0; i < 60; i++) {
            if (i > 30) now -= 1_000;
            ids.push(await store.posts.create({ authorId, title: `${i}`, body: "" }));
          }
          assert.deepEqual(ids.toSorted(), ids);
          const events = await listEvents(store);
          assert.deepEqual(
            events.map((event) => event.subjectId),
            ids,
          );
        },
        () => now,
      );
    });

    test("the outbox goes on after the last event seen, oldest first", () =>
      withStore(open, async (store) => {
        const { id: authorId } = await store.users.create(aPerson());
        let after = await store.outbox.last();
        const ids: Id[] = [];
        for (let i = 0; i < 25; i++) ids.push(await store.posts.create({ authorId, title: `${i}`, body: "" }));
        const pages = [];
        for (;;) {
          const events: ContentEvent[] = await store.outbox.list(after, 10);
          if (events.length === 0) break;
          pages.push(events.map((event) => event.subjectId));
          after = events.at(-1)?.id ?? null;
        }
        assert.deepEqual(pages, [ids.slice(0, 10), ids.slice(10, 20), ids.slice(20)]);
      }));

    test("who follows the outbox while many write sees each event once", () =>
      withStore(open, async (store) => {
        const { id: authorId } = await store.users.create(aPerson());
        let writing = true;
        const seen: ContentEvent[] = [];
        const following = (async () => {
          for (;;) {
            const isLast = !writing;
            const events = await store.outbox.list(seen.at(-1)?.id ?? null, 7);
            seen.push(...events);
            if (events.length === 0 && isLast) return;
            await new Promise(setImmediate);
          }
        })();
        const ids: string[] = [authorId];
        const write = async () => {
          for (let i = 0; i < 12; i++) ids.push(await store.posts.create({ authorId, title: `${i}`, body: "" }));
        };
        await Promise.all(Array.from({ length: 12 }, write));
        writing = false;
        await following;
        assert.deepEqual(seen.map((event) => event.subjectId).toSorted(), ids.toSorted());
        assert.deepEqual(seen, await store.outbox.list(null, 1_000));
      }));

    test("I10 I01 title and body come back byte for byte, whatever they say", () =>
      withStore(open, async (store) => {
        const { id: authorId } = await store.users.create(aPerson());
        for (const text of [...HARD_TEXTS, "x".repeat(1_048_576), ""]) {
          const title = text.slice(0, 300);
          const id = await store.posts.create({ authorId, title, body: text });
          const post = await readPost(store, id);
          assert.equal(post.title, title);
          assert.equal(post.body, text);
        }
        assert.equal((await listEvents(store)).length, HARD_TEXTS.length + 2);
      }));
  });
}

async function readPost(store: Store, id: Id) {
  const read = store.prepareRead({
    kind: "post",
    id: { slot: 0 },
    selection: {
      type: "Post",
      fields: (["id", "title", "body", "createdAt"] as const).map((column) => ({
        kind: "column",
        key: column,
        column,
      })),
    },
  });
  return JSON.parse(await read.run([id])) as Record<string, string>;
}

async function listPosts(store: Store): Promise<string> {
  const fields = [{ kind: "column", key: "id", column: "id" }] as const;
  return store.prepareRead({ kind: "posts", first: { slot: 0 }, selection: { type: "Post", fields } }).run([100]);
}
