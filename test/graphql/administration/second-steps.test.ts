import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { NewAuditEvent } from "../../../src/domain/audit.ts";
import type { User } from "../../../src/domain/people/user.ts";
import type { Store } from "../../../src/domain/store/store.ts";
import type { Viewer } from "../../../src/domain/viewer.ts";
import { aPasskey, aPerson } from "../../conformance/samples.ts";
import { openTestStore, type TestStore } from "../../database.ts";
import { openTestPeopleMail } from "../../people-mail.ts";
import { ada, administrationForTests, openTestServer } from "../server.ts";

const AT = "2026-01-31T12:00:00.000Z";
const RP = "example.com";
const RESET = `mutation ($id: ID!, $passkeys: Boolean! = false) {
  resetSecondStep(id: $id, passkeys: $passkeys) { account { id secondStep signInMethods } errors { code } }
}`;

describe("U71 P48 a second step that is lost", () => {
  let database: TestStore;
  let store: Store;
  let admin: User;
  let other: User;
  const recorded: NewAuditEvent[] = [];

  before(async () => {
    database = await openTestStore();
    store = database.store;
    admin = await store.users.create(aPerson({ email: "admin@example.com", role: "admin" }));
    other = await store.users.create(aPerson({ email: "other@example.com", role: "admin" }));
  });
  after(async () => {
    await database.close();
  });

  async function reset(variables: object, viewer: Partial<Viewer> = {}, headers = {}) {
    const mail = openTestPeopleMail(store, "https://accounts.example.com");
    const record = async (event: NewAuditEvent) => void recorded.push(event);
    const administration = { ...administrationForTests, mail, record };
    const server = openTestServer({
      ...{ store, administration },
      viewer: { ...ada, userId: admin.id, role: "admin", ...viewer },
    });
    const { json } = await server.query(RESET, variables, headers);
    return { ...json.data?.resetSecondStep, code: json.errors?.[0].extensions.code };
  }

  /** A person with an authenticator app, a passkey and a recovery code, whose second step is on. */
  async function person(email: string, role: User["role"] = "member"): Promise<User> {
    const { secondSteps, users, passkeys } = store;
    const { id } = await users.create(aPerson({ email, role, passwordHash: "$argon2id$x" }));
    await passkeys.create(aPasskey({ userId: id, rpId: RP, credentialId: `of ${email}` }), 0);
    const known = async () => (await users.find(id)) ?? assert.fail();
    await secondSteps.confirmTotp(await known(), { sealedSecret: "sealed", confirmedAt: AT, step: 1 });
    await secondSteps.replaceRecoveryCodes(await known(), ["a"], AT);
    return (await secondSteps.turnOn(await known(), RP)) ?? assert.fail();
  }

  test("U71 app and codes go, passkeys stay; the person and all administrators are told, once for one request", async () => {
    const user = await person("grace@example.com");
    const headers = { "idempotency-key": '"lost"' };
    const { account } = await reset({ id: user.id }, {}, headers);
    assert.deepEqual(account, { id: user.id, secondStep: false, signInMethods: ["PASSWORD", "PASSKEY"] });
    assert.deepEqual((await reset({ id: user.id }, {}, headers)).account, account);
    assert.deepEqual(await store.secondSteps.findFactors(user.id, RP), { totp: null, codesLeft: 0, passkeys: 1 });
    assert.ok(((await store.users.find(user.id))?.credentialVersion ?? 0) > user.credentialVersion);
    const told = await store.mails.list({ limit: 9 });
    assert.deepEqual(told.map(({ kind, address, params }) => [kind, address, params.by, params.name]).sort(), [
      ["second-step-off", admin.email, "administrator", user.name],
      ["second-step-off", user.email, "administrator", undefined],
      ["second-step-off", other.email, "administrator", user.name],
    ]);
    assert.deepEqual(
      recorded.map(({ event, result, userId, detail }) => [event, result, userId, detail]),
      [["second-step", "ok", user.id, `turned off by an administrator by ${admin.id}`]],
    );
  });

  test("U71 passkeys go where that is asked for", async () => {
    const user = await person("joan@example.com");
    const { account } = await reset({ id: user.id, passkeys: true });
    assert.deepEqual(account.signInMethods, ["PASSWORD"]);
  });

  test("P48 not for oneself, not by a client or an editor, and not for nobody", async () => {
    const self = await person("self@example.com", "admin");
    assert.equal((await reset({ id: self.id }, { userId: self.id })).code, "CONFLICT");
    assert.equal((await reset({ id: self.id }, { userId: null, role: null })).code, "FORBIDDEN");
    assert.equal((await reset({ id: self.id }, { role: "editor" })).code, "FORBIDDEN");
    assert.equal((await reset({ id: "01a21efd-4214-7000-8474-a0573e6a4ee8" })).code, "NOT_FOUND");
    assert.equal((await store.users.find(self.id))?.secondStep, true);
    assert.equal((await store.secondSteps.findFactors(self.id, RP)).codesLeft, 1);
  });
});
