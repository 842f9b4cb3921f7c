import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, test } from "node:test";
import type { Id } from "../../../src/domain/id.ts";
import type { PostStatus } from "../../../src/domain/post-status.ts";
import { SCOPES } from "../../../src/domain/scopes.ts";
import type { Store } from "../../../src/domain/store/store.ts";
import type { Viewer } from "../../../src/domain/viewer.ts";
import { openStore } from "../../../src/storage/open.ts";
import { aPerson } from "../../conformance/samples.ts";
import { openPostgres, sqlOn } from "../../postgres.ts";
import { openTestServer, type TestServer } from "../server.ts";

const folder = await mkdtemp(join(tmpdir(), "lists-"));
after(() => rm(folder, { recursive: true }));
const postgres = await openPostgres();
let files = 0;

function viewerOf(userId: Id | null, role: Viewer["role"] = "member", scopes: readonly string[] = SCOPES): Viewer {
  return { userId, role, clientId: "client", scopes: new Set(scopes) };
}

interface Connection {
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly id: string } }[];
  readonly pageInfo: Record<"hasNextPage" | "hasPreviousPage", boolean> & Record<"startCursor" | "endCursor", string>;
}

const PAGE = "{ edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }";

/** @param run runs one statement on the database past the program */
function lists(
  database: string,
  newDatabase: () => Promise<string>,
  run: (url: string, statement: string) => Promise<unknown>,
): void {
  describe(`lists on ${database}`, () => {
    let now = Date.UTC(2026, 0, 31, 12);
    let url: string;
    let store: Store;
    let ada: Id;
    let grace: Id;
    let asAda: TestServer;
    let asGrace: TestServer;
    let asEditor: TestServer;
    let asClient: TestServer;
    const write = (title: string, status: PostStatus = "PUBLISHED", authorId = ada, body = "") =>
      store.posts.create({ authorId, title, body, status });

    before(async () => {
      url = await newDatabase();
      store = await openStore(url, { now: () => now });
      ada = (await store.users.create(aPerson({ name: "Ada", email: "ada@example.com" }))).id;
      grace = (await store.users.create(aPerson({ name: "Grace", email: "grace@example.com" }))).id;
      const as = (viewer: Viewer) => openTestServer({ store, viewer });
      asAda = as(viewerOf(ada));
      asGrace = as(viewerOf(grace));
      asEditor = as(viewerOf(grace, "editor"));
      asClient = as(viewerOf(null, null));
    });
    after(() => store.close());

    async function walk(direction: "first" | "last", field: string, between: () => Promise<void>): Promise<string[]> {
      const seen: string[] = [];
      const side = direction === "first" ? "after" : "before";
      let cursor: string | null = null;
      for (;;) {
        const page: Connection = (
          await asAda.query(
            `query ($cursor: String, $by: PostOrderField!) {
              postsConnection(${direction}: 7, ${side}: $cursor, orderBy: {field: $by}) ${PAGE} }`,
            { cursor, by: field },
          )
        ).json.data.postsConnection;
        const ids = page.edges.map(({ node }) => node.id);
        seen.push(...(direction === "first" ? ids : ids.toReversed()));
        const { hasNextPage, hasPreviousPage, startCursor, endCursor } = page.pageInfo;
        if (!(direction === "first" ? hasNextPage : hasPreviousPage)) return seen;
        assert.equal(ids.length, 7);
        cursor = direction === "first" ? endCursor : startCursor;
        await between();
      }
    }

    test("30 posts of one moment, walked in sevens both ways while others come and go: each exactly once", async () => {
      const ids: string[] = [];
      for (let i = 0; i < 30; i++) ids.push(await write(`${i}`));
      const moment = now;
      for (const field of ["CREATED_AT", "UPDATED_AT", "PUBLISHED_AT"]) {
        for (const direction of ["first", "last"] as const) {
          const others = new Set<string>();
          const last: string[] = [];
          const walked = await walk(direction, field, async () => {
            // At the same moment, before it and after it; all but the newest three are gone again.
            for (const shift of [0, -1, 1]) {
              now = moment + shift;
              last.push(await write("other"));
            }
            now = moment;
            for (const id of last.splice(0, last.length - 3)) await run(url, `DELETE FROM posts WHERE id = '${id}'`);
            for (const id of last) others.add(id);
          });
          const expected = direction === "first" ? ids.toReversed() : ids;
          assert.deepEqual(
            walked.filter((id) => ids.includes(id)),
            expected,
            `${field} ${direction}`,
          );
          assert.equal(new Set(walked).size, walked.length);
          assert.notEqual(others.size, 0);
        }
      }
    });

    test("I08 sizes out of range, and cursors cut off, changed, of another list or order are BAD_USER_INPUT", async () => {
      const { data } = (
        await asAda.query(
          `query ($id: ID!) {
          posts: postsConnection(first: 2) ${PAGE}
          oldest: postsConnection(first: 2, orderBy: {field: CREATED_AT, direction: ASC}) ${PAGE}
          updated: postsConnection(first: 2, orderBy: {field: UPDATED_AT}) ${PAGE}
          users: usersConnection(first: 1) ${PAGE}
          user(id: $id) { posts: postsConnection(first: 1) ${PAGE} }
        }`,
          { id: ada },
        )
      ).json;
      const good: string = data.posts.pageInfo.endCursor;
      const change = (i: number) => good.slice(0, i) + (good[i] === "A" ? "B" : "A") + good.slice(i + 1);
      const foreign = [data.oldest, data.updated, data.users, data.user.posts].map(
        ({ pageInfo }) => pageInfo.endCursor,
      );
      const bad = [
        ...foreign,
        ...Array.from({ length: good.length }, (_, i) => change(i)),
        ...[1, 5, 40, good.length - 1].map((length) => good.slice(0, length)),
        ...["", "x", `${good}A`, `${good}=`, ` ${good}`, good.toUpperCase(), "2026-01-31T12:00:00.000Z", ada, "🙂"],
      ];
      for (const after of bad) {
        for (const list of ["posts(after: $c) { id }", `postsConnection(before: $c) ${PAGE}`]) {
          const { status, json } = await asAda.query(`query ($c: String) { ${list} }`, { c: after });
          assert.equal(status, 400, after);
          assert.equal(json.errors.length, 1, "one argument, one error");
          assert.equal(json.errors[0].extensions.code, "BAD_USER_INPUT");
          assert.match(json.errors[0].extensions.field, /^(after|before)$/);
        }
      }
      assert.equal((await asAda.query("query ($c: String) { posts(after: $c) { id } }", { c: good })).status, 200);
      for (const size of [-1, 101, 1e9, 2 ** 31 - 1]) {
        for (const list of [
          "posts(first: $n) { id }",
          `postsConnection(last: $n) ${PAGE}`,
          "users(first: $n) { id }",
        ]) {
          const { json } = await asAda.query(`query ($n: Int) { ${list} }`, { n: size });
          assert.equal(json.errors[0].extensions.code, "BAD_USER_INPUT", `${list} ${size}`);
        }
      }
      const both = await asAda.query(`{ postsConnection(first: 1, last: 1) ${PAGE} }`);
      assert.equal(both.json.errors[0].extensions.code, "BAD_USER_INPUT");
      const none = (await asAda.query(`{ postsConnection(first: 0) ${PAGE} posts(first: 0) { id } }`)).json.data;
      assert.deepEqual(none.posts, []);
      const nowhere = { hasNextPage: true, hasPreviousPage: false, startCursor: null, endCursor: null };
      assert.deepEqual(none.postsConnection, { edges: [], pageInfo: nowhere });
    });

    test("drafts of others are nowhere: no post, node, list, count, search, connection or error tells of them", async () => {
      const statuses = ["DRAFT", "ARCHIVED"] as const;
      const hidden: Id[] = [];
      for (const status of statuses) hidden.push(await write(`zebra ${status}`, status, ada, "zebra"));
      const missing = "01990000-0000-7000-8000-000000000000";
      const everywhere = `query ($id: ID!, $ada: ID!) {
        post(id: $id) { id title }
        node(id: $id) { id ... on Post { title } }
        nodes(ids: [$id]) { id }
        posts(filter: {status: [DRAFT, PUBLISHED, ARCHIVED], search: "zebra"}) { id }
        drafts: posts(filter: {status: DRAFT}) { id }
        hidden: postsConnection(filter: {author: $ada, status: [DRAFT, ARCHIVED]}) { totalCount ${PAGE.slice(1)}
        found: postsConnection(filter: {search: "zebra", status: [DRAFT, ARCHIVED]}) { totalCount edges { highlight } }
        user(id: $ada) { posts(filter: {status: [DRAFT, ARCHIVED]}) { id } postsConnection(filter: {status: DRAFT}) { totalCount } }
        newest: posts(first: 1, filter: {search: "zebra"}) { id }
      }`;
      for (const server of [asGrace, asClient]) {
        for (const id of hidden) {
          const answer = await server.query(everywhere, { id, ada });
          assert.equal(answer.body, (await server.query(everywhere, { id: missing, ada })).body);
          assert.doesNotMatch(answer.body, /zebra|title/);
          const { data } = answer.json;
          assert.equal(data.hidden.totalCount + data.found.totalCount + data.user.postsConnection.totalCount, 0);
          assert.deepEqual([data.posts, data.drafts, data.user.posts, data.nodes], [[], [], [], [null]]);
        }
      }
      for (const server of [asAda, asEditor]) {
        const { data } = (await server.query(everywhere, { id: hidden[0], ada })).json;
        assert.equal(data.post.title, "zebra DRAFT");
        assert.equal(data.node.title, "zebra DRAFT");
        assert.deepEqual(data.posts.map(({ id }: { id: string }) => id).toSorted(), hidden.toSorted());
        assert.equal(data.hidden.totalCount, 2);
        assert.equal(data.found.edges[0].highlight, "<mark>zebra</mark>");
        assert.deepEqual(data.newest, []); // published ones only, unless asked otherwise
      }
    });

    test("I09 ids of others, missing, malformed, endless or hostile name no object, whatever is asked for", async () => {
      const names = [
        "",
        "x",
        "' or 1=1",
        "*",
        "x".repeat(10_240),
        "01990000-0000-7000-8000-000000000000",
        ada.toUpperCase(),
      ];
      const query =
        "query ($id: ID!) { user(id: $id) { id } post(id: $id) { id } node(id: $id) { id } nodes(ids: [$id]) { id } }";
      for (const id of names) {
        const { body } = await asGrace.query(query, { id });
        assert.equal(body, '{"data":{"user":null,"post":null,"node":null,"nodes":[null]}}', id.slice(0, 40));
      }
      const filtered = await asGrace.query("query ($id: ID!) { posts(filter: {author: $id}) { id } }", {
        id: "' or 1=1",
      });
      assert.equal(filtered.body, '{"data":{"posts":[]}}');
      const many = await asGrace.query("query ($ids: [ID!]!) { nodes(ids: $ids) { id } }", {
        ids: names.concat(Array(94).fill("x")),
      });
      assert.equal(many.json.errors[0].extensions.code, "BAD_USER_INPUT");
      assert.equal(many.json.errors.length, 1);
    });

    test("nodes come in the order asked for, and cost what they could be", async () => {
      const post = await write("a node");
      const ids = [post, ada, "x", post];
      const { json } = await asAda.query(
        "query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id ... on User { name } ... on Post { title author { name } } } }",
        { ids },
        { "graphql-cost": "1" },
      );
      const node = { __typename: "Post", id: post, title: "a node", author: { name: "Ada" } };
      assert.deepEqual(json.data.nodes, [node, { __typename: "User", id: ada, name: "Ada" }, null, node]);
      assert.equal(json.extensions.cost, 8);
    });

    test("a search finds all the words, titles first, and marks them in HTML that is safe", async () => {
      const body = 'It <b>was</b> a "quokka" & nothing else. '.repeat(3);
      const old = await write("Café wombat quokka");
      const inBody = await write("Elsewhere", "PUBLISHED", ada, `${body} wombat`);
      await write("wombat alone");
      const search = async (words: string, more = "") => {
        const query = `query ($words: String!) { postsConnection(filter: {search: $words${more}}) { totalCount edges { node { id } highlight } } }`;
        return (await asGrace.query(query, { words })).json.data.postsConnection;
      };
      const found = await search("QUOKKA wombat");
      assert.deepEqual(
        found.edges.map(({ node }: Connection["edges"][number]) => node.id),
        [old, inBody],
      );
      const sentence = "It &lt;b&gt;was&lt;/b&gt; a &quot;<mark>quokka</mark>&quot; &amp; nothing else.";
      assert.equal(found.edges[1].highlight, `${sentence} ${sentence} ${sentence}  <mark>wombat</mark>`);
      for (const [words, count] of [
        ["cafe", 1],
        ["CAFÉ", 1],
        ["quok*", 2],
        ["quok", 0],
        ["wombat", 3],
        ['"wombat" OR -quokka (x)', 0],
        ["wombat AND", 0],
        ["title:wombat", 0],
        ["wombat'", 3],
        ["wombat & quokka | ! <->", 2],
      ] as const) {
        assert.equal((await search(words)).totalCount, count, words);
      }
      assert.equal((await search("wombat", `, author: "${grace}"`)).totalCount, 0);
      for (const words of ["", "?!", "x".repeat(201), "a ".repeat(17)]) {
        const { json } = await asGrace.query("query ($w: String) { posts(filter: {search: $w}) { id } }", { w: words });
        assert.equal(json.errors[0].extensions.field, "filter.search", words);
      }
      const unsearched = await asGrace.query("{ posts(orderBy: {field: RELEVANCE}) { id } }");
      assert.equal(unsearched.json.errors[0].extensions.code, "BAD_USER_INPUT");
    });

    test("ranges hold their beginning and not their end, in whatever offset they are given", async () => {
      now = Date.UTC(2026, 5, 1);
      const id = await write("June");
      const count = async (range: object) =>
        (
          await asGrace.query("query ($r: TimeRange) { postsConnection(filter: {createdAt: $r}) { totalCount } }", {
            r: range,
          })
        ).json.data?.postsConnection.totalCount;
      assert.notEqual(id, "");
      assert.equal(await count({ from: "2026-06-01T00:00:00Z" }), 1);
      assert.equal(await count({ from: "2026-06-01T00:00:00.001Z" }), 0);
      assert.equal(await count({ from: "2026-06-01T02:00:00+02:00", until: "2026-06-01t00:00:00.001z" }), 1);
      assert.equal(await count({ from: "2026-06-01T00:00:00Z", until: "2026-06-01T00:00:00Z" }), 0);
      // What is finer than a millisecond: the post is at 00:00:00.000.
      for (const finer of ["0001", "000000001", "0009", "0000000010"]) {
        const moment = `2026-06-01T00:00:00.${finer.slice(0, 9)}Z`;
        const isLater = /[1-9]/.test(finer.slice(0, 9));
        assert.equal(await count({ from: moment }), isLater ? 0 : 1, moment);
        assert.equal(await count({ until: moment, from: "2026-06-01T00:00:00Z" }), isLater ? 1 : 0, moment);
      }
      assert.equal(await count({ from: "2026-05-31T23:59:59.999999999Z" }), 1);
      assert.equal(await count({ until: "2026-05-31T23:59:59.999999999Z", from: "2026-06-01T00:00:00Z" }), 0);
      assert.equal(await count({ from: "2026-06-01T00:00:00Z", until: "9999-12-31T23:59:59.999999999Z" }), 1);
      for (const wrong of [
        "2026-06-01",
        "yesterday",
        "2026-02-30T00:00:00Z",
        "2026-06-01T25:00:00Z",
        "+012026-06-01T00:00:00Z",
        "",
      ]) {
        assert.equal(await count({ from: wrong }), undefined, wrong);
      }
    });

    test("the viewer needs only the scopes of OpenID Connect for what is their own", async () => {
      const own = openTestServer({ store, viewer: viewerOf(ada, "member", ["profile", "email"]) });
      const { body } = await own.query("{ viewer { name email } }");
      assert.equal(body, '{"data":{"viewer":{"name":"Ada","email":"ada@example.com"}}}');
      const more = await own.query("{ viewer { email posts { author { email } } } }");
      assert.equal(more.status, 403);
      assert.deepEqual(more.json.errors[0].extensions.scopes, [
        "profile",
        "email",
        "posts:read",
        "users:read",
        "users:email",
      ]);
      const wide = openTestServer({ store, viewer: viewerOf(ada, "member", ["users:read", "users:email"]) });
      assert.equal((await wide.query("{ viewer { name email } }")).status, 200);
      assert.equal((await asClient.query("{ viewer { name } }")).body, '{"data":{"viewer":null}}');
    });

    test("a variable order or filter is planned for each of its forms", async () => {
      const query =
        "query ($o: PostOrder, $f: PostFilter, $c: String) { posts(first: 3, orderBy: $o, filter: $f, after: $c) { id } }";
      const ids = async (variables: object) =>
        (await asAda.query(query, variables)).json.data.posts.map(({ id }: { id: string }) => id);
      const oldest = await ids({ o: { field: "CREATED_AT", direction: "ASC" } });
      const newest = await ids({ o: { field: "CREATED_AT" } });
      assert.deepEqual(await ids({}), newest);
      assert.deepEqual(await ids({ o: null, f: null, c: null }), newest);
      assert.deepEqual(await ids({ f: { author: null, search: null } }), newest);
      assert.notDeepEqual(oldest, newest);
      assert.deepEqual(await ids({ f: { author: grace } }), []);
      assert.deepEqual(await ids({ f: { author: ada } }), newest);
    });
  });
}

lists(
  "SQLite",
  async () => `sqlite:${join(folder, `${files++}.db`)}`,
  async (url, statement) => {
    const connection = new DatabaseSync(url.slice("sqlite:".length), { timeout: 5_000 });
    connection.exec(statement);
    connection.close();
  },
);
lists("PostgreSQL", () => postgres.createDatabase(), sqlOn);
