import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { SealedKey, SealedText } from "../../src/domain/store/sealed-texts.ts";
import type { Store } from "../../src/domain/store/store.ts";
import { anArtifact, withStore } from "./samples.ts";
import type { OpenFresh } from "./store.ts";

async function all({ sealedTexts }: Store, limit: number): Promise<SealedText[]> {
  const found: SealedText[] = [];
  for (let after: SealedKey | null = null; ; ) {
    const { texts, last } = await sealedTexts.page("artifacts", after, limit);
    assert.ok(texts.length <= limit);
    found.push(...texts);
    if (last === null) return found;
    after = last;
  }
}

export function sealedTextsConform(open: OpenFresh): void {
  describe("sealed texts", () => {
    test("page by page every text comes once, those of one id too, and none that is empty", () =>
      withStore(open, async (store) => {
        for (let i = 0; i < 7; i++)
          for (const kind of ["Session", "Grant", "AccessToken"])
            await store.artifacts.put(anArtifact({ kind, idHash: `id-${i}`, payload: `${kind} ${i}` }));
        await store.artifacts.put(anArtifact({ kind: "EndedSession", idHash: "id-3", payload: "" }));
        for (const limit of [1, 2, 3, 22, 23, 100]) {
          const texts = await all(store, limit);
          assert.equal(texts.length, 21, `${limit} a page`);
          assert.equal(new Set(texts.map(({ sealed }) => sealed)).size, 21);
          for (const { id, part, sealed } of texts) assert.equal(sealed, `${part} ${id.slice(3)}`);
        }
      }));

    test("replace puts another text there, unless it changed meanwhile", () =>
      withStore(open, async (store) => {
        for (const idHash of ["a", "b"]) await store.artifacts.put(anArtifact({ idHash, payload: "old" }));
        const texts = await all(store, 10);
        await store.artifacts.put(anArtifact({ idHash: "b", payload: "changed" }));
        await store.sealedTexts.replace(texts.map((text) => ({ text, sealed: "new" })));
        const payload = async (idHash: string) => (await store.artifacts.find("AccessToken", idHash))?.payload;
        assert.deepEqual([await payload("a"), await payload("b")], ["new", "changed"]);
        await store.sealedTexts.replace([]);
      }));

    test("the other tables: signing keys, and nothing where there is nothing", () =>
      withStore(open, async ({ sealedTexts, signingKeys }) => {
        const createdAt = "2026-01-31T12:00:00.000Z";
        const key = { algorithm: "ES256", privateKey: "k", createdAt, signsFrom: createdAt, retiredAt: null } as const;
        await signingKeys.createIfNone([
          { ...key, kid: "1" },
          { ...key, kid: "2" },
        ]);
        const first = await sealedTexts.page("signing_keys", null, 1);
        assert.deepEqual(first.last, { id: "1", part: "" });
        const second = await sealedTexts.page("signing_keys", first.last, 1);
        assert.deepEqual(second.texts, [
          { table: "signing_keys", column: "private_key", sealed: "k", id: "2", part: "" },
        ]);
        await sealedTexts.replace(second.texts.map((text) => ({ text, sealed: "new" })));
        assert.deepEqual((await signingKeys.list()).map(({ privateKey }) => privateKey).sort(), ["k", "new"]);
        for (const table of ["webhooks", "idempotency"] as const)
          assert.deepEqual(await sealedTexts.page(table, null, 10), { texts: [], last: null });
      }));
  });
}
