import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import fc from "fast-check";
import type { PostStatus } from "../../../src/domain/post-status.ts";
import { openStore } from "../../../src/storage/open.ts";
import { aPerson } from "../../conformance/samples.ts";
import { ada, openTestServer } from "../server.ts";

const RUNS = Math.min(1_000, Number(process.env.ORACLE_RUNS ?? 30));

/** What a post is to be like, by the simplest program that can say it. */
interface Model {
  id: string;
  title: string;
  slugTitle: string;
  status: PostStatus;
  version: number;
  wasPublished: boolean;
}

const command = fc.record({
  name: fc.constantFrom("createPost", "updatePost", "publishPost", "unpublishPost", "archivePost", "deletePost"),
  who: fc.constantFrom("author", "other", "editor"),
  /** Which of the posts there are, or were. */
  post: fc.nat(3),
  title: fc.constantFrom("One", "Two", "Three"),
  draft: fc.boolean(),
  /** How far the expected version is from the present one; null for none. */
  version: fc.constantFrom(null, null, 0, 0, -1, 1),
});
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

const NEXT: Readonly<Record<string, Readonly<Record<PostStatus, PostStatus | "CONFLICT">>>> = {
  publishPost: { DRAFT: "PUBLISHED", PUBLISHED: "PUBLISHED", ARCHIVED: "CONFLICT" },
  unpublishPost: { DRAFT: "DRAFT", PUBLISHED: "DRAFT", ARCHIVED: "DRAFT" },
  archivePost: { DRAFT: "CONFLICT", PUBLISHED: "ARCHIVED", ARCHIVED: "ARCHIVED" },
};

/** Changes the model. @returns the code of the refusal, or null */
function apply(posts: Map<string, Model>, id: string, { name, who, title, version }: Command): string | null {
  const post = posts.get(id);
  if (post === undefined || (who === "other" && post.status !== "PUBLISHED")) return "NOT_FOUND";
  if (who === "other") return "FORBIDDEN";
  if (version !== null && version !== 0) return "CONFLICT";
  if (name === "deletePost") {
    posts.delete(id);
    return null;
  }
  if (name === "updatePost") {
    post.title = title;
    if (!post.wasPublished) post.slugTitle = title;
    post.version++;
    return null;
  }
  const next = NEXT[name]?.[post.status] ?? "CONFLICT";
  if (next === "CONFLICT") return next;
  if (next !== post.status) post.version++;
  post.status = next;
  post.wasPublished ||= next === "PUBLISHED";
  return null;
}

const folder = await mkdtemp(join(tmpdir(), "writing-model-"));
after(() => rm(folder, { recursive: true }));

test(`whatever ${RUNS} histories of three people do, posts and events are as a simple model has them`, async () => {
  const store = await openStore(`sqlite:${join(folder, "content.db")}`);
  try {
    const as = async (name: string, role: "member" | "editor") => {
      const { id } = await store.users.create(aPerson({ email: `${name}@example.com`, role }));
      return openTestServer({ store, viewer: { ...ada, userId: id, role } });
    };
    const servers = {
      author: await as("a", "member"),
      other: await as("b", "member"),
      editor: await as("c", "editor"),
    };
    let lastEvent = await store.outbox.last();

    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 25 }), async (commands) => {
        const posts = new Map<string, Model>();
        const ids: string[] = [];
        let changes = 0;
        for (const one of commands) {
          const id = ids[one.post];
          if (one.name === "createPost" || id === undefined) {
            const status = one.draft ? "DRAFT" : "PUBLISHED";
            const query = `mutation { createPost(input: { title: "${one.title}", body: "", status: ${status} }) { id } }`;
            const created: string = (await servers.author.query(query)).json.data.createPost.id;
            if (ids.length < 4) ids.push(created);
            const title = { title: one.title, slugTitle: one.title };
            posts.set(created, { id: created, ...title, status, version: 1, wasPublished: !one.draft });
            changes++;
            continue;
          }
          const present = posts.get(id)?.version ?? 1;
          const expected = one.version === null ? "" : `, expectedVersion: ${present + one.version}`;
          const input = one.name === "updatePost" ? `, input: { title: "${one.title}" }` : "";
          const query = `mutation { ${one.name}(id: "${id}"${input}${expected}) { __typename } }`;
          const answer = await servers[one.who].query(query);
          const before = posts.get(id)?.version;
          const refusal = apply(posts, id, one);
          assert.equal(answer.json.errors?.[0].extensions.code ?? null, refusal, `${one.who}: ${query}`);
          if (posts.get(id)?.version !== before) changes++;
        }
        for (const id of ids) {
          const query = `{ post(id: "${id}") { id title slug status version publishedAt } }`;
          const model = posts.get(id);
          const { post } = (await servers.author.query(query)).json.data;
          if (model === undefined) assert.equal(post, null);
          else {
            const { slug, publishedAt, ...rest } = post;
            const { slugTitle, wasPublished, ...expected } = model;
            assert.deepEqual(rest, expected);
            assert.equal(publishedAt !== null, wasPublished);
            assert.ok(slug.startsWith(slugTitle.toLowerCase()), `${slug} is not of ${slugTitle}`);
          }
          const seen = (await servers.other.query(query)).json.data.post;
          assert.equal(seen !== null, model?.status === "PUBLISHED");
        }
        const events = await store.outbox.list(lastEvent, 1_000);
        lastEvent = events.at(-1)?.id ?? lastEvent;
        assert.equal(events.length, changes);
      }),
      { numRuns: RUNS },
    );
  } finally {
    await store.close();
  }
});
