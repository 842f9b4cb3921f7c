import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { Id } from "../../../src/domain/id.ts";
import type { Store } from "../../../src/domain/store/store.ts";
import { openStore } from "../../../src/storage/open.ts";
import { aPerson } from "../../conformance/samples.ts";
import { openPostgres } from "../../postgres.ts";
import { ada, openTestServer, type TestServer } from "../server.ts";

const folder = await mkdtemp(join(tmpdir(), "revision-names-"));
after(() => rm(folder, { recursive: true }));
const postgres = await openPostgres();

const CREATE = 'mutation { createPost(input: { title: "Hello", body: "one" }) { id } }';
const UPDATE =
  "mutation ($id: ID!, $body: String!) { updatePost(id: $id, input: { body: $body }) { post { version } } }";
const NAME = `mutation ($id: ID!, $revision: ID!, $name: String) {
  nameRevision(id: $id, revision: $revision, name: $name) {
    post { version revisions(first: 9) { nodes { name } } } errors { code field message } } }`;
const HISTORY = "query ($id: ID!) { post(id: $id) { version revisions(first: 9) { nodes { id kind body name } } } }";

interface Line {
  readonly id: string;
  readonly kind: string;
  readonly body: string | null;
  readonly name: string | null;
}

function names(database: string, newDatabase: () => Promise<string>): void {
  describe(`names of revisions on ${database}`, () => {
    let store: Store;
    let author: TestServer;
    let other: TestServer;
    let editor: TestServer;
    let authorId: Id;
    before(async () => {
      store = await openStore(await newDatabase());
      const open = async (role: "member" | "editor", email: string) => {
        const { id: userId } = await store.users.create(aPerson({ email, role }));
        return { userId, server: openTestServer({ store, viewer: { ...ada, userId, role } }) };
      };
      const [first, second, third] = [
        await open("member", "a@example.com"),
        await open("member", "b@example.com"),
        await open("editor", "c@example.com"),
      ];
      [author, other, editor] = [first.server, second.server, third.server];
      authorId = first.userId;
    });
    after(() => store.close());

    /** @returns the id of a published post with three texts */
    async function aPost(): Promise<string> {
      const { id } = (await author.query(CREATE)).json.data.createPost;
      for (const body of ["two", "three"]) await author.query(UPDATE, { id, body });
      return id;
    }
    const history = async (id: string, by = author): Promise<readonly Line[]> =>
      (await by.query(HISTORY, { id })).json.data.post.revisions.nodes;
    const events = async () => (await store.outbox.list(null, 10_000)).length;

    test("S40 a text of the history gets a name, another one, and none, and the post stays as it is", async () => {
      const id = await aPost();
      const [newest, middle] = await history(id);
      assert.ok(newest !== undefined && middle !== undefined);
      assert.equal(middle.name, null);
      const before = await events();
      const give = async (name: string | null, by = author) =>
        (await by.query(NAME, { id, revision: middle.id, name })).json.data.nameRevision;
      const answer = await give('Before the review "2027" 😀');
      assert.deepEqual(answer.errors, []);
      const shown = [{ name: null }, { name: 'Before the review "2027" 😀' }, { name: null }];
      assert.deepEqual(answer.post, { version: 3, revisions: { nodes: shown } });
      assert.equal((await history(id, editor))[1]?.name, 'Before the review "2027" 😀');
      await give("Later", editor);
      assert.equal((await history(id))[1]?.name, "Later");
      const exported = await store.revisions.listOfPerson(authorId, { limit: 99 });
      assert.equal(exported.find((revision) => revision.id === middle.id)?.name, "Later");
      await give(null);
      assert.deepEqual(
        (await history(id)).map(({ name }) => name),
        [null, null, null],
      );
      assert.equal(await events(), before, "no event tells of a name");
    });

    test("S40 a name is a line that people can read", async () => {
      const id = await aPost();
      const [newest] = await history(id);
      for (const name of ["", "  ", "a\nb", "x".repeat(201)]) {
        const answer = (await author.query(NAME, { id, revision: newest?.id, name })).json;
        const [error] = answer.data.nameRevision.errors;
        assert.deepEqual([error?.code, error?.field], ["BAD_USER_INPUT", "name"], JSON.stringify(answer));
      }
      assert.equal((await history(id))[0]?.name, null);
    });

    test("S40 only who may change the post names its revisions, and only those of it that have a text", async () => {
      const [id, another] = [await aPost(), await aPost()];
      const [foreign] = await history(another);
      const codeOf = async (revision: string | undefined, by = author, post = id) =>
        (await by.query(NAME, { id: post, revision, name: "Mine" })).json.errors?.[0].extensions.code;
      const [newest] = await history(id);
      assert.equal(await codeOf(newest?.id, other), "FORBIDDEN");
      assert.equal(await codeOf(foreign?.id), "NOT_FOUND");
      assert.equal(await codeOf("no id"), "NOT_FOUND");
      assert.equal(await codeOf(newest?.id, author, authorId), "NOT_FOUND");
      await author.query("mutation ($id: ID!) { archivePost(id: $id) { post { id } } }", { id });
      const [line] = await history(id);
      assert.deepEqual([line?.kind, line?.body], ["ARCHIVED", null]);
      assert.equal(await codeOf(line?.id), "NOT_FOUND");
      assert.equal(await codeOf(newest?.id, other), "NOT_FOUND", "the post is no longer theirs to see");
      for (const post of [id, another]) assert.ok((await history(post)).every(({ name }) => name === null));
    });

    test("S40 a name does not keep a text longer than REVISION_DAYS", async () => {
      const { id } = (
        await author.query('mutation { createPost(input: { title: "Draft", body: "one", status: DRAFT }) { id } }')
      ).json.data.createPost;
      await author.query(UPDATE, { id, body: "two" });
      const oldest = (await history(id)).at(-1);
      await author.query(NAME, { id, revision: oldest?.id, name: "First" });
      assert.deepEqual(
        (await history(id)).map(({ name }) => name),
        [null, "First"],
      );
      await store.revisions.sweep(new Date(Date.now() + 60_000).toISOString(), 100);
      assert.deepEqual(await history(id), []);
    });
  });
}

names("SQLite", async () => `sqlite:${join(folder, "content.db")}`);
names("PostgreSQL", () => postgres.createDatabase());
