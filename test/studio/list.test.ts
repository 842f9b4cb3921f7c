import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { highlightParts } from "../../src/studio/browser/frame/text/highlight-parts.ts";
import { searchWords } from "../../src/studio/browser/frame/text/search-words.ts";
import { exactTime, relativeTime } from "../../src/studio/browser/frame/text/time-words.ts";
import { ApiFailure } from "../../src/studio/browser/ports.ts";
import { AT_ONCE, bulkWords, concerns, runBulk } from "../../src/studio/browser/posts/bulk.ts";
import {
  emptyWords,
  listArguments,
  ORDERS,
  pathOf,
  readView,
  TABS,
} from "../../src/studio/browser/posts/list-address.ts";
import { PostList, type Row } from "../../src/studio/browser/posts/post-list.ts";
import { stateOf, timeOf, titleOf, updateOf } from "../../src/studio/browser/posts/row-words.ts";
import { keptIn, NOTHING, toggled } from "../../src/studio/browser/posts/selection.ts";

function row(id: string, more: Partial<Row> = {}): Row {
  return {
    ...{ id, title: `Post ${id}`, status: "DRAFT", version: 1, wordCount: 3, highlight: null, viewerCanUpdate: true },
    ...{ createdAt: "2026-01-01T00:00:00.000Z", updatedAt: "2026-01-02T00:00:00.000Z", publishedAt: null },
    ...{
      publishAt: null,
      publishAtZone: null,
      plannedUpdate: null,
      workingCopy: null,
      author: { id: "ada", name: "Ada" },
    },
    ...more,
  };
}

describe("S10 the address of the list", () => {
  test("says all that the list shows", () => {
    const view = fc.record(
      {
        tab: fc.constantFrom(...TABS),
        order: fc.constantFrom(...ORDERS),
        author: fc.option(fc.string({ minLength: 1 })),
        q: fc.string().map((text) => text.trim()),
      },
      { noNullPrototype: true },
    );
    fc.assert(
      fc.property(view, (view) => {
        assert.deepEqual(readView(new URL(pathOf(view), "http://localhost").searchParams), view);
      }),
    );
  });

  test("with nonsense in it shows all posts", () => {
    const view = readView(new URLSearchParams("state=none&order=best&author=&q=%20"));
    assert.equal(pathOf(view), "/posts");
  });

  test("drafts are not those that are scheduled", () => {
    const filterOf = (query: string) => listArguments(readView(new URLSearchParams(query))).filter;
    assert.deepEqual(filterOf("state=drafts"), { status: ["DRAFT"], isScheduled: false });
    assert.deepEqual(filterOf("state=scheduled"), { status: ["DRAFT", "PUBLISHED"], isScheduled: true });
    assert.deepEqual(filterOf("q=red+tea&author=ben"), {
      status: ["DRAFT", "PUBLISHED", "ARCHIVED"],
      author: "ben",
      search: "red tea*",
    });
  });

  test("a search has at most as many words as the API takes", () => {
    assert.equal(searchWords("a ".repeat(40)).split(" ").length, 16);
    assert.equal(searchWords("tab*"), "tab*");
  });

  test("S13 an empty list names what was looked for", () => {
    assert.equal(emptyWords(readView(new URLSearchParams("state=drafts&author=b")), "Ben"), "No drafts by Ben");
    assert.equal(emptyWords(readView(new URLSearchParams("q=tea")), null), "No posts with “tea”");
  });
});

describe("S12 selection", () => {
  const order = ["a", "b", "c", "d", "e"];

  test("Shift selects from the last row to this one, in either direction", () => {
    const first = toggled(NOTHING, "d", order, false);
    assert.deepEqual([...toggled(first, "b", order, true).ids].sort(), ["b", "c", "d"]);
    assert.deepEqual([...toggled(NOTHING, "b", order, true).ids], ["b"], "without a first row it is one");
  });

  test("rows that are gone are not selected", () => {
    const both = toggled(toggled(NOTHING, "a", order, false), "e", order, false);
    assert.deepEqual([...keptIn(both, ["a", "b"]).ids], ["a"]);
  });
});

describe("S12 changes of many posts", () => {
  test("name each version, go in parts, and fail one by one", async () => {
    const rows = Array.from({ length: 45 }, (_, index) => row(String(index), { version: index + 1 }));
    const requests: { variables: Record<string, unknown>; key: string }[] = [];
    const api = {
      async runEach(_document: unknown, variables: object, options: { key?: string } = {}) {
        requests.push({ variables: variables as Record<string, unknown>, key: options.key ?? "" });
        const data: Record<string, unknown> = {};
        for (let at = 0; at < AT_ONCE; at++)
          data[`p${at}`] = { post: { id: "", status: "PUBLISHED", version: 99 }, errors: [] };
        const failures = new Map<string, ApiFailure>();
        if (requests.length === 2)
          failures.set("p3", new ApiFailure({ kind: "conflict", message: "Somebody changed it." }));
        return { data, failures };
      },
    };
    let keys = 0;
    const result = await runBulk(api as never, "publish", rows, () => `key ${keys++}`);
    assert.deepEqual(
      requests.map(({ key }) => key),
      ["key 0", "key 1", "key 2"],
    );
    assert.deepEqual(
      [
        requests[1]?.variables.id3,
        requests[1]?.variables.version3,
        requests[1]?.variables.on3,
        requests[1]?.variables.working3,
      ],
      ["23", 24, true, 0],
    );
    assert.equal(requests[2]?.variables.on5, undefined, "nothing is sent for places without a post");
    assert.deepEqual([...result.failed.keys()], ["23"]);
    assert.equal(result.done.size, 44);
    assert.equal(bulkWords("publish", result), "44 posts are published. 1 failed and stays selected.");
  });

  test("a lost answer is asked for again under the same key", async () => {
    const keys: unknown[] = [];
    const api = {
      async runEach(_document: unknown, _variables: object, options: { key?: string } = {}) {
        keys.push(options.key);
        if (keys.length === 1) throw new ApiFailure({ kind: "offline", message: "lost" });
        return { data: { p0: { deletedId: "a", errors: [] } }, failures: new Map() };
      },
    };
    const { done } = await runBulk(api as never, "delete", [row("a")], () => "one");
    assert.deepEqual(keys, ["one", "one"]);
    assert.deepEqual([...done], [["a", null]]);
  });

  test("concern only posts of which the state becomes another", () => {
    const published = row("p", { status: "PUBLISHED" });
    const changed = row("c", { status: "PUBLISHED", workingCopy: { title: "x", version: 1, updatedAt: "" } });
    const foreign = row("f", { viewerCanUpdate: false });
    const all = [row("d"), published, changed, row("a", { status: "ARCHIVED" }), foreign];
    const concerned = (action: Parameters<typeof concerns>[0]) =>
      all.filter((one) => concerns(action, one)).map(({ id }) => id);
    assert.deepEqual(concerned("publish"), ["d", "c", "a"]);
    assert.deepEqual(concerned("unpublish"), ["p", "c", "a"]);
    assert.deepEqual(concerned("archive"), ["p", "c"]);
    assert.deepEqual(concerned("delete"), ["d", "p", "c", "a"]);
  });
});

describe("S11 S13 the list", () => {
  function openList(answers: (() => Promise<unknown>)[]) {
    const asked: Record<string, unknown>[] = [];
    const api = {
      run: (_document: unknown, variables: object) => {
        asked.push(variables as Record<string, unknown>);
        const next = answers.shift();
        assert.ok(next !== undefined);
        return next();
      },
    };
    return { list: new PostList(api as never, readView(new URLSearchParams())), asked };
  }
  const page =
    (ids: readonly string[], endCursor: string | null, hasNextPage = endCursor !== null) =>
    async () => ({
      postsConnection: {
        edges: ids.map((id) => ({ node: row(id), highlight: null })),
        pageInfo: { endCursor, hasNextPage },
      },
    });
  const idsOf = (list: PostList) => list.rows.value?.map(({ id }) => id);

  test("goes on by its cursor, and shows a row that moved between two pages once", async () => {
    const { list, asked } = openList([page(["a", "b"], "B"), page(["b", "c"], null)]);
    await list.reload();
    await list.more();
    await list.more();
    assert.deepEqual(idsOf(list), ["a", "b", "c"]);
    assert.deepEqual(
      asked.map(({ after }) => after),
      [null, "B"],
    );
  });

  test("keeps its rows where a request fails", async () => {
    const lost = () => Promise.reject(new ApiFailure({ kind: "offline", message: "no answer" }));
    const { list } = openList([page(["a"], null), lost, page(["b"], null)]);
    await list.reload();
    await list.reload();
    assert.deepEqual([idsOf(list), list.failure.value?.kind], [["a"], "offline"]);
    await list.reload();
    assert.deepEqual([idsOf(list), list.failure.value], [["b"], null]);
  });

  test("marks what others change and moves nothing", async () => {
    const { list } = openList([page(["a", "b"], null)]);
    await list.reload();
    list.hear({ type: "UPDATED", postId: "a", version: 2 });
    list.hear({ type: "UPDATED", postId: "b", version: 1 });
    list.hear({ type: "CREATED", postId: "n", version: 1 });
    list.hear({ type: "PUBLISHED", postId: "n", version: 2 });
    assert.deepEqual([idsOf(list), [...list.changed.value], list.unseen.value], [["a", "b"], ["a"], 1]);
    list.hear({ type: "DELETED", postId: "b", version: null });
    list.hear({ type: "DELETED", postId: "n", version: null });
    assert.deepEqual([[...list.gone.value], list.unseen.value], [["b"], 0]);
  });

  test("an answer that a later one overtook changes nothing", async () => {
    let answerLate: (value: unknown) => void = () => undefined;
    const late = () =>
      new Promise((resolve) => {
        answerLate = resolve;
      });
    const { list } = openList([late, page(["new"], null)]);
    const first = list.reload();
    await list.reload();
    answerLate(await page(["old"], null)());
    await first;
    assert.deepEqual(idsOf(list), ["new"]);
  });
});

describe("words of a row", () => {
  test("S55 a scheduled post is late after a minute", () => {
    const at = Date.parse("2026-01-01T09:00:00Z");
    const scheduled = row("a", { publishAt: "2026-01-01T09:00:00.000Z" });
    assert.equal(stateOf(scheduled, at + 59_000).state, "scheduled");
    assert.equal(stateOf(scheduled, at + 61_000).state, "late");
    assert.equal(stateOf({ ...scheduled, status: "PUBLISHED" }, at + 61_000).state, "published");
  });

  test("S55 S56 a planned update is late after a minute, or held back", () => {
    const publishAt = "2026-01-01T09:00:00.000Z";
    const at = Date.parse(publishAt);
    const planned = row("a", { status: "PUBLISHED", plannedUpdate: { publishAt, heldBecause: null } });
    assert.equal(updateOf(row("a", { status: "PUBLISHED" }), at), null);
    assert.deepEqual(updateOf(planned, at + 59_000), { state: "scheduled", words: "Update planned" });
    assert.deepEqual(updateOf(planned, at + 61_000), { state: "late", words: "Update late" });
    const held = row("a", { status: "PUBLISHED", plannedUpdate: { publishAt, heldBecause: "SLUG_TAKEN" } });
    assert.deepEqual(updateOf(held, at), { state: "late", words: "Update held back" });
    assert.equal(timeOf(planned, "scheduled"), publishAt);
  });

  test("a draft has the title that is being written, a published post the one that readers see", () => {
    const workingCopy = { title: "new", version: 1, updatedAt: "2026-01-03T00:00:00.000Z" };
    assert.equal(titleOf(row("a", { workingCopy })), "new");
    assert.equal(titleOf(row("a", { workingCopy: { ...workingCopy, title: " " } })), "Untitled");
    assert.equal(titleOf(row("a", { workingCopy, status: "PUBLISHED" })), "Post a");
    assert.equal(timeOf(row("a", { workingCopy }), "all"), workingCopy.updatedAt);
    assert.equal(timeOf(row("a"), "all"), "2026-01-02T00:00:00.000Z");
  });

  test("times are relative within a week, and exact in the zone that is wanted", () => {
    const now = Date.parse("2026-06-15T12:00:00Z");
    const said = (iso: string) => relativeTime(iso, now, "en");
    assert.deepEqual(
      [
        "2026-06-15T11:59:40Z",
        "2026-06-15T11:58:00Z",
        "2026-06-15T09:00:00Z",
        "2026-06-14T11:00:00Z",
        "2026-06-18T12:00:00Z",
      ].map(said),
      ["just now", "2 minutes ago", "3 hours ago", "yesterday", "in 3 days"],
    );
    assert.equal(said("2026-05-01T12:00:00Z"), "May 1");
    assert.equal(said("2025-05-01T12:00:00Z"), "May 1, 2025");
    assert.match(exactTime("2026-06-15T12:00:00Z", "Asia/Tokyo", "en"), /June 15, 2026.*9:00.PM GMT\+9/);
  });

  test("a highlight is text, whatever it says", () => {
    assert.deepEqual(highlightParts("a &lt;b&gt; <mark>x &amp; y</mark>&#39;&quot;"), [
      { text: "a <b> ", isMatch: false },
      { text: "x & y", isMatch: true },
      { text: "'\"", isMatch: false },
    ]);
    assert.deepEqual(highlightParts("&amp;lt;"), [{ text: "&lt;", isMatch: false }]);
  });
});
