import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AppError } from "../../src/domain/errors.ts";
import type { Id } from "../../src/domain/id.ts";
import { ALL, MAX_PREVIEW_LINKS, type RootSelection } from "../../src/domain/reading/selection.ts";
import type { Store } from "../../src/domain/store/store.ts";
import { aPerson, hasCode, withStore } from "./samples.ts";
import type { OpenFresh } from "./store.ts";

const START = Date.parse("2026-01-31T12:00:00Z");
const HOUR = 3_600_000;
const MAY = () => {};

export function previewsConform(open: OpenFresh): void {
  describe("links for previews", () => {
    test("S45 a link is found by the hash of its token until it expires or is revoked, and with its post it goes", async () => {
      let now = START;
      await withStore(
        open,
        async (store) => {
          const { id, authorId } = await aDraft(store);
          const at = () => new Date(now).toISOString();
          const find = (hash: string) => store.previewLinks.find(hash, at());
          const first = await aLink(store, id, "one", authorId);
          await aLink(store, id, "two", null);
          const found = await find("one");
          assert.equal(found?.id, first);
          assert.deepEqual(
            [found?.postId, found?.status, found?.publishedAt, found?.authorName, found?.other],
            [id, "DRAFT", null, "Ada", null],
          );
          assert.equal(found?.own.bodyHtml, "<p>derived</p>");
          assert.equal(await find("three"), null);
          await store.previewLinks.revoke(first, MAY);
          await store.previewLinks.revoke(first, MAY);
          assert.equal(await find("one"), null);
          now += HOUR;
          assert.equal(await find("two"), null);
          assert.equal(await store.previewLinks.sweep(at(), 10), 0);
          now += 1;
          assert.equal(await store.previewLinks.sweep(at(), 1), 1);
          assert.equal(await store.previewLinks.sweep(at(), 10), 1);
          await aLink(store, id, "four", null, now);
          await store.posts.edit(id, () => ({ event: "post.deleted" }));
          assert.equal(await find("four"), null);
          await assert.rejects(store.previewLinks.revoke(first, MAY), hasCode("NOT_FOUND"));
        },
        () => now,
      );
    });

    test("S45 the decision is about the post as it is, and nothing is written where it throws", () =>
      withStore(
        open,
        async (store) => {
          const { id } = await aDraft(store);
          const refuse = () => {
            throw new AppError("FORBIDDEN", "refused");
          };
          const link = { postId: id, tokenHash: "one", createdBy: null, expiresAt: later(START), revision: null };
          await assert.rejects(store.previewLinks.create(link, refuse), hasCode("FORBIDDEN"));
          assert.equal(await store.previewLinks.find("one", new Date(START).toISOString()), null);
          const made = await store.previewLinks.create(link, (post) => assert.equal(post?.id, id));
          await assert.rejects(store.previewLinks.revoke(made, refuse), hasCode("FORBIDDEN"));
          assert.notEqual(await store.previewLinks.find("one", new Date(START).toISOString()), null);
          const missing = "01a21efd-4214-7000-8474-a0573e6a4ee8" as Id;
          await assert.rejects(
            store.previewLinks.create({ ...link, tokenHash: "two", revision: missing }, MAY),
            hasCode("BAD_USER_INPUT", "revision"),
          );
        },
        () => START,
      ));

    test("S45 a link follows the text being written, or stays with its revision", async () => {
      let now = START;
      await withStore(
        open,
        async (store) => {
          const { id, authorId } = await aDraft(store);
          const by = { userId: authorId, clientId: "client" };
          await aLink(store, id, "follows", authorId);
          now += 1_000;
          await store.workingCopies.edit(id, by, () => ({
            kind: "save",
            text: { body: "being written" },
            baseVersion: 1,
          }));
          const shown = async (hash: string) => {
            const found = await store.previewLinks.find(hash, new Date(now).toISOString());
            return found && [found.other?.title, found.other?.body];
          };
          assert.deepEqual(await shown("follows"), ["Title", "being written"]);
          await store.posts.edit(id, () => ({ event: "post.updated", body: "second", by }));
          const [revision] = await revisions(store, id);
          assert.ok(revision);
          const link = { postId: id, tokenHash: "pinned", createdBy: null, expiresAt: later(now), revision };
          await store.previewLinks.create(link, MAY);
          assert.deepEqual(await shown("pinned"), ["Title", "second"]);
          await store.workingCopies.edit(id, by, () => ({ kind: "discard", keepsText: false }));
          assert.deepEqual(await shown("follows"), [undefined, undefined]);
          assert.deepEqual(await shown("pinned"), ["Title", "second"]);
          await store.revisions.sweep(new Date(now + HOUR).toISOString(), 100);
          assert.equal(await shown("pinned"), null);
        },
        () => now,
      );
    });

    test("S45 the last use is noted and never goes back; a post has a bounded number of links", async () => {
      let now = START;
      await withStore(
        open,
        async (store) => {
          const { id } = await aDraft(store);
          const first = await aLink(store, id, "0", null);
          const lastUse = async () => (await store.previewLinks.find("0", new Date(START).toISOString()))?.lastUsedAt;
          assert.equal(await lastUse(), null);
          await store.previewLinks.noteUse(first, "2026-01-31T12:00:10.000Z");
          await store.previewLinks.noteUse(first, "2026-01-31T12:00:05.000Z");
          assert.equal(await lastUse(), "2026-01-31T12:00:10.000Z");
          for (let i = 1; i < MAX_PREVIEW_LINKS; i++) await aLink(store, id, `${i}`, null);
          await assert.rejects(aLink(store, id, "more", null), hasCode("CONFLICT"));
          await store.previewLinks.revoke(first, MAY);
          await aLink(store, id, "more", null);
          now += HOUR;
          await aLink(store, id, "after all have expired", null, now);
        },
        () => now,
      );
    });

    test("S45 a link ends with the right of whoever made it to change the post", () =>
      withStore(
        open,
        async (store) => {
          const { id, authorId } = await aDraft(store);
          const editor = await store.users.create(aPerson({ email: "ben@example.com", role: "editor" }));
          await aLink(store, id, "author's", authorId);
          await aLink(store, id, "editor's", editor.id);
          const isFound = async (hash: string) =>
            (await store.previewLinks.find(hash, new Date(START).toISOString())) !== null;
          assert.deepEqual(await Promise.all(["author's", "editor's"].map(isFound)), [true, true]);
          await store.users.update(editor.id, { role: "member" });
          assert.deepEqual(await Promise.all(["author's", "editor's"].map(isFound)), [true, false]);
          await store.users.update(editor.id, { role: "editor" });
          assert.equal(await isFound("editor's"), true);
          for (const person of [editor.id, authorId])
            await store.users.update(person, { disabledAt: "2026-01-31T12:00:00.000Z" });
          assert.deepEqual(await Promise.all(["author's", "editor's"].map(isFound)), [false, false]);
          await store.users.update(editor.id, { disabledAt: null });
          assert.equal(await isFound("editor's"), true);
          await store.deletions.ask(editor.id, { deletesAt: "2026-01-01T00:00:00.000Z", posts: "keep" });
          await store.deletions.begin(editor.id, later(START));
          assert.equal(await store.deletions.finish(editor.id, later(START), null), true);
          assert.deepEqual([await isFound("editor's"), (await links(store, id, ALL)).length], [false, 1]);
        },
        () => START,
      ));

    test("S45 each publication ends what links from before show of later drafts", () =>
      withStore(
        open,
        async (store) => {
          const { id, authorId } = await aDraft(store);
          const isOver = async (hash: string) =>
            (await store.previewLinks.find(hash, new Date(START).toISOString()))?.wasPublishedSince;
          const publish = () => store.posts.edit(id, () => ({ event: "post.published", status: "PUBLISHED" }));
          await aLink(store, id, "first", authorId);
          await store.posts.edit(id, () => ({ event: "post.updated", title: "Other" }));
          assert.equal(await isOver("first"), false);
          await publish();
          await aLink(store, id, "second", authorId);
          await store.posts.edit(id, () => ({ event: "post.unpublished", status: "DRAFT" }));
          assert.deepEqual([await isOver("first"), await isOver("second")], [true, false]);
          await publish();
          assert.deepEqual([await isOver("first"), await isOver("second")], [true, true]);
        },
        () => START,
      ));

    test("S45 a post lists its good links, newest first, for those who may change it", async () => {
      let now = START;
      await withStore(
        open,
        async (store) => {
          const { id, authorId } = await aDraft(store);
          await store.posts.edit(id, () => ({ event: "post.published", status: "PUBLISHED" }));
          const first = await aLink(store, id, "1", authorId);
          const second = await aLink(store, id, "2", null, now + HOUR);
          const third = await aLink(store, id, "3", authorId);
          const listed = (viewer: string | null) => links(store, id, viewer);
          const ids = async (viewer: string | null) => (await listed(viewer)).map((link) => link.id);
          for (const viewer of [ALL, authorId]) assert.deepEqual(await ids(viewer), [third, second, first]);
          for (const viewer of [null, "01a21efd-4214-7000-8474-a0573e6a4ee8"]) assert.deepEqual(await ids(viewer), []);
          assert.deepEqual((await listed(ALL))[1], {
            ...{ id: second, createdAt: "2026-01-31T12:00:00.000Z", expiresAt: "2026-01-31T14:00:00.000Z" },
            ...{ lastUsedAt: null, revision: null, createdBy: null },
          });
          assert.deepEqual((await listed(ALL))[0]?.createdBy, { name: "Ada" });
          await store.previewLinks.revoke(third, MAY);
          assert.deepEqual(await ids(ALL), [second, first]);
          now += HOUR;
          assert.deepEqual(await ids(ALL), [second]);
        },
        () => now,
      );
    });
  });
}

async function aDraft(store: Store): Promise<{ id: Id; authorId: Id }> {
  const { id: authorId } = await store.users.create({ ...aPerson(), name: "Ada" });
  const rendered = { slug: "title", wordCount: 1, excerpt: "derived", bodyHtml: "<p>derived</p>" };
  const id = await store.posts.create({ authorId, title: "Title", body: "derived", status: "DRAFT", rendered });
  return { id, authorId };
}

function later(now: number): string {
  return new Date(now + HOUR).toISOString();
}

function aLink(store: Store, postId: Id, tokenHash: string, createdBy: Id | null, now = START): Promise<Id> {
  return store.previewLinks.create({ postId, tokenHash, createdBy, expiresAt: later(now), revision: null }, MAY);
}

async function revisions(store: Store, id: Id): Promise<Id[]> {
  const fields = [{ kind: "column", key: "id", column: "id" }] as const;
  const nodes = { kind: "nodes", key: "nodes", selection: { type: "PostRevision", fields } } as const;
  const root: RootSelection = {
    ...{ kind: "post", id: { slot: 0 }, viewer: { slot: 1 } },
    selection: {
      type: "Post",
      fields: [{ kind: "revisions", key: "all", first: { slot: 2 }, list: "revisions", fields: [nodes] }],
    },
  };
  return JSON.parse(await store.prepareRead(root).run([id, ALL, 10])).all.nodes.map((node: { id: Id }) => node.id);
}

async function links(store: Store, id: Id, viewer: string | null): Promise<Record<string, unknown>[]> {
  const columns = ["id", "createdAt", "expiresAt", "lastUsedAt", "revision"] as const;
  const name = { kind: "column", key: "name", column: "name" } as const;
  const root: RootSelection = {
    ...{ kind: "post", id: { slot: 0 }, viewer: { slot: 1 }, now: { slot: 2 } },
    selection: {
      type: "Post",
      fields: [
        {
          kind: "previewLinks",
          key: "links",
          selection: {
            type: "PreviewLink",
            fields: [
              ...columns.map((column) => ({ kind: "column", key: column, column }) as const),
              { kind: "person", key: "createdBy", selection: { type: "User", fields: [name] } },
            ],
          },
        },
      ],
    },
  };
  return JSON.parse(await store.prepareRead(root).run([id, viewer, null])).links;
}
