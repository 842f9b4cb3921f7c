import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { SFA_ACR } from "../../../src/domain/acr.ts";
import type { User } from "../../../src/domain/people/user.ts";
import type { Store } from "../../../src/domain/store/store.ts";
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

  async function ask(signIn: typeof FRESH | null, text: string, variables: object) {
    const mail = openTestPeopleMail(store, "https://accounts.example.com", { sendsMail: false });
    const { status, json } = await openTestServer({
      ...{ store, now: () => NOW, administration: { ...administrationForTests, mail, now: () => NOW } },
      viewer: { ...ada, userId: actor.id, role: "admin", signIn },
    }).query(text, variables);
    return { status, json };
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
