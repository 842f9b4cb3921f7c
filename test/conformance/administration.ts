import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { auditEvent } from "../../src/domain/audit.ts";
import type { Id } from "../../src/domain/id.ts";
import type { AccountFilter, AccountPlace } from "../../src/domain/people/account-search.ts";
import type { Store } from "../../src/domain/store/store.ts";
import { aClient, anArtifact, aPerson, withStore } from "./samples.ts";
import type { OpenFresh } from "./store.ts";

const T = Date.parse("2026-01-31T12:00:00.000Z");
const NOBODY = "01a21efd-4214-7000-8474-a0573e6a4ee8" as Id;

/** Names of all people that a filter finds, walked in pages of two. */
async function walk({ users }: Store, filter: AccountFilter): Promise<string[]> {
  const names: string[] = [];
  for (let after: AccountPlace | undefined; ; ) {
    const page = await users.listAccounts(filter, after, 2);
    names.push(...page.map(({ user }) => user.name));
    after = page.at(-1)?.place;
    if (page.length < 2) return names;
  }
}

export function administrationConforms(open: OpenFresh): void {
  describe("what administrators ask for", () => {
    test("S65 people are found by the beginning of a name or an address, each once, in pages", () =>
      withStore(open, async (store) => {
        const people = [
          ["Ada Lovelace", "lovelace@example.com"],
          ["ADÈLE", "love@example.org"],
          ["Adele", "ada2@example.com"],
          ["Łukasz", "ŁUKASZ@bücher.example"],
          ["100%_of it", "percent@example.com"],
          ["Grace", "ada@example.net"],
          ["ada lovelace", "other@example.com"],
        ];
        for (const [name = "", email = ""] of people) await store.users.create(aPerson({ name, email }));
        const find = (search: string) => walk(store, { search });
        assert.deepEqual(await find("ada"), ["Ada Lovelace", "ada lovelace", "Adele", "Grace"]);
        assert.deepEqual(await find("ADA L"), ["Ada Lovelace", "ada lovelace"]);
        assert.deepEqual(await find("love"), ["ADÈLE", "Ada Lovelace"]);
        assert.deepEqual(await find("ade"), ["Adele"]);
        assert.deepEqual(await find("adE\u0300"), ["ADÈLE"], "composed or not");
        assert.deepEqual(await find("adè"), ["ADÈLE"]);
        assert.deepEqual(await find("łuk"), ["Łukasz"]);
        assert.deepEqual(await find("łukasz@bücher.example"), ["Łukasz"]);
        assert.deepEqual(await find("100%"), ["100%_of it"]);
        assert.deepEqual(await find("%"), []);
        assert.deepEqual(await find("_"), []);
        assert.deepEqual(await find("lovelace@example.com"), ["Ada Lovelace"]);
        assert.deepEqual(
          (await walk(store, {})).toReversed(),
          people.map(([name]) => name),
        );
      }));

    test("S65 a new name is found, and the old one is not: by its person and by a deletion", () =>
      withStore(open, async (store) => {
        const { id } = await store.users.create(aPerson({ name: "Before" }));
        await store.users.changeProfile(id, { name: "After" }, null);
        assert.deepEqual([await walk(store, { search: "bef" }), await walk(store, { search: "aft" })], [[], ["After"]]);
        await store.users.create(aPerson({ name: "Boss", email: "boss@example.com", role: "admin" }));
        await store.deletions.ask(id, { deletesAt: new Date(T).toISOString(), posts: "keep" });
        assert.deepEqual(await walk(store, { search: "aft" }), []);
        await store.deletions.undo(id);
        assert.deepEqual(await walk(store, { search: "aft" }), ["After"]);
      }));

    test("S65 people are filtered by role and by state, also where they are searched for", () =>
      withStore(open, async (store) => {
        const make = (name: string, role: "member" | "editor" | "admin" = "member") =>
          store.users.create(aPerson({ name, role, email: `${name}@example.com`.toLowerCase() }));
        const [, editor, disabled, leaving] = [
          await make("Aboss", "admin"),
          await make("Aeditor", "editor"),
          await make("Adisabled", "editor"),
          await make("Aleaving"),
        ];
        await store.users.update(disabled.id, { disabledAt: new Date(T).toISOString() });
        await store.deletions.ask(leaving.id, { deletesAt: new Date(T).toISOString(), posts: "keep" });
        const ids = async (filter: AccountFilter) =>
          (await store.users.listAccounts(filter, undefined, 10)).map(({ user }) => user.id);
        assert.deepEqual(await ids({ role: "editor" }), [disabled.id, editor.id]);
        assert.deepEqual(await ids({ role: "editor", state: "active" }), [editor.id]);
        assert.deepEqual(await ids({ role: "editor", state: "disabled", search: "a" }), [disabled.id]);
        assert.deepEqual(await ids({ role: "admin", state: "disabled" }), []);
        assert.deepEqual(await ids({ state: "deleting" }), [leaving.id]);
        assert.deepEqual(await ids({ state: "deleting", search: "aleaving@" }), [leaving.id]);
        assert.deepEqual(await ids({ state: "deleted" }), []);
        assert.deepEqual((await ids({ state: "active" })).length, 2);
      }));

    test("S90 names of people and clients are read for many ids at a time", () =>
      withStore(open, async ({ users, clients }) => {
        const { id } = await users.create(aPerson());
        await clients.create(aClient());
        assert.deepEqual(
          (await users.findAll([id, NOBODY])).map((user) => user.id),
          [id],
        );
        assert.deepEqual(await users.findAll([]), []);
        assert.deepEqual([...(await clients.namesOf(["client-1", "none"]))], [["client-1", "Example"]]);
        assert.deepEqual([...(await clients.namesOf([]))], []);
      }));

    test("S90 the audit is filtered by result, address, request and end, alone and together", () =>
      withStore(open, async ({ audit }) => {
        const act = (i: number, change: object) =>
          auditEvent(T + i, { event: "token", result: "ok", userId: "p", actorId: "a", ...change });
        const events = [
          act(0, {}),
          act(1, { result: "refused", address: "::1" }),
          act(2, { result: "refused", address: "10.0.0.1", requestId: "r" }),
          act(3, { event: "keys", result: "refused", requestId: "r", userId: null }),
        ];
        await audit.add(events);
        const list = async (filter: object) =>
          (await audit.list({ limit: 10, ...filter })).map(({ at }) => Date.parse(at) - T);
        assert.deepEqual(await list({ result: "refused" }), [3, 2, 1]);
        assert.deepEqual(await list({ result: "ok" }), [0]);
        assert.deepEqual(await list({ result: "reuse" }), []);
        assert.deepEqual(await list({ address: "::1" }), [1]);
        assert.deepEqual(await list({ requestId: "r" }), [3, 2]);
        assert.deepEqual(await list({ requestId: "r", event: "keys" }), [3]);
        assert.deepEqual(await list({ event: "token", result: "refused" }), [2, 1]);
        assert.deepEqual(await list({ event: "token", result: "ok" }), [0]);
        assert.deepEqual(await list({ userId: "p", result: "refused", address: "10.0.0.1" }), [2]);
        const until = new Date(T + 2).toISOString();
        assert.deepEqual(await list({ until }), [1, 0]);
        assert.deepEqual(await list({ until, since: new Date(T + 1).toISOString(), result: "refused" }), [1]);
        assert.deepEqual((await audit.list({ limit: 1 }))[0]?.actorId, "a");
      }));

    test("S66 artifacts of several people are read at a time, so many of each, the longest-lived first", () =>
      withStore(open, async ({ artifacts }) => {
        for (const [userId, count] of [
          ["a", 5],
          ["b", 1],
        ] as const)
          for (let i = 0; i < count; i++)
            await artifacts.put(
              anArtifact({ kind: "Session", idHash: `${userId}${i}`, userId, expiresAtSeconds: 1_000 + i }),
            );
        await artifacts.put(anArtifact({ kind: "AccessToken", idHash: "t", userId: "a" }));
        const read = async (ids: string[], limit: number) =>
          (await artifacts.listOfEach(ids, ["Session"], limit)).map(({ idHash }) => idHash);
        assert.deepEqual(await read(["a", "b", "c"], 2), ["a4", "a3", "b0"]);
        assert.deepEqual(await read(["b"], 2), ["b0"]);
        assert.deepEqual(await read([], 2), []);
        assert.equal(
          (
            await read(
              Array.from({ length: 100 }, () => "b"),
              1,
            )
          ).length,
          100,
        );
      }));

    test("S92 the database says how large it is, and which schema it has", () =>
      withStore(open, async (store) => {
        const { bytes, schema, processes, replica } = await store.facts();
        assert.ok(bytes > 10_000, String(bytes));
        assert.ok(schema.current === schema.known && schema.known >= 40);
        assert.ok(processes === null || processes >= 1);
        assert.equal(replica, null);
      }));
  });
}
