import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { SFA_ACR } from "../../../src/domain/acr.ts";
import type { Id } from "../../../src/domain/id.ts";
import type { User } from "../../../src/domain/people/user.ts";
import type { Store } from "../../../src/domain/store/store.ts";
import { challenge } from "../../../src/resource-server/challenge.ts";
import { aPerson } from "../../conformance/samples.ts";
import { openTestStore, type TestStore } from "../../database.ts";
import { openTestPeopleMail } from "../../people-mail.ts";
import { ada, administrationForTests, openTestServer } from "../server.ts";

const NOW = Date.parse("2026-11-28T12:00:00.000Z");
const HOUR = 3_600;
const FRESH = { atSeconds: NOW / 1_000 - HOUR, acr: SFA_ACR };
const STALE = { atSeconds: NOW / 1_000 - HOUR - 1, acr: SFA_ACR };
const CREATE =
  "mutation ($input: CreateAccountInput!) { createAccount(input: $input) { account { role } errors { code } } }";
const INVITE =
  "mutation ($input: InviteAccountInput!) { inviteAccount(input: $input) { invitation { role } errors { code } } }";
const RESEND = "mutation ($id: ID!) { resendInvitation(id: $id) { link errors { code } } }";

describe("U61 new administrators", () => {
  let database: TestStore;
  let store: Store;
  let actor: User;

  before(async () => {
    database = await openTestStore();
    store = database.store;
    actor = await store.users.create(aPerson({ email: "actor@example.com", role: "admin" }));
  });
  after(async () => {
    await database.close();
  });

  async function ask(signIn: typeof FRESH | null, text: string, variables: object, headers = {}) {
    const mail = openTestPeopleMail(store, "https://accounts.example.com", { sendsMail: false });
    const {
      status,
      headers: answered,
      json,
    } = await openTestServer({
      ...{ store, now: () => NOW, administration: { ...administrationForTests, mail, now: () => NOW } },
      viewer: { ...ada, userId: actor.id, role: "admin", signIn },
      challenge: (error) => challenge(error, "https://api.example.com/.well-known/oauth-protected-resource/graphql"),
    }).query(text, variables, headers);
    return { status, json, challenge: answered["www-authenticate"] ?? "" };
  }

  test("U61 an account or invitation of an administrator needs a recent sign-in, however the role is written", async () => {
    const input = { email: "new@example.com", role: "ADMIN" };
    const both = `a: createAccount(input: {email: "a@example.com", name: "A"}) { errors { code } }
      b: inviteAccount(input: {email: "b@example.com", role: ADMIN}) { link }`;
    for (const [text, variables] of [
      [CREATE, { input: { ...input, name: "N" } }],
      [INVITE, { input }],
      [`mutation { ${both} }`, {}],
      [`mutation { ...F } fragment F on Mutation { ${both} }`, {}],
      [
        'mutation ($role: Role!) { inviteAccount(input: {email: "c@example.com", role: $role}) { link } }',
        { role: "ADMIN" },
      ],
      ['mutation ($role: Role = ADMIN) { inviteAccount(input: {email: "c@example.com", role: $role}) { link } }', {}],
    ] as const)
      for (const signIn of [STALE, null]) {
        const { status, json } = await ask(signIn, text, variables);
        assert.deepEqual([status, json.data], [401, undefined], text);
        assert.deepEqual(json.errors[0].extensions, { code: "UNAUTHENTICATED", maxAge: HOUR });
      }
    assert.deepEqual(await store.users.listNewest(undefined, 9), [actor], "nothing of it ran");
    assert.deepEqual(await store.invitations.list(undefined, 9), []);
  });

  test("U61 an administrator's invitation is sent again after a recent sign-in only", async () => {
    const ids: Record<string, Id> = {};
    for (const role of ["admin", "member"] as const) {
      const about = {
        email: `${role}@again.example`,
        role,
        invitedBy: actor.id,
        expiresAt: new Date(NOW).toISOString(),
      };
      ids[role] = (await store.invitations.create(about)).id;
    }
    const both = `mutation { a: resendInvitation(id: "${ids.member}") { link } b: resendInvitation(id: "${ids.admin}") { link } }`;
    for (const signIn of [STALE, null]) {
      const refused = await ask(signIn, both, {});
      assert.deepEqual([refused.status, refused.json.data], [401, undefined]);
      assert.match(refused.challenge, /^Bearer error="insufficient_user_authentication", /);
      const variables = { id: ids.admin };
      assert.equal((await ask(signIn, RESEND, variables)).status, 401);
      assert.equal((await ask(signIn, RESEND, variables, { "idempotency-key": "again" })).status, 401);
      const { json } = await ask(signIn, RESEND, { id: ids.member });
      assert.match(json.data.resendInvitation.link, /^https:/);
      for (const id of ["x", actor.id])
        assert.equal((await ask(signIn, RESEND, { id })).json.errors[0].extensions.code, "NOT_FOUND");
    }
    assert.equal((await store.invitations.find(ids.admin as Id))?.expiresAt, new Date(NOW).toISOString());
    const key = { "idempotency-key": "recent" };
    const sent = await ask(FRESH, RESEND, { id: ids.admin }, key);
    assert.match(sent.json.data.resendInvitation.link, /^https:/);
    assert.equal((await ask(STALE, RESEND, { id: ids.admin }, key)).status, 401, "no answer of before either");
  });

  test("U61 a recent sign-in makes them, and other roles need none", async () => {
    for (const [role, signIn] of [
      ["ADMIN", FRESH],
      ["EDITOR", null],
      ["MEMBER", STALE],
    ] as const) {
      const made = await ask(signIn, CREATE, { input: { email: `${role}@made.example`, name: "N", role } });
      assert.deepEqual(made.json, { data: { createAccount: { account: { role }, errors: [] } } });
      const invited = await ask(signIn, INVITE, { input: { email: `${role}@invited.example`, role } });
      assert.deepEqual(invited.json, { data: { inviteAccount: { invitation: { role }, errors: [] } } });
    }
  });
});
