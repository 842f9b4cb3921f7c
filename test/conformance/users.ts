import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AppError } from "../../src/domain/errors.ts";
import { type Id, parseId } from "../../src/domain/id.ts";
import { aPerson, HARD_TEXTS, hasCode, withStore } from "./samples.ts";
import type { OpenFresh } from "./store.ts";

/** What a new person has beside what was given. */
const FRESH = {
  disabledAt: null,
  credentialVersion: 0,
  secondStep: false,
  localSignIn: false,
  deletesAt: null,
  deletedAt: null,
} as const;

export function usersConform(open: OpenFresh): void {
  describe("users", () => {
    test("create gives the person back, find and findByEmail find the same", () =>
      withStore(
        open,
        async (store) => {
          const given = aPerson({ role: "editor", passwordHash: "$argon2id$x", emailVerified: false });
          const user = await store.users.create(given);
          const expected = { ...given, id: user.id, createdAt: "2026-01-31T12:00:00.007Z", ...FRESH };
          assert.notEqual(parseId(user.id), null);
          assert.deepEqual(user, expected);
          assert.deepEqual(await store.users.find(user.id), expected);
          assert.deepEqual(await store.users.findByEmail("ADA@example.COM"), expected);
          assert.equal(await store.users.find("no such id" as Id), null);
          assert.equal(await store.users.findByEmail("other@example.com"), null);
        },
        () => Date.parse("2026-01-31T12:00:00.007Z"),
      ));

    test("an address is taken whatever its case and normal form: CONFLICT with field email", () =>
      withStore(open, async (store) => {
        await store.users.create(aPerson({ email: "J\u00f6rg@Example.com" }));
        for (const email of ["j\u00d6rg@example.com", "jo\u0308rg@example.com", "JO\u0308RG@EXAMPLE.COM"]) {
          await assert.rejects(store.users.create(aPerson({ email })), hasCode("CONFLICT", "email"));
        }
        assert.equal((await store.users.list()).length, 1);
      }));

    test("one of twenty parallel creations with one address wins", () =>
      withStore(open, async (store) => {
        const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => store.users.create(aPerson())));
        assert.equal(outcomes.filter((outcome) => outcome.status === "fulfilled").length, 1);
        for (const outcome of outcomes) {
          if (outcome.status === "rejected") assert.ok(hasCode("CONFLICT", "email")(outcome.reason));
        }
      }));

    test("one of twenty parallel createFirst wins, and none does where there is somebody", () =>
      withStore(open, async (store) => {
        const attempts = Array.from({ length: 20 }, (_, i) =>
          store.users.createFirst(aPerson({ email: `p${i}@example.com`, role: "admin" })),
        );
        const outcomes = await Promise.allSettled(attempts);
        assert.equal(outcomes.filter((outcome) => outcome.status === "fulfilled").length, 1);
        assert.equal((await store.users.list()).length, 1);
        await assert.rejects(store.users.createFirst(aPerson({ email: "late@example.com" })), hasCode("CONFLICT"));
      }));

    test("isEmpty and list, oldest first", () =>
      withStore(open, async (store) => {
        assert.equal(await store.users.isEmpty(), true);
        assert.deepEqual(await store.users.list(), []);
        const created = [];
        for (const name of ["c", "a", "b"]) {
          created.push(await store.users.create(aPerson({ name, email: `${name}@example.com` })));
        }
        assert.equal(await store.users.isEmpty(), false);
        assert.deepEqual(await store.users.list(), created);
        const newest = created.toReversed();
        assert.deepEqual(await store.users.listNewest(undefined, 2), newest.slice(0, 2));
        assert.deepEqual(await store.users.listNewest(newest[1]?.id, 2), newest.slice(2));
      }));

    test("update changes what is given and nothing else", () =>
      withStore(open, async (store) => {
        await store.users.create(aPerson({ email: "root@example.com", role: "admin" }));
        const user = await store.users.create(aPerson());
        const disabledAt = "2026-01-31T12:00:00.000Z";
        assert.deepEqual(await store.users.update(user.id, { role: "admin" }), { ...user, role: "admin" });
        await store.users.update(user.id, { passwordHash: "$argon2id$y", disabledAt });
        const changed = { ...user, role: "admin", passwordHash: "$argon2id$y", disabledAt, credentialVersion: 1 };
        assert.deepEqual(await store.users.find(user.id), changed);
        assert.deepEqual(await store.users.update(user.id, {}), changed);
        assert.deepEqual(await store.users.update(user.id, { disabledAt: null }), {
          ...changed,
          disabledAt: null,
          credentialVersion: 2,
        });
        await assert.rejects(store.users.update("nobody" as Id, { role: "admin" }), hasCode("NOT_FOUND"));
        await assert.rejects(store.users.update("nobody" as Id, {}), hasCode("NOT_FOUND"));
      }));

    test("R12 P57 of two new passwords that are made for the same credentials one is set", () =>
      withStore(open, async ({ users }) => {
        const { id, credentialVersion } = await users.create(aPerson());
        const reset = await users.update(id, { passwordHash: "reset", credentialVersion });
        await assert.rejects(users.update(id, { passwordHash: "late", credentialVersion }), hasCode("NOT_FOUND"));
        assert.deepEqual(await users.find(id), reset);
      }));

    test("an administrator is left, also when all of them end each other at the same time", () =>
      withStore(open, async (store) => {
        const disabledAt = "2026-01-31T12:00:00.000Z";
        const admins = [];
        for (let i = 0; i < 4; i++)
          admins.push(await store.users.create(aPerson({ email: `admin${i}@example.com`, role: "admin" })));
        const ends = admins.map(({ id }, i) =>
          store.users.update(id, i % 2 === 0 ? { role: "editor" } : { disabledAt }),
        );
        const results = await Promise.allSettled(ends);
        const refused = results.filter((result) => result.status === "rejected");
        assert.equal(refused.length, 1);
        assert.ok(refused[0]?.reason instanceof AppError && refused[0].reason.code === "CONFLICT");
        const left = (await store.users.list()).filter((user) => user.role === "admin" && user.disabledAt === null);
        assert.equal(left.length, 1);
        const [last] = left;
        assert.ok(last);
        assert.equal((await store.users.update(last.id, { role: "admin" })).role, "admin");
        await store.users.create(aPerson({ email: "other@example.com", role: "admin" }));
        assert.equal((await store.users.update(last.id, { role: "member" })).role, "member");
      }));

    test("I10 names and addresses come back byte for byte", () =>
      withStore(open, async (store) => {
        for (const [i, text] of HARD_TEXTS.entries()) {
          const email = `${i}${text}@example.com`;
          const { id } = await store.users.create(aPerson({ name: text, email }));
          const found = await store.users.find(id);
          assert.equal(found?.name, text);
          assert.equal(found?.email, email);
          assert.equal((await store.users.findByEmail(email))?.id, id);
        }
        assert.equal((await store.users.list()).length, HARD_TEXTS.length);
      }));
  });
}
