import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { aClient, HARD_TEXTS, hasCode, withStore } from "./samples.ts";
import type { OpenFresh } from "./store.ts";

/** Facts that storage keeps besides what it is given. */
const KEPT = { otherSecretHashes: [], owner: null, disabledBy: null, lastUsedAt: null, trialUntil: null };

export function clientsConform(open: OpenFresh): void {
  describe("clients", () => {
    test("create gives the client back, find finds it, a second one is CONFLICT", () =>
      withStore(
        open,
        async (store) => {
          const given = aClient({
            redirectUris: ["https://a.example/", "https://b.example/?x=1"],
            firstParty: true,
            secretHash: null,
            jwks: { keys: [{ kty: "EC", crv: "P-256", x: "x", y: "y" }] },
            jwksUri: "https://a.example/jwks",
            assertionAlgorithm: "PS256",
            resourceServer: "https://orders.example.com",
            dpopBound: true,
            mustPush: true,
            mustSign: true,
            certificateSubject: { kind: "san_dns", value: "client.example" },
            selfSigned: true,
            certificateBound: true,
            origin: "registration",
            registrationTokenHash: "aGFzaA",
          });
          const expected = { ...given, ...KEPT, createdAt: "2026-01-31T12:00:00.000Z", disabledAt: null };
          assert.deepEqual(await store.clients.create(given), expected);
          assert.deepEqual(await store.clients.find(given.id), expected);
          assert.equal(await store.clients.find("CLIENT-1"), null);
          await assert.rejects(store.clients.create(aClient({ name: "Other" })), hasCode("CONFLICT"));
          assert.deepEqual(await store.clients.list(), [expected]);
        },
        () => Date.parse("2026-01-31T12:00:00Z"),
      ));

    test("put creates, then makes equal; creation time and disabling stay", async () => {
      let now = Date.parse("2026-01-31T12:00:00Z");
      await withStore(
        open,
        async (store) => {
          const created = await store.clients.put(aClient());
          assert.equal(created.createdAt, "2026-01-31T12:00:00.000Z");
          const disabledAt = "2026-02-01T00:00:00.000Z";
          await store.clients.update(created.id, { disabledAt });
          now += 5_000;
          const next = aClient({
            name: "New name",
            type: "public",
            secretHash: null,
            redirectUris: [],
            postLogoutRedirectUris: ["https://client.example/bye"],
            grantTypes: ["authorization_code", "refresh_token"],
            scopes: [],
            firstParty: true,
          });
          const expected = { ...next, ...KEPT, createdAt: created.createdAt, disabledAt };
          assert.deepEqual(await store.clients.put(next), expected);
          assert.deepEqual(await store.clients.find(next.id), expected);
        },
        () => now,
      );
    });

    test("put writes only what differs", () =>
      withStore(open, async (store) => {
        const told: string[] = [];
        const end = store.watch(["client"], ({ id }) => void (id !== null && told.push(id)));
        const first = await store.clients.put(aClient());
        assert.ok(told.includes(first.id));
        let isTold = true;
        // On PostgreSQL a process hears of its own changes once more, some time later.
        for (let attempt = 0; isTold && attempt < 5; attempt++) {
          const before = told.length;
          assert.deepEqual(await store.clients.put(aClient()), first);
          isTold = told.length > before;
        }
        assert.equal(isTold, false);
        const before = told.length;
        assert.equal((await store.clients.put(aClient({ dpopBound: true }))).dpopBound, true);
        assert.ok(told.length > before);
        end();
      }));

    test("twenty parallel puts leave one client", () =>
      withStore(open, async (store) => {
        await Promise.all(Array.from({ length: 20 }, (_, i) => store.clients.put(aClient({ name: `${i}` }))));
        assert.equal((await store.clients.list()).length, 1);
      }));

    test("update changes what is given; NOT_FOUND for a missing one; list is oldest first", () =>
      withStore(open, async (store) => {
        const ids = ["c", "a", "b"];
        for (const id of ids) await store.clients.create(aClient({ id }));
        const before = await store.clients.find("a");
        const after = await store.clients.update("a", { secretHash: "new" });
        assert.deepEqual(after, { ...before, secretHash: "new" });
        assert.deepEqual(await store.clients.update("a", {}), after);
        await assert.rejects(store.clients.update("nobody", { secretHash: "x" }), hasCode("NOT_FOUND"));
        const listed = (await store.clients.list()).map((client) => client.id);
        assert.deepEqual(listed.toSorted(), ["a", "b", "c"]);
      }));

    test("A25 sweepUnused takes registered clients alone, old ones that nobody has let in, and tells of it", async () => {
      let now = Date.parse("2026-01-01T00:00:00Z");
      await withStore(
        open,
        async (store) => {
          const registered = (id: string) => store.clients.create(aClient({ id, origin: "registration" }));
          for (const id of ["old 1", "old 2", "old 3", "used"]) await registered(id);
          await store.clients.create(aClient({ id: "operator's" }));
          await store.clients.create(aClient({ id: "https://document.example/x", origin: "document" }));
          await store.clients.markUsed("used");
          await store.clients.markUsed("nobody");
          now += 86_400_000;
          await registered("new");
          assert.equal(await store.clients.sweepUnused("2026-01-01T00:00:00.000Z", 10), 0, "that moment stays");
          const told: (string | null)[] = [];
          const end = store.watch(["client"], ({ id }) => void told.push(id));
          assert.equal(await store.clients.sweepUnused("2026-01-02T00:00:00.000Z", 2), 2);
          assert.notEqual(told.length, 0);
          assert.equal(await store.clients.sweepUnused("2026-01-02T00:00:00.000Z", 2), 1);
          assert.equal(await store.clients.sweepUnused("2026-01-02T00:00:00.000Z", 2), 0);
          end();
          const left = (await store.clients.list()).map(({ id }) => id);
          assert.deepEqual(left.sort(), ["https://document.example/x", "new", "operator's", "used"]);
          // A used client that changes its registration stays used.
          await store.clients.put(aClient({ id: "used", origin: "registration", name: "Changed" }));
          now += 86_400_000;
          assert.equal(await store.clients.sweepUnused("2026-01-03T00:00:00.000Z", 9), 1, "the new one alone");
        },
        () => now,
      );
    });

    test("clients of one moment stand in the order of their ids by code point", () =>
      withStore(
        open,
        async (store) => {
          const ids = ["-", "Z", "_", "a", "aa", "b", "é", "\uffff", "\u{1f600}"];
          for (const id of ids.toReversed()) await store.clients.create(aClient({ id }));
          const listed = await store.clients.list();
          assert.deepEqual(
            listed.map((client) => client.id),
            ids,
          );
        },
        () => Date.parse("2026-01-31T12:00:00Z"),
      ));

    test("I10 names and lists come back byte for byte", () =>
      withStore(open, async (store) => {
        for (const [i, text] of HARD_TEXTS.entries()) {
          const client = aClient({ id: `${i}${text}`, name: text, redirectUris: [text, `${text},"`], scopes: [text] });
          await store.clients.create(client);
          const found = await store.clients.find(client.id);
          assert.equal(found?.name, text);
          assert.deepEqual(found?.redirectUris, client.redirectUris);
          assert.deepEqual(found?.scopes, client.scopes);
        }
      }));
  });
}
