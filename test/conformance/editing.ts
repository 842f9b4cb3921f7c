import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { Id } from "../../src/domain/id.ts";
import type { Store } from "../../src/domain/store/store.ts";
import { aPerson, withTwo } from "./samples.ts";
import type { OpenTwo } from "./store.ts";

const MINUTE = 60_000;
const NOBODY = "01a21efd-4214-7000-8474-a0573e6a4ee8" as Id;

export function editingConforms(openTwo: OpenTwo): void {
  describe("people who write a post", () => {
    test("S38 one process is told of everybody who announced it at another, for as long as that counts", () =>
      withTwo(openTwo, async ([near, far]) => {
        const [ada, ben] = [await person(near, "Ada"), await person(near, "Ben")];
        const post = await near.posts.create({ authorId: ada, title: "T", body: "", status: "DRAFT" });
        const names = async (milliseconds = MINUTE) =>
          (await far.editing.look([post], milliseconds))[0]?.editing.map(({ name }) => name);
        assert.deepEqual(await names(), []);
        await near.editing.announce(post, ada);
        await near.editing.announce(post, ben);
        await near.editing.announce(post, ben);
        assert.deepEqual(await names(), ["Ada", "Ben"]);
        await pause(300);
        await near.editing.announce(post, ben);
        assert.deepEqual(await names(250), ["Ben"]);
        assert.equal(await far.editing.sweep(250), 1);
        assert.deepEqual(await names(), ["Ben"]);
        await near.users.update(ben, { disabledAt: new Date().toISOString() });
        assert.deepEqual(await names(), []);
      }));

    test("S38 a look has the versions and the owner of each post that exists, each once", () =>
      withTwo(openTwo, async ([near, far]) => {
        const ada = await person(near, "Ada");
        const post = await near.posts.create({ authorId: ada, title: "T", body: "", status: "DRAFT" });
        const other = await near.posts.create({ authorId: ada, title: "U", body: "" });
        const by = { userId: ada, clientId: null };
        const save = () =>
          near.workingCopies.edit(post, by, () => ({ kind: "save", text: { body: "new" }, baseVersion: 1 }));
        await save();
        await save();
        const look = async () => (await far.editing.look([post, other, NOBODY, post], MINUTE)).toSorted(byId);
        const facts = { authorId: ada, version: 1, editing: [] };
        assert.deepEqual(await look(), [
          { ...facts, id: post, status: "DRAFT", workingVersion: 2 },
          { ...facts, id: other, status: "PUBLISHED", workingVersion: 0 },
        ]);
        await near.workingCopies.edit(post, by, () => ({ kind: "discard", keepsText: false }));
        assert.equal((await look())[0]?.workingVersion, 0);
        await near.posts.edit(post, () => ({ event: "post.deleted" }));
        assert.deepEqual(await look(), [{ ...facts, id: other, status: "PUBLISHED", workingVersion: 0 }]);
        assert.deepEqual(await far.editing.look([], MINUTE), []);
      }));
  });
}

async function person(store: Store, name: string): Promise<Id> {
  return (await store.users.create(aPerson({ name, email: `${name}@example.com` }))).id;
}

function byId(one: { readonly id: Id }, other: { readonly id: Id }): number {
  return one.id < other.id ? -1 : 1;
}
