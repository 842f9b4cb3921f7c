import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { Id } from "../../../src/domain/id.ts";
import type { Store } from "../../../src/domain/store/store.ts";
import type { Viewer } from "../../../src/domain/viewer.ts";
import { openStore } from "../../../src/storage/open.ts";
import { aPerson } from "../../conformance/samples.ts";
import { openPostgres } from "../../postgres.ts";
import { ada, openTestServer, type TestServer } from "../server.ts";

const folder = await mkdtemp(join(tmpdir(), "deleted-posts-"));
after(() => rm(folder, { recursive: true }));
const postgres = await openPostgres();

const ERRORS = "errors { code field message }";
const CREATE = "mutation ($input: CreatePostInput!) { createPost(input: $input) { id } }";
const DELETE = `mutation ($id: ID!) { deletePost(id: $id) { deletedId ${ERRORS} } }`;
const RESTORE = `mutation ($id: ID!) { restoreDeletedPost(id: $id) { post { id title body slug status version createdAt author { id } } ${ERRORS} } }`;
const LIST = `query ($first: Int! = 20, $after: String) { deletedPosts(first: $first, after: $after) {
  nodes { __typename id title body status version createdAt deletedAt author { name } deletedBy { id } }
  edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`;
const EVERYWHERE = `query ($id: ID!) { post(id: $id) { id } node(id: $id) { id } postBySlug(slug: "hello-world") { id }
  postsConnection(filter: { status: [DRAFT, PUBLISHED, ARCHIVED] }) { totalCount nodes { id } } }`;

interface Listed {
  readonly nodes: readonly { readonly id: string; readonly deletedAt: string }[];
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly id: string } }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly hasPreviousPage: boolean; readonly endCursor: string };
}

function answers(database: string, newDatabase: () => Promise<string>): void {
  describe(`S43 deleted posts on ${database}`, () => {
    let store: Store;
    let author: TestServer;
    let other: TestServer;
    let editor: TestServer;
    let nobody: TestServer;
    let authorId: Id;

    before(async () => {
      store = await openStore(await newDatabase());
      const people: Id[] = [];
      for (const role of ["member", "member", "editor"] as const)
        people.push((await store.users.create(aPerson({ email: `p${people.length}@example.com`, role }))).id);
      const [first, second, third] = people as [Id, Id, Id];
      authorId = first;
      const as = (viewer: Partial<Viewer>) => openTestServer({ store, viewer: { ...ada, ...viewer } });
      author = as({ userId: first, role: "member" });
      other = as({ userId: second, role: "member" });
      editor = as({ userId: third, role: "editor" });
      nobody = as({ userId: null, role: null });
    });
    after(() => store.close());

    async function create(by: TestServer, input: object = {}): Promise<string> {
      const answer = await by.query(CREATE, { input: { title: "Hello World", body: "*Hi*", ...input } });
      return answer.json.data.createPost.id;
    }
    const list = async (by: TestServer, variables: object = {}): Promise<Listed> =>
      (await by.query(LIST, variables as Record<string, unknown>)).json.data.deletedPosts;

    test("a deleted post is listed for who may restore it, and nowhere else", async () => {
      const id = await create(author);
      const post = (await author.query("query ($id: ID!) { post(id: $id) { createdAt } }", { id })).json.data.post;
      const deleted = await author.query(DELETE, { id });
      assert.deepEqual(deleted.json.data.deletePost, { deletedId: id, errors: [] });
      const gone = (await editor.query(EVERYWHERE, { id })).json.data;
      const nothing = { post: null, node: null, postBySlug: null, postsConnection: { totalCount: 0, nodes: [] } };
      assert.deepEqual(gone, nothing);
      const again = await author.query(DELETE, { id });
      assert.equal(again.json.errors[0].extensions.code, "NOT_FOUND");
      const [found, ...more] = (await list(author)).nodes;
      assert.deepEqual(more, []);
      const { deletedAt, ...rest } = found ?? assert.fail();
      assert.match(deletedAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      assert.deepEqual(rest, {
        ...{ __typename: "DeletedPost", id, title: "Hello World", body: "*Hi*", status: "PUBLISHED", version: 1 },
        ...{ createdAt: post.createdAt, author: { name: "Ada Lovelace" }, deletedBy: { id: authorId } },
      });
      assert.deepEqual((await list(editor)).nodes, (await list(author)).nodes);
      for (const by of [other, nobody]) {
        assert.deepEqual((await list(by)).nodes, []);
        assert.equal((await by.query(RESTORE, { id })).json.errors[0].extensions.code, "NOT_FOUND");
      }
      const restored = (await author.query(RESTORE, { id })).json.data.restoreDeletedPost;
      assert.deepEqual(restored, {
        post: {
          ...{ id, title: "Hello World", body: "*Hi*", slug: "hello-world", status: "DRAFT", version: 2 },
          ...{ createdAt: post.createdAt, author: { id: authorId } },
        },
        errors: [],
      });
      assert.deepEqual((await list(author)).nodes, []);
      assert.equal((await author.query(RESTORE, { id })).json.errors[0].extensions.code, "NOT_FOUND");
      await author.query(DELETE, { id });
      await author.query(RESTORE, { id });
      assert.equal((await author.query(EVERYWHERE, { id })).json.data.post.id, id);
    });

    test("pages by key: every post once, whatever is restored meanwhile", async () => {
      const ids: string[] = [];
      for (let i = 0; i < 7; i++) ids.push(await create(author, { title: `Post ${i}` }));
      for (const id of ids) await author.query(DELETE, { id });
      const byOthers = await create(other);
      await other.query(DELETE, { id: byOthers });
      const seen: string[] = [];
      let after: string | null = null;
      for (let turn = 0; ; turn++) {
        const { nodes, edges, pageInfo }: Listed = await list(author, { first: 3, after });
        seen.push(...nodes.map(({ id }) => id));
        assert.deepEqual(
          edges.map(({ node }) => node.id),
          nodes.map(({ id }) => id),
        );
        assert.equal(pageInfo.hasPreviousPage, turn > 0);
        if (turn === 0) await author.query(RESTORE, { id: seen[2] });
        if (!pageInfo.hasNextPage) break;
        after = pageInfo.endCursor;
      }
      const times = new Map((await list(editor)).nodes.map(({ id, deletedAt }) => [id, deletedAt]));
      assert.deepEqual([...seen].sort(), [...ids].sort());
      assert.deepEqual(
        seen.filter((id) => times.has(id)),
        [...times.keys()].filter((id) => id !== byOthers),
      );
      assert.equal(times.size, 7, "an editor sees the post of somebody else too");
      const foreign = await author.query(LIST, { after: "nonsense" });
      assert.deepEqual(foreign.json.errors[0].extensions, { code: "BAD_USER_INPUT", field: "after" });
    });

    test("the same Idempotency-Key restores once", async () => {
      const id = await create(author);
      await author.query(DELETE, { id });
      const before = (await store.outbox.list(null, 10_000)).length;
      const key = { "idempotency-key": '"restore-1"' };
      const [first, second] = [await author.query(RESTORE, { id }, key), await author.query(RESTORE, { id }, key)];
      assert.equal(first.json.data.restoreDeletedPost.post.id, id);
      assert.deepEqual(second.json, first.json);
      assert.equal((await store.outbox.list(null, 10_000)).length, before + 1);
    });

    test("a client that writes drafts only restores nothing, and the list needs posts:read", async () => {
      const id = await create(author);
      await author.query(DELETE, { id });
      const as = (scopes: string[]) =>
        openTestServer({ store, viewer: { ...ada, userId: authorId, role: "member", scopes: new Set(scopes) } });
      const drafts = await as(["posts:draft", "posts:read", "users:read"]).query(RESTORE, { id });
      assert.equal(drafts.json.errors[0].extensions.code, "FORBIDDEN");
      assert.ok(drafts.json.errors[0].extensions.scopes.includes("posts:write"));
      assert.equal((await as(["posts:write", "users:read"]).query(LIST)).status, 403);
    });

    test("a list costs what its page may hold, and a shared cache keeps none of it", async () => {
      const cost = async (fields: string) =>
        (await author.query(`{ ${fields} }`, {}, { "graphql-cost": "1" })).json.extensions.cost;
      assert.equal(await cost("deletedPosts(first: 1) { nodes { id } }"), 2);
      assert.equal(await cost("deletedPosts { nodes { id author { id } } pageInfo { hasNextPage } }"), 41);
      const restore = await author.query(RESTORE, { id: authorId }, { "graphql-cost": "1" });
      assert.equal(restore.json.extensions.cost, 13);
      const url = `/graphql?query=${encodeURIComponent("{ deletedPosts { nodes { id } } }")}`;
      const { headers } = await author.send({ method: "GET", url });
      assert.equal(headers["cache-control"], "private, no-cache");
    });
  });
}

let files = 0;
answers("SQLite", async () => `sqlite:${join(folder, `${++files}.db`)}`);
answers("PostgreSQL", () => postgres.createDatabase());
