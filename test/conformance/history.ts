import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AppError } from "../../src/domain/errors.ts";
import type { Id } from "../../src/domain/id.ts";
import type { PostChange } from "../../src/domain/posts/post.ts";
import type { CopyChange } from "../../src/domain/posts/working-copy.ts";
import type { Store } from "../../src/domain/store/store.ts";
import { aPerson, race, withStore, withTwo } from "./samples.ts";
import type { OpenFresh, OpenTwo } from "./store.ts";

const DAY = 86_400_000;
const START = Date.parse("2026-01-31T12:00:00Z");
const FAR_AWAY = "2999-01-01T00:00:00.000Z";

/** Working copies and revisions, as far as GraphQL does not show them. */
export function historyConforms(open: OpenFresh, openTwo: OpenTwo): void {
  describe("working copies and the history of posts", () => {
    test("S33 of fifty first saves on two nodes, each is decided about the copy that is there then", () =>
      withTwo(openTwo, async (two) => {
        const { id, authorId } = await aPost(two[0]);
        const seen: number[] = [];
        await race(two, (store) =>
          store.workingCopies.edit(id, { userId: authorId, clientId: null }, (_, { version }) => {
            seen.push(version);
            return { kind: "save", text: { body: `${version}` }, baseVersion: 1 };
          }),
        );
        const found = await two[1].workingCopies.find(id);
        assert.equal(found?.version, 50);
        assert.equal(found?.text?.body, "49");
        assert.equal(new Set(seen).size, 50);
      }));

    test("S33 what the decision throws is thrown, and nothing is written", () =>
      withStore(open, async (store) => {
        const { id, authorId } = await aPost(store);
        const by = { userId: authorId, clientId: null };
        const refuse = () => {
          throw new AppError("FORBIDDEN", "no");
        };
        await assert.rejects(store.workingCopies.edit(id, by, refuse), /no/);
        await save(store, id, authorId, "text");
        await assert.rejects(store.workingCopies.apply(id, refuse), /no/);
        assert.equal((await store.workingCopies.find(id))?.text?.body, "text");
      }));

    test("S32 a slug and an excerpt that people chose are text; those that are derived are none", () =>
      withStore(open, async (store) => {
        const { id, authorId } = await aPost(store);
        await save(store, id, authorId, "Text");
        const derived = await store.workingCopies.find(id);
        assert.deepEqual(derived?.text, { title: "Title", body: "Text", slug: null, excerpt: null });
        assert.deepEqual(derived?.differing, []);
        await edit(store, id, { event: "post.updated", slug: "chosen", excerpt: "By hand" });
        assert.deepEqual((await store.workingCopies.find(id))?.differing, ["slug", "excerpt"]);
        await store.workingCopies.edit(id, { userId: authorId, clientId: null }, () => ({
          ...{ kind: "discard", keepsText: false },
        }));
        await save(store, id, authorId, "Other");
        const chosen = await store.workingCopies.find(id);
        assert.deepEqual(chosen?.text, { title: "Title", body: "Other", slug: "chosen", excerpt: "By hand" });
        assert.deepEqual(chosen?.differing, ["body"]);
        const texts = (await store.revisions.listOfPerson(authorId, { limit: 10 })).map(({ text }) => text);
        assert.deepEqual(texts, [{ title: "Title", body: "Text", slug: null, excerpt: null }]);
      }));

    test("S40 old texts go after their time, those that were published stay for as long as the post", async () => {
      let now = START;
      await withStore(
        open,
        async (store) => {
          const { id, authorId } = await aPost(store);
          const by = { userId: authorId, clientId: "studio" };
          const step = async (change: PostChange) => {
            now += DAY;
            await store.posts.edit(id, () => ({ ...change, by }));
          };
          await step({ event: "post.updated", body: "1" });
          await step({ event: "post.updated", body: "2" });
          await step({ event: "post.published", status: "PUBLISHED" });
          await step({ event: "post.updated", body: "3" });
          await step({ event: "post.unpublished", status: "DRAFT" });
          await step({ event: "post.updated", body: "4" });
          const list = async () =>
            (await store.revisions.listOfPerson(authorId, { limit: 100 })).map(({ kind, text }) => [kind, text?.body]);
          const published = [
            ["APPLIED", "2"],
            ["PUBLISHED", undefined],
            ["APPLIED", "3"],
          ];
          const all = [
            ["CREATED", "Text"],
            ["APPLIED", "1"],
            ...published,
            ["UNPUBLISHED", undefined],
            ["APPLIED", "4"],
          ];
          assert.deepEqual(await list(), all);
          const until = (days: number) => new Date(START + days * DAY).toISOString();
          assert.equal(await store.revisions.sweep(until(0), 10), 0);
          assert.equal(await store.revisions.sweep(until(1.5), 1), 1);
          assert.equal(await store.revisions.sweep(until(1.5), 10), 1);
          assert.equal(await store.revisions.sweep(until(1.5), 10), 0);
          assert.deepEqual(await list(), all.slice(2));
          assert.equal(await store.revisions.sweep(FAR_AWAY, 10), 2);
          assert.deepEqual(await list(), published);
          // The text that nobody has written down any more is taken down before it changes again.
          await step({ event: "post.updated", body: "5" });
          await step({ event: "post.updated", body: "6" });
          assert.deepEqual((await list()).slice(3), [
            ["APPLIED", "5"],
            ["APPLIED", "6"],
          ]);
          await store.posts.edit(id, () => ({ event: "post.deleted" }));
          assert.deepEqual(await list(), []);
        },
        () => now,
      );
    });

    test("S40 the server itself, such as a schedule, is nobody", () =>
      withStore(open, async (store) => {
        const { id, authorId } = await aPost(store);
        await edit(store, id, { event: "post.published", status: "PUBLISHED" });
        assert.deepEqual(await store.revisions.listOfPerson(authorId, { limit: 10 }), []);
        assert.equal((await lines(store, id)).length, 1);
      }));

    test("S40 the order of the history is that of the changes, whatever the clocks say", async () => {
      let now = START;
      await withStore(
        open,
        async (store) => {
          const { id } = await aPost(store);
          for (let i = 0; i < 4; i++) {
            now -= 60_000;
            await edit(store, id, { event: "post.updated", body: `${i}` });
          }
          assert.deepEqual(await lines(store, id), ["3", "2", "1", "0", "Text"]);
        },
        () => now,
      );
    });

    test("U74 the person of a deleted account is nobody in the history, and the texts stay with their post", () =>
      withStore(open, async (store) => {
        const { id, authorId } = await aPost(store);
        const helper = (await store.users.create(aPerson({ email: "helper@example.com" }))).id;
        const by = { userId: helper, clientId: "studio" };
        await store.posts.edit(id, () => ({ event: "post.updated", body: "Helped", by }));
        await save(store, id, helper, "Being written");
        assert.equal((await store.workingCopies.listOfPerson(helper, { limit: 10 })).length, 1);
        await store.deletions.ask(helper, { deletesAt: "2026-01-01T00:00:00.000Z", posts: "keep" });
        await store.deletions.begin(helper, FAR_AWAY);
        assert.equal(await store.deletions.finish(helper, FAR_AWAY, null), true);
        assert.deepEqual(await store.workingCopies.listOfPerson(helper, { limit: 10 }), []);
        assert.deepEqual(await store.revisions.listOfPerson(helper, { limit: 10 }), []);
        assert.equal((await store.revisions.listOfPerson(authorId, { limit: 10 })).length, 1);
        assert.deepEqual(await lines(store, id), ["Helped", "Text"]);
        assert.equal((await store.workingCopies.find(id))?.text?.body, "Being written");
      }));
  });
}

async function aPost(store: Store) {
  const { id: authorId } = await store.users.create(aPerson());
  const rendered = { slug: "title", wordCount: 1, excerpt: "Text", bodyHtml: "<p>Text</p>" };
  const id = await store.posts.create({ authorId, title: "Title", body: "Text", status: "DRAFT", rendered });
  return { id, authorId };
}

async function save(store: Store, id: Id, userId: Id, body: string): Promise<void> {
  const change = (): CopyChange => ({ kind: "save", text: { body }, baseVersion: 1 });
  await store.workingCopies.edit(id, { userId, clientId: null }, change);
}

async function edit(store: Store, id: Id, change: PostChange): Promise<void> {
  await store.posts.edit(id, () => change);
}

/** Bodies of the history, newest first. */
async function lines(store: Store, id: Id): Promise<(string | null)[]> {
  const body = { kind: "column", key: "body", column: "body" } as const;
  const nodes = { kind: "nodes", key: "nodes", selection: { type: "PostRevision", fields: [body] } } as const;
  const page = { list: "Post.revisions", first: { slot: 1 }, order: { by: "createdAt", descending: true } } as const;
  const read = store.prepareRead({
    kind: "post",
    id: { slot: 0 },
    viewer: { slot: 2 },
    selection: { type: "Post", fields: [{ kind: "revisions", key: "revisions", ...page, fields: [nodes] }] },
  });
  const { revisions } = JSON.parse(await read.run([id, 100, "*"]));
  return revisions.nodes.map((node: { body: string | null }) => node.body);
}
