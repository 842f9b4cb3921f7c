import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { revertAgentChanges } from "../../src/domain/agents/revert.ts";
import type { Id } from "../../src/domain/id.ts";
import { restoreDeletedPost } from "../../src/domain/posts/deleted-posts.ts";
import { deletePost } from "../../src/domain/posts/post-changes.ts";
import type { Store } from "../../src/domain/store/store.ts";
import type { Viewer } from "../../src/domain/viewer.ts";
import { aPerson, hasCode, race, withStore, withTwo } from "./samples.ts";
import type { OpenFresh, OpenTwo } from "./store.ts";

const START = Date.parse("2026-01-31T12:00:00Z");
const FAR_AWAY = "2999-01-01T00:00:00.000Z";
const render = async (markdown: string) => ({ html: `<p>${markdown}</p>`, text: markdown });
const RENDERED = { slug: "title", wordCount: 1, excerpt: "Text", bodyHtml: "<p>Text</p>" };

export function deletedPostsConform(open: OpenFresh, openTwo: OpenTwo): void {
  describe("deleted posts", () => {
    test("S43 a deleted post is nowhere but among the deleted ones, and comes back as a draft with all that people wrote", () => {
      let now = START;
      return withStore(
        open,
        async (store) => {
          const author = await aPersonOf(store);
          const id = await aPost(store, author);
          const by = { userId: author, clientId: "studio" };
          await store.posts.edit(id, () => ({ event: "post.updated", slug: "chosen", excerpt: "By hand", by }));
          const text = { title: "Next", body: "Being written" };
          await store.workingCopies.edit(id, by, () => ({ kind: "save", text, baseVersion: 2 }));
          const before = (await own(store, author))[0] ?? assert.fail();
          now += 60_000;
          await deletePost(request(store, viewer(author), id));
          assert.deepEqual(await own(store, author), []);
          assert.deepEqual(await store.posts.listIdsOfAuthor(author, 9), []);
          assert.equal(await store.workingCopies.find(id), null);
          assert.deepEqual(await store.revisions.listOfPerson(author, { limit: 9 }), []);
          const { title, body, createdAt, publishedAt } = before;
          const kept = {
            ...{ id, authorId: author, status: "PUBLISHED", version: 2, createdAt, publishedAt },
            ...{ deletedAt: "2026-01-31T12:01:00.000Z", deletedBy: author },
            ...{ title, body, slug: "chosen", excerpt: "By hand" },
          };
          assert.deepEqual(await store.deletedPosts.find(id), kept);
          assert.deepEqual(await store.deletedPosts.listOfAuthor(author, { limit: 9 }), [kept]);

          const last = (await store.outbox.list(null, 99)).at(-1)?.id ?? null;
          now += 60_000;
          assert.equal(await restore(store, viewer(author), id), id);
          assert.equal(await store.deletedPosts.find(id), null);
          const [after, ...others] = await own(store, author);
          const updatedAt = "2026-01-31T12:02:00.000Z";
          assert.deepEqual(others, []);
          assert.deepEqual(after, { ...before, status: "DRAFT", slug: "chosen", version: 3, updatedAt });
          const events = await store.outbox.list(last, 9);
          assert.deepEqual(
            events.map(({ type, subjectId, data }) => [type, subjectId, JSON.parse(data)]),
            [["post.created", id, { id, authorId: author, title: "Title", createdAt, status: "DRAFT" }]],
          );
          const copy = await store.workingCopies.find(id);
          assert.deepEqual(copy?.text, { ...text, slug: "chosen", excerpt: "By hand" });
          assert.deepEqual(
            (await store.revisions.listOfPerson(author, { limit: 9 })).map(({ kind, version, status }) => [
              ...[kind, version, status],
            ]),
            [
              ["CREATED", 1, "PUBLISHED"],
              ["APPLIED", 2, "PUBLISHED"],
              ["RESTORED", 3, "DRAFT"],
            ],
          );
          assert.equal(await store.revisions.sweep(FAR_AWAY, 9), 0, "what was published stays");
          await assert.rejects(restore(store, viewer(author), id), hasCode("NOT_FOUND"));
        },
        () => now,
      );
    });

    test("S43 a scheduled post comes back without its time, and a draft follows its title again", () =>
      withStore(open, async (store) => {
        const author = await aPersonOf(store);
        const draft = { authorId: author, title: "Title", body: "Text", status: "DRAFT", rendered: RENDERED } as const;
        const id = await store.posts.create({ ...draft, publishAt: FAR_AWAY, publishAtZone: "Europe/Berlin" });
        await deletePost(request(store, viewer(author), id));
        await restore(store, viewer(author), id);
        const [post] = await own(store, author);
        assert.deepEqual(
          [post?.status, post?.publishAt, post?.publishedAt, post?.slug],
          ["DRAFT", null, null, "title"],
        );
        await store.posts.edit(id, () => ({ event: "post.updated", title: "Other", titleSlug: "other" }));
        assert.equal((await own(store, author))[0]?.slug, "other");
      }));

    test("S43 the slug of a deleted post is free, and a post that comes back gets another one if it is taken", () =>
      withStore(open, async (store) => {
        const author = await aPersonOf(store);
        const id = await aPost(store, author);
        await store.posts.edit(id, () => ({ event: "post.updated", slug: "second" }));
        await deletePost(request(store, viewer(author), id));
        const other = { authorId: author, title: "Other", body: "", rendered: RENDERED } as const;
        for (const slug of ["title", "second"]) await store.posts.create({ ...other, slug });
        await restore(store, viewer(author), id);
        const post = (await own(store, author)).find((one) => one.id === id);
        assert.equal(post?.slug, `second-${id.slice(-6)}`);
      }));

    test("S43 for others than its author, editors and administrators, a deleted post does not exist", () =>
      withStore(open, async (store) => {
        const author = await aPersonOf(store);
        const stranger = await aPersonOf(store, "eve@example.com");
        const id = await aPost(store, author);
        const there = await aPost(store, author);
        await deletePost(request(store, viewer(author), id));
        const drafts = { ...viewer(author), scopes: new Set(["posts:draft"]) };
        await assert.rejects(restore(store, drafts, id), hasCode("FORBIDDEN"));
        for (const [who, which] of [
          [viewer(stranger), id],
          [{ ...viewer(stranger), userId: null }, id],
          [viewer(author), there],
          [viewer(author), null],
        ] as const)
          await assert.rejects(restore(store, who, which), hasCode("NOT_FOUND"));
        await restore(store, { ...viewer(stranger), role: "editor" }, id);
        assert.equal((await own(store, author)).length, 2);
      }));

    test("S43 what is old goes for good, a few rows at a time, and nothing else goes with it", () => {
      let now = START;
      return withStore(
        open,
        async (store) => {
          const author = await aPersonOf(store);
          const by = { userId: author, clientId: null };
          const ids: Id[] = [];
          for (const length of [5, 0, 3]) {
            const id = await aPost(store, author);
            ids.push(id);
            for (let i = 0; i < length; i++)
              await store.posts.edit(id, () => ({ event: "post.updated", body: `${i}`, by }));
            await store.workingCopies.edit(id, by, () => ({ kind: "save", text: { body: "c" }, baseVersion: 1 }));
          }
          const [long, short, there] = ids as [Id, Id, Id];
          await deletePost(request(store, viewer(author), long));
          now += 60_000;
          await deletePost(request(store, viewer(author), short));
          const deleted = () => store.deletedPosts.listOfAuthor(author, { limit: 9 });
          const history = async () =>
            (await store.revisions.listOfPerson(author, { limit: 99, ofDeleted: true })).length;
          const before = new Date(START).toISOString();
          assert.equal(await store.deletedPosts.sweep(new Date(START - 1).toISOString(), 9), 0);
          assert.deepEqual((await deleted()).map(({ id }) => id).sort(), [long, short].sort());
          assert.equal(await history(), 6);
          assert.equal(await store.deletedPosts.sweep(before, 2), 2);
          assert.equal(await history(), 4);
          assert.equal(await store.deletedPosts.find(long), null);
          await assert.rejects(restore(store, viewer(author), long), hasCode("NOT_FOUND"));
          while ((await store.deletedPosts.sweep(before, 2)) === 2);
          assert.equal(await history(), 0);
          assert.deepEqual(
            (await deleted()).map(({ id }) => id),
            [short],
          );
          const copies = () => store.workingCopies.listOfPerson(author, { limit: 9 });
          assert.deepEqual((await copies()).map(({ postId }) => postId).sort(), [short, there].sort());
          assert.equal((await store.revisions.listOfPerson(author, { limit: 99 })).length, 4);
          assert.equal(await store.deletedPosts.sweep(FAR_AWAY, 9), 1);
          assert.equal(await store.deletedPosts.sweep(FAR_AWAY, 9), 0);
          assert.deepEqual(await deleted(), []);
          assert.deepEqual(
            (await copies()).map(({ postId }) => postId),
            [there],
          );
        },
        () => now,
      );
    });

    test("S43 of fifty who restore a post on two nodes while it is swept, one has it, or nobody", () =>
      withTwo(openTwo, async (two) => {
        const [one] = two;
        const author = await aPersonOf(one);
        for (const isSwept of [false, true]) {
          const id = await aPost(one, author);
          await one.posts.edit(id, () => ({ event: "post.updated", body: "Other" }));
          await deletePost(request(one, viewer(author), id));
          let turn = 0;
          const outcomes = await race(two, async (store) => {
            turn += 1;
            if (isSwept && turn % 10 === 3) return void (await store.deletedPosts.sweep(FAR_AWAY, 100));
            return restore(store, viewer(author), id).catch((error) => {
              if (hasCode("NOT_FOUND")(error) || hasCode("CONFLICT")(error)) return null;
              throw error;
            });
          });
          const restored = outcomes.filter((outcome) => outcome === id).length;
          const found = await one.workingCopies.find(id);
          assert.equal(restored, found === null ? 0 : 1);
          if (!isSwept) assert.equal(restored, 1);
          const mine = (await one.revisions.listOfPerson(author, { limit: 99 })).filter(({ postId }) => postId === id);
          assert.deepEqual(
            mine.map(({ kind }) => kind),
            found === null ? [] : ["CREATED", "RESTORED"],
          );
        }
      }));

    test("S43 A43 a post that an agent deleted comes back once, by its person or by an administrator, and stays", () =>
      withStore(open, async (store) => {
        const author = await aPersonOf(store);
        const agent: Viewer = { ...viewer(author), clientId: "agent-1", agent: { tool: "d", traceparent: null } };
        const administration = { store, actorId: null, now: Date.now, record: async () => {}, once: undefined };
        const window = { clientId: "agent-1", since: "2020-01-01T00:00:00.000Z" };
        const revert = () => revertAgentChanges(administration, window, { renderMarkdown: render });
        const [first, second] = [await aPost(store, author), await aPost(store, author)];
        for (const id of [first, second]) await deletePost(request(store, agent, id));
        await restore(store, viewer(author), first);
        const { reverted, left } = await revert();
        assert.deepEqual(reverted, [{ postId: second, as: "created-again" }]);
        assert.deepEqual(left, [{ postId: first, reason: "The post is there." }]);
        assert.equal(await store.deletedPosts.sweep(FAR_AWAY, 9), 0);
        assert.deepEqual((await own(store, author)).map(({ id }) => id).sort(), [first, second].sort());
        await assert.rejects(restore(store, viewer(author), second), hasCode("NOT_FOUND"));
      }));

    test("S43 U74 nothing is left of the deleted posts of a person who leaves, and none of them comes back meanwhile", () =>
      withStore(open, async (store) => {
        const author = await aPersonOf(store);
        const editor = await aPersonOf(store, "ed@example.com");
        const boss: Viewer = { ...viewer(editor), role: "editor" };
        const [mine, theirs] = [await aPost(store, author), await aPost(store, editor)];
        await store.posts.edit(mine, () => ({ event: "post.updated", body: "Other" }));
        await deletePost(request(store, viewer(author), mine));
        await deletePost(request(store, boss, theirs));
        const stays = await aPost(store, author);
        await store.deletions.ask(author, { deletesAt: "2026-01-01T00:00:00.000Z", posts: "keep" });
        await assert.rejects(restore(store, boss, mine), hasCode("NOT_FOUND"));
        await store.deletions.begin(author, FAR_AWAY);
        assert.equal(await store.deletedPosts.forgetOfAuthor(author, 1), 1);
        while ((await store.deletedPosts.forgetOfAuthor(author, 1)) > 0);
        assert.equal(await store.deletions.finish(author, FAR_AWAY, null), true);
        assert.equal(await store.deletedPosts.find(mine), null);
        assert.deepEqual(await store.revisions.listOfPerson(author, { limit: 9, ofDeleted: true }), []);
        assert.notEqual(await store.deletedPosts.find(theirs), null);
        // A post that stayed, by a former member now, can be deleted and restored like any other.
        await deletePost(request(store, boss, stays));
        await restore(store, boss, stays);
        assert.equal((await own(store, author)).length, 1);
        await deletePost(request(store, boss, stays));
        await store.deletions.ask(editor, { deletesAt: "2026-01-01T00:00:00.000Z", posts: "keep" });
        await store.deletions.begin(editor, FAR_AWAY);
        await store.deletions.finish(editor, FAR_AWAY, null);
        assert.equal((await store.deletedPosts.find(stays))?.deletedBy, null);
      }));
  });
}

function viewer(userId: Id): Viewer {
  return { userId, role: "member", clientId: "client-1", scopes: new Set(["posts:write"]) };
}

function request(store: Store, by: Viewer, id: Id) {
  return { store, viewer: by, id, expectedVersion: null, once: undefined };
}

function restore(store: Store, by: Viewer, id: Id | null): Promise<Id> {
  return restoreDeletedPost({ store, viewer: by, id, once: undefined }, render);
}

async function aPersonOf(store: Store, email = "ada@example.com"): Promise<Id> {
  return (await store.users.create(aPerson({ email }))).id;
}

function aPost(store: Store, authorId: Id): Promise<Id> {
  return store.posts.create({ authorId, title: "Title", body: "Text", rendered: RENDERED });
}

async function own(store: Store, author: Id) {
  const pages = ["DRAFT", "PUBLISHED", "ARCHIVED"] as const;
  return (await Promise.all(pages.map((status) => store.posts.listOfAuthor(author, { status, limit: 9 })))).flat();
}
