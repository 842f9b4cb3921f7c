import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { Id } from "../../src/domain/id.ts";
import type { Store } from "../../src/domain/store/store.ts";
import { openStore } from "../../src/storage/open.ts";
import { openTestApp, type TestApp } from "../app.ts";
import { aClient, aPerson } from "../conformance/samples.ts";
import { freePort } from "../port.ts";
import { openPostgres, sqlOn } from "../postgres.ts";
import { quickHash } from "../quick-hash.ts";
import { type Browser, getTokens, requestToken, signIn } from "../security/client.ts";
import { bestOfThree, livedTime } from "../timing.ts";

/** Milliseconds in which a change at one node is seen at the other. */
const WITHIN = 1_000;
const PASSWORD = "three wet otters on a quay";
const DISABLED = { disabledAt: "2026-01-31T12:00:00.000Z" };
const ENABLED = { disabledAt: null };

const server = await openPostgres();

// A pooler in transaction mode passes no notifications on.
describe("two nodes on one PostgreSQL", { skip: process.env.TEST_POOLER !== undefined }, () => {
  let url: string;
  let near: TestApp;
  let far: TestApp;
  /** The operator's command line: a third process. */
  let operator: Store;
  let ada: Id;
  let browser: Browser;
  /** Where the clock of both nodes stands still; null while it runs. */
  let stoppedAt: number | null = null;
  const now = () => stoppedAt ?? Date.now();

  const client = { clientId: "app", redirectUri: "https://app.example.com/callback", scope: "openid posts:read" };

  before(async () => {
    url = await server.createDatabase();
    const port = await freePort();
    const settings = {
      DATABASE_URL: url,
      SECRET_KEY: randomBytes(32).toString("base64url"),
      BASE_URL: `http://localhost:${port}`,
      LOG_LEVEL: "silent",
    };
    near = await openTestApp({ ...settings, PORT: String(port) }, { now });
    far = await openTestApp(settings, { now });
    operator = await openStore(url);
    ada = (await operator.users.create(aPerson({ passwordHash: quickHash(PASSWORD) }))).id;
    await operator.clients.create(
      aClient({
        id: client.clientId,
        type: "public",
        secretHash: null,
        redirectUris: [client.redirectUri],
        grantTypes: ["authorization_code", "refresh_token"],
        firstParty: true,
      }),
    );
    browser = await signIn({ ...client, issuer: near.config.AUTH_URL, password: PASSWORD });
    await untilTheyListen();
  });
  after(() => Promise.all([near.close(), far.close(), operator.close()]));

  const tokens = () => getTokens({ ...client, issuer: near.config.AUTH_URL, password: PASSWORD, browser });

  async function statusAt(node: TestApp, token: string): Promise<number> {
    const response = await fetch(`${node.url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify({ query: "{ posts(first: 1) { id } }" }),
    });
    await response.arrayBuffer();
    return response.status;
  }

  /** The nodes have just been asked, so that they believe in the token, and are asked until none does. */
  async function untilRefused(token: string, change: () => Promise<unknown>, nodes = [far]): Promise<number> {
    for (const node of nodes) assert.equal(await statusAt(node, token), 200);
    await change();
    const began = livedTime();
    for (const node of nodes) {
      while ((await statusAt(node, token)) !== 401) {
        assert.ok(livedTime() - began < 20_000, "still believed");
        await pause(5);
      }
    }
    return livedTime() - began;
  }

  /** As `untilRefused`, where nothing that a node believes gets old: only what it is told can end it. */
  async function untilToldOf(...change: Parameters<typeof untilRefused>): Promise<number> {
    stoppedAt = Date.now();
    try {
      return await untilRefused(...change);
    } finally {
      stoppedAt = null;
    }
  }

  const listening =
    "from pg_stat_activity where application_name = 'content-api changes' and datname = current_database()";
  async function untilTheyListen(): Promise<number> {
    const began = livedTime();
    const ready = `select 1 ${listening} and query ~ '^(listen|select 1)' and state = 'idle'`;
    while ((await sqlOn(url, ready)).length < 2) {
      assert.ok(livedTime() - began < 20_000, "they do not listen again");
      await pause(20);
    }
    return livedTime() - began;
  }

  async function untilBelieved(token: string): Promise<void> {
    for (const began = livedTime(); (await statusAt(far, token)) !== 200; await pause(5))
      assert.ok(livedTime() - began < 20_000, "still refused");
  }

  const revoke = (token: string) => () =>
    fetch(`${near.url}/revoke`, { method: "POST", body: new URLSearchParams({ token, client_id: client.clientId }) });

  test("A30 F12 an access token, a grant, a person, a client: refused at the other node at once", async () => {
    await bestOfThree(WITHIN, async () => {
      const { access_token } = await tokens();
      return untilToldOf(access_token, revoke(access_token));
    });
    await bestOfThree(WITHIN, async () => {
      const { access_token, refresh_token } = await tokens();
      return untilToldOf(access_token, revoke(refresh_token));
    });
    const { access_token } = await tokens();
    await bestOfThree(WITHIN, async () => {
      await operator.users.update(ada, ENABLED);
      await untilBelieved(access_token);
      return untilToldOf(access_token, () => operator.users.update(ada, DISABLED));
    });
    await operator.users.update(ada, ENABLED);
    await bestOfThree(WITHIN, async () => {
      await operator.clients.update(client.clientId, ENABLED);
      await untilBelieved(access_token);
      return untilToldOf(access_token, () => operator.clients.update(client.clientId, DISABLED));
    });
    await operator.clients.update(client.clientId, ENABLED);
  });

  test("A27 F12 a refresh token that is used again at the other node ends its family at both", async () => {
    await bestOfThree(WITHIN, async () => {
      const { access_token, refresh_token } = await tokens();
      const params = { grant_type: "refresh_token", refresh_token, client_id: client.clientId };
      const { body } = await requestToken(near.url, params);
      // As if the rotation were long ago: within ten seconds it is a race, not a theft.
      await sqlOn(
        url,
        "update artifacts set consumed_at_seconds = consumed_at_seconds - 60 where kind = 'RefreshToken'",
      );
      assert.equal(await statusAt(near, body.access_token), 200);
      const took = await untilToldOf(access_token, () => requestToken(far.url, params), [far, near]);
      assert.equal(await statusAt(near, body.access_token), 401);
      const next = { ...params, refresh_token: body.refresh_token };
      assert.equal((await requestToken(near.url, next)).body.error, "invalid_grant");
      return took;
    });
  });

  test("A17 F12 a person or client that is disabled at one node gets nothing from the other", async () => {
    const { access_token, refresh_token } = await tokens();
    const params = { grant_type: "refresh_token", refresh_token, client_id: client.clientId };
    await untilToldOf(access_token, () => operator.users.update(ada, DISABLED));
    assert.equal((await requestToken(far.url, params)).body.error, "invalid_grant");
    await operator.users.update(ada, ENABLED);
    await untilBelieved(access_token);
    await untilToldOf(access_token, () => operator.clients.update(client.clientId, DISABLED));
    assert.equal((await requestToken(far.url, params)).body.error, "invalid_client");
    await operator.clients.update(client.clientId, ENABLED);
  });

  test("F12 A30 the connections that listen are killed: within a second all the same, and soon at once again", async () => {
    await bestOfThree(WITHIN, async () => {
      await untilTheyListen();
      const { access_token } = await tokens();
      const killed = await sqlOn(url, `select pg_terminate_backend(pid, 5000) ${listening}`);
      assert.equal(killed.length, 2);
      return untilRefused(access_token, revoke(access_token));
    });
    await bestOfThree(3_000, async () => {
      await untilTheyListen();
      await sqlOn(url, `select pg_terminate_backend(pid, 5000) ${listening}`);
      return untilTheyListen();
    });
    await bestOfThree(WITHIN, async () => {
      const { access_token } = await tokens();
      return untilToldOf(access_token, revoke(access_token));
    });
  });

  test("F12 what is changed past the program is seen within a second", async () => {
    await bestOfThree(WITHIN, async () => {
      const { access_token } = await tokens();
      return untilRefused(access_token, () => sqlOn(url, "delete from artifacts where kind = 'AccessToken'"));
    });
  });
});
