import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { Id } from "../../../src/domain/id.ts";
import { makeDueUpdates } from "../../../src/domain/posts/planned-update.ts";
import type { Store } from "../../../src/domain/store/store.ts";
import type { Viewer } from "../../../src/domain/viewer.ts";
import { openStore } from "../../../src/storage/open.ts";
import { aPerson } from "../../conformance/samples.ts";
import { openPostgres } from "../../postgres.ts";
import { ada, openTestServer, type TestServer } from "../server.ts";

const folder = await mkdtemp(join(tmpdir(), "planned-updates-"));
after(() => rm(folder, { recursive: true }));
const postgres = await openPostgres();

const ERRORS = "errors { code field message }";
const PLAN = `plannedUpdate { publishAt publishAtZone heldBecause title body slug excerpt workingVersion baseVersion plannedAt
  plannedBy { id } }`;
const POST = `query ($id: ID!) { post(id: $id) { title body slug status version publishAt ${PLAN} workingCopy { body version baseVersion }
  revisions { nodes { version kind body person { id } clientId } } } }`;
const CREATE = "mutation ($input: CreatePostInput!) { createPost(input: $input) { id } }";
const SAVE = `mutation ($id: ID!, $input: WorkingCopyInput!, $version: Int!, $base: Int! = 1) {
  saveWorkingCopy(id: $id, input: $input, workingVersion: $version, baseVersion: $base) { workingCopy { version } ${ERRORS} } }`;
const APPLY = `mutation ($id: ID!, $version: Int!, $expected: Int! = 1, $after: AfterApply! = STAY, $publishAt: String, $zone: String) {
  applyWorkingCopy(id: $id, workingVersion: $version, expectedVersion: $expected, then: $after, publishAt: $publishAt, publishAtZone: $zone) {
    post { body status version publishAt ${PLAN} workingCopy { version } } ${ERRORS} } }`;
const DISCARD = `mutation ($id: ID!, $version: Int!, $keep: Boolean! = false) {
  discardWorkingCopy(id: $id, workingVersion: $version, keepPlannedUpdate: $keep) { workingCopy { version } ${ERRORS} } }`;
const CANCEL = `mutation ($id: ID!, $expected: Int) {
  cancelPlannedUpdate(id: $id, expectedVersion: $expected) { post { version ${PLAN} workingCopy { version } } ${ERRORS} } }`;
const UPDATE = `mutation ($id: ID!, $input: UpdatePostInput!) { updatePost(id: $id, input: $input) { post { version } ${ERRORS} } }`;
const move = (name: string) => `mutation ($id: ID!) { ${name}(id: $id) { post { version } ${ERRORS} } }`;

const HOUR = 3_600_000;

function plans(database: string, newDatabase: () => Promise<string>): void {
  describe(`planned updates on ${database}`, () => {
    let now = Date.parse("2027-01-05T08:00:00.000Z");
    const nine = "2027-01-05T09:00:00.000Z";
    let stores: Store[];
    let near: TestServer;
    /** The same person at another node. */
    let far: TestServer;
    let other: TestServer;
    let editor: TestServer;
    let agent: TestServer;
    let author: Id;
    let helper: Id;

    before(async () => {
      const url = await newDatabase();
      stores = [await openStore(url, { now: () => now }), await openStore(url, { now: () => now })];
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
      agent = as({ userId: author, agent: { tool: "apply", traceparent: null } });
    });
    after(() => Promise.all(stores.map((store) => store.close())));

    const render = async (text: string) => ({ html: `<p>${text}</p>`, text });
    const look = (store = stores[0] as Store, at = now) =>
      makeDueUpdates(store.plannedUpdates, render, new Date(at).toISOString(), 100);
    const read = async (id: string, by = near) => (await by.query(POST, { id })).json.data.post;
    const eventsOf = async (id: string) =>
      (await (stores[0] as Store).outbox.list(null, 10_000))
        .filter(({ subjectId }) => subjectId === id)
        .map(({ type }) => type);

    async function create(input: object = {}): Promise<string> {
      const answer = await near.query(CREATE, { input: { title: "Hello World", body: "old", ...input } });
      return answer.json.data.createPost.id;
    }
    const save = async (id: string, version: number, input: object, by = near, base = 1) =>
      (await by.query(SAVE, { id, version, input, base })).json.data.saveWorkingCopy.workingCopy.version;
    const plan = async (id: string, version: number, by = near, more: object = {}) =>
      (await by.query(APPLY, { id, version, publishAt: nine, ...more })).json;

    /** A published post whose text "new" goes live at nine, by the editor. */
    async function planned(input: object = { body: "new" }): Promise<string> {
      const id = await create();
      const version = await save(id, 0, input);
      const { data } = await plan(id, version, editor, { zone: "Europe/Berlin" });
      assert.notEqual(data.applyWorkingCopy.post, null, JSON.stringify(data.applyWorkingCopy.errors));
      return id;
    }
    const later = async (job: () => Promise<void>) => {
      const start = now;
      now = start + HOUR + 2_000;
      await job();
      now = start;
    };

    test("S56 the post stays as it is until the time, and then has the text, with one event, one version, one revision", async () => {
      const id = await planned({ body: "new", excerpt: "In short" });
      const until = await read(id);
      assert.deepEqual([until.body, until.version, until.publishAt, until.status], ["old", 1, null, "PUBLISHED"]);
      assert.deepEqual(until.plannedUpdate, {
        ...{ publishAt: nine, publishAtZone: "Europe/Berlin", heldBecause: null },
        ...{ title: "Hello World", body: "new", slug: null, excerpt: "In short", workingVersion: 1, baseVersion: 1 },
        ...{ plannedAt: "2027-01-05T08:00:00.000Z", plannedBy: { id: helper } },
      });
      assert.deepEqual(until.workingCopy, { body: "new", version: 1, baseVersion: 1 });
      assert.deepEqual(until.revisions.nodes, []);
      assert.deepEqual(await eventsOf(id), ["post.created"]);
      await look();
      assert.equal((await read(id)).body, "old");
      await later(async () => void (await look()));
      const done = await read(id);
      assert.deepEqual([done.body, done.version, done.plannedUpdate, done.workingCopy], ["new", 2, null, null]);
      const [last, first, ...more] = done.revisions.nodes;
      assert.deepEqual(last, {
        ...{ version: 2, kind: "APPLIED", body: "new", person: { id: helper }, clientId: "client" },
      });
      assert.deepEqual([first.kind, first.body, more], ["CREATED", "old", []]);
      assert.deepEqual(await eventsOf(id), ["post.created", "post.updated"]);
      const html = await near.query("query ($id: ID!) { post(id: $id) { bodyHtml excerpt wordCount } }", { id });
      assert.deepEqual(html.json.data.post, { bodyHtml: "<p>new</p>", excerpt: "In short", wordCount: 1 });
    });

    test("S56 several nodes make each update once", async () => {
      const ids: string[] = [];
      for (let i = 0; i < 8; i++) ids.push(await planned());
      await later(async () => {
        await Promise.all([0, 1, 0, 1, 0, 1].map((i) => look(stores[i])));
      });
      for (const id of ids) {
        assert.equal((await read(id, far)).version, 2);
        assert.deepEqual(await eventsOf(id), ["post.created", "post.updated"]);
      }
    });

    test("S56 later writing is not part of it, unless it is included; it goes on from the new version", async () => {
      const id = await planned();
      assert.equal(await save(id, 1, { body: "newer" }), 2);
      assert.equal((await read(id)).plannedUpdate.body, "new");
      await later(async () => {
        await look();
        const post = await read(id);
        assert.equal(post.body, "new");
        assert.deepEqual(post.workingCopy, { body: "newer", version: 2, baseVersion: 2 });
      });
      const included = await planned();
      await save(included, 1, { body: "newer" });
      const { data } = await plan(included, 2);
      assert.equal(data.applyWorkingCopy.post.plannedUpdate.body, "newer");
      assert.deepEqual(data.applyWorkingCopy.post.plannedUpdate.plannedBy, { id: author });
      await later(async () => void (await look()));
      const post = await read(included);
      assert.deepEqual([post.body, post.version, post.workingCopy], ["newer", 2, null]);
    });

    test("S56 a change by somebody else is not overwritten: the update is held back and says why", async () => {
      const id = await planned();
      await other.query(UPDATE, { id, input: { title: "Not mine" } }); // FORBIDDEN: nothing happens
      await near.query(UPDATE, { id, input: { title: "By a program" } });
      await later(async () => {
        await look();
        assert.equal(await look(), 0, "it does not stand in the way of others");
        const post = await read(id);
        assert.deepEqual([post.title, post.body, post.version], ["By a program", "old", 2]);
        assert.deepEqual([post.plannedUpdate.heldBecause, post.plannedUpdate.body], ["POST_CHANGED", "new"]);
        assert.deepEqual(await eventsOf(id), ["post.created", "post.updated"]);
        // The person has seen the change and plans again.
        const again = await plan(id, 1, near, { expected: 2 });
        const { heldBecause, baseVersion } = again.data.applyWorkingCopy.post.plannedUpdate;
        assert.deepEqual([heldBecause, baseVersion], [null, 2]);
        await look();
        const done = await read(id);
        assert.deepEqual([done.title, done.body, done.version], ["Hello World", "new", 3]);
      });
    });

    test("S56 S50 the slug is checked like one of an update at once: when it is planned, and when it goes live", async () => {
      await create({ slug: `taken-${database.toLowerCase()}` });
      const id = await create();
      await save(id, 0, { slug: `taken-${database.toLowerCase()}` });
      const slugBefore = (await read(id)).slug;
      const { applyWorkingCopy } = (await plan(id, 1)).data;
      assert.deepEqual([applyWorkingCopy.post, applyWorkingCopy.errors[0].field], [null, "input.slug"]);
      await save(id, 1, { slug: `free-${database.toLowerCase()}` });
      await plan(id, 2);
      const quick = await create({ slug: `free-${database.toLowerCase()}` });
      await later(async () => void (await look()));
      assert.equal((await read(id)).plannedUpdate.heldBecause, "SLUG_TAKEN");
      assert.equal((await read(id)).version, 1);
      await near.query("mutation ($id: ID!) { deletePost(id: $id) { deletedId } }", { id: quick });
      await plan(id, 2);
      await later(async () => void (await look()));
      const done = await read(id);
      assert.equal(done.slug, `free-${database.toLowerCase()}`);
      const former = await near.query("query ($slug: String!) { postBySlug(slug: $slug) { id } }", {
        slug: slugBefore,
      });
      assert.equal(former.json.data.postBySlug?.id, id, "a former slug leads to its post");
    });

    test("S56 what is refused: nothing to change, an empty title, other versions, a post that is not published", async () => {
      const id = await create();
      const none = (await plan(id, 0)).data.applyWorkingCopy;
      assert.deepEqual([none.post, none.errors[0].field], [null, "publishAt"]);
      await save(id, 0, { title: "" });
      assert.equal((await plan(id, 1)).data.applyWorkingCopy.errors[0].field, "workingCopy.title");
      await save(id, 1, { title: "A" });
      const stale = await plan(id, 1);
      assert.deepEqual([stale.errors[0].extensions.code, stale.errors[0].extensions.workingVersion], ["CONFLICT", 2]);
      assert.equal((await plan(id, 2, near, { expected: 7 })).errors[0].extensions.code, "CONFLICT");
      assert.equal(
        (await plan(id, 2, near, { zone: "Mars/Olympus" })).data.applyWorkingCopy.errors[0].field,
        "publishAtZone",
      );
      assert.equal((await plan(id, 2, near, { after: "PUBLISH" })).data.applyWorkingCopy.errors[0].field, "publishAt");
      assert.equal((await plan(id, 2, other)).errors[0].extensions.code, "FORBIDDEN");
      assert.equal((await plan(id, 2, agent)).errors[0].extensions.code, "FORBIDDEN");
      await near.query(move("archivePost"), { id });
      const archived = (await plan(id, 2, near, { expected: 2 })).data.applyWorkingCopy;
      assert.equal(archived.errors[0].field, "publishAt");
      assert.equal((await read(id)).plannedUpdate, null);
      const byUpdate = await near.query(UPDATE, { id: await create(), input: { publishAt: nine } });
      assert.equal(byUpdate.json.data.updatePost.errors[0].field, "input.publishAt");
    });

    test("S56 cancelling, discarding, updating now, unpublishing, archiving and deleting end it", async () => {
      const cancelled = await planned();
      assert.equal(
        (await near.query(CANCEL, { id: cancelled, expected: 9 })).json.errors[0].extensions.code,
        "CONFLICT",
      );
      assert.equal((await other.query(CANCEL, { id: cancelled })).json.errors[0].extensions.code, "FORBIDDEN");
      const { post } = (await near.query(CANCEL, { id: cancelled, expected: 1 })).json.data.cancelPlannedUpdate;
      assert.deepEqual(post, { version: 1, plannedUpdate: null, workingCopy: { version: 1 } });
      assert.deepEqual((await near.query(CANCEL, { id: cancelled })).json.data.cancelPlannedUpdate.errors, []);
      const ended = {
        discarded: (id: string) => near.query(DISCARD, { id, version: 1 }),
        updated: (id: string) => near.query(APPLY, { id, version: 1 }),
        unpublished: (id: string) => near.query(move("unpublishPost"), { id }),
        archived: (id: string) => near.query(move("archivePost"), { id }),
      };
      const versions: Record<string, number> = {};
      for (const [name, end] of Object.entries(ended)) {
        const id = await planned();
        await end(id);
        const left = await read(id);
        assert.equal(left.plannedUpdate, null, name);
        await later(async () => void (await look()));
        versions[name] = (await read(id)).version;
      }
      assert.deepEqual(versions, { discarded: 1, updated: 2, unpublished: 2, archived: 2 });
      const deleted = await planned();
      await near.query("mutation ($id: ID!) { deletePost(id: $id) { deletedId } }", { id: deleted });
      assert.equal(await (stores[0] as Store).plannedUpdates.find(deleted as Id), null);
      await later(async () => {
        assert.equal(await look(), 0);
      });
      // A merge takes the copy away and saves another text: it is no decision about the update.
      const kept = await planned();
      await near.query(DISCARD, { id: kept, version: 1, keep: true });
      assert.equal((await read(kept)).plannedUpdate.body, "new");
      await near.query(CANCEL, { id: kept });
    });

    test("S56 a restored text is one in the history too", async () => {
      const id = await create();
      await near.query(UPDATE, { id, input: { body: "second" } });
      const revisions = "query ($id: ID!) { post(id: $id) { revisions { nodes { id body } } } }";
      const { nodes } = (await near.query(revisions, { id })).json.data.post.revisions;
      const first = nodes.find(({ body }: { body: string }) => body === "old").id;
      const restore = `mutation ($id: ID!, $revision: ID!) { restoreRevision(id: $id, revision: $revision, workingVersion: 0) { ${ERRORS} } }`;
      await near.query(restore, { id, revision: first });
      await plan(id, 1, near, { expected: 2 });
      await later(async () => void (await look()));
      const done = await read(id);
      assert.deepEqual([done.body, done.revisions.nodes[0].kind], ["old", "RESTORED"]);
    });

    test("S56 S10 only people who may change the post see it; the list of scheduled posts has it in order of time", async () => {
      const title = `Xxplanned${database}`;
      const id = await planned({ title });
      const draft = async (publishAt: string) =>
        (await near.query(CREATE, { input: { title: "d", body: "", status: "DRAFT", publishAt } })).json.data.createPost
          .id;
      const [early, late] = [await draft("2027-01-05T08:30:00.000Z"), await draft("2027-01-05T09:30:00.000Z")];
      assert.equal((await read(id, other)).plannedUpdate, null);
      const list = `query ($status: [PostStatus!], $after: String, $first: Int! = 50, $direction: OrderDirection! = ASC, $is: Boolean! = true,
        $range: TimeRange) { postsConnection(first: $first, after: $after, orderBy: {field: PUBLISH_AT, direction: $direction},
        filter: {isScheduled: $is, status: $status, publishAt: $range}) { totalCount nodes { id } pageInfo { hasNextPage endCursor } } }`;
      const both = { status: ["DRAFT", "PUBLISHED"] };
      const ids = async (variables: object, by = near): Promise<string[]> =>
        (await by.query(list, variables)).json.data.postsConnection.nodes.map((node: { id: string }) => node.id);
      assert.deepEqual(await ids(both), [early, id, late]);
      assert.deepEqual(await ids({ ...both, direction: "DESC" }), [late, id, early]);
      assert.deepEqual(await ids(both, editor), [early, id, late]);
      assert.deepEqual(await ids(both, other), []);
      assert.deepEqual(await ids({}), [early, late], "as before without the status");
      assert.deepEqual(await ids({ status: ["PUBLISHED"] }), [id]);
      assert.deepEqual(await ids({ status: ["PUBLISHED"] }, other), []);
      assert.deepEqual(await ids({ ...both, range: { from: nine } }), [id, late]);
      assert.deepEqual(await ids({ ...both, range: { until: nine } }), [early]);
      const walked: string[] = [];
      for (let after: string | null = null; ; ) {
        const answer = await near.query(list, { ...both, first: 1, after });
        const { totalCount, nodes, pageInfo } = answer.json.data.postsConnection;
        assert.equal(totalCount, 3);
        walked.push(...nodes.map((node: { id: string }) => node.id));
        if (!pageInfo.hasNextPage) break;
        after = pageInfo.endCursor;
      }
      assert.deepEqual(walked, [early, id, late]);
      const plain = `{ posts(filter: {isScheduled: false}) { id } }`;
      assert.ok((await near.query(plain)).json.data.posts.some((post: { id: string }) => post.id === id));
      for (const one of [early, late])
        await near.query("mutation ($id: ID!) { deletePost(id: $id) { deletedId } }", { id: one });
      await near.query(CANCEL, { id });
      assert.deepEqual(await ids(both), []);
    });

    test("S33 the same Idempotency-Key plans once", async () => {
      const id = await create();
      await save(id, 0, { body: "new" });
      const variables = { id, version: 1, publishAt: nine };
      const key = { "idempotency-key": `"plan-${id}"` };
      const first = await near.query(APPLY, variables, key);
      await save(id, 1, { body: "newer" });
      const again = await far.query(APPLY, variables, key);
      assert.deepEqual(again.json, first.json);
      assert.equal((await read(id)).plannedUpdate.body, "new");
      await near.query(CANCEL, { id });
    });

    test("S56 it outlives the account of the person who planned it, without the name", async () => {
      const store = stores[0] as Store;
      const { id: leaver } = await store.users.create(aPerson({ email: "leaver@example.com", role: "editor" }));
      const id = await create();
      await save(id, 0, { body: "new" });
      const leaving = openTestServer({ store, viewer: { ...ada, userId: leaver, role: "editor" } });
      await plan(id, 1, leaving);
      assert.equal((await store.plannedUpdates.listOfPerson(leaver, { limit: 10 })).length, 1);
      const at = new Date(now).toISOString();
      await store.deletions.ask(leaver, { deletesAt: at, posts: "keep" });
      await store.deletions.begin(leaver, at);
      await store.deletions.finish(leaver, at, null);
      assert.deepEqual(await store.plannedUpdates.listOfPerson(leaver, { limit: 10 }), []);
      assert.equal((await read(id)).plannedUpdate.plannedBy, null);
      await later(async () => void (await look()));
      assert.equal((await read(id)).body, "new");
    });
  });
}

let files = 0;
plans("SQLite", async () => `sqlite:${join(folder, `${++files}.db`)}`);
plans("PostgreSQL", () => postgres.createDatabase());
