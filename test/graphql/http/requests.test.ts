import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AppError } from "../../../src/domain/errors.ts";
import { ADA, type Answer, ada, openTestServer } from "../server.ts";

const QUERY = "{ __typename }";
const BY_ID = "query ($id: ID!) { user(id: $id) { name } }";

function assertRefused(answer: Answer, code: string, status = 400): void {
  assert.equal(answer.status, status, answer.body);
  assert.equal(answer.json.errors[0].extensions.code, code, answer.body);
  assert.equal("data" in answer.json, false);
}

describe("the envelope", () => {
  const server = openTestServer();

  test("I05 what is no JSON object in UTF-8 is refused", async () => {
    const bodies: (string | Buffer | null)[] = [
      null,
      "",
      '{"query":"{ __typename }"',
      "null",
      '"{ __typename }"',
      '[{"query":"{ __typename }"}]',
      Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]),
      "[".repeat(100_000),
      "[".repeat(100_000) + "]".repeat(100_000),
      `{"query":"{ __typename }","variables":{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}}`,
      `{"query":"{ __typename }","variables":{"a":${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}}}`,
    ];
    for (const body of bodies) assertRefused(await server.send({ body }), "BAD_REQUEST");
  });

  test("I05 keys that reach for the prototype are refused and change nothing", async () => {
    for (const key of ["__proto__", "constructor"]) {
      const bodies = [
        `{"query":"{ __typename }","${key}":{"polluted":1}}`,
        `{"query":"{ __typename }","variables":{"${key}":{"polluted":1}}}`,
        `{"query":"{ __typename }","variables":{"a":{"${key}":{"polluted":1}}}}`,
      ];
      for (const body of bodies) assertRefused(await server.send({ body }), "BAD_REQUEST");
    }
    assert.equal(({} as Record<string, unknown>).polluted, undefined);
  });

  test("I05 1e400 is no number", async () => {
    assertRefused(await server.send({ body: '{"query":"{ __typename }","variables":{"a":1e400}}' }), "BAD_REQUEST");
    assertRefused(await server.query("{ posts(first: 1e400) { id } }"), "GRAPHQL_VALIDATION_FAILED");
  });

  test("I06 variables are an object; null, {} and nothing are the same", async () => {
    for (const variables of [["a"], "a", 1, true]) {
      assertRefused(await server.send({ body: { query: QUERY, variables } }), "BAD_REQUEST");
    }
    for (const variables of [undefined, null, {}]) {
      assert.equal((await server.send({ body: { query: QUERY, variables } })).status, 200);
    }
  });

  test("I06 an empty or null operationName is none; one that is not there is refused", async () => {
    for (const operationName of [undefined, null, ""]) {
      assert.equal((await server.send({ body: { query: QUERY, operationName } })).status, 200);
    }
    const query = "query a { a: __typename } query b { b: __typename }";
    assert.equal((await server.send({ body: { query, operationName: "b" } })).body, '{"data":{"b":"Query"}}');
    for (const operationName of ["c", "", "__proto__", "a b", 1]) {
      assertRefused(await server.send({ body: { query, operationName } }), "BAD_REQUEST");
    }
  });

  test("unknown keys are let be, extensions must be an object", async () => {
    assert.equal((await server.send({ body: { query: QUERY, doc_id: 1, extensions: { a: 1 } } })).status, 200);
    assertRefused(await server.send({ body: { query: QUERY, extensions: "a" } }), "BAD_REQUEST");
  });

  test("a query in the address works, a mutation is refused with the method that works", async () => {
    const address = (parameters: Record<string, string>) => `/graphql?${new URLSearchParams(parameters)}`;
    const get = (url: string) => server.send({ method: "GET", url, body: null });
    const read = await get(address({ query: BY_ID, variables: JSON.stringify({ id: ADA }) }));
    assert.equal(read.body, '{"data":{"user":{"name":"Ada"}}}');
    const mutation = await get(address({ query: 'mutation { createPost(input: {title: "a", body: "b"}) { id } }' }));
    assert.equal(mutation.status, 405);
    assert.equal(mutation.headers.allow, "POST");
    for (const url of [
      "/graphql",
      "/graphql?query=",
      `${address({ query: QUERY })}&query=x`,
      "/graphql?query=%ff",
      address({ query: QUERY, variables: "{" }),
      address({ query: QUERY, variables: "[1]" }),
      address({ query: QUERY, variables: '{"__proto__":{}}' }),
    ]) {
      assertRefused(await get(url), "BAD_REQUEST");
    }
  });
});

describe("arguments", () => {
  const server = openTestServer();
  const page = (first: unknown) => server.query("query ($first: Int) { posts(first: $first) { id } }", { first });

  test("I08 page sizes out of bounds are refused before anything runs, zero is an empty page", async () => {
    for (const first of [-1, 101, 1e9, 2 ** 31, -(2 ** 31), 1.5, "1", true, [1, 2]]) {
      const answer = await page(first);
      assertRefused(answer, "BAD_USER_INPUT");
      assert.equal(answer.json.errors[0].extensions.field, "first");
    }
    for (const first of ["-1", "101", "1000000000", "2147483648"]) {
      assertRefused(await server.query(`{ posts(first: ${first}) { id } }`), "BAD_USER_INPUT");
    }
    assert.equal(server.store.statements, 0);
    assert.equal((await page(0)).body, '{"data":{"posts":[]}}');
    assert.equal((await page(null)).json.data.posts.length, 3);
    assert.equal((await page(undefined)).json.data.posts.length, 3);
  });

  test("every broken argument is named, skipped ones are not", async () => {
    const query = "query ($yes: Boolean!) { a: posts(first: -1) { id } b: posts(first: -2) @skip(if: $yes) { id } }";
    assert.equal((await server.query(query, { yes: false })).json.errors.length, 2);
    assert.equal((await server.query(query, { yes: true })).json.errors.length, 1);
  });

  test("I09 whatever is no identifier of somebody is nobody", async () => {
    for (const id of [
      "01990000-0000-7000-8000-ffffffffffff",
      "x".repeat(10_240),
      "' or 1=1",
      "",
      5,
      ADA.toUpperCase(),
    ]) {
      assert.equal((await server.query(BY_ID, { id })).body, '{"data":{"user":null}}');
    }
  });

  test("I10 text that no database could keep is refused, in variables and in literals", async () => {
    const create = 'mutation ($title: String!) { createPost(input: { title: $title, body: "" }) { title } }';
    for (const title of ["a\0b", "\ud800", "\udc00a"]) {
      const answer = await server.query(create, { title });
      assertRefused(answer, "BAD_USER_INPUT");
      assert.equal(answer.json.errors[0].extensions.field, "title");
    }
    const literal = await server.query('mutation { createPost(input: { title: "\\u0000", body: "" }) { id } }');
    assertRefused(literal, "BAD_USER_INPUT");
    assert.equal(literal.json.errors[0].extensions.field, "input.title");
    assertRefused(await server.query('{ user(id: "\ud800") { id } }'), "BAD_USER_INPUT");
    assertRefused(await server.query('{ user(id: "\\ud800") { id } }'), "GRAPHQL_PARSE_FAILED");
    const title = "é e\u0301 👩‍👩‍👧 \u202eabc\u202c 𝄞 \ufffe";
    assert.equal((await server.query(create, { title })).json.data.createPost.title, title);
  });
});

describe("scopes", () => {
  const DEMANDING =
    "query ($id: ID!, $yes: Boolean!) { user(id: $id) { ...all } } fragment all on User { email @skip(if: $yes) posts { title } }";
  const withScopes = (...scopes: string[]) => openTestServer({ viewer: { ...ada, scopes: new Set(scopes) } });

  test("I01 one refusal names every scope that the document needs", async () => {
    const server = withScopes("users:read");
    const answer = await server.query(DEMANDING, { id: ADA, yes: false });
    assertRefused(answer, "FORBIDDEN", 403);
    assert.deepEqual(answer.json.errors[0].extensions.scopes, ["users:read", "users:email", "posts:read"]);
    assert.equal(answer.headers["www-authenticate"], 'Bearer scope="users:read users:email posts:read"');
    assert.equal(server.store.statements, 0);
  });

  test("what is skipped asks for nothing", async () => {
    const server = withScopes("users:read", "posts:read");
    assert.equal((await server.query(DEMANDING, { id: ADA, yes: true })).status, 200);
    assert.equal((await server.query(DEMANDING, { id: ADA, yes: false })).status, 403);
  });

  test("only the chosen operation counts", async () => {
    const query = "query a { posts { id } } query b { __typename }";
    assert.equal((await withScopes().send({ body: { query, operationName: "b" } })).status, 200);
    assert.equal((await withScopes().send({ body: { query, operationName: "a" } })).status, 403);
  });
});

describe("execution", () => {
  test("each root field is one statement", async () => {
    const server = openTestServer();
    await server.query(
      "{ a: posts(first: 3) { author { posts(first: 3) { author { name } } } } b: posts { id } __typename a: posts(first: 3) { id } }",
    );
    assert.equal(server.store.statements, 2);
  });

  test("a failing mutation is a field error, and those after it do not run", async () => {
    const server = openTestServer();
    const answer = await server.query(
      'mutation { a: createPost(input: {title: "a", body: ""}) { id } b: createPost(input: {title: "", body: ""}) { id } c: createPost(input: {title: "c", body: ""}) { id } }',
    );
    assert.equal(answer.status, 200);
    assert.equal(answer.json.data, null);
    assert.deepEqual(answer.json.errors, [
      {
        message: "input.title must not be empty.",
        path: ["b"],
        locations: [{ line: 1, column: 64 }],
        extensions: { code: "BAD_USER_INPUT", field: "input.title" },
      },
    ]);
    assert.deepEqual(
      server.store.articles.slice(3).map(({ title }) => title),
      ["a"],
    );
  });

  test("a token without a person cannot be an author", async () => {
    const server = openTestServer({ viewer: { ...ada, userId: null } });
    const answer = await server.query('mutation { createPost(input: {title: "a", body: ""}) { id } }');
    assert.equal(answer.json.errors[0].extensions.code, "FORBIDDEN");
    assert.equal(answer.headers["www-authenticate"], undefined);
  });

  test("nothing internal reaches the caller, the log has it under the same id", async () => {
    const server = openTestServer();
    server.store.failure = new Error("SQLITE_CORRUPT in /var/secret");
    const answer = await server.query(`{ user(id: "${ADA}") { name } __typename }`);
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.json.data, { user: null, __typename: "Query" });
    assert.equal(answer.body.includes("SQLITE"), false);
    assert.equal(answer.json.errors[0].extensions.code, "INTERNAL");
    const [line] = server.log;
    assert.equal(line?.fields.requestId, answer.json.errors[0].extensions.requestId);
    assert.equal(line?.fields.err, server.store.failure);
    assert.equal((await server.query("{ posts { id } }")).status, 500);
  });

  test("a database that is away is 503 with Retry-After", async () => {
    const server = openTestServer();
    server.store.failure = new AppError("UNAVAILABLE", "The database is busy.");
    const answer = await server.query("{ posts { id } }");
    assert.equal(answer.status, 503);
    assert.equal(answer.headers["retry-after"], "1");
  });

  test("a token check that cannot be made is 503, one that breaks is 500", async () => {
    for (const [error, status] of [
      [new AppError("UNAVAILABLE", "busy"), 503],
      [new Error("boom"), 500],
    ] as const) {
      const failing = openTestServer({ authenticate: () => Promise.reject(error) });
      assert.equal((await failing.query(QUERY)).status, status);
    }
  });
});

describe("introspection", () => {
  test("stands beside data in one document, in the order asked for", async () => {
    const server = openTestServer();
    const query = "query ($name: String!) { a: __typename posts(first: 1) { title } __type(name: $name) { name } }";
    for (const name of ["Post", "User"]) {
      const answer = await server.query(query, { name });
      assert.equal(answer.body, `{"data":{"a":"Query","posts":[{"title":"Post 2"}],"__type":{"name":"${name}"}}}`);
    }
  });

  test("can be off, and then no name is suggested", async () => {
    const server = openTestServer({ settings: { INTROSPECTION: false } });
    assertRefused(await server.query("{ __schema { queryType { name } } }"), "GRAPHQL_VALIDATION_FAILED");
    assertRefused(await server.query('{ __type(name: "Post") { name } }'), "GRAPHQL_VALIDATION_FAILED");
    assert.equal((await server.query(QUERY)).status, 200);
    const hinted = [
      "{ pots }",
      "{ posts }",
      "{ posts { titel } }",
      "{ posts(frist: 1) { id } }",
      "{ posts { ... on Pots { id } } }",
      "query ($p: CreatePostImput) { __typename }",
      "{ posts(orderBy: {feild: CREATED_AT, field: CREATED_AT}) { id } }",
      "{ posts(orderBy: {field: CREATED}) { id } }",
      '{ posts(orderBy: {field: "CREATED_AT"}) { id } }',
      "{ posts @skp(if: true) { id } }",
      "{ posts @skip(fi: true, if: true) { id } }",
    ];
    const open = openTestServer();
    for (const query of hinted) {
      assert.doesNotMatch((await server.query(query)).body, /did you mean/i, query);
      assertRefused(await server.query(query), "GRAPHQL_VALIDATION_FAILED");
    }
    const hints = await Promise.all(hinted.map(async (query) => /did you mean/i.test((await open.query(query)).body)));
    assert.ok(hints.filter(Boolean).length >= 8, JSON.stringify(hints));
    assert.doesNotMatch(
      (
        await server.query("mutation ($p: CreatePostInput!) { createPost(input: $p) { id } }", {
          p: { titel: "", title: "", body: "" },
        })
      ).body,
      /did you mean/i,
    );
  });
});
