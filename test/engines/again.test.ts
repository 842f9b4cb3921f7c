import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { AppError } from "../../src/domain/errors.ts";
import type { Id } from "../../src/domain/id.ts";
import { KeyInUse, type Once } from "../../src/domain/idempotency.ts";
import type { Store } from "../../src/domain/store/store.ts";
import { openStore } from "../../src/storage/open.ts";
import { aPerson, hasCode, listEvents } from "../conformance/samples.ts";
import { openPostgres, sqlOn } from "../postgres.ts";
import { type EngineProxy, openEngineProxy, type Rules } from "./proxy.ts";

const server = await openPostgres();

describe("E05 transactions that are made again", () => {
  let url: string;
  let proxy: EngineProxy;
  let store: Store;
  let authorId: Id;

  before(async () => {
    url = await server.createDatabase();
    proxy = await openEngineProxy(url, {});
    store = await openStore(proxy.through(url));
    authorId = (await store.users.create(aPerson())).id;
  });
  after(async () => {
    await store.close();
    await proxy.close();
  });

  /** The fate of each COMMIT to come, and how many there were. */
  const fates = (...list: ("pass" | "abort" | "unknown" | "lost")[]) => {
    const told = { commits: 0 };
    const commit: Rules["commit"] = () => list[told.commits++] ?? "pass";
    proxy.rules = { commit };
    return told;
  };
  const count = async (title: string) => (await sqlOn(url, `select from posts where title = '${title}'`)).length;
  const countEvents = async () => (await listEvents(store)).length;
  const once = (id: string): Once => ({ id, field: 0, fingerprint: "f" });
  const write = (title: string, key?: string) =>
    store.posts.create({ authorId, title, body: "" }, key === undefined ? undefined : once(key));

  test("E05 commits that end with 40001 are made again, seven times, and are there once", async () => {
    const events = await countEvents();
    const told = fates(...Array<"abort">(7).fill("abort"));
    await write("conflicts", "conflicts");
    assert.equal(told.commits, 8);
    assert.equal(await count("conflicts"), 1);
    assert.equal(await countEvents(), events + 1);
  });

  test("E05 the eighth conflict is the answer, with nothing written and no event", async () => {
    const events = await countEvents();
    const last = await store.outbox.last();
    fates(...Array<"abort">(8).fill("abort"));
    await assert.rejects(write("busy", "busy"), hasCode("UNAVAILABLE"));
    assert.equal(await count("busy"), 0);
    assert.equal(await countEvents(), events);
    assert.equal(await store.outbox.last(), last);
  });

  for (const state of ["40001", "40P01", "OC000", "OC001"])
    test(`E05 ${state} from a statement in the middle is made again`, async () => {
      let refused = 0;
      proxy.rules = { refuse: (text) => (/^insert into "outbox"/.test(text) && refused++ < 3 ? state : null) };
      await store.posts.edit((await write(`middle ${state}`)) as Id, () => ({ event: "post.updated", title: state }));
      proxy.rules = {};
      assert.ok(refused > 0);
      assert.equal(await count(state), 1);
    });

  test("E05 40003 with a key: the change is looked up, is there once and is answered", async () => {
    const events = await countEvents();
    const told = fates("unknown");
    const id = await write("ambiguous", "ambiguous");
    assert.equal(told.commits, 1, "nothing was committed a second time");
    assert.deepEqual(await sqlOn(url, "select id from posts where title = 'ambiguous'"), [{ id }]);
    assert.equal(await countEvents(), events + 1);
  });

  test("E05 40003 with a key, of a profile: its result is the one of the commit", async () => {
    fates("unknown");
    const user = await store.users.create(aPerson({ email: "eve@example.com", name: "Eve" }), once("eve"));
    assert.deepEqual(await store.users.find(user.id), user);
    fates("unknown");
    const changed = await store.users.update(user.id, { role: "editor" }, once("editor"));
    assert.equal(changed.role, "editor");
  });

  test("E05 a commit whose connection breaks, with a key: looked up too, whether or not it was made", async () => {
    let isFirst = true;
    proxy.rules = {
      commit() {
        if (isFirst) setImmediate(() => proxy.cut());
        isFirst = false;
        return "pass";
      },
    };
    await write("cut", "cut");
    assert.equal(await count("cut"), 1);
  });

  for (const [fate, words] of [
    ["unknown", "40003"],
    ["lost", "E08 a pooler that has lost the server (FATAL 08P01)"],
  ] as const) {
    test(`E05 ${words} without a key is in doubt, says so, and is not made again`, async () => {
      for (const keyed of [() => write(fate), () => store.users.update(authorId, { role: "editor" })]) {
        const told = fates(fate);
        await assert.rejects(keyed(), (error) => error instanceof AppError && /not known/.test(error.message));
        assert.equal(told.commits, 1);
      }
      assert.equal(await count(fate), 1);
    });
  }

  test("E08 a pooler that has lost the server, with a key: the change is looked up, and is there once", async () => {
    const told = fates("lost");
    await write("crashed", "crashed");
    assert.equal(told.commits, 1);
    assert.equal(await count("crashed"), 1);
  });

  test("E05 a key that another request has used is in use, also after a doubt", async () => {
    await write("mine", "taken");
    fates();
    await assert.rejects(write("other", "taken"), (error) => error instanceof KeyInUse);
    assert.equal(await count("other"), 0);
  });

  test("E05 a read that ends with 40001 is made again", async () => {
    let refused = 0;
    proxy.rules = { refuse: (text) => (/from "users"/.test(text) && refused++ < 2 ? "40001" : null) };
    assert.equal((await store.users.list()).length, 2);
    assert.equal(refused, 3);
    proxy.rules = {};
  });
});
