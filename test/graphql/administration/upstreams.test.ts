import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { NewAuditEvent } from "../../../src/domain/audit.ts";
import type { User } from "../../../src/domain/people/user.ts";
import type { Store } from "../../../src/domain/store/store.ts";
import type { Viewer } from "../../../src/domain/viewer.ts";
import { aPerson } from "../../conformance/samples.ts";
import { openTestStore, type TestStore } from "../../database.ts";
import { openTestPeopleMail } from "../../people-mail.ts";
import { ada, administrationForTests, openTestServer } from "../server.ts";

const AT = "2026-01-31T12:00:00.000Z";
const UNLINK = `mutation ($id: ID!, $provider: String!, $subject: String!) {
  unlinkUpstream(id: $id, provider: $provider, subject: $subject) {
    account { id signInMethods localSignIn upstreams { provider subject email linkedAt usedAt } }
  }
}`;

describe("U70 links of people, as administrators see them", () => {
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

  async function query(text: string, variables: object, viewer: Partial<Viewer> = {}, headers = {}) {
    const mail = openTestPeopleMail(store, "https://accounts.example.com");
    const record = async (event: NewAuditEvent) => void recorded.push(event);
    const server = openTestServer({
      ...{ store, administration: { ...administrationForTests, mail, record } },
      viewer: { ...ada, userId: admin.id, role: "admin", ...viewer },
    });
    return (await server.query(text, variables, headers)).json;
  }

  async function unlink(variables: object, viewer: Partial<Viewer> = {}, headers = {}) {
    const { data, errors } = await query(UNLINK, variables, viewer, headers);
    return { ...data?.unlinkUpstream, code: errors?.[0].extensions.code, message: errors?.[0].message };
  }

  async function linked(email: string, passwordHash: string | null, subjects: readonly string[]): Promise<User> {
    const person = await store.users.create(aPerson({ email, passwordHash }));
    for (const subject of subjects) {
      const identity = { provider: "acme", subject, userId: person.id, emailAtLink: `${subject}@acme.example` };
      await store.upstreamIdentities.link({ ...identity, linkedAt: AT }, person.credentialVersion);
    }
    return person;
  }

  test("U70 each person's links stand in the list of accounts, and are ways to sign in", async () => {
    const person = await linked("grace@example.com", null, ["g-1"]);
    const text =
      "{ accounts(first: 9) { nodes { id signInMethods upstreams { provider subject email linkedAt usedAt } } } }";
    const { data } = await query(text, {});
    const link = { provider: "acme", subject: "g-1", email: "g-1@acme.example", linkedAt: AT, usedAt: null };
    const found = data.accounts.nodes.find(({ id }: { id: string }) => id === person.id);
    assert.deepEqual(found, { id: person.id, signInMethods: ["UPSTREAM"], upstreams: [link] });
  });

  test("U70 U66 unlinkUpstream removes one link, once for one request, and tells the person", async () => {
    const person = await linked("joan@example.com", null, ["j-1", "j-2"]);
    const variables = { id: person.id, provider: "acme", subject: "j-1" };
    const headers = { "idempotency-key": '"unlink"' };
    const { account } = await unlink(variables, {}, headers);
    assert.deepEqual(
      account.upstreams.map(({ subject }: { subject: string }) => subject),
      ["j-2"],
    );
    assert.deepEqual((await unlink(variables, {}, headers)).account, account);
    assert.equal((await unlink(variables)).code, "NOT_FOUND");
    const told = await store.mails.list({ userId: person.id, limit: 9 });
    assert.deepEqual(
      told.map(({ kind, address, params }) => [kind, address, params]),
      [["upstream-unlinked", person.email, { service: "ACME", account: "j-1@acme.example" }]],
    );
    const { event, result, userId, detail } = recorded.at(-1) ?? {};
    assert.deepEqual(
      [event, result, userId, detail],
      ["link", "ok", person.id, `removed by an administrator: acme by ${admin.id}`],
    );
  });

  test("U29 the only way in stays, and another's link is no link of this person", async () => {
    const person = await linked("mary@example.com", null, ["m-1"]);
    const last = await unlink({ id: person.id, provider: "acme", subject: "m-1" });
    assert.equal(last.code, "CONFLICT");
    assert.match(last.message, /only way to sign in/);
    const other = await linked("hedy@example.com", "$argon2id$x", ["h-1"]);
    const foreign = await unlink({ id: person.id, provider: "acme", subject: "h-1" });
    assert.equal(foreign.code, "NOT_FOUND");
    assert.equal((await unlink({ id: "not an id", provider: "acme", subject: "h-1" })).code, "NOT_FOUND");
    assert.equal((await store.upstreamIdentities.listOf(other.id)).length, 1);
    assert.deepEqual((await unlink({ id: other.id, provider: "acme", subject: "h-1" })).account.signInMethods, [
      "PASSWORD",
    ]);
  });

  test("only administrators may", async () => {
    const person = await linked("rosa@example.com", "$argon2id$x", ["r-1"]);
    const variables = { id: person.id, provider: "acme", subject: "r-1" };
    assert.equal((await unlink(variables, { role: "editor" })).code, "FORBIDDEN");
    assert.equal((await store.upstreamIdentities.listOf(person.id)).length, 1);
  });
});
