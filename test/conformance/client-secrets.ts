import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Id } from "../../src/domain/id.ts";
import type { Store } from "../../src/domain/store/store.ts";
import { aClient, anArtifact, aPerson, hasCode, withStore } from "./samples.ts";
import type { OpenFresh } from "./store.ts";

const START = Date.parse("2026-01-31T12:00:00Z");
const NOBODY = "00000000-0000-7000-8000-000000000000" as Id;

/** Secrets, owners, uses and lists of clients. */
export function clientSecretsConform(open: OpenFresh): void {
  describe("clients: secrets, owners and lists", () => {
    test("S76 secrets work beside each other, and one that is ended leaves the others", () => {
      let now = START;
      return withStore(
        open,
        async ({ clients }) => {
          await clients.create(aClient({ secretHash: "one", secretHint: "1111" }));
          await clients.create(aClient({ id: "public", type: "public", secretHash: null }));
          const added: (string | null)[] = [];
          for (const hash of ["two", "three", "four", "five"]) {
            now += 1_000;
            const client = await clients.addSecret("client-1", { hash, hint: `…${hash}` }, 5);
            added.push(client.secretHash);
          }
          assert.deepEqual(added, ["two", "three", "four", "five"]);
          const full = await clients.find("client-1");
          assert.deepEqual(full?.otherSecretHashes, ["four", "three", "two", "one"]);
          await assert.rejects(clients.addSecret("client-1", { hash: "six", hint: "" }, 5), hasCode("CONFLICT"));
          await assert.rejects(clients.addSecret("public", { hash: "x", hint: "" }, 5), hasCode("NOT_FOUND"));
          await assert.rejects(clients.addSecret("nobody", { hash: "x", hint: "" }, 5), hasCode("NOT_FOUND"));

          const listed = await clients.listSecrets(["client-1", "public"]);
          assert.deepEqual(
            listed.map(({ hint }) => hint),
            ["…five", "…four", "…three", "…two", "1111"],
          );
          assert.equal(listed[4]?.createdAt, "2026-01-31T12:00:00.000Z");
          const [newest] = listed as [(typeof listed)[0]];
          const ended = await clients.endSecret("client-1", newest.id);
          assert.equal(ended.client.secretHash, "four");
          assert.deepEqual(ended.client.otherSecretHashes, ["three", "two", "one"]);
          assert.equal(ended.secret.endedAt, "2026-01-31T12:00:04.000Z");
          await assert.rejects(clients.endSecret("client-1", newest.id), hasCode("NOT_FOUND"));
          await assert.rejects(clients.endSecret("client-1", NOBODY), hasCode("NOT_FOUND"));
          await assert.rejects(clients.endSecret("public", newest.id), hasCode("NOT_FOUND"));

          const rotated = await clients.update("client-1", { secretHash: "new", secretHint: "last" });
          assert.equal(rotated.secretHash, "new");
          assert.deepEqual(rotated.otherSecretHashes, []);
          const live = (await clients.listSecrets(["client-1"])).filter(({ endedAt }) => endedAt === null);
          assert.deepEqual(
            live.map(({ hint }) => hint),
            ["last"],
          );
          await assert.rejects(clients.endSecret("client-1", live[0]?.id as Id), hasCode("CONFLICT"));
        },
        () => now,
      );
    });

    test("S76 secrets that end leave ten behind, and none survives its client", () => {
      let now = START;
      return withStore(
        open,
        async ({ clients }) => {
          await clients.create(aClient());
          for (let i = 0; i < 13; i++) {
            now += 1_000;
            await clients.update("client-1", { secretHash: `${i}` });
          }
          const listed = await clients.listSecrets(["client-1"]);
          assert.equal(listed.filter(({ endedAt }) => endedAt !== null).length, 10);
          await clients.delete("client-1");
          assert.equal(await clients.find("client-1"), null);
          assert.deepEqual(await clients.listSecrets(["client-1"]), []);
          await assert.rejects(clients.delete("client-1"), hasCode("NOT_FOUND"));
        },
        () => now,
      );
    });

    test("S76 parallel additions stop at the limit", () =>
      withStore(open, async ({ clients }) => {
        await clients.create(aClient());
        const added = await Promise.allSettled(
          Array.from({ length: 8 }, (_, i) => clients.addSecret("client-1", { hash: `h${i}`, hint: "" }, 5)),
        );
        assert.equal(added.filter(({ status }) => status === "fulfilled").length, 4);
        assert.equal((await clients.find("client-1"))?.otherSecretHashes.length, 4);
      }));

    test("S67 a use is noted once a minute, for the client and for the secret that it came with", () =>
      withStore(open, async ({ clients }) => {
        await clients.create(aClient({ secretHash: "one" }));
        await clients.addSecret("client-1", { hash: "two", hint: "" }, 5);
        const used = async () => {
          const [two, one] = await clients.listSecrets(["client-1"]);
          return [(await clients.find("client-1"))?.lastUsedAt, one?.lastUsedAt, two?.lastUsedAt];
        };
        assert.deepEqual(await used(), [null, null, null]);
        await clients.noteUse("client-1", "one", "2026-01-31T12:00:00.000Z");
        await clients.noteUse("client-1", "two", "2026-01-31T12:00:59.999Z");
        assert.deepEqual(await used(), [
          ...["2026-01-31T12:00:00.000Z", "2026-01-31T12:00:00.000Z"],
          "2026-01-31T12:00:59.999Z",
        ]);
        await clients.noteUse("client-1", null, "2026-01-31T12:01:00.000Z");
        assert.equal((await used())[0], "2026-01-31T12:01:00.000Z");
        await clients.noteUse("nobody", "one", "2026-01-31T12:01:00.000Z");
      }));

    test("S70 one person has as many clients as allowed, at the same time too", () =>
      withStore(open, async ({ clients, users }) => {
        const ada = await users.create(aPerson({ email: "ada@example.com" }));
        const bob = await users.create(aPerson({ email: "bob@example.com" }));
        const own = (id: string, ownerId: Id) =>
          clients.create(aClient({ id, origin: "person", ownerId }), undefined, 3);
        const made = await Promise.allSettled(Array.from({ length: 6 }, (_, i) => own(`ada-${i}`, ada.id)));
        const failed = made.flatMap((one) => (one.status === "rejected" ? [one.reason.code] : []));
        assert.deepEqual(failed, ["CONFLICT", "CONFLICT", "CONFLICT"]);
        const client = await own("bob", bob.id);
        assert.deepEqual(client.owner, { id: bob.id, name: bob.name, isActive: true });
        assert.equal(await clients.sweepUnused("9999-01-01T00:00:00.000Z", 10), 0, "nobody has to let it in");
        assert.equal(client.origin, "person");
        assert.equal((await clients.page({ ownerId: ada.id }, null, 10)).length, 3);
      }));

    test("S70 the clients of a person stop while that person may not sign in, and are deleted with them", () => {
      let now = START;
      return withStore(
        open,
        async (store) => {
          const { clients, users, artifacts, deletions } = store;
          const ada = await users.create(aPerson({ email: "ada@example.com" }));
          const bob = await users.create(aPerson({ email: "bob@example.com" }));
          await clients.create(aClient({ id: "ada's", origin: "person", ownerId: ada.id }));
          await clients.create(aClient({ id: "operator's" }));
          for (const clientId of ["ada's", "operator's"])
            await artifacts.put(
              anArtifact({ idHash: clientId, clientId, userId: bob.id, scope: "posts:read", expiresAtSeconds: now }),
            );
          const isLive = async (id: string) => (await artifacts.findAccessToken(id, 0)) !== null;
          assert.deepEqual([await isLive("ada's"), await isLive("operator's")], [true, true]);
          await users.update(ada.id, { disabledAt: "2026-01-31T12:00:00.000Z" });
          assert.deepEqual([await isLive("ada's"), await isLive("operator's")], [false, true]);
          assert.equal((await clients.find("ada's"))?.owner?.isActive, false);
          await users.update(ada.id, { disabledAt: null });
          assert.equal(await isLive("ada's"), true);
          const deletesAt = "2026-02-01T12:00:00.000Z";
          await deletions.ask(ada.id, { deletesAt, posts: "keep" });
          assert.equal(await isLive("ada's"), false);
          now += 2 * 86_400_000;
          assert.equal(await deletions.begin(ada.id, deletesAt), true);
          assert.equal(await deletions.finish(ada.id, deletesAt, null), true);
          assert.equal(await clients.find("ada's"), null);
          assert.deepEqual(await clients.listSecrets(["ada's"]), []);
          assert.notEqual(await clients.find("operator's"), null);
        },
        () => now,
      );
    });

    test("S75 an owner changes nothing of a client that the operator has disabled", () =>
      withStore(open, async ({ clients, users }) => {
        const ada = await users.create(aPerson());
        await clients.create(aClient({ origin: "person", ownerId: ada.id }));
        const at = "2026-01-31T12:00:00.000Z";
        const byOwner = { disabledAt: at, disabledBy: "owner" } as const;
        assert.equal((await clients.update("client-1", byOwner, undefined, true)).disabledBy, "owner");
        assert.equal((await clients.update("client-1", { disabledAt: null }, undefined, true)).disabledAt, null);
        const disabled = await clients.update("client-1", { disabledAt: at });
        assert.equal(disabled.disabledBy, null);
        for (const change of [byOwner, { disabledAt: null }])
          await assert.rejects(clients.update("client-1", change, undefined, true), hasCode("CONFLICT"));
        assert.deepEqual(await clients.find("client-1"), disabled);
        await assert.rejects(clients.update("nobody", byOwner, undefined, true), hasCode("NOT_FOUND"));
      }));

    test("S67 settings change as a whole; secrets, origin and owner stay", () =>
      withStore(open, async ({ clients, users }) => {
        const ada = await users.create(aPerson());
        await clients.create(aClient({ origin: "person", ownerId: ada.id, secretHash: "kept" }));
        const before = await clients.find("client-1");
        const settings = aClient({ name: "Other", scopes: ["openid"], secretHash: "ignored", firstParty: false });
        const after = await clients.update("client-1", { settings });
        assert.deepEqual(after, { ...before, name: "Other", scopes: ["openid"] });
        assert.deepEqual(await clients.find("client-1"), after);
      }));

    test("S67 lists by origin, owner, state and name, page by page", () => {
      let now = START;
      return withStore(
        open,
        async (store) => {
          const { clients, users } = store;
          const ada = await users.create(aPerson());
          const given = [
            ["a", { name: "Alpha" }],
            ["b", { name: "alphabet", origin: "registration" }],
            ["c", { name: "Beta", origin: "person", ownerId: ada.id }],
            ["d", { name: "ALPHA 2", origin: "person", ownerId: ada.id }],
            ["https://e.example/x", { name: "Gamma", origin: "document" }],
          ] as const;
          for (const [id, change] of given) {
            now += 1_000;
            await clients.create(aClient({ id, ...change }));
          }
          await clients.update("c", { disabledAt: "2026-01-31T12:00:00.000Z" });
          const ids = async (
            filter: Parameters<Store["clients"]["page"]>[0],
            after: string | null = null,
            limit = 10,
          ) => (await clients.page(filter, after, limit)).map(({ id }) => id);
          assert.deepEqual(await ids({}), ["https://e.example/x", "d", "c", "b", "a"]);
          assert.deepEqual(await ids({}, null, 2), ["https://e.example/x", "d"]);
          assert.deepEqual(await ids({}, "d", 2), ["c", "b"]);
          assert.deepEqual(await ids({}, "b"), ["a"]);
          assert.deepEqual(await ids({}, "nobody"), []);
          assert.deepEqual(await ids({ origin: "operator" }), ["a"]);
          assert.deepEqual(await ids({ origin: "registration" }), ["b"]);
          assert.deepEqual(await ids({ origin: "person" }), ["d", "c"]);
          assert.deepEqual(await ids({ origin: "document" }), ["https://e.example/x"]);
          assert.deepEqual(await ids({ ownerId: ada.id }), ["d", "c"]);
          assert.deepEqual(await ids({ ownerId: NOBODY }), []);
          assert.deepEqual(await ids({ isDisabled: true }), ["c"]);
          assert.deepEqual(await ids({ isDisabled: false, origin: "person" }), ["d"]);
          assert.deepEqual(await ids({ search: "alpha" }), ["a", "d", "b"]);
          assert.deepEqual(await ids({ search: "ALPHA" }, "a", 1), ["d"]);
          assert.deepEqual(await ids({ search: "alpha" }, "d"), ["b"]);
          assert.deepEqual(await ids({ search: "alpha", origin: "person" }), ["d"]);
          assert.deepEqual(await ids({ search: "lpha" }), []);
          assert.deepEqual(await ids({ search: "https://e.example/x" }), ["https://e.example/x"]);
          assert.deepEqual(await ids({ search: "c", origin: "operator" }), []);
          for (const text of ["\0", "\ud800"]) {
            assert.deepEqual(await ids({ search: text }), []);
            assert.deepEqual(await ids({}, text), []);
            assert.equal(await clients.find(text), null);
          }
          await clients.update("a", { settings: aClient({ name: "Zeta" }) });
          assert.deepEqual(await ids({ search: "zeta" }), ["a"]);
        },
        () => now,
      );
    });

    test("S67 all that belongs to one client is destroyed, in steps", () =>
      withStore(open, async ({ artifacts, clients, watch }) => {
        await clients.create(aClient());
        await clients.create(aClient({ id: "other" }));
        const put = (idHash: string, change: Parameters<typeof anArtifact>[0]) =>
          artifacts.put(anArtifact({ idHash, clientId: "client-1", ...change }));
        for (const grantId of ["g1", "g2", "g3"]) {
          await put(grantId, { kind: "Grant", grantId });
          await put(`${grantId} token`, { grantId });
          await put(`${grantId} refresh`, { kind: "RefreshToken", grantId });
        }
        const expiresAtSeconds = START / 1_000 + 60;
        await put("alone", { kind: "ClientCredentials", expiresAtSeconds });
        await put("jwt", { kind: "JwtAccessToken", expiresAtSeconds });
        await put("pushed", { kind: "PushedAuthorizationRequest", expiresAtSeconds });
        await put("other alone", { kind: "ClientCredentials", clientId: "other", expiresAtSeconds });
        await put("consent", { kind: "Consent" });
        await put("other", { kind: "Grant", grantId: "g9", clientId: "other" });
        await put("other token", { grantId: "g9", clientId: "other" });
        const told: (string | null)[] = [];
        const end = watch(["client"], ({ id }) => void told.push(id));
        assert.equal(await artifacts.revokeClient("client-1", 2), false);
        assert.ok(told.includes("client-1"));
        end();
        assert.equal(await artifacts.revokeClient("client-1", 2), true);
        const left = async (kind: string, id: string) => (await artifacts.find(kind, id)) !== null;
        for (const grantId of ["g1", "g2", "g3"])
          for (const [kind, id] of [
            ["Grant", grantId],
            ["AccessToken", `${grantId} token`],
            ["RefreshToken", `${grantId} refresh`],
          ] as const)
            assert.equal(await left(kind, id), false, id);
        assert.equal(await left("Consent", "consent"), false);
        assert.equal(await left("ClientCredentials", "alone"), true);
        await artifacts.revokeOwnTokens("client-1", START / 1_000);
        assert.equal(await left("ClientCredentials", "alone"), false);
        assert.equal(await left("JwtAccessToken", "jwt"), false);
        assert.equal(await left("PushedAuthorizationRequest", "pushed"), true);
        assert.equal(await left("ClientCredentials", "other alone"), true);
        assert.equal(await left("Grant", "other"), true);
        assert.equal(await left("AccessToken", "other token"), true);
      }));

    test("S74 the audit lists what was refused to one client", () =>
      withStore(open, async ({ audit }) => {
        const entry = {
          userId: null,
          actorId: null,
          address: null,
          requestId: null,
          detail: null,
          event: "token",
        } as const;
        const add = (second: number, clientId: string | null, result: "ok" | "refused" | "reuse") =>
          audit.add([{ ...entry, at: `2026-01-31T12:00:0${second}.000Z`, clientId, result }]);
        await add(1, "a", "refused");
        await add(2, "a", "ok");
        await add(3, "b", "refused");
        await add(4, null, "refused");
        await add(5, "a", "reuse");
        const problems = await audit.list({ clientId: "a", isProblem: true, limit: 10 });
        assert.deepEqual(
          problems.map(({ at, result }) => [at.slice(17, 19), result]),
          [
            ["05", "reuse"],
            ["01", "refused"],
          ],
        );
      }));
  });
}
