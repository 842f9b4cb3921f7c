import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Artifact } from "../../src/domain/store/artifacts.ts";
import { aClient, anArtifact, aPerson, HARD_TEXTS, withStore } from "./samples.ts";
import type { OpenFresh } from "./store.ts";

export function artifactsConform(open: OpenFresh): void {
  describe("artifacts", () => {
    test("put, find by each name, replace, destroy", () =>
      withStore(open, async ({ artifacts }) => {
        const session = anArtifact({ kind: "Session", idHash: "s1", uidHash: "u1", payload: "one" });
        const device = anArtifact({ kind: "DeviceCode", idHash: "d1", userCodeHash: "c1" });
        await artifacts.put(session);
        await artifacts.put(device);
        assert.deepEqual(await artifacts.find("Session", "s1"), session);
        assert.deepEqual(await artifacts.findByUid("Session", "u1"), session);
        assert.deepEqual(await artifacts.findByUserCode("DeviceCode", "c1"), device);
        // A name counts within its kind only.
        assert.equal(await artifacts.find("DeviceCode", "s1"), null);
        assert.equal(await artifacts.findByUid("DeviceCode", "u1"), null);
        assert.equal(await artifacts.findByUserCode("Session", "c1"), null);

        const all: Artifact = {
          kind: "Session",
          idHash: "s1",
          grantId: "g",
          userId: "p",
          clientId: "c",
          scope: "openid email",
          uidHash: "u2",
          userCodeHash: "c2",
          payload: "two",
          expiresAtSeconds: null,
          consumedAtSeconds: null,
          jkt: "thumbprint",
          x5t: "of a certificate",
          authTimeSeconds: 1_800_000_000,
          acr: "phr",
          audience: "mcp",
        };
        await artifacts.put(all);
        assert.deepEqual(await artifacts.find("Session", "s1"), all);
        assert.equal(await artifacts.findByUid("Session", "u1"), null);
        assert.deepEqual(await artifacts.findByUid("Session", "u2"), all);

        await artifacts.destroy("Session", "s1");
        await artifacts.destroy("Session", "s1");
        assert.equal(await artifacts.find("Session", "s1"), null);
        assert.deepEqual(await artifacts.find("DeviceCode", "d1"), device);
      }));

    test("expired artifacts are found until they are swept", () =>
      withStore(open, async ({ artifacts }) => {
        const old = anArtifact({ kind: "Session", expiresAtSeconds: 1 });
        await artifacts.put(old);
        assert.deepEqual(await artifacts.find("Session", old.idHash), old);
      }));

    test("A21 A28 of twenty parallel consumptions exactly one wins", () =>
      withStore(open, async ({ artifacts }) => {
        for (let round = 0; round < 5; round++) {
          const code = anArtifact({ kind: "AuthorizationCode", idHash: `code-${round}` });
          await artifacts.put(code);
          const wins = await Promise.all(
            Array.from({ length: 20 }, (_, i) => artifacts.consume(code.kind, code.idHash, 100 + i)),
          );
          assert.equal(wins.filter(Boolean).length, 1);
          const consumedAtSeconds = 100 + wins.indexOf(true);
          assert.deepEqual(await artifacts.find(code.kind, code.idHash), { ...code, consumedAtSeconds });
        }
        assert.equal(await artifacts.consume("AuthorizationCode", "missing", 1), false);
        assert.equal(await artifacts.consume("AccessToken", "code-0", 1), false);
      }));

    test("A21 put keeps a consumption that is recorded, and can record one", () =>
      withStore(open, async ({ artifacts }) => {
        const code = anArtifact({ kind: "AuthorizationCode" });
        await artifacts.put(code);
        assert.equal(await artifacts.consume(code.kind, code.idHash, 77), true);
        await artifacts.put({ ...code, payload: "later" });
        const expected = { ...code, payload: "later", consumedAtSeconds: 77 };
        assert.deepEqual(await artifacts.find(code.kind, code.idHash), expected);
        await artifacts.put({ ...code, consumedAtSeconds: 99 });
        assert.equal((await artifacts.find(code.kind, code.idHash))?.consumedAtSeconds, 77);
        assert.equal(await artifacts.consume(code.kind, code.idHash, 100), false);

        await artifacts.put(anArtifact({ idHash: "other", consumedAtSeconds: 5 }));
        assert.equal((await artifacts.find("AccessToken", "other"))?.consumedAtSeconds, 5);
      }));

    test("A21 A28 redeem: of twenty at the same time one wins, and only what it issued is there", () =>
      withStore(open, async ({ artifacts }) => {
        await artifacts.put(anArtifact({ kind: "Grant", idHash: "grant", grantId: "g" }));
        await artifacts.put(anArtifact({ kind: "RefreshToken", idHash: "used", grantId: "g" }));
        const issued = (i: number) => [
          anArtifact({ kind: "RefreshToken", idHash: `next-${i}`, grantId: "g" }),
          anArtifact({ kind: "AccessToken", idHash: `token-${i}`, grantId: "g" }),
        ];
        const redeem = (i: number) =>
          artifacts.redeem({
            kind: "RefreshToken",
            idHash: "used",
            atSeconds: 100 + i,
            grantHash: "grant",
            issued: issued(i),
          });
        const wins = await Promise.all(Array.from({ length: 20 }, (_, i) => redeem(i)));
        assert.equal(wins.filter(Boolean).length, 1);
        const winner = wins.indexOf(true);
        assert.equal((await artifacts.find("RefreshToken", "used"))?.consumedAtSeconds, 100 + winner);
        for (let i = 0; i < 20; i++) {
          for (const artifact of issued(i))
            assert.deepEqual(await artifacts.find(artifact.kind, artifact.idHash), i === winner ? artifact : null);
        }
        assert.equal(await redeem(20), false);
      }));

    test("redeem: once more, for what was consumed lately, and only with its grant", () =>
      withStore(open, async ({ artifacts }) => {
        await artifacts.put(anArtifact({ kind: "Grant", idHash: "grant", grantId: "grant-1" }));
        await artifacts.put(anArtifact({ kind: "RefreshToken", idHash: "used", grantId: "grant-1" }));
        const redeem = (id: string, again: { againSinceSeconds?: number } = {}) =>
          artifacts.redeem({
            kind: "RefreshToken",
            idHash: "used",
            atSeconds: 100,
            grantHash: "grant",
            issued: [anArtifact({ idHash: id, grantId: "grant-1" })],
            ...again,
          });
        assert.equal(await redeem("early", { againSinceSeconds: 0 }), false, "it was not consumed yet");
        assert.equal(await redeem("first"), true);
        assert.equal(await redeem("second"), false);
        assert.equal(await redeem("second", { againSinceSeconds: 101 }), false);
        assert.equal(await artifacts.find("AccessToken", "second"), null);
        assert.equal(await redeem("second", { againSinceSeconds: 100 }), true);
        assert.notEqual(await artifacts.find("AccessToken", "second"), null);
        assert.equal((await artifacts.find("RefreshToken", "used"))?.consumedAtSeconds, 100);
        await artifacts.revokeGrant("grant-1");
        assert.equal(await redeem("third", { againSinceSeconds: 100 }), false);
        assert.equal(await artifacts.find("AccessToken", "third"), null);
      }));

    test("F11 redeem: nothing is written for what is missing, or for a grant that is not there", () =>
      withStore(open, async ({ artifacts }) => {
        const code = anArtifact({ kind: "AuthorizationCode", idHash: "code", grantId: "g" });
        const issued = [anArtifact({ kind: "AccessToken", idHash: "token", grantId: "g" })];
        const redemption = { kind: code.kind, idHash: code.idHash, atSeconds: 1, grantHash: "grant", issued };
        await artifacts.put(code);
        // Of the same name, but no grant.
        await artifacts.put(anArtifact({ kind: "Session", idHash: "grant" }));
        assert.equal(await artifacts.redeem(redemption), false);
        assert.deepEqual(await artifacts.find(code.kind, code.idHash), code);
        await artifacts.put(anArtifact({ kind: "Grant", idHash: "grant", grantId: "g" }));
        assert.equal(await artifacts.redeem({ ...redemption, idHash: "another" }), false);
        assert.equal(await artifacts.find("AccessToken", "token"), null);
        assert.equal(await artifacts.redeem(redemption), true);
        assert.deepEqual(await artifacts.find("AccessToken", "token"), issued[0]);
      }));

    test("F11 redeem races revokeGrant: nothing of the grant is left", () =>
      withStore(open, async ({ artifacts }) => {
        for (let round = 0; round < 20; round++) {
          const [grantId, grantHash, used] = [`g-${round}`, `grant-${round}`, `used-${round}`];
          await artifacts.put(anArtifact({ kind: "Grant", idHash: grantHash, grantId }));
          await artifacts.put(anArtifact({ kind: "RefreshToken", idHash: used, grantId }));
          const issued = [anArtifact({ kind: "AccessToken", idHash: `token-${round}`, grantId })];
          const redemption = { kind: "RefreshToken", idHash: used, atSeconds: 1, grantHash, issued };
          const both = [() => artifacts.redeem(redemption), () => artifacts.revokeGrant(grantId)];
          await Promise.all((round % 2 === 0 ? both : both.reverse()).map((start) => start()));
          assert.equal(await artifacts.find("AccessToken", `token-${round}`), null);
          assert.equal(await artifacts.find("RefreshToken", used), null);
        }
      }));

    test("A20 revokeGrant destroys what belongs to the grant, of whatever kind", () =>
      withStore(open, async ({ artifacts }) => {
        for (const kind of ["AccessToken", "RefreshToken", "AuthorizationCode", "Grant"]) {
          await artifacts.put(anArtifact({ kind, idHash: "mine", grantId: "g1" }));
          await artifacts.put(anArtifact({ kind, idHash: "other", grantId: "g2" }));
          await artifacts.put(anArtifact({ kind, idHash: "none" }));
        }
        await artifacts.revokeGrant("g1");
        for (const kind of ["AccessToken", "RefreshToken", "AuthorizationCode", "Grant"]) {
          assert.equal(await artifacts.find(kind, "mine"), null);
          assert.notEqual(await artifacts.find(kind, "other"), null);
          assert.notEqual(await artifacts.find(kind, "none"), null);
        }
      }));

    test("revokeUser destroys what belongs to the person, of whatever kind", () =>
      withStore(open, async ({ artifacts }) => {
        for (const kind of ["AccessToken", "Session"]) {
          await artifacts.put(anArtifact({ kind, idHash: "mine", userId: "p1" }));
          await artifacts.put(anArtifact({ kind, idHash: "other", userId: "p2" }));
          await artifacts.put(anArtifact({ kind, idHash: "none" }));
        }
        await artifacts.revokeUser("p1");
        for (const kind of ["AccessToken", "Session"]) {
          assert.equal(await artifacts.find(kind, "mine"), null);
          assert.notEqual(await artifacts.find(kind, "other"), null);
          assert.notEqual(await artifacts.find(kind, "none"), null);
        }
      }));

    test("A30 revokeUser leaves the kinds and the artifacts that are to be kept, of that person alone", () =>
      withStore(open, async ({ artifacts }) => {
        for (const kind of ["AccessToken", "Session", "Consent"]) {
          for (const idHash of ["here", "there"]) await artifacts.put(anArtifact({ kind, idHash, userId: "p1" }));
        }
        await artifacts.revokeUser("p1", { kinds: ["Consent", "None"], idHashes: ["here"] });
        const left = await artifacts.listOfUser("p1", ["AccessToken", "Session", "Consent"]);
        assert.deepEqual(left.map(({ kind, idHash }) => `${kind} ${idHash}`).sort(), [
          "AccessToken here",
          "Consent here",
          "Consent there",
          "Session here",
        ]);
      }));

    test("revokeClientOfUser destroys what the person has with the client, and nothing else", () =>
      withStore(open, async ({ artifacts }) => {
        for (const kind of ["AccessToken", "Grant", "Consent"]) {
          await artifacts.put(anArtifact({ kind, idHash: "both", userId: "p1", clientId: "c1" }));
          await artifacts.put(anArtifact({ kind, idHash: "client", userId: "p1", clientId: "c2" }));
          await artifacts.put(anArtifact({ kind, idHash: "person", userId: "p2", clientId: "c1" }));
          await artifacts.put(anArtifact({ kind, idHash: "no client", userId: "p1" }));
        }
        await artifacts.revokeClientOfUser("p1", "c1");
        for (const kind of ["AccessToken", "Grant", "Consent"]) {
          assert.equal(await artifacts.find(kind, "both"), null);
          for (const other of ["client", "person", "no client"])
            assert.notEqual(await artifacts.find(kind, other), null);
        }
      }));

    test("listOfUser gives what the person has of the kinds, whole, those without an end first", () =>
      withStore(open, async ({ artifacts }) => {
        const grant = anArtifact({ kind: "Grant", idHash: "g", userId: "p1", grantId: "g", expiresAtSeconds: 9 });
        const consent = anArtifact({
          kind: "Consent",
          idHash: "c",
          userId: "p1",
          scope: "a b",
          expiresAtSeconds: null,
        });
        await artifacts.put(grant);
        await artifacts.put(consent);
        await artifacts.put(anArtifact({ kind: "Session", idHash: "s", userId: "p1" }));
        await artifacts.put(anArtifact({ kind: "Grant", idHash: "other", userId: "p2" }));
        assert.deepEqual(await artifacts.listOfUser("p1", ["Grant", "Consent"]), [consent, grant]);
        assert.deepEqual(await artifacts.listOfUser("p3", ["Grant"]), []);
      }));

    test("A46 sweepPending destroys expired requests that belong to nobody, and nothing else", () =>
      withStore(open, async ({ artifacts }) => {
        const put = (kind: string, idHash: string, more: object = {}) =>
          artifacts.put(anArtifact({ kind, idHash, userId: null, expiresAtSeconds: 100, ...more }));
        await put("PushedAuthorizationRequest", "pushed");
        await put("DeviceCode", "device");
        await put("Interaction", "asked");
        await put("Interaction", "signed in", { userId: "p1" });
        await put("Interaction", "open", { expiresAtSeconds: 200 });
        await put("AuthorizationCode", "code");
        await put("ClientCredentials", "token");
        assert.equal(await artifacts.sweepPending(100, 100), 0);
        assert.equal(await artifacts.sweepPending(150, 2), 2);
        assert.equal(await artifacts.sweepPending(150, 2), 1);
        assert.equal(await artifacts.sweepPending(150, 2), 0);
        for (const [kind, idHash] of [
          ["Interaction", "signed in"],
          ["Interaction", "open"],
          ["AuthorizationCode", "code"],
          ["ClientCredentials", "token"],
        ] as const)
          assert.notEqual(await artifacts.find(kind, idHash), null, idHash);
      }));

    test("sweep destroys what expired before the given second, within its limit, oldest first", () =>
      withStore(open, async ({ artifacts }) => {
        for (let i = 0; i < 10; i++) await artifacts.put(anArtifact({ idHash: `${i}`, expiresAtSeconds: 100 + i }));
        await artifacts.put(anArtifact({ idHash: "for ever", expiresAtSeconds: null }));
        assert.equal(await artifacts.sweep(100, 100), 0);
        assert.equal(await artifacts.sweep(105, 3), 3);
        assert.equal(await artifacts.find("AccessToken", "2"), null);
        assert.notEqual(await artifacts.find("AccessToken", "3"), null);
        assert.equal(await artifacts.sweep(105, 3), 2);
        assert.equal(await artifacts.sweep(105, 3), 0);
        assert.notEqual(await artifacts.find("AccessToken", "5"), null);
        assert.equal(await artifacts.sweep(1_000, 100), 5);
        assert.notEqual(await artifacts.find("AccessToken", "for ever"), null);
      }));

    test("findAccessToken: a live token with what a resource server must know", () =>
      withStore(open, async (store) => {
        const user = await store.users.create(aPerson({ role: "editor" }));
        const client = await store.clients.create(aClient());
        const token = anArtifact({
          grantId: "grant-1",
          userId: user.id,
          clientId: client.id,
          scope: "openid posts:read",
          jkt: "thumbprint",
          x5t: "of a certificate",
          authTimeSeconds: 1_800_000_000,
          acr: "phr",
          audience: "graphql",
        });
        await store.artifacts.put(token);
        const live = {
          idHash: "hash-1",
          grantId: "grant-1",
          userId: user.id,
          role: "editor",
          clientId: client.id,
          scope: "openid posts:read",
          expiresAtSeconds: 2_000,
          jkt: "thumbprint",
          x5t: "of a certificate",
          authTimeSeconds: 1_800_000_000,
          acr: "phr",
          audience: "graphql",
          hasSecondStep: false,
        };
        assert.deepEqual(await store.artifacts.findAccessToken("hash-1", 1_999), live);
        assert.equal(await store.artifacts.findAccessToken("hash-1", 2_000), null);
        assert.equal(await store.artifacts.findAccessToken("hash-2", 1_999), null);

        await store.artifacts.put({ ...token, audience: "mcp" });
        assert.equal((await store.artifacts.findAccessToken("hash-1", 1))?.audience, "mcp", "A10");
        await store.users.update(user.id, { role: "member" });
        assert.equal((await store.artifacts.findAccessToken("hash-1", 1))?.role, "member");
        assert.equal((await store.artifacts.findAccessToken("hash-1", 1))?.hasSecondStep, false);
        const known = async () => (await store.users.find(user.id)) ?? assert.fail();
        const app = { sealedSecret: "sealed", confirmedAt: "2026-01-31T12:00:00.000Z", step: 1 };
        await store.secondSteps.confirmTotp(await known(), app);
        await store.secondSteps.replaceRecoveryCodes(await known(), ["a"], "2026-01-31T12:00:00.000Z");
        assert.notEqual(await store.secondSteps.turnOn(await known(), null), null);
        assert.equal((await store.artifacts.findAccessToken("hash-1", 1))?.hasSecondStep, true, "U61");
        await store.clients.put(aClient({ scopes: ["posts:read", "posts:write"] }));
        assert.equal((await store.artifacts.findAccessToken("hash-1", 1))?.scope, "posts:read", "A51");
        await store.users.update(user.id, { disabledAt: "2026-01-31T12:00:00.000Z" });
        assert.equal(await store.artifacts.findAccessToken("hash-1", 1), null);
        await store.users.update(user.id, { disabledAt: null });
        await store.clients.update(client.id, { disabledAt: "2026-01-31T12:00:00.000Z" });
        assert.equal(await store.artifacts.findAccessToken("hash-1", 1), null);
        await store.clients.update(client.id, { disabledAt: null });
        assert.notEqual(await store.artifacts.findAccessToken("hash-1", 1), null);
        await store.artifacts.consume("AccessToken", "hash-1", 5);
        assert.equal(await store.artifacts.findAccessToken("hash-1", 1), null);
      }));

    test("findAccessToken: clients for themselves, missing people and clients, other kinds", () =>
      withStore(open, async (store) => {
        const { id: clientId } = await store.clients.create(aClient());
        await store.artifacts.put(anArtifact({ kind: "ClientCredentials", clientId, scope: null }));
        assert.deepEqual(await store.artifacts.findAccessToken("hash-1", 1), {
          idHash: "hash-1",
          grantId: null,
          userId: null,
          role: null,
          clientId,
          scope: "",
          expiresAtSeconds: 2_000,
          jkt: null,
          x5t: null,
          authTimeSeconds: null,
          acr: null,
          audience: null,
          hasSecondStep: false,
        });
        const dead: Partial<Artifact>[] = [
          { idHash: "no client", clientId: null },
          { idHash: "missing client", clientId: "gone" },
          { idHash: "missing person", clientId, userId: "01a21efd-4214-7000-8474-a0573e6a4ee8" },
          { idHash: "no end", clientId, expiresAtSeconds: null },
          { idHash: "other kind", clientId, kind: "RefreshToken" },
        ];
        for (const change of dead) {
          await store.artifacts.put(anArtifact(change));
          assert.equal(await store.artifacts.findAccessToken(change.idHash ?? "", 1), null, change.idHash);
        }
      }));

    test("I10 hashes and payloads come back byte for byte", () =>
      withStore(open, async ({ artifacts }) => {
        for (const text of HARD_TEXTS) {
          const artifact = anArtifact({ kind: text, idHash: text, grantId: text, userId: text, payload: text });
          await artifacts.put(artifact);
          assert.deepEqual(await artifacts.find(text, text), artifact);
          assert.equal(await artifacts.findAccessToken(text, 1), null);
        }
        await artifacts.revokeGrant(HARD_TEXTS[0] ?? "");
        await artifacts.revokeUser(HARD_TEXTS[1] ?? "");
        const left = await Promise.all(HARD_TEXTS.map((text) => artifacts.find(text, text)));
        assert.equal(left.filter((artifact) => artifact !== null).length, HARD_TEXTS.length - 2);
      }));
  });
}
