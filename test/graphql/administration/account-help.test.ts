import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openAttemptLimit } from "../../../src/authorization-server/sign-in/attempts.ts";
import { forgetAttempts } from "../../../src/authorization-server/sign-in/unlock.ts";
import type { NewAuditEvent } from "../../../src/domain/audit.ts";
import { MOST_TOTP_FAILURES } from "../../../src/domain/people/second-step.ts";
import type { User } from "../../../src/domain/people/user.ts";
import type { Store } from "../../../src/domain/store/store.ts";
import type { Viewer } from "../../../src/domain/viewer.ts";
import { aPerson } from "../../conformance/samples.ts";
import { openTestStore, type TestStore } from "../../database.ts";
import { openTestPeopleMail } from "../../people-mail.ts";
import { ada, administrationForTests, openTestServer } from "../server.ts";

const AT = "2026-01-31T12:00:00.000Z";
const NOBODY = "01a21efd-4214-7000-8474-a0573e6a4ee8";
const UNLOCK = "mutation ($id: ID!) { unlockAccount(id: $id) { account { id } errors { code } } }";
const SET_LOCAL = `mutation ($id: ID!, $isAllowed: Boolean!) {
  setLocalSignIn(id: $id, isAllowed: $isAllowed) { account { id localSignIn } errors { code } }
}`;
const EXPORT = "query ($id: ID!) { file: accountExport(id: $id) }";

describe("S66 P48 help that only the terminal had", () => {
  let database: TestStore;
  let store: Store;
  let admin: User;
  const recorded: NewAuditEvent[] = [];

  before(async () => {
    database = await openTestStore();
    store = database.store;
    admin = await store.users.create(aPerson({ email: "admin@example.com", role: "admin" }));
  });
  after(async () => {
    await database.close();
  });

  const person = (email: string) => store.users.create(aPerson({ email, passwordHash: "$argon2id$x" }));

  function open(viewer: Partial<Viewer> = {}, pieces: readonly string[] = ['{"profile":', '"é"}\n']) {
    return openTestServer({
      store,
      administration: {
        ...administrationForTests,
        mail: openTestPeopleMail(store, "https://accounts.example.com"),
        forgetAttempts: (user) => forgetAttempts(store, user),
        async exportAccount({ email }) {
          return (async function* () {
            yield* [email, ...pieces];
          })();
        },
        record: async (event) => void recorded.push(event),
      },
      viewer: { ...ada, userId: admin.id, role: "admin", ...viewer },
    });
  }

  async function ask(query: string, variables: object, viewer: Partial<Viewer> = {}, headers = {}) {
    const { json, status } = await open(viewer).query(query, variables, headers);
    return { status, data: json.data, code: json.errors?.[0].extensions.code };
  }

  const entries = () => recorded.splice(0).map(({ event, result, userId, detail }) => [event, result, userId, detail]);

  test("unlockAccount resets attempts at the password and the second step, once for one request", async () => {
    const user = await person("grace@example.com");
    const limit = openAttemptLimit(store.attempts, Date.now);
    const mayTry = () => limit.begin({ email: user.email, address: "192.0.2.1", budget: null });
    const wearOut = async () => {
      for (let i = 0; i < 10; i++) await mayTry();
      assert.equal(await mayTry(), false);
    };
    const failures = async () => (await store.secondSteps.findFactors(user.id, null)).totp?.failures;
    assert.ok(await store.secondSteps.confirmTotp(user, { sealedSecret: "sealed", confirmedAt: AT, step: 1 }));
    for (let i = 0; i < MOST_TOTP_FAILURES; i++) await store.secondSteps.countTotp(user.id);
    await wearOut();
    assert.equal(await failures(), MOST_TOTP_FAILURES);

    const headers = { "idempotency-key": '"unlock"' };
    const { data } = await ask(UNLOCK, { id: user.id }, {}, headers);
    assert.deepEqual(data.unlockAccount, { account: { id: user.id }, errors: [] });
    assert.deepEqual([await mayTry(), await failures()], [true, 0]);
    assert.deepEqual(entries(), [["person", "ok", user.id, `unlocked by ${admin.id}`]]);
    await wearOut();
    assert.deepEqual((await ask(UNLOCK, { id: user.id }, {}, headers)).data, data);
    assert.equal(await mayTry(), false, "no reset without an entry in the audit");
    assert.deepEqual(entries(), []);
  });

  test("unlockAccount is not for oneself, not for clients and editors, and not for nobody", async () => {
    const limit = openAttemptLimit(store.attempts, Date.now);
    const mayTry = () => limit.begin({ email: admin.email, address: "192.0.2.1", budget: null });
    for (let i = 0; i < 10; i++) await mayTry();
    assert.equal((await ask(UNLOCK, { id: admin.id })).code, "CONFLICT");
    for (const viewer of [{ userId: null, role: null }, { role: "editor" }] as const)
      assert.equal((await ask(UNLOCK, { id: admin.id }, viewer)).code, "FORBIDDEN");
    for (const id of [NOBODY, "not an id"]) assert.equal((await ask(UNLOCK, { id })).code, "NOT_FOUND");
    assert.equal(await mayTry(), false);
    assert.deepEqual(entries(), []);
  });

  test("U65 setLocalSignIn allows it and ends it; the person is told, once for one request", async () => {
    const user = await person("joan@example.com");
    for (const [isAllowed, word] of [
      [true, "on"],
      [false, "off"],
    ] as const) {
      const headers = { "idempotency-key": `"local ${word}"` };
      const { data } = await ask(SET_LOCAL, { id: user.id, isAllowed }, {}, headers);
      assert.deepEqual(data.setLocalSignIn, { account: { id: user.id, localSignIn: isAllowed }, errors: [] });
      assert.deepEqual((await ask(SET_LOCAL, { id: user.id, isAllowed }, {}, headers)).data, data);
      assert.equal((await store.users.find(user.id))?.localSignIn, isAllowed);
      assert.deepEqual(entries(), [["person", "ok", user.id, `local sign-in ${word} by ${admin.id}`]]);
    }
    assert.equal((await store.mails.list({ userId: user.id, limit: 9 })).length, 2);
    assert.equal((await ask(SET_LOCAL, { id: user.id, isAllowed: true }, { role: "editor" })).code, "FORBIDDEN");
    assert.equal((await ask(SET_LOCAL, { id: NOBODY, isAllowed: true })).code, "NOT_FOUND");
    assert.equal((await store.users.find(user.id))?.localSignIn, false);
  });

  test("U73 accountExport gives the whole text, and the audit keeps it", async () => {
    const user = await person("mary@example.com");
    const { data } = await ask(EXPORT, { id: user.id });
    assert.deepEqual(data, { file: 'mary@example.com{"profile":"é"}\n' });
    assert.deepEqual(entries(), [["export", "ok", user.id, `downloaded by an administrator by ${admin.id}`]]);
    for (const id of [NOBODY, "not an id"]) assert.equal((await ask(EXPORT, { id })).code, "NOT_FOUND");
    assert.equal((await ask(EXPORT, { id: user.id }, { role: "editor" })).code, "FORBIDDEN");
    for (const scope of ["admin", "users:email"]) {
      const scopes = new Set([...ada.scopes].filter((one) => one !== scope));
      assert.deepEqual(await ask(EXPORT, { id: user.id }, { scopes }), {
        ...{ status: 403, data: undefined, code: "FORBIDDEN" },
      });
    }
    assert.deepEqual(entries(), []);
  });

  test("U73 a text above 16 MiB is rejected, and so are many in one request", async () => {
    const { id } = await person("rosa@example.com");
    const pieces = Array.from({ length: 17 }, () => "x".repeat(1_024 * 1_024));
    const { json } = await open({}, pieces).query(EXPORT, { id });
    assert.deepEqual([json.data, json.errors[0].extensions.code], [null, "BAD_USER_INPUT"]);
    assert.match(json.errors[0].message, /user export/);
    const five = [1, 2, 3, 4, 5].map((number) => `f${number}: accountExport(id: "${id}")`);
    assert.equal((await ask(`{ ${five.join(" ")} }`, {})).code, "COST_LIMIT_EXCEEDED");
    assert.deepEqual(entries(), []);
  });

  test("U61 accountExport needs a recent sign-in, by POST and by GET", async () => {
    const { id } = await person("hedy@example.com");
    const query = `{ accountExport(id: "${id}") }`;
    const signIn = { atSeconds: Date.now() / 1_000 - 3_601, acr: null };
    for (const viewer of [{ signIn }, { signIn: null }]) {
      assert.deepEqual(await ask(query, {}, viewer), { status: 401, data: undefined, code: "UNAUTHENTICATED" });
      const url = `/graphql?query=${encodeURIComponent(query)}`;
      assert.equal((await open(viewer).send({ method: "GET", url })).status, 401);
    }
    assert.deepEqual(entries(), []);
  });
});
