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

const folder = await mkdtemp(join(tmpdir(), "working-copies-"));
after(() => rm(folder, { recursive: true }));
const postgres = await openPostgres();

const ERRORS = "errors { code field message }";
const COPY = "workingCopy { title body slug excerpt version baseVersion updatedBy { id } }";
const SAVE = `mutation ($id: ID!, $input: WorkingCopyInput!, $version: Int!, $base: Int! = 1) {
  saveWorkingCopy(id: $id, input: $input, workingVersion: $version, baseVersion: $base) { ${COPY} post { version title } ${ERRORS} } }`;
const APPLY = `mutation ($id: ID!, $version: Int!, $expected: Int!, $after: AfterApply! = STAY, $publishAt: String) {
  applyWorkingCopy(id: $id, workingVersion: $version, expectedVersion: $expected, then: $after, publishAt: $publishAt) {
    post { title body bodyHtml slug status version publishAt workingCopy { version } } ${ERRORS} } }`;
const DISCARD = `mutation ($id: ID!, $version: Int!, $keep: Boolean! = true) {
  discardWorkingCopy(id: $id, workingVersion: $version, keepInHistory: $keep) { ${COPY} post { version } ${ERRORS} } }`;
const RESTORE = `mutation ($id: ID!, $revision: ID!, $version: Int!) {
  restoreRevision(id: $id, revision: $revision, workingVersion: $version) { ${COPY} post { title status version } ${ERRORS} } }`;
const POST = `query ($id: ID!, $first: Int! = 50, $after: String) { post(id: $id) { title body status version viewerCanUpdate ${COPY}
  revisions(first: $first, after: $after) { nodes { id version kind status title body person { id } clientId }
    edges { cursor } pageInfo { hasNextPage endCursor } } } }`;
const UPDATE = `mutation ($id: ID!, $input: UpdatePostInput!) { updatePost(id: $id, input: $input) { post { version } ${ERRORS} } }`;
const move = (name: string) => `mutation ($id: ID!) { ${name}(id: $id) { post { version } ${ERRORS} } }`;

interface Page {
  readonly nodes: readonly { readonly body: string }[];
  readonly edges: readonly { readonly cursor: string }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
}

function writes(database: string, newDatabase: () => Promise<string>): void {
  describe(`working copies on ${database}`, () => {
    let stores: Store[];
    let near: TestServer;
    /** The same person at another node. */
    let far: TestServer;
    let other: TestServer;
    let editor: TestServer;
    let author: Id;
    let helper: Id;

    before(async () => {
      const url = await newDatabase();
      stores = [await openStore(url), await openStore(url)];
      const [store, second] = stores as [Store, Store];
      const people: Id[] = [];
      for (const role of ["member", "member", "editor"] as const)
        people.push((await store.users.create(aPerson({ email: `p${people.length}@example.com`, role }))).id);
      const [first, somebody, third] = people as [Id, Id, Id];
      [author, helper] = [first, third];
      const as = (viewer: Partial<Viewer>, on = store) => openTestServer({ store: on, viewer: { ...ada, ...viewer } });
      near = as({ userId: author });
      far = as({ userId: author }, second);
      other = as({ userId: somebody });
      editor = as({ userId: helper, role: "editor" });
    });
    after(() => Promise.all(stores.map((store) => store.close())));

    async function create(input: object = {}): Promise<string> {
      const document = "mutation ($input: CreatePostInput!) { createPost(input: $input) { id } }";
      const answer = await near.query(document, { input: { title: "Hello World", body: "*Hi*", ...input } });
      return answer.json.data.createPost.id;
    }
    const save = async (id: string, version: number, input: object, by = near) =>
      (await by.query(SAVE, { id, version, input })).json;
    const events = async () =>
      (await (stores[0] as Store).outbox.list(null, 10_000))
        .filter(({ type }) => type !== "user.created")
        .map(({ type, subjectId, data }) => ({ type, subjectId, version: JSON.parse(data).version }));
    const eventsOf = async (id: string) =>
      (await events()).filter(({ subjectId }) => subjectId === id).map(({ type }) => type);
    const read = async (id: string, by = near) => (await by.query(POST, { id })).json.data.post;
    const history = async (id: string, by = near) => (await read(id, by)).revisions.nodes;
    function assertError(answer: Answer["json"], code: string, extensions: object = {}): void {
      assert.deepEqual(answer.errors?.[0].extensions, { code, ...extensions }, JSON.stringify(answer));
    }

    test("S32 a saved copy is no version, event or index entry of the post, and readers never see it", async () => {
      const id = await create();
      const saved = await save(id, 0, { title: "Qqunique" });
      const copy = {
        ...{ title: "Qqunique", body: "*Hi*", slug: null, excerpt: null },
        ...{ version: 1, baseVersion: 1, updatedBy: { id: author } },
      };
      const payload = { workingCopy: copy, post: { version: 1, title: "Hello World" }, errors: [] };
      assert.deepEqual(saved.data.saveWorkingCopy, payload);
      const next = await save(id, 1, { title: "", body: "Qqbody", excerpt: "Short" });
      assert.deepEqual(next.data.saveWorkingCopy.workingCopy, {
        ...copy,
        title: "",
        body: "Qqbody",
        excerpt: "Short",
        version: 2,
      });
      assert.deepEqual(await eventsOf(id), ["post.created"]);
      const found = await near.query(
        '{ posts(filter: {search: "Qqunique"}) { id } a: posts(filter: {search: "Qqbody"}) { id } }',
      );
      assert.deepEqual(found.json.data, { posts: [], a: [] });
      const seen = await read(id, other);
      assert.equal(seen.viewerCanUpdate, false);
      assert.equal(seen.workingCopy, null);
      assert.deepEqual(seen.revisions.nodes, []);
      const forEditor = await read(id, editor);
      assert.equal(forEditor.viewerCanUpdate, true);
      assert.equal(forEditor.workingCopy.body, "Qqbody");
      assert.deepEqual(forEditor.revisions.nodes, []);
      assert.equal((await read(id)).version, 1);
    });

    test("S33 each save names the version that it follows; a conflict tells both versions", async () => {
      const id = await create();
      assertError(await save(id, 1, { body: "x" }), "CONFLICT", { version: 1, workingVersion: 0 });
      await save(id, 0, { body: "first" });
      assertError(await save(id, 0, { body: "x" }, far), "CONFLICT", { version: 1, workingVersion: 1 });
      assertError(await save(id, 2, { body: "x" }, far), "CONFLICT", { version: 1, workingVersion: 1 });
      await near.query(UPDATE, { id, input: { title: "Changed" } });
      assertError(await save(id, 7, { body: "x" }), "CONFLICT", { version: 2, workingVersion: 1 });
      assertError((await near.query(APPLY, { id, version: 1, expected: 1 })).json, "CONFLICT", {
        ...{ version: 2, workingVersion: 1 },
      });
      assertError((await near.query(APPLY, { id, version: 0, expected: 2 })).json, "CONFLICT", {
        ...{ version: 2, workingVersion: 1 },
      });
      assertError((await near.query(DISCARD, { id, version: 4 })).json, "CONFLICT", { version: 2, workingVersion: 1 });
      assert.equal((await read(id)).workingCopy.body, "first");
    });

    test("S33 of many savers with one version on two nodes, exactly one wins", async () => {
      const id = await create();
      for (const version of [0, 1]) {
        const answers = await Promise.all(
          Array.from({ length: 20 }, (_, i) => save(id, version, { body: `text ${i}` }, i % 2 === 0 ? near : far)),
        );
        const won = answers.flatMap(({ data }, i) => (data.saveWorkingCopy === null ? [] : [`text ${i}`]));
        assert.equal(won.length, 1);
        assert.equal((await read(id, far)).workingCopy.body, won[0]);
        for (const { errors } of answers.filter(({ data }) => data.saveWorkingCopy === null))
          assert.deepEqual(errors[0].extensions, { code: "CONFLICT", version: 1, workingVersion: version + 1 });
      }
    });

    test("S33 no version of a copy names two texts: the next copy goes on from the last", async () => {
      const id = await create();
      await save(id, 0, { body: "mine" });
      await near.query(DISCARD, { id, version: 1 });
      assertError(await save(id, 1, { body: "late" }), "CONFLICT", { version: 1, workingVersion: 0 });
      const next = await save(id, 0, { title: "Theirs" }, editor);
      assert.equal(next.data.saveWorkingCopy.workingCopy.version, 2);
      assert.equal(next.data.saveWorkingCopy.workingCopy.body, "*Hi*");
      assertError(await save(id, 1, { body: "late" }), "CONFLICT", { version: 1, workingVersion: 2 });
    });

    test("S33 who may not change the post is refused as by updatePost, and inputs are checked", async () => {
      const published = await create();
      const draft = await create({ status: "DRAFT" });
      const attempts = (id: string) => [
        save(id, 0, { body: "x" }, other),
        other.query(APPLY, { id, version: 0, expected: 1 }).then(({ json }) => json),
        other.query(DISCARD, { id, version: 0 }).then(({ json }) => json),
        other.query(RESTORE, { id, version: 0, revision: id }).then(({ json }) => json),
      ];
      for (const answer of await Promise.all(attempts(published))) assertError(answer, "FORBIDDEN");
      for (const answer of await Promise.all(attempts(draft))) assertError(answer, "NOT_FOUND");
      for (const answer of await Promise.all(attempts("nothing"))) assertError(answer, "NOT_FOUND");
      const broken = await save(draft, 0, { title: "x".repeat(301), body: null });
      assert.deepEqual(
        broken.data.saveWorkingCopy.errors.map(({ field }: { field: string }) => field),
        ["input.title", "input.body"],
      );
      assert.equal(broken.data.saveWorkingCopy.workingCopy, null);
      const ahead = await near.query(SAVE, { id: draft, version: 0, input: {}, base: 2 });
      assert.equal(ahead.json.data.saveWorkingCopy.errors[0].field, "baseVersion");
      const store = stores[0] as Store;
      const scopes = new Set(["posts:draft", "posts:read", "users:read"]);
      const drafter = openTestServer({ store, viewer: { ...ada, userId: author, scopes } });
      const refused = await drafter.query(SAVE, { id: draft, version: 0, input: { body: "x" } });
      assert.equal(refused.status, 403);
      assert.match(refused.json.errors[0].message, /lacks the scope posts:write\./);
    });

    test("S52 what is applied is the version that was named, with the rules, the search and the one event of updatePost", async () => {
      const id = await create({ status: "DRAFT" });
      await save(id, 0, { title: "New name", body: "**Zzfresh**" });
      const applied = (await near.query(APPLY, { id, version: 1, expected: 1 })).json.data.applyWorkingCopy;
      assert.deepEqual(applied, {
        post: {
          ...{
            title: "New name",
            body: "**Zzfresh**",
            bodyHtml: "<p>**Zzfresh**</p>",
            slug: "new-name",
          },
          ...{ status: "DRAFT", version: 2, publishAt: null, workingCopy: null },
        },
        errors: [],
      });
      assert.deepEqual(await eventsOf(id), ["post.created", "post.updated"]);
      const found = await near.query('{ posts(filter: {search: "zzfresh", status: [DRAFT]}) { id } }');
      assert.deepEqual(found.json.data.posts, [{ id }]);
      const [newest, oldest] = await history(id);
      const who = { person: { id: author }, status: "DRAFT" };
      assert.deepEqual(
        { ...newest, id: null },
        { id: null, version: 2, kind: "APPLIED", title: "New name", body: "**Zzfresh**", clientId: "client", ...who },
      );
      assert.deepEqual(
        { ...oldest, id: null },
        { id: null, version: 1, kind: "CREATED", title: "Hello World", body: "*Hi*", clientId: null, ...who },
      );
    });

    test("S52 publishing applies the text in the same step, with one event; without a copy it publishes what the post has", async () => {
      const id = await create({ status: "DRAFT" });
      await save(id, 0, { body: "Ready" });
      const published = await near.query(APPLY, { id, version: 1, expected: 1, after: "PUBLISH" });
      const { post } = published.json.data.applyWorkingCopy;
      assert.deepEqual([post.status, post.version, post.body], ["PUBLISHED", 2, "Ready"]);
      assert.deepEqual(await eventsOf(id), ["post.created", "post.published"]);
      assert.deepEqual(
        (await history(id)).map(({ kind, body }: { kind: string; body: string }) => [kind, body]),
        [
          ["PUBLISHED", "Ready"],
          ["CREATED", "*Hi*"],
        ],
      );
      const bare = await create({ status: "DRAFT" });
      const nothing = await near.query(APPLY, { id: bare, version: 0, expected: 1 });
      assert.equal(nothing.json.data.applyWorkingCopy.post.version, 1);
      await near.query(APPLY, { id: bare, version: 0, expected: 1, after: "PUBLISH" });
      assert.deepEqual(await eventsOf(bare), ["post.created", "post.published"]);
      const update = await near.query(APPLY, { id: bare, version: 0, expected: 2, after: "PUBLISH" });
      assert.equal(update.json.data.applyWorkingCopy.post.version, 2);
      await near.query(move("archivePost"), { id: bare });
      assertError((await near.query(APPLY, { id: bare, version: 0, expected: 3, after: "PUBLISH" })).json, "CONFLICT", {
        version: 3,
      });
      const [line] = await history(bare);
      assert.deepEqual([line.kind, line.title, line.body, line.status], ["ARCHIVED", null, null, "ARCHIVED"]);
    });

    test("S54 scheduling applies the text, a later copy is no part of it until it is applied, which keeps the schedule", async () => {
      const id = await create({ status: "DRAFT" });
      await save(id, 0, { body: "Planned" });
      const publishAt = "2999-01-01T09:00:00.000Z";
      const planned = await near.query(APPLY, { id, version: 1, expected: 1, publishAt });
      const { post } = planned.json.data.applyWorkingCopy;
      assert.deepEqual([post.status, post.publishAt, post.body], ["DRAFT", publishAt, "Planned"]);
      await save(id, 0, { body: "Later" });
      assert.equal((await read(id)).body, "Planned");
      const included = await near.query(APPLY, { id, version: 2, expected: 2 });
      assert.equal(included.json.data.applyWorkingCopy.post.publishAt, publishAt);
      assert.deepEqual(
        (await history(id)).map(({ kind }: { kind: string }) => kind),
        ["APPLIED", "SCHEDULED", "CREATED"],
      );
      const both = await near.query(APPLY, { id, version: 0, expected: 3, publishAt, after: "PUBLISH" });
      assert.equal(both.json.data.applyWorkingCopy.errors[0].field, "publishAt");
      await near.query(APPLY, { id, version: 0, expected: 3, after: "PUBLISH" });
      const late = await near.query(APPLY, { id, version: 0, expected: 4, publishAt });
      assert.equal(late.json.data.applyWorkingCopy.errors[0].field, "publishAt");
    });

    test("S52 a copy without a title is kept, and cannot be applied", async () => {
      const id = await create({ status: "DRAFT" });
      await save(id, 0, { title: "" });
      const { errors, post } = (await near.query(APPLY, { id, version: 1, expected: 1 })).json.data.applyWorkingCopy;
      assert.deepEqual([errors[0].field, post], ["workingCopy.title", null]);
      assert.equal((await read(id)).workingCopy.title, "");
    });

    test("S33 an applied copy that says what the post says changes nothing but that it is gone", async () => {
      const id = await create();
      await save(id, 0, { body: "*Hi*" });
      const applied = await near.query(APPLY, { id, version: 1, expected: 1 });
      assert.equal(applied.json.data.applyWorkingCopy.post.version, 1);
      assert.equal((await read(id)).workingCopy, null);
      assert.deepEqual(await eventsOf(id), ["post.created"]);
    });

    test("S40 a change of a text keeps the text before; a change of state is a line; what is the same again is none", async () => {
      const id = await create();
      const second = await editor.query(UPDATE, { id, input: { body: "Two" } });
      assert.equal(second.json.data.updatePost.post.version, 2);
      await near.query(UPDATE, { id, input: { body: "Two" } });
      await near.query(move("unpublishPost"), { id });
      await near.query(move("publishPost"), { id });
      const lines = (await history(id)).map((line: Record<string, unknown>) => [
        ...[line.version, line.kind, line.status, line.body],
        (line.person as { id: string } | null)?.id,
      ]);
      assert.deepEqual(lines, [
        [5, "PUBLISHED", "PUBLISHED", null, author],
        [4, "UNPUBLISHED", "DRAFT", null, author],
        [2, "APPLIED", "PUBLISHED", "Two", helper],
        [1, "CREATED", "PUBLISHED", "*Hi*", author],
      ]);
      const untouched = await create();
      assert.deepEqual(await history(untouched), []);
    });

    test("S40 the history is read in pages, newest first", async () => {
      const id = await create();
      for (let i = 0; i < 5; i++) await near.query(UPDATE, { id, input: { body: `text ${i}` } });
      const all = (await history(id)).map(({ body }: { body: string }) => body);
      assert.deepEqual(all, ["text 4", "text 3", "text 2", "text 1", "text 0", "*Hi*"]);
      const walked: string[] = [];
      for (let after: string | null = null, more = true; more; ) {
        const page: Page = (await near.query(POST, { id, first: 4, after })).json.data.post.revisions;
        walked.push(...page.nodes.map(({ body }) => body));
        assert.equal(page.edges.at(-1)?.cursor, page.pageInfo.endCursor);
        ({ hasNextPage: more, endCursor: after } = page.pageInfo);
      }
      assert.deepEqual(walked, all);
    });

    test("S42 restoring fills the copy, publishes nothing, and loses nothing", async () => {
      const id = await create();
      await near.query(UPDATE, { id, input: { title: "Second", body: "Two" } });
      const oldest = (await history(id)).at(-1);
      await save(id, 0, { body: "Being written" });
      const restored = (await near.query(RESTORE, { id, version: 1, revision: oldest.id })).json.data.restoreRevision;
      const { title, body, version, baseVersion } = restored.workingCopy;
      assert.deepEqual([title, body, version, baseVersion], ["Hello World", "*Hi*", 2, 2]);
      assert.deepEqual(restored.post, { title: "Second", status: "PUBLISHED", version: 2 });
      const taken = (await history(id))[0];
      assert.deepEqual([taken.kind, taken.body, taken.title], ["MERGED", "Being written", "Second"]);
      const back = (await near.query(RESTORE, { id, version: 2, revision: taken.id })).json.data.restoreRevision;
      assert.equal(back.workingCopy.body, "Being written");
      await near.query(RESTORE, { id, version: 3, revision: oldest.id });
      await near.query(APPLY, { id, version: 4, expected: 2 });
      const [newest] = await history(id);
      assert.deepEqual([newest.kind, newest.body, newest.version], ["RESTORED", "*Hi*", 3]);
      assert.deepEqual(await eventsOf(id), ["post.created", "post.updated", "post.updated"]);
    });

    test("S42 a text that the history or the post has is not kept again: small requests do not fill the history", async () => {
      const id = await create({ body: "long" });
      await near.query(UPDATE, { id, input: { body: "longer" } });
      const [newer, older] = await history(id);
      for (let version = 0; version < 6; version += 2) {
        await near.query(RESTORE, { id, version, revision: older.id });
        await near.query(RESTORE, { id, version: version + 1, revision: newer.id });
      }
      await near.query(DISCARD, { id, version: 6 });
      await near.query(RESTORE, { id, version: 0, revision: older.id });
      await near.query(DISCARD, { id, version: 7 });
      await save(id, 0, {});
      await near.query(DISCARD, { id, version: 8 });
      assert.equal((await read(id)).workingCopy, null);
      assert.deepEqual(await history(id), [newer, older]);
      // What was written since is one text more.
      await near.query(RESTORE, { id, version: 0, revision: older.id });
      await save(id, 9, { title: "Written" });
      await near.query(RESTORE, { id, version: 10, revision: newer.id });
      assert.deepEqual(
        (await history(id)).map(({ kind, title }: { kind: string; title: string }) => [kind, title]),
        [
          ["MERGED", "Written"],
          ["APPLIED", "Hello World"],
          ["CREATED", "Hello World"],
        ],
      );
    });

    test("S42 a revision without a text, of another post, or of none cannot be restored", async () => {
      const [id, another] = [await create(), await create()];
      await near.query(UPDATE, { id: another, input: { body: "x" } });
      await near.query(move("archivePost"), { id });
      const [line] = await history(id);
      const [foreign] = await history(another);
      for (const revision of [line.id, foreign.id, id, "nothing"])
        assertError((await near.query(RESTORE, { id, version: 0, revision })).json, "NOT_FOUND");
      assert.equal((await read(id)).workingCopy, null);
    });

    test("S33 a discarded text stays in the history, unless its writer does not want that", async () => {
      const id = await create();
      await save(id, 0, { body: "Kept" });
      const discarded = (await near.query(DISCARD, { id, version: 1 })).json.data.discardWorkingCopy;
      assert.deepEqual(discarded, { workingCopy: null, post: { version: 1 }, errors: [] });
      const [kept] = await history(id);
      assert.deepEqual([kept.kind, kept.body, kept.version], ["MERGED", "Kept", 1]);
      await save(id, 0, { body: "Gone" });
      await near.query(DISCARD, { id, version: 2, keep: false });
      assert.equal((await history(id)).length, 1);
      // The text of the post was never one of the history: it comes into it with the first change.
      await near.query(UPDATE, { id, input: { body: "New" } });
      const kinds = (await history(id)).map(({ kind }: { kind: string }) => kind);
      assert.deepEqual(kinds.sort(), ["APPLIED", "CREATED", "MERGED"]);
    });

    test("S10 lists find posts with unpublished changes, as far as the viewer may change them", async () => {
      const id = await create({ title: "Xxlisted one" });
      const without = await create({ title: "Xxlisted two" });
      await save(id, 0, { body: "more" });
      const list = (has: boolean) =>
        `posts(filter: {hasWorkingCopy: ${has}, search: "xxlisted", status: [DRAFT, PUBLISHED]}) { id }`;
      const document = `{ with: ${list(true)} without: ${list(false)} }`;
      const expected = { with: [{ id }], without: [{ id: without }] };
      assert.deepEqual((await near.query(document)).json.data, expected);
      assert.deepEqual((await editor.query(document)).json.data, expected);
      const strange = (await other.query(document)).json.data;
      assert.deepEqual(strange.with, []);
      assert.equal(strange.without.length, 2);
      const variable = "query ($f: PostFilter) { postsConnection(filter: $f) { totalCount } }";
      const count = async (hasWorkingCopy: boolean | null) =>
        (await near.query(variable, { f: { hasWorkingCopy, search: "xxlisted" } })).json.data.postsConnection
          .totalCount;
      assert.deepEqual([await count(true), await count(false), await count(null)], [1, 1, 2]);
      await near.query(DISCARD, { id, version: 1 });
      assert.deepEqual((await near.query(document)).json.data.with, []);
    });

    test("S33 the same Idempotency-Key saves and applies once", async () => {
      const id = await create();
      const key = { "idempotency-key": `"save-${id}"` };
      const variables = { id, version: 0, input: { body: "once" } };
      const first = await near.query(SAVE, variables, key);
      const again = await far.query(SAVE, variables, key);
      assert.deepEqual(again.json, first.json);
      assert.equal((await read(id)).workingCopy.version, 1);
      const apply = { id, version: 1, expected: 1 };
      const applied = await near.query(APPLY, apply, { "idempotency-key": `"apply-${id}"` });
      const repeated = await far.query(APPLY, apply, { "idempotency-key": `"apply-${id}"` });
      assert.deepEqual(repeated.json, applied.json);
      assert.equal((await read(id)).version, 2);
    });

    test("S32 a copy and the history go with their post", async () => {
      const id = await create();
      await near.query(UPDATE, { id, input: { body: "x" } });
      await save(id, 0, { body: "y" });
      await near.query("mutation ($id: ID!) { deletePost(id: $id) { deletedId } }", { id });
      assert.equal(await (stores[0] as Store).workingCopies.find(id as Id), null);
      const ofAuthor = await (stores[0] as Store).revisions.listOfPerson(author, { limit: 1_000 });
      assert.deepEqual(
        ofAuthor.filter(({ postId }) => postId === id),
        [],
      );
    });

    test("S32 what a change by a program was is taken down with its trail", async () => {
      const id = await create({ status: "DRAFT" });
      await save(id, 0, { body: "By hand" });
      const agent = { tool: "apply", traceparent: null };
      const acting = openTestServer({ store: stores[0] as Store, viewer: { ...ada, userId: author, agent } });
      await acting.query(APPLY, { id, version: 1, expected: 1 });
      const changes = await (stores[0] as Store).agents.listChanges({ about: author, limit: 10 });
      const [change] = changes.filter(({ postId }) => postId === id);
      assert.deepEqual([change?.versionBefore, change?.versionAfter, change?.before?.hasBody], [1, 2, true]);
    });

    test("S11 costs are counted as for other lists", async () => {
      const id = await create();
      const cost = async (fields: string) =>
        (await near.query(`{ post(id: "${id}") { ${fields} } }`, {}, { "graphql-cost": "1" })).json.extensions.cost;
      assert.equal(await cost("viewerCanUpdate"), 1);
      assert.equal(await cost("workingCopy { body updatedBy { name } }"), 3);
      assert.equal(await cost("revisions { nodes { kind } }"), 52);
      assert.equal(await cost("revisions(first: 10) { nodes { person { name } } }"), 22);
    });
  });
}

writes("SQLite", async () => `sqlite:${join(folder, "content.db")}`);
writes("PostgreSQL", () => postgres.createDatabase());
