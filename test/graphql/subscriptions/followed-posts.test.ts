import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { AppError } from "../../../src/domain/errors.ts";
import type { Viewer } from "../../../src/domain/viewer.ts";
import { Bus } from "../../../src/events/bus.ts";
import { FollowedPosts } from "../../../src/graphql/subscriptions/followed-posts.ts";
import { Subscriptions } from "../../../src/graphql/subscriptions/subscriptions.ts";
import type { FollowPosts } from "../../../src/mcp/tools/options.ts";
import { openTestContent, type TestContent, withScopes } from "../../mcp/content.ts";

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

describe("A04 changes of posts for those who listen", () => {
  let content: TestContent;
  let subscriptions: Subscriptions;
  let followed: FollowedPosts;
  /** Ends the tokens of all viewers. */
  const watched = new Set<() => void>();
  before(async () => {
    content = await openTestContent();
    const feed = new Bus({ store: content.store, log: SILENT });
    const editing = { follow: () => assert.fail("nobody follows a text that is being written") };
    subscriptions = new Subscriptions({ feed, editing, most: 3, log: SILENT });
    const watchToken = (_head: object, _viewer: Viewer, ended: () => void) => {
      watched.add(ended);
      return () => void watched.delete(ended);
    };
    followed = new FollowedPosts(content.graphql, { subscriptions, watchToken, log: SILENT });
  });
  after(() => content.close());

  async function follow(viewer: Viewer) {
    const log: string[] = [];
    // The type makes sure that the tools can be given it.
    const followPosts: FollowPosts = (...follower) => followed.follow(...follower);
    const request = { viewer, authorization: undefined, requestId: "request-1", address: null, isClosed: () => false };
    const end = await followPosts(
      request,
      (id) => void log.push(id),
      () => void log.push("ended"),
    );
    return { log, end };
  }

  async function until(isThere: () => boolean): Promise<void> {
    for (let tries = 0; !isThere(); tries++) {
      assert.ok(tries < 200, "not within a second or two");
      await pause(10);
    }
  }

  test("each hears of what they may know of, and of nothing after the end", async () => {
    const [ada, bob] = [await content.person(), await content.person()];
    const [byAda, byBob] = [await follow(ada), await follow(bob)];
    const draft = await content.post(ada, { status: "DRAFT" });
    await until(() => byAda.log.length === 1);
    const published = await content.post(ada);
    await until(() => byAda.log.length === 2 && byBob.log.length === 1);
    assert.deepEqual([byAda.log, byBob.log], [[draft, published], [published]]);
    byBob.end();
    await content.call(ada, "delete_post", { id: published });
    await until(() => byAda.log.length === 3);
    assert.equal(byBob.log.length, 1);
    byAda.end();
    assert.equal(subscriptions.size, 0);
  });

  test("a token that ends, ends it; and they count against the limit of streams", async () => {
    const ada = await content.person();
    const open = [await follow(ada), await follow(ada), await follow(ada)];
    await assert.rejects(follow(ada), (error) => error instanceof AppError && error.code === "UNAVAILABLE");
    assert.equal(subscriptions.size, 3, "the one that was refused holds nothing");
    for (const ended of [...watched]) ended();
    assert.deepEqual(
      open.map(({ log }) => log),
      [["ended"], ["ended"], ["ended"]],
    );
    assert.deepEqual([subscriptions.size, watched.size], [0, 0]);
  });

  test("without posts:read it is refused with the scope", async () => {
    const ada = withScopes(await content.person(), ["users:read"]);
    await assert.rejects(follow(ada), (error) => error instanceof AppError && error.code === "FORBIDDEN");
  });

  test("the end of the server ends all, and takes no more", async () => {
    const ada = await content.person();
    const { log } = await follow(ada);
    followed.close();
    assert.deepEqual(log, ["ended"]);
    await assert.rejects(follow(ada), (error) => error instanceof AppError && error.code === "UNAVAILABLE");
    assert.equal(subscriptions.size, 0);
  });
});
