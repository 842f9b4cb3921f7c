import assert from "node:assert/strict";
import { describe, mock, test } from "node:test";
import { signal } from "@preact/signals";
import { factsOf } from "../../src/studio/browser/documents/post-answers.ts";
import type { PublishingTexts } from "../../src/studio/browser/documents/publishing.ts";
import {
  type Api,
  ApiFailure,
  type PostFacts,
  type Studio,
  type Texts,
  type Writing,
} from "../../src/studio/browser/ports.ts";
import { addressOf, publishedSlug, slugFault, slugFromTyping } from "../../src/studio/browser/publishing/address.ts";
import { adoptNewer, applyText, changeState, discardText } from "../../src/studio/browser/publishing/changes.ts";
import { followSchedule } from "../../src/studio/browser/publishing/go-live.ts";
import { openHistory } from "../../src/studio/browser/publishing/history/history-texts.ts";
import { restoreVersion } from "../../src/studio/browser/publishing/history/restore.ts";
import { lookAtText } from "../../src/studio/browser/publishing/publish-look.ts";
import { endingWords, goLiveTime, stateWords, updateWords } from "../../src/studio/browser/publishing/sentences.ts";

const TEXTS: Texts = { title: "New", body: "new", slug: null, excerpt: null };

const POST: PublishingTexts = {
  ...{ id: "p", title: "Old", body: "old", slug: "old", excerpt: "old", url: null, status: "DRAFT", version: 3 },
  ...{ createdAt: "2026-01-01T00:00:00.000Z", updatedAt: "2026-01-01T00:00:00.000Z" },
  ...{ publishedAt: null, publishAt: null, publishAtZone: null, plannedUpdate: null, author: { name: "Ada" } },
};

interface Call {
  readonly name: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly key: string | undefined;
}

/** An API of which the test gives the answers, one for each name of an operation. */
function openApi(answers: Readonly<Record<string, (variables: never) => unknown>>) {
  const calls: Call[] = [];
  const api: Api = {
    async run(document, variables, options) {
      const name = /\b(?:query|mutation) (\w+)/.exec(document.text)?.[1] ?? "";
      calls.push({ name, variables: variables as Call["variables"], key: options?.key });
      const answer = answers[name];
      assert.ok(answer !== undefined, name);
      return (await answer(variables as never)) as never;
    },
  };
  return { api, calls };
}

/** A writing in memory. */
function openWritten(post: PublishingTexts = POST) {
  const facts = signal<PostFacts | null>(factsOf(post));
  const applied = signal<Texts | null>({ title: post.title, body: post.body, slug: post.slug, excerpt: post.excerpt });
  const texts = signal(TEXTS);
  const versions = signal({ version: post.version, workingVersion: 5 });
  const writing: Writing = {
    ...{ id: signal<string | null>(post.id), post: facts, applied, texts, versions },
    ...{
      state: signal({ kind: "saved" }),
      isReadOnly: signal(false),
      isComposing: { value: false },
      others: signal([]),
      merged: signal(null),
    },
    change(part) {
      texts.value = { ...texts.value, ...part };
    },
    settle: () => Promise.resolve({ id: post.id, ...versions.value }),
    adopt(answer) {
      facts.value = answer.post;
      applied.value = answer.applied;
      versions.value = { version: answer.post.version, workingVersion: answer.copy?.version ?? 0 };
      if (answer.copy !== null) {
        const { title, body, slug, excerpt } = answer.copy;
        texts.value = { title, body, slug, excerpt };
      }
    },
    onReplaced: () => () => undefined,
    resolve: assert.fail,
    saveAsNewDraft: () => Promise.reject(new Error("not here")),
    editHere: assert.fail,
    close: () => Promise.resolve(),
  };
  return { writing, texts, facts, versions };
}

describe("S52 exactly what was shown is published", () => {
  const settled = { id: "p", version: 3, workingVersion: 5 };
  const answer = (post: Partial<PublishingTexts>) => () => ({
    applyWorkingCopy: { post: { ...POST, ...post, workingCopy: null }, errors: [] },
  });

  test("S52 the request names the versions that the dialog showed, whatever was written since", async () => {
    const { api, calls } = openApi({ ApplyText: answer({ status: "PUBLISHED", version: 4, title: "New" }) });
    const { writing, versions } = openWritten();
    versions.value = { version: 3, workingVersion: 6 };
    await applyText(api, writing, settled, { kind: "publish" }, "key");
    assert.deepEqual(calls, [
      {
        name: "ApplyText",
        // biome-ignore lint/suspicious/noThenProperty: the argument has this name in the schema
        variables: { id: "p", workingVersion: 5, expectedVersion: 3, then: "PUBLISH" },
        key: "key",
      },
    ]);
    assert.equal(writing.post.value?.status, "PUBLISHED");
    assert.equal(writing.applied.value?.title, "New");
  });

  test("S53 scheduling applies the text, and keeps the zone with the post", async () => {
    const { api, calls } = openApi({ ApplyText: answer({ version: 4, publishAt: "2027-01-05T08:00:00.000Z" }) });
    const { writing } = openWritten();
    const step = { kind: "schedule", publishAt: "2027-01-05T08:00:00.000Z", zone: "Europe/Berlin" } as const;
    await applyText(api, writing, settled, step, "key");
    assert.deepEqual(calls[0]?.variables, {
      // biome-ignore lint/suspicious/noThenProperty: the argument has this name in the schema
      ...{ id: "p", workingVersion: 5, expectedVersion: 3, then: "STAY" },
      ...{ publishAt: "2027-01-05T08:00:00.000Z", publishAtZone: "Europe/Berlin" },
    });
  });

  test("S51 the look shows the address, the excerpt and what may be mended", async () => {
    const { api } = openApi({
      Rendered: () => ({
        renderMarkdown: { bodyHtml: '<p><img src="a" alt="" /></p>', excerpt: "new", wordCount: 1, slug: "new" },
      }),
      SlugOwner: () => ({ postBySlug: { id: "other", title: "Other", slug: "new" } }),
    });
    const { writing } = openWritten();
    const look = await lookAtText({ api }, writing);
    assert.deepEqual(
      [look.settled, look.slug, look.excerpt, look.isSlugTaken, look.checks.length],
      [settled, "new", "new", true, 1],
    );
    writing.change({ slug: "new", title: "" });
    assert.deepEqual(
      (await lookAtText({ api }, writing)).checks.filter(({ isBlocking }) => isBlocking).map(({ text }) => text),
      [
        "The title is empty. Give the post a title first.",
        "Another post has this address. Choose another one under Details.",
      ],
    );
  });

  test("S56 discarding ends the copy and keeps its text; without a copy nothing is asked", async () => {
    const { api, calls } = openApi({ DiscardText: () => ({ discardWorkingCopy: { post: POST, errors: [] } }) });
    const { writing, versions } = openWritten();
    await discardText(api, writing);
    assert.deepEqual(calls[0]?.variables, { id: "p", workingVersion: 5 });
    assert.equal(versions.value.workingVersion, 0);
    await discardText(api, writing);
    assert.equal(calls.length, 1);
  });

  test("S57 changes of state name the version, and leave the text being written", async () => {
    const copy = { ...TEXTS, version: 5, baseVersion: 3 };
    const { api, calls } = openApi({
      Unpublish: () => ({ unpublishPost: { post: { ...POST, version: 4, workingCopy: copy }, errors: [] } }),
    });
    const { writing, texts } = openWritten({ ...POST, status: "PUBLISHED" });
    await changeState(api, writing, "unpublish");
    assert.deepEqual(calls[0]?.variables, { id: "p", expectedVersion: 3 });
    assert.equal(writing.post.value?.status, "DRAFT");
    assert.deepEqual(texts.value, TEXTS);
  });
});

describe("S54 a scheduled post that is open while its time comes", () => {
  const at = "2027-01-05T08:00:00.000Z";
  const scheduled: PublishingTexts = { ...POST, publishAt: at, publishAtZone: "Europe/Berlin" };
  const published: PublishingTexts = {
    ...scheduled,
    status: "PUBLISHED",
    version: 4,
    publishedAt: at,
    publishAt: null,
  };
  const copy = { ...TEXTS, version: 5, baseVersion: 3 };

  function open(now: number, post: () => unknown = () => ({ ...published, workingCopy: copy })) {
    const { api, calls } = openApi({ PostNow: () => ({ post: post() }) });
    const { writing, facts } = openWritten(scheduled);
    const notices: string[] = [];
    const studio = {
      api,
      server: signal({ timeZone: "Europe/Berlin" }),
      notify: (message: string) => notices.push(message),
    } as unknown as Studio;
    const end = followSchedule(studio, writing, () => now);
    return { writing, facts, notices, calls, end };
  }

  test("S54 the person is told when the published version arrives", () => {
    const { facts, notices, end } = open(Date.parse(at) + 500);
    facts.value = factsOf(published);
    assert.equal(notices.length, 1);
    assert.match(notices[0] ?? "", /^Published at 0?9:00(\sAM)?\.$/);
    end();
  });

  test("S54 without an event, the post is asked for when its time has come", async () => {
    mock.timers.enable({ apis: ["setTimeout"] });
    const { writing, calls, end, notices } = open(Date.parse(at) - 60_000);
    mock.timers.tick(60_000);
    assert.equal(calls.length, 0);
    mock.timers.tick(3_000);
    assert.equal(calls.length, 1);
    mock.timers.reset();
    await new Promise(setImmediate);
    assert.equal(writing.post.value?.status, "PUBLISHED");
    assert.equal(writing.versions.value.version, 4);
    assert.deepEqual(writing.texts.value, TEXTS, "what was written since stays");
    assert.equal(notices.length, 0); // this device's clock still says that the time is to come
    end();
  });

  test("S54 a person who publishes earlier is not told that the time has come", () => {
    const { facts, notices, end } = open(Date.parse(at) - 3_600_000);
    facts.value = factsOf(published);
    assert.deepEqual(notices, []);
    end();
  });

  test("S56 the person is told when a planned update is public, and when it is held back", () => {
    const plannedUpdate = { publishAt: at, publishAtZone: null, heldBecause: null, workingVersion: 5, baseVersion: 4 };
    const planned: PublishingTexts = { ...published, plannedUpdate };
    const held: PublishingTexts = { ...planned, plannedUpdate: { ...plannedUpdate, heldBecause: "POST_CHANGED" } };
    const told = (now: number, ...posts: readonly PublishingTexts[]): readonly string[] => {
      const { facts, notices, end } = open(now);
      for (const post of posts) facts.value = factsOf(post);
      end();
      return notices;
    };
    const due = Date.parse(at) + 500;
    const before = Date.parse(at) - 3_600_000;
    const news = told(due, { ...planned, version: 3 }, published).slice(1); // the first is about the publication
    assert.match(news.join(), /^Updated at 0?9:00(\sAM)?\.$/);
    assert.match(told(due, planned, held).slice(1).join(), /^The update for 0?9:00(\sAM)? was held back\./);
    assert.deepEqual(told(before, planned, { ...published, version: 5 }), [], "somebody updated earlier");
    assert.deepEqual(
      told(due, held, { ...published, version: 5 }).slice(1),
      [],
      "somebody updated a post by hand later",
    );
    assert.deepEqual(told(due, planned, published).slice(1), [], "somebody cancelled it");
  });

  test("S56 an update that was held back is noticed, although it is no new version", async () => {
    const plannedUpdate = { publishAt: at, publishAtZone: null, heldBecause: null, workingVersion: 5, baseVersion: 3 };
    const planned: PublishingTexts = { ...POST, status: "PUBLISHED", plannedUpdate };
    const heldBecause = "SLUG_TAKEN" as const;
    let answer: PublishingTexts = planned;
    const { api } = openApi({ PostNow: () => ({ post: { ...answer, workingCopy: copy } }) });
    const { writing } = openWritten(planned);
    assert.equal(await adoptNewer(api, writing), false);
    answer = { ...planned, plannedUpdate: { ...plannedUpdate, heldBecause } };
    assert.equal(await adoptNewer(api, writing), true);
    assert.equal(writing.post.value?.plannedUpdate?.heldBecause, heldBecause);
  });

  test("S54 an answer that is not newer changes nothing", async () => {
    const { api } = openApi({ PostNow: () => ({ post: { ...scheduled, workingCopy: null } }) });
    const { writing } = openWritten(scheduled);
    assert.equal(await adoptNewer(api, writing), false);
    assert.equal(writing.versions.value.workingVersion, 5);
  });

  test("S54 the time is said in the zone in which it was chosen", () => {
    assert.equal(goLiveTime({ publishAt: at, publishAtZone: "America/New_York" }, "Europe/Berlin", "en-GB"), "03:00");
    assert.equal(goLiveTime({ publishAt: at, publishAtZone: null }, "Europe/Berlin", "en-GB"), "09:00");
    assert.equal(goLiveTime({ publishAt: at, publishAtZone: "Mars/Olympus" }, "Europe/Berlin", "en-GB"), "08:00");
  });
});

describe("S41 S42 the history", () => {
  const entries = Array.from({ length: 7 }, (_, index) => ({
    ...{ id: `r${7 - index}`, version: 7 - index, kind: "APPLIED", createdAt: POST.createdAt, status: "DRAFT" },
    ...{ title: index === 2 ? null : `Title ${7 - index}`, clientId: null, person: null },
  }));
  const edges = (from: readonly (typeof entries)[number][]) =>
    from.map((node) => ({ cursor: `after ${node.id}`, node }));

  /** A server that pages by two, and to which revisions may be added. */
  function openServer() {
    let all = edges(entries);
    return openApi({
      History({ after }: { after?: string }) {
        const start = after === undefined ? 0 : all.findIndex(({ cursor }) => cursor === after) + 1;
        const page = all.slice(start, start + 3);
        const pageInfo = { hasNextPage: start + 3 < all.length, endCursor: page.at(-1)?.cursor ?? null };
        return { post: { id: "p", revisions: { edges: page, pageInfo } } };
      },
      RevisionText({ after }: { after?: string }) {
        const start = after === undefined ? 0 : all.findIndex(({ cursor }) => cursor === after) + 1;
        const found = all.slice(start, start + 1);
        return {
          post: {
            id: "p",
            revisions: {
              edges: found.map((edge) => ({
                ...edge,
                node: { ...edge.node, body: `Body of ${edge.node.id}`, slug: null, excerpt: null },
              })),
            },
          },
        };
      },
      Add() {
        const [first] = entries;
        assert.ok(first !== undefined);
        all = [
          ...edges([
            { ...first, id: "r9" },
            { ...first, id: "r8" },
          ]),
          ...all,
        ];
        return {};
      },
    });
  }

  test("S41 any text of any page is found, also when revisions were added since, and each is loaded once", async () => {
    const { api, calls } = openServer();
    let history = await openHistory(api, "p");
    while (history.hasMore) history = await history.more();
    assert.deepEqual(
      history.entries.map(({ id }) => id),
      entries.map(({ id }) => id),
    );
    assert.equal(history.withText.length, 6);
    for (const id of ["r6", "r3", "r1", "r4", "r3"]) assert.equal((await history.text(id)).body, `Body of ${id}`);
    assert.equal(calls.filter(({ name }) => name === "RevisionText").length, 4);
    await api.run({ text: "mutation Add", id: "" }, {});
    assert.equal((await history.text("r7")).body, "Body of r7");
    await assert.rejects(history.text("r0"), ApiFailure);
  });

  test("S42 restoring fills the text being written, publishes nothing, and is undone", async () => {
    const copy = { title: "Old", body: "restored", slug: null, excerpt: null, version: 6, baseVersion: 3 };
    const { api, calls } = openApi({
      RestoreRevision: () => ({ restoreRevision: { post: POST, workingCopy: copy, errors: [] } }),
    });
    const { writing } = openWritten();
    let undo: (() => void | Promise<void>) | undefined;
    const notify: Studio["notify"] = (_, way) => {
      undo = way?.run;
    };
    const studio = { api, notify } as unknown as Studio;
    await restoreVersion(studio, writing, { id: "r1", version: 1 });
    assert.deepEqual(
      calls.map(({ name, variables }) => [name, variables]),
      [["RestoreRevision", { id: "p", revision: "r1", workingVersion: 5 }]],
    );
    assert.equal(writing.texts.value.body, "restored");
    assert.equal(writing.post.value?.status, "DRAFT");
    await undo?.();
    assert.deepEqual(writing.texts.value, TEXTS);
  });
});

describe("S50 addresses", () => {
  const draft = { slug: "old", publishedAt: null, status: "DRAFT" } as const;
  test("S50 the slug follows the title until the first publication or a choice by hand", () => {
    assert.equal(publishedSlug(TEXTS, null, null, "new"), "new");
    assert.equal(publishedSlug(TEXTS, draft, "Old", "new"), "new");
    assert.equal(publishedSlug({ ...TEXTS, title: "Old" }, { ...draft, slug: "old-x7" }, "Old", "old"), "old-x7");
    assert.equal(publishedSlug(TEXTS, { ...draft, publishedAt: "2026-01-01T00:00:00.000Z" }, "Old", "new"), "old");
    assert.equal(publishedSlug({ ...TEXTS, slug: "mine" }, draft, "Old", "new"), "mine");
  });

  test("S50 the whole address is shown", () => {
    assert.equal(addressOf("https://a.example/blog/{slug}.html", "p", "x"), "https://a.example/blog/x.html");
    assert.equal(addressOf("https://a.example/{id}", "p", "x"), "https://a.example/p");
    assert.equal(addressOf(null, "p", "x"), "/x");
  });

  test("S50 typed letters become a slug, and what cannot be one is said", () => {
    assert.equal(slugFromTyping("My First  Post"), "my-first-post");
    for (const good of ["a", "my-first-post", "ärger-im-büro", "初めての投稿"])
      assert.equal(slugFault(good), null, good);
    for (const bad of ["a--b", "-a", "a-", "a/b", "a b", "x".repeat(101)]) assert.notEqual(slugFault(bad), null, bad);
  });
});

describe("S57 words for states and endings", () => {
  test("S57 each ending says what readers and webhooks will see", () => {
    const published = factsOf({ ...POST, status: "PUBLISHED" });
    for (const ending of ["unpublish", "archive", "delete"] as const) {
      const text = endingWords(ending, published).sentences.join(" ");
      assert.match(text, /Readers and apps no longer find the post\./, ending);
      assert.match(
        text,
        new RegExp(`post\\.${ending === "delete" ? "deleted" : `${ending}${ending.endsWith("e") ? "d" : "ed"}`}`),
        ending,
      );
    }
    assert.match(endingWords("delete", factsOf(POST)).sentences.join(" "), /nothing changes for them/);
  });

  test("S56 each ending says that it removes a planned update", () => {
    const plannedUpdate = {
      ...{ publishAt: "2027-01-05T08:00:00.000Z", publishAtZone: "Europe/Berlin", heldBecause: null },
      ...{ workingVersion: 5, baseVersion: 3 },
    };
    const planned = factsOf({ ...POST, status: "PUBLISHED", plannedUpdate });
    const plain = factsOf({ ...POST, status: "PUBLISHED" });
    for (const ending of ["unpublish", "archive", "delete", "discard"] as const) {
      assert.match(endingWords(ending, planned).sentences.join(" "), /The planned update is removed too\./, ending);
      assert.doesNotMatch(endingWords(ending, plain).sentences.join(" "), /planned update/, ending);
    }
    const words = (more: object, version = 3, after = 0) =>
      updateWords({ ...plannedUpdate, ...more }, version, "UTC", Date.parse(plannedUpdate.publishAt) + after, "en-GB");
    assert.deepEqual(words({}), {
      text: "Your changes go live Tue, 5 Jan 2027, 09:00 Europe/Berlin. Until then, readers see the present text.",
      isTrouble: false,
    });
    assert.equal(words({}, 3, 59_000).isTrouble, false);
    assert.match(words({}, 3, 61_000).text, /is late\./);
    assert.match(words({}, 4).text, /will be held back, because somebody else changed the post\./);
    assert.match(words({ heldBecause: "POST_CHANGED" }).text, /Somebody else changed the post before it\./);
    assert.match(words({ heldBecause: "SLUG_TAKEN" }).text, /Another post has its address\./);
  });

  test("S21 the state in words", () => {
    assert.equal(stateWords(null, "UTC").name, "Not saved yet");
    const scheduled = factsOf({ ...POST, publishAt: "2027-01-05T08:00:00.000Z", publishAtZone: "Europe/Berlin" });
    assert.deepEqual(stateWords(scheduled, "UTC", "en-GB"), {
      name: "Scheduled",
      detail: "Goes live Tue, 5 Jan 2027, 09:00 Europe/Berlin.",
    });
  });
});
