import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { SigningKey } from "../../src/domain/store/signing-keys.ts";
import { hasCode, withStore } from "./samples.ts";
import type { OpenFresh } from "./store.ts";

function aKey(kid: string, change: Partial<SigningKey> = {}): SigningKey {
  return {
    kid,
    algorithm: "ES256",
    privateKey: "sealed",
    createdAt: "2026-01-31T12:00:00.000Z",
    signsFrom: "2026-01-31T12:00:00.000Z",
    retiredAt: null,
    ...change,
  };
}

export function signingKeysConform(open: OpenFresh): void {
  describe("signing keys", () => {
    test("createIfNone adds all of them, newest first in the list, and never again", () =>
      withStore(open, async ({ signingKeys }) => {
        assert.deepEqual(await signingKeys.list(), []);
        await signingKeys.createIfNone([]);
        const old = aKey("old", { retiredAt: "2026-02-01T00:00:00.000Z" });
        const young = aKey("young", { algorithm: "RS256", createdAt: "2026-02-01T00:00:00.000Z" });
        await signingKeys.createIfNone([old, young]);
        await signingKeys.createIfNone([aKey("late")]);
        assert.deepEqual(await signingKeys.list(), [young, old]);
      }));

    test("rotate names when the new key takes over, and refuses another one until then", () =>
      withStore(open, async ({ signingKeys }) => {
        const rsa = aKey("rsa", { algorithm: "RS256" });
        await signingKeys.createIfNone([aKey("first"), rsa]);
        const [createdAt, signsFrom] = ["2026-02-01T12:00:00.000Z", "2026-02-01T12:10:00.000Z"];
        const next = aKey("next", { createdAt, signsFrom });
        const tries = Array.from({ length: 10 }, (_, i) => signingKeys.rotate([{ ...next, kid: `next${i}` }]));
        const results = await Promise.allSettled(tries);
        const refusals = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
        assert.equal(refusals.length, 9);
        assert.ok(refusals.every(hasCode("CONFLICT")));
        const [added, ...old] = await signingKeys.list();
        assert.deepEqual({ ...added, kid: "next" }, next);
        assert.deepEqual(old, [rsa, aKey("first", { retiredAt: signsFrom })]);

        const later = aKey("later", { createdAt: signsFrom, signsFrom: "2026-02-01T12:20:00.000Z" });
        await signingKeys.rotate([later]);
        await signingKeys.sweep("2026-02-01T12:15:00.000Z");
        const kids = (await signingKeys.list()).map(({ kid, retiredAt }) => [kid, retiredAt]);
        assert.deepEqual(kids, [
          ["later", null],
          [added?.kid, later.signsFrom],
          ["rsa", null],
        ]);
      }));

    test("replace leaves nothing of the algorithm but what it brings", () =>
      withStore(open, async ({ signingKeys }) => {
        const rsa = aKey("rsa", { algorithm: "RS256" });
        await signingKeys.createIfNone([aKey("leaked"), rsa]);
        await signingKeys.rotate([aKey("coming", { signsFrom: "2026-03-01T00:00:00.000Z" })]);
        await signingKeys.replace([aKey("new")]);
        assert.deepEqual(await signingKeys.list(), [rsa, aKey("new")]);
      }));

    test("one of twenty parallel createIfNone adds its keys", () =>
      withStore(open, async ({ signingKeys }) => {
        await Promise.all(
          Array.from({ length: 20 }, (_, i) => signingKeys.createIfNone([aKey(`a${i}`), aKey(`b${i}`)])),
        );
        const kids = (await signingKeys.list()).map((key) => key.kid);
        assert.equal(kids.length, 2);
        assert.equal(kids[0]?.slice(1), kids[1]?.slice(1));
      }));
  });
}
