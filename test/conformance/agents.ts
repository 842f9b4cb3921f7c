import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { Administration } from "../../src/domain/administration.ts";
import { openAdmission, resumeAgents, stopAllAgents } from "../../src/domain/agents/admission.ts";
import { revertAgentChanges } from "../../src/domain/agents/revert.ts";
import type { Id } from "../../src/domain/id.ts";
import { createPost, type PostContent } from "../../src/domain/posts/post.ts";
import {
  archivePost,
  deletePost,
  type PostRequest,
  publishDuePosts,
  publishPost,
  unpublishPost,
  updatePost,
} from "../../src/domain/posts/post-changes.ts";
import { ALL } from "../../src/domain/reading/selection.ts";
import type { Store } from "../../src/domain/store/store.ts";
import type { Viewer } from "../../src/domain/viewer.ts";
import { aClient, aPerson, hasCode, withStore } from "./samples.ts";
import { search } from "./search.ts";
import type { OpenFresh, OpenTwo } from "./store.ts";

const T = Date.parse("2026-01-31T12:00:00.000Z");
const START = new Date(T).toISOString();
const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const render = async (markdown: string) => ({ html: `<p>${markdown}</p>`, text: markdown });
const at = (time: number) => new Date(time).toISOString();

/** A store with a person, an agent of theirs, and a clock that each read moves by a second. */
async function withAgent(
  open: OpenFresh,
  task: (world: ReturnType<typeof worldOf> & { readonly author: Id }) => Promise<void>,
): Promise<void> {
  let time = T;
  await withStore(
    (now = () => (time += 1_000)) => open(now),
    async (store) => {
      const { id } = await store.users.create(aPerson());
      await task({ ...worldOf(store, id, () => time), author: id });
    },
  );
}

function worldOf(store: Store, userId: Id, clock: () => number) {
  const person: Viewer = { userId, role: "member", clientId: "client-1", scopes: new Set(["posts:write"]) };
  const agent = (tool: string): Viewer => ({
    ...person,
    clientId: "agent-1",
    agent: { tool, traceparent: `00-${TRACE}-00f067aa0ba902b7-01` },
  });
  const request = (viewer: Viewer, id: Id, expectedVersion: number | null = null): PostRequest => ({
    ...{ store, viewer, id, expectedVersion, once: undefined },
  });
  const create = (viewer: Viewer, input: Partial<PostContent> = {}) =>
    createPost({ store, viewer, once: undefined }, { title: "Title", body: "Body", ...input }, render);
  const administration: Administration<Store> = {
    ...{ store, actorId: null, now: clock },
    record: async () => {},
  };
  const revert = (window: { since?: string; until?: string; userId?: Id } = {}, options = {}) =>
    revertAgentChanges(
      administration,
      { clientId: "agent-1", since: START, ...window },
      { renderMarkdown: render, ...options },
    );
  const post = async (id: Id) => {
    for (const status of ["DRAFT", "PUBLISHED", "ARCHIVED"] as const) {
      const found = (await store.posts.listOfAuthor(userId, { status, limit: 100 })).find((one) => one.id === id);
      if (found !== undefined) return found;
    }
    return null;
  };
  const changes = () => store.agents.listChanges({ limit: 1_000 });
  const audit = () => store.audit.list({ event: "agent", limit: 1_000 });
  return { store, person, agent, request, create, revert, post, changes, audit, administration, clock };
}

export function agentsConform(open: OpenFresh, openTwo: OpenTwo): void {
  describe("agents", () => {
    test("A43 each kind of change by an agent has a row of its own and one of the audit; a person's has none", () =>
      withAgent(open, async ({ store, person, agent, request, create, changes, audit, author }) => {
        const mine = await create(person);
        await updatePost(request(person, mine), { title: "Other" }, render);
        await deletePost(request(person, mine));
        assert.deepEqual([await changes(), await audit()], [[], []]);

        const id = await create(agent("create_draft"), { status: "DRAFT" });
        await updatePost(request(agent("update_post"), id), { body: "New" }, render);
        await publishPost(request(agent("publish_post"), id));
        await archivePost(request(agent("archive_post"), id));
        await unpublishPost(request(agent("unpublish_post"), id));
        await publishPost(request(agent("publish_post"), id, 5));
        await publishPost(request(agent("publish_post"), id)); // is published
        await deletePost(request(agent("delete_post"), id));
        const rows = (await changes()).reverse();
        assert.deepEqual(
          rows.map(({ tool, versionBefore, versionAfter, before }) => [
            ...[tool, versionBefore, versionAfter, before?.status ?? null, before?.title ?? null, before?.hasBody],
          ]),
          [
            ["create_draft", null, 1, null, null, undefined],
            ["update_post", 1, 2, "DRAFT", null, true],
            ["publish_post", 2, 3, "DRAFT", null, false],
            ["archive_post", 3, 4, "PUBLISHED", null, false],
            ["unpublish_post", 4, 5, "ARCHIVED", null, false],
            ["publish_post", 5, 6, "DRAFT", null, false],
            ["delete_post", 6, null, "PUBLISHED", "Title", true],
          ],
        );
        for (const row of rows)
          assert.deepEqual(
            [row.postId, row.authorId, row.userId, row.clientId, row.traceId, row.revertedAt],
            [id, author, author, "agent-1", TRACE, null],
          );
        assert.equal(await store.agents.findBodyBefore((rows[1] as { id: Id }).id), "Body");
        const events = (await audit()).reverse();
        assert.equal(events.length, 7);
        assert.deepEqual(
          events.map(({ result, userId, clientId }) => [result, userId, clientId]),
          events.map(() => ["ok", author, "agent-1"]),
        );
        assert.equal(events[1]?.detail, `update_post: post ${id}, version 1 to 2, trace ${TRACE}`);
        assert.equal(events[6]?.detail, `delete_post: post ${id}, version 6 to none, trace ${TRACE}`);
      }));

    test("A43 a change that is refused, or was made before, leaves no row", () =>
      withAgent(open, async ({ store, agent, request, changes, audit, author }) => {
        const once = { id: "key", field: 0, fingerprint: "print" };
        const id = await createPost({ store, viewer: agent("t"), once }, { title: "T", body: "" }, render);
        const again = createPost({ store, viewer: agent("t"), once }, { title: "T", body: "" }, render);
        await assert.rejects(again, hasCode("CONFLICT"));
        await assert.rejects(archivePost(request(agent("t"), id, 7)), hasCode("CONFLICT"));
        await assert.rejects(
          store.posts.create(
            { authorId: "01a21efd-4214-7000-8474-a0573e6a4ee8" as Id, title: "T", body: "" },
            undefined,
            null,
            {
              ...{ userId: author, clientId: "agent-1", tool: "t", traceId: null },
            },
          ),
          hasCode("NOT_FOUND"),
        );
        assert.deepEqual([(await changes()).length, (await audit()).length], [1, 1]);
      }));

    test("A43 of many agents at one post each change has its row, and the versions follow one another", async () => {
      const [here, there] = await openTwo();
      try {
        const { id: author } = await here.users.create(aPerson());
        const [one, other] = [worldOf(here, author, Date.now), worldOf(there, author, Date.now)];
        const id = await one.create(one.agent("create"));
        const attempts = Array.from({ length: 20 }, (_, i) => {
          const { agent, request } = i % 2 === 0 ? one : other;
          return updatePost(request(agent(`t${i}`), id, i < 10 ? 1 : null), { body: `${i}` }, render);
        });
        const done = (await Promise.allSettled(attempts)).filter(({ status }) => status === "fulfilled").length;
        const rows = (await one.changes()).filter(({ before }) => before !== null);
        assert.ok(done >= 10 && done <= 11, `${done}`);
        assert.deepEqual(
          rows.map(({ versionAfter }) => versionAfter).sort((a, b) => Number(a) - Number(b)),
          Array.from({ length: done }, (_, i) => i + 2),
        );
        assert.equal((await one.audit()).length, done + 1);
        for (const { versionBefore, versionAfter } of rows) assert.equal(versionAfter, Number(versionBefore) + 1);
      } finally {
        await Promise.all([here.close(), there.close()]);
      }
    });

    test("A43 taking back: what was created is deleted, what was changed is as before, what was deleted is there again", () =>
      withAgent(open, async ({ store, person, agent, request, create, revert, post, audit }) => {
        const created = await create(agent("create_draft"));
        const changed = await create(person, { title: "Before", body: "Words before" });
        const deleted = await create(person, { title: "Gone", body: "Heliotrope", status: "DRAFT" });
        const [changedBefore, deletedBefore] = [await post(changed), await post(deleted)];
        await updatePost(request(agent("u"), changed), { title: "After", body: "1" }, render);
        await updatePost(request(agent("u"), changed), { body: "2" }, render);
        await unpublishPost(request(agent("u"), changed));
        await updatePost(request(agent("u"), deleted), { title: "Vandalised" }, render);
        await publishPost(request(agent("p"), deleted));
        await deletePost(request(agent("d"), deleted));
        const nothing = await create(agent("c"));
        await deletePost(request(agent("d"), nothing));
        const last = await store.outbox.last();

        const planned = await revert({}, { isDryRun: true });
        assert.notEqual(await post(created), null);
        const done = await revert();
        assert.deepEqual(done, planned);
        assert.deepEqual(done, {
          reverted: [
            { postId: deleted, as: "created-again" },
            { postId: changed, as: "restored" },
            { postId: created, as: "deleted" },
          ],
          left: [],
          isComplete: true,
        });
        assert.equal(await post(created), null);
        const { updatedAt: _, version, ...now } = (await post(changed)) ?? assert.fail();
        const { updatedAt: __, version: ___, ...then } = changedBefore ?? assert.fail();
        assert.deepEqual(now, then);
        assert.equal(version, 5);
        const again = (await post(deleted)) ?? assert.fail();
        const { id, title, body, status, createdAt, publishAt } = deletedBefore ?? assert.fail();
        assert.partialDeepStrictEqual(again, { id, title, body, status, createdAt, publishAt, version: 4 });
        assert.deepEqual(
          (await store.outbox.list(last, 10)).map(({ type, subjectId }) => [type, subjectId]),
          [
            ["post.created", deleted],
            ["post.published", changed],
            ["post.deleted", created],
          ],
        );
        const [newest] = await audit();
        assert.match(newest?.detail ?? "", new RegExp(`^1 taken back at the terminal: post ${created}, now deleted$`));

        assert.deepEqual((await revert()).reverted, [], "a second time there is nothing left");
        await updatePost(request(person, deleted, 4), { body: "Mine again" }, render);
        assert.equal((await post(deleted))?.body, "Mine again");
      }));

    test("A43 a post that is created again is found by its words and stands where it stood; its slug may have gone to another", () =>
      withAgent(open, async ({ store, person, agent, request, create, revert, post }) => {
        const older = await create(person);
        const body = `Heliotrope ${"und noch viele Wörter mehr ".repeat(4_000)}Zinnober`; // more than an index row holds
        const id = await create(person, { title: "Same", body });
        const newer = await create(person);
        await deletePost(request(agent("d"), id));
        const other = await create(person, { title: "Same" });
        assert.deepEqual(await search(store, "Heliotrope"), []);
        assert.equal((await revert()).reverted.length, 1);
        assert.deepEqual(await search(store, "Heliotrope"), [id]);
        assert.deepEqual(await search(store, "Zinnober"), [id]);
        assert.deepEqual([(await post(other))?.slug, (await post(id))?.slug.startsWith("same-")], ["same", true]);
        const listed = await store.posts.listOfAuthor(person.userId as Id, { status: "PUBLISHED", limit: 9 });
        assert.deepEqual(
          listed.map((one) => one.id),
          [other, newer, id, older],
        );
      }));

    test("A43 a post that is created again has the slug, excerpt and zone that people chose, and its public URL", () =>
      withAgent(open, async ({ store, person, agent, request, create, revert, post }) => {
        const at = "2999-01-01T00:00:00.000Z";
        const chosen = { slug: "chosen", excerpt: "By hand", publishAt: at, publishAtZone: "Europe/Berlin" };
        const draft = await create(person, { title: "Draft", status: "DRAFT", ...chosen });
        const renamed = await create(person, { title: "Public" });
        await updatePost(request(person, renamed), { title: "Renamed" }, render);
        await updatePost(request(agent("u"), draft), { title: "Vandalised" }, render);
        for (const id of [draft, renamed]) await deletePost(request(agent("d"), id));
        const scheduled = await create(person, { status: "DRAFT", ...chosen, slug: "scheduled" });
        await publishPost(request(agent("p"), scheduled));
        assert.equal((await revert()).reverted.length, 3);
        assert.deepEqual([(await post(draft))?.slug, (await post(renamed))?.slug], ["chosen", "public"]);
        const by = { userId: person.userId, clientId: null };
        for (const [id, slug] of [[draft, "chosen"] as const, [scheduled, "scheduled"] as const]) {
          await store.workingCopies.edit(id, by, () => ({ kind: "save", text: {}, baseVersion: 1 }));
          const { text } = (await store.workingCopies.find(id)) ?? assert.fail();
          assert.deepEqual([text?.slug, text?.excerpt], [slug, "By hand"]);
          const zone = { kind: "column", key: "zone", column: "publishAtZone" } as const;
          const read = store.prepareRead({
            ...{ kind: "post", id: { slot: 0 }, viewer: { slot: 1 } },
            selection: { type: "Post", fields: [zone] },
          });
          assert.deepEqual(JSON.parse(await read.run([id, ALL])), { zone: "Europe/Berlin" });
        }
      }));

    test("A43 what somebody else has changed since, or between, stays and is listed", () =>
      withAgent(open, async ({ person, agent, request, create, revert, post }) => {
        const [since, between, removed, archived] = [
          ...[await create(person), await create(person), await create(person), await create(person)],
        ];
        for (const id of [since, between, removed, archived])
          await updatePost(request(agent("u"), id as Id), { body: "Agent" }, render);
        await updatePost(request(person, since as Id), { title: "Mine" }, render);
        await updatePost(request(person, between as Id), { title: "Mine" }, render);
        await updatePost(request(agent("u"), between as Id), { body: "Agent again" }, render);
        await deletePost(request(person, removed as Id));
        await archivePost(request(agent("a"), archived as Id));
        const { reverted, left } = await revert();
        assert.deepEqual(reverted, [{ postId: archived, as: "restored" }]);
        assert.deepEqual(
          new Map(left.map(({ postId, reason }) => [postId, reason])),
          new Map([
            [between, "Somebody else has changed it between two changes by the agent."],
            [removed, "Somebody else has deleted it since."],
            [since, "Somebody else has changed it since."],
          ]),
        );
        assert.equal((await post(since as Id))?.body, "Agent");
        assert.equal((await post(archived as Id))?.status, "PUBLISHED");
      }));

    test("A43 publication that the agent has planned counts as the agent's, an earlier one by a person does not", () =>
      withAgent(open, async ({ store, person, agent, request, create, revert, post, clock }) => {
        const soon = at(clock() + 60_000);
        const [planned, early] = [await create(person, { status: "DRAFT" }), await create(person, { status: "DRAFT" })];
        for (const id of [planned, early]) await updatePost(request(agent("u"), id), { publishAt: soon }, render);
        await publishPost(request(person, early));
        while (clock() < Date.parse(soon)) await store.idempotency.sweep(1); // the clock goes on
        assert.equal(await publishDuePosts(store.posts, at(clock()), 10), 1);
        const { reverted, left } = await revert();
        assert.deepEqual(reverted, [{ postId: planned, as: "restored" }]);
        assert.deepEqual(
          left.map(({ postId }) => postId),
          [early],
        );
        assert.partialDeepStrictEqual(await post(planned), { status: "DRAFT", publishAt: null });
      }));

    test("A43 a window has a beginning, an end and a person; a limit leaves the rest for the next call", () =>
      withAgent(open, async ({ store, agent, create, revert, changes, author }) => {
        const { id: other } = await store.users.create(aPerson({ email: "grace@example.com" }));
        const ids = [];
        for (let i = 0; i < 4; i++) ids.push(await create(agent("c"), { title: `${i}` }));
        const times = (await changes()).reverse().map((change) => change.at);
        const posts = ({ reverted }: { reverted: readonly { postId: Id }[] }) => reverted.map(({ postId }) => postId);
        const dry = { isDryRun: true };
        assert.deepEqual(posts(await revert({ userId: other }, dry)), []);
        assert.deepEqual(
          posts(await revert({ userId: author, since: times[1] as string }, dry)),
          ids.slice(1).reverse(),
        );
        assert.deepEqual(posts(await revert({ since: times[1] as string, until: times[3] as string }, dry)), [
          ...[ids[2], ids[1]],
        ]);
        const some = await revert({}, { limit: 3 });
        assert.deepEqual([posts(some), some.isComplete], [ids.slice(1).reverse(), false]);
        assert.deepEqual(posts(await revert({}, { limit: 3 })), [ids[0]]);
      }));

    test("A43 of two who take back at the same time each post is taken back once", async () => {
      const [here, there] = await openTwo();
      try {
        const { id: author } = await here.users.create(aPerson());
        const [one, other] = [worldOf(here, author, Date.now), worldOf(there, author, Date.now)];
        for (let i = 0; i < 8; i++) {
          const id = await one.create(one.person, { title: `${i}` });
          if (i % 2 === 0) await deletePost(one.request(one.agent("d"), id));
          else await updatePost(one.request(one.agent("u"), id), { body: "Agent" }, render);
        }
        const results = await Promise.all([one.revert(), other.revert()]);
        assert.equal(results.flatMap(({ reverted }) => reverted).length, 8);
        const published = await here.posts.listOfAuthor(author, { status: "PUBLISHED", limit: 100 });
        assert.deepEqual(
          published.map(({ title, body, version }) => [title, body, version]).sort(),
          Array.from({ length: 8 }, (_, i) => [`${i}`, "Body", i % 2 === 0 ? 2 : 3]),
        );
      } finally {
        await Promise.all([here.close(), there.close()]);
      }
    });

    test("A43 the texts go with a post that its author deletes; those that an agent deleted stay, to come back", () =>
      withAgent(open, async ({ store, person, agent, request, create, revert, changes, post }) => {
        const [mine, other] = [await create(person), await create(person)];
        for (const id of [mine, other])
          await updatePost(request(agent("update_post"), id), { title: "New", body: "New" }, render);
        await deletePost(request(person, mine));
        await deletePost(request(agent("delete_post"), other));
        const kept = await Promise.all(
          (await changes()).map(async ({ id, postId, before }) => [
            ...[postId === mine ? "mine" : "other", before?.title, await store.agents.findBodyBefore(id)],
          ]),
        );
        assert.deepEqual(kept, [
          ["other", "New", "New"],
          ["other", "Title", "Body"],
          ["mine", null, null],
        ]);
        const { reverted, left } = await revert();
        assert.deepEqual([reverted.map(({ postId }) => postId), left.map(({ postId }) => postId)], [[other], [mine]]);
        assert.equal((await post(other))?.title, "Title");
      }));

    test("U72 the texts go with their author's account, and what is old goes after AUDIT_DAYS", () =>
      withAgent(open, async ({ store, person, agent, request, create, revert, changes, author, clock }) => {
        const { id: editor } = await store.users.create(aPerson({ email: "grace@example.com", role: "editor" }));
        const theirs = await create({ ...person, userId: editor });
        const mine = await create(person);
        await store.agents.noteUse({ userId: author, clientId: "agent-1", at: START });
        await store.agents.noteUse({ userId: editor, clientId: "agent-1", at: START });
        await deletePost(request({ ...agent("d"), role: "editor" }, theirs));
        await deletePost(request(agent("d"), mine));
        await store.deletions.ask(author, { deletesAt: START, posts: "keep" });
        assert.match((await revert({}, { limit: 1 })).left[0]?.reason ?? "", /no person with the id .* who stays/);
        await store.deletions.begin(author, at(clock()));
        await store.deletions.finish(author, at(clock()), null);
        assert.deepEqual(
          (await changes()).map(({ postId, userId }) => [postId, userId]),
          [[theirs, author]],
        );
        const agents = await store.agents.list({ writesSince: START, limit: 9 });
        assert.deepEqual(
          agents.map(({ userId }) => userId),
          [editor],
        );
        assert.equal(await store.agents.sweep(at(clock() + 1_000), 10), 1);
        assert.deepEqual([await changes(), await store.agents.list({ writesSince: START, limit: 9 })], [[], []]);
      }));

    test("A44 agents are listed with their people, last use and writes; a use is noted once a minute", () =>
      withAgent(open, async ({ store, agent, create, author }) => {
        await store.clients.create(aClient({ id: "agent-1", name: "Robot" }));
        let time = T;
        const door = openAdmission({ store, now: () => time });
        const viewer = { ...agent("t"), userId: author };
        await door.admit(viewer);
        time += 59_000;
        await door.admit(viewer);
        await door.admit({ ...viewer, userId: null, clientId: "robot" });
        const list = () => store.agents.list({ writesSince: START, limit: 9 });
        assert.equal((await list())[1]?.lastUsedAt, START);
        time += 2_000;
        await door.admit(viewer);
        await create(agent("t"));
        await create(agent("t"));
        const [itself, acting] = await list();
        const { id: _, ...facts } = acting ?? assert.fail();
        assert.deepEqual(facts, {
          ...{ clientId: "agent-1", clientName: "Robot", isStopped: false, userId: author, userName: "Ada Lovelace" },
          ...{ firstUsedAt: START, lastUsedAt: at(time), writes: 2 },
        });
        assert.partialDeepStrictEqual(itself, { clientId: "robot", clientName: null, userId: null, writes: 0 });
        // Another process noted it a moment ago.
        await store.agents.noteUse({ userId: author, clientId: "agent-1", at: at(time + 59_000) });
        assert.equal((await list())[1]?.lastUsedAt, at(time));
        door.close();
      }));

    test("A44 all agents are stopped on two nodes within 5 seconds, with their streams, and let in again", async () => {
      const [here, there] = await openTwo();
      const doors = [here, there].map((store) => openAdmission({ store, now: Date.now }));
      try {
        const { id } = await here.users.create(aPerson());
        const { agent, administration } = worldOf(here, id, Date.now);
        const admit = async (door: (typeof doors)[number]) => door.admit(agent("t"));
        await Promise.all(doors.map(admit));
        let ended = 0;
        for (const door of doors) door.onStop(() => ended++);
        const isRefused = (door: (typeof doors)[number]) =>
          admit(door).then(
            () => false,
            (error) => error.code === "UNAVAILABLE",
          );
        const until = async (isTrue: () => boolean | Promise<boolean>) => {
          const start = performance.now();
          while (!(await isTrue())) {
            assert.ok(performance.now() - start < 5_000, "5 seconds");
            await pause(20);
          }
        };
        await stopAllAgents(administration);
        assert.notEqual(await there.agents.stoppedAt(), null);
        for (const door of doors) await until(() => isRefused(door));
        await until(() => ended >= 2);
        await stopAllAgents(administration); // is stopped
        await resumeAgents(administration);
        for (const door of doors) await until(async () => !(await isRefused(door)));
      } finally {
        for (const door of doors) door.close();
        await Promise.all([here.close(), there.close()]);
      }
    });
  });
}
