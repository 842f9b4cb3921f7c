import assert from "node:assert/strict";
import { generateKeyPairSync, randomUUID } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { SignJWT } from "jose";
import { openTestApp, type TestApp } from "../app.ts";
import { type CollectedSpan, Collector, type Tree } from "../collector.ts";
import { runJson } from "../command.ts";
import { createDatabase, dropDatabase } from "../postgres.ts";
import { addPerson } from "../subscriber.ts";

const ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const POSTGRES = process.env.TEST_DATABASE_URL;
const keys = generateKeyPairSync("ec", { namedCurve: "P-256" });

/** Calls within each trace, in their order. SQLite keeps reads in memory, and waits for the disk apart from the statements. */
const CALLS = {
  sqlite: {
    readAgain: [],
    change: ["UPDATE creations; INSERT posts; INSERT outbox; SELECT posts", "COMMIT"],
    token: ["INSERT attempts", "COMMIT", "INSERT artifacts", "COMMIT"],
  },
  // The transaction of a change is one for all that come together: its commit belongs to none of them.
  postgresql: {
    readAgain: ["SELECT posts"],
    change: ["SELECT users; UPDATE creations; INSERT posts; INSERT outbox; SELECT posts"],
    token: ["BEGIN; SELECT; INSERT attempts; COMMIT", "BEGIN; SELECT; INSERT artifacts; COMMIT"],
  },
} as const;

for (const engine of ["sqlite", "postgresql"] as const)
  describe(`spans on ${engine}`, { timeout: 120_000, skip: engine === "postgresql" && POSTGRES === undefined }, () => {
    let app: TestApp;
    let collector: Collector;
    let site: Server;
    let token: string;
    let clientId: string;
    let databaseUrl: string | undefined;
    const asked: IncomingHttpHeaders[] = [];

    before(async () => {
      collector = await Collector.open();
      site = createServer(({ headers }, response) => {
        asked.push(headers);
        const jwk = { ...keys.publicKey.export({ format: "jwk" }), kid: "1" };
        response.setHeader("content-type", "application/json").end(JSON.stringify({ keys: [jwk] }));
      });
      await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
      if (engine === "postgresql") databaseUrl = await createDatabase(POSTGRES ?? "");
      app = await openTestApp({
        ...{ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER: "always_on" },
        ...{ OTEL_BSP_SCHEDULE_DELAY: "20", TRACE_CONTEXT: "all", PRIVATE_HOSTS: "127.0.0.1" },
        ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
      });
      await addPerson(app.environment, "ada@example.com", "admin");
      const command = ["token", "create", "--user", "ada@example.com", "--scope", "posts:read posts:write users:read"];
      token = (await runJson<{ access_token: string }>(command, app.environment)).access_token;
      const uri = `http://127.0.0.1:${(site.address() as AddressInfo).port}/secret-path`;
      const client = ["client", "create", "--name", "Keys", "--grant", "client_credentials", "--jwks-uri", uri];
      clientId = (await runJson<{ client_id: string }>([...client, "--scope", "posts:read"], app.environment))
        .client_id;
    });
    after(async () => {
      await app?.close();
      if (databaseUrl !== undefined) await dropDatabase(POSTGRES ?? "", databaseUrl);
      await collector.close();
      site.closeAllConnections();
      site.close();
    });

    /** The whole trace of a request. */
    async function treeOf(response: Response): Promise<{ readonly root: CollectedSpan; readonly tree: Tree }> {
      await response.text();
      const id = response.headers.get("x-request-id");
      const isRoot = ({ attributes }: CollectedSpan) => attributes["content_api.request_id"] === id;
      await collector.until((spans) => spans.some(isRoot));
      const root = collector.spans.find(isRoot) as CollectedSpan;
      return { root, tree: collector.tree(root.traceId) };
    }
    const ask = async (query: string) =>
      treeOf(
        await fetch(`${app.url}/graphql`, {
          method: "POST",
          headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
          body: JSON.stringify({ query }),
        }),
      );
    async function askForToken(key = keys.privateKey) {
      const jwt = new SignJWT({ jti: randomUUID() })
        .setProtectedHeader({ alg: "ES256", kid: "1" })
        .setIssuer(clientId)
        .setSubject(clientId)
        .setAudience(app.config.AUTH_URL)
        .setExpirationTime("1m");
      const form = { grant_type: "client_credentials", scope: "posts:read", client_assertion_type: ASSERTION };
      const body = new URLSearchParams({ ...form, client_assertion: await jwt.sign(key) });
      return treeOf(await fetch(`${app.url}/token`, { method: "POST", body }));
    }
    /** Those that `parent` contains, by name. */
    const callsIn = (parent: CollectedSpan | undefined) =>
      collector.spans
        .filter(({ parentSpanId, kind }) => kind === 3 && parentSpanId === parent?.spanId)
        .toSorted((a, b) => Number(BigInt(a.startTimeUnixNano) - BigInt(b.startTimeUnixNano)))
        .map(({ name }) => name);
    const within = (root: CollectedSpan, name: string) =>
      collector.spans.find((span) => span.traceId === root.traceId && span.name === name);
    const systems = (root: CollectedSpan) =>
      new Set(
        collector.spans
          .filter(({ traceId, attributes }) => traceId === root.traceId && "db.system.name" in attributes)
          .map(({ attributes }) => attributes["db.system.name"]),
      );

    test("O04 a first read: the token is verified, the document planned, and one statement runs", async () => {
      const { tree, root } = await ask("query Titles { posts(first: 2) { id title } }");
      const verified = { "INTERNAL token verify": { "CLIENT SELECT artifacts": {} } };
      const query = { "INTERNAL parse+plan": {}, "CLIENT SELECT posts": {} };
      assert.deepEqual(tree, { "SERVER POST /graphql": { ...verified, "INTERNAL query": query } });
      assert.deepEqual(systems(root), new Set([engine]));
    });

    test("O04 a read whose document is known has its statement alone", async () => {
      const { root } = await ask("query Titles { posts(first: 2) { id title } }");
      assert.equal(within(root, "parse+plan"), undefined);
      assert.deepEqual(callsIn(within(root, "query")), CALLS[engine].readAgain);
    });

    test("O04 a change: what goes to the database together is one span", async () => {
      const { root } = await ask('mutation { createPost(input: { title: "T", body: "B" }) { id } }');
      assert.deepEqual(callsIn(within(root, "mutation")), CALLS[engine].change);
      assert.deepEqual(systems(root), new Set([engine]));
    });

    test("O04 a token: the keys of the client are a call of its trace, O03 which their host learns of", async () => {
      const { tree, root } = await askForToken();
      assert.equal(root.attributes["http.response.status_code"], 200);
      assert.deepEqual(Object.keys(tree), ["SERVER POST /token"]);
      assert.deepEqual(callsIn(root), ["SELECT clients", "GET", ...CALLS[engine].token]);
      const call = within(root, "GET");
      assert.equal(call?.attributes["server.address"], "127.0.0.1");
      assert.equal(call?.attributes["http.response.status_code"], 200);
      assert.deepEqual(
        asked.map(({ traceparent }) => traceparent),
        [`00-${root.traceId}-${call?.spanId}-01`],
      );
    });

    test("O04 another token: the keys are known, and the statements of the grant remain", async () => {
      const { root } = await askForToken();
      assert.equal(asked.length, 1);
      const others = callsIn(root).filter((name) => name !== "SELECT clients"); // a slow machine looks again
      assert.deepEqual(others, CALLS[engine].token);
      assert.deepEqual(systems(root), new Set([engine]));
    });

    test("O04 a rejected assertion is a trace with its status, and O05 no assertion is in what was sent", async () => {
      const { root } = await askForToken(generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey);
      assert.equal(root.attributes["http.response.status_code"], 401);
      assert.equal(root.attributes["http.route"], "/token");
      const sent = collector.bodies.join("\n");
      for (const secret of ["eyJ", token, "secret-path", clientId]) assert.ok(!sent.includes(secret), secret);
    });
  });
