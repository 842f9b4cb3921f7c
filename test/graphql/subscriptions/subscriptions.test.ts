import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { AppError } from "../../../src/domain/errors.ts";
import type { ContentEvent, EventFeed, EventFollower, EventType } from "../../../src/domain/events/event.ts";
import type { Id } from "../../../src/domain/id.ts";
import { SCOPES } from "../../../src/domain/scopes.ts";
import type { Viewer } from "../../../src/domain/viewer.ts";
import { type Sink, Subscriptions } from "../../../src/graphql/subscriptions/subscriptions.ts";
import { ADA, ada, openTestServer, type TestServer } from "../server.ts";

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };
const POST = "01990000-0000-7000-8000-000000000000";
const EVENTS = "subscription { postEvents { id type post { title } } }";

/** A feed that a test fills. */
class Feed implements EventFeed {
  readonly followers = new Set<EventFollower>();
  #count = 0;

  async hold() {
    return () => {};
  }

  follow(_after: Id | null, follower: EventFollower) {
    this.followers.add(follower);
    return () => void this.followers.delete(follower);
  }

  async tell(type: EventType = "post.updated", status = "PUBLISHED", previousStatus?: string): Promise<void> {
    const id = `01990000-0000-7000-9000-${String(this.#count++).padStart(12, "0")}` as Id;
    const data = JSON.stringify({ id: POST, authorId: ADA, status, previousStatus });
    const event: ContentEvent = { id, type, subjectId: POST as Id, occurredAt: "2026-01-31T12:00:00.000Z", data };
    await Promise.all(Array.from(this.followers, async (follower) => follower.take(event)));
  }
}

const viewer = (number: number, role: Viewer["role"] = "member"): Viewer => ({
  userId: `01980000-0000-7000-8000-${String(number).padStart(12, "0")}` as Id,
  role,
  clientId: "client",
  scopes: new Set(SCOPES),
});

function sink(): Sink & { readonly got: string[] } {
  const got: string[] = [];
  return { got, next: (_event, json) => void got.push(json), hasRoom: () => true, untilRoom: async () => {} };
}

async function subscribe(
  server: TestServer,
  subscriptions: Subscriptions,
  who: Viewer,
  query = EVENTS,
  variables: object = {},
): Promise<Sink & { readonly got: string[]; end(): void }> {
  const { subscription, body } = await server.send({ body: { query, variables }, streams: true, viewer: who });
  assert.ok(subscription, body);
  const opened = sink();
  return Object.assign(opened, { end: subscriptions.open(subscription, opened) });
}

const open = (most = 10_000) => {
  const feed = new Feed();
  const editing = { follow: () => assert.fail("nobody follows a text that is being written") };
  return { feed, server: openTestServer(), subscriptions: new Subscriptions({ feed, editing, most, log: SILENT }) };
};

describe("events for many", () => {
  test("a thousand subscribers with one document cost one read, whoever they are; its author and editors one more", async () => {
    const { feed, server, subscriptions } = open();
    const many = await Promise.all(
      Array.from({ length: 1_000 }, (_, index) => subscribe(server, subscriptions, viewer(index + 100))),
    );
    await feed.tell();
    assert.equal(server.store.statements, 1);
    const [first] = many;
    assert.equal(first?.got.length, 1);
    for (const { got } of many) assert.deepEqual(got, first?.got);
    const others = await Promise.all(
      [ada, viewer(1, "editor"), viewer(2, "admin")].map((who) => subscribe(server, subscriptions, who)),
    );
    await feed.tell();
    assert.equal(server.store.statements, 1 + 3);
    for (const { got } of others) assert.equal(got.length, 1);
  });

  test("other documents and other variables are answered apart", async () => {
    const { feed, server, subscriptions } = open();
    const query = "subscription ($first: Int!) { postEvents { post { author { posts(first: $first) { id } } } } }";
    const opened = await Promise.all([
      subscribe(server, subscriptions, viewer(100), query, { first: 1 }),
      subscribe(server, subscriptions, viewer(101), query, { first: 2 }),
      subscribe(server, subscriptions, viewer(102), query, { first: 2 }),
      subscribe(server, subscriptions, viewer(103)),
    ]);
    await feed.tell();
    assert.equal(server.store.statements, 3);
    const posts = opened
      .slice(0, 3)
      .map(({ got }) => JSON.parse(got[0] ?? "").data.postEvents.post.author.posts.length);
    assert.deepEqual(posts, [1, 2, 2]);
  });

  test("what was read for one event is not shown for the next", async () => {
    const { feed, server, subscriptions } = open();
    const { got } = await subscribe(server, subscriptions, viewer(100));
    await feed.tell();
    server.store.articles = server.store.articles.map((article) => ({ ...article, title: "other" }));
    await feed.tell();
    assert.equal(JSON.parse(got[0] ?? "").data.postEvents.post.title, "Post 0");
    assert.equal(JSON.parse(got[1] ?? "").data.postEvents.post.title, "other");
  });

  test("who may not see the post is told of what was taken out of sight, and of nothing else", async () => {
    const { feed, server, subscriptions } = open();
    const query = "subscription { postEvents { type } }";
    const [stranger, author, editor] = await Promise.all(
      [viewer(100), ada, viewer(1, "editor")].map((who) => subscribe(server, subscriptions, who, query)),
    );
    for (const [type, status, previous] of [
      ["post.created", "DRAFT"],
      ["post.updated", "DRAFT", "DRAFT"],
      ["post.published", "PUBLISHED", "DRAFT"],
      ["post.unpublished", "DRAFT", "PUBLISHED"],
      ["post.archived", "ARCHIVED", "PUBLISHED"],
      ["post.updated", "ARCHIVED", "ARCHIVED"],
      ["post.unpublished", "DRAFT", "ARCHIVED"],
      ["post.deleted", "DRAFT", "DRAFT"],
      ["post.deleted", "PUBLISHED", "PUBLISHED"],
    ] as const)
      await feed.tell(type, status, previous);
    const types = (of: typeof stranger) => of?.got.map((json) => JSON.parse(json).data.postEvents.type);
    assert.deepEqual(types(stranger), ["PUBLISHED", "UNPUBLISHED", "ARCHIVED", "DELETED"]);
    assert.equal(types(author)?.length, 9);
    assert.equal(types(editor)?.length, 9);
  });

  test("F12 while the database is away an event waits; what fails otherwise is null with an error", async () => {
    const { feed, server, subscriptions } = open();
    const { got } = await subscribe(server, subscriptions, viewer(100));
    server.store.failure = new AppError("UNAVAILABLE", "away");
    const told = feed.tell();
    await turn();
    assert.deepEqual(got, []);
    server.store.failure = null;
    await told;
    assert.equal(JSON.parse(got[0] ?? "").data.postEvents.post.title, "Post 0");
    server.store.failure = new Error("secret");
    await feed.tell();
    const { data, errors } = JSON.parse(got[1] ?? "");
    assert.equal(data.postEvents.post, null);
    assert.deepEqual([errors[0].path, errors[0].extensions.code], [["postEvents", "post"], "INTERNAL"]);
    assert.doesNotMatch(got[1] ?? "", /secret/);
  });

  test("one more than there may be is refused, until another has ended", async () => {
    const { server, subscriptions } = open(1);
    const only = await subscribe(server, subscriptions, ada);
    await assert.rejects(subscribe(server, subscriptions, ada), { code: "UNAVAILABLE" });
    only.end();
    only.end();
    assert.equal(subscriptions.size, 0);
    await subscribe(server, subscriptions, ada);
  });

  test("limits and scopes of documents hold for subscriptions too", async () => {
    const { server } = open();
    const dear = "subscription { postEvents { post { author { posts { author { posts { id } } } } } } }";
    const refused = await server.send({ body: { query: dear }, streams: true });
    assert.equal(refused.json.errors[0].extensions.code, "COST_LIMIT_EXCEEDED");
    const limited = { ...ada, scopes: new Set(["users:read"]) };
    const forbidden = await server.send({ body: { query: EVENTS }, streams: true, viewer: limited });
    assert.equal(forbidden.status, 403);
    assert.match(forbidden.json.errors[0].message, /posts:read/);
  });
});
