import assert from "node:assert/strict";
import { createServer, type IncomingMessage } from "node:http";
import { request } from "node:https";
import { describe, type TestContext, test } from "node:test";
import { connect } from "node:tls";
import { createClient } from "graphql-sse";
import { runJson } from "../command.ts";
import { type Installation, install } from "../faults/installation.ts";
import { freePort } from "../port.ts";
import { openPostgres } from "../postgres.ts";
import { lacksProxy, PROXIES, type ProxyKind, type RunningProxy, startProxy } from "../proxies.ts";
import { authorize, exchange, requestToken } from "../security/client.ts";
import { openWebSocketClient, Results, untilSubscribed } from "../subscriber.ts";

const postgres = await openPostgres();
const PASSWORD = "three wet otters on a quay";
const CALLBACK = "https://app.example.com/callback";
/** Points of one address, for each process. */
const POINTS = 60;

interface Site {
  readonly proxy: RunningProxy;
  readonly installation: Installation;
  readonly clientId: string;
}

/** Two nodes on one PostgreSQL, or two workers on one SQLite, behind a proxy that ends TLS. */
async function openSite(t: TestContext, kind: ProxyKind, database: string): Promise<Site> {
  const port = await freePort();
  const issuer = `https://localhost:${port}`;
  const settings = {
    HOST: "127.0.0.1",
    BASE_URL: issuer,
    TRUST_PROXY: "127.0.0.1",
    RATE_LIMIT_TOKEN: "600000/60",
    RATE_LIMIT_ADDRESS: `${POINTS}/600`,
  };
  const isSqlite = database === "SQLite";
  const installation = await install(t, isSqlite ? {} : { url: await postgres.createDatabase() }, settings);
  const ports = [Number(installation.environment.PORT), await freePort()];
  if (isSqlite) await installation.start({ WORKERS: "2" });
  else for (const node of ports) await installation.start({ PORT: String(node) });
  const { environment } = installation;
  await runJson(
    ["user", "create", "--email", "grace@example.com", "--name", "Grace", "--password-stdin"],
    environment,
    PASSWORD,
  );
  const { client_id: clientId } = await runJson<{ client_id: string }>(
    ["client", "create", "--name", "App", "--public", "--redirect-uri", CALLBACK],
    environment,
  );
  const proxy = await startProxy(kind, port, isSqlite ? [ports[0] ?? 0, ports[0] ?? 0] : ports);
  t.after(() => proxy.stop());
  return { proxy, installation, clientId };
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
}

/** One request on a connection of its own, from an address of this machine. */
function ask(
  url: string,
  options: { method?: string; headers?: Record<string, string>; body?: string; from?: string } = {},
): Promise<Answer> {
  const { method = "GET", headers = {}, body, from = "127.0.0.1" } = options;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      { method, headers, localAddress: from, family: 4, agent: false, setDefaultHeaders: true },
      (incoming) => {
        let text = "";
        incoming.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
        });
        incoming.on("end", () => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text }));
      },
    );
    outgoing.on("error", reject).end(body);
  });
}

function graphql({ proxy }: Site, token: string, query: string, more: { from?: string; forwarded?: string } = {}) {
  return ask(`${proxy.url}/graphql`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/graphql-response+json",
      authorization: `Bearer ${token}`,
      ...(more.forwarded === undefined ? {} : { "x-forwarded-for": more.forwarded }),
    },
    body: JSON.stringify({ query }),
    ...(more.from === undefined ? {} : { from: more.from }),
  });
}

for (const kind of PROXIES) {
  for (const database of ["PostgreSQL", "SQLite"]) {
    test(`${kind}, ${database === "SQLite" ? "WORKERS=2 on SQLite" : "two nodes on one PostgreSQL"}: as its example has it`, {
      skip: lacksProxy(kind),
    }, async (t) => {
      const site = await openSite(t, kind, database);
      const { url } = site.proxy;
      const options = {
        issuer: url,
        clientId: site.clientId,
        redirectUri: CALLBACK,
        scope: "openid posts:read posts:write",
        email: "grace@example.com",
        password: PASSWORD,
      };

      await t.test("the whole code flow, whichever node answers; a long state comes back", async () => {
        const state = "s".repeat(4_000);
        const { code, verifier, answer } = await authorize({ ...options, params: { state } });
        assert.equal(answer.get("state"), state);
        assert.equal(answer.get("iss"), url);
        const { status, body } = await requestToken(url, exchange(options, code, verifier));
        assert.equal(status, 200, JSON.stringify(body));
        const written = await graphql(
          site,
          body.access_token,
          'mutation { createPost(input: { title: "é", body: "b" }) { id title } }',
        );
        assert.equal(written.status, 200, written.text);
        const { id } = JSON.parse(written.text).data.createPost;
        for (let read = 0; read < 4; read++) {
          const { text } = await graphql(site, body.access_token, "{ posts(first: 2) { id title } }");
          assert.deepEqual(JSON.parse(text), { data: { posts: [{ id, title: "é" }] } });
        }
        const discovery = JSON.parse((await ask(`${url}/.well-known/openid-configuration`)).text);
        assert.equal(discovery.token_endpoint, `${url}/token`);
      });

      await t.test("subscriptions over WebSocket and as Server-Sent Events, whichever node answers", async () => {
        const { token } = site.installation;
        const client = await openWebSocketClient(url, token);
        const streams = createClient({ url: `${url}/graphql`, headers: { authorization: `Bearer ${token}` } });
        const [socket, stream] = [new Results(), new Results()];
        const subscription = { query: "subscription { postEvents { post { title } } }" };
        client.subscribe(subscription, socket.sink);
        await untilSubscribed(client);
        const connected = Promise.withResolvers<void>();
        streams.subscribe(subscription, stream.sink, { connected: () => connected.resolve() });
        await connected.promise;
        const titles = ["one", "two", "three"];
        for (const title of titles)
          await graphql(site, token, `mutation { createPost(input: { title: "${title}", body: "" }) { id } }`);
        await Promise.all([socket.untilCount(3), stream.untilCount(3)]);
        for (const { events } of [socket, stream])
          assert.deepEqual(
            events.map(({ post }) => post.title),
            titles,
          );
        streams.dispose();
        await client.dispose();
      });

      await t.test("cookies are for https only", async () => {
        const params = new URLSearchParams({
          response_type: "code",
          client_id: site.clientId,
          redirect_uri: CALLBACK,
          scope: "openid",
          code_challenge: "x".repeat(43),
          code_challenge_method: "S256",
        });
        const { headers } = await ask(`${url}/authorize?${params}`);
        assert.ok(headers["set-cookie"]?.length, JSON.stringify(headers));
        for (const cookie of headers["set-cookie"] ?? []) assert.match(cookie, /; secure/i);
      });

      await t.test("rate limits count the client's address, and a forged X-Forwarded-For changes nothing", async () => {
        const { token } = site.installation;
        const until = async (from: string, forwarded?: string) => {
          let refused = 0;
          for (let i = 0; i < 4 * POINTS && refused < 12; i++) {
            const more = forwarded === undefined ? { from } : { from, forwarded };
            refused = (await graphql(site, token, "{ __typename }", more)).status === 429 ? refused + 1 : 0;
          }
          return refused;
        };
        assert.equal(await until("127.0.0.2"), 12, "both processes refuse");
        assert.equal((await graphql(site, token, "{ __typename }", { from: "127.0.0.3" })).status, 200);
        for (const forwarded of ["203.0.113.9", "127.0.0.1", "203.0.113.9, 127.0.0.1"]) {
          const forged = await graphql(site, token, "{ __typename }", { from: "127.0.0.2", forwarded });
          assert.equal(forged.status, 429, `X-Forwarded-For: ${forwarded}`);
        }
        const victim = await graphql(site, token, "{ __typename }", { from: "127.0.0.4", forwarded: "127.0.0.2" });
        assert.equal(victim.status, 200, "nobody uses up another one's points");
      });

      await t.test("a body over the limit and headers over 16 KiB are refused, those below pass", async () => {
        const post = (length: number) =>
          ask(`${url}/graphql`, {
            method: "POST",
            headers: { "content-type": "application/json", accept: "application/graphql-response+json" },
            body: JSON.stringify({ query: "{ __typename }", x: "x".repeat(length) }),
            from: "127.0.0.5",
          });
        const large = await post(1_100_000);
        assert.equal(large.status, 413);
        assert.equal((await post(900_000)).status, 401, "what lacks is a token");
        const head = (length: number) => ask(`${url}/livez`, { headers: { "x-long": "x".repeat(length) } });
        assert.equal((await head(12_000)).status, 200);
        assert.equal((await head(20_000)).status, 431);
      });

      await t.test("/metrics stays inside, however it is written", async () => {
        for (const path of ["/metrics", "/metrics?x=1", "/%6detrics", "/metrics/"])
          assert.equal((await ask(`${url}${path}`)).status, 404, path);
      });
    });
  }

  describe(`${kind} passes on`, { skip: lacksProxy(kind) }, () => {
    test("events as they come, and an upgraded connection", { timeout: 20_000 }, async (t) => {
      const node = createServer((incoming, outgoing) => {
        if (incoming.url !== "/graphql") return outgoing.end("{}");
        outgoing.writeHead(200, { "content-type": "text/event-stream" });
        outgoing.write("event: next\n\n");
        return t.after(() => outgoing.end());
      });
      node.on("upgrade", (_request, socket) => {
        socket.on("error", () => {});
        // The answer to the key below, which HAProxy checks (RFC 6455 section 1.3).
        socket.write(
          "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n",
        );
        socket.on("data", (chunk) => socket.write(chunk));
      });
      const port = await freePort();
      node.listen(port, "127.0.0.1");
      t.after(() => node.close().closeAllConnections());
      const proxyPort = await freePort();
      const proxy = await startProxy(kind, proxyPort, [port, port]);
      t.after(() => proxy.stop());

      const first = await new Promise((resolve, reject) => {
        const outgoing = request(`${proxy.url}/graphql`, { family: 4, agent: false }, (incoming) =>
          incoming.once("data", (chunk: Buffer) => {
            resolve(chunk.toString());
            incoming.destroy();
          }),
        );
        outgoing.on("error", reject).end();
      });
      assert.equal(first, "event: next\n\n");

      const socket = connect({ port: proxyPort, host: "127.0.0.1", servername: "localhost" });
      t.after(() => socket.destroy());
      const told = new Promise<string>((resolve, reject) => {
        let text = "";
        socket.on("error", reject).on("data", (chunk) => {
          text += chunk;
          if (text.endsWith("\r\n\r\n")) socket.write("hello");
          if (text.endsWith("hello")) resolve(text);
        });
      });
      socket.write(
        "GET /graphql HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
      );
      assert.match(await told, /^HTTP\/1\.1 101 /);
    });
  });
}
