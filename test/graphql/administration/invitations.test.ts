import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import type { NewAuditEvent } from "../../../src/domain/audit.ts";
import type { Id } from "../../../src/domain/id.ts";
import type { Mail } from "../../../src/domain/people/mail.ts";
import type { User } from "../../../src/domain/people/user.ts";
import type { Store } from "../../../src/domain/store/store.ts";
import { hashToken } from "../../../src/secrets/token-hash.ts";
import { anArtifact, aPasskey, aPerson } from "../../conformance/samples.ts";
import { openTestStore, type TestStore } from "../../database.ts";
import { openTestPeopleMail } from "../../people-mail.ts";
import { ada, administrationForTests, openTestServer, type TestServer } from "../server.ts";

const ISSUER = "https://accounts.example.com";
const NOBODY = "01a21efd-4214-7000-8474-a0573e6a4ee8";
const WEEK = 7 * 86_400_000;

const INVITE = `mutation ($input: InviteAccountInput!) {
  inviteAccount(input: $input) {
    invitation { id email role state invitedById createdAt expiresAt acceptedAt withdrawnAt } link errors { code field }
  }
}`;
const RECOVER = "mutation ($id: ID!) { sendRecovery(id: $id) { account { id email } link errors { code } } }";

describe("invitations and help for people", () => {
  let database: TestStore;
  let store: Store;
  let people = 0;
  let admin: User;
  let mailing: TestServer;
  let mailless: TestServer;
  let recorded: NewAuditEvent[] = [];

  before(async () => {
    database = await openTestStore();
    store = database.store;
  });
  beforeEach(async () => {
    admin = await person({ role: "admin" });
    mailing = open(admin, true);
    mailless = open(admin, false);
    recorded = [];
  });
  after(async () => {
    await database.close();
  });

  function person(about: Partial<Parameters<typeof aPerson>[0]> = {}): Promise<User> {
    return store.users.create(aPerson({ email: `person-${++people}@example.com`, ...about }));
  }

  const address = () => `invited-${++people}@example.com`;

  function open(by: Pick<User, "id">, sendsMail: boolean, on = store): TestServer {
    const mail = openTestPeopleMail(on, ISSUER, { sendsMail });
    const record = async (event: NewAuditEvent) => void recorded.push(event);
    const administration = { ...administrationForTests, mail, record };
    return openTestServer({ store: on, viewer: { ...ada, userId: by.id, role: "admin" }, administration });
  }

  async function data(server: TestServer, query: string, variables: object = {}, headers = {}) {
    const { json, status } = await server.query(query, variables, headers);
    assert.deepEqual([json.errors, status], [undefined, 200]);
    return json.data;
  }

  async function refusal(server: TestServer, query: string, variables: object = {}) {
    const { json } = await server.query(query, variables);
    return [json.errors?.[0].extensions.code, json.errors?.[0].extensions.field];
  }

  const invite = async (server: TestServer, input: object, headers = {}) =>
    (await data(server, INVITE, { input }, headers)).inviteAccount;

  const invitationOf = async (id: string) => (await store.invitations.find(id as Id)) ?? assert.fail("no invitation");

  const mailsTo = async (to: string): Promise<Mail[]> =>
    (await store.mails.list({ limit: 1_000 })).filter((mail) => mail.address === to);

  /** The token in a link, which must lead to our own page. */
  function secretIn(link: string, path: string): string {
    const start = `${ISSUER}${path}?token=`;
    assert.ok(link.startsWith(start), link);
    return link.slice(start.length);
  }

  describe("invitations", () => {
    test("U18 U70 by mail: a row with the role, one mail that names the row, no link in the answer", async () => {
      const email = address();
      const { invitation, link, errors } = await invite(mailing, { email, role: "EDITOR" });
      assert.deepEqual([link, errors], [null, []]);
      const { id, createdAt, expiresAt, ...rest } = invitation;
      assert.deepEqual(rest, {
        ...{ email, role: "EDITOR", state: "OPEN", invitedById: admin.id },
        ...{ acceptedAt: null, withdrawnAt: null },
      });
      assert.ok(Math.abs(Date.parse(expiresAt) - Date.parse(createdAt) - WEEK) < 5_000);
      const [mail, ...more] = await mailsTo(email);
      assert.deepEqual([mail?.kind, mail?.params, more], ["invitation", { invitationId: id }, []]);
      assert.deepEqual(recorded, [
        {
          ...{ event: "invitation", result: "ok", detail: `${id} made as editor by ${admin.id}` },
          ...{ actorId: admin.id, requestId: "request-1", address: null },
        },
      ]);
    });

    test("U18 P21 without mail the link is there once; its account's address is not proved, and nothing else has it", async () => {
      const email = address();
      const { invitation, link } = await invite(mailless, { email, role: "EDITOR" });
      const secret = secretIn(link, "/invitation");
      const token = await store.accountTokens.find(hashToken(secret));
      assert.deepEqual(
        [token?.purpose, token?.email, token?.provesEmail, token?.invitationId],
        ["invitation", email, false, invitation.id],
      );
      assert.ok(Math.abs((token?.expiresAtSeconds ?? 0) * 1_000 - Date.parse(invitation.expiresAt)) < 2_000);
      assert.deepEqual(await mailsTo(email), []);
      assert.ok(!(await database.readAll()).includes(secret));
      assert.ok(!JSON.stringify([recorded, mailless.log]).includes(secret));
      const made = { name: "N", role: "member", passwordHash: null } as const;
      const user = await store.accountTokens.createPerson(hashToken(secret), made, Math.floor(Date.now() / 1_000));
      assert.deepEqual([user?.email, user?.role, user?.emailVerified], [email, "editor", false]);
    });

    test("U18 an address with an account or an open invitation is a conflict, a broken one is in the payload", async () => {
      const { email } = await person();
      assert.deepEqual(await refusal(mailing, INVITE, { input: { email: email.toUpperCase() } }), [
        "CONFLICT",
        "email",
      ]);
      const invited = address();
      await invite(mailing, { email: invited });
      assert.deepEqual(await refusal(mailing, INVITE, { input: { email: invited } }), ["CONFLICT", "email"]);
      assert.equal((await mailsTo(invited)).length, 1);
      const { invitation, link, errors } = await invite(mailing, { email: "nobody" });
      assert.deepEqual([invitation, link, errors], [null, null, [{ code: "BAD_USER_INPUT", field: "input.email" }]]);
    });

    test("U19 of sixty invitations at once fifty are made; another administrator is free", async () => {
      const all = await Promise.all(
        Array.from({ length: 60 }, () => mailing.query(INVITE, { input: { email: address() } })),
      );
      const codes = all.map(({ json }) => json.errors?.[0].extensions.code ?? "made");
      assert.equal(codes.filter((code) => code === "made").length, 50);
      assert.equal(codes.filter((code) => code === "RATE_LIMITED").length, 10);
      assert.deepEqual(await refusal(mailing, RECOVER, { id: (await person()).id }), ["RATE_LIMITED", undefined]);
      const other = open(await person({ role: "admin" }), true);
      assert.equal((await invite(other, { email: address() })).invitation.state, "OPEN");
    });

    test("P20 U19 those of a person who is disabled or no administrator any more have ended", async () => {
      for (const change of ["disableAccount(id: $id)", "changeRole(id: $id, role: EDITOR)"]) {
        const inviter = await person({ role: "admin" });
        const [email, taken] = [address(), address()];
        const { invitation, link } = await invite(open(inviter, false), { email, role: "ADMIN" });
        const accepted = await invite(open(inviter, false), { email: taken });
        const made = { name: "N", role: "member", passwordHash: null } as const;
        const accept = (from: string) =>
          store.accountTokens.createPerson(
            hashToken(secretIn(from, "/invitation")),
            made,
            Math.floor(Date.now() / 1_000),
          );
        assert.notEqual(await accept(accepted.link), null);
        await data(mailing, `mutation ($id: ID!) { ${change} { account { id } } }`, { id: inviter.id });
        assert.notEqual((await invitationOf(invitation.id)).withdrawnAt, null, change);
        assert.equal((await invitationOf(accepted.invitation.id)).withdrawnAt, null, change);
        assert.equal(await accept(link), null, change);
        assert.equal((await invite(mailing, { email })).invitation.state, "OPEN", "the address is free again");
      }
    });

    test("U16 U18 sent again: another link beside the first, seven days from then; ended ones are conflicts", async () => {
      const RESEND = "mutation ($id: ID!) { resendInvitation(id: $id) { invitation { id state expiresAt } link } }";
      const email = address();
      const { invitation, link } = await invite(mailless, { email });
      const soon = new Date(Date.now() + 60_000).toISOString();
      await store.invitations.renew(invitation.id, soon); // as if six days had passed
      const again = (await data(mailless, RESEND, { id: invitation.id })).resendInvitation;
      assert.deepEqual([again.invitation.id, again.invitation.state], [invitation.id, "OPEN"]);
      assert.ok(Date.parse(again.invitation.expiresAt) - Date.now() > WEEK - 60_000);
      assert.notEqual(again.link, link);
      for (const each of [link, again.link]) {
        const token = await store.accountTokens.find(hashToken(secretIn(each, "/invitation")));
        assert.deepEqual([token?.usedAtSeconds, token?.voidedAtSeconds], [null, null]);
      }
      assert.equal((await data(mailing, RESEND, { id: invitation.id })).resendInvitation.link, null);
      assert.equal((await mailsTo(email)).length, 1);
      const WITHDRAW =
        "mutation ($id: ID!) { withdrawInvitation(id: $id) { invitation { state withdrawnAt } errors { code } } }";
      const { withdrawInvitation } = await data(mailing, WITHDRAW, { id: invitation.id });
      assert.equal(withdrawInvitation.invitation.state, "WITHDRAWN");
      assert.deepEqual(await data(mailing, WITHDRAW, { id: invitation.id }), { withdrawInvitation });
      const token = await store.accountTokens.find(hashToken(secretIn(again.link, "/invitation")));
      assert.notEqual(token?.voidedAtSeconds, null);
      assert.deepEqual(await refusal(mailing, RESEND, { id: invitation.id }), ["CONFLICT", undefined]);
      const other = await invite(mailing, { email });
      await person({ email });
      assert.deepEqual(await refusal(mailing, RESEND, { id: other.invitation.id }), ["CONFLICT", "email"]);
      for (const query of [RESEND, WITHDRAW])
        for (const id of [NOBODY, "x"])
          assert.deepEqual(await refusal(mailing, query, { id }), ["NOT_FOUND", undefined]);
    });

    test("with an Idempotency-Key one invitation; where its first answer was lost, another link to it", async () => {
      const headers = { "idempotency-key": '"invite"' };
      const input = { email: address() };
      const first = await mailless.query(INVITE, { input }, headers);
      const again = await mailless.query(INVITE, { input }, headers);
      assert.equal(again.body, first.body);
      const losing = { ...store, idempotency: { ...store.idempotency, keepAnswer: async () => {} } } as Store;
      for (const sendsMail of [true, false]) {
        const lost = open(admin, sendsMail, losing);
        const other = { "idempotency-key": `"lost ${sendsMail}"` };
        const email = address();
        const made = await invite(lost, { email }, other);
        const recalled = await invite(lost, { email }, other);
        assert.deepEqual(recalled.invitation, made.invitation);
        assert.equal((await mailsTo(email)).length, sendsMail ? 2 : 0);
        if (sendsMail) assert.deepEqual([made.link, recalled.link], [null, null]);
        else {
          const token = await store.accountTokens.find(hashToken(secretIn(recalled.link, "/invitation")));
          assert.deepEqual([token?.invitationId, token?.usedAtSeconds], [made.invitation.id, null]);
        }
      }
    });

    test("listed newest first, with what became of each", async () => {
      const emails = [address(), address(), address()];
      const ids = [];
      for (const email of emails) ids.unshift((await invite(mailing, { email })).invitation.id);
      await store.invitations.renew(ids[0] as Id, new Date(Date.now() - 1_000).toISOString());
      const walk =
        "query ($after: String) { invitations(first: 2, after: $after) { nodes { id state } pageInfo { endCursor } } }";
      const page = (await data(mailing, walk)).invitations;
      assert.deepEqual(page.nodes, [
        { id: ids[0], state: "EXPIRED" },
        { id: ids[1], state: "OPEN" },
      ]);
      const next = (await data(mailing, walk, { after: page.pageInfo.endCursor })).invitations;
      assert.equal(next.nodes[0].id, ids[2]);
      // One that has expired makes room for another, and is still one that expired.
      await invite(mailing, { email: emails[2] as string });
      assert.deepEqual((await data(mailing, "{ invitations(first: 2) { nodes { state } } }")).invitations.nodes, [
        { state: "OPEN" },
        { state: "EXPIRED" },
      ]);
    });
  });

  describe("help", () => {
    test("U71 recovery by mail, or as a link for 24 hours that proves no address; nothing changes until it is used", async () => {
      const user = await person();
      await store.artifacts.put(anArtifact({ idHash: user.id, kind: "Session", userId: user.id }));
      const mailed = (await data(mailing, RECOVER, { id: user.id })).sendRecovery;
      assert.deepEqual(mailed, { account: { id: user.id, email: user.email }, link: null, errors: [] });
      const [mail] = await mailsTo(user.email);
      assert.deepEqual([mail?.kind, mail?.userId], ["recovery-by-administrator", user.id]);
      const told = (await mailsTo(admin.email)).filter(({ kind }) => kind === "recovery-told");
      assert.deepEqual(
        told.map(({ userId, params }) => [userId, params.name]),
        [[admin.id, user.name]],
        "administrators are told",
      );
      const { link } = (await data(mailless, RECOVER, { id: user.id })).sendRecovery;
      const secret = secretIn(link, "/recover/finish");
      const token = await store.accountTokens.find(hashToken(secret));
      assert.deepEqual([token?.purpose, token?.userId, token?.provesEmail], ["recovery", user.id, false]);
      assert.equal((token?.expiresAtSeconds ?? 0) - (token?.createdAtSeconds ?? 0), 86_400);
      assert.ok(!JSON.stringify([recorded, mailless.log]).includes(secret));
      assert.deepEqual(
        recorded.map(({ event, userId, detail }) => [event, userId, detail]),
        [
          ["recovery", user.id, `sent by an administrator by ${admin.id}`],
          ["recovery", user.id, `link given to an administrator by ${admin.id}`],
        ],
      );
      assert.deepEqual(await store.users.find(user.id), user);
      assert.notEqual(await store.artifacts.find("Session", user.id), null);
    });

    test("U71 P48 not for oneself, nor for somebody who is disabled or not there", async () => {
      const disabled = await person();
      await store.users.update(disabled.id, { disabledAt: new Date().toISOString() });
      for (const server of [mailing, mailless])
        for (const [id, code] of [
          [admin.id, "CONFLICT"],
          [disabled.id, "CONFLICT"],
          [NOBODY, "NOT_FOUND"],
          ["x", "NOT_FOUND"],
        ] as const)
          assert.deepEqual(await refusal(server, RECOVER, { id }), [code, undefined]);
      assert.deepEqual([...(await mailsTo(admin.email)), ...(await mailsTo(disabled.email)), ...recorded], []);
    });

    test("recovery with an Idempotency-Key is sent once, and once more where the first answer was lost", async () => {
      const user = await person();
      const headers = { "idempotency-key": '"recover"' };
      for (let i = 0; i < 3; i++) await data(mailing, RECOVER, { id: user.id }, headers);
      assert.equal((await mailsTo(user.email)).length, 1);
      const losing = { ...store, idempotency: { ...store.idempotency, keepAnswer: async () => {} } } as Store;
      const lost = open(admin, true, losing);
      for (let i = 0; i < 2; i++) await data(lost, RECOVER, { id: user.id }, { "idempotency-key": '"lost recovery"' });
      assert.equal((await mailsTo(user.email)).length, 3);
    });

    test("U70 everything of a person ends, and an interrupted request ends it when it is sent again", async () => {
      const user = await person();
      const put = () => store.artifacts.put(anArtifact({ idHash: user.id, kind: "Session", userId: user.id }));
      await put();
      const END = "mutation ($id: ID!) { endSessions(id: $id) { account { id disabledAt } } }";
      const { endSessions } = await data(mailing, END, { id: user.id });
      assert.deepEqual(endSessions.account, { id: user.id, disabledAt: null });
      assert.equal(await store.artifacts.find("Session", user.id), null);
      assert.deepEqual(
        recorded.map(({ event, userId }) => [event, userId]),
        [["session", user.id]],
      );
      await put();
      let isBroken = true;
      const revokeUser: Store["artifacts"]["revokeUser"] = (userId) =>
        isBroken ? Promise.reject(new Error("broken off")) : store.artifacts.revokeUser(userId);
      const breaking = open(admin, true, { ...store, artifacts: { ...store.artifacts, revokeUser } } as Store);
      const ask = () => breaking.query(END, { id: user.id }, { "idempotency-key": '"end"' });
      assert.equal((await ask()).json.errors[0].extensions.code, "INTERNAL");
      isBroken = false;
      assert.equal((await ask()).json.data.endSessions.account.id, user.id);
      assert.equal(await store.artifacts.find("Session", user.id), null);
      assert.deepEqual(await refusal(mailing, END, { id: NOBODY }), ["NOT_FOUND", undefined]);
    });

    test("U54 a new administrator is told once, at a proved address", async () => {
      const CHANGE = "mutation ($id: ID!, $role: Role!) { changeRole(id: $id, role: $role) { account { role } } }";
      const [proved, unproved] = [await person(), await person({ emailVerified: false })];
      for (const { id } of [proved, unproved])
        for (const role of ["EDITOR", "ADMIN", "ADMIN"]) await data(mailing, CHANGE, { id, role });
      assert.deepEqual(
        (await mailsTo(proved.email)).map(({ kind }) => kind),
        ["role-admin"],
      );
      assert.deepEqual(await mailsTo(unproved.email), []);
    });

    test("U70 an account tells how its person signs in, when last, and whether mail reaches them", async () => {
      const [withPassword, without] = [await person({ passwordHash: "$argon2id$x" }), await person()];
      const at = "2030-01-31T12:00:00.000Z";
      await store.accountStates.note(withPassword.id, { mailState: "failing", lastSignInAt: at });
      const FIELDS = "signInMethods mailState lastSignInAt";
      const found = await data(mailing, `query ($id: ID!) { account(id: $id) { ${FIELDS} } }`, { id: withPassword.id });
      assert.deepEqual(found.account, { signInMethods: ["PASSWORD"], mailState: "FAILING", lastSignInAt: at });
      const { accounts } = await data(mailing, `{ accounts(first: 2) { nodes { id ${FIELDS} } } }`);
      assert.deepEqual(accounts.nodes, [
        { id: without.id, signInMethods: [], mailState: "OK", lastSignInAt: null },
        { id: withPassword.id, ...found.account },
      ]);
    });

    test("U40 U70 a passkey is a way in, but not one for another domain, nor where passkeys are off", async () => {
      const [both, passkeyOnly, elsewhere] = [
        await person({ passwordHash: "$argon2id$x" }),
        await person(),
        await person(),
      ];
      for (const [credentialId, userId, rpId] of [
        ["both", both.id, "example.com"],
        ["only", passkeyOnly.id, "example.com"],
        ["only, elsewhere", passkeyOnly.id, "old.example"],
        ["elsewhere", elsewhere.id, "old.example"],
      ] as const)
        await store.passkeys.create(aPasskey({ userId, credentialId, rpId }), 0);
      const methodsBy = async (server: TestServer) => {
        const { accounts } = await data(server, "{ accounts(first: 3) { nodes { id signInMethods } } }");
        for (const { id, signInMethods } of accounts.nodes) {
          const { account } = await data(server, "query ($id: ID!) { account(id: $id) { signInMethods } }", { id });
          assert.deepEqual(account, { signInMethods });
        }
        return accounts.nodes.map((node: { signInMethods: string[] }) => node.signInMethods);
      };
      assert.deepEqual(await methodsBy(mailing), [[], ["PASSKEY"], ["PASSWORD", "PASSKEY"]]);
      const administration = { ...administrationForTests, passkeyId: null };
      const viewer = { ...ada, userId: admin.id, role: "admin" } as const;
      assert.deepEqual(await methodsBy(openTestServer({ store, viewer, administration })), [[], [], ["PASSWORD"]]);
    });
  });

  describe("mails", () => {
    test("U55 P21 listed without their text, by state, newest first", async () => {
      const [first, second] = [await person(), await person()];
      for (const { id } of [first, second]) await data(mailing, RECOVER, { id });
      const at = new Date().toISOString();
      const kept = await store.mails.add({
        ...{ kind: "sign-up", userId: null, address: address(), language: "en", params: { browser: "a secret hash" } },
        expiresAt: new Date(Date.now() + 60_000).toISOString(),
      });
      const until = new Date(Date.now() + 60_000).toISOString();
      for (const { id, claim } of await store.mails.claim({ now: until, until: "9000", limit: 1_000 }))
        if (id === kept) await store.mails.settle(id, claim, { state: "FAILED", error: "550 no such person" }, at);
      const FIELDS = "id kind personId address state attempts error createdAt expiresAt sentAt";
      const list = `query ($state: MailState) { mails(first: 100, state: $state) { nodes { ${FIELDS} } } }`;
      const answer = await mailing.query(list, {});
      assert.deepEqual(
        answer.json.data.mails.nodes
          .filter(({ kind }: { kind: string }) => kind !== "RECOVERY_TOLD")
          .map(({ personId }: { personId: string | null }) => personId)
          .slice(0, 3),
        [null, second.id, first.id],
      );
      assert.ok(!answer.body.includes("a secret hash"));
      const [failed] = (await data(mailing, list, { state: "FAILED" })).mails.nodes;
      assert.deepEqual(
        [failed.id, failed.kind, failed.state, failed.attempts, failed.error, failed.sentAt],
        [kept, "SIGN_UP", "FAILED", 1, "550 no such person", null],
      );
      assert.equal((await data(mailing, list, { state: "SENT" })).mails.nodes.length, 0);
      const RETRY =
        "mutation ($id: ID!) { retryMail(id: $id) { mail { id state attempts error } errors { message } } }";
      const headers = { "idempotency-key": '"retry"' };
      const again = { id: kept, state: "PENDING", attempts: 0, error: null };
      for (let i = 0; i < 2; i++)
        assert.deepEqual((await data(mailing, RETRY, { id: kept }, headers)).retryMail, { mail: again, errors: [] });
      assert.deepEqual(await refusal(mailing, RETRY, { id: kept }), ["CONFLICT", undefined]);
      assert.deepEqual(await refusal(mailing, RETRY, { id: "none" }), ["NOT_FOUND", undefined]);
      const [claimed] = await store.mails.claim({ now: until, until: "9000", limit: 1_000 });
      await store.mails.settle(kept, claimed?.claim ?? "", { state: "FAILED", error: "550 no such person" }, at);
      // Of somebody without an account the address is forgotten.
      const later = new Date(Date.now() + 60_000).toISOString();
      await store.mails.sweep({ endedBefore: "2020-01-01T00:00:00.000Z", wipedBefore: later }, 100);
      assert.equal((await data(mailing, list, { state: "FAILED" })).mails.nodes[0].address, null);
    });

    test("U55 a test mail goes to one address, once for a key; without mail it is a conflict", async () => {
      const TEST = "mutation ($to: String!) { sendTestMail(to: $to) { mail { id kind state } errors { field } } }";
      const to = address();
      const headers = { "idempotency-key": '"test mail"' };
      const { sendTestMail } = await data(mailing, TEST, { to }, headers);
      assert.deepEqual(await data(mailing, TEST, { to }, headers), { sendTestMail });
      const [mail, ...more] = await mailsTo(to);
      assert.deepEqual([mail?.id, mail?.kind, more], [sendTestMail.mail.id, "test", []]);
      assert.deepEqual(
        recorded.map(({ event, detail }) => [event, detail]),
        [["mail", `test mail ${mail?.id} by ${admin.id}`]],
      );
      assert.deepEqual((await data(mailing, TEST, { to: "a@b, c@d" })).sendTestMail.errors, [{ field: "to" }]);
      assert.deepEqual(await refusal(mailless, TEST, { to }), ["CONFLICT", undefined]);
    });
  });

  test("U70 a person sees whether their own address is proved with the scope that shows it", async () => {
    for (const emailVerified of [true, false]) {
      const { id, email } = await person({ emailVerified });
      const viewer = (scopes: string[]) => ({ ...ada, userId: id, role: "member" as const, scopes: new Set(scopes) });
      const own = openTestServer({ store, viewer: viewer(["profile", "email"]) });
      const { json } = await own.query("{ viewer { email emailVerified } }");
      assert.deepEqual(json, { data: { viewer: { email, emailVerified } } });
      const name = openTestServer({ store, viewer: viewer(["profile"]) });
      const refused = await name.query("{ viewer { emailVerified } }");
      assert.deepEqual([refused.status, refused.json.errors[0].extensions.scopes], [403, ["profile", "email"]]);
      const reader = openTestServer({ store, viewer: viewer(["users:read", "email"]) });
      assert.equal((await reader.query(`{ user(id: "${id}") { emailVerified } }`)).status, 403);
      const all = openTestServer({ store, viewer: viewer(["users:read", "users:email"]) });
      assert.deepEqual((await all.query(`{ user(id: "${id}") { emailVerified } }`)).json.data.user, { emailVerified });
    }
  });
});
