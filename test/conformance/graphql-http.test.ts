import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import Fastify, { type FastifyInstance } from "fastify";
import { auditServer } from "graphql-http";
import { graphqlRoutes } from "../../src/graphql/http/open.ts";
import { defaultContent, openTestServer, TOKEN } from "../graphql/server.ts";

describe("GraphQL over HTTP", () => {
  let app: FastifyInstance;
  let url: string;

  before(async () => {
    app = Fastify();
    app.addHook("onRequest", async (_request, reply) => void reply.header("vary", "Origin")); // as CORS does
    const explorer = () => ({ headers: { "content-type": "text/html; charset=utf-8" }, body: "<!doctype html>" });
    app.register(graphqlRoutes(openTestServer().graphql, { explorer }));
    url = `${await app.listen({ host: "127.0.0.1", port: 0 })}/graphql`;
  });
  after(() => app.close());

  const authorized = (target: string, init: RequestInit = {}) =>
    fetch(target, { ...init, headers: { ...init.headers, authorization: TOKEN } });
  const post = (body: string, headers: Record<string, string> = {}) =>
    authorized(url, { method: "POST", body, headers: { "content-type": "application/json", ...headers } });

  test("all 61 audits of graphql-http are clean", async () => {
    const results = await auditServer({ url, fetchFn: authorized });
    assert.equal(results.length, 61);
    const broken = results.filter(({ status }) => status !== "ok").map(({ id, name }) => `${id} ${name}`);
    assert.deepEqual(broken, []);
  });

  test("I01 without a token the document is not even read", async () => {
    const response = await fetch(url, { method: "POST", body: "{", headers: { "content-type": "application/json" } });
    assert.equal(response.status, 401);
    assert.match(response.headers.get("www-authenticate") ?? "", /^Bearer/);
  });

  test("I03 a body over 8 MiB is refused with 413, told or chunked", async () => {
    const large = JSON.stringify({ query: "{ __typename }", padding: "x".repeat(8 * 1024 * 1024) });
    const told = await post(large);
    assert.equal(told.status, 413);
    assert.equal(await codeOf(told), "BAD_REQUEST");
    const stream = new Blob([large]).stream();
    const chunked = await authorized(url, {
      method: "POST",
      body: stream,
      duplex: "half",
      headers: { "content-type": "application/json" },
    } as RequestInit);
    assert.equal(chunked.status, 413);
  });

  test("I04 a body that a form could send is refused with 415", async () => {
    const query = JSON.stringify({ query: "{ __typename }" });
    const form = new FormData();
    form.set("query", "{ __typename }");
    for (const refused of [
      post(query, { "content-type": "text/plain" }),
      post("query={__typename}", { "content-type": "application/x-www-form-urlencoded" }),
      authorized(url, { method: "POST", body: form }),
      post(query, { "content-type": "application/graphql" }),
      post(query, { "content-type": "garbage" }),
      post(query, { "content-type": "application/json; charset=utf-16" }),
      post(query, { "content-encoding": "gzip" }),
    ]) {
      const response = await refused;
      assert.equal(response.status, 415);
      assert.equal(await codeOf(response), "BAD_REQUEST");
    }
  });

  test("I04 another method is refused with 405 and the methods that work", async () => {
    for (const method of ["PUT", "DELETE", "PATCH", "OPTIONS"]) {
      const response = await authorized(url, { method });
      assert.equal(response.status, 405, method);
      assert.equal(response.headers.get("allow"), "GET, HEAD, POST");
    }
  });

  test("HEAD is answered as GET, without the body", async () => {
    const read = "?query={posts{title}}";
    for (const [search, headers] of [
      [read, {}],
      ["", {}],
      ["?query={", {}],
      ["?query=mutation{deletePost(id:1){deletedId}}", {}],
      [read, { accept: "image/png" }],
      ["", { accept: "text/html" }],
    ] as [string, Record<string, string>][]) {
      const [get, head] = [
        await authorized(url + search, { headers }),
        await authorized(url + search, { method: "HEAD", headers }),
      ];
      assert.equal(head.status, get.status, search);
      assert.equal(await head.text(), "");
      for (const name of ["content-type", "etag", "allow", "cache-control", "vary"]) {
        assert.equal(head.headers.get(name), get.headers.get(name), `${name} of ${search}`);
      }
    }
    const { headers } = await authorized(url + read, { method: "HEAD" });
    const again = await authorized(url + read, {
      method: "HEAD",
      headers: { "if-none-match": headers.get("etag") ?? "" },
    });
    assert.equal(again.status, 304);
  });

  test("what a client has already is answered with 304 and nothing else", async () => {
    const first = await authorized(`${url}?query={posts{title}}`);
    const again = await authorized(`${url}?query={posts{title}}`, {
      headers: { "if-none-match": first.headers.get("etag") ?? "" },
    });
    assert.equal(again.status, 304);
    assert.equal(await again.text(), "");
    assert.equal(again.headers.get("content-type"), null);
    assert.equal(again.headers.get("vary"), "Origin, Accept, Authorization, GraphQL-Cost");
    assert.equal(again.headers.get("etag"), first.headers.get("etag"));
  });

  test("a client that goes away stops what it has asked for", async () => {
    const memory = defaultContent();
    const started = Promise.withResolvers<void>();
    const left = Promise.withResolvers<void>();
    let statements = 0;
    memory.prepareRead = () => ({
      run: async () => {
        statements++;
        started.resolve();
        await left.promise;
        return "[]";
      },
    });
    const other = Fastify();
    other.register(graphqlRoutes(openTestServer({ memory }).graphql));
    const address = await other.listen({ host: "127.0.0.1", port: 0 });
    const closed = new Promise<void>((resolve) => {
      other.server.on("connection", (socket) => socket.on("close", () => resolve()));
    });
    const client = new AbortController();
    const answer = authorized(`${address}/graphql?query={a:posts{id},b:posts{id}}`, { signal: client.signal });
    await started.promise;
    client.abort();
    await assert.rejects(answer);
    await closed;
    left.resolve();
    await other.close();
    assert.equal(statements, 1);
  });

  test("a browser gets the explorer, a script the data", async () => {
    const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    const page = await fetch(url, { headers: { accept: browser } });
    assert.equal(page.headers.get("content-type"), "text/html; charset=utf-8");
    const data = await authorized(`${url}?query={__typename}`);
    assert.deepEqual(await data.json(), { data: { __typename: "Query" } });
  });
});

async function codeOf(response: Response): Promise<string | undefined> {
  const { errors } = (await response.json()) as { errors: { extensions: { code: string } }[] };
  return errors[0]?.extensions.code;
}
