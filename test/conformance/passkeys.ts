import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { MOST_PASSKEYS } from "../../src/domain/people/passkey.ts";
import type { User } from "../../src/domain/people/user.ts";
import type { Store } from "../../src/domain/store/store.ts";
import { anAccountToken, aPasskey, aPerson, hasCode, race, withStore, withTwo } from "./samples.ts";
import type { OpenFresh, OpenTwo } from "./store.ts";

const NOW = 1_700_000_000;
const AT = "2023-11-14T22:13:30.000Z";
const HASHED = "$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$aGFzaA";

const idsOf = async (store: Store, { id }: User) =>
  (await store.passkeys.listOf(id)).map(({ credentialId }) => credentialId);

export function passkeysConform(open: OpenFresh, openTwo: OpenTwo): void {
  describe("passkeys", () => {
    test("one is kept as it was given, and known by its credential id", () =>
      withStore(open, async ({ passkeys, users }) => {
        const { id: userId } = await users.create(aPerson());
        const [first, second] = [
          aPasskey({ userId }),
          aPasskey({ userId, credentialId: "Credential-1", transports: [] }),
        ];
        await passkeys.create(first, 0);
        await passkeys.create({ ...second, createdAt: AT }, 0);
        assert.deepEqual(await passkeys.find("credential-1"), { ...first, usedAt: null });
        assert.deepEqual(await passkeys.listOf(userId), [
          { ...first, usedAt: null },
          { ...second, createdAt: AT, usedAt: null },
        ]);
        assert.equal(await passkeys.find("credential-2"), null);
        assert.equal(await passkeys.countElsewhere("example.com"), 0);
        assert.equal(await passkeys.countElsewhere("other.example"), 2);
        assert.equal(await passkeys.countElsewhere(null), 2);
        assert.deepEqual(await passkeys.holders([userId], "example.com"), new Set([userId]));
        for (const rpId of ["other.example", null]) assert.deepEqual(await passkeys.holders([userId], rpId), new Set());
      }));

    test("P32 a credential that somebody has is nobody else's, also when fifty ask on two nodes", () =>
      withTwo(openTwo, async (two) => {
        const people: User[] = [];
        for (const name of ["ada", "bob"])
          people.push(await two[0].users.create(aPerson({ email: `${name}@example.com` })));
        let count = 0;
        const made = await race(two, async ({ passkeys }) => {
          const userId = people[count++ % 2]?.id as User["id"];
          return passkeys.create(aPasskey({ userId }), 0).then(
            () => true,
            (error) => (hasCode("CONFLICT")(error) ? null : Promise.reject(error)),
          );
        });
        assert.equal(made.filter((one) => one === true).length, 1);
      }));

    test("P34 U36 only an active person with a proved address gets one, and twenty at most on two nodes", () =>
      withTwo(openTwo, async (two) => {
        const [{ passkeys, users }] = two;
        const unproved = await users.create(aPerson({ email: "eve@example.com", emailVerified: false }));
        await assert.rejects(passkeys.create(aPasskey({ userId: unproved.id }), 0), { code: "NOT_FOUND" });
        const disabled = await users.create(aPerson({ email: "bob@example.com" }));
        await users.update(disabled.id, { disabledAt: AT });
        await assert.rejects(passkeys.create(aPasskey({ userId: disabled.id }), 0), { code: "NOT_FOUND" });
        const ada = await users.create(aPerson());
        await assert.rejects(passkeys.create(aPasskey({ userId: ada.id }), 1), { code: "NOT_FOUND" }, "thrown out");
        let count = 0;
        const made = await race(two, (store) =>
          store.passkeys.create(aPasskey({ userId: ada.id, credentialId: `c${count++}` }), 0).then(
            () => true,
            (error) => (hasCode("CONFLICT")(error) ? null : Promise.reject(error)),
          ),
        );
        assert.equal(made.filter((one) => one === true).length, MOST_PASSKEYS);
        assert.equal((await passkeys.listOf(ada.id)).length, MOST_PASSKEYS);
      }));

    test("P32 U37 a counter goes forward only, once on two nodes, unless the passkey is backed up", () =>
      withTwo(openTwo, async (two) => {
        const [{ passkeys, users }] = two;
        const { id: userId } = await users.create(aPerson());
        await passkeys.create(aPasskey({ userId, counter: 5 }), 0);
        const use = (counter: number, isBackedUp = false) =>
          passkeys.use("credential-1", { counter, isBackedUp, usedAt: AT });
        for (const counter of [0, 4, 5]) assert.equal(await use(counter), false);
        assert.equal((await passkeys.find("credential-1"))?.usedAt, null);
        const uses = await race(two, (store) =>
          store.passkeys.use("credential-1", { counter: 6, isBackedUp: false, usedAt: AT }),
        );
        assert.equal(uses.filter(Boolean).length, 1);
        assert.deepEqual(await passkeys.find("credential-1"), {
          ...aPasskey({ userId, counter: 6 }),
          usedAt: AT,
        });
        assert.equal(await use(2, true), true);
        assert.equal((await passkeys.find("credential-1"))?.isBackedUp, true);
        assert.equal(await passkeys.use("unknown", { counter: 9, isBackedUp: true, usedAt: AT }), false);
      }));

    test("U37 a passkey that does not count can be used again and again", () =>
      withStore(open, async ({ passkeys, users }) => {
        const { id: userId } = await users.create(aPerson());
        await passkeys.create(aPasskey({ userId }), 0);
        for (let i = 0; i < 3; i++)
          assert.equal(await passkeys.use("credential-1", { counter: 0, isBackedUp: false, usedAt: AT }), true);
      }));

    test("only its person renames or removes one", () =>
      withStore(open, async (store) => {
        const { passkeys, users } = store;
        const ada = await users.create(aPerson({ passwordHash: HASHED }));
        const bob = await users.create(aPerson({ email: "bob@example.com", passwordHash: HASHED }));
        await passkeys.create(aPasskey({ userId: ada.id }), 0);
        assert.equal(await passkeys.rename(bob.id, "credential-1", "Mine"), false);
        assert.equal(await passkeys.remove(bob.id, "credential-1", "example.com"), false);
        assert.equal(await passkeys.rename(ada.id, "credential-1", "Laptop"), true);
        assert.equal((await passkeys.find("credential-1"))?.name, "Laptop");
        assert.equal(await passkeys.remove(ada.id, "credential-1", "example.com"), true);
        assert.equal(await passkeys.remove(ada.id, "credential-1", "example.com"), false);
        assert.deepEqual(await idsOf(store, ada), []);
      }));

    test("P49 U29 the only way in stays, also when both of two are removed on two nodes", () =>
      withTwo(openTwo, async (two) => {
        const [store] = two;
        const ada = await store.users.create(aPerson());
        await store.passkeys.create(aPasskey({ userId: ada.id, credentialId: "c0" }), 0);
        await store.passkeys.create(aPasskey({ userId: ada.id, credentialId: "c1" }), 0);
        await store.passkeys.create(aPasskey({ userId: ada.id, credentialId: "old", rpId: "old.example" }), 0);
        let count = 0;
        const removed = await race(two, ({ passkeys }) =>
          passkeys.remove(ada.id, `c${count++ % 2}`, "example.com").catch((error) => {
            if (hasCode("CONFLICT")(error)) return null;
            throw error;
          }),
        );
        assert.equal(removed.filter((one) => one === true).length, 1);
        assert.equal((await idsOf(store, ada)).length, 2);
        assert.equal(await store.passkeys.remove(ada.id, "old", "example.com"), true, "it was no way in");
      }));

    test("U14 U36 an account is made with its first passkey, or not at all", () =>
      withStore(open, async (store) => {
        const bob = await store.users.create(aPerson({ email: "bob@example.com" }));
        await store.passkeys.create(aPasskey({ userId: bob.id }), 0);
        await store.accountTokens.put(anAccountToken());
        const user = { name: "Ada", role: "member", passwordHash: null } as const;
        const { userId: _, ...taken } = aPasskey({ userId: bob.id });
        await assert.rejects(store.accountTokens.createPerson("h1", user, NOW, taken), hasCode("CONFLICT"));
        assert.equal((await store.users.list()).length, 1);
        const ada = await store.accountTokens.createPerson("h1", user, NOW, { ...taken, credentialId: "c2" });
        assert.ok(ada);
        assert.deepEqual(await idsOf(store, ada), ["c2"]);
      }));

    test("P57 U25 taking the old address back removes the passkeys that were added since", () =>
      withStore(open, async (store) => {
        const ada = await store.users.create(aPerson());
        const since = new Date(NOW * 1_000).toISOString();
        await store.passkeys.create(aPasskey({ userId: ada.id, createdAt: "2023-11-14T22:13:19.000Z" }), 0);
        await store.passkeys.create(aPasskey({ userId: ada.id, credentialId: "thief", createdAt: since }), 0);
        await store.accountTokens.put(anAccountToken({ purpose: "email-undo", userId: ada.id }));
        assert.ok(await store.accountTokens.undoEmail("h1", NOW + 10));
        assert.deepEqual(await idsOf(store, ada), ["credential-1"]);
      }));

    test("U24 a new password by a link keeps passkeys; U72 a deleted account has none", () =>
      withStore(open, async (store) => {
        const ada = await store.users.create(aPerson());
        await store.passkeys.create(aPasskey({ userId: ada.id }), 0);
        await store.accountTokens.put(anAccountToken({ purpose: "recovery", userId: ada.id, credentialVersion: 0 }));
        assert.ok(await store.accountTokens.resetPassword("h1", HASHED, NOW));
        assert.deepEqual(await idsOf(store, ada), ["credential-1"]);
        await store.deletions.ask(ada.id, { deletesAt: AT, posts: "keep" });
        assert.equal(await store.deletions.begin(ada.id, AT), true);
        assert.equal(await store.deletions.finish(ada.id, AT, null), true);
        assert.deepEqual(await idsOf(store, ada), []);
      }));
  });
}
