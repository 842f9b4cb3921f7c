import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { getIntrospectionQuery } from "graphql";
import { AppError } from "../../../src/domain/errors.ts";
import { bestOfThree } from "../../timing.ts";
import { ADA, defaultContent, openTestServer } from "../server.ts";

/** Fragments f0, f1, … on User, each with what `body` says of its number. */
function fragments(count: number, body: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => `fragment f${index} on User { ${body(index)} }`).join(" ");
}

const times = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(index)).join(" ");

/** Every one takes an ordinary GraphQL server seconds, or forever. */
const ATTACKS: Readonly<Record<string, string>> = {
  "100k brackets": "[".repeat(100_000),
  "100k brackets in an argument": `{ user(id: ${"[".repeat(100_000)}`,
  "900 nested lists": `{ user(id: ${"[".repeat(900)}1${"]".repeat(900)}) { id } }`,
  "300 levels": `{ ${"posts { author { ".repeat(150)} id ${"} } ".repeat(150)} }`,
  "200 levels of doubling fragments": `{ user(id: 1) { ...f0 } } ${fragments(200, (i) => (i === 199 ? "id" : `...f${i + 1} ...f${i + 1}`))}`,
  "doubling fragments within the tokens": `{ user(id: 1) { ...f0 } } ${fragments(100, (i) => (i === 99 ? "id" : `posts { author { ...f${i + 1} } } ...f${i + 1}`))}`,
  "a fragment cycle": "{ user(id: 1) { ...f0 } } fragment f0 on User { posts { author { ...f0 } } }",
  "a long fragment cycle": `{ user(id: 1) { ...f0 } } ${fragments(150, (i) => `...f${(i + 1) % 150}`)}`,
  "3,000 repeated fields": `{ user(id: 1) { ${"id ".repeat(3_000)} } }`,
  "1,000 aliases": `{ ${times(1_000, (i) => `a${i}: __typename`)} }`,
  "600 aliases within the tokens": `{ ${times(600, (i) => `a${i}: __typename`)} }`,
  "20k directives": `{ __typename ${"@a ".repeat(20_000)} }`,
  "900 directives within the tokens": `{ __typename ${"@a ".repeat(900)} }`,
  "__schema twelve deep": `{ __schema { types { ${"fields { type { ".repeat(5)} name ${"} } ".repeat(5)} } } }`,
  "__schema through ofType": `{ __schema { types { fields { type { ${"ofType { ".repeat(12)} name ${"} ".repeat(12)} } } } } }`,
  "a query named __schema": "query __schema { __typename }",
  "a deep query named __schema": `query __schema { ${"posts { author { ".repeat(150)} id ${"} } ".repeat(150)} }`,
  "100k comments": `{ __typename } ${"#\n".repeat(50_000)}`,
  "a document of 200 kB": `{ __typename } #${"x".repeat(200_000)}`,
  "1,900 unknown fields": `{ ${times(1_900, (i) => `z${i}`)} }`,
  "650 anonymous operations": "{ __typename } ".repeat(650),
};

describe("limits of a document", () => {
  test("I07 what would keep a server busy is refused at once, with memory flat", async () => {
    const server = openTestServer();
    for (const text of Object.values(ATTACKS)) await server.query(text); // the code is warm afterwards
    for (const [name, text] of Object.entries(ATTACKS)) {
      await bestOfThree(100, async () => {
        const before = process.cpuUsage();
        const heap = process.memoryUsage().heapUsed;
        const answer = await server.query(text);
        const { user, system } = process.cpuUsage(before);
        assert.equal(answer.status, 400, name);
        assert.equal(answer.json.data, undefined, name);
        assert.ok(answer.body.length < 20_000, `${name}: the answer has ${answer.body.length} characters`);
        assert.ok(process.memoryUsage().heapUsed - heap < 50e6, `${name}: memory`);
        return (user + system) / 1_000;
      });
    }
    assert.equal(server.store.statements, 0);
  });

  test("a refusal says what was measured and what is allowed", async () => {
    const server = openTestServer();
    const cases: [query: string, cost: number | undefined, limit: number][] = [
      [`{ ${"posts { author { ".repeat(5)} id ${"} } ".repeat(5)} }`, 11, 10],
      [`{ ${times(31, (i) => `a${i}: __typename`)} }`, 31, 30],
      [`{ ${times(51, () => "...@skip(if: true) { __typename }")} }`, 51, 50],
      [`{ ${"__typename ".repeat(2_000)} }`, undefined, 2_000],
      [`{ __typename } #${"x".repeat(102_400)}`, 102_416, 102_400],
      ["{ posts { author { posts(first: 9) { id } } } }", 1_100, 1_000],
      [
        `{ ...a ...a } fragment a on Query { ${times(5, () => "...b")} } fragment b on Query { ${times(40, () => "...c")} } fragment c on Query { ${times(30, () => "__typename")} }`,
        12_000,
        10_000,
      ],
    ];
    for (const [query, cost, limit] of cases) {
      const { status, json } = await server.query(query);
      assert.equal(status, 400);
      const { code, ...measured } = json.errors[0].extensions;
      assert.equal(code, "COST_LIMIT_EXCEEDED");
      assert.deepEqual(measured, cost === undefined ? { limit } : { cost, limit }, query.slice(0, 60));
    }
  });

  test("documents at the limits are answered", async () => {
    const server = openTestServer();
    for (const query of [
      `{ ${"posts(first: 1) { author { ".repeat(4)} posts(first: 1) { id } ${"} } ".repeat(4)} }`,
      `{ ${times(30, (i) => `a${i}: __typename`)} }`,
      `{ ${"__typename ".repeat(1_998)} }`,
      "{ posts { author { posts(first: 8) { id } } } }",
      getIntrospectionQuery(),
      getIntrospectionQuery({
        descriptions: true,
        specifiedByUrl: true,
        directiveIsRepeatable: true,
        schemaDescription: true,
        inputValueDeprecation: true,
        oneOf: true,
      }),
    ]) {
      const answer = await server.query(query);
      assert.equal(answer.status, 200, answer.body.slice(0, 300));
    }
  });

  test("every limit can be set", async () => {
    const query = "{ a: posts(first: 5) { author { name @skip(if: false) } } }";
    for (const [settings, allowed] of [
      [{}, true],
      [{ MAX_DEPTH: 2 }, false],
      [{ MAX_ALIASES: 0 }, false],
      [{ MAX_DIRECTIVES: 0 }, false],
      [{ MAX_FIELDS: 2 }, false],
      [{ MAX_TOKENS: 10 }, false],
      [{ MAX_DOCUMENT: 20 }, false],
      [{ MAX_PAGE: 4 }, false],
      [{ MAX_COST: 9 }, false],
      [{ MAX_COST: 10, MAX_DEPTH: 3, MAX_ALIASES: 1, MAX_DIRECTIVES: 1, MAX_FIELDS: 3, MAX_PAGE: 5 }, true],
    ] as const) {
      const { status } = await openTestServer({ settings }).query(query);
      assert.equal(status === 200, allowed, JSON.stringify(settings));
    }
  });
});

describe("cost", () => {
  const server = openTestServer();
  const costOf = async (query: string, variables?: object) => {
    const { json } = await server.query(query, variables, { "graphql-cost": "1" });
    return json.extensions.cost;
  };

  test("is one point for each object that could be returned, ten for a change", async () => {
    assert.equal(await costOf("{ __typename }"), 0);
    assert.equal(await costOf("{ user(id: 1) { id } }"), 1);
    assert.equal(await costOf("{ posts { id } }"), 100);
    assert.equal(await costOf("{ posts(first: 3) { author { name } } }"), 6);
    assert.equal(
      await costOf("query ($id: ID!) { user(id: $id) { id name email posts { title createdAt } } }", { id: ADA }),
      101,
    );
    assert.equal(
      await costOf(
        "query ($n: Int) { a: posts(first: $n) { author { posts(first: $n) { id } } } b: posts(first: 1) { id } }",
        { n: 4 },
      ),
      4 * (1 + 1 + 4) + 1,
    );
    assert.equal(await costOf('mutation { a: createPost(input: {title: "a", body: ""}) { id author { id } } }'), 12);
  });

  test("is shown only to who asks, and stands after the data", async () => {
    assert.equal((await server.query("{ __typename }")).body, '{"data":{"__typename":"Query"}}');
    const { body } = await server.query("{ posts(first: 0) { id } }", {}, { "graphql-cost": "1" });
    assert.equal(body, '{"data":{"posts":[]},"extensions":{"cost":0}}');
  });
});

describe("time", () => {
  test("a request that waits too long is given up and asks the database nothing more", async () => {
    const memory = defaultContent();
    let ran = 0;
    const slow = {
      run: () => new Promise<string>((resolve) => setTimeout(resolve, 60, "[]")).finally(() => void ran++),
    };
    memory.prepareRead = () => slow;
    const server = openTestServer({ memory, settings: { REQUEST_TIMEOUT: 0.02 } });
    const answer = await server.query("{ a: posts { id } b: posts { id } }");
    assert.equal(answer.status, 503);
    assert.equal(answer.json.errors[0].extensions.code, "UNAVAILABLE");
    assert.ok(answer.headers["retry-after"]);
    await new Promise((resolve) => setTimeout(resolve, 150));
    assert.equal(ran, 1);
  });

  test("F09 after a mutation, an answer that fails says that the change was made, or that this is not known", async () => {
    const mutation = 'mutation { createPost(input: { title: "t", body: "b" }) { id } }';
    const memory = defaultContent();
    memory.prepareRead = () => ({ run: () => Promise.reject(new AppError("UNAVAILABLE", "The database is away.")) });
    const failed = await openTestServer({ memory }).query(mutation);
    assert.equal(failed.status, 503);
    assert.match(failed.json.errors[0].message, /^The change was made/);
    memory.prepareRead = () => ({ run: () => new Promise((resolve) => setTimeout(resolve, 60, "{}")) });
    const late = await openTestServer({ memory, settings: { REQUEST_TIMEOUT: 0.02 } }).query(mutation);
    assert.equal(late.status, 503);
    assert.match(late.json.errors[0].message, /is not known\.$/);
  });

  test("nothing more runs for a client that has gone away", async () => {
    const memory = defaultContent();
    let ran = 0;
    memory.prepareRead = () => ({
      run: async () => {
        ran++;
        return "[]";
      },
    });
    const server = openTestServer({ memory });
    await server.send({ body: { query: "{ a: posts { id } b: posts { id } }" }, isClosed: () => ran > 0 });
    assert.equal(ran, 1);
  });
});
