import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { CHANGE_KINDS, type Change, type ChangeKind } from "../../src/domain/change.ts";
import type { Id } from "../../src/domain/id.ts";
import type { SigningKey } from "../../src/domain/store/signing-keys.ts";
import type { Store } from "../../src/domain/store/store.ts";
import { livedTime } from "../timing.ts";
import { aClient, anArtifact, aPerson, HARD_TEXTS } from "./samples.ts";
import type { OpenTwo } from "./store.ts";

const WITHIN = 1_000;
const KEY: SigningKey = {
  kid: "k",
  algorithm: "ES256",
  privateKey: "sealed",
  createdAt: "2026-01-31T12:00:00.000Z",
  signsFrom: "2026-01-31T12:00:00.000Z",
  retiredAt: null,
};

/** @param named whether other processes are told by id */
export function watchConforms(openTwo: OpenTwo, named: boolean): void {
  describe("watch", () => {
    let here: Store;
    let there: Store;
    let ada: Id;

    before(async () => {
      [here, there] = await openTwo();
      // So that it listens already, and does so until the end.
      const keys = collect(there, ["keys"]);
      if (named) await keys.until(() => true);
      ada = (await here.users.create(aPerson())).id;
      await here.clients.create(aClient());
      for (const kind of ["AccessToken", "ClientCredentials"])
        await here.artifacts.put(anArtifact({ kind, idHash: "t" }));
      for (const id of ["g", ada]) await here.artifacts.put(anArtifact({ idHash: id, grantId: id, userId: id }));
    });
    after(() => Promise.all([here.close(), there.close()]));

    test("F12 each change is told here at once, and there within a second, by its id or without", async () => {
      const changes: [ChangeKind, id: string | null, () => Promise<unknown>][] = [
        ["token", "t", () => here.artifacts.destroy("AccessToken", "t")],
        ["token", "t", () => here.artifacts.consume("ClientCredentials", "t", 1)],
        ["grant", "g", () => here.artifacts.revokeGrant("g")],
        ["user", ada, () => here.artifacts.revokeUser(ada)],
        ["user", ada, () => here.users.update(ada, { role: "editor" })],
        ["client", "client-1", () => here.clients.update("client-1", { disabledAt: "2026-01-31T12:00:00.000Z" })],
        ["client", "client-1", () => here.clients.put(aClient({ name: "Another" }))],
        ["keys", null, () => here.signingKeys.createIfNone([KEY])],
        ["event", null, () => here.posts.create({ authorId: ada, title: "T", body: "" })],
      ];
      for (const [kind, id, change] of changes) {
        const watching = collect(here, [kind]);
        const other = collect(there, [kind]);
        await change();
        assert.deepEqual(watching.told.at(-1), { kind, id });
        await other.until((told) => told.id === id || (kind === "event" && told.id !== null) || !named);
        watching.end();
        other.end();
      }
    });

    test("only the kinds that were asked for are told, and nothing after the end", async () => {
      const keys = collect(here, ["keys"]);
      const ended = collect(here, CHANGE_KINDS);
      const all = collect(here, CHANGE_KINDS);
      ended.end();
      await here.artifacts.revokeGrant("g");
      assert.ok(all.told.some(({ kind, id }) => kind === "grant" && id === "g"));
      assert.deepEqual(ended.told, []);
      assert.ok(keys.told.every(({ kind }) => kind === "keys"));
      keys.end();
      all.end();
    });

    test("what ends no access token is not told by its id", async () => {
      const all = collect(here, ["token", "grant", "user", "client"]);
      await here.artifacts.put(anArtifact({ kind: "Session", idHash: "s" }));
      await here.artifacts.consume("RefreshToken", "r", 1);
      await here.artifacts.destroy("Session", "s");
      assert.equal(
        all.told.find(({ id }) => id === "s" || id === "r"),
        undefined,
      );
      all.end();
    });

    test("I10 ids of any form are told as they are, or without one", async () => {
      const other = collect(there, ["grant"]);
      await here.artifacts.put(anArtifact({ grantId: HARD_TEXTS[0] ?? "" }));
      for (const text of [...HARD_TEXTS, "x".repeat(100_000)]) {
        await here.artifacts.revokeGrant(text);
        await other.until(({ id }) => id === text || !named || text.length > 1_000);
      }
      other.end();
    });

    test("many changes at once all reach the other", async () => {
      const other = collect(there, ["grant"]);
      const ids = Array.from({ length: 50 }, (_, i) => `many-${i}`);
      await here.artifacts.put(anArtifact({ grantId: "many-0" }));
      await Promise.all(ids.map((id) => here.artifacts.revokeGrant(id)));
      for (const id of ids) await other.until((told) => told.id === id || !named);
      other.end();
    });

    test("a write that failed is not told to the other", async () => {
      const other = collect(there, ["user"]);
      const nobody = "01a21efd-4214-7000-8474-a0573e6a4ee8" as Id;
      await assert.rejects(here.users.update(nobody, { role: "admin" }));
      await pause(50);
      assert.ok(other.told.every(({ id }) => id !== nobody));
      other.end();
    });
  });
}

function collect(store: Store, kinds: readonly ChangeKind[]) {
  const told: Change[] = [];
  let wake = () => {};
  const end = store.watch(kinds, (change) => {
    told.push(change);
    wake();
  });
  return {
    told,
    end,
    /** @throws AssertionError when nothing such is told within a second */
    async until(isIt: (change: Change) => boolean): Promise<void> {
      const began = livedTime();
      while (!told.some(isIt)) {
        assert.ok(livedTime() - began < WITHIN, "nothing was told within a second");
        await Promise.race([
          pause(20),
          new Promise<void>((resolve) => {
            wake = resolve;
          }),
        ]);
      }
    },
  };
}
