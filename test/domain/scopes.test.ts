import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import {
  AGENT_SCOPES,
  CONTENT_SCOPES,
  canChange,
  IDENTITY_SCOPES,
  isScopeOfRole,
  missingScopes,
  OPEN_SCOPES,
  offeredScopes,
  PERSONAL_SCOPES,
  PUBLIC_SCOPES,
  presentScopes,
  SCOPES,
  SCOPES_ELSEWHERE,
  sentenceOf,
  withImplied,
  withoutImplied,
} from "../../src/domain/scopes.ts";

/** What decisions.md sections 4 and 11 say of each scope, written down a second time: a new row needs one here. */
describe("the table of scopes", () => {
  test("A38 only open scopes come by default or by self-registration", () => {
    assert.deepEqual(
      SCOPES.filter((scope) => !OPEN_SCOPES.includes(scope)),
      ["users:email", "clients:own", "admin", "scim"],
    );
  });

  test("a client that acts for itself has none that needs a person", () => {
    assert.deepEqual([...PERSONAL_SCOPES], ["openid", "profile", "email", "offline_access", "clients:own", "admin"]);
    assert.deepEqual([...IDENTITY_SCOPES], ["openid", "profile", "email", "offline_access"]);
  });

  test("tokens for other APIs carry content scopes only", () => {
    assert.deepEqual(
      [...SCOPES_ELSEWHERE],
      ["profile:write", "posts:read", "posts:write", "users:read", "users:email"],
    );
  });

  test("the API lets every client ask for content that is not privileged", () => {
    assert.deepEqual(CONTENT_SCOPES, ["profile:write", "posts:read", "posts:write", "users:read"]);
  });

  test("A12 posts:draft counts at /mcp, and nothing privileged does", () => {
    assert.deepEqual(AGENT_SCOPES, ["profile:write", "posts:read", "posts:draft", "posts:write", "users:read"]);
  });

  test("callers without a token read posts and people's names", () => {
    assert.deepEqual(PUBLIC_SCOPES, ["posts:read", "users:read"]);
  });

  test("only administrators hold admin", () => {
    for (const role of ["member", "editor", null] as const) assert.equal(isScopeOfRole("admin", role), false);
    assert.equal(isScopeOfRole("admin", "admin"), true);
    for (const scope of SCOPES)
      if (scope !== "admin" && scope !== "clients:own") assert.equal(isScopeOfRole(scope, null), true, scope);
  });

  test("S70 every person may hold clients:own, a client for itself never, and it is offered where people own clients", () => {
    for (const role of ["member", "editor", "admin"] as const) assert.equal(isScopeOfRole("clients:own", role), true);
    assert.equal(isScopeOfRole("clients:own", null), false);
    assert.deepEqual(offeredScopes("people"), SCOPES);
    assert.deepEqual(
      offeredScopes("admins"),
      SCOPES.filter((scope) => scope !== "clients:own"),
    );
  });

  test("U69 nobody holds scim but a client that acts for itself", () => {
    for (const role of ["member", "editor", "admin"] as const) assert.equal(isScopeOfRole("scim", role), false);
  });

  test("a wider scope stands for a narrower one, and not the other way", () => {
    const viewer = (scope: string) => ({ userId: null, role: null, clientId: "c", scopes: new Set([scope]) });
    assert.deepEqual(missingScopes(viewer("users:email"), ["email", "profile"]), ["profile"]);
    assert.deepEqual(missingScopes(viewer("email"), ["users:email"]), ["users:email"]);
    assert.deepEqual(missingScopes(viewer("posts:write"), ["posts:read"]), ["posts:read"]);
    assert.deepEqual(missingScopes(viewer("posts:write"), ["posts:draft"]), []);
    assert.deepEqual(missingScopes(viewer("posts:draft"), ["posts:write"]), ["posts:write"]);
  });

  test("A14 a client that is registered for posts:write may have posts:draft, and for nothing else something narrower", () => {
    assert.deepEqual(withImplied(["posts:write"]), ["posts:write", "posts:draft"]);
    assert.deepEqual(withImplied(["posts:write", "posts:draft"]), ["posts:write", "posts:draft"]);
    assert.deepEqual(withImplied(["users:read", "users:email", "posts:draft"]), [
      "users:read",
      "users:email",
      "posts:draft",
    ]);
    assert.deepEqual(presentScopes(["posts:read", "posts:draft"], ["posts:write"], "member"), ["posts:draft"]);
    assert.deepEqual(withoutImplied(["posts:draft", "posts:write", "email"]), ["posts:write", "email"]);
  });

  test("a client can change something with these, and with an unknown one perhaps", () => {
    assert.deepEqual(SCOPES.filter(canChange), [
      ...["profile:write", "posts:draft", "posts:write", "clients:own", "admin", "scim"],
    ]);
    assert.equal(canChange("x:y"), true);
  });

  test("docs/oauth.md says of each scope what it allows", () => {
    const docs = readFileSync(join(import.meta.dirname, "../../docs/oauth.md"), "utf8");
    for (const scope of SCOPES) {
      assert.ok(docs.includes(`\`${scope}\``), scope);
      assert.notEqual(sentenceOf(scope), "");
    }
  });
});
