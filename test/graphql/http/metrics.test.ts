import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { documentId } from "../../../src/graphql/documents/trusted-documents.ts";
import { type Metrics, openMetrics } from "../../../src/observe/metrics.ts";
import { defaultContent, openTestServer } from "../server.ts";

const OWN = "query StudioList { posts { title } }";
const NAMED = "query FrontPage { posts { title } }";
const NAMELESS = "{ posts { id } }";

function open(settings = {}) {
  const metrics = openMetrics();
  const byId = new Map([
    [documentId(NAMED), NAMED],
    [documentId(NAMELESS), NAMELESS],
    ["sidebar", NAMELESS],
  ]);
  const server = openTestServer({
    ...{ metrics, settings },
    trustedDocuments: { byId, only: false },
    findOwnDocument: (id) => (id === documentId(OWN) ? OWN : undefined),
  });
  return { ...server, metrics };
}

/** Operations by type and name, with how often each was asked for. */
function operationsOf(metrics: Metrics): Record<string, number> {
  const line = /^graphql_operation_duration_seconds_count\{type="(\w+)",operation="(\w+)"\} (\d+)$/gm;
  return Object.fromEntries(
    [...metrics.print().matchAll(line)].map(([, type, name, count]) => [`${type} ${name}`, Number(count)]),
  );
}

const sampleOf = (metrics: Metrics, series: string) =>
  Number(metrics.print().split(`\n${series} `)[1]?.split("\n", 1)[0] ?? 0);

describe("O21 operations of GraphQL", () => {
  test("names are those of trusted documents and of the program's own; a client's names are other", async () => {
    const { query, send, metrics } = open();
    await query(NAMED);
    await send({ body: { documentId: documentId(NAMED) } });
    await send({ body: { documentId: "sidebar" } });
    await send({ body: { documentId: documentId(OWN) } });
    await query("query Mine { posts { body } }");
    await query('mutation FrontPage { createPost(input: { title: "t", body: "b" }) { id } }');
    await send({ own: { query: "query ReadForAgent { posts { id body } }", variables: {} } });
    assert.deepEqual(operationsOf(metrics), {
      "query FrontPage": 2,
      "query sidebar": 1,
      "query StudioList": 1,
      "query other": 1,
      "mutation other": 1,
      "query ReadForAgent": 1,
    });
  });

  test("2,000 random names add no line", async () => {
    const { query, metrics } = open();
    await query("query First { posts { id title } }");
    const lines = metrics.print().split("\n").length;
    for (let i = 0; i < 2_000; i++) await query(`query Name${i} { posts { id } }`);
    assert.equal(metrics.print().split("\n").length, lines);
    assert.equal(operationsOf(metrics)["query other"], 2_001);
  });

  test("plans are counted as found or made, for each shape of variables", async () => {
    const { query, metrics } = open();
    const [hit, miss] = ["hit", "miss"].map((result) => `graphql_plan_cache_total{result="${result}"}`) as [
      string,
      string,
    ];
    const text = "query ($more: Boolean!) { posts { id title @include(if: $more) } }";
    for (const more of [true, true, false, true]) await query(text, { more });
    assert.deepEqual([sampleOf(metrics, hit), sampleOf(metrics, miss)], [2, 2]);
  });

  test("errors are counted by code, in refusals and beside data; cost has a counter of its own", async () => {
    const { query, send, metrics } = open({ MAX_COST: 50 });
    await send({ headers: { authorization: "Bearer nobody" }, body: { query: NAMED } });
    await query("{ nothing }");
    await query("{ posts {");
    await query("{ posts(first: 100) { id author { posts { id } } } }");
    await query('mutation { deletePost(id: "01990000-0000-7000-8000-999999999999") { deletedId } }');
    const codes = [...metrics.print().matchAll(/^graphql_errors_total\{code="(\w+)"\} (\d+)$/gm)];
    const counts = Object.fromEntries(codes.map(([, code, count]) => [code, Number(count)]));
    assert.deepEqual(counts, {
      UNAUTHENTICATED: 1,
      GRAPHQL_VALIDATION_FAILED: counts.GRAPHQL_VALIDATION_FAILED,
      GRAPHQL_PARSE_FAILED: 1,
      COST_LIMIT_EXCEEDED: 1,
      NOT_FOUND: 1,
    });
    assert.equal(sampleOf(metrics, "graphql_cost_rejected_total"), 1);
  });

  test("a request that is given up is measured once, with its time", async () => {
    const metrics = openMetrics();
    let answer = () => {};
    const waiting = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const memory = defaultContent();
    memory.prepareRead = () => ({ run: () => waiting.then(() => "null") }) as never;
    const slow = openTestServer({ metrics, memory, settings: { REQUEST_TIMEOUT: 0.05 } });
    const { json } = await slow.query("{ posts { title } }");
    assert.equal(json.errors[0].extensions.code, "UNAVAILABLE");
    answer();
    await new Promise((resolve) => setImmediate(resolve));
    const operations = operationsOf(metrics);
    assert.deepEqual(operations, { "query other": 1 });
    assert.ok(sampleOf(metrics, 'graphql_operation_duration_seconds_sum{type="query",operation="other"}') >= 0.045);
  });
});
