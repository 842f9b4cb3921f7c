import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { agentChoices, levelOf, markedChoice } from "../../src/domain/agent-level.ts";

const ASKED = ["openid", "posts:read", "users:read", "posts:write", "offline_access"];
const levels = (asked: readonly string[]) => agentChoices(asked).map(({ level }) => level);

describe("A14 the levels of agents", () => {
  test("each has all of the one before, up to what was asked; a wish to write can be met with drafts", () => {
    assert.deepEqual(agentChoices(ASKED), [
      {
        level: "read",
        scopes: ["openid", "offline_access", "posts:read", "users:read"],
        declined: ["posts:write", "posts:draft"],
      },
      {
        level: "draft",
        scopes: ["openid", "offline_access", "posts:read", "users:read", "posts:draft"],
        declined: ["posts:write"],
      },
      {
        level: "write",
        scopes: ["openid", "offline_access", "posts:read", "users:read", "posts:write"],
        declined: [],
      },
    ]);
  });

  test("never more than was asked", () => {
    assert.deepEqual(levels(["posts:read"]), ["read"]);
    assert.deepEqual(agentChoices(["posts:read"])[0]?.scopes, ["posts:read"]);
    assert.deepEqual(levels(["posts:read", "posts:draft"]), ["read", "draft"]);
    assert.deepEqual(levels(["posts:draft"]), ["draft"]);
    assert.deepEqual(levels(["posts:write"]), ["draft", "write"]);
    assert.deepEqual(levels(["openid", "profile", "email"]), []);
    assert.deepEqual(levels([]), []);
    const both = agentChoices(["posts:read", "posts:draft", "posts:write"]);
    assert.deepEqual(both.at(-1)?.scopes, ["posts:read", "posts:draft", "posts:write"]);
    assert.deepEqual(both.at(-1)?.declined, []);
  });

  test("a privileged scope is in no level; others without a level are in each", () => {
    for (const { scopes } of agentChoices([...ASKED, "admin", "users:email", "scim", "profile:write"])) {
      for (const scope of ["admin", "users:email", "scim"]) assert.ok(!scopes.includes(scope), scope);
      assert.ok(scopes.includes("profile:write"));
    }
  });

  test("marked are drafts, or what was chosen before, or what is nearest to it", () => {
    const marked = (asked: readonly string[], agreed: Parameters<typeof markedChoice>[1]) =>
      markedChoice(agentChoices(asked), agreed).level;
    assert.equal(marked(ASKED, null), "draft");
    assert.equal(marked(["posts:read"], null), "read");
    for (const level of ["read", "draft", "write"] as const) assert.equal(marked(ASKED, level), level);
    assert.equal(marked(["posts:read"], "write"), "read");
    assert.equal(marked(["posts:write"], "read"), "draft");
  });

  test("the level of what an agent has", () => {
    assert.equal(levelOf(["openid"]), null);
    assert.equal(levelOf(["openid", "users:read"]), "read");
    assert.equal(levelOf(["posts:draft", "posts:read"]), "draft");
    assert.equal(levelOf(["posts:write", "posts:draft"]), "write");
  });
});
