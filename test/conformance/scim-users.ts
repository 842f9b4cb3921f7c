import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Id } from "../../src/domain/id.ts";
import type { ScimReach } from "../../src/domain/people/scim-user.ts";
import type { Store } from "../../src/domain/store/store.ts";
import { aClient, anAccountToken, anArtifact, aPerson, hasCode, listEvents, withStore, withTwo } from "./samples.ts";
import type { OpenFresh, OpenTwo } from "./store.ts";

const NOW = Date.parse("2026-01-31T12:00:00.000Z");
const AT = new Date(NOW).toISOString();
const LATER = new Date(NOW + 86_400_000).toISOString();

const ACME: ScimReach = { provider: "acme", domains: ["acme.example", "acme.test"], isEnforced: false };
const GOVERNING: ScimReach = { ...ACME, isEnforced: true };
const OTHER: ScimReach = { provider: "other", domains: ["other.example"], isEnforced: false };
const NO_LINK = { isSubject: false };
const made = (change = {}) => ({ externalId: "E-1", isActive: true, isSubject: false, ...change });
const grace = aPerson({ name: "Grace", email: "grace@acme.example" });
const all = { skip: 0, limit: 100 };

export function scimUsersConform(open: OpenFresh, openTwo: OpenTwo): void {
  const fresh = (work: (store: Store) => Promise<void>) => withStore(open, work, () => NOW);

  describe("people of services that use SCIM", () => {
    test("U69 a service finds whom it made, by address and by external id, byte by byte", () =>
      fresh(async ({ scimUsers, users, outbox }) => {
        const { user } = await scimUsers.create(ACME, grace, made());
        assert.deepEqual(await users.find(user.id), user);
        const found = { user, externalId: "E-1" };
        assert.deepEqual(await scimUsers.find(ACME, user.id), found);
        for (const filter of [{}, { email: "GRACE@Acme.example" }, { externalId: "E-1" }])
          assert.deepEqual(await scimUsers.list(ACME, filter, all), { total: 1, people: [found] });
        for (const filter of [{ email: "x@acme.example" }, { externalId: "e-1" }, { externalId: "E-1 " }])
          assert.deepEqual(await scimUsers.list(ACME, filter, all), { total: 0, people: [] });
        assert.equal((await outbox.list(null, 9))[0]?.type, "user.created");
      }));

    test("P52 R18 everybody else is nobody: other services' people, and those with an address like theirs", () =>
      fresh(async ({ scimUsers, users }) => {
        const { user } = await scimUsers.create(ACME, grace, made());
        const own = await users.create(aPerson({ email: "own@acme.example" }));
        const near = ["a@sub.acme.example", "b@acme.example.test", "c@notacme.example", "acme.example@d.test"];
        for (const email of near) await users.create(aPerson({ email }));
        for (const reach of [OTHER, { ...OTHER, isEnforced: true }]) {
          assert.equal(await scimUsers.find(reach, user.id), null);
          assert.equal((await scimUsers.list(reach, {}, all)).total, 0);
          await assert.rejects(scimUsers.change(reach, user.id, { isActive: false }, NO_LINK), hasCode("NOT_FOUND"));
        }
        assert.equal(await scimUsers.find(ACME, own.id), null);
        await assert.rejects(scimUsers.change(ACME, own.id, { name: "x" }, NO_LINK), hasCode("NOT_FOUND"));
        assert.deepEqual(await scimUsers.find(GOVERNING, own.id), { user: own, externalId: null });
        assert.equal((await scimUsers.list(GOVERNING, {}, all)).total, 2);
        assert.equal((await scimUsers.list({ ...GOVERNING, domains: [] }, {}, all)).total, 1);
        await assert.rejects(scimUsers.change(ACME, "nobody" as Id, {}, NO_LINK), hasCode("NOT_FOUND"));
      }));

    test("R18 an external id that a service gives to somebody else's person does not make the person its own", () =>
      fresh(async ({ scimUsers, users }) => {
        const { id } = await users.create(aPerson({ email: "own@acme.example" }));
        const changed = await scimUsers.change(GOVERNING, id, { externalId: "E-2" }, NO_LINK);
        assert.equal(changed.externalId, "E-2");
        assert.equal((await scimUsers.list(GOVERNING, { externalId: "E-2" }, all)).total, 1);
        assert.equal(await scimUsers.find(ACME, id), null);
      }));

    test("pages are oldest first and count everybody", () =>
      fresh(async ({ scimUsers }) => {
        const ids: Id[] = [];
        for (let i = 0; i < 5; i++)
          ids.push((await scimUsers.create(ACME, { ...grace, email: `p${i}@acme.example` }, made())).user.id);
        const page = await scimUsers.list(ACME, {}, { skip: 1, limit: 2 });
        assert.deepEqual([page.total, page.people.map(({ user }) => user.id)], [5, ids.slice(1, 3)]);
        assert.deepEqual(await scimUsers.list(ACME, {}, { skip: 9, limit: 2 }), { total: 5, people: [] });
        assert.deepEqual(await scimUsers.list(ACME, {}, { skip: 0, limit: 0 }), { total: 5, people: [] });
      }));

    test("a person is made with everything or not at all", () =>
      fresh(async ({ scimUsers, users, upstreamIdentities }) => {
        const { user } = await scimUsers.create(ACME, grace, made({ isSubject: true, isActive: false }));
        assert.equal(user.disabledAt, AT);
        assert.deepEqual(await upstreamIdentities.listOf(user.id), [
          {
            ...{ provider: "acme", subject: "E-1", userId: user.id },
            ...{ emailAtLink: grace.email, linkedAt: AT, usedAt: null },
          },
        ]);
        const bob = { ...grace, email: "bob@acme.example" };
        await assert.rejects(scimUsers.create(ACME, { ...grace, email: "GRACE@acme.example" }, made()), taken("email"));
        await assert.rejects(scimUsers.create(ACME, bob, made({ isSubject: true })), taken("externalId"));
        assert.equal(await users.findByEmail(bob.email), null);
      }));

    test("U69 a new address counts as proved, ends mailed secrets and is told; names are told too", () =>
      fresh(async (store) => {
        const { scimUsers, accountTokens } = store;
        const { user } = await scimUsers.create(ACME, { ...grace, emailVerified: false }, made());
        for (const purpose of ["recovery", "email-change", "email-undo"] as const)
          await accountTokens.put(anAccountToken({ hash: purpose, purpose, userId: user.id, email: "x@evil.example" }));
        const change = { name: "Dr. Grace", email: "grace@acme.test", externalId: null };
        const changed = await scimUsers.change(ACME, user.id, change, NO_LINK);
        const expected = { ...user, name: "Dr. Grace", email: "grace@acme.test" };
        assert.deepEqual(changed, {
          user: { ...expected, emailVerified: true, credentialVersion: 1 },
          externalId: null,
        });
        assert.deepEqual(await scimUsers.find(ACME, user.id), changed);
        for (const purpose of ["recovery", "email-change", "email-undo"])
          assert.notEqual((await accountTokens.find(purpose))?.voidedAtSeconds, null, purpose);
        assert.deepEqual(
          (await listEvents(store)).map(({ type, data }) => [type, JSON.parse(data)]),
          [
            ["user.updated", { id: user.id, name: "Dr. Grace", updatedAt: AT, version: 2 }],
            ["user.email-changed", { id: user.id }],
          ],
        );
        assert.deepEqual(await scimUsers.change(ACME, user.id, change, NO_LINK), changed, "nothing changes twice");
        assert.equal((await listEvents(store)).length, 2);
      }));

    test("R18 an address that has left the domains is not taken over, and a taken one is not given", () =>
      fresh(async ({ scimUsers, users }) => {
        const { user } = await scimUsers.create(ACME, { ...grace, email: "private@mail.example" }, made());
        const email = "grace@acme.example";
        await assert.rejects(scimUsers.change(ACME, user.id, { email }, NO_LINK), hasCode("FORBIDDEN"));
        assert.deepEqual(await users.find(user.id), user);
        const { user: bob } = await scimUsers.create(ACME, { ...grace, email: "bob@acme.example" }, made());
        await users.create(aPerson({ email }));
        await assert.rejects(scimUsers.change(ACME, bob.id, { email, name: "x" }, NO_LINK), taken("email"));
        assert.deepEqual(await users.find(bob.id), bob, "nothing of it is written");
      }));

    test("U69 disabling ends sessions, tokens, mailed secrets and invitations; enabling brings none back", () =>
      fresh(async (store) => {
        const { scimUsers, accountTokens, invitations, artifacts, clients } = store;
        const { user } = await scimUsers.create(ACME, grace, made());
        await clients.put(aClient());
        const token = anArtifact({ idHash: "token", userId: user.id, clientId: "client-1", scope: "posts:read" });
        await artifacts.put(token);
        await artifacts.put(anArtifact({ kind: "Session", idHash: "session", userId: user.id }));
        await accountTokens.put(anAccountToken({ purpose: "recovery", userId: user.id }));
        const invitation = { email: "x@example.com", role: "member", invitedBy: user.id, expiresAt: LATER } as const;
        await invitations.create(invitation);
        const { user: disabled } = await scimUsers.change(ACME, user.id, { isActive: false }, NO_LINK);
        assert.deepEqual(disabled, { ...user, disabledAt: AT, credentialVersion: 1 });
        assert.equal(await artifacts.findAccessToken("token", 1), null);
        assert.equal(await artifacts.find("Session", "session"), null);
        assert.notEqual((await accountTokens.find("h1"))?.voidedAtSeconds, null);
        assert.notEqual((await invitations.list(undefined, 9))[0]?.withdrawnAt, null);
        const { user: enabled } = await scimUsers.change(ACME, user.id, { isActive: true }, NO_LINK);
        assert.deepEqual(enabled, { ...user, credentialVersion: 2 });
        assert.equal(await artifacts.findAccessToken("token", 1), null);
      }));

    test("R18 whom an administrator disabled, a service does not enable", () =>
      fresh(async ({ scimUsers, users }) => {
        const { user } = await scimUsers.create(ACME, grace, made({ isActive: false }));
        const enable = (reach: ScimReach, { id }: { id: Id }) =>
          scimUsers.change(reach, id, { isActive: true, name: "Dr. Grace" }, NO_LINK);
        assert.equal((await enable(ACME, user)).user.disabledAt, null);
        const byAdministrator = new Date(NOW + 1).toISOString();
        await users.update(user.id, { disabledAt: byAdministrator });
        const { user: kept } = await enable(ACME, user);
        assert.deepEqual([kept.disabledAt, kept.name], [byAdministrator, "Dr. Grace"]);
        await scimUsers.change(ACME, user.id, { isActive: false }, NO_LINK);
        assert.equal((await enable(ACME, user)).user.disabledAt, byAdministrator);
        await users.update(user.id, { disabledAt: null });
        await scimUsers.change(ACME, user.id, { isActive: false }, NO_LINK);
        await users.update(user.id, { disabledAt: byAdministrator });
        assert.equal((await enable(ACME, user)).user.disabledAt, byAdministrator, "also after the service did");
        const own = await users.create(aPerson({ email: "own@acme.example" }));
        await scimUsers.change(GOVERNING, own.id, { isActive: false }, NO_LINK);
        assert.equal((await enable(GOVERNING, own)).user.disabledAt, null);
      }));

    test("P49 the last administrator stays, also where two are disabled at once on two nodes", () =>
      withTwo(openTwo, async (two) => {
        const reach = { ...GOVERNING, domains: ["acme.example"] };
        const admins: Id[] = [];
        for (const name of ["a", "b"])
          admins.push((await two[0].users.create(aPerson({ email: `${name}@acme.example`, role: "admin" }))).id);
        const results = await Promise.allSettled(
          admins.map((id, i) => (two[i] as Store).scimUsers.change(reach, id, { isActive: false }, NO_LINK)),
        );
        assert.deepEqual(results.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
        assert.equal((await two[0].users.listAdministrators()).length, 1);
      }));

    test("a link moves with the external id, and an account with an unproved address gets none", () =>
      fresh(async ({ scimUsers, users, upstreamIdentities }) => {
        const subjectsOf = async (id: Id) => (await upstreamIdentities.listOf(id)).map(({ subject }) => subject);
        const { user } = await scimUsers.create(ACME, grace, made({ isSubject: true }));
        await scimUsers.change(ACME, user.id, { externalId: "E-2" }, { isSubject: true });
        assert.deepEqual(await subjectsOf(user.id), ["E-2"]);
        await scimUsers.change(ACME, user.id, { externalId: null }, { isSubject: true });
        assert.deepEqual(await subjectsOf(user.id), []);
        const own = { ...grace, email: "own@acme.example" };
        const unproved = await users.create({ ...own, emailVerified: false });
        await scimUsers.change(GOVERNING, unproved.id, { externalId: "E-3" }, { isSubject: true });
        assert.deepEqual(await subjectsOf(unproved.id), []);
        const proved = await users.create({ ...own, email: "proved@acme.example" });
        const identity = { provider: "acme", subject: "E-4", userId: proved.id, emailAtLink: null, linkedAt: AT };
        await upstreamIdentities.link(identity, 0);
        await scimUsers.change(GOVERNING, proved.id, { externalId: "E-4" }, { isSubject: true });
        assert.deepEqual(await subjectsOf(proved.id), ["E-4"]);
        await assert.rejects(
          scimUsers.change(ACME, user.id, { externalId: "E-4" }, { isSubject: true }),
          taken("externalId"),
        );
      }));

    test("P50 a person who is going to be deleted, or is gone, is nobody", () =>
      fresh(async ({ scimUsers, deletions }) => {
        const { user } = await scimUsers.create(ACME, grace, made());
        await deletions.ask(user.id, { deletesAt: AT, posts: "keep" });
        assert.equal(await scimUsers.find(GOVERNING, user.id), null);
        assert.equal((await scimUsers.list(GOVERNING, { externalId: "E-1" }, all)).total, 0);
        await assert.rejects(scimUsers.change(ACME, user.id, { isActive: true }, NO_LINK), hasCode("NOT_FOUND"));
        assert.equal(await deletions.begin(user.id, AT), true);
        assert.equal(await deletions.finish(user.id, AT, null), true);
        assert.equal(await scimUsers.find(GOVERNING, user.id), null);
        const anew = await scimUsers.create(ACME, grace, made());
        assert.notEqual(anew.user.id, user.id);
        assert.equal((await scimUsers.list(ACME, {}, all)).total, 1);
      }));

    test("U75 of many that make a person with one address at once on two nodes, one does", () =>
      withTwo(openTwo, async (two) => {
        const results = await Promise.allSettled(
          Array.from({ length: 20 }, (_, i) =>
            (two[i % 2] as Store).scimUsers.create(ACME, grace, made({ externalId: `E-${i}`, isSubject: true })),
          ),
        );
        assert.equal(results.filter(({ status }) => status === "fulfilled").length, 1);
        for (const result of results)
          if (result.status === "rejected") assert.ok(taken("email")(result.reason), String(result.reason));
        assert.equal((await two[1].scimUsers.list(ACME, {}, all)).total, 1);
      }));
  });
}

function taken(field: string): (error: unknown) => boolean {
  return hasCode("CONFLICT", field);
}
