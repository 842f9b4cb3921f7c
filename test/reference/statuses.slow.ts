import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { readFacts, readRecorded, withFacts } from "../../bin/reference/recorded.ts";
import { hashToken } from "../../src/secrets/token-hash.ts";
import { openStore } from "../../src/storage/open.ts";
import { openTestApp, type TestApp } from "../app.ts";
import { runJson } from "../command.ts";
import { aClient } from "../conformance/samples.ts";
import { Contract } from "../contract.ts";
import { stateless } from "../mcp/raw-client.ts";
import { CLIENT_SECRET } from "../security/authorization-server.ts";
import { requestToken } from "../security/client.ts";

/** Suites that see most statuses. The tests before see the others: load, limits, malformed heads, SCIM without a right. */
const SUITES = [
  "test/security/{authorization,dpop,redirect}*.test.ts",
  "test/security/{device-flow,introspection,oauth-errors,registration,scim,token-route,unknown-requests}.test.ts",
  "test/conformance/openid/{basic,form-post,rp-initiated-logout}.test.ts",
  "test/app/app.test.ts",
  "test/e2e/{main-job,subscriptions}.test.ts",
  "test/http/{health,overload}.test.ts",
  "test/security/agents.test.ts",
];

const folder = mkdtempSync(join(tmpdir(), "content-api-statuses-"));
const file = join(folder, "seen");
const contract = new Contract();
/** Only workers whose supervisor is silent answer so, which no recorder sees (test/http/health.test.ts). */
const UNSEEN = ["get /metrics 503"];
const statuses = contract.statuses().filter((status) => !UNSEEN.includes(status));
const operationsWith = (status: number) =>
  statuses
    .filter((line) => line.endsWith(` ${status}`))
    .map((line) => line.split(" ").slice(0, 2) as [verb: string, path: string]);
const seen = () => new Set(readFileSync(file, "utf8").split("\n"));

before(() => {
  writeFileSync(file, "");
  process.env.SEEN_STATUSES = file;
});
after(() => rmSync(folder, { recursive: true }));

/** A request of an operation, without any right. */
function send(app: TestApp, verb: string, path: string, options: RequestInit = {}): Promise<Response> {
  const method = verb.toUpperCase();
  const isJson = ["/graphql", "/mcp", "/register"].includes(path);
  const body = isJson ? JSON.stringify({ query: "{ __typename }" }) : new URLSearchParams({ client_id: "x" });
  return fetch(`${app.url}${path.replace("{door}", "graphql").replaceAll(/\{\w+\}/g, "1")}`, {
    ...{ method, redirect: "manual" },
    ...(["GET", "DELETE"].includes(method) ? {} : { body }),
    ...options,
    headers: {
      ...(isJson ? { "content-type": "application/json", accept: "application/json, text/event-stream" } : {}),
      ...options.headers,
    },
  });
}

describe("D04 statuses that few requests get", () => {
  test("429: more requests than an IP address may send", async () => {
    const app = await openTestApp({
      ...{ REGISTRATION: "open", REGISTRATION_RATE: "1/h", RATE_LIMIT_TOKEN: "2/3600", RATE_LIMIT_ADDRESS: "2/3600" },
      RATE_LIMIT_OAUTH_ADDRESS: "1/3600",
    });
    try {
      for (const [verb, path] of operationsWith(429)) {
        let last = 0;
        for (let i = 0; i < 5 && last !== 429; i++) last = (await send(app, verb, path)).status;
        assert.equal(last, 429, `${verb} ${path}`);
      }
    } finally {
      await app.close();
    }
  });

  test("503: while the processor has more work than it can do", async () => {
    const app = await openTestApp({ HOST: "127.0.0.1", MAX_DELAY: "20", PUBLIC_READ: "true", REGISTRATION: "open" });
    const operations = operationsWith(503).filter(([, path]) => path !== "/readyz");
    const refused = new Set<string>();
    const isOver = () => refused.size === operations.length;
    const work = () => {
      for (const end = performance.now() + 10; performance.now() < end; ); // keeps the processor for itself
    };
    try {
      for (const [verb, path] of operations) await (await send(app, verb, path)).text(); // opens what opens on first use
      subscribe("http.server.request.start", work);
      await Promise.all(
        [...operations, ...operations].map(async ([verb, path]) => {
          for (const end = Date.now() + 60_000; !isOver() && Date.now() < end; await pause(10 * Math.random())) {
            const response = await send(app, verb, path);
            await response.text();
            if (response.status === 503) refused.add(`${verb} ${path}`);
          }
        }),
      );
    } finally {
      unsubscribe("http.server.request.start", work);
      await app.close();
    }
    assert.deepEqual([...refused].sort(), operations.map((operation) => operation.join(" ")).sort());
  });

  test("503 of /readyz: while the server stops", async () => {
    const app = await openTestApp();
    const closing = app.close(2_000);
    try {
      assert.equal((await send(app, "get", "/readyz")).status, 503);
    } finally {
      await closing;
    }
  });

  test("400: a head with two hosts", async () => {
    const app = await openTestApp();
    try {
      const operations = operationsWith(400).filter(([verb, path]) => verb === "get" && !path.startsWith("/scim"));
      for (const [, path] of operations) {
        const socket = connect(Number(new URL(app.url).port), "127.0.0.1");
        const line = path.replace("{door}", "graphql").replace("{client_id}", "1");
        socket.write(`GET ${line} HTTP/1.1\r\nHost: a.example\r\nHost: b.example\r\nConnection: close\r\n\r\n`);
        socket.resume();
        await once(socket, "close");
      }
    } finally {
      await app.close();
    }
  });

  test("GraphQL: 304, 405, 409 and 422; /userinfo by POST; what /mcp does not take", async () => {
    const app = await openTestApp({ PUBLIC_READ: "true" });
    try {
      const args = [
        "user",
        "create",
        "--email",
        "ada@example.com",
        "--name",
        "Ada",
        "--role",
        "admin",
        "--password-stdin",
      ];
      await runJson(args, app.environment, "seventeen tall birches");
      const create = ["token", "create", "--scope"];
      const token = (await runJson<{ access_token: string }>([...create, "posts:write"], app.environment)).access_token;
      const authorization = `Bearer ${token}`;
      const query = "/graphql?query=%7Bposts%7Bid%7D%7D";
      const etag = (await send(app, "get", query)).headers.get("etag") ?? "";
      assert.equal((await send(app, "get", query, { headers: { "if-none-match": etag } })).status, 304);
      assert.equal((await send(app, "get", "/graphql?query=mutation%7B__typename%7D")).status, 405);
      const post = (title: string, key: string) =>
        send(app, "post", "/graphql", {
          body: JSON.stringify({ query: `mutation { createPost(input: { title: "${title}", body: "" }) { id } }` }),
          headers: { authorization, "idempotency-key": key },
        });
      // Two at the same time: whether one comes while the other runs is up to the machine.
      let isBusy = false;
      for (let i = 0; i < 100 && !isBusy; i++) {
        const answers = await Promise.all(Array.from({ length: 8 }, () => post("One", `key-${i}`)));
        isBusy = answers.some(({ status }) => status === 409);
      }
      assert.ok(isBusy);
      assert.equal((await post("Two", "key-0")).status, 422);

      const graphql = (options: RequestInit) => send(app, "post", "/graphql", options);
      const large = "x".repeat(9_000_000);
      assert.equal((await graphql({ body: large, headers: { authorization } })).status, 413);
      assert.equal((await graphql({ headers: { authorization, "content-type": "text/plain" } })).status, 415);

      const info = (options: RequestInit) => send(app, "post", "/userinfo", options);
      assert.equal((await info({ headers: { authorization: "Bearer x" } })).status, 401);
      assert.equal((await info({ headers: { authorization } })).status, 403);
      assert.equal(
        (await info({ headers: { authorization }, body: new URLSearchParams({ access_token: token }) })).status,
        400,
      );

      const mcp = (options: RequestInit) => send(app, "post", "/mcp", options);
      const ping = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
      const { headers, body } = stateless("subscriptions/listen", { notifications: {} });
      const listening = { ...headers, authorization, accept: "application/json" };
      assert.equal((await mcp({ body: String(body), headers: listening })).status, 406);
      const unknown = stateless("nothing/here");
      const asked = { body: String(unknown.body), headers: { ...unknown.headers, authorization } };
      assert.equal((await mcp(asked)).status, 404);
      const told = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" });
      assert.equal((await mcp({ body: told, headers: { authorization } })).status, 202);
      assert.equal((await mcp({ body: ping, headers: { authorization, "content-type": "text/plain" } })).status, 415);
      assert.equal((await mcp({ body: large, headers: { authorization } })).status, 413);
      assert.equal((await mcp({ body: "x", headers: { authorization } })).status, 400);
      assert.equal((await mcp({ body: ping, headers: { authorization: "Bearer x" } })).status, 401);
      assert.equal((await mcp({ body: ping, headers: { authorization, origin: "https://evil.example" } })).status, 403);
    } finally {
      await app.close();
    }
  });

  test("SCIM: 401 without a token, 403 with that of another client, 400 for a wrong body", async () => {
    const upstreams = join(folder, "upstreams.json");
    const acme = { id: "acme", name: "ACME", issuer: "https://id.acme.example", client_id: "x", client_secret: "y" };
    writeFileSync(
      upstreams,
      JSON.stringify([{ ...acme, domains: ["acme.example"], enforced: true, scim_client: "scim" }]),
    );
    const app = await openTestApp({ SCIM: "on", UPSTREAMS: upstreams });
    try {
      const store = await openStore(app.environment.DATABASE_URL ?? "");
      for (const id of ["scim", "other"])
        await store.clients.put(
          aClient({
            ...{ id, secretHash: hashToken(CLIENT_SECRET), redirectUris: [] },
            ...{ grantTypes: ["client_credentials"], scopes: ["scim"] },
          }),
        );
      await store.close();
      const tokenOf = async (id: string) =>
        (await requestToken(app.url, { grant_type: "client_credentials", client_id: id, client_secret: CLIENT_SECRET }))
          .body.access_token as string;
      const [own, other] = [await tokenOf("scim"), await tokenOf("other")];
      const type = { "content-type": "application/scim+json" };
      for (const [status, headers] of [
        [401, type],
        [403, { ...type, authorization: `Bearer ${other}` }],
      ] as const)
        for (const [verb, path] of operationsWith(status).filter(([, one]) => one.startsWith("/scim"))) {
          const body = ["get", "delete"].includes(verb) ? {} : { body: "{}" };
          assert.equal((await send(app, verb, path, { headers, ...body })).status, status, `${verb} ${path}`);
        }
      const headers = { ...type, authorization: `Bearer ${own}` };
      const made = await send(app, "post", "/scim/v2/Users", {
        headers,
        body: JSON.stringify({ schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"], userName: "ada@acme.example" }),
      });
      const { id } = (await made.json()) as { id: string };
      for (const verb of ["put", "patch"])
        assert.equal((await send(app, verb, `/scim/v2/Users/${id}`, { headers, body: "x" })).status, 400);
    } finally {
      await app.close();
    }
  });
});

test("D03 D04 every status of docs/openapi.json was seen; no error of a field and no kind of audit row is new", {
  timeout: 900_000,
}, async () => {
  const facts = join(folder, "facts");
  writeFileSync(facts, "");
  const { NODE_TEST_CONTEXT: _, ...environment } = process.env; // or the runner would take itself for a test
  const child = spawn(process.execPath, ["test/run.ts", "--at-once", "2", ...SUITES], {
    ...{ cwd: join(import.meta.dirname, "../.."), env: { ...environment, SEEN_STATUSES: file, RECORD_FACTS: facts } },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code] = await once(child, "exit");
  assert.equal(code, 0, "the suites pass");
  const found = seen();
  assert.deepEqual(
    statuses.filter((status) => !found.has(status)),
    [],
  );
  const recorded = readRecorded();
  assert.deepEqual(withFacts(recorded, readFacts(facts)), recorded, "new facts: run npm run docs:recorded");
});
