import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import type { Id } from "../../../src/domain/id.ts";
import type { Store } from "../../../src/domain/store/store.ts";
import type { Viewer } from "../../../src/domain/viewer.ts";
import { PersistedDocuments } from "../../../src/graphql/documents/persisted-documents.ts";
import type { AskedOperation } from "../../../src/graphql/http/asked-operation.ts";
import { KnownRequests } from "../../../src/graphql/http/known-requests.ts";
import type { Operations } from "../../../src/graphql/plan/operation.ts";
import { openMetrics } from "../../../src/observe/metrics.ts";
import { openStore } from "../../../src/storage/open.ts";
import { aPerson } from "../../conformance/samples.ts";
import { ada, openTestServer } from "../server.ts";

const READ = "query ($id: ID!) { user(id: $id) { name posts { title } } }";
const LIST = "{ posts { title author { name } } }";

describe("requests that come again, byte for byte", () => {
  const folder = mkdtempSync(join(tmpdir(), "content-api-known-"));
  const path = join(folder, "content.db");
  let store: Store;
  let viewer: Viewer = ada;
  let ann: Id;
  let ben: Id;
  const metrics = openMetrics();
  const quota = { points: 1_000, seconds: 1_000_000 };

  before(async () => {
    store = await openStore(`sqlite:${path}`, { readCache: 1_000_000, isAlone: true });
    ann = (await store.users.create(aPerson({ name: "Ann" }))).id;
    ben = (await store.users.create(aPerson({ name: "Ben", email: "ben@example.com" }))).id;
  });
  after(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });

  function open(settings: object = {}) {
    viewer = ada;
    return openTestServer({ store, metrics, settings, authenticate: () => viewer } as object);
  }

  test("the answer of each time is that of the moment, whoever has written", async () => {
    const server = open();
    const ask = async () => {
      await turn();
      return (await server.query(READ, { id: ann })).json.data.user;
    };
    for (let time = 0; time < 4; time++) assert.deepEqual(await ask(), { name: "Ann", posts: [] });
    await store.posts.create({ authorId: ann, title: "one", body: "" });
    for (let time = 0; time < 3; time++) assert.deepEqual((await ask()).posts, [{ title: "one" }]);
    await store.posts.create({ authorId: ben, title: "two", body: "" });
    assert.deepEqual((await ask()).posts, [{ title: "one" }]);
    await store.users.changeProfile(ann, { name: "Anna" }, null);
    assert.equal((await ask()).name, "Anna");
    const byHand = new DatabaseSync(path);
    byHand.exec("update users set name = 'Hand' where name = 'Anna'");
    byHand.close();
    assert.equal((await ask()).name, "Hand");
    await store.users.changeProfile(ann, { name: "Ann" }, null);
  });

  test("a short answer is that of the moment too, also after a rest and where a name gets long", async () => {
    const server = open();
    const ask = async () => {
      await turn();
      const { body } = await server.query("query ($id: ID!) { user(id: $id) { name } }", { id: ben });
      return body;
    };
    for (const name of ["Ben", "B", "Ben".repeat(80), "Benny", "Ben"]) {
      await store.users.changeProfile(ben, { name }, null);
      for (let time = 0; time < 4; time++) assert.equal(await ask(), `{"data":{"user":{"name":"${name}"}}}`);
      await store.posts.create({ authorId: ann, title: "of somebody else", body: "" });
      for (let time = 0; time < 2; time++) assert.equal(await ask(), `{"data":{"user":{"name":"${name}"}}}`);
      store.rest();
      for (let time = 0; time < 2; time++) assert.equal(await ask(), `{"data":{"user":{"name":"${name}"}}}`);
    }
    const byHand = new DatabaseSync(path);
    byHand.exec("update users set name = 'Hand' where name = 'Ben'");
    byHand.close();
    assert.equal(await ask(), '{"data":{"user":{"name":"Hand"}}}');
    await store.users.changeProfile(ben, { name: "Ben" }, null);
  });

  test("a list is that of the moment too", async () => {
    const server = open();
    const ask = async () => (await server.query(LIST)).json.data.posts.length;
    const before = await ask();
    assert.equal(await ask(), before);
    assert.equal(await ask(), before);
    await store.posts.create({ authorId: ben, title: "another", body: "" });
    assert.equal(await ask(), before + 1);
    assert.equal(await ask(), before + 1);
  });

  test("each viewer gets what is for them", async () => {
    const server = open();
    const draft = await store.posts.create({ authorId: ben, title: "a draft", body: "", status: "DRAFT" });
    const query = `{ post(id: "${draft}") { title } }`;
    const owner: Viewer = { ...ada, userId: ben };
    for (let time = 0; time < 3; time++) {
      viewer = owner;
      for (let again = 0; again < 3; again++)
        assert.equal((await server.query(query)).json.data.post?.title, "a draft");
      viewer = { ...ada, userId: ann };
      for (let again = 0; again < 3; again++) assert.equal((await server.query(query)).json.data.post, null);
      viewer = { ...owner, scopes: new Set() };
      const refused = await server.query(query);
      assert.equal(refused.json.errors[0].extensions.code, "FORBIDDEN");
      assert.equal("data" in refused.json, false);
    }
  });

  test("each request is paid for, counted, and has its own head", async () => {
    const server = open({ RATE_LIMIT_TOKEN: quota, RATE_LIMIT_ADDRESS: quota });
    const hits = metrics.counter("graphql_plan_cache_total", "hit").value;
    const lefts: string[] = [];
    for (let time = 0; time < 4; time++) {
      const { headers } = await server.send({ body: { query: READ, variables: { id: ben } }, address: "192.0.2.1" });
      lefts.push(/"token";r=(\d+)/.exec(headers.ratelimit ?? "")?.[1] ?? "");
    }
    const costs = lefts.slice(1).map((left, index) => Number(lefts[index]) - Number(left));
    assert.ok(
      costs.every((cost) => cost === costs[0] && cost > 0),
      lefts.join(),
    );
    assert.equal(metrics.counter("graphql_plan_cache_total", "hit").value - hits, 3);
    const told = await server.query(READ, { id: ben }, { "graphql-cost": "1" });
    assert.equal(told.json.extensions.cost, costs[0]);
    const plain = await server.query(READ, { id: ben }, { accept: "application/json" });
    assert.equal(plain.headers["content-type"], "application/json; charset=utf-8");
  });

  test("a change is made each time, and a wrong request is wrong each time", async () => {
    const server = open();
    viewer = { ...ada, userId: ben };
    const change = 'mutation { createPost(input: { title: "again", body: "" }) { id } }';
    const ids = [];
    for (let time = 0; time < 3; time++) ids.push((await server.query(change)).json.data.createPost.id);
    assert.equal(new Set(ids).size, 3);
    for (let time = 0; time < 3; time++) {
      const wrong = await server.query(READ, { id: null });
      assert.equal(wrong.json.errors[0].extensions.code, "BAD_USER_INPUT");
      assert.equal((await server.query("{ nope }")).status, 400);
    }
  });

  test("other bytes that begin alike are another request", async () => {
    const server = open();
    const ask = async (body: string) => (await server.send({ body })).body;
    const named = (name: string) => JSON.stringify({ query: `{ ${name}: __typename }` });
    for (let time = 0; time < 3; time++) {
      assert.equal(await ask(named("a")), '{"data":{"a":"Query"}}');
      assert.equal(await ask(named("b")), '{"data":{"b":"Query"}}');
    }
    // Bytes that are no UTF-8 stay wrong, also where the same with one character for each byte would be right.
    const text = JSON.stringify({ query: "{ __typename }", operationName: "", extensions: { a: "é" } });
    assert.equal((await server.send({ body: Buffer.from(text) })).status, 200);
    assert.equal((await server.send({ body: Buffer.from(text, "latin1") })).status, 400);
  });

  test("documents and plans that were dropped are not held by requests that were remembered", () => {
    let found = 0;
    const operation = { type: "query", coerceVariables: () => ({}), plan: () => ({ fields: [], scopes: [] }) };
    const operations = {
      forgotten: 0,
      find() {
        found++;
        return { ...operation, planHits: { add() {} } };
      },
    };
    const requests = new KnownRequests(operations as unknown as Operations, new PersistedDocuments());
    function ask(): AskedOperation {
      const body = Buffer.from(JSON.stringify({ query: LIST }));
      const asked = requests.ask({ method: "POST", url: "/graphql", headers: {}, body, requestId: "1" });
      asked.plan();
      asked.bind(ada);
      requests.keep(asked);
      return asked;
    }
    const first = ask();
    assert.equal(ask(), first);
    assert.equal(found, 1);
    operations.forgotten++;
    assert.notEqual(ask(), first);
    assert.equal(found, 2);
  });
});
