import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { after, before, describe, test } from "node:test";
import { openTestApp, type TestApp } from "../app.ts";

describe("the head of a request", () => {
  let app: TestApp;
  before(async () => {
    app = await openTestApp({ PUBLIC_READ: "true" });
  });
  after(() => app.close());

  async function ask(lines: readonly string[], body = ""): Promise<string> {
    const socket = connect(Number(new URL(app.url).port), "127.0.0.1");
    let text = "";
    socket.setEncoding("latin1").on("data", (chunk: string) => {
      text += chunk;
    });
    socket.write(
      `${[...lines, `Content-Length: ${body.length}`, "Connection: close"].join("\r\n")}\r\n\r\n${body}`,
      "latin1",
    );
    await once(socket, "close");
    return text;
  }

  const JSON_TYPE = "Content-Type: application/json";
  const FORM = "Content-Type: application/x-www-form-urlencoded";
  /** Each way of answering: node:http for GraphQL, node:http for tokens, Fastify for the rest. */
  const WAYS: readonly [name: string, line: string, type: string, body: string, right: number][] = [
    ["fast route", "POST /graphql HTTP/1.1", JSON_TYPE, '{"query":"{__typename}"}', 200],
    ["token route", "POST /token HTTP/1.1", FORM, "grant_type=client_credentials", 401],
    ["GraphQL by GET", "GET /graphql?query={__typename} HTTP/1.1", "Accept: application/json", "", 200],
    [
      "with an origin",
      "POST /graphql HTTP/1.1\r\nOrigin: https://a.example",
      JSON_TYPE,
      '{"query":"{__typename}"}',
      200,
    ],
    ["pages", "GET / HTTP/1.1", "Accept: text/html", "", 200],
    ["metadata", "GET /.well-known/openid-configuration HTTP/1.1", "Accept: */*", "", 200],
    ["health", "GET /livez HTTP/1.1", "Accept: */*", "", 200],
    ["nowhere", "GET /nowhere HTTP/1.1", "Accept: */*", "", 404],
  ];
  const GOOD = [
    "localhost",
    "localhost:4000",
    "example.com.",
    "EXAMPLE.com:80",
    "127.0.0.1:1",
    "[::1]",
    "[::1]:4000",
    "a_b.example",
  ];
  const BAD = [
    "",
    "a b",
    "a, b",
    "a,b",
    "http://a",
    "a/b",
    "a?b",
    "a#b",
    "a@b",
    "a\\b",
    "a:b",
    "a:99999",
    "a:1:2",
    "a:-1",
    ":80",
    "[::1",
    "::1",
    "[a]",
    "[1.2.3.4]",
    "h\u00e9.example",
    '"a"',
    "a\tb",
    "<a>",
  ];

  for (const [name, line, type, body, right] of WAYS) {
    test(`A52 ${name}: anything but one good Host line, and two Authorization lines, are 400`, async () => {
      const status = async (...more: string[]) => {
        const text = await ask([line, type, ...more], body);
        return { text, status: Number(/^HTTP\/1\.1 (\d+) /.exec(text)?.[1]) };
      };
      for (const host of GOOD) assert.equal((await status(`Host: ${host}`)).status, right, host);
      const refused = [
        [],
        ["Host: a.example", "Host: b.example"],
        ["Host: a.example", "host: a.example"],
        ["Host: a.example", "Authorization: Bearer a", "Authorization: Bearer b"],
        ["Host: a.example", "Authorization: Basic YTpi", "authorization: Basic YTpi"],
        [
          "Host: a.example",
          type,
          type.replace("Accept: ", "Content-Type: ").replace(/: .*/, ": text/plain"),
          JSON_TYPE,
        ],
        ...BAD.map((host) => [`Host: ${host}`]),
      ];
      for (const lines of refused) {
        const answer = await status(...lines);
        assert.equal(answer.status, 400, `${JSON.stringify(lines)}: ${answer.text}`);
        if (line.includes("/graphql")) assert.match(answer.text, /"errors":\[\{.*"code":"BAD_REQUEST"/);
        if (line.includes("/token")) assert.match(answer.text, /"error":"invalid_request"/);
      }
    });
  }

  for (const [name, line, type, body] of WAYS)
    test(`${name}: a fragment is no part of an address that is asked for (RFC 9112 section 3.2)`, async () => {
      for (const fragment of ["#", "#a", "#?a=b", "?a=b#c", "#/../token"]) {
        const answer = await ask([line.replace(/(?= HTTP)/, fragment), type, "Host: localhost"], body);
        assert.match(answer, /^HTTP\/1\.1 400 /, `${fragment}: ${answer}`);
      }
    });

  test("A52 a WebSocket handshake with two Host or two Authorization lines is 400", async () => {
    const handshake = [
      "GET /graphql HTTP/1.1",
      "Connection: Upgrade",
      "Upgrade: websocket",
      "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      "Sec-WebSocket-Protocol: graphql-transport-ws",
      "Host: a.example",
    ];
    for (const line of ["Host: b.example", "Authorization: Bearer a\r\nAuthorization: Bearer b"]) {
      assert.match(await ask([...handshake, line]), /^HTTP\/1\.1 400 /);
    }
    assert.match(await ask(["GET /graphql?a#b HTTP/1.1", ...handshake.slice(1)]), /^HTTP\/1\.1 400 /);
  });

  test("HTTP/1.0 needs no Host line", async () => {
    assert.match(await ask(["GET /livez HTTP/1.0"]), /^HTTP\/1\.1 200 /);
  });
});
