import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import Fastify, { type FastifyInstance } from "fastify";
import { buildSchema } from "graphql";
import { introspectionWithScopes } from "../../../src/graphql/documents/described-scopes.ts";
import { loadSchema } from "../../../src/graphql/documents/schema.ts";
import { explorerClient } from "../../../src/graphql/explorer/client.ts";
import { explorerPage, explorerRoutes } from "../../../src/graphql/explorer/routes.ts";

const options = {
  baseUrl: "https://api.example/content",
  issuer: "https://login.example/tenant",
  operator: `"><script>alert(1)</script>`,
  introspect: () => introspectionWithScopes(buildSchema("type Query { hello: String }")),
};

describe("explorer", () => {
  let server: FastifyInstance;
  before(async () => {
    server = Fastify();
    await server.register(explorerRoutes(options));
  });
  after(() => server.close());

  test("every file that the page names is served, from here, to be kept for ever", async () => {
    const { body } = explorerPage(options);
    const addresses = [...body.matchAll(/(?:src|href)="(\/content\/explorer\/[^"]+)"/g)].map((match) => match[1] ?? "");
    assert.equal(addresses.length, 6);
    assert.doesNotMatch(body, /(?:src|href)="(?:https?:)?\/\//);
    for (const address of addresses) {
      // The proxy that serves /content takes it off.
      const response = await server.inject({ url: address.slice("/content".length) });
      assert.equal(response.statusCode, 200, address);
      assert.match(
        String(response.headers["content-type"]),
        address.endsWith(".css") ? /^text\/css/ : /^text\/javascript/,
      );
      assert.equal(response.headers["cache-control"], "public, max-age=31536000, immutable");
      assert.equal(response.headers["x-content-type-options"], "nosniff");
    }
  });

  test("files are compressed for those who take it", async () => {
    const address = /\/explorer\/[0-9a-f]+\/graphiql\.js/.exec(explorerPage(options).body)?.[0] ?? "";
    const plain = await server.inject({ url: address });
    const compressed = await server.inject({ url: address, headers: { "accept-encoding": "br, gzip" } });
    assert.equal(plain.headers["content-encoding"], undefined);
    assert.equal(compressed.headers["content-encoding"], "gzip");
    assert.ok(compressed.rawPayload.length < plain.rawPayload.length / 2);
  });

  test("I04 other names, versions and climbing paths are 404", async () => {
    const version = /\/explorer\/([0-9a-f]+)\//.exec(explorerPage(options).body)?.[1] ?? "";
    const addresses = ["x/graphiql.js", `${version}/package.json`, `${version}/..%2fassets.ts`, `${version}/__proto__`];
    for (const address of addresses) {
      assert.equal((await server.inject({ url: `/explorer/${address}` })).statusCode, 404, address);
    }
  });

  test("A11 the pages cannot be framed, run our scripts only, leak no Referer and show the operator as text", async () => {
    const callback = await server.inject({ url: "/explorer/callback?code=abc&state=%22%3E%3Cscript%3E" });
    assert.equal(callback.headers["cache-control"], "no-store");
    assert.doesNotMatch(callback.body, /abc/);
    for (const page of [explorerPage(options), { headers: callback.headers, body: callback.body }]) {
      const policy = String(page.headers["content-security-policy"]);
      assert.match(policy, /default-src 'none'; script-src 'self';/);
      assert.match(policy, /connect-src 'self' https:\/\/login\.example;/);
      assert.match(policy, /frame-ancestors 'none'/);
      assert.equal(page.headers["referrer-policy"], "no-referrer");
      assert.doesNotMatch(page.body, /<script>/);
      assert.match(page.body, /&lt;script&gt;alert/);
    }
  });

  test("the schema is there before anyone signs in, and not at all where introspection is off", async () => {
    const response = await server.inject({ url: "/explorer/schema.json" });
    assert.equal(response.json().data.__schema.queryType.name, "Query");
    const again = await server.inject({
      url: "/explorer/schema.json",
      headers: { "if-none-match": String(response.headers.etag) },
    });
    assert.equal(again.statusCode, 304);

    const { introspect: _, ...closed } = options;
    const other = Fastify();
    await other.register(explorerRoutes(closed));
    assert.equal((await other.inject({ url: "/explorer/schema.json" })).statusCode, 404);
    assert.match(explorerPage(closed).body, /data-schema-path=""/);
    await other.close();
  });

  test("the description of each field ends with the scopes that it needs, and nothing else changes", () => {
    const { types } = introspectionWithScopes(loadSchema()).__schema;
    const fieldsOf = (name: string) => {
      const type = types.find((each) => each.name === name);
      assert.ok(type?.kind === "OBJECT");
      return new Map(type.fields.map((field) => [field.name, field.description ?? ""]));
    };
    assert.match(fieldsOf("Query").get("viewer") ?? "", /null for a token .*\n\nScope: `profile`$/s);
    assert.match(fieldsOf("Query").get("node") ?? "", /\n\nScopes: `users:read`, `posts:read`$/);
    assert.match(fieldsOf("Mutation").get("createPost") ?? "", /Scope: `posts:write`$/);
    assert.doesNotMatch(fieldsOf("Post").get("title") ?? "", /Scope/);
  });

  test("it asks for every scope but offline_access; its sign-out comes back to the page", () => {
    const client = explorerClient(options.baseUrl);
    assert.ok(client.scopes.includes("admin") && !client.scopes.includes("offline_access"));
    assert.deepEqual(client.postLogoutRedirectUris, ["https://api.example/content/graphql"]);
  });

  test("its client is public and comes back to the public address", () => {
    const client = explorerClient(options.baseUrl);
    assert.equal(client.type, "public");
    assert.equal(client.secretHash, null);
    assert.deepEqual(client.redirectUris, ["https://api.example/content/explorer/callback"]);
  });
});
