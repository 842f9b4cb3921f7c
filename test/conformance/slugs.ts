import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Id } from "../../src/domain/id.ts";
import { ALL, type RootSelection } from "../../src/domain/reading/selection.ts";
import type { Store } from "../../src/domain/store/store.ts";
import { aPerson, hasCode, race, withStore, withTwo } from "./samples.ts";
import type { OpenFresh, OpenTwo } from "./store.ts";

const RENDERED = { slug: "title", wordCount: 1, excerpt: "derived", bodyHtml: "<p>derived</p>" };
const COLUMNS = ["slug", "excerpt", "publishAt", "publishAtZone"] as const;

export function slugsConform(open: OpenFresh, openTwo: OpenTwo): void {
  describe("slugs and excerpts that people choose", () => {
    test("S50 a new post has what was chosen; without a choice, what is derived", () =>
      withStore(open, async (store) => {
        const { id: authorId } = await store.users.create(aPerson());
        const written = { authorId, title: "Title", body: "derived", status: "DRAFT", rendered: RENDERED } as const;
        const zone = { publishAt: "2027-01-05T08:00:00.000Z", publishAtZone: "Europe/Berlin" };
        const chosen = await store.posts.create({ ...written, slug: "mine", excerpt: "By hand", ...zone });
        assert.deepEqual(await read(store, chosen), { slug: "mine", excerpt: "By hand", ...zone });
        const plain = await store.posts.create({ ...written, slug: null, excerpt: null });
        const none = { publishAt: null, publishAtZone: null };
        assert.deepEqual(await read(store, plain), { slug: "title", excerpt: "derived", ...none });
      }));

    test("S50 a slug that was chosen stays with every title; without one, it follows until the first publication", () =>
      withStore(open, async (store) => {
        const id = await aDraft(store);
        const rename = (title: string) =>
          store.posts.edit(id, () => ({ event: "post.updated", title, titleSlug: title.toLowerCase() }));
        await rename("Second");
        assert.equal((await read(store, id)).slug, "second");
        await store.posts.edit(id, () => ({ event: "post.updated", slug: "chosen" }));
        await rename("Third");
        assert.equal((await read(store, id)).slug, "chosen");
        await store.posts.edit(id, () => ({ event: "post.updated", slug: null, titleSlug: "third" }));
        assert.equal((await read(store, id)).slug, "third");
        await publish(store, id);
        await rename("Fourth");
        await store.posts.edit(id, () => ({ event: "post.updated", slug: null, titleSlug: "fourth" }));
        assert.equal((await read(store, id)).slug, "third");
        assert.equal(await bySlug(store, "second"), null);
      }));

    test("S50 an excerpt that was written stays with every body; the body's comes back without another rendering", () =>
      withStore(open, async (store) => {
        const id = await aDraft(store);
        const excerptAfter = async (change: object) => {
          await store.posts.edit(id, () => ({ event: "post.updated", ...change }));
          return (await read(store, id)).excerpt;
        };
        const body = (excerpt: string) => ({ body: excerpt, rendered: { ...RENDERED, excerpt } });
        assert.equal(await excerptAfter({ excerpt: "By hand" }), "By hand");
        assert.equal(await excerptAfter(body("newer")), "By hand");
        assert.equal(await excerptAfter({ excerpt: null }), "newer");
        assert.equal(await excerptAfter(body("newest")), "newest");
        assert.equal(await excerptAfter({ excerpt: "" }), "");
        assert.equal(await excerptAfter({ excerpt: null, ...body("last") }), "last");
      }));

    test("S50 the earlier slugs of a published post lead to it, and are nobody else's, until it is deleted", () =>
      withStore(open, async (store) => {
        const id = await aDraft(store);
        await publish(store, id);
        for (const slug of ["second", "third"]) await store.posts.edit(id, () => ({ event: "post.updated", slug }));
        for (const slug of ["title", "second", "third"]) assert.equal(await bySlug(store, slug), id, slug);
        const authorId = (await store.users.findByEmail("ada@example.com"))?.id as Id;
        const other = { authorId, title: "Title", body: "", rendered: RENDERED } as const;
        await assert.rejects(store.posts.create({ ...other, slug: "second" }), hasCode("BAD_USER_INPUT", "input.slug"));
        const derived = await store.posts.create(other);
        assert.equal((await read(store, derived)).slug, `title-${derived.slice(-6)}`);
        for (const slug of ["title", "third"])
          await assert.rejects(
            store.posts.edit(derived, () => ({ event: "post.updated", slug })),
            hasCode("BAD_USER_INPUT", "input.slug"),
          );
        // One's own former slug is free.
        await store.posts.edit(id, () => ({ event: "post.updated", slug: "title" }));
        assert.equal((await read(store, id)).slug, "title");
        assert.equal(await bySlug(store, "third"), id);
        await store.posts.edit(id, () => ({ event: "post.deleted" }));
        assert.equal(await bySlug(store, "second"), null);
        await store.posts.edit(derived, () => ({ event: "post.updated", slug: "second" }));
        assert.equal(await bySlug(store, "second"), derived);
      }));

    test("S50 a draft that nobody sees is not found by its slug, present or former", () =>
      withStore(open, async (store) => {
        const id = await aDraft(store);
        await publish(store, id);
        await store.posts.edit(id, () => ({ event: "post.updated", slug: "second" }));
        await store.posts.edit(id, () => ({ event: "post.unpublished", status: "DRAFT" }));
        for (const slug of ["title", "second"]) {
          assert.equal(await bySlug(store, slug, null), null);
          assert.equal(await bySlug(store, slug, ALL), id);
        }
      }));

    test("S50 of many posts on two nodes that choose one slug, one gets it", () =>
      withTwo(openTwo, async (two) => {
        const [one] = two;
        const { id: authorId } = await one.users.create(aPerson());
        const outcomes = await race(two, (store) =>
          store.posts
            .create({ authorId, title: "Title", body: "", rendered: RENDERED, slug: "wanted" })
            .catch((error: unknown) => error),
        );
        const lost = outcomes.filter((outcome) => typeof outcome !== "string");
        assert.equal(lost.length, outcomes.length - 1);
        for (const error of lost) assert.ok(hasCode("BAD_USER_INPUT", "input.slug")(error), String(error));
        assert.equal(
          await bySlug(one, "wanted"),
          outcomes.find((outcome) => typeof outcome === "string"),
        );
      }));

    test("S50 while posts exchange slugs on two nodes, no slug leads to two posts", () =>
      withTwo(openTwo, async (two) => {
        const [one] = two;
        const ids = [await aDraft(one), await aDraft(one, "ben@example.com", "other")];
        for (const id of ids) await publish(one, id);
        let turn = 0;
        await race(two, async (store) => {
          const id = ids[turn % 2] as Id;
          const slug = `s${turn++ % 5}`;
          await store.posts
            .edit(id, () => ({ event: "post.updated", slug }))
            .catch((error: unknown) => {
              if (!hasCode("BAD_USER_INPUT", "input.slug")(error)) throw error;
            });
        });
        const owners = await Promise.all(ids.map((id) => read(one, id)));
        assert.notEqual(owners[0]?.slug, owners[1]?.slug);
        for (const [i, { slug }] of owners.entries()) assert.equal(await bySlug(one, slug), ids[i]);
        for (const [i, slug] of ["title", "other"].entries()) assert.equal(await bySlug(one, slug), ids[i]);
      }));
  });
}

async function aDraft(store: Store, email = "ada@example.com", slug = "title"): Promise<Id> {
  const { id: authorId } = await store.users.create({ ...aPerson(), email });
  const rendered = { ...RENDERED, slug };
  return store.posts.create({ authorId, title: "Title", body: "derived", status: "DRAFT", rendered });
}

async function publish(store: Store, id: Id): Promise<void> {
  await store.posts.edit(id, () => ({ event: "post.published", status: "PUBLISHED" }));
}

type Values = Record<(typeof COLUMNS)[number], string>;

async function read(store: Store, id: Id): Promise<Values> {
  const fields = COLUMNS.map((column) => ({ kind: "column", key: column, column }) as const);
  const root: RootSelection = {
    kind: "post",
    id: { slot: 0 },
    viewer: { slot: 1 },
    selection: { type: "Post", fields },
  };
  return JSON.parse(await store.prepareRead(root).run([id, ALL]));
}

/** The id of the post with this slug. */
async function bySlug(store: Store, slug: string, viewer: string | null = ALL): Promise<string | null> {
  const fields = [{ kind: "column", key: "id", column: "id" }] as const;
  const root: RootSelection = {
    ...{ kind: "postBySlug", slug: { slot: 0 }, viewer: { slot: 1 } },
    selection: { type: "Post", fields },
  };
  return JSON.parse(await store.prepareRead(root).run([slug, viewer]))?.id ?? null;
}
