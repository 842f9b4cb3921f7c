import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { Id } from "../../src/domain/id.ts";
import { POST_STATUSES } from "../../src/domain/post-status.ts";
import { ALL, type PostSelection, type RootSelection, type UserSelection } from "../../src/domain/reading/selection.ts";
import { POST_FIELDS, type PostColumn, USER_FIELDS, type UserColumn } from "../../src/domain/reading/stored-fields.ts";
import type { Store } from "../../src/domain/store/store.ts";
import { type Content, expectedJson } from "./expected-json.ts";
import { aPerson, HARD_TEXTS, hasCode, withStore } from "./samples.ts";
import type { OpenFresh } from "./store.ts";

const MISSING = "01a21efd-4214-7000-8474-a0573e6a4ee8";

export function readsConform(open: OpenFresh): void {
  describe("reads", () => {
    test("any selection gives the text that JSON.stringify gives, keys in order", () =>
      withStore(open, async (store) => {
        const content = await fill(store);
        const ids = [
          ...content.users.map((user) => user.id),
          ...content.posts.map((post) => post.id),
          MISSING,
          "",
          "'",
        ];
        const times = content.posts.map((post) => post.createdAt);
        const keys = [...times, ...times.map((time) => `1${time}`), ...HARD_TEXTS, ""];
        const id = fc.constantFrom(...ids);
        const position = fc.tuple(fc.constantFrom(...keys), id);
        await fc.assert(
          fc.asyncProperty(
            rootSelection,
            fc.record({
              id,
              sizes: fc.tuple(first, first, first, first),
              after: position,
              before: position,
              viewer: fc.oneof(id, fc.constantFrom(ALL, null)),
              range: fc.tuple(fc.constantFrom(...times), fc.constantFrom(...times)),
              search: fc.constantFrom("null", "single", "dou*", "leading trailing", "01*", "nowhere"),
              some: fc.array(id, { maxLength: 5 }),
            }),
            async (root, { id, sizes, after, before, viewer, range, search, some }) => {
              const many = [JSON.stringify(some), some.length];
              const values = [id, ...sizes, ...after, ...before, viewer, ...range, search, ...many];
              assert.equal(await store.prepareRead(root).run(values), expectedJson(content, root, values));
            },
          ),
          { numRuns: 600 },
        );
      }));

    test("posts with one timestamp stand in descending order of id, at every depth", async () => {
      const now = Date.parse("2026-01-31T12:00:00Z");
      await withStore(
        open,
        async (store) => {
          const content = await fill(store);
          const posts = { kind: "posts", first: { slot: 0 } } as const;
          const id = { kind: "column", key: "id", column: "id" } as const;
          const mine: UserSelection = {
            type: "User",
            fields: [{ key: "posts", ...posts, selection: { type: "Post", fields: [id] } }],
          };
          const root: RootSelection = {
            ...posts,
            selection: { type: "Post", fields: [id, { kind: "author", key: "author", selection: mine }] },
          };
          const text = await store.prepareRead(root).run([100]);
          assert.equal(text, expectedJson(content, root, [100]));
          const ids = (JSON.parse(text) as { id: string }[]).map((post) => post.id);
          assert.deepEqual(ids, ids.toSorted().reverse());
        },
        () => now,
      );
    });

    test("null for a missing object, [] for an empty list, the limit kept", () =>
      withStore(open, async (store) => {
        const title = { kind: "column", key: "title", column: "title" } as const;
        const selection: PostSelection = { type: "Post", fields: [title] };
        const list = store.prepareRead({ kind: "posts", first: { slot: 0 }, selection });
        const post = store.prepareRead({ kind: "post", id: { slot: 0 }, selection });
        const user = store.prepareRead({
          kind: "user",
          id: { slot: 1 },
          selection: { type: "User", fields: [{ kind: "posts", key: "posts", first: { slot: 0 }, selection }] },
        });
        assert.equal(await list.run([10]), "[]");
        for (const id of [MISSING, "", "'; --", null, "\ud800", "a\0b"]) {
          assert.equal(await post.run([id]), "null");
          assert.equal(await user.run([5, id]), "null");
        }
        const { id: authorId } = await store.users.create(aPerson());
        assert.equal(await user.run([5, authorId]), '{"posts":[]}');
        for (const text of ["1", "2", "3"]) await store.posts.create({ authorId, title: text, body: "" });
        for (let first = 0; first < 40; first++) {
          const titles = ["3", "2", "1"].slice(0, first).map((text) => ({ title: text }));
          assert.equal(await list.run([first]), JSON.stringify(titles));
        }
        assert.equal(await list.run([2]), '[{"title":"3"},{"title":"2"}]');
        assert.equal(await user.run([1, authorId]), '{"posts":[{"title":"3"}]}');
      }));

    test("a read after a resolved write sees it", () =>
      withStore(open, async (store) => {
        const { id: authorId } = await store.users.create(aPerson());
        const fields = [{ kind: "column", key: "title", column: "title" }] as const;
        const list = store.prepareRead({ kind: "posts", first: { slot: 0 }, selection: { type: "Post", fields } });
        for (let i = 0; i < 50; i++) {
          await list.run([1]);
          const [id] = await Promise.all([store.posts.create({ authorId, title: `${i}`, body: "" }), list.run([1])]);
          assert.equal(await list.run([1]), `[{"title":"${i}"}]`, id);
        }
      }));

    test("I07 hundreds of fields, twenty levels; one level more is BAD_REQUEST", () =>
      withStore(open, async (store) => {
        const content = await fill(store);
        const id = content.users[0]?.id ?? "";
        const fields = Array.from({ length: 1_500 }, (_, i) => ({
          kind: "column" as const,
          key: `key${i}`,
          column: i % 2 === 0 ? ("name" as const) : ("email" as const),
        }));
        const wide: RootSelection = { kind: "user", id: { slot: 0 }, selection: { type: "User", fields } };
        assert.equal(await store.prepareRead(wide).run([id]), expectedJson(content, wide, [id]));

        const deepest = nested(20);
        assert.equal(await store.prepareRead(deepest).run([3]), expectedJson(content, deepest, [3]));
        assert.throws(() => store.prepareRead(nested(21)), hasCode("BAD_REQUEST"));
      }));
  });
}

/** Posts whose authors whose posts …, so many objects deep. */
function nested(depth: number): RootSelection {
  const posts = (levels: number): PostSelection => ({
    type: "Post",
    fields: [
      { kind: "column", key: "title", column: "title" },
      ...(levels > 1 ? [{ kind: "author" as const, key: "author", selection: author(levels - 1) }] : []),
    ],
  });
  const author = (levels: number): UserSelection => ({
    type: "User",
    fields: [
      { kind: "column", key: "name", column: "name" },
      ...(levels > 1
        ? [{ kind: "posts" as const, key: "posts", first: { slot: 0 }, selection: posts(levels - 1) }]
        : []),
    ],
  });
  return { kind: "posts", first: { slot: 0 }, selection: posts(depth) };
}

/** People with none, one and many posts, in every hard text. */
async function fill(store: Store): Promise<Content> {
  const content: Content = { users: [], posts: [] };
  for (const [i, text] of HARD_TEXTS.entries()) {
    content.users.push(await store.users.create(aPerson({ name: text, email: `${i}${text}@example.com` })));
  }
  for (const [i, user] of content.users.entries()) {
    for (let n = 0; n < i % 5; n++) {
      const title = HARD_TEXTS[(i * 3 + n) % HARD_TEXTS.length] ?? "";
      const body = `${title}\n${n}`;
      const status = POST_STATUSES[content.posts.length % 6] ?? "PUBLISHED";
      const id = await store.posts.create({ authorId: user.id as Id, title, body, status });
      content.posts.push({ id, authorId: user.id, title, body, status, createdAt: "" });
    }
  }
  for (const event of await store.outbox.list(null, 1_000)) {
    const index = content.posts.findIndex(({ id }) => id === event.subjectId);
    const post = content.posts[index];
    if (post !== undefined) content.posts[index] = { ...post, createdAt: event.occurredAt };
  }
  return content;
}

const first = fc.integer({ min: 0, max: 7 });
const key = fc.stringMatching(/^[_A-Za-z][_0-9A-Za-z]{0,6}$/);
const constant = key.map((name) => ({ kind: "constant" as const, key: name, value: `Type "${name}' \\` }));
const slot = fc.integer({ min: 1, max: 4 }).map((number) => ({ slot: number }));

const postPage = {
  first: slot,
  ...pageOf(fc.constantFrom("createdAt" as const, "updatedAt" as const, "publishedAt" as const)),
  filter: optional(
    fc.record(
      {
        statuses: fc.subarray([...POST_STATUSES]),
        author: fc.constant({ slot: 0 }),
        createdFrom: fc.constant({ slot: 10 }),
        createdUntil: fc.constant({ slot: 11 }),
        updatedFrom: fc.constant({ slot: 10 }),
        updatedUntil: fc.constant({ slot: 11 }),
      },
      { requiredKeys: [] },
    ),
  ),
};
const searchPage = {
  first: slot,
  ...pageOf(fc.constantFrom("createdAt" as const, "relevance" as const)),
  filter: fc.record({ search: fc.constant({ slot: 12 }), statuses: fc.subarray([...POST_STATUSES], { minLength: 1 }) }),
};
const userPage = { first: slot, ...pageOf(fc.constantFrom("createdAt" as const, "name" as const)) };

const { user, post } = fc.letrec<{ user: UserSelection; post: PostSelection }>((tie) => ({
  user: fc.record({
    type: fc.constant("User" as const),
    fields: uniqueKeys(
      fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        fc.record({
          kind: fc.constant("column" as const),
          key,
          column: fc.constantFrom(...(Object.keys(USER_FIELDS) as UserColumn[])),
        }),
        constant,
        pageRecord({ kind: fc.constant("posts" as const), key, ...postPage, selection: tie("post") }),
        pageRecord({
          kind: fc.constant("postsConnection" as const),
          key,
          ...postPage,
          ...connectionOf("User.posts", tie("post")),
        }),
      ),
    ),
  }),
  post: fc.record({
    type: fc.constant("Post" as const),
    fields: uniqueKeys(
      fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        fc.record({
          kind: fc.constant("column" as const),
          key,
          column: fc.constantFrom(...(Object.keys(POST_FIELDS) as PostColumn[])),
        }),
        constant,
        fc.record({ kind: fc.constant("author" as const), key, selection: tie("user") }),
      ),
    ),
  }),
}));

const byId = { id: fc.constant({ slot: 0 }), viewer: optional(fc.constant({ slot: 9 })) };
const viewer = { viewer: optional(fc.constant({ slot: 9 })) };

const rootSelection: fc.Arbitrary<RootSelection> = fc.oneof(
  pageRecord({ kind: fc.constant("user" as const), ...byId, selection: user }),
  pageRecord({ kind: fc.constant("post" as const), ...byId, selection: post }),
  pageRecord({ kind: fc.constant("node" as const), ...byId, user, post }),
  pageRecord({
    kind: fc.constant("nodes" as const),
    ids: fc.constant({ slot: 13 }),
    count: fc.constant({ slot: 14 }),
    ...viewer,
    user,
    post,
  }),
  ...[postPage, searchPage].flatMap((page) => [
    pageRecord({ kind: fc.constant("posts" as const), ...page, ...viewer, selection: post }),
    pageRecord({
      kind: fc.constant("postsConnection" as const),
      ...page,
      ...viewer,
      ...connectionOf("posts.any.desc", post),
    }),
  ]),
  pageRecord({ kind: fc.constant("users" as const), ...userPage, ...viewer, selection: user }),
  pageRecord({
    kind: fc.constant("usersConnection" as const),
    ...userPage,
    ...viewer,
    ...connectionOf("users", user),
  }),
) as fc.Arbitrary<RootSelection>;

function optional<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.option(arbitrary, { nil: undefined });
}

function pageOf<Key extends string>(by: fc.Arbitrary<Key>) {
  return {
    order: optional(fc.record({ by, descending: fc.boolean() })),
    after: optional(fc.constant({ key: { slot: 5 }, id: { slot: 6 } })),
    before: optional(fc.constant({ key: { slot: 7 }, id: { slot: 8 } })),
  };
}

/** A record without the keys that came out undefined. */
// biome-ignore lint/suspicious/noExplicitAny: whoever calls it knows what it makes
function pageRecord(model: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<any> {
  return fc
    .record(model)
    .map((record) => Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)));
}

function connectionOf<Selection>(list: string, selection: fc.Arbitrary<Selection>) {
  const plain = <Kind extends string>(...kinds: Kind[]) => fc.record({ kind: fc.constantFrom(...kinds), key });
  const node = fc.record({ kind: fc.constant("node" as const), key, selection });
  const edge = uniqueKeys(fc.oneof(constant, plain("cursor"), node));
  const info = uniqueKeys(fc.oneof(constant, plain("hasNextPage", "hasPreviousPage", "startCursor", "endCursor")));
  return {
    list: fc.constant(list),
    fromEnd: optional(fc.constant(true as const)),
    fields: uniqueKeys(
      fc.oneof(
        constant,
        plain("totalCount"),
        fc.record({ kind: fc.constant("nodes" as const), key, selection }),
        fc.record({ kind: fc.constant("edges" as const), key, fields: edge }),
        fc.record({ kind: fc.constant("pageInfo" as const), key, fields: info }),
      ),
    ),
  };
}

function uniqueKeys<T extends { readonly key: string }>(field: fc.Arbitrary<T>): fc.Arbitrary<T[]> {
  return fc.uniqueArray(field, { maxLength: 5, selector: (one) => one.key });
}
