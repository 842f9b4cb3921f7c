import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Id } from "../../src/domain/id.ts";
import type { NewMail } from "../../src/domain/people/mail.ts";
import { anAccountToken, race, withStore, withTwo } from "./samples.ts";
import type { OpenFresh, OpenTwo } from "./store.ts";

const NOW = 1_700_000_000;
const HASHED = "$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$aGFzaA";

const mail = (about: Partial<NewMail> = {}): NewMail => ({
  kind: "sign-up",
  userId: null,
  address: "ada@example.com",
  language: "en",
  params: { name: "Ada" },
  expiresAt: "2030-01-01T00:00:00.000Z",
  ...about,
});

const ada = { name: "Ada", role: "member", passwordHash: HASHED } as const;
const account = { ...ada, email: "ada@example.com", emailVerified: true } as const;
const at = (seconds: number) => new Date(seconds * 1_000).toISOString();
const took = (results: readonly unknown[]) => results.filter((result) => result !== null).length;

export function accountsConform(open: OpenFresh, openTwo: OpenTwo): void {
  describe("mailed secrets", () => {
    test("P08 U75 of fifty sign-ups with one token on two nodes one makes the account", () =>
      withTwo(openTwo, async (two) => {
        await two[0].accountTokens.put(anAccountToken({}));
        await two[0].accountTokens.put(anAccountToken({ hash: "h2" }));
        const people = await race(two, (store) => store.accountTokens.createPerson("h1", ada, NOW + 1));
        assert.equal(took(people), 1);
        assert.equal((await two[0].users.list()).length, 1);
        assert.equal((await two[1].users.findByEmail("ADA@example.com"))?.emailVerified, true);
        assert.equal((await two[1].accountTokens.find("h1"))?.usedAtSeconds, NOW + 1);
        // U16: the use of one ends the others of that purpose and address.
        assert.equal((await two[1].accountTokens.find("h2"))?.voidedAtSeconds, NOW + 1);
        assert.equal(await two[1].accountTokens.createPerson("h2", ada, NOW + 1), null);
      }));

    test("a token that has expired, is unknown or is for another act does nothing (P07)", () =>
      withStore(open, async ({ accountTokens, users }) => {
        await accountTokens.put(anAccountToken({}));
        assert.equal(await accountTokens.createPerson("h1", ada, NOW + 3_600), null);
        assert.equal(await accountTokens.createPerson("other", ada, NOW), null);
        assert.equal(await accountTokens.resetPassword("h1", HASHED, NOW), null);
        assert.equal(await accountTokens.undoEmail("h1", NOW), null);
        const { id } = await users.create(account);
        for (const purpose of ["recovery", "email-change", "email-undo"] as const) {
          const hash = `for ${purpose}`;
          await accountTokens.put(anAccountToken({ hash, purpose, userId: id, credentialVersion: 0 }));
          assert.equal(await accountTokens.createPerson(hash, ada, NOW), null);
          if (purpose !== "recovery") assert.equal(await accountTokens.resetPassword(hash, HASHED, NOW), null);
          if (purpose !== "email-change") assert.equal(await accountTokens.changeEmail(hash, id, NOW), null);
          if (purpose !== "email-undo") assert.equal(await accountTokens.undoEmail(hash, NOW), null);
          assert.equal((await accountTokens.find(hash))?.usedAtSeconds, null, purpose);
        }
      }));

    test("a taken address is a conflict, and the token is good afterwards", () =>
      withStore(open, async ({ accountTokens, users }) => {
        await users.create({ ...account, email: "Ada@Example.com" });
        await accountTokens.put(anAccountToken({}));
        await assert.rejects(accountTokens.createPerson("h1", ada, NOW), { code: "CONFLICT" });
        assert.equal((await accountTokens.find("h1"))?.usedAtSeconds, null);
      }));

    test("P08 U24 one of fifty resets counts, and ends everything else of the person but the way back to a former address", () =>
      withTwo(openTwo, async (two) => {
        const [{ users, accountTokens, artifacts }] = two;
        const { id } = await users.create({ ...account, emailVerified: false });
        const version = { userId: id, credentialVersion: 0 };
        await accountTokens.put(anAccountToken({ hash: "r", purpose: "recovery", ...version }));
        await accountTokens.put(anAccountToken({ hash: "r2", purpose: "recovery", ...version }));
        await accountTokens.put(
          anAccountToken({ hash: "u", purpose: "email-undo", userId: id, email: "old@example.com" }),
        );
        const artifact = { kind: "Session", idHash: "s", grantId: null, userId: id, clientId: null, scope: null };
        await artifacts.put({
          ...artifact,
          ...{ uidHash: "u", userCodeHash: null, payload: "{}", expiresAtSeconds: NOW + 99, consumedAtSeconds: null },
        });
        const done = await race(two, (store) => store.accountTokens.resetPassword("r", `${HASHED}2`, NOW));
        assert.equal(took(done), 1);
        const person = await users.find(id);
        assert.equal(person?.passwordHash, `${HASHED}2`);
        assert.equal(person?.emailVerified, true);
        assert.equal(person?.credentialVersion, 1);
        assert.equal(await artifacts.find("Session", "s"), null);
        assert.equal(await accountTokens.resetPassword("r2", HASHED, NOW), null);
        assert.equal((await accountTokens.undoEmail("u", NOW))?.email, "old@example.com");
        assert.equal((await users.find(id))?.passwordHash, null);
      }));

    test("P09 U23 a reset link is void after the password, the address or the state has changed", () =>
      withStore(open, async ({ users, accountTokens }) => {
        const { id } = await users.create(account);
        let version = 0;
        const put = (hash: string, purpose: "recovery" | "email-change", email: string) =>
          accountTokens.put(anAccountToken({ hash, purpose, email, userId: id, credentialVersion: version }));
        await put("r1", "recovery", "ada@example.com");
        await users.update(id, { passwordHash: HASHED });
        assert.equal(await accountTokens.resetPassword("r1", HASHED, NOW), null, "the password");
        version = 1;
        await put("r2", "recovery", "ada@example.com");
        await put("e", "email-change", "new@example.com");
        const other = await users.create({ ...account, email: "eve@example.com" });
        assert.equal(await accountTokens.changeEmail("e", other.id, NOW), null, "another person");
        assert.equal((await accountTokens.changeEmail("e", id, NOW))?.email, "new@example.com");
        assert.equal(await accountTokens.resetPassword("r2", HASHED, NOW), null, "the address");
        version = 2;
        await put("r3", "recovery", "new@example.com");
        await users.update(id, { disabledAt: at(NOW) });
        assert.equal(await accountTokens.resetPassword("r3", HASHED, NOW), null, "disabled");
        await users.update(id, { disabledAt: null });
        assert.equal(await accountTokens.resetPassword("r3", HASHED, NOW), null, "enabled again");
      }));

    test("a code is found for its browser alone, and old tokens are swept", () =>
      withStore(open, async ({ accountTokens }) => {
        await accountTokens.put(anAccountToken({ codeMac: "m", browserHash: "b" }));
        assert.equal((await accountTokens.findByCode("sign-up", "b", "m"))?.hash, "h1");
        assert.equal(await accountTokens.findByCode("sign-up", "c", "m"), null);
        assert.equal(await accountTokens.findByCode("recovery", "b", "m"), null);
        assert.equal(await accountTokens.sweep(NOW + 3_600, 10), 0);
        assert.equal(await accountTokens.sweep(NOW + 3_601, 10), 1);
      }));
  });

  describe("invitations", () => {
    const invited = {
      email: "bob@example.com",
      role: "editor",
      invitedBy: null,
      expiresAt: at(NOW + 86_400),
    } as const;

    test("P20 one is open for an address; its row has the role; withdrawal ends its links at once", () =>
      withStore(
        open,
        async ({ invitations, accountTokens, users }) => {
          const invitation = await invitations.create(invited);
          await assert.rejects(invitations.create({ ...invited, email: "BOB@example.com" }), { code: "CONFLICT" });
          assert.equal((await invitations.findOpen("Bob@example.com", at(NOW)))?.id, invitation.id);
          const link = { purpose: "invitation", email: invited.email, invitationId: invitation.id } as const;
          await accountTokens.put(anAccountToken({ hash: "i", ...link }));
          assert.notEqual((await invitations.withdraw(invitation.id, at(NOW))).withdrawnAt, null);
          assert.equal(await accountTokens.createPerson("i", ada, NOW), null);
          const again = await invitations.create(invited);
          await accountTokens.put(anAccountToken({ hash: "j", ...link, invitationId: again.id }));
          assert.equal((await accountTokens.createPerson("j", ada, NOW))?.role, "editor");
          assert.notEqual((await invitations.find(again.id))?.acceptedAt, null);
          await assert.rejects(invitations.withdraw(again.id, at(NOW)), { code: "CONFLICT" });
          await assert.rejects(invitations.renew(again.id, at(NOW)), { code: "CONFLICT" });
          await assert.rejects(invitations.create(invited), { code: "CONFLICT" });
          assert.deepEqual(
            (await invitations.list(undefined, 10)).map(({ id }) => id),
            [again.id, invitation.id],
          );
          assert.equal((await users.list()).length, 1);
        },
        () => NOW * 1_000,
      ));

    test("one that has expired makes room, and one of a disabled inviter is withdrawn (U19)", () => {
      let now = NOW;
      return withStore(
        open,
        async ({ invitations, users }) => {
          const { id } = await users.create(account);
          const first = await invitations.create({ ...invited, invitedBy: id });
          now += 2 * 86_400;
          assert.equal(await invitations.findOpen(invited.email, at(now)), null);
          const second = await invitations.create({ ...invited, invitedBy: id, expiresAt: at(now + 99) });
          assert.notEqual((await invitations.find(first.id))?.withdrawnAt, null);
          await invitations.withdrawOf(id, at(now));
          assert.notEqual((await invitations.find(second.id))?.withdrawnAt, null);
        },
        () => now * 1_000,
      );
    });
  });

  test("P20 U19 an invitation counts only while its inviter is an administrator, also one made while that ended", () =>
    withStore(
      open,
      async ({ invitations, accountTokens, users }) => {
        await users.create({ ...account, role: "admin" });
        const inviter = await users.create({ ...account, email: "eve@example.com", role: "admin" });
        const invited = { role: "admin", invitedBy: inviter.id, expiresAt: at(NOW + 86_400) } as const;
        const invite = async (name: string) => {
          const email = `${name}@example.com`;
          const { id: invitationId } = await invitations.create({ ...invited, email });
          await accountTokens.put(anAccountToken({ hash: name, purpose: "invitation", email, invitationId }));
        };
        for (const name of ["a", "b", "c"]) await invite(name);
        assert.equal((await accountTokens.createPerson("a", ada, NOW))?.role, "admin");
        await users.update(inviter.id, { role: "editor" });
        assert.equal(await accountTokens.createPerson("b", ada, NOW), null, "demoted");
        await users.update(inviter.id, { role: "admin", disabledAt: at(NOW) });
        assert.equal(await accountTokens.createPerson("b", ada, NOW), null, "disabled");
        await users.update(inviter.id, { disabledAt: null });
        assert.equal((await accountTokens.createPerson("b", ada, NOW))?.email, "b@example.com");
        assert.equal((await accountTokens.find("c"))?.usedAtSeconds, null);
      },
      () => NOW * 1_000,
    ));

  describe("mails", () => {
    const claim = { now: at(NOW + 1), until: at(NOW + 60), limit: 5 };

    test("P54 each is claimed once on two nodes, and again when its claim has run out", () =>
      withTwo(openTwo, async (two) => {
        for (let i = 0; i < 20; i++) await two[0].mails.add(mail({ params: { number: String(i) } }));
        const now = new Date().toISOString();
        const until = new Date(Date.now() + 60_000).toISOString();
        const claimed = (await race(two, (store) => store.mails.claim({ now, until, limit: 3 }))).flat();
        assert.equal(claimed.length, 20);
        assert.equal(new Set(claimed.map(({ id }) => id)).size, 20);
        const late = new Date(Date.now() + 61_000).toISOString();
        const again = await two[1].mails.claim({
          now: late,
          until: new Date(Date.now() + 99_000).toISOString(),
          limit: 50,
        });
        assert.equal(again.length, 20);
        const [first] = claimed;
        assert.ok(first);
        await two[0].mails.settle(first.id, first.claim, { state: "SENT" }, late);
        assert.equal((await two[0].mails.find(first.id))?.state, "PENDING", "the claim is another's now");
      }));

    test("what became of a mail is kept, and one that failed can be sent again", () =>
      withStore(
        open,
        async ({ mails }) => {
          const id = await mails.add(mail());
          assert.deepEqual(await mails.backlog(), { pending: 1, oldest: at(NOW) });
          const [claimed] = await mails.claim(claim);
          assert.ok(claimed);
          assert.deepEqual(claimed.params, { name: "Ada" });
          const later = { state: "PENDING", error: "421 busy", dueAt: at(NOW + 10), counts: true } as const;
          await mails.settle(id, claimed.claim, later, at(NOW + 2));
          assert.deepEqual(await mails.claim({ ...claim, now: at(NOW + 9) }), []);
          const [second] = await mails.claim({ ...claim, now: at(NOW + 10) });
          assert.equal(second?.attempts, 1);
          await assert.rejects(mails.retry(id, at(NOW), at(NOW + 99)), { code: "CONFLICT" });
          await mails.settle(id, second?.claim ?? "", { state: "FAILED", error: "550 no such person" }, at(NOW + 11));
          assert.deepEqual(
            (await mails.list({ state: "FAILED", limit: 5 })).map(({ error }) => error),
            ["550 no such person"],
          );
          assert.equal((await mails.retry(id, at(NOW + 12), at(NOW + 99))).state, "PENDING");
          await assert.rejects(mails.retry("0190163d-8694-739b-aea5-966c26f8ad91" as Id, at(NOW), at(NOW)), {
            code: "NOT_FOUND",
          });
        },
        () => NOW * 1_000,
      ));

    test("U09 ended mails are forgotten, the address of nobody's sooner", () =>
      withStore(
        open,
        async ({ mails, users }) => {
          const { id: userId } = await users.create(account);
          const ids = [await mails.add(mail()), await mails.add(mail({ userId })), await mails.add(mail())];
          for (const { id, claim: mine } of await mails.claim({ ...claim, limit: 2 }))
            await mails.settle(id, mine, { state: "SENT" }, at(NOW + 2));
          assert.equal(await mails.sweep({ endedBefore: at(NOW), wipedBefore: at(NOW + 3) }, 10), 1);
          const found = await Promise.all(ids.map((id) => mails.find(id)));
          assert.deepEqual(
            found.map((one) => one?.address),
            ["", "ada@example.com", "ada@example.com"],
          );
          assert.equal(await mails.sweep({ endedBefore: at(NOW + 3), wipedBefore: at(NOW + 3) }, 10), 2);
          assert.equal((await mails.list({ limit: 10 })).length, 1);
        },
        () => NOW * 1_000,
      ));
  });

  test("U08 what is known of an account begins empty and changes part by part", () =>
    withStore(open, async ({ accountStates, users }) => {
      const { id } = await users.create(account);
      assert.deepEqual(await accountStates.find(id), { mailState: "ok", language: null, lastSignInAt: null });
      await accountStates.note(id, { mailState: "failing" });
      await accountStates.note(id, { lastSignInAt: at(NOW) });
      await accountStates.note(id, {});
      assert.deepEqual(await accountStates.find(id), { mailState: "failing", language: null, lastSignInAt: at(NOW) });
    }));
}
