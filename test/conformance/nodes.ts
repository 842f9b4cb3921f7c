import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { Id } from "../../src/domain/id.ts";
import type { Store } from "../../src/domain/store/store.ts";
import { sqlOn } from "../postgres.ts";
import { anArtifact, aPerson } from "./samples.ts";

/** Opens a store as another process has it. */
type OpenNode = (url: string, options?: { now?: () => number }) => Promise<Store>;

/** Promises of nodes on one PostgreSQL to each other, however they lock. */
export function nodesConform(name: string, newDatabase: () => Promise<string>, open: OpenNode): void {
  describe(`${name}: several nodes`, () => {
    test("F11 A21 A28 two nodes race for fifty codes: each has one winner", async () => {
      const url = await newDatabase();
      const nodes = await Promise.all([open(url), open(url)]);
      for (let round = 0; round < 50; round++) {
        const code = anArtifact({ kind: "AuthorizationCode", idHash: `code-${round}` });
        await nodes[0]?.artifacts.put(code);
        const wins = await Promise.all(
          [...nodes, ...nodes, ...nodes].map((node, i) => node.artifacts.consume(code.kind, code.idHash, 100 + i)),
        );
        assert.equal(wins.filter(Boolean).length, 1);
      }
      await closeAll(nodes);
    });

    test("F11 a token that is put while its grant is revoked is destroyed, or its putter finds the grant gone", async () => {
      const url = await newDatabase();
      const nodes = await Promise.all([open(url), open(url)]);
      const [a, b] = nodes as [Store, Store];
      for (let round = 0; round < 50; round++) {
        const grantId = `grant-${round}`;
        await a.artifacts.put(anArtifact({ kind: "Grant", idHash: grantId, grantId }));
        const refresh = async (node: Store, i: number) => {
          await pause(Math.random() * 6);
          const token = anArtifact({ idHash: `${grantId}-${i}`, grantId });
          await node.artifacts.put(token);
          if ((await node.artifacts.find("Grant", grantId)) === null) await node.artifacts.revokeGrant(grantId);
        };
        const revoke = async () => {
          await pause(Math.random() * 6);
          await b.artifacts.revokeGrant(grantId);
        };
        await Promise.all([refresh(a, 1), refresh(b, 2), refresh(a, 3), revoke()]);
      }
      const left = await sqlOn(url, "select id_hash from artifacts");
      assert.deepEqual(left, []);
      await closeAll(nodes);
    });

    test("an event follows every event that a reader can have seen, even from a clock that is behind", async () => {
      const url = await newDatabase();
      const ahead = await open(url, { now: () => Date.now() + 60_000 });
      const behind = await open(url);
      const { id: authorId } = await ahead.users.create(aPerson());
      const seen: Id[] = [];
      let last = await ahead.outbox.last();
      for (let round = 0; round < 10; round++) {
        const ids = await Promise.all(
          [ahead, behind, behind, ahead].map((store) => store.posts.create({ authorId, title: "t", body: "" })),
        );
        const events: Awaited<ReturnType<Store["outbox"]["list"]>> = await behind.outbox.list(last, 100);
        assert.deepEqual(events.map((event) => event.subjectId).toSorted(), ids.toSorted());
        last = events.at(-1)?.id ?? last;
        seen.push(...events.map((event) => event.id));
      }
      assert.deepEqual(seen.toSorted(), seen);
      await closeAll([ahead, behind]);
    });
  });
}

async function closeAll(stores: readonly Store[]): Promise<void> {
  await Promise.all(stores.map((store) => store.close()));
}
