import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Id } from "../../src/domain/id.ts";
import type { RootSelection } from "../../src/domain/reading/selection.ts";
import type { Store } from "../../src/domain/store/store.ts";
import { aPerson } from "./samples.ts";
import type { OpenTwo } from "./store.ts";

const WRITERS = 6;
const MILLISECONDS = 1_500;

/** The list from its oldest entry on, after the place that is in slots 1 and 2. */
const LISTS = {
  posts: {
    kind: "posts",
    first: { slot: 0 },
    order: { by: "createdAt", descending: false },
    after: { key: { slot: 1 }, id: { slot: 2 } },
    filter: { statuses: ["PUBLISHED", "DRAFT"] },
    viewer: { slot: 3 },
    selection: {
      type: "Post",
      fields: (["id", "createdAt"] as const).map((column) => ({ kind: "column", key: column, column })),
    },
  },
  users: {
    kind: "users",
    first: { slot: 0 },
    order: { by: "createdAt", descending: false },
    after: { key: { slot: 1 }, id: { slot: 2 } },
    selection: {
      type: "User",
      fields: (["id", "createdAt"] as const).map((column) => ({ kind: "column", key: column, column })),
    },
  },
} as const satisfies Record<string, RootSelection>;

export function orderConforms(openTwo: OpenTwo): void {
  describe("the order of creation", () => {
    test("I14 a list that is read forwards gives each post once, while two processes write", () =>
      walksWhole(openTwo, LISTS.posts, (store, authorId, i) => {
        const status = i % 5 === 0 ? "DRAFT" : "PUBLISHED";
        const once = i % 3 === 0 ? { id: `once ${i}`, field: 0, fingerprint: "f" } : undefined;
        return store.posts.create({ authorId, title: `post ${i}`, body: "", status }, once);
      }));

    test("I14 a list that is read forwards gives each person once, while two processes write", () =>
      walksWhole(openTwo, LISTS.users, async (store, _authorId, i) => {
        return (await store.users.create(aPerson({ email: `person${i}@example.com` }))).id;
      }));
  });
}

async function walksWhole(
  openTwo: OpenTwo,
  list: RootSelection,
  write: (store: Store, authorId: Id, i: number) => Promise<Id>,
): Promise<void> {
  const [near, far] = await openTwo();
  try {
    const { id: authorId } = await near.users.create(aPerson());
    const written: Id[] = list.kind === "users" ? [authorId] : [];
    const read = near.prepareRead(list);
    const seen: string[] = [];
    let place = ["", ""];
    const walk = async () => {
      for (;;) {
        const page = JSON.parse(await read.run([100, ...place, authorId])) as { id: string; createdAt: string }[];
        for (const { id } of page) seen.push(id);
        const last = page.at(-1);
        if (last === undefined) return;
        place = [last.createdAt, last.id];
      }
    };
    const end = performance.now() + MILLISECONDS;
    let count = 0;
    const writers = Array.from({ length: WRITERS }, async (_, writer) => {
      while (performance.now() < end) {
        const batch = Array.from({ length: 1 + (writer % 3) }, () =>
          write(writer % 2 === 0 ? near : far, authorId, count++),
        );
        written.push(...(await Promise.all(batch)));
      }
    });
    const reader = (async () => {
      while (performance.now() < end) {
        await walk();
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    await Promise.all([...writers, reader]);
    await walk();
    assert.ok(written.length > 50, `only ${written.length} were written`);
    assert.deepEqual(seen.toSorted(), written.toSorted());
  } finally {
    await Promise.all([near.close(), far.close()]);
  }
}
