import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Id } from "../../src/domain/id.ts";
import { MOST_TOTP_FAILURES } from "../../src/domain/people/second-step.ts";
import type { User } from "../../src/domain/people/user.ts";
import type { Store } from "../../src/domain/store/store.ts";
import { anAccountToken, anArtifact, aPasskey, aPerson, hasCode, race, withStore, withTwo } from "./samples.ts";
import type { OpenFresh, OpenTwo } from "./store.ts";

const RP = "example.com";
const NOW = 1_700_000_000;
const STEP = 56_666_666;
const at = (seconds: number) => new Date(seconds * 1_000).toISOString();
const AT = at(NOW);
const factor = { sealedSecret: "sealed", confirmedAt: AT, step: STEP } as const;
const NOTHING = { totp: null, codesLeft: 0, passkeys: 0 } as const;
const took = (results: readonly unknown[]) => results.filter((result) => result !== null && result !== false).length;

/** A person with an authenticator app. */
async function withTotp({ users, secondSteps }: Store, email = "ada@example.com"): Promise<User> {
  const user = await secondSteps.confirmTotp(await users.create(aPerson({ email })), factor);
  return user ?? assert.fail();
}

export function secondStepsConform(open: OpenFresh, openTwo: OpenTwo): void {
  describe("second steps", () => {
    test("U08 a new person has none; what is added is found, and counts the credentials up", () =>
      withStore(open, async (store) => {
        const { users, secondSteps, passkeys } = store;
        const person = await users.create(aPerson());
        assert.equal(person.secondStep, false);
        assert.deepEqual(await secondSteps.findFactors(person.id, RP), NOTHING);
        const confirmed = await secondSteps.confirmTotp(person, factor);
        assert.deepEqual(confirmed, { ...person, credentialVersion: 1 });
        assert.deepEqual(await users.find(person.id), confirmed);
        await passkeys.create(aPasskey({ userId: person.id, rpId: RP }), 1);
        await passkeys.create(aPasskey({ userId: person.id, rpId: "elsewhere.example", credentialId: "other" }), 1);
        const coded = await secondSteps.replaceRecoveryCodes(confirmed ?? person, ["a", "b"], AT);
        assert.equal(coded?.credentialVersion, 2);
        const totp = { sealedSecret: "sealed", confirmedAt: AT, failures: 0 };
        assert.deepEqual(await secondSteps.findFactors(person.id, RP), { totp, codesLeft: 2, passkeys: 1 });
        assert.equal((await secondSteps.findFactors(person.id, null)).passkeys, 0);
        assert.deepEqual(await secondSteps.findFactors("nobody" as Id, RP), NOTHING);
      }));

    test("U43 P23 of fifty uses of one step on two nodes one counts; older steps and a replaced factor's do not", () =>
      withTwo(openTwo, async (two) => {
        const person = await withTotp(two[0]);
        const use = (step: number, confirmedAt = AT) => two[1].secondSteps.spendTotp(person.id, confirmedAt, step);
        assert.equal(await use(STEP), false, "the digits that confirmed it");
        const uses = await race(two, (store) => store.secondSteps.spendTotp(person.id, AT, STEP + 1));
        assert.equal(took(uses), 1);
        assert.equal(await use(STEP + 1), false);
        assert.equal(await use(STEP), false);
        const again = { sealedSecret: "other", confirmedAt: at(NOW + 60), step: STEP };
        assert.notEqual(await two[0].secondSteps.confirmTotp(person, again), null);
        assert.equal(await use(STEP + 2), false, "judged by the factor from before");
        assert.equal(await use(STEP + 2, again.confirmedAt), true);
        assert.equal(await two[0].secondSteps.spendTotp("nobody" as Id, AT, STEP + 9), false);
      }));

    test("U43 R9 failures are counted before, by all nodes together, until the app is off duty", () =>
      withTwo(openTwo, async (two) => {
        const [{ secondSteps }] = two;
        const { id } = await withTotp(two[0]);
        const failuresOf = async () => (await two[1].secondSteps.findFactors(id, RP)).totp?.failures;
        const counted = await race(two, (store) => store.secondSteps.countTotp(id));
        assert.deepEqual(
          counted.map((factor) => factor?.failures ?? 0).toSorted((a, b) => a - b),
          Array.from({ length: MOST_TOTP_FAILURES }, (_, i) => i + 1),
        );
        assert.equal(await secondSteps.countTotp(id), null, "off duty");
        assert.equal(await failuresOf(), MOST_TOTP_FAILURES);
        await secondSteps.restoreTotp(id);
        assert.equal((await secondSteps.countTotp(id))?.failures, 1);
        assert.equal(await secondSteps.spendTotp(id, AT, STEP + 1), true);
        assert.equal(await failuresOf(), 0, "a success begins anew");
        assert.equal(await secondSteps.countTotp("nobody" as Id), null);
      }));

    test("U44 P27 of fifty uses of a recovery code on two nodes one counts, for its owner alone", () =>
      withTwo(openTwo, async (two) => {
        const [{ secondSteps }] = two;
        const ada = await withTotp(two[0]);
        const eve = await withTotp(two[0], "eve@example.com");
        await secondSteps.replaceRecoveryCodes(ada, ["a", "b", "c"], AT);
        await secondSteps.replaceRecoveryCodes(eve, ["d"], AT);
        assert.equal(await secondSteps.spendRecoveryCode(eve.id, "a", AT), null, "another's");
        for (let i = 0; i < MOST_TOTP_FAILURES; i++) await secondSteps.countTotp(ada.id);
        const uses = await race(two, (store) => store.secondSteps.spendRecoveryCode(ada.id, "a", AT));
        assert.deepEqual(
          uses.filter((left) => left !== null),
          [2],
        );
        assert.equal(await two[1].secondSteps.spendRecoveryCode(ada.id, "a", AT), null, "a second time");
        const { totp, codesLeft } = await two[1].secondSteps.findFactors(ada.id, RP);
        assert.deepEqual([totp?.failures, codesLeft], [0, 2], "the app is on duty again");
      }));

    test("U44 P27 new codes void the old ones, and of fifty sets made at the same time one counts", () =>
      withTwo(openTwo, async (two) => {
        const [{ secondSteps, users }] = two;
        const ada = (await secondSteps.replaceRecoveryCodes(await withTotp(two[0]), ["old"], AT)) ?? assert.fail();
        let set = 0;
        const sets = await race(two, ({ secondSteps: own }) => {
          set++;
          return own.replaceRecoveryCodes(ada, [`${set} a`, `${set} b`], AT);
        });
        assert.equal(took(sets), 1);
        assert.equal((await secondSteps.findFactors(ada.id, RP)).codesLeft, 2);
        assert.equal(await secondSteps.spendRecoveryCode(ada.id, "old", AT), null);
        assert.equal((await users.find(ada.id))?.credentialVersion, ada.credentialVersion + 1);
      }));

    test("U45 it is turned on with a factor and codes only, by one of fifty requests", () =>
      withTwo(openTwo, async (two) => {
        const [{ secondSteps, users, passkeys }] = two;
        const bare = await users.create(aPerson());
        assert.equal(await secondSteps.turnOn(bare, RP), null);
        const coded = (await secondSteps.replaceRecoveryCodes(bare, ["a"], AT)) ?? assert.fail();
        assert.equal(await secondSteps.turnOn(coded, RP), null, "no factor");
        await passkeys.create(aPasskey({ userId: bare.id, rpId: RP }), coded.credentialVersion);
        assert.equal(await secondSteps.turnOn(coded, "elsewhere.example"), null, "a passkey of another domain");
        assert.equal(await secondSteps.turnOn(coded, null), null, "passkeys are off");
        const turned = await race(two, (store) => store.secondSteps.turnOn(coded, RP));
        assert.equal(took(turned), 1);
        assert.equal((await users.find(bare.id))?.secondStep, true);
        const uncoded = await withTotp(two[0], "eve@example.com");
        assert.equal(await secondSteps.turnOn(uncoded, RP), null, "no codes");
        const spent = (await secondSteps.replaceRecoveryCodes(uncoded, ["b"], AT)) ?? assert.fail();
        await secondSteps.spendRecoveryCode(spent.id, "b", AT);
        assert.equal(await secondSteps.turnOn(spent, RP), null, "every code is used");
      }));

    test("U45 the last factor takes the second step and the codes with it, and turning it off leaves passkeys", () =>
      withStore(open, async (store) => {
        const { secondSteps, users, passkeys } = store;
        const turnedOn = async (person: User) => {
          const coded = (await secondSteps.replaceRecoveryCodes(person, ["a"], AT)) ?? assert.fail();
          return (await secondSteps.turnOn(coded, RP)) ?? assert.fail();
        };
        const ada = await turnedOn(await withTotp(store));
        await passkeys.create(aPasskey({ userId: ada.id, rpId: RP }), ada.credentialVersion);
        const kept = (await secondSteps.removeTotp(ada, RP)) ?? assert.fail();
        assert.deepEqual([kept.secondStep, kept.credentialVersion], [true, ada.credentialVersion + 1]);
        assert.equal(await secondSteps.removeTotp(kept, RP), null, "there is none");
        assert.equal(kept.credentialVersion, (await users.find(ada.id))?.credentialVersion);
        const both = (await secondSteps.confirmTotp(kept, factor)) ?? assert.fail();
        await users.update(ada.id, { role: "editor" });
        const off = await secondSteps.turnOff(ada.id);
        assert.deepEqual([off.secondStep, off.credentialVersion], [false, both.credentialVersion + 1]);
        assert.deepEqual(await secondSteps.findFactors(ada.id, RP), { ...NOTHING, passkeys: 1 });
        await store.artifacts.put(anArtifact({ kind: "Session", userId: ada.id }));
        await secondSteps.turnOff(ada.id);
        assert.equal((await store.artifacts.listOfUser(ada.id, ["Session"])).length, 1);
        await secondSteps.turnOff(ada.id, { passkeys: true });
        assert.deepEqual(await secondSteps.findFactors(ada.id, RP), NOTHING);
        assert.deepEqual(await store.artifacts.listOfUser(ada.id, ["Session"]), [], "U40");
        const eve = await turnedOn(await withTotp(store, "eve@example.com"));
        const ended = await secondSteps.removeTotp(eve, RP);
        assert.equal(ended?.secondStep, false);
        assert.deepEqual(await secondSteps.findFactors(eve.id, RP), NOTHING);
        await assert.rejects(secondSteps.turnOff("nobody" as Id), hasCode("NOT_FOUND"));
      }));

    test("U45 the last passkey takes the second step with it, and one beside an authenticator app does not", () =>
      withStore(open, async ({ secondSteps, users, passkeys }) => {
        const person = await users.create(aPerson({ passwordHash: "$argon2id$x" }));
        for (const credentialId of ["first", "second"])
          await passkeys.create(aPasskey({ userId: person.id, rpId: RP, credentialId }), 0);
        const coded = (await secondSteps.replaceRecoveryCodes(person, ["a"], AT)) ?? assert.fail();
        await secondSteps.turnOn(coded, RP);
        await passkeys.remove(person.id, "first", RP);
        assert.equal((await users.find(person.id))?.secondStep, true);
        await passkeys.remove(person.id, "second", RP);
        assert.equal((await users.find(person.id))?.secondStep, false);
      }));

    test("R12 P25 a change by somebody who has been thrown out meanwhile has no effect", () =>
      withStore(open, async (store) => {
        const { secondSteps, users } = store;
        const before = await withTotp(store);
        await users.update(before.id, { passwordHash: "$argon2id$y" });
        const present = (await users.find(before.id)) ?? assert.fail();
        const acts = (person: User) =>
          Promise.all([
            secondSteps.confirmTotp(person, { ...factor, sealedSecret: "evil" }),
            secondSteps.removeTotp(person, RP),
            secondSteps.replaceRecoveryCodes(person, ["evil"], AT),
            secondSteps.turnOn(person, RP),
          ]);
        assert.equal(took(await acts(before)), 0);
        await users.update(before.id, { disabledAt: AT });
        const disabled = (await users.find(before.id)) ?? assert.fail();
        assert.equal(took(await acts(disabled)), 0);
        const { totp, codesLeft } = await secondSteps.findFactors(before.id, RP);
        assert.deepEqual([totp?.sealedSecret, codesLeft], ["sealed", 0]);
        assert.equal(disabled.credentialVersion, present.credentialVersion + 1);
      }));

    test("U25 P57 taking an address back removes what was added since, and turns it off if nothing is left", () =>
      withStore(open, async (store) => {
        const { secondSteps, users, accountTokens } = store;
        const undo = async (person: User, since: number) => {
          const hash = `undo ${person.email}`;
          const about = { purpose: "email-undo", userId: person.id, email: `old.${person.email}` } as const;
          await accountTokens.put(anAccountToken({ hash, ...about, createdAtSeconds: since }));
          const user = await accountTokens.undoEmail(hash, NOW + 9);
          assert.deepEqual(user, await users.find(person.id));
          return user;
        };
        const own = await withTotp(store);
        const coded = (await secondSteps.replaceRecoveryCodes(own, ["a"], AT)) ?? assert.fail();
        await secondSteps.turnOn(coded, RP);
        assert.equal((await undo(own, NOW + 1))?.secondStep, true, "they were there before");
        assert.equal((await secondSteps.findFactors(own.id, RP)).codesLeft, 1);
        const taken = await withTotp(store, "eve@example.com");
        await secondSteps.turnOn((await secondSteps.replaceRecoveryCodes(taken, ["b"], AT)) ?? taken, RP);
        assert.equal((await undo(taken, NOW))?.secondStep, false, "they came in the same second");
        assert.deepEqual(await secondSteps.findFactors(taken.id, RP), NOTHING);
      }));

    test("U72 nothing of it is left of an account that is deleted", () =>
      withStore(
        open,
        async (store) => {
          const { secondSteps, users, deletions } = store;
          const person = await withTotp(store);
          await secondSteps.turnOn((await secondSteps.replaceRecoveryCodes(person, ["a"], AT)) ?? person, RP);
          await deletions.ask(person.id, { deletesAt: AT, posts: "keep" });
          assert.equal(await deletions.begin(person.id, AT), true);
          assert.equal(await deletions.finish(person.id, AT, null), true);
          assert.deepEqual(await secondSteps.findFactors(person.id, RP), NOTHING);
          assert.equal((await users.find(person.id))?.secondStep, false);
          await assert.rejects(secondSteps.turnOff(person.id), hasCode("NOT_FOUND"));
        },
        () => NOW * 1_000,
      ));

    test("the sealed secret is among the texts that a change of SECRET_KEY seals anew", () =>
      withStore(open, async (store) => {
        const { id } = await withTotp(store);
        const { texts } = await store.sealedTexts.page("totp_factors", null, 10);
        assert.deepEqual(texts, [{ table: "totp_factors", column: "secret", sealed: "sealed", id, part: "" }]);
        await store.sealedTexts.replace(texts.map((text) => ({ text, sealed: "anew" })));
        assert.equal((await store.secondSteps.findFactors(id, RP)).totp?.sealedSecret, "anew");
      }));
  });
}
