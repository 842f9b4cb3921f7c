import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { SigningKey } from "../../src/domain/store.ts";
import { withStore } from "./samples.ts";
import type { OpenFresh } from "./store.ts";

function aKey(kid: string, change: Partial<SigningKey> = {}): SigningKey {
  return {
    kid,
    algorithm: "ES256",
    privateKey: "sealed",
    createdAt: "2026-01-31T12:00:00.000Z",
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
