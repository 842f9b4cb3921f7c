import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import {
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from "graphql";
import type { NewAuditEvent } from "../../src/domain/audit.ts";
import type { Id } from "../../src/domain/id.ts";
import type { Store } from "../../src/domain/store.ts";
import type { Viewer } from "../../src/domain/viewer.ts";
import { loadSchema, requiredScopes } from "../../src/graphql/schema.ts";
import { openStore } from "../../src/storage/open.ts";
import { aPerson } from "../conformance/samples.ts";
import { createTestDatabase, type TestDatabase } from "../database.ts";
import { ada, administrationForTests, openTestServer, type TestServer } from "./server.ts";

const NOBODY = "01a21efd-4214-7000-8474-a0573e6a4ee8" as Id;

describe("administration", () => {
  let folder: string;
  let database: TestDatabase;
  let store: Store;
  let admin: Viewer;
  let server: TestServer;
  const recorded: NewAuditEvent[] = [];
  const asked = new Set<string>();
  const schema = loadSchema();

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "content-api-"));
    database = await createTestDatabase(folder);
    store = await openStore(database.url);
    const { id } = await store.users.create(aPerson({ role: "admin" }));
    admin = { ...ada, userId: id, role: "admin" };
    server = open(admin);
  });
  after(async () => {
    await store.close();
    await database.drop();
    await rm(folder, { recursive: true });
  });

  function open(viewer: Viewer): TestServer {
    const administration = {
      ...administrationForTests,
      record: async (event: NewAuditEvent) => void recorded.push(event),
    };
    return openTestServer({ store, viewer, administration });
  }

  async function data(query: string, variables: object = {}, headers = {}) {
    const { json, status } = await server.query(query, variables, headers);
    assert.deepEqual([json.errors, status], [undefined, 200]);
    return json.data;
  }

  test("every field of it needs the scope admin, and the role", async () => {
    const fields = [
      "{ webhooks { id } }",
      "{ webhook(id: 1) { id } }",
      "{ webhookDeliveries { nodes { id } } }",
      'mutation { createWebhook(input: {url: "https://receiver.example/"}) { secret } }',
      "mutation { rotateWebhookSecret(id: 1) { secret } }",
      "mutation { disableWebhook(id: 1) { webhook { id } } }",
      "mutation { enableWebhook(id: 1) { webhook { id } } }",
      "mutation { deleteWebhook(id: 1) { deletedId } }",
      "mutation { resendWebhookDelivery(id: 1) { delivery { id } } }",
    ];
    const scopes = new Set([...admin.scopes].filter((scope) => scope !== "admin"));
    const [unscoped, editor, client] = [
      open({ ...admin, scopes }),
      open({ ...admin, role: "editor" }),
      open({ ...admin, userId: null, role: null }),
    ];
    for (const query of fields) {
      const refused = await unscoped.query(query);
      assert.equal(refused.status, 403, query);
      assert.match(refused.headers["www-authenticate"] ?? "", /scope="admin"/);
      for (const other of [editor, client]) {
        const { json } = await other.query(query);
        assert.equal(json.errors[0].extensions.code, "FORBIDDEN", query);
        assert.ok(json.data === null || Object.values(json.data).every((value) => value === null));
      }
    }
    assert.deepEqual(await store.webhooks.list(), []);
    assert.deepEqual(recorded, []);
  });

  /** Everything that can be selected of what a field of the root answers with. */
  function whole(root: "Query" | "Mutation", name: string): string {
    const of = (type: GraphQLOutputType): string => {
      const named = getNamedType(type);
      if (!isObjectType(named)) return "";
      const fields = Object.values(named.getFields()).map((field) => `${field.name} ${of(field.type)}`);
      return `{ __typename ${fields.join(" ")} }`;
    };
    return of(fieldOf(root, name).type);
  }

  function fieldOf(root: "Query" | "Mutation", name: string) {
    const field = (schema.getType(root) as GraphQLObjectType).getFields()[name];
    assert.ok(field !== undefined, `${root}.${name}`);
    return field;
  }

  /** Whether a value is what the schema promises. */
  function assertFits(value: unknown, type: GraphQLOutputType, place: string): void {
    if (isNonNullType(type)) {
      assert.ok(value != null, `${place} is null`);
      assertFits(value, type.ofType, place);
    } else if (value === null) return;
    else if (isListType(type)) {
      assert.ok(Array.isArray(value), place);
      for (const each of value) assertFits(each, type.ofType, place);
    } else if (isObjectType(type)) {
      for (const [name, field] of Object.entries(type.getFields()))
        assertFits((value as Record<string, unknown>)[name], field.type, `${place}.${name}`);
    } else if (isLeafType(type)) assert.equal(type.coerceOutputValue(value), value, place);
  }

  /** Asks for all that there is of a field, and sees to it that the answer is what the schema promises. */
  async function ask(root: "Query" | "Mutation", name: string, args = "") {
    const operation = root === "Query" ? "query" : "mutation";
    const answer = await data(`${operation} { ${name}${args === "" ? "" : `(${args})`} ${whole(root, name)} }`);
    assertFits(answer[name], fieldOf(root, name).type, `${root}.${name}`);
    asked.add(`${root}.${name}`);
    return answer[name];
  }

  test("all that there is of each of its fields is answered as the schema promises", async () => {
    const { webhook, secret } = await ask(
      "Mutation",
      "createWebhook",
      'input: {url: "https://receiver.example/", events: []}',
    );
    assert.ok(secret !== null && webhook !== null);
    const id = `id: "${webhook.id}"`;
    const event = { eventId: NOBODY, eventType: "user.updated", payload: "{}" } as const;
    await store.webhooks.advance(webhook.id, { from: "", to: NOBODY }, [event], new Date().toISOString());
    const { nodes } = await ask("Query", "webhookDeliveries");
    await ask("Mutation", "resendWebhookDelivery", `id: "${nodes[0].id}"`);
    await ask("Mutation", "rotateWebhookSecret", id);
    await ask("Mutation", "disableWebhook", id);
    assert.equal((await ask("Query", "webhooks")).length, 1);
    await ask("Query", "webhook", id);
    await ask("Mutation", "enableWebhook", id);
    await ask("Mutation", "deleteWebhook", id);

    const all = (["Query", "Mutation"] as const).flatMap((root) =>
      Object.values((schema.getType(root) as GraphQLObjectType).getFields())
        .filter((field) => requiredScopes(field).includes("admin"))
        .map(({ name }) => `${root}.${name}`),
    );
    assert.deepEqual([...asked].sort(), all.sort());
    recorded.length = 0;
  });

  describe("webhooks", () => {
    const WEBHOOK = "id url events includesUnpublished previousUntil createdAt disabledAt disabledBy __typename";
    const CREATE = `mutation ($input: CreateWebhookInput!) {
      createWebhook(input: $input) { secret errors { code field message } made: webhook { ${WEBHOOK} } }
    }`;
    let id: Id;

    test("created, with the secret once, listed and found without", async () => {
      const input = { url: "https://receiver.example/hook", events: ["USER_UPDATED", "POST_CREATED"] };
      const { createWebhook } = await data(CREATE, { input });
      assert.match(createWebhook.secret, /^whsec_/);
      assert.deepEqual(createWebhook.errors, []);
      id = createWebhook.made.id;
      const { createdAt, ...made } = createWebhook.made;
      assert.match(createdAt, /Z$/);
      assert.deepEqual(made, {
        id,
        url: input.url,
        events: ["POST_CREATED", "USER_UPDATED"],
        includesUnpublished: false,
        previousUntil: null,
        disabledAt: null,
        disabledBy: null,
        __typename: "Webhook",
      });
      const read = await data(
        `query ($id: ID!) { webhooks { ${WEBHOOK} } webhook(id: $id) { ${WEBHOOK} } none: webhook(id: "x") { id } }`,
        { id },
      );
      assert.deepEqual(read, { webhooks: [createWebhook.made], webhook: createWebhook.made, none: null });
      assert.deepEqual(recorded.pop(), {
        event: "webhook",
        result: "ok",
        detail: `${id} created by ${admin.userId}`,
        requestId: "request-1",
        address: null,
      });
    });

    test("what a person can put right is in the payload, all of it", async () => {
      const { createWebhook } = await data(CREATE, { input: { url: "http://receiver.example/" } });
      assert.deepEqual(
        [createWebhook.secret, createWebhook.made, createWebhook.errors.map(({ field }: { field: string }) => field)],
        [null, null, ["input.url"]],
      );
    });

    test("rotated, disabled, enabled", async () => {
      const rotate =
        "mutation ($id: ID!, $leaked: Boolean!) { rotateWebhookSecret(id: $id, isLeaked: $leaked) { secret webhook { previousUntil } } }";
      const first = (await data(rotate, { id, leaked: false })).rotateWebhookSecret;
      assert.match(first.secret, /^whsec_/);
      assert.match(first.webhook.previousUntil, /Z$/);
      assert.equal((await data(rotate, { id, leaked: true })).rotateWebhookSecret.webhook.previousUntil, null);
      const change = (name: string) =>
        data(`mutation ($id: ID!) { ${name}(id: $id) { webhook { disabledBy } errors { code } } }`, { id });
      assert.deepEqual(await change("disableWebhook"), {
        disableWebhook: { webhook: { disabledBy: "ADMINISTRATOR" }, errors: [] },
      });
      assert.deepEqual(await change("enableWebhook"), { enableWebhook: { webhook: { disabledBy: null }, errors: [] } });
      const { json } = await server.query('mutation { disableWebhook(id: "x") { webhook { id } } }');
      assert.deepEqual([json.data.disableWebhook, json.errors[0].extensions.code], [null, "NOT_FOUND"]);
    });

    test("deliveries are walked newest first, by state, and sent again", async () => {
      const at = new Date().toISOString();
      const events = Array.from({ length: 5 }, (_, i) => ({
        eventId: `01a21efd-4214-7000-8474-${String(i).padStart(12, "0")}` as Id,
        eventType: "post.created" as const,
        payload: `{"number":${i}}`,
      }));
      await store.webhooks.advance(id, { from: "", to: NOBODY }, events, at);
      const walk = `query ($after: String, $webhook: ID, $state: WebhookDeliveryState) {
        webhookDeliveries(first: 2, after: $after, webhook: $webhook, state: $state) {
          nodes { id payload state event eventId webhookId attempts nextAttemptAt lastStatus lastError lastAttemptAt createdAt }
          edges { cursor node { id } }
          pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
        }
      }`;
      const seen: string[] = [];
      let after: string | null = null;
      do {
        const page: Awaited<ReturnType<typeof data>> = await data(walk, { after, webhook: id });
        const { nodes, edges, pageInfo } = page.webhookDeliveries;
        assert.deepEqual(
          edges.map(({ node }: { node: { id: string } }) => node.id),
          nodes.map((node: { id: string }) => node.id),
        );
        assert.deepEqual([pageInfo.startCursor, pageInfo.endCursor], [edges[0].cursor, edges.at(-1).cursor]);
        assert.equal(pageInfo.hasPreviousPage, after !== null);
        seen.push(...nodes.map(({ payload }: { payload: string }) => payload));
        after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
      } while (after !== null);
      assert.deepEqual(seen, events.map(({ payload }) => payload).reverse());
      const count = async (variables: object) => (await data(walk, variables)).webhookDeliveries.nodes.length;
      assert.equal(await count({ state: "DELIVERED" }), 0);
      assert.equal(await count({ webhook: NOBODY }), 0);
      assert.equal(await count({ webhook: "x" }), 0);
      for (const [first, cursor, field] of [
        [-1, null, "first"],
        [101, null, "first"],
        [1, "x", "after"],
      ] as const) {
        const { json } = await server.query(
          "query ($first: Int!, $cursor: String) { webhookDeliveries(first: $first, after: $cursor) { nodes { id } } }",
          { first, cursor },
        );
        assert.deepEqual([json.errors[0].extensions.code, json.errors[0].extensions.field], ["BAD_USER_INPUT", field]);
      }
      const [delivery] = await store.webhooks.claim(id, { now: at, until: at, limit: 1 });
      assert.ok(delivery?.claim != null);
      const outcome = { state: "FAILED", dueAt: null, failures: 10, attemptAt: at, status: 500, error: "no" } as const;
      await store.webhooks.settle(delivery.id, delivery.claim, outcome);
      const { resendWebhookDelivery } = await data(
        "mutation ($id: ID!) { resendWebhookDelivery(id: $id) { delivery { state attempts lastStatus lastError } } }",
        { id: delivery.id },
      );
      assert.deepEqual(resendWebhookDelivery.delivery, {
        state: "PENDING",
        attempts: 1,
        lastStatus: 500,
        lastError: "no",
      });
    });

    test("a page costs its entries, a mutation ten", async () => {
      const cost = async (query: string) =>
        (await server.query(query, {}, { "graphql-cost": "1" })).json.extensions.cost;
      assert.equal(await cost("{ webhookDeliveries(first: 7) { nodes { id } } }"), 8);
      assert.equal(await cost("{ webhookDeliveries { nodes { id } } }"), 51);
      assert.equal(await cost('{ webhook(id: "x") { id } }'), 1);
      assert.equal(await cost("{ webhooks { id } }"), 100);
      assert.equal(await cost('mutation { createWebhook(input: {url: ""}) { secret } }'), 11);
    });

    test("A42 with an Idempotency-Key the secret comes again, byte for byte, and is nowhere in the database", async () => {
      const input = { url: "https://receiver.example/keyed" };
      const headers = { "idempotency-key": '"one webhook"' };
      const first = await server.query(CREATE, { input }, headers);
      const again = await server.query(CREATE, { input }, headers);
      assert.equal(again.body, first.body);
      assert.equal(again.headers["idempotency-replayed"], "true");
      const { secret, made } = first.json.data.createWebhook;
      assert.equal((await store.webhooks.list()).filter(({ url }) => url === input.url).length, 1);
      const all = await database.readAll();
      assert.ok(all.includes(made.id));
      assert.ok(!all.includes(secret.slice("whsec_".length)));
      // Where there was no time to keep the answer, what is not secret is told.
      const lost = openTestServer({
        store: { ...store, idempotency: { ...store.idempotency, keepAnswer: async () => {} } } as Store,
        viewer: admin,
      });
      const other = { "idempotency-key": '"another"' };
      const once = await lost.query(CREATE, { input }, other);
      const recalled = await lost.query(CREATE, { input }, other);
      assert.match(once.json.data.createWebhook.secret, /^whsec_/);
      assert.deepEqual(recalled.json.data.createWebhook, { ...once.json.data.createWebhook, secret: null });
    });

    test("deleted, with what it was sent", async () => {
      const remove = "mutation ($id: ID!) { deleteWebhook(id: $id) { deletedId errors { code } } }";
      assert.deepEqual(await data(remove, { id }), { deleteWebhook: { deletedId: id, errors: [] } });
      assert.equal(await store.webhooks.find(id), null);
      const { json } = await server.query(remove, { id });
      assert.equal(json.errors[0].extensions.code, "NOT_FOUND");
    });
  });
});
