import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AppError } from "../../../src/domain/errors.ts";
import type { Id } from "../../../src/domain/id.ts";
import type { PostStatus } from "../../../src/domain/post-status.ts";
import type { PostChange, PostState } from "../../../src/domain/posts/post.ts";
import {
  archivePost,
  deletePost,
  type PostRequest,
  publishPost,
  unpublishPost,
  updatePost,
} from "../../../src/domain/posts/post-changes.ts";
import type { Store } from "../../../src/domain/store/store.ts";
import type { Role, Viewer } from "../../../src/domain/viewer.ts";

const POST = "01a21efd-4214-7000-8474-a0573e6a4ee8" as Id;
const AUTHOR = "01a21efd-4214-7000-8474-a0573e6a4ee9" as Id;
const OTHER = "01a21efd-4214-7000-8474-a0573e6a4eea" as Id;
const LATER = "2026-03-01T00:00:00.000Z";

const render = async (text: string) => ({ html: `<p>${text}</p>`, text });
const ACTIONS = {
  update: (request: PostRequest) => updatePost(request, { title: "New" }, render),
  schedule: (request: PostRequest) => updatePost(request, { publishAt: LATER }, render),
  unschedule: (request: PostRequest) => updatePost(request, { publishAt: null }, render),
  publish: publishPost,
  unpublish: unpublishPost,
  archive: archivePost,
  delete: deletePost,
} as const;
type Action = keyof typeof ACTIONS;

/** What becomes of a post: the event and the new status, `-` for nothing, or the code of the refusal. */
const LIFE: Readonly<Record<Action, Readonly<Record<PostStatus, string>>>> = {
  update: { DRAFT: "post.updated", PUBLISHED: "post.updated", ARCHIVED: "post.updated" },
  schedule: { DRAFT: "post.updated", PUBLISHED: "BAD_USER_INPUT", ARCHIVED: "BAD_USER_INPUT" },
  unschedule: { DRAFT: "-", PUBLISHED: "-", ARCHIVED: "-" },
  publish: { DRAFT: "post.published PUBLISHED", PUBLISHED: "-", ARCHIVED: "CONFLICT" },
  unpublish: { DRAFT: "-", PUBLISHED: "post.unpublished DRAFT", ARCHIVED: "post.unpublished DRAFT" },
  archive: { DRAFT: "CONFLICT", PUBLISHED: "post.archived ARCHIVED", ARCHIVED: "-" },
  delete: { DRAFT: "post.deleted", PUBLISHED: "post.deleted", ARCHIVED: "post.deleted" },
};

/** What somebody is told who may change nothing of it. */
const VIEWERS: readonly [name: string, userId: Id | null, role: Role | null, may: boolean][] = [
  ["the author", AUTHOR, "member", true],
  ["an editor", OTHER, "editor", true],
  ["an administrator", OTHER, "admin", true],
  ["somebody else", OTHER, "member", false],
  ["a client", null, null, false],
];

async function outcome(
  action: Action,
  post: PostState | null,
  viewer: Viewer,
  expectedVersion: number | null = null,
): Promise<string> {
  let change: PostChange | null = null;
  const posts: Partial<Store["posts"]> = {
    edit: async (_, decide) => {
      change = decide(post);
    },
  };
  const store = { posts } as Store; // all that the use-cases use
  try {
    await ACTIONS[action]({ store, viewer, id: POST, expectedVersion, once: undefined });
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
  const { event, status } = (change as PostChange | null) ?? {};
  return event === undefined ? "-" : [event, ...(status === undefined ? [] : [status])].join(" ");
}

/** Changes that the scope `posts:draft` alone allows: those of the text of one's own drafts. */
const DRAFTS_ONLY: Readonly<Record<Action, string>> = {
  ...{ update: "post.updated", schedule: "FORBIDDEN", unschedule: "-" },
  ...{ publish: "FORBIDDEN", unpublish: "-", archive: "CONFLICT", delete: "FORBIDDEN" },
};

function aPost(status: PostStatus): PostState {
  const updatedAt = "2026-01-31T12:00:00.000Z";
  return { id: POST, authorId: AUTHOR, status, version: 3, title: "Title", publishAt: null, updatedAt };
}

function aViewer(userId: Id | null, role: Role | null): Viewer {
  return { userId, role, clientId: "client", scopes: new Set(["posts:write"]) };
}

describe("the life of a post", () => {
  for (const [name, userId, role, may] of VIEWERS) {
    test(`what ${name} may do with it`, async () => {
      for (const action of Object.keys(LIFE) as Action[]) {
        for (const status of ["DRAFT", "PUBLISHED", "ARCHIVED"] as const) {
          const refusal = status === "PUBLISHED" ? "FORBIDDEN" : "NOT_FOUND";
          const expected = may ? LIFE[action][status] : refusal;
          assert.equal(await outcome(action, aPost(status), aViewer(userId, role)), expected, `${action} ${status}`);
        }
        assert.equal(await outcome(action, null, aViewer(userId, role)), "NOT_FOUND", action);
      }
    });
  }

  test("posts:draft alone changes the text of one's own drafts, and nothing else, whatever the role", async () => {
    const drafter = (userId: Id, role: Role): Viewer => ({
      ...aViewer(userId, role),
      scopes: new Set(["posts:read", "posts:draft"]),
    });
    for (const action of Object.keys(LIFE) as Action[]) {
      const author = drafter(AUTHOR, "admin");
      assert.equal(await outcome(action, aPost("DRAFT"), author), DRAFTS_ONLY[action], action);
      const scheduled = { ...aPost("DRAFT"), publishAt: "2026-02-01T00:00:00.000Z" };
      const refused = ["FORBIDDEN", "CONFLICT"]; // a step that there is not comes first
      assert.ok(refused.includes(await outcome(action, scheduled, author)), action);
      for (const status of ["PUBLISHED", "ARCHIVED"] as const) {
        const result = await outcome(action, aPost(status), author);
        assert.ok(["BAD_USER_INPUT", ...refused].includes(result), `${action} ${status}: ${result}`);
      }
      const editor = drafter(OTHER, "editor");
      assert.ok(refused.includes(await outcome(action, aPost("DRAFT"), editor)), action);
    }
  });

  test("another version than the expected one is a conflict, and only for who sees the post", async () => {
    const author = aViewer(AUTHOR, "member");
    for (const action of Object.keys(LIFE) as Action[]) {
      assert.equal(await outcome(action, aPost("DRAFT"), author, 2), "CONFLICT", action);
      assert.equal(await outcome(action, aPost("DRAFT"), author, 3), LIFE[action].DRAFT, action);
      assert.equal(await outcome(action, aPost("DRAFT"), aViewer(OTHER, "member"), 2), "NOT_FOUND", action);
    }
  });

  test("every rule that the input breaks is told of", async () => {
    const request = { store: {} as Store, viewer: aViewer(AUTHOR, "member"), id: POST, expectedVersion: null };
    const input = { title: "", body: "\0" };
    await assert.rejects(updatePost({ ...request, once: undefined }, input, render), (error) => {
      assert.ok(error instanceof AppError && error.code === "BAD_USER_INPUT");
      assert.deepEqual(
        error.details.broken?.map(({ field }) => field),
        ["input.title", "input.body"],
      );
      assert.equal(error.cause, undefined, "a cause is for the log alone");
      return true;
    });
  });
});
