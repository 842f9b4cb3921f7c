import assert from "node:assert/strict";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, test } from "node:test";
import { checkMcp } from "../../src/cli/doctor-mcp.ts";
import { runCommand } from "../command.ts";

interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly json?: object;
  readonly text?: string;
}

type Routes = Record<string, Reply | ((request: IncomingMessage) => Reply)>;

const RESOURCE = "/.well-known/oauth-protected-resource/mcp";
const SERVER = "/.well-known/oauth-authorization-server";
const METADATA = {
  code_challenge_methods_supported: ["S256"],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
  token_endpoint_auth_methods_supported: ["none", "client_secret_basic"],
};
const EXPOSED = "WWW-Authenticate, DPoP-Nonce, Retry-After";
const ALLOWED = "Authorization, Content-Type, DPoP, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Idempotency-Key";

/** A server with nothing wrong, at this origin. */
function healthy(origin: string) {
  const challenge = `Bearer resource_metadata="${origin}${RESOURCE}", scope="posts:read"`;
  const resource = (form: string) => ({
    json: { resource: origin + form, authorization_servers: [origin], scopes_supported: ["posts:read"] },
  });
  return {
    "POST /mcp": {
      status: 401,
      headers: { "www-authenticate": challenge, "access-control-expose-headers": EXPOSED },
      json: {},
    },
    "OPTIONS /mcp": { status: 204, headers: { "access-control-allow-headers": ALLOWED } },
    [`GET ${RESOURCE}`]: resource("/mcp"),
    [`GET ${RESOURCE}/`]: resource("/mcp/"),
    [`GET ${SERVER}`]: {
      json: {
        ...{ issuer: origin, token_endpoint: `${origin}/token`, registration_endpoint: `${origin}/reg` },
        ...METADATA,
      },
    },
    "POST /token": { status: 400, json: { error: "invalid_request" } },
  } satisfies Routes;
}

type Healthy = ReturnType<typeof healthy>;

/** Serves the routes while the task runs. @param change makes something wrong; undefined takes a route away */
async function withDouble<T>(
  change: (routes: Healthy, origin: string) => Record<string, Routes[string] | undefined>,
  task: (url: string) => Promise<T>,
): Promise<T> {
  const server = createServer((request, response) => {
    request.resume();
    const route = routes[`${request.method} ${request.url}`];
    const reply = typeof route === "function" ? route(request) : route;
    const { status = 200, headers = {}, json, text = "" } = reply ?? { status: 404 };
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) response.setHeader(name, value);
    response.setHeader("content-type", json === undefined ? "text/html" : "application/json");
    response.writeHead(status).end(json === undefined ? text : JSON.stringify(json));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const whole = healthy(origin);
  const routes: Record<string, Routes[string] | undefined> = { ...whole, ...change(whole, origin) };
  try {
    return await task(`${origin}/mcp`);
  } finally {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
}

const withHeaders = (reply: Reply, headers: Reply["headers"]): Reply => ({
  ...reply,
  headers: { ...reply.headers, ...headers },
});
const withJson = (reply: Reply, json: object): Reply => ({ ...reply, json: { ...reply.json, ...json } });
const onMethod = (method: string, reply: Reply, rest: Reply) => (request: IncomingMessage) =>
  request.headers["mcp-method"] === method ? reply : rest;

/** A fault of a server, the check that finds it, and words of the sentence. */
const BROKEN: readonly [
  name: string,
  change: (routes: Healthy, origin: string) => Record<string, Routes[string] | undefined>,
  check: string,
  result: "wrong" | "warning",
  detail: RegExp,
][] = [
  [
    "it redirects",
    () => ({ "POST /mcp": { status: 308, headers: { location: "/mcp/" } } }),
    "address",
    "wrong",
    /redirects to \/mcp\/.*give people that address/,
  ],
  ["it is off", () => ({ "POST /mcp": undefined }), "discover", "wrong", /404: set MCP=/],
  ["the proxy refuses POST", () => ({ "POST /mcp": { status: 405 } }), "initialize", "wrong", /405 instead of 401/],
  ["agents are stopped", () => ({ "POST /mcp": { status: 503 } }), "discover", "warning", /stopped/],
  [
    "it wants no token",
    ({ "POST /mcp": ok }) => ({ "POST /mcp": { ...ok, status: 200 } }),
    "discover",
    "warning",
    /without a token/,
  ],
  [
    "it does not know the newer era",
    ({ "POST /mcp": ok }) => ({ "POST /mcp": onMethod("server/discover", { status: 400, json: {} }, ok) }),
    "discover",
    "wrong",
    /answers 400 instead of 401/,
  ],
  [
    "it does not know the older era",
    ({ "POST /mcp": ok }) => ({ "POST /mcp": onMethod("initialize", { status: 400, json: {} }, ok) }),
    "initialize",
    "wrong",
    /answers 400 instead of 401/,
  ],
  [
    "no challenge",
    ({ "POST /mcp": ok }) => ({ "POST /mcp": withHeaders(ok, { "www-authenticate": undefined }) }),
    "challenge",
    "wrong",
    /missing/,
  ],
  [
    "a challenge without metadata",
    ({ "POST /mcp": ok }) => ({ "POST /mcp": withHeaders(ok, { "www-authenticate": "Bearer" }) }),
    "challenge",
    "wrong",
    /no resource_metadata/,
  ],
  [
    "a challenge without scope",
    ({ "POST /mcp": ok }, origin) => ({
      "POST /mcp": withHeaders(ok, { "www-authenticate": `Bearer resource_metadata="${origin}${RESOURCE}"` }),
    }),
    "challenge",
    "warning",
    /MCP_SCOPES/,
  ],
  [
    "no metadata at the suffixed path",
    ({ "POST /mcp": ok, ...routes }, origin) => ({
      "POST /mcp": withHeaders(ok, { "www-authenticate": `Bearer resource_metadata="${origin}/other"` }),
      "GET /other": routes[`GET ${RESOURCE}`],
      [`GET ${RESOURCE}`]: undefined,
    }),
    "metadata",
    "wrong",
    /only there/,
  ],
  [
    "no metadata where the challenge leads",
    ({ "POST /mcp": ok }, origin) => ({
      "POST /mcp": withHeaders(ok, { "www-authenticate": `Bearer resource_metadata="${origin}/other"` }),
    }),
    "metadata",
    "wrong",
    /\/other has none/,
  ],
  [
    "another resource",
    (routes) => ({
      [`GET ${RESOURCE}`]: withJson(routes[`GET ${RESOURCE}`] as Reply, { resource: "https://inside.example/mcp" }),
    }),
    "resource",
    "wrong",
    /inside\.example.*BASE_URL/,
  ],
  ["no slash form", () => ({ [`GET ${RESOURCE}/`]: undefined }), "slash", "warning", /add or drop a slash/],
  [
    "offline_access among the scopes",
    (routes) => ({
      [`GET ${RESOURCE}`]: withJson(routes[`GET ${RESOURCE}`] as Reply, { scopes_supported: ["offline_access"] }),
    }),
    "scopes",
    "warning",
    /offline_access/,
  ],
  [
    "no authorization server named",
    (routes) => ({ [`GET ${RESOURCE}`]: withJson(routes[`GET ${RESOURCE}`] as Reply, { authorization_servers: [] }) }),
    "metadata",
    "wrong",
    /where to sign in/,
  ],
  ["no CORS", () => ({ "OPTIONS /mcp": { status: 405 } }), "browsers", "warning", /may not send authorization/],
  [
    "CORS without the protocol's headers",
    ({ "OPTIONS /mcp": ok }) => ({
      "OPTIONS /mcp": withHeaders(ok, { "access-control-allow-headers": "Authorization, Content-Type" }),
    }),
    "browsers",
    "warning",
    /may not send mcp-protocol-version, mcp-method, mcp-name/,
  ],
  [
    "CORS that hides the challenge",
    ({ "POST /mcp": ok }) => ({ "POST /mcp": withHeaders(ok, { "access-control-expose-headers": "Retry-After" }) }),
    "browsers",
    "warning",
    /may not read WWW-Authenticate/,
  ],
  [
    "no metadata of the authorization server",
    () => ({ [`GET ${SERVER}`]: undefined }),
    "sign-in",
    "wrong",
    /has no metadata/,
  ],
  [
    "another issuer",
    (routes) => ({
      [`GET ${SERVER}`]: withJson(routes[`GET ${SERVER}`] as Reply, { issuer: "https://inside.example" }),
    }),
    "sign-in",
    "wrong",
    /inside\.example.*AUTH_URL/,
  ],
  [
    "no S256",
    (routes) => ({
      [`GET ${SERVER}`]: withJson(routes[`GET ${SERVER}`] as Reply, { code_challenge_methods_supported: ["plain"] }),
    }),
    "codes",
    "wrong",
    /S256/,
  ],
  [
    "no iss",
    (routes) => ({
      [`GET ${SERVER}`]: withJson(routes[`GET ${SERVER}`] as Reply, {
        authorization_response_iss_parameter_supported: undefined,
      }),
    }),
    "codes",
    "warning",
    /RFC 9207/,
  ],
  [
    "documents without none",
    (routes) => ({
      [`GET ${SERVER}`]: withJson(routes[`GET ${SERVER}`] as Reply, {
        token_endpoint_auth_methods_supported: ["client_secret_basic"],
      }),
    }),
    "clients",
    "wrong",
    /lacks none/,
  ],
  [
    "no documents",
    (routes) => ({
      [`GET ${SERVER}`]: withJson(routes[`GET ${SERVER}`] as Reply, { client_id_metadata_document_supported: false }),
    }),
    "clients",
    "warning",
    /CLIENT_DOCUMENTS=true/,
  ],
  [
    "no registration",
    (routes) => ({
      [`GET ${SERVER}`]: withJson(routes[`GET ${SERVER}`] as Reply, { registration_endpoint: undefined }),
    }),
    "clients",
    "warning",
    /Cursor.*REGISTRATION=open/,
  ],
  [
    "neither",
    (routes) => ({
      [`GET ${SERVER}`]: withJson(routes[`GET ${SERVER}`] as Reply, {
        client_id_metadata_document_supported: false,
        registration_endpoint: undefined,
      }),
    }),
    "clients",
    "wrong",
    /no client can introduce itself/,
  ],
  [
    "a firewall's page at /token",
    () => ({ "POST /token": { status: 403, text: "<html>Are you a robot?</html>" } }),
    "token endpoint",
    "wrong",
    /403 with a page instead of JSON/,
  ],
  [
    "a redirect at /token",
    () => ({ "POST /token": { status: 302, headers: { location: "/login" } } }),
    "token endpoint",
    "wrong",
    /redirects to \/login/,
  ],
];

describe("A27 content-api doctor --mcp", () => {
  test("A27 nothing is wrong with a server that is as it should be", () =>
    withDouble(
      () => ({}),
      async (url) => {
        const findings = await checkMcp(url);
        assert.deepEqual(
          findings.map(({ check, result }) => `${check} ${result}`),
          [
            "address",
            "discover",
            "initialize",
            "challenge",
            "metadata",
            "resource",
            "browsers",
            "sign-in",
            "codes",
            "clients",
            "token endpoint",
          ].map((check) => `${check} good`),
        );
      },
    ));

  for (const [name, change, check, result, detail] of BROKEN)
    test(`A27 found: ${name}`, () =>
      withDouble(change, async (url) => {
        const findings = await checkMcp(url);
        const found = findings.filter((finding) => finding.check === check && finding.result === result);
        assert.ok(
          found.some((finding) => detail.test(finding.detail)),
          JSON.stringify(findings, null, 1),
        );
        for (const finding of findings) assert.ok(!finding.detail.includes("undefined"), finding.detail);
      }));

  test("A27 metadata as OpenID Connect has them are enough, and an issuer may have a path", () =>
    withDouble(
      (routes, origin) => ({
        [`GET ${SERVER}`]: undefined,
        [`GET ${RESOURCE}`]: withJson(routes[`GET ${RESOURCE}`] as Reply, {
          authorization_servers: [`${origin}/auth`],
        }),
        "GET /auth/.well-known/openid-configuration": withJson(routes[`GET ${SERVER}`] as Reply, {
          issuer: `${origin}/auth`,
        }),
      }),
      async (url) =>
        assert.deepEqual(
          (await checkMcp(url)).filter(({ result }) => result !== "good"),
          [],
        ),
    ));

  test("A27 the command prints a line a check, and ends with 1 where something is wrong", () =>
    withDouble(
      () => ({ "POST /token": { status: 403, text: "<html>" } }),
      async (url) => {
        const { code, stdout, stderr } = await runCommand(["doctor", "--mcp", url], {});
        assert.deepEqual([code, stderr], [1, ""]);
        assert.match(stdout, /^address +good +http/);
        assert.match(stdout, /\ntoken endpoint +wrong +it answers 403/);
      },
    ));

  test("A27 an address that does not answer, or is none", async () => {
    for (const [address, detail] of [
      ["http://127.0.0.1:1/mcp", /does not answer \((?:ECONNREFUSED|bad port|fetch failed)/],
      ["api.example.com/mcp", /no web address/],
    ] as const) {
      const [finding, ...rest] = await checkMcp(address);
      assert.deepEqual([finding?.result, rest], ["wrong", []]);
      assert.match(finding?.detail ?? "", detail);
    }
  });
});
