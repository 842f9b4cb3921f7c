import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type FixtureServer, openFixtureServer } from "./fixture-server.ts";
import { handshake, type RawRequest, raw, STATELESS_META, stateless } from "./raw-client.ts";

const SUPPORTED = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"];

interface Row {
  readonly case: string;
  readonly request: RawRequest;
  readonly status: number;
  readonly code: number;
  readonly data?: unknown;
  /** 1 unless told; null where no id can be read. */
  readonly id?: unknown;
  readonly message?: RegExp;
}

const list = stateless("tools/list");
const call = stateless("tools/call", { name: "test_simple_text", arguments: {} });

function withHeaders(request: RawRequest, headers: Record<string, string>): RawRequest {
  return { ...request, headers: { ...request.headers, ...headers } };
}

function withMeta(meta: unknown, header = "2026-07-28"): RawRequest {
  return withHeaders(stateless("server/discover", { _meta: meta }), { "mcp-protocol-version": header });
}

function withBody(body: string): RawRequest {
  return { ...list, body };
}

const { "io.modelcontextprotocol/protocolVersion": _version, ...withoutVersion } = STATELESS_META;
const { "io.modelcontextprotocol/clientCapabilities": _capabilities, ...withoutCapabilities } = STATELESS_META;
const VERSION = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

const META: readonly Row[] = [
  {
    case: "no _meta",
    request: stateless("server/discover", { _meta: undefined }),
    ...{ status: 400, code: -32602, data: { missing: [VERSION, CAPABILITIES] } },
  },
  {
    case: "no protocol version in _meta",
    request: withMeta(withoutVersion),
    ...{ status: 400, code: -32602, data: { missing: [VERSION] } },
  },
  {
    case: "no capabilities in _meta",
    request: withMeta(withoutCapabilities),
    ...{ status: 400, code: -32602, data: { missing: [CAPABILITIES] } },
  },
  { case: "_meta is a list", request: withMeta([]), status: 400, code: -32602 },
  {
    case: "the version is a number",
    request: withMeta({ ...STATELESS_META, [VERSION]: 3 }),
    status: 400,
    code: -32602,
  },
  {
    case: "the capabilities are a list",
    request: withMeta({ ...STATELESS_META, [CAPABILITIES]: [] }),
    ...{ status: 400, code: -32602, data: { missing: [CAPABILITIES] } },
  },
  {
    case: "an unknown version",
    request: withMeta({ ...STATELESS_META, [VERSION]: "1900-01-01" }, "1900-01-01"),
    ...{ status: 400, code: -32022, data: { supported: SUPPORTED, requested: "1900-01-01" } },
  },
  {
    case: "an unknown version in the header alone",
    request: handshake("tools/list", {}, { version: "1900-01-01" }),
    ...{ status: 400, code: -32022, data: { supported: SUPPORTED, requested: "1900-01-01" } },
  },
];

const HEADERS: readonly Row[] = [
  {
    case: "the version of the header differs",
    request: withHeaders(list, { "mcp-protocol-version": "2025-11-25" }),
    ...{ status: 400, code: -32020, message: /MCP-Protocol-Version differs/ },
  },
  {
    case: "no MCP-Protocol-Version",
    request: withHeaders(list, { "mcp-protocol-version": "" }),
    ...{ status: 400, code: -32020, message: /MCP-Protocol-Version is missing/ },
  },
  {
    case: "no Mcp-Method",
    request: withHeaders(list, { "mcp-method": "" }),
    ...{ status: 400, code: -32020, message: /Mcp-Method is missing/ },
  },
  {
    case: "Mcp-Method differs by case",
    request: withHeaders(list, { "mcp-method": "TOOLS/LIST" }),
    ...{ status: 400, code: -32020, message: /Mcp-Method differs/ },
  },
  {
    case: "no Mcp-Name",
    request: withHeaders(call, { "mcp-name": "" }),
    ...{ status: 400, code: -32020, message: /Mcp-Name is missing/ },
  },
  {
    case: "Mcp-Name differs",
    request: withHeaders(call, { "mcp-name": "other" }),
    ...{ status: 400, code: -32020, message: /differs from the name/ },
  },
  {
    case: "Mcp-Name of a resource differs",
    request: withHeaders(stateless("resources/read", { uri: "test://static-text" }), { "mcp-name": "test://other" }),
    ...{ status: 400, code: -32020, message: /differs from the uri/ },
  },
  {
    case: "Mcp-Name is not Base64 inside its marks",
    request: withHeaders(call, { "mcp-name": "=?base64?dGVzdF9zaW1wbGVfdGV4dA=?=" }),
    ...{ status: 400, code: -32020, message: /not Base64/ },
  },
  {
    case: "Mcp-Name is not ASCII",
    request: withHeaders(call, { "mcp-name": "té" }),
    ...{ status: 400, code: -32020, message: /must be ASCII/ },
  },
];

const METHODS: readonly Row[] = [
  ...[
    "unknown/method",
    "initialize",
    "ping",
    "logging/setLevel",
    "resources/subscribe",
    "constructor",
    "__proto__",
  ].map((method): Row => ({ case: `no method ${method}`, request: stateless(method), status: 404, code: -32601 })),
  // Clients of the handshake era take other statuses for failures of the transport.
  { case: "no method, earlier", request: handshake("unknown/method"), status: 200, code: -32601 },
  { case: "no server/discover earlier", request: handshake("server/discover"), status: 200, code: -32601 },
  { case: "an unknown tool", request: stateless("tools/call", { name: "toString" }), status: 200, code: -32602 },
  { case: "no name of a tool", request: stateless("tools/call"), status: 200, code: -32602 },
  {
    case: "arguments that are a list",
    request: stateless("tools/call", { name: "test_simple_text", arguments: [] }),
    ...{ status: 200, code: -32602 },
  },
  {
    case: "an unknown resource",
    request: stateless("resources/read", { uri: "test://nothing" }),
    ...{ status: 200, code: -32602, data: { uri: "test://nothing" } },
  },
  {
    case: "an unknown resource, earlier",
    request: handshake("resources/read", { uri: "test://nothing" }),
    ...{ status: 200, code: -32002, data: { uri: "test://nothing" } },
  },
  { case: "an unknown prompt", request: stateless("prompts/get", { name: "nothing" }), status: 200, code: -32602 },
  {
    case: "a prompt without its arguments",
    request: stateless("prompts/get", { name: "test_prompt_with_arguments", arguments: { arg1: "a" } }),
    ...{ status: 200, code: -32602, message: /arg2 is missing/ },
  },
  {
    case: "a prompt with a number",
    request: stateless("prompts/get", { name: "test_prompt_with_arguments", arguments: { arg1: 1, arg2: "b" } }),
    ...{ status: 200, code: -32602 },
  },
  ...["tools/list", "prompts/list", "resources/list", "resources/templates/list"].map(
    (method): Row => ({
      case: `a cursor that ${method} never gave`,
      request: stateless(method, { cursor: "" }),
      ...{ status: 200, code: -32602 },
    }),
  ),
  { case: "listening to nothing named", request: stateless("subscriptions/listen"), status: 200, code: -32602 },
  {
    case: "listening to a number",
    request: stateless("subscriptions/listen", { notifications: { resourceSubscriptions: [1] } }),
    ...{ status: 200, code: -32602 },
  },
  {
    case: "a capability that the client lacks",
    request: stateless("tools/call", { name: "test_missing_capability" }),
    ...{ status: 400, code: -32021, data: { requiredCapabilities: { sampling: {} } } },
  },
  {
    case: "a question that the client cannot take",
    request: stateless("tools/call", { name: "test_streaming_elicitation" }),
    ...{ status: 400, code: -32021, data: { requiredCapabilities: { elicitation: {} } } },
  },
  {
    case: "answers that are a list",
    request: stateless("tools/call", { name: "test_elicitation", inputResponses: [] }),
    ...{ status: 200, code: -32602 },
  },
  {
    case: "a state that is a number",
    request: stateless("tools/call", { name: "test_elicitation", requestState: 1 }),
    ...{ status: 200, code: -32602 },
  },
  {
    case: "a state that is not ours",
    request: stateless("tools/call", { name: "test_input_required_result_request_state", requestState: "confirmed.x" }),
    ...{ status: 200, code: -32602 },
  },
];

const deep = `${'{"a":'.repeat(70)}1${"}".repeat(70)}`;

const BODIES: readonly Row[] = [
  { case: "not JSON", request: withBody("{"), status: 400, code: -32700, id: null },
  { case: "not UTF-8", request: { ...list, body: Buffer.from([0x7b, 0xff]) }, status: 400, code: -32700, id: null },
  { case: "empty", request: withBody(""), status: 400, code: -32600, id: null },
  { case: "a string", request: withBody('"tools/list"'), status: 400, code: -32600, id: null },
  { case: "no jsonrpc", request: withBody('{"id":1,"method":"ping"}'), status: 400, code: -32600 },
  { case: "no method", request: withBody('{"jsonrpc":"2.0","id":1}'), status: 400, code: -32600 },
  ...["null", "1.5", "{}", "true"].map(
    (id): Row => ({
      case: `the id ${id}`,
      request: withBody(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`),
      ...{ status: 400, code: -32600, id: null },
    }),
  ),
  {
    case: "params that are a list",
    request: withBody('{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}'),
    status: 400,
    code: -32600,
  },
  { case: "nested too deep", request: withBody(deep), status: 400, code: -32600, id: null, message: /64 levels/ },
  {
    case: "nested like a bomb",
    request: withBody("[".repeat(50_000) + "]".repeat(50_000)),
    status: 400,
    code: -32600,
    id: null,
  },
  {
    case: "the same name twice",
    request: withBody('{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}'),
    ...{ status: 400, code: -32600, id: null, message: /same name twice/ },
  },
  {
    case: "the same name twice, deep and escaped",
    request: withBody('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a\\"":"\\\\","x":[{"u":1,"\\u0075":2}]}}'),
    ...{ status: 400, code: -32600, id: null, message: /same name twice/ },
  },
  {
    case: "the name __proto__",
    request: withBody('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"__proto__":{"admin":true}}}'),
    ...{ status: 400, code: -32600, id: null, message: /__proto__/ },
  },
  {
    case: "an answer of a client, in a stateless revision",
    request: withBody('{"jsonrpc":"2.0","id":"1","result":{}}'),
    status: 400,
    code: -32600,
    id: "1",
  },
  {
    case: "a batch in a stateless revision",
    request: withBody("[]"),
    status: 400,
    code: -32600,
    id: null,
    message: /batches/,
  },
];

const REFUSALS: readonly Row[] = [
  {
    case: "missing scopes",
    request: stateless("tools/call", { name: "fail_scope" }),
    status: 403,
    code: 403,
    data: { code: "FORBIDDEN" },
  },
  {
    case: "missing scopes, earlier",
    request: handshake("tools/call", { name: "fail_scope" }),
    status: 403,
    code: 403,
    data: { code: "FORBIDDEN" },
  },
  {
    case: "too many requests",
    request: stateless("tools/call", { name: "fail_rate" }),
    status: 429,
    code: 429,
    data: { code: "RATE_LIMITED" },
  },
  {
    case: "a busy server",
    request: stateless("tools/call", { name: "fail_busy" }),
    status: 503,
    code: 503,
    data: { code: "UNAVAILABLE" },
  },
];

describe("errors of the agents' protocol", () => {
  let server: FixtureServer;
  before(async () => {
    server = await openFixtureServer();
  });
  after(() => server.close());

  for (const [name, rows] of Object.entries({ META, HEADERS, METHODS, BODIES, REFUSALS })) {
    for (const row of rows) {
      test(`A02 ${name.toLowerCase()}: ${row.case}`, async () => {
        const answer = await raw(server.url, row.request);
        const { jsonrpc, id, error, ...others } = JSON.parse(answer.body);
        assert.deepEqual(
          { status: answer.status, type: answer.headers["content-type"], jsonrpc, id, code: error.code, others },
          {
            ...{ status: row.status, type: "application/json", jsonrpc: "2.0", code: row.code, others: {} },
            id: row.id === null ? undefined : (row.id ?? 1),
          },
        );
        assert.deepEqual(error.data, row.data);
        assert.match(error.message, row.message ?? /^[A-Z].*[.a-z]$/);
      });
    }
  }

  test("A11 A13 A33 headers of a refusal go with it", async () => {
    const scope = await raw(server.url, stateless("tools/call", { name: "fail_scope" }));
    assert.equal(scope.headers["www-authenticate"], 'Bearer error="insufficient_scope", scope="a b"');
    const rate = await raw(server.url, stateless("tools/call", { name: "fail_rate" }));
    assert.equal(rate.headers["retry-after"], "7");
  });

  test("A41 a fault shows its request's id alone, and the log has its detail", async () => {
    for (const request of [stateless, handshake].map((era) => era("tools/call", { name: "fail_bug" }))) {
      const { status, body } = await raw(server.url, request);
      const { error } = JSON.parse(body);
      assert.deepEqual([status, error.code, Object.keys(error.data)], [500, -32603, ["requestId"]]);
      assert.doesNotMatch(body, /secret/);
      const line = server.logged.find((fields) => "requestId" in fields && fields.requestId === error.data.requestId);
      assert.match(JSON.stringify(line), /secret detail/);
    }
  });
});

describe("A11 a caller without a good token", () => {
  let server: FixtureServer;
  before(async () => {
    server = await openFixtureServer({ token: "good" });
  });
  after(() => server.close());

  for (const request of [
    stateless("server/discover"),
    handshake("initialize"),
    stateless("tools/list"),
    { body: "not JSON" },
    { body: "{}", headers: { "content-type": "text/plain" } },
  ])
    test(`is answered 401 before anything else: ${request.body}`, async () => {
      const answer = await raw(server.url, request);
      assert.equal(answer.status, 401);
      assert.equal(answer.headers["www-authenticate"], 'Bearer scope="a"');
      assert.deepEqual(JSON.parse(answer.body), {
        jsonrpc: "2.0",
        error: { code: 401, message: "An access token is needed.", data: { code: "UNAUTHENTICATED" } },
      });
    });

  test("with one it is served", async () => {
    const answer = await raw(server.url, withHeaders(list, { authorization: "Bearer good" }));
    assert.equal(answer.status, 200);
  });
});
