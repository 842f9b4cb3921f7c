import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { aPerson, hasCode, withStore } from "./samples.ts";
import type { OpenFresh } from "./store.ts";

export function lifeConforms(open: OpenFresh): void {
  describe("life", () => {
    test("check resolves while open; after close everything is UNAVAILABLE; close may be repeated", async () => {
      const store = await open();
      await store.check();
      const read = store.prepareRead({ kind: "posts", first: { slot: 0 }, selection: { type: "Post", fields: [] } });
      assert.equal(await read.run([10]), "[]");
      await Promise.all([store.close(), store.close()]);
      await store.close();
      await assert.rejects(store.check(), hasCode("UNAVAILABLE"));
      await assert.rejects(store.users.create(aPerson()), hasCode("UNAVAILABLE"));
      await assert.rejects(async () => read.run([10]), hasCode("UNAVAILABLE"));
    });

    test("close waits for the writes that were accepted", async () => {
      const store = await open();
      const writes = Array.from({ length: 100 }, (_, i) => store.users.create(aPerson({ email: `p${i}@example.com` })));
      await store.close();
      assert.equal((await Promise.all(writes)).length, 100);
    });

    test("one failing write takes none of its neighbours with it", async () => {
      await withStore(open, async (store) => {
        await store.users.create(aPerson({ email: "taken@example.com" }));
        const outcomes = await Promise.allSettled(
          Array.from({ length: 40 }, (_, i) =>
            store.users.create(aPerson({ email: i % 4 === 0 ? "taken@example.com" : `free${i}@example.com` })),
          ),
        );
        assert.equal(outcomes.filter((outcome) => outcome.status === "fulfilled").length, 30);
        assert.equal((await store.users.list()).length, 31);
      });
    });
  });
}
