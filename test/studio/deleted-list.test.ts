import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ApiFailure } from "../../src/studio/browser/ports.ts";
import { AT_ONCE, restoreWords, runRestore } from "../../src/studio/browser/posts/bulk.ts";
import { DeletedList, type DeletedRow, goneAt } from "../../src/studio/browser/posts/deleted-list.ts";
import { DELETED, isOfDeleted } from "../../src/studio/browser/posts/list-address.ts";
import { endingWords } from "../../src/studio/browser/publishing/sentences.ts";

function row(id: string): DeletedRow {
  const deletedAt = "2026-01-31T12:00:00.000Z";
  return { id, title: id, status: "DRAFT", deletedAt, author: { id: "ada", name: "Ada" }, deletedBy: null };
}

const page =
  (ids: readonly string[], endCursor: string | null = null) =>
  async () => ({
    deletedPosts: { nodes: ids.map(row), pageInfo: { hasNextPage: endCursor !== null, endCursor } },
  });

function openList(...answers: (() => Promise<unknown>)[]) {
  const asked: unknown[] = [];
  const run = (_document: unknown, variables: unknown) => {
    asked.push(variables);
    return answers.shift()?.() ?? assert.fail("no more answers");
  };
  return { list: new DeletedList({ run } as never), asked };
}
const idsOf = (list: DeletedList) => list.rows.value?.map(({ id }) => id);

describe("S43 the list of deleted posts", () => {
  test("goes on by its cursor, and keeps its rows where a request fails", async () => {
    const lost = () => Promise.reject(new ApiFailure({ kind: "offline", message: "no answer" }));
    const { list, asked } = openList(page(["a", "b"], "B"), page(["c"]), lost);
    await list.reload();
    await list.more();
    await list.more();
    assert.deepEqual(asked, [
      { first: 50, after: null },
      { first: 50, after: "B" },
    ]);
    await list.reload();
    assert.deepEqual([idsOf(list), list.failure.value?.kind], [["a", "b", "c"], "offline"]);
  });

  test("marks what others delete and restore, and moves nothing; rows that it restored itself go", async () => {
    const { list } = openList(page(["a", "b"]), page(["n", "b"]));
    await list.reload();
    for (const event of ["DELETED n", "DELETED m", "CREATED m", "CREATED a", "UPDATED b", "CREATED x"]) {
      const [type, postId] = event.split(" ") as ["DELETED", string];
      list.hear({ type, postId });
    }
    assert.deepEqual([idsOf(list), [...list.unseen.value], [...list.changed.value]], [["a", "b"], ["n"], ["a"]]);
    list.remove(new Set(["a"]));
    assert.deepEqual([idsOf(list), [...list.changed.value]], [["b"], []]);
    await list.reload();
    assert.deepEqual([idsOf(list), list.unseen.value.size], [["n", "b"], 0]);
  });

  test("is at an address of its own", () => {
    assert.equal(isOfDeleted(new URL(DELETED, "https://example.com").searchParams), true);
    assert.equal(isOfDeleted(new URLSearchParams("state=drafts")), false);
  });
});

describe("S43 restoring", () => {
  test("goes in parts under a key of its own each, and one that fails keeps no other back", async () => {
    const posts = Array.from({ length: AT_ONCE + 2 }, (_, index) => ({ id: `${index}` }));
    const requests: [Record<string, unknown>, string | undefined][] = [];
    const api = {
      async runEach(_document: unknown, variables: object, { key }: { key?: string } = {}) {
        requests.push([variables as Record<string, unknown>, key]);
        if (requests.length === 2) throw new ApiFailure({ kind: "offline", message: "lost" });
        const data = Object.fromEntries(posts.map((_, at) => [`p${at}`, { post: { id: "" }, errors: [] }]));
        const failures = new Map<string, ApiFailure>();
        if (requests.length === 1) failures.set("p3", new ApiFailure({ kind: "not-found", message: "gone" }));
        return { data, failures };
      },
    };
    let keys = 0;
    const told: number[] = [];
    const { done, failed } = await runRestore(
      api as never,
      posts,
      () => `key ${keys++}`,
      (count) => told.push(count),
    );
    assert.deepEqual(
      requests.map(([, key]) => key),
      ["key 0", "key 1", "key 1"],
    );
    assert.deepEqual(requests[2]?.[0], { id0: "20", on0: true, id1: "21", on1: true });
    assert.deepEqual([done.size, [...failed.keys()]], [AT_ONCE + 1, ["3"]]);
    assert.deepEqual(told, [AT_ONCE, AT_ONCE + 2]);
    assert.equal(restoreWords(done.size, failed.size), "21 posts are drafts again. 1 failed.");
    assert.equal(restoreWords(0, 2), "Nothing was restored. 2 failed.");
  });

  test("the words say until when, and promise nothing where nothing is kept", () => {
    assert.equal(goneAt(row("a"), 30), "2026-03-02T12:00:00.000Z");
    const words = (days: number) => endingWords("delete", { status: "PUBLISHED" } as never, days).sentences.join(" ");
    assert.match(words(30), /For 30 days you find the post under Deleted.*preview links end for good/);
    assert.match(words(1), /For 1 day you/);
    assert.match(words(0), /Nobody can bring them back/);
    assert.doesNotMatch(words(0), /under Deleted/);
  });
});
