import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { Id } from "../../../src/domain/id.ts";
import type { Store } from "../../../src/domain/store/store.ts";
import type { Role } from "../../../src/domain/viewer.ts";
import { openMarkdown } from "../../../src/markdown/markdown.ts";
import { openStore } from "../../../src/storage/open.ts";
import { aPerson } from "../../conformance/samples.ts";
import { ada, openTestServer, siteForTests, type TestServer } from "../server.ts";

const EXPIRES = new Date(Date.now() + 86_400_000).toISOString();
const LINK = `mutation ($id: ID!, $expires: String!) { createPreviewLink(id: $id, expiresAt: $expires) {
  url link { id createdBy { id } } errors { field } } }`;

describe("fields of the studio", () => {
  let folder: string;
  let store: Store;
  let author: Id;
  let other: Id;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "studio-fields-"));
    store = await openStore(`sqlite:${join(folder, "content.db")}`);
    author = (await store.users.create(aPerson())).id;
    other = (await store.users.create({ ...aPerson(), email: "other@example.com", role: "editor" })).id;
  });
  after(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });

  function as(userId: Id | null, role: Role | null, scopes = ada.scopes): TestServer {
    const serverInfo = { ...siteForTests.serverInfo, postUrl: "https://example.com/{slug}" };
    return openTestServer({
      store,
      serverInfo,
      renderMarkdown: openMarkdown(),
      viewer: { ...ada, userId, role, scopes },
    });
  }

  async function aDraft(input: object = {}): Promise<string> {
    const query = "mutation ($input: CreatePostInput!) { createPost(input: $input) { id } }";
    const whole = { title: "Title", body: "text", status: "DRAFT", ...input };
    return (await as(author, "member").query(query, { input: whole })).json.data.createPost.id;
  }

  test("S08 the role is the person's; a client has none", async () => {
    for (const [id, role, answer] of [
      [author, "member", "MEMBER"],
      [author, "editor", "EDITOR"],
      [null, null, null],
    ] as const)
      assert.deepEqual((await as(id, role).query("{ viewerRole }")).json, { data: { viewerRole: answer } });
  });

  test("S35 limits and settings need no scope", async () => {
    const server = as(author, "member", new Set());
    const { serverInfo } = (await server.query("{ serverInfo { maxRequestBytes maxTitleLength maxBodyLength build } }"))
      .json.data;
    assert.deepEqual(
      { ...serverInfo, build: null },
      { maxRequestBytes: 8_388_608, maxTitleLength: 300, maxBodyLength: 1_048_576, build: null },
    );
    assert.match(serverInfo.build, /^[\w-]{12}$/);
  });

  test("S44 Markdown is rendered as in a post, for 5 points, with posts:write alone", async () => {
    const markdown = "# Größe\n\n| a | b |\n|---|---|\n| *1* | <b>2</b> |\n";
    const id = await aDraft({ body: markdown, title: "Über uns" });
    const post = (
      await as(author, "member").query("query ($id: ID!) { post(id: $id) { bodyHtml excerpt wordCount slug } }", { id })
    ).json.data.post;
    const query =
      'query ($m: String!) { renderMarkdown(markdown: $m, title: "Über uns") { bodyHtml excerpt wordCount slug } }';
    const answer = await as(author, "member").query(query, { m: markdown }, { "graphql-cost": "1" });
    assert.deepEqual(answer.json.data.renderMarkdown, post);
    assert.equal(answer.json.extensions.cost, 5);
    const refused = await as(author, "member", new Set(["posts:read"])).query(query, { m: markdown });
    assert.equal(refused.status, 403);
  });

  test("S45 the author and editors make and revoke links; others find no draft", async () => {
    const id = await aDraft();
    for (const [userId, role] of [
      [author, "member"],
      [other, "editor"],
    ] as const) {
      const made = (await as(userId, role).query(LINK, { id, expires: EXPIRES })).json.data.createPreviewLink;
      const token = /\/preview\/([\w-]{43})$/.exec(made.url)?.[1];
      assert.ok(token);
      const query = "query ($token: String!) { preview(token: $token) { title bodyHtml status } }";
      const ask = async () => (await as(null, null, new Set()).query(query, { token })).json.data.preview;
      assert.deepEqual(await ask(), { title: "Title", bodyHtml: "<p>text</p>\n", status: "DRAFT" });
      const revoke = `mutation { revokePreviewLink(id: "${made.link.id}") { url link { id } errors { field } } }`;
      const refused = await as(userId === other ? author : other, "member").query(revoke);
      if (userId !== other) assert.equal(refused.json.errors[0].extensions.code, "NOT_FOUND");
      assert.equal((await as(author, "member").query(revoke)).json.data.revokePreviewLink.url, null);
      assert.equal(await ask(), null);
    }
    const refused = await as(other, "member").query(LINK, { id, expires: EXPIRES });
    assert.equal(refused.json.errors[0].extensions.code, "NOT_FOUND");
    assert.equal(
      (await as(author, "member", new Set(["posts:read", "posts:draft"])).query(LINK, { id, expires: EXPIRES })).status,
      403,
    );
    for (const expires of ["2020-01-01T00:00:00Z", "2999-01-01T00:00:00Z"]) {
      const { errors } = (await as(author, "member").query(LINK, { id, expires })).json.data.createPreviewLink;
      assert.deepEqual(errors, [{ field: "expiresAt" }]);
    }
  });

  test("S50 a slug in use is the caller's error; a URL has it encoded; a zone needs its time", async () => {
    const update = `mutation ($id: ID!, $input: UpdatePostInput!) { updatePost(id: $id, input: $input) {
      post { slug url publishAtZone } errors { field } } }`;
    const change = async (id: string, input: object) =>
      (await as(author, "member").query(update, { id, input })).json.data.updatePost;
    const [first, second] = [await aDraft(), await aDraft()];
    const { post } = await change(first, { slug: "größe" });
    assert.deepEqual([post.slug, post.url], ["größe", "https://example.com/gr%C3%B6%C3%9Fe"]);
    for (const slug of ["größe", "Größe", "a b", ""])
      assert.deepEqual((await change(second, { slug })).errors, [{ field: "input.slug" }], slug);
    assert.deepEqual((await change(second, { excerpt: "two\nlines" })).errors, [{ field: "input.excerpt" }]);
    assert.deepEqual((await change(second, { publishAtZone: "UTC" })).errors, [{ field: "input.publishAtZone" }]);
    const planned = { publishAt: "2099-01-05T08:00:00Z", publishAtZone: "Europe/Berlin" };
    assert.equal((await change(second, planned)).post.publishAtZone, "Europe/Berlin");
    assert.equal((await change(second, { publishAt: "2099-01-06T08:00:00Z" })).post.publishAtZone, null);
  });

  test("S11 S55 scheduled posts in the order of their publication; counts are bounded", async () => {
    for (let day = 1; day <= 3; day++) await aDraft({ title: `Day ${day}`, publishAt: `2098-01-0${day}T08:00:00Z` });
    const list = (
      filter: string,
    ) => `{ postsConnection(first: 2, filter: {${filter}}, orderBy: {field: PUBLISH_AT, direction: ASC}) {
      nodes { title } pageInfo { endCursor } few: boundedCount(upTo: 1) all: boundedCount } }`;
    const range = 'publishAt: {from: "2098-01-01T00:00:00Z", until: "2099-01-01T00:00:00Z"}';
    const { postsConnection } = (await as(author, "member").query(list(range))).json.data;
    assert.deepEqual(postsConnection.nodes, [{ title: "Day 1" }, { title: "Day 2" }]);
    assert.deepEqual([postsConnection.few, postsConnection.all], [2, 3]);
    assert.deepEqual((await as(other, "member").query(list("isScheduled: true"))).json.data.postsConnection.nodes, []);
    assert.equal((await as(author, "member").query(list("status: [DRAFT]"))).status, 400);
  });
});
