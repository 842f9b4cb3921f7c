import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Contents, History, type Outcome } from "./history.ts";

/** A history of one write, and what the database would hold if it were there. */
function one(outcome: Outcome) {
  const history = new History();
  const operation = history.invoke(20);
  operation.outcome = outcome;
  const contents: Contents = { integrity: "ok", posts: [{ id: "a", ...operation }], events: ["a"] };
  const nothing: Contents = { integrity: "ok", posts: [], events: [] };
  return { history, contents, nothing };
}

const ok: Outcome = { kind: "ok", id: "a" };

describe("the checker of histories", () => {
  test("accepts what is there as it was acknowledged, and either way what is not known", () => {
    const acknowledged = one(ok);
    acknowledged.history.assertExplains(acknowledged.contents);
    const refused = one({ kind: "failed", reason: "503" });
    refused.history.assertExplains(refused.nothing);
    for (const outcome of [{ kind: "invoked" }, { kind: "unknown", reason: "ECONNRESET" }] as const) {
      const doubtful = one(outcome);
      doubtful.history.assertExplains(doubtful.contents);
      doubtful.history.assertExplains(doubtful.nothing);
    }
  });

  const { history, contents, nothing } = one(ok);
  const [post] = contents.posts;
  assert.ok(post);
  const wrong: [string, Contents, RegExp][] = [
    ["a lost write", nothing, /post 0 was acknowledged and is lost/],
    ["a write that is there twice", { ...contents, posts: [post, { ...post, id: "b" }] }, /there 2 times/],
    ["another id", { ...contents, posts: [{ ...post, id: "b" }], events: ["b"] }, /acknowledged as a and is b/],
    ["another body", { ...contents, posts: [{ ...post, body: "" }] }, /another body/],
    ["a post that nobody wrote", { ...contents, posts: [post, { ...post, title: "?" }] }, /nobody wrote \?/],
    ["a post without its event", { ...contents, events: [] }, /has 0 events/],
    ["a post with two events", { ...contents, events: ["a", "a"] }, /has 2 events/],
    ["an event without its post", { ...contents, events: ["a", "b"] }, /tells of b/],
    ["damage", { ...contents, integrity: "page 3" }, /damaged: page 3/],
  ];
  for (const [name, found, message] of wrong) {
    test(`refuses ${name}`, () => assert.throws(() => history.assertExplains(found), message));
  }

  test("refuses a failed write that is there after all", () => {
    const failed = one({ kind: "failed", reason: "503" });
    assert.throws(() => failed.history.assertExplains(failed.contents), /failed \(503\) and is there/);
  });
});
