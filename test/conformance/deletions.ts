import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { AppError } from "../../src/domain/errors.ts";
import type { Id } from "../../src/domain/id.ts";
import type { FarewellMail } from "../../src/domain/people/deletion.ts";
import type { Store } from "../../src/domain/store/store.ts";
import { aClient, anAccountToken, anArtifact, aPerson, hasCode, withStore } from "./samples.ts";
import type { OpenFresh, OpenTwo } from "./store.ts";

const NOW = Date.parse("2026-01-31T12:00:00.000Z");
const AT = new Date(NOW).toISOString();
const LATER = new Date(NOW + 7 * 86_400_000).toISOString();
const SOONER = new Date(NOW + 6 * 86_400_000).toISOString();
const FAREWELL: FarewellMail = {
  kind: "deletion-done",
  language: "en",
  params: {},
  expiresAt: "2030-01-01T00:00:00.000Z",
};
const asked = { deletesAt: LATER, posts: "keep" } as const;

export function deletionsConform(open: OpenFresh, openTwo: OpenTwo): void {
  describe("deletion of accounts", () => {
    test("U72 asking for it hides the name, ends everything that stands open, and tells it", () =>
      fresh(open, async (store) => {
        const ada = await store.users.create(aPerson({ passwordHash: "$argon2id$x" }));
        await openEverything(store, ada.id);
        const before = await store.outbox.last();
        const user = await store.deletions.ask(ada.id, { deletesAt: LATER, posts: "delete" });
        assert.deepEqual(user, { ...ada, name: "Former member", deletesAt: LATER, credentialVersion: 1 });
        assert.deepEqual(await store.users.find(ada.id), user);
        assert.deepEqual(await store.users.findByEmail("ada@example.com"), user, "the address stays taken");
        assert.equal(await store.artifacts.find("Session", "session"), null);
        assert.equal(await store.artifacts.findAccessToken("token", 1), null);
        assert.notEqual((await store.accountTokens.find("recovery"))?.voidedAtSeconds, null);
        assert.equal(await store.accountTokens.resetPassword("recovery", "$argon2id$y", NOW / 1_000), null);
        assert.notEqual((await store.invitations.list(undefined, 9))[0]?.withdrawnAt, null);
        const events = await store.outbox.list(before, 9);
        assert.deepEqual(
          events.map(({ type, data }) => [type, JSON.parse(data)]),
          [["user.updated", { id: ada.id, name: "Former member", updatedAt: AT, version: 2 }]],
        );
        await assert.rejects(store.deletions.ask(ada.id, asked), hasCode("CONFLICT"));
        await assert.rejects(store.users.changeProfile(ada.id, { name: "Ada" }, null), hasCode("NOT_FOUND"));
        await assert.rejects(store.deletions.ask("nobody" as Id, asked), hasCode("NOT_FOUND"));
      }));

    test("P50 a token that was written while it was asked for opens nothing", () =>
      fresh(open, async (store) => {
        const { id } = await store.users.create(aPerson());
        await store.clients.put(aClient());
        const token = anArtifact({ idHash: "late", userId: id, clientId: "client-1", scope: "posts:read" });
        await store.artifacts.put(token);
        assert.equal((await store.artifacts.findAccessToken("late", 1))?.userId, id);
        await store.deletions.ask(id, asked);
        await store.artifacts.put(token);
        assert.equal(await store.artifacts.findAccessToken("late", 1), null);
        await goodbye(store, id);
        await store.artifacts.put(token);
        assert.equal(await store.artifacts.findAccessToken("late", 1), null);
      }));

    test("U72 keeping it brings the name back, until deletion has begun", () =>
      fresh(open, async (store) => {
        const ada = await store.users.create(aPerson());
        await store.accountStates.note(ada.id, { mailState: "failing" });
        await assert.rejects(store.deletions.undo(ada.id), hasCode("CONFLICT"));
        await store.deletions.ask(ada.id, asked);
        const before = await store.outbox.last();
        assert.deepEqual(await store.deletions.undo(ada.id), { ...ada, credentialVersion: 2 });
        assert.deepEqual(await store.users.find(ada.id), { ...ada, credentialVersion: 2 });
        const [event] = await store.outbox.list(before, 9);
        assert.deepEqual(JSON.parse(event?.data ?? ""), { id: ada.id, name: ada.name, updatedAt: AT, version: 3 });
        assert.equal((await store.accountStates.find(ada.id)).mailState, "failing");
        await assert.rejects(store.deletions.undo(ada.id), hasCode("CONFLICT"));
        assert.deepEqual(await store.deletions.listDue(LATER, 9), []);
        await store.deletions.ask(ada.id, { deletesAt: LATER, posts: "delete" });
        assert.equal(await store.deletions.begin(ada.id, SOONER), false, "not yet");
        assert.equal(await store.deletions.begin(ada.id, LATER), true);
        await assert.rejects(store.deletions.undo(ada.id), hasCode("CONFLICT"));
        assert.equal(await store.deletions.begin(ada.id, LATER), true, "another process goes on with it");
        await assert.rejects(store.deletions.undo("nobody" as Id), hasCode("NOT_FOUND"));
      }));

    test("U72 P50 nothing is left of the person but the id, and the address is free for somebody else", () =>
      fresh(open, async (store) => {
        const ada = await store.users.create(aPerson({ role: "editor", passwordHash: "$argon2id$x" }));
        await openEverything(store, ada.id);
        await store.mails.add({ ...FAREWELL, kind: "new-browser", userId: ada.id, address: ada.email });
        const post = await store.posts.create({ authorId: ada.id, title: "Stays", body: "" });
        await store.invitations.create({ ...invitation, email: "bob@example.com", invitedBy: ada.id });
        await store.deletions.ask(ada.id, asked);
        assert.deepEqual(await store.deletions.listDue(SOONER, 9), []);
        assert.deepEqual(await store.deletions.listDue(LATER, 9), [{ id: ada.id, posts: "keep" }]);
        assert.equal(await store.deletions.finish(ada.id, LATER, FAREWELL), false, "it has not begun");
        await store.deletions.begin(ada.id, LATER);
        assert.equal(await store.deletions.finish(ada.id, SOONER, FAREWELL), false, "not yet");
        await store.deletions.begin(ada.id, LATER);
        const before = await store.outbox.last();
        assert.equal(await store.deletions.finish(ada.id, LATER, FAREWELL), true);
        assert.deepEqual(await store.users.find(ada.id), {
          ...ada,
          name: "Former member",
          email: "",
          emailVerified: false,
          role: "member",
          passwordHash: null,
          deletedAt: LATER,
          credentialVersion: 2,
        });
        const [event] = await store.outbox.list(before, 9);
        assert.deepEqual([event?.type, event?.subjectId, event?.data], ["user.deleted", ada.id, `{"id":"${ada.id}"}`]);
        assert.equal(await store.accountTokens.find("recovery"), null);
        assert.deepEqual(
          (await store.mails.list({ limit: 9 })).map(({ kind, address, userId }) => [kind, address, userId]),
          [["deletion-done", "ada@example.com", null]],
        );
        const events = await store.outbox.list(null, 99);
        assert.doesNotMatch(JSON.stringify(events), /Ada|ada@/, "the name is gone from the events too");
        assert.deepEqual(await store.deletions.listDue(LATER, 9), []);
        assert.equal(await store.deletions.begin(ada.id, LATER), false);
        assert.equal(await store.users.findByEmail("ada@example.com"), null);
        assert.equal(await store.users.findByEmail(""), null);
        assert.equal(await store.users.findByEmail(`deleted:${ada.id}`), null);
        await assert.rejects(store.users.update(ada.id, { role: "admin" }), hasCode("NOT_FOUND"));
        await assert.rejects(store.users.changeProfile(ada.id, { name: "Ada" }, null), hasCode("NOT_FOUND"));
        await assert.rejects(store.deletions.ask(ada.id, asked), hasCode("NOT_FOUND"));
        await assert.rejects(store.deletions.undo(ada.id), hasCode("NOT_FOUND"));
        const anew = await store.users.create(aPerson());
        assert.notEqual(anew.id, ada.id);
        const found = (await store.posts.listOfAuthor(ada.id, { status: "PUBLISHED", limit: 9 })).map(({ id }) => id);
        assert.deepEqual(found, [post]);
        assert.deepEqual(await store.posts.listIdsOfAuthor(anew.id, 9), []);
      }));

    test("no farewell goes to an address that was never proved", () =>
      fresh(open, async (store) => {
        const { id } = await store.users.create(aPerson({ emailVerified: false }));
        await store.deletions.ask(id, asked);
        await store.deletions.begin(id, LATER);
        await store.deletions.finish(id, LATER, FAREWELL);
        assert.deepEqual(await store.mails.list({ limit: 9 }), []);
      }));

    test("P49 an administrator is left, also when all of them leave, or end each other, at the same time on two nodes", async () => {
      const two = await openTwo();
      try {
        const [here, there] = two;
        const admins = [];
        for (let i = 0; i < 6; i++)
          admins.push(await here.users.create(aPerson({ email: `admin${i}@example.com`, role: "admin" })));
        const results = await Promise.allSettled(
          admins.map(({ id }, i) => {
            const { deletions, users } = i % 2 === 0 ? here : there;
            if (i % 3 === 0) return users.update(id, { role: "editor" });
            return i % 3 === 1 ? users.update(id, { disabledAt: AT }) : deletions.ask(id, asked);
          }),
        );
        const refused = results.filter((result) => result.status === "rejected");
        assert.equal(refused.length, 1);
        assert.ok(refused[0]?.reason instanceof AppError && refused[0].reason.code === "CONFLICT");
        const left = (await there.users.list()).filter(
          ({ role, disabledAt, deletesAt }) => role === "admin" && disabledAt === null && deletesAt === null,
        );
        assert.equal(left.length, 1);
        await assert.rejects(there.deletions.ask(left[0]?.id as Id, asked), hasCode("CONFLICT"));
        assert.deepEqual(await here.users.find(left[0]?.id as Id), left[0], "a refusal changes nothing");
      } finally {
        await Promise.all(two.map((store) => store.close()));
      }
    });

    test("U75 of many that ask, keep or finish on two nodes, one does it", async () => {
      const two = await openTwo();
      const [here] = two;
      const many = (act: (store: Store) => Promise<unknown>) =>
        Promise.allSettled(Array.from({ length: 20 }, (_, i) => act(two[i % 2] as Store)));
      const count = (results: readonly PromiseSettledResult<unknown>[]) =>
        results.filter((result) => result.status === "fulfilled" && result.value !== false).length;
      try {
        const { id } = await here.users.create(aPerson());
        assert.equal(count(await many(({ deletions }) => deletions.ask(id, asked))), 1);
        assert.equal(count(await many(({ deletions }) => deletions.undo(id))), 1);
        assert.equal((await here.users.find(id))?.name, "Ada Lovelace");
        await here.deletions.ask(id, asked);
        await here.deletions.begin(id, LATER);
        assert.equal(count(await many(({ deletions }) => deletions.finish(id, LATER, FAREWELL))), 1);
        assert.equal((await here.mails.list({ limit: 9 })).length, 1);
        const deleted = (await here.outbox.list(null, 99)).filter(({ type }) => type === "user.deleted");
        assert.equal(deleted.length, 1);
      } finally {
        await Promise.all(two.map((store) => store.close()));
      }
    });

    test("U73 posts of one author come page by page, and their ids until none is left", () =>
      fresh(open, async (store) => {
        const { id: authorId } = await store.users.create(aPerson());
        const other = await store.users.create(aPerson({ email: "eve@example.com" }));
        await store.posts.create({ authorId: other.id, title: "Eve's", body: "" });
        const drafts = [];
        for (const title of ["a", "b", "c"])
          drafts.push(await store.posts.create({ authorId, title, body: `*${title}*`, status: "DRAFT" }));
        const published = await store.posts.create({ authorId, title: "d", body: "" });
        const archived = await store.posts.create({ authorId, title: "e", body: "" });
        await store.posts.edit(archived, () => ({ event: "post.archived", status: "ARCHIVED" }));
        const first = await store.posts.listOfAuthor(authorId, { status: "DRAFT", limit: 2 });
        const after = first.at(-1);
        assert.ok(after);
        const rest = await store.posts.listOfAuthor(authorId, { status: "DRAFT", after, limit: 2 });
        assert.deepEqual(
          [...first, ...rest].map(({ id }) => id),
          drafts.toReversed(),
        );
        const { createdAt, updatedAt, ...whole } = rest[0] ?? after;
        assert.equal(createdAt, updatedAt);
        assert.deepEqual(whole, {
          id: drafts[0],
          title: "a",
          body: "*a*",
          slug: drafts[0],
          status: "DRAFT",
          publishedAt: null,
          publishAt: null,
          version: 1,
        });
        const ids = new Set<Id>();
        for (let found = await store.posts.listIdsOfAuthor(authorId, 2); found.length > 0; ) {
          assert.ok(found.length <= 2);
          for (const id of found) {
            ids.add(id);
            await store.posts.edit(id, () => ({ event: "post.deleted" }));
          }
          found = await store.posts.listIdsOfAuthor(authorId, 2);
        }
        assert.deepEqual([...ids].sort(), [...drafts, published, archived].sort());
      }));
  });

  describe("events about people", () => {
    test("U74 every way to create a person writes user.created, with the person", () =>
      fresh(open, async (store) => {
        const first = await store.users.createFirst(aPerson({ email: "first@example.com", role: "admin" }));
        const second = await store.users.create(aPerson({ email: "second@example.com" }));
        await store.accountTokens.put(anAccountToken({ ...TIMES, hash: "sign-up", email: "third@example.com" }));
        const third = await store.accountTokens.createPerson("sign-up", { ...aPerson(), role: "member" }, NOW / 1_000);
        await assert.rejects(
          store.users.create(aPerson({ email: "second@example.com" })),
          hasCode("CONFLICT", "email"),
        );
        const events = await store.outbox.list(null, 9);
        assert.deepEqual(
          events.map(({ type, subjectId, occurredAt, data }) => [type, subjectId, occurredAt, JSON.parse(data)]),
          [first, second, third].map((user) => {
            assert.ok(user);
            const { id, name, createdAt } = user;
            return ["user.created", id, createdAt, { id, name, createdAt }];
          }),
        );
      }));

    test("U74 user.email-changed has the id alone, when an address changes and when it comes back", () =>
      fresh(open, async (store) => {
        const { id } = await store.users.create(aPerson());
        const before = await store.outbox.last();
        const about = anAccountToken({ ...TIMES, userId: id, email: "new@example.com", credentialVersion: 0 });
        await store.accountTokens.put({ ...about, hash: "change", purpose: "email-change" });
        await store.accountTokens.put({
          ...about,
          ...{ hash: "undo", purpose: "email-undo", email: "ada@example.com", credentialVersion: null },
        });
        assert.equal((await store.accountTokens.changeEmail("change", id, NOW / 1_000))?.email, "new@example.com");
        assert.equal(await store.accountTokens.changeEmail("change", id, NOW / 1_000), null);
        assert.equal((await store.accountTokens.undoEmail("undo", NOW / 1_000))?.email, "ada@example.com");
        assert.deepEqual(
          (await store.outbox.list(before, 9)).map(({ type, subjectId, data }) => [type, subjectId, data]),
          Array.from({ length: 2 }, () => ["user.email-changed", id, `{"id":"${id}"}`]),
        );
      }));

    test("U74 people who are created on two nodes at the same time each have their event, and no reader misses one", async () => {
      const two = await openTwo();
      const [here, there] = two;
      try {
        let isOver = false;
        const seen: string[] = [];
        const reading = (async () => {
          for (let last: Id | null = null, wasOver = false; !wasOver; ) {
            wasOver = isOver;
            const events = await there.outbox.list(last, 7);
            seen.push(...events.map(({ subjectId }) => subjectId));
            last = events.at(-1)?.id ?? last;
            if (events.length > 0) wasOver = false;
            await pause(1);
          }
        })();
        const people = await Promise.all(
          Array.from({ length: 40 }, (_, i) =>
            (i % 2 === 0 ? here : there).users.create(aPerson({ email: `p${i}@example.com` })),
          ),
        );
        isOver = true;
        await reading;
        assert.deepEqual(seen.toSorted(), people.map(({ id }) => id as string).sort());
      } finally {
        await Promise.all(two.map((store) => store.close()));
      }
    });
  });
}

const TIMES = { createdAtSeconds: NOW / 1_000, expiresAtSeconds: NOW / 1_000 + 3_600 };

const invitation = { email: "guest@example.com", role: "member", expiresAt: LATER } as const;

function fresh(open: OpenFresh, work: (store: Store) => Promise<void>): Promise<void> {
  return withStore(open, work, () => NOW);
}

/** A session, a token, a link and an invitation of the person. */
async function openEverything(store: Store, id: Id): Promise<void> {
  await store.clients.put(aClient());
  await store.artifacts.put(anArtifact({ kind: "Session", idHash: "session", userId: id }));
  await store.artifacts.put(anArtifact({ idHash: "token", userId: id, clientId: "client-1", scope: "posts:read" }));
  assert.notEqual(await store.artifacts.findAccessToken("token", 1), null);
  const link = anAccountToken({ ...TIMES, hash: "recovery", purpose: "recovery" });
  await store.accountTokens.put({ ...link, userId: id, credentialVersion: 0 });
  await store.invitations.create({ ...invitation, invitedBy: id });
}

async function goodbye(store: Store, id: Id): Promise<void> {
  assert.equal(await store.deletions.begin(id, LATER), true);
  assert.equal(await store.deletions.finish(id, LATER, null), true);
}
