import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { NewAuditEvent } from "../../../src/domain/audit.ts";
import type { Id } from "../../../src/domain/id.ts";
import type { User } from "../../../src/domain/people/user.ts";
import type { Store } from "../../../src/domain/store/store.ts";
import { anArtifact, aPerson } from "../../conformance/samples.ts";
import { openTestStore, type TestStore } from "../../database.ts";
import { openTestPeopleMail } from "../../people-mail.ts";
import { ada, administrationForTests, openTestServer, type TestServer } from "../server.ts";

const NOBODY = "01a21efd-4214-7000-8474-a0573e6a4ee8";
const DAY = 86_400_000;
const FIELDS = "account { id name email role deletesAt deletedAt } errors { code message }";
const DELETE = `mutation ($id: ID!, $posts: DeletionPosts!) { deleteAccount(id: $id, posts: $posts) { ${FIELDS} } }`;
const UNDO = `mutation ($id: ID!) { undoDeletion(id: $id) { ${FIELDS} } }`;

describe("U70 deletion of accounts by administrators", () => {
  let database: TestStore;
  let store: Store;
  let admin: User;
  let server: TestServer;
  let people = 0;
  const recorded: NewAuditEvent[] = [];

  before(async () => {
    database = await openTestStore();
    store = database.store;
    admin = await person({ role: "admin" });
    server = open(admin);
  });
  after(async () => {
    await database.close();
  });

  function open({ id }: User): TestServer {
    const mail = openTestPeopleMail(store, "https://accounts.example.com");
    const record = async (event: NewAuditEvent) => void recorded.push(event);
    const administration = { ...administrationForTests, mail, deletionDelay: 7 * 86_400, record };
    return openTestServer({ store, viewer: { ...ada, userId: id, role: "admin" }, administration });
  }

  function person(about: Partial<Parameters<typeof aPerson>[0]> = {}): Promise<User> {
    return store.users.create(aPerson({ email: `person-${++people}@example.com`, ...about }));
  }

  async function data(query: string, variables: object, headers = {}) {
    const { json } = await server.query(query, variables, headers);
    assert.equal(json.errors, undefined, JSON.stringify(json.errors));
    return json.data;
  }

  async function refusal(query: string, variables: object) {
    const { json } = await server.query(query, variables);
    return json.errors?.[0].extensions.code;
  }

  const kindsTo = async ({ id: userId }: User) =>
    (await store.mails.list({ userId, limit: 9 })).map(({ kind, params }) => [kind, params.by]);

  test("U70 a person is locked out at once, told, and kept again; the same request twice does it once", async () => {
    const user = await person();
    await store.artifacts.put(anArtifact({ idHash: user.id, kind: "Session", userId: user.id }));
    const headers = { "idempotency-key": '"leave"' };
    const { deleteAccount } = await data(DELETE, { id: user.id, posts: "DELETE" }, headers);
    const { deletesAt, ...account } = deleteAccount.account;
    assert.deepEqual(account, {
      ...{ id: user.id, name: "Former member", email: user.email, role: "MEMBER", deletedAt: null },
    });
    const days = (Date.parse(deletesAt) - Date.now()) / DAY;
    assert.ok(days > 6.99 && days <= 7, String(days));
    assert.equal(await store.artifacts.find("Session", user.id), null);
    assert.deepEqual((await data(DELETE, { id: user.id, posts: "DELETE" }, headers)).deleteAccount, deleteAccount);
    assert.deepEqual(await store.deletions.listDue(deletesAt, 9), [{ id: user.id, posts: "delete" }]);
    assert.equal(await refusal(DELETE, { id: user.id, posts: "KEEP" }), "CONFLICT");
    const { undoDeletion } = await data(UNDO, { id: user.id });
    assert.deepEqual([undoDeletion.account.name, undoDeletion.account.deletesAt], [user.name, null]);
    assert.equal(await refusal(UNDO, { id: user.id }), "CONFLICT");
    assert.deepEqual(await kindsTo(user), [
      ["deletion-undone", "administrator"],
      ["deletion-asked", "administrator"],
    ]);
    assert.deepEqual(
      recorded.map(({ event, detail }) => `${event} ${detail}`),
      [`deletion asked for, posts: delete by ${admin.id}`, `deletion undone by ${admin.id}`],
    );
  });

  test("P49 not oneself, nor the last administrator, nor nobody", async () => {
    for (const [id, code] of [
      [admin.id, "CONFLICT"],
      [NOBODY, "NOT_FOUND"],
      ["x", "NOT_FOUND"],
    ])
      assert.equal(await refusal(DELETE, { id, posts: "KEEP" }), code, id);
    for (const id of [NOBODY, "x"]) assert.equal(await refusal(UNDO, { id }), "NOT_FOUND");
    // A token of one administrator, whose own account is on its way out, would leave none.
    const other = await person({ role: "admin" });
    await store.users.update(admin.id, { disabledAt: new Date().toISOString() });
    assert.equal(await refusal(DELETE, { id: other.id, posts: "KEEP" }), "CONFLICT");
    await store.users.update(admin.id, { disabledAt: null });
    assert.deepEqual((await store.users.find(other.id))?.deletesAt, null);
  });

  test("U72 afterwards the account is a former member, found by its id alone, and its posts say so", async () => {
    const user = await person({ role: "editor" });
    const post = await store.posts.create({ authorId: user.id, title: "stays", body: "" });
    const { deletesAt } = await store.deletions.ask(user.id, { deletesAt: new Date().toISOString(), posts: "keep" });
    await store.deletions.begin(user.id, deletesAt ?? "");
    await store.deletions.finish(user.id, deletesAt ?? "", null);
    const query = `query ($id: ID!, $email: String!, $post: ID!) {
      account(id: $id) { name email role hasPassword signInMethods mailState deletesAt deletedAt }
      byAddress: account(email: $email) { id }
      noAddress: account(email: "") { id }
      user(id: $id) { name email }
      post(id: $post) { title author { id name } }
    }`;
    const found = await data(query, { id: user.id, email: user.email, post });
    assert.deepEqual(found, {
      account: {
        ...{ name: "Former member", email: "", role: "MEMBER", hasPassword: false, signInMethods: [], mailState: "OK" },
        ...{ deletesAt: null, deletedAt: deletesAt },
      },
      byAddress: null,
      noAddress: null,
      user: { name: "Former member", email: "" },
      post: { title: "stays", author: { id: user.id, name: "Former member" } },
    });
    for (const change of [
      "changeRole(id: $id, role: ADMIN)",
      "enableAccount(id: $id)",
      "disableAccount(id: $id)",
      "deleteAccount(id: $id, posts: KEEP)",
      "undoDeletion(id: $id)",
    ]) {
      const code = await refusal(`mutation ($id: ID!) { ${change} { account { id } } }`, { id: user.id as Id });
      assert.equal(code, "NOT_FOUND", change);
    }
  });
});
