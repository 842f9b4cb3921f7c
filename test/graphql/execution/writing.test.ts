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
import { type Answer, ada, openTestServer, type TestServer } from "../server.ts";

const folder = await mkdtemp(join(tmpdir(), "writing-"));
after(() => rm(folder, { recursive: true }));
const postgres = await openPostgres();

const CREATE = "mutation ($input: CreatePostInput!) { createPost(input: $input) { id status version publishAt slug } }";
const ERRORS = "errors { code field }";
const UPDATE = `mutation ($id: ID!, $input: UpdatePostInput!, $version: Int) {
  updatePost(id: $id, input: $input, expectedVersion: $version) { post { title slug bodyHtml version publishAt } ${ERRORS} } }`;
const move = (name: string) =>
  `mutation ($id: ID!, $version: Int) { ${name}(id: $id, expectedVersion: $version) { post { status version publishedAt } ${ERRORS} } }`;
const DELETE = "mutation ($id: ID!) { deletePost(id: $id) { deletedId errors { code } } }";

function writes(database: string, newDatabase: () => Promise<string>): void {
  describe(`writing on ${database}`, () => {
    let stores: Store[];
    let near: TestServer;
    /** The same person at another node. */
    let far: TestServer;
    let other: TestServer;
    let editor: TestServer;
    let client: TestServer;

    before(async () => {
      const url = await newDatabase();
      stores = [await openStore(url), await openStore(url)];
      const [store, second] = stores as [Store, Store];
      const people: Id[] = [];
      for (const role of ["member", "member", "editor"] as const) {
        const email = `p${people.length}@example.com`;
        people.push((await store.users.create(aPerson({ email, role }))).id);
      }
      const [author, somebody, helper] = people as [Id, Id, Id];
      const as = (viewer: Partial<Viewer>, on = store) => openTestServer({ store: on, viewer: { ...ada, ...viewer } });
      near = as({ userId: author });
      far = as({ userId: author }, second);
      other = as({ userId: somebody });
      editor = as({ userId: helper, role: "editor" });
      client = as({ userId: null, role: null });
    });
    after(() => Promise.all(stores.map((store) => store.close())));

    async function create(input: object = {}): Promise<string> {
      const answer = await near.query(CREATE, { input: { title: "Hello World", body: "*Hi*", ...input } });
      return answer.json.data.createPost.id;
    }
    const events = async () => (await (stores[0] as Store).outbox.list(null, 10_000)).map(({ type }) => type);
    function assertError(answer: Answer, code: string, extensions: object = {}): void {
      assert.deepEqual(answer.json.errors?.[0].extensions, { code, ...extensions }, answer.body);
    }

    test("posts:draft writes drafts, and everything else names posts:write", async () => {
      const store = stores[0] as Store;
      const { id: author } = await store.users.create(aPerson({ email: "drafter@example.com" }));
      const scopes = new Set(["posts:draft", "profile:write"]);
      const drafter = openTestServer({ store, viewer: { ...ada, userId: author, scopes } });
      const neither = openTestServer({ store, viewer: { ...ada, userId: author, scopes: new Set(["profile:write"]) } });
      const draft = { title: "Draft", body: "*Hi*", status: "DRAFT" };
      const created = await drafter.query(CREATE, { input: draft });
      const { id, ...made } = created.json.data.createPost;
      assert.deepEqual(made, { status: "DRAFT", version: 1, publishAt: null, slug: "draft" });
      const updated = await drafter.query(UPDATE, { id, input: { title: "Second" }, version: 1 });
      assert.equal(updated.json.data.updatePost.post.title, "Second");

      const before = await events();
      const later = "2999-01-01T00:00:00Z";
      const writer = openTestServer({ store, viewer: { ...ada, userId: author } });
      const write = async (input: object) =>
        (await writer.query(CREATE, { input: { ...draft, ...input } })).json.data.createPost.id as string;
      const scheduled = await write({ publishAt: later });
      const published = await write({ status: "PUBLISHED" });
      const both = `mutation ($input: CreatePostInput!) { createPost(input: $input) { id }
        updateProfile(input: { name: "Ada" }) { user { version } errors { code } } }`;
      assert.equal((await drafter.query(both, { input: draft })).status, 200, "other changes ask for their own scopes");
      const refused = [
        [CREATE, { input: { title: "t", body: "b" } }],
        [CREATE, { input: { title: "t", body: "b", status: "PUBLISHED" } }],
        [CREATE, { input: { ...draft, publishAt: later } }],
        [CREATE, { input: { ...draft, publishAt: "2000-01-01T00:00:00Z" } }],
        [UPDATE, { id, input: { publishAt: later } }],
        [UPDATE, { id, input: { publishAt: null } }],
        [UPDATE, { id: published, input: { title: "t" } }],
        [UPDATE, { id: scheduled, input: { title: "t" } }],
        ...["publishPost", "unpublishPost", "archivePost"].map((name) => [move(name), { id }] as const),
        [DELETE, { id }],
      ] as const;
      for (const [document, variables] of refused) {
        const answer = await drafter.query(document, variables);
        const about = `${document} ${JSON.stringify(variables)} ${answer.body}`;
        assert.deepEqual(answer.json.errors?.[0].extensions, { code: "FORBIDDEN", scopes: ["posts:write"] }, about);
        const without = await neither.query(document, variables);
        assert.deepEqual(
          [without.status, without.json.errors[0]],
          [
            403,
            {
              message: "The access token lacks the scope posts:write.",
              extensions: { code: "FORBIDDEN", scopes: ["posts:write"] },
            },
          ],
          about,
        );
      }
      assert.equal((await events()).length, before.length + 4, "two posts by the author, one draft, one name");
      const without = await neither.query(CREATE, { input: draft });
      assert.deepEqual([without.status, without.json.errors[0].extensions.scopes], [403, ["posts:write"]]);
    });

    test("a post goes through its life, with an event for each step", async () => {
      const before = (await events()).length;
      const created = await near.query(CREATE, { input: { title: "Life", body: "*Hi*", status: "DRAFT" } });
      const { id, ...first } = created.json.data.createPost;
      assert.deepEqual(first, { status: "DRAFT", version: 1, publishAt: null, slug: "life" });
      const input = { title: "Long life", body: "**Hi**" };
      const updated = (await near.query(UPDATE, { id, input, version: 1 })).json.data.updatePost;
      const post = { title: "Long life", slug: "long-life", bodyHtml: "<p>**Hi**</p>", version: 2, publishAt: null };
      assert.deepEqual(updated, { post, errors: [] });
      const steps = [
        ["publishPost", "PUBLISHED"],
        ["archivePost", "ARCHIVED"],
        ["unpublishPost", "DRAFT"],
        ["publishPost", "PUBLISHED"],
        ["publishPost", "PUBLISHED"], // again, which changes nothing
      ] as const;
      const versions = [];
      for (const [name, status] of steps) {
        const answer = (await near.query(move(name), { id })).json.data[name];
        assert.equal(answer.post.status, status);
        assert.notEqual(answer.post.publishedAt, null);
        versions.push(answer.post.version);
      }
      assert.deepEqual(versions, [3, 4, 5, 6, 6]);
      const renamed = (await near.query(UPDATE, { id, input: { title: "Another" } })).json.data.updatePost.post;
      assert.equal(renamed.slug, "long-life");
      assert.deepEqual((await near.query(DELETE, { id })).json.data.deletePost, { deletedId: id, errors: [] });
      assertError(await near.query(DELETE, { id }), "NOT_FOUND");
      assert.deepEqual((await events()).slice(before), [
        "post.created",
        "post.updated",
        "post.published",
        "post.archived",
        "post.unpublished",
        "post.published",
        "post.updated",
        "post.deleted",
      ]);
    });

    test("I09 what others may see but not change is FORBIDDEN, what they may not see NOT_FOUND, as what is no id", async () => {
      const draft = await create({ status: "DRAFT" });
      const published = await create();
      const refused = (answer: Answer) => answer.json.errors[0];
      const missing = refused(await other.query(DELETE, { id: "01a21efd-4214-7000-8474-a0573e6a4ee8" }));
      for (const id of [draft, "x", "' or 1=1", "x".repeat(10_000)])
        assert.deepEqual(refused(await other.query(DELETE, { id })), missing);
      assert.equal(missing.extensions.code, "NOT_FOUND");
      assertError(await other.query(DELETE, { id: published }), "FORBIDDEN");
      assertError(await client.query(DELETE, { id: published }), "FORBIDDEN");
      assertError(await client.query(CREATE, { input: { title: "t", body: "" } }), "FORBIDDEN");
      assert.equal(
        (await editor.query(move("archivePost"), { id: published })).json.data.archivePost.post.status,
        "ARCHIVED",
      );
      assertError(await other.query(move("publishPost"), { id: published }), "NOT_FOUND");
      assert.equal((await editor.query(DELETE, { id: draft })).json.data.deletePost.deletedId, draft);
    });

    test("another version is a CONFLICT that says which one there is", async () => {
      const id = await create();
      await near.query(UPDATE, { id, input: { title: "Two" }, version: 1 });
      assertError(await near.query(UPDATE, { id, input: { title: "No" }, version: 1 }), "CONFLICT", { version: 2 });
      assertError(await near.query(move("archivePost"), { id, version: 3 }), "CONFLICT", { version: 2 });
      const profile =
        'mutation ($v: Int) { updateProfile(input: {name: "Ida"}, expectedVersion: $v) { user { name email version } } }';
      const changed = (await near.query(profile, { v: 1 })).json.data.updateProfile.user;
      assert.deepEqual(changed, { name: "Ida", email: "p0@example.com", version: 2 });
      assertError(await near.query(profile, { v: 1 }), "CONFLICT", { version: 2 });
      assertError(await client.query(profile), "FORBIDDEN");
    });

    test("of two nodes that change the same version one is told of the conflict", async () => {
      for (let round = 0; round < 10; round++) {
        const id = await create();
        const answers = await Promise.all(
          [near, far].map((node, i) => node.query(UPDATE, { id, input: { title: `By ${i}` }, version: 1 })),
        );
        const [lost, ...more] = answers.filter(({ json }) => json.errors !== undefined);
        assert.equal(more.length, 0);
        assertError(lost as Answer, "CONFLICT", { version: 2 });
      }
    });

    test("what a person can put right stands in the payload, all of it; null and left out differ", async () => {
      const id = await create({ status: "DRAFT", publishAt: "2999-01-01T00:00:00+01:00" });
      const update = async (input: object) => (await near.query(UPDATE, { id, input })).json.data.updatePost;
      const code = "BAD_USER_INPUT";
      assert.deepEqual(await update({ title: "", body: null }), {
        post: null,
        errors: [
          { code, field: "input.title" },
          { code, field: "input.body" },
        ],
      });
      assert.deepEqual((await update({ publishAt: "soon" })).errors, [{ code, field: "input.publishAt" }]);
      assert.deepEqual((await update({})).post, {
        title: "Hello World",
        slug: (await update({})).post.slug,
        bodyHtml: "<p>*Hi*</p>",
        version: 1,
        publishAt: "2998-12-31T23:00:00.000Z",
      });
      assert.equal((await update({ title: "New" })).post.publishAt, "2998-12-31T23:00:00.000Z");
      assert.equal((await update({ publishAt: null })).post.publishAt, null);
      await near.query(move("publishPost"), { id });
      assert.deepEqual((await update({ publishAt: "2999-01-01T00:00:00Z" })).errors, [
        { code, field: "input.publishAt" },
      ]);
      const name = 'mutation { updateProfile(input: { name: "" }) { user { id } errors { code field } } }';
      const { errors } = (await near.query(name)).json.data.updateProfile;
      assert.deepEqual(errors, [{ code, field: "input.name" }]);
      for (const [input, field] of [
        [{ status: "ARCHIVED" }, "input.status"],
        [{ publishAt: "2999-01-01T00:00:00Z" }, "input.publishAt"],
      ] as const) {
        const answer = await near.query(CREATE, { input: { title: "t", body: "", ...input } });
        assertError(answer, code, { field });
      }
    });

    test("I17 of many changes to one post at the same time, each answer shows its own", async () => {
      const id = await create();
      // Two aliases, so that more than one object is read.
      const update = `mutation ($id: ID!, $title: String!) {
        updatePost(id: $id, input: { title: $title }) { a: post { title version } b: post { title } ${ERRORS} } }`;
      const versions = new Set<number>();
      const change = async (i: number) => {
        const title = `change ${i}`;
        const { json } = await (i % 2 === 0 ? near : far).query(update, { id, title });
        const { a, b } = json.data.updatePost ?? assert.fail(JSON.stringify(json));
        assert.equal(a.title, title);
        assert.equal(b.title, title);
        versions.add(a.version);
      };
      // One after the other in each of several lines, so that changes fall between others' commits and answers.
      const line = async (from: number) => {
        for (let i = from; i < from + 10; i++) await change(i);
      };
      await Promise.all(Array.from({ length: 6 }, (_, i) => line(i * 10 + (i % 2))));
      assert.deepEqual(
        [...versions].toSorted((x, y) => x - y),
        Array.from({ length: 60 }, (_, i) => i + 2),
      );
    });

    test("I17 each answer to a step of a post's life, and to a new profile, shows its own", async () => {
      const id = await create();
      const step = async (name: string) => {
        const query = `mutation ($id: ID!) { ${name}(id: $id) { post { status version } ${ERRORS} } }`;
        return [name, (await near.query(query, { id })).json.data?.[name]?.post?.status];
      };
      const steps = await Promise.all(
        Array.from({ length: 30 }, (_, i) => step(i % 2 === 0 ? "unpublishPost" : "publishPost")),
      );
      for (const [name, status] of steps) assert.equal(status, name === "publishPost" ? "PUBLISHED" : "DRAFT");
      const rename =
        "mutation ($name: String!) { updateProfile(input: { name: $name }) { user { name } errors { code } } }";
      const names = Array.from({ length: 30 }, (_, i) => `Name ${i}`);
      const answers = await Promise.all(names.map((name, i) => (i % 2 === 0 ? near : far).query(rename, { name })));
      assert.deepEqual(
        answers.map(({ json }) => json.data?.updateProfile?.user?.name),
        names,
      );
    });

    describe("Idempotency-Key", () => {
      const INPUT = { input: { title: "Once", body: "" } };
      let keys = 0;
      const newKey = () => `"key-${keys++}"`;
      const keyed = (server: TestServer, key: string, variables: object = INPUT, query = CREATE) =>
        server.query(query, variables, { "idempotency-key": key });
      const created = async () => (await events()).filter((type) => type === "post.created").length;

      test("the same again is answered the same, byte for byte, and done once, at any node", async () => {
        const before = await created();
        const key = newKey();
        const first = await keyed(near, key);
        assert.equal(first.status, 200);
        assert.equal(first.headers["idempotency-replayed"], undefined);
        const { id } = first.json.data.createPost;
        await near.query(UPDATE, { id, input: { title: "Changed since" } });
        for (const [node, form] of [
          [near, key],
          [far, key],
          [far, key.slice(1, -1)], // without its quotes
        ] as const) {
          const again = await keyed(node, form);
          assert.equal(again.body, first.body);
          assert.equal(again.headers["idempotency-replayed"], "true");
        }
        assert.equal(await created(), before + 1);
      });

      test("where the answer was not kept, what was changed is read again", async () => {
        const store = { ...(stores[0] as Store) };
        const idempotency = { ...store.idempotency, keepAnswer: () => Promise.reject(new Error("killed")) };
        const viewer = { ...ada, userId: (await (stores[0] as Store).users.findByEmail("p0@example.com"))?.id as Id };
        const dying = openTestServer({ store: { ...store, idempotency }, viewer });
        const before = await created();
        const key = newKey();
        const first = await keyed(dying, key);
        const { id } = first.json.data.createPost;
        assert.equal((await keyed(far, key)).body, first.body);
        const [lost, lostDelete] = [newKey(), newKey()];
        await keyed(dying, lost, { id, input: { title: "New" } }, UPDATE);
        await near.query(UPDATE, { id, input: { title: "Newer" } });
        const again = await keyed(far, lost, { id, input: { title: "New" } }, UPDATE);
        assert.equal(again.json.data.updatePost.post.title, "Newer");
        const deleted = await keyed(dying, lostDelete, { id }, DELETE);
        assert.equal((await keyed(far, lostDelete, { id }, DELETE)).body, deleted.body);
        const third = newKey();
        const gone = (await keyed(dying, third)).json.data.createPost.id;
        await near.query(DELETE, { id: gone });
        assertError(await keyed(near, third), "NOT_FOUND");
        assert.equal(await created(), before + 2);
      });

      test("of several changes in one request, those that were made are not made again", async () => {
        const query = `mutation ($input: CreatePostInput!, $id: ID!) {
          __typename a: createPost(input: $input) { id } b: deletePost(id: $id) { deletedId } }`;
        const id = "01a21efd-4214-7000-8474-a0573e6a4ee8";
        const before = await created();
        const key = newKey();
        const first = await keyed(near, key, { ...INPUT, id }, query);
        assertError(first, "NOT_FOUND");
        const again = await keyed(far, key, { ...INPUT, id }, query);
        assert.equal(again.body, first.body);
        assert.equal(again.headers["idempotency-replayed"], undefined);
        assert.equal(await created(), before + 1);
        const whole = `mutation { a: updateProfile(input: {}) { user { id } } b: updateProfile(input: {}) { user { id } } }`;
        const both = newKey();
        const answer = await keyed(near, both, {}, whole);
        const replayed = await keyed(near, both, {}, whole);
        assert.equal(replayed.body, answer.body);
        assert.equal(replayed.headers["idempotency-replayed"], "true");
      });

      test("another payload with the key is 422, another caller's key another key", async () => {
        const key = newKey();
        const first = await keyed(near, key);
        for (const answer of [
          await keyed(near, key, { input: { title: "Twice", body: "" } }),
          await keyed(far, key, INPUT, `${CREATE} `),
        ]) {
          assert.equal(answer.status, 422);
          assert.equal(answer.json.errors[0].extensions.code, "BAD_USER_INPUT");
          assert.equal("data" in answer.json, false);
        }
        assert.notEqual((await keyed(other, key)).body, first.body);
      });

      test("the same at the same time is done once: one answer, and 409 for the others", async () => {
        for (let round = 0; round < 5; round++) {
          const before = await created();
          const key = newKey();
          const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => keyed(i % 2 ? near : far, key)));
          const made = answers.filter(({ status }) => status === 200);
          assert.ok(made.length >= 1);
          assert.equal(new Set(made.map(({ body }) => body)).size, 1);
          for (const answer of answers.filter(({ status }) => status !== 200)) {
            assert.equal(answer.status, 409);
            assert.equal(answer.headers["retry-after"], "1");
            assert.equal(answer.json.errors[0].extensions.code, "CONFLICT");
          }
          assert.equal(await created(), before + 1);
          assert.equal((await keyed(far, key)).body, made[0]?.body);
        }
      });

      test("nothing is remembered of what was refused", async () => {
        const key = newKey();
        const invalid = { input: { title: "", body: "" } };
        for (let i = 0; i < 2; i++) {
          const answer = await keyed(near, key, invalid);
          assertError(answer, "BAD_USER_INPUT", { field: "input.title" });
        }
        assert.equal((await keyed(near, key)).status, 200);
        const id = await create();
        const payload = newKey();
        const refused = await keyed(near, payload, { id, input: { title: "" } }, UPDATE);
        assert.equal(refused.json.data.updatePost.errors.length, 1);
        assert.equal(
          (await keyed(near, payload, { id, input: { title: "New" } }, UPDATE)).json.data.updatePost.post.title,
          "New",
        );
      });

      test("a malformed key is 400, and of no matter to a query", async () => {
        const long = `"${"x".repeat(253)}"`;
        assert.equal((await keyed(near, long)).status, 200);
        for (const key of [
          "",
          '""',
          '"',
          '"a',
          "a b",
          '"a", "b"',
          '"a";b',
          "ä",
          `${long}y`,
          '"\\n"',
          "x".repeat(256),
        ]) {
          const answer = await keyed(near, key);
          assert.equal(answer.status, 400, key);
          assert.equal(answer.json.errors[0].extensions.code, "BAD_REQUEST");
          assert.equal((await keyed(near, key, {}, "{ __typename }")).status, 200);
        }
      });
    });
  });
}

let files = 0;
writes("SQLite", async () => `sqlite:${join(folder, `${files++}.db`)}`);
writes("PostgreSQL", () => postgres.createDatabase());
