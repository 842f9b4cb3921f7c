import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Id } from "../../src/domain/id.ts";
import { MOST_UPSTREAM_IDENTITIES, type NewUpstreamIdentity } from "../../src/domain/people/upstream-identity.ts";
import type { User } from "../../src/domain/people/user.ts";
import type { Store } from "../../src/domain/store/store.ts";
import { anAccountToken, aPasskey, aPerson, hasCode, withStore, withTwo } from "./samples.ts";
import type { OpenFresh, OpenTwo } from "./store.ts";

const NOW = Date.parse("2026-01-31T12:00:00.000Z");
const at = (seconds: number) => new Date(NOW + seconds * 1_000).toISOString();
const RP_ID = "example.com";
const ONLY_WAY = /^This is your only way to sign in\. Add another first\.$/;

function anIdentity(userId: Id, change: Partial<NewUpstreamIdentity> = {}): NewUpstreamIdentity {
  return { provider: "acme", subject: "Ada-1", userId, emailAtLink: "ada@acme.example", linkedAt: at(0), ...change };
}

export function upstreamIdentitiesConform(open: OpenFresh, openTwo: OpenTwo): void {
  const fresh = (work: (store: Store) => Promise<void>) => withStore(open, work, () => NOW);

  describe("links to accounts at other services", () => {
    test("R3 a link is found by provider and subject, byte by byte", () =>
      fresh(async ({ users, upstreamIdentities }) => {
        const { id } = await users.create(aPerson());
        const subjects = ["Ada-1", "ada-1", "ADA-1", "Ada-1 ", "Ä", "A\u0308", "ss", "ß"];
        for (const subject of subjects)
          assert.equal(await upstreamIdentities.link(anIdentity(id, { subject }), 0), true, subject);
        assert.equal(await upstreamIdentities.link(anIdentity(id, { provider: "other" }), 0), true);
        for (const subject of subjects)
          assert.equal((await upstreamIdentities.find("acme", subject))?.subject, subject, subject);
        for (const [provider, subject] of [
          ["acme", "aDA-1"],
          ["ACME", "Ada-1"],
          ["acme", ""],
          ["ada@acme.example", "Ada-1"],
        ] as const)
          assert.equal(await upstreamIdentities.find(provider, subject), null);
        assert.deepEqual(await upstreamIdentities.find("acme", "ada-1"), {
          ...anIdentity(id, { subject: "ada-1" }),
          usedAt: null,
        });
        assert.equal((await upstreamIdentities.listOf(id)).length, subjects.length + 1);
      }));

    test("P40 one that is another person's stays theirs, and one's own is linked once", () =>
      fresh(async ({ users, upstreamIdentities }) => {
        const { id } = await users.create(aPerson());
        const bob = await users.create(aPerson({ email: "bob@example.com" }));
        assert.equal(await upstreamIdentities.link(anIdentity(id), 0), true);
        assert.equal(await upstreamIdentities.link(anIdentity(id, { linkedAt: at(9), emailAtLink: null }), 0), false);
        await assert.rejects(upstreamIdentities.link(anIdentity(bob.id), 0), hasCode("CONFLICT"));
        assert.deepEqual(await upstreamIdentities.listOf(id), [{ ...anIdentity(id), usedAt: null }]);
        assert.deepEqual(await upstreamIdentities.listOf(bob.id), []);
      }));

    test("they are listed oldest first, and each notes its uses", () =>
      fresh(async ({ users, upstreamIdentities }) => {
        const { id } = await users.create(aPerson());
        await upstreamIdentities.link(anIdentity(id, { subject: "b", linkedAt: at(2), emailAtLink: null }), 0);
        await upstreamIdentities.link(anIdentity(id, { subject: "a", linkedAt: at(3) }), 0);
        await upstreamIdentities.link(anIdentity(id, { provider: "z", subject: "c", linkedAt: at(1) }), 0);
        assert.equal(await upstreamIdentities.use("acme", "a", at(5)), true);
        assert.equal(await upstreamIdentities.use("acme", "A", at(5)), false);
        assert.deepEqual(
          (await upstreamIdentities.listOf(id)).map(({ subject, usedAt }) => [subject, usedAt]),
          [
            ["c", null],
            ["b", null],
            ["a", at(5)],
          ],
        );
      }));

    test("a person who is not active, or whose credentials have changed meanwhile, gets none", () =>
      fresh(async ({ users, deletions, upstreamIdentities }) => {
        const { id } = await users.create(aPerson());
        await users.update(id, { passwordHash: "$argon2id$x" });
        await assert.rejects(upstreamIdentities.link(anIdentity(id), 0), hasCode("CONFLICT"));
        await upstreamIdentities.link(anIdentity(id), 1);
        await users.update(id, { disabledAt: at(0) });
        await assert.rejects(upstreamIdentities.link(anIdentity(id, { subject: "b" }), 2), hasCode("NOT_FOUND"));
        await users.update(id, { disabledAt: null });
        await deletions.ask(id, { deletesAt: at(9), posts: "keep" });
        await assert.rejects(upstreamIdentities.link(anIdentity(id, { subject: "b" }), 4), hasCode("NOT_FOUND"));
        await assert.rejects(upstreamIdentities.link(anIdentity("nobody" as Id), 0), hasCode("NOT_FOUND"));
        const unproved = await users.create(aPerson({ email: "bob@example.com", emailVerified: false }));
        await assert.rejects(
          upstreamIdentities.link(anIdentity(unproved.id, { subject: "b" }), 0),
          hasCode("NOT_FOUND"),
        );
        assert.equal((await upstreamIdentities.listOf(id)).length, 1);
      }));

    test("U29 the only way in is not removed, and another person's link is not found", () =>
      fresh(async ({ users, upstreamIdentities }) => {
        const { id } = await users.create(aPerson());
        const bob = await users.create(aPerson({ email: "bob@example.com", passwordHash: "$argon2id$x" }));
        await upstreamIdentities.link(anIdentity(id), 0);
        await upstreamIdentities.link(anIdentity(bob.id, { subject: "Bob" }), 0);
        assert.equal(await upstreamIdentities.unlink(id, "acme", "Bob", RP_ID), false);
        assert.equal(await upstreamIdentities.unlink(id, "acme", "ada-1", RP_ID), false);
        await assert.rejects(upstreamIdentities.unlink(id, "acme", "Ada-1", RP_ID), {
          code: "CONFLICT",
          message: ONLY_WAY,
        });
        assert.notEqual(await upstreamIdentities.find("acme", "Ada-1"), null, "it stays");
        await upstreamIdentities.link(anIdentity(id, { provider: "other" }), 0);
        assert.equal(await upstreamIdentities.unlink(id, "acme", "Ada-1", RP_ID), true, "another link is left");
        await assert.rejects(upstreamIdentities.unlink(id, "other", "Ada-1", RP_ID), {
          code: "CONFLICT",
          message: ONLY_WAY,
        });
        assert.equal(await upstreamIdentities.unlink(bob.id, "acme", "Bob", RP_ID), true, "a password is left");
        assert.equal(await upstreamIdentities.unlink(bob.id, "acme", "Bob", RP_ID), false);
      }));

    test("U29 a passkey that can be used is a way in, and a link is one where a passkey is removed", () =>
      fresh(async ({ users, passkeys, upstreamIdentities }) => {
        const { id: userId } = await users.create(aPerson());
        await upstreamIdentities.link(anIdentity(userId), 0);
        await passkeys.create(aPasskey({ userId, credentialId: "elsewhere", rpId: "other.example" }), 0);
        await assert.rejects(upstreamIdentities.unlink(userId, "acme", "Ada-1", RP_ID), hasCode("CONFLICT"));
        await passkeys.create(aPasskey({ userId, credentialId: "c1" }), 0);
        assert.equal(await passkeys.remove(userId, "c1", RP_ID), true, "the link is left");
        await passkeys.create(aPasskey({ userId, credentialId: "c2" }), 0);
        assert.equal(await upstreamIdentities.unlink(userId, "acme", "Ada-1", RP_ID), true, "the passkey is left");
        await assert.rejects(passkeys.remove(userId, "c2", RP_ID), hasCode("CONFLICT"));
      }));

    test("U29 U75 a link and a passkey removed at once on two nodes: one is left", () =>
      withTwo(openTwo, async ([here, there]) => {
        for (let i = 0; i < 10; i++) {
          const { id: userId } = await here.users.create(aPerson({ email: `p${i}@example.com` }));
          const credentialId = `c${i}`;
          await here.upstreamIdentities.link(anIdentity(userId, { subject: credentialId }), 0);
          await here.passkeys.create(aPasskey({ userId, credentialId }), 0);
          const results = await Promise.allSettled([
            here.upstreamIdentities.unlink(userId, "acme", credentialId, RP_ID),
            there.passkeys.remove(userId, credentialId, RP_ID),
          ]);
          assert.equal(results.filter(({ status }) => status === "fulfilled").length, 1);
        }
      }));

    test("U64 a new person and the link come together, or neither of them", () =>
      fresh(async ({ users, outbox, upstreamIdentities }) => {
        const { userId: _userId, ...identity } = anIdentity("" as Id);
        const ada = await upstreamIdentities.createPerson(aPerson(), identity);
        assert.deepEqual(await users.find(ada.id), ada);
        assert.deepEqual(await upstreamIdentities.find("acme", "Ada-1"), { ...anIdentity(ada.id), usedAt: null });
        const bob = aPerson({ email: "bob@example.com" });
        await assert.rejects(upstreamIdentities.createPerson(bob, identity), hasCode("CONFLICT"));
        assert.equal(await users.findByEmail("bob@example.com"), null);
        const other = { ...identity, subject: "other" };
        await assert.rejects(
          upstreamIdentities.createPerson(aPerson({ email: "ADA@example.com" }), other),
          hasCode("CONFLICT", "email"),
        );
        assert.equal(await upstreamIdentities.find("acme", "other"), null);
        assert.equal((await outbox.list(null, 9)).length, 1);
      }));

    test("U75 of many links to one account at once on two nodes, one person gets it", () =>
      withTwo(openTwo, async (two) => {
        const people: User[] = [];
        for (let i = 0; i < 6; i++) people.push(await two[0].users.create(aPerson({ email: `p${i}@example.com` })));
        const results = await Promise.allSettled(
          Array.from({ length: 30 }, (_, i) => {
            const userId = people[i % 6]?.id as Id;
            return (two[i % 2] as Store).upstreamIdentities.link(anIdentity(userId), 0);
          }),
        );
        const added = results.filter((result) => result.status === "fulfilled" && result.value);
        assert.equal(added.length, 1);
        const { userId } = (await two[1].upstreamIdentities.find("acme", "Ada-1")) ?? {};
        for (const [i, result] of results.entries())
          assert.equal(result.status, people[i % 6]?.id === userId ? "fulfilled" : "rejected", `${i}`);
        for (const result of results)
          if (result.status === "rejected") assert.ok(hasCode("CONFLICT")(result.reason), String(result.reason));
      }));

    test("U75 of many first sign-ins of one account at once on two nodes, one makes a person", () =>
      withTwo(openTwo, async (two) => {
        const { userId: _userId, ...identity } = anIdentity("" as Id);
        const results = await Promise.allSettled(
          Array.from({ length: 20 }, (_, i) =>
            (two[i % 2] as Store).upstreamIdentities.createPerson(aPerson({ email: `p${i}@example.com` }), identity),
          ),
        );
        assert.equal(results.filter(({ status }) => status === "fulfilled").length, 1);
        assert.equal((await two[0].users.list()).length, 1);
      }));

    test("U29 U75 of all links removed at once on two nodes, one is left", () =>
      withTwo(openTwo, async (two) => {
        const { id } = await two[0].users.create(aPerson());
        const subjects = Array.from({ length: 8 }, (_, i) => `s${i}`);
        for (const subject of subjects) await two[0].upstreamIdentities.link(anIdentity(id, { subject }), 0);
        const results = await Promise.allSettled(
          subjects.map((subject, i) => (two[i % 2] as Store).upstreamIdentities.unlink(id, "acme", subject, RP_ID)),
        );
        assert.equal(results.filter(({ status }) => status === "fulfilled").length, 7);
        assert.equal((await two[1].upstreamIdentities.listOf(id)).length, 1);
      }));

    test("a person has twenty at most, also when they are linked at once on two nodes", () =>
      withTwo(openTwo, async (two) => {
        const { id } = await two[0].users.create(aPerson());
        const results = await Promise.allSettled(
          Array.from({ length: MOST_UPSTREAM_IDENTITIES + 5 }, (_, i) =>
            (two[i % 2] as Store).upstreamIdentities.link(anIdentity(id, { subject: `s${i}` }), 0),
          ),
        );
        assert.equal(results.filter(({ status }) => status === "fulfilled").length, MOST_UPSTREAM_IDENTITIES);
        assert.equal((await two[1].upstreamIdentities.listOf(id)).length, MOST_UPSTREAM_IDENTITIES);
      }));

    test("U25 P57 the way back to a former address removes links that were made since", () =>
      fresh(async ({ users, accountTokens, upstreamIdentities }) => {
        const { id } = await users.create(aPerson({ passwordHash: "$argon2id$x" }));
        const bob = await users.create(aPerson({ email: "bob@example.com" }));
        const made = NOW / 1_000;
        await upstreamIdentities.link(anIdentity(id, { subject: "before", linkedAt: at(-0.001) }), 0);
        await upstreamIdentities.link(anIdentity(id, { subject: "same", linkedAt: at(0) }), 0);
        await upstreamIdentities.link(anIdentity(id, { subject: "after", linkedAt: at(60) }), 0);
        await upstreamIdentities.link(anIdentity(bob.id, { subject: "bob", linkedAt: at(60) }), 0);
        const times = { createdAtSeconds: made, expiresAtSeconds: made + 3_600 };
        await accountTokens.put(anAccountToken({ ...times, hash: "u", purpose: "email-undo", userId: id }));
        assert.notEqual(await accountTokens.undoEmail("u", made + 90), null);
        assert.deepEqual(
          (await upstreamIdentities.listOf(id)).map(({ subject }) => subject),
          ["before"],
        );
        assert.equal((await upstreamIdentities.listOf(bob.id)).length, 1);
        await assert.rejects(upstreamIdentities.link(anIdentity(id, { subject: "late" }), 0), hasCode("CONFLICT"));
      }));

    test("U72 P50 they end with the account, and somebody else may link the same", () =>
      fresh(async ({ users, deletions, upstreamIdentities }) => {
        const { id } = await users.create(aPerson());
        const bob = await users.create(aPerson({ email: "bob@example.com" }));
        await upstreamIdentities.link(anIdentity(id), 0);
        await deletions.ask(id, { deletesAt: at(9), posts: "keep" });
        assert.equal((await upstreamIdentities.find("acme", "Ada-1"))?.userId, id, "the account may be kept");
        await deletions.begin(id, at(9));
        await deletions.finish(id, at(9), null);
        assert.equal(await upstreamIdentities.find("acme", "Ada-1"), null);
        assert.deepEqual(await upstreamIdentities.listOf(id), []);
        assert.equal(await upstreamIdentities.link(anIdentity(bob.id), 0), true);
      }));
  });
}
