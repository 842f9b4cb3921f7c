import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { openTestApp, type TestApp } from "../../app.ts";

const BODY = JSON.stringify({ query: "{ posts { id } }" });
const HEAD =
  "Host: localhost\r\nContent-Type: application/json\r\nAccept: application/graphql-response+json\r\nConnection: close\r\n";

/** The same requests twice: a query in the address, here an empty one, makes them go through Fastify. */
const WAYS = [
  ["straight", "/graphql"],
  ["through Fastify", "/graphql?"],
] as const;

function post(path: string, { head = HEAD, body = BODY, length = `Content-Length: ${Buffer.byteLength(body)}` } = {}) {
  return `POST ${path} HTTP/1.1\r\n${head}${length}\r\n\r\n${body}`;
}

async function open(app: TestApp): Promise<Socket> {
  const socket = connect(app.config.PORT, "127.0.0.1");
  await once(socket, "connect");
  return socket;
}

interface Answer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** Sends bytes as they are and waits until the server closes the connection. */
async function send(app: TestApp, bytes: string | Buffer): Promise<Answer> {
  const socket = await open(app);
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  socket.on("error", () => {}); // A server that has said enough may reset the connection.
  socket.write(bytes);
  await once(socket, "close", { signal: AbortSignal.timeout(30_000) });
  return parseAnswer(Buffer.concat(chunks).toString());
}

function parseAnswer(text: string): Answer {
  const [head = "", body = ""] = text.split("\r\n\r\n", 2);
  const [first = "", ...lines] = head.split("\r\n");
  const headers = lines.map((line) => line.split(": ", 2) as [string, string]);
  return {
    status: Number(first.split(" ")[1]),
    headers: new Map(headers.map(([name, value]) => [name.toLowerCase(), value])),
    body,
  };
}

/** All that must be the same on both ways; how many points are left is not. */
function comparable({ status, headers, body }: Answer) {
  const ignored = new Set(["date", "ratelimit", "x-request-id"]);
  return { status, body, headers: [...headers].filter(([name]) => !ignored.has(name)).sort() };
}

describe("POST /graphql on its two ways", () => {
  let app: TestApp;
  before(async () => {
    app = await openTestApp({ PUBLIC_READ: "true", HOST: "127.0.0.1", REQUEST_TIMEOUT: "3s", MAX_BODY: "2000" });
  });
  after(() => app.close());

  /** 4 MB in pieces, the next when the one before has left: the answer comes while most of it is still here. */
  async function sendTooMuch(path: string, length: string) {
    const socket = await open(app);
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk;
    });
    const began = performance.now();
    const ended = once(socket, "close", { signal: AbortSignal.timeout(30_000) }).then(
      () => null,
      (error: Error) => error,
    );
    socket.write(post(path, { length, body: length.startsWith("C") ? "" : "3d0900\r\n" }));
    for (let sent = 0; sent < 4_000_000 && !socket.destroyed; sent += 100_000) {
      await new Promise((resolve) => socket.write(Buffer.alloc(100_000, 32), resolve));
      if (text === "") await pause(2);
    }
    if (!length.startsWith("C")) socket.write("\r\n0\r\n\r\n");
    const error = await ended;
    return { text, error, took: performance.now() - began };
  }

  const chunked = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;
  const json = HEAD.replace(/Content-Type.*\r\n/, "");
  for (const [way, path] of WAYS) {
    for (const [kind, length] of [
      ["as its head says", "Content-Length: 4000000"],
      ["as it turns out", "Transfer-Encoding: chunked"],
    ] as const) {
      test(`I03 who is still sending a body over the limit, ${kind}, reads the 413, ${way}`, async () => {
        for (let attempt = 1; ; attempt++) {
          const { text, error, took } = await sendTooMuch(path, length);
          if (error === null) return assert.equal(parseAnswer(text).status, 413);
          // The server listens for half a second: once more, where this machine has taken longer to send.
          assert.ok(took > 450 && attempt < 10, `${error} after ${took} ms`);
        }
      });
    }
  }

  for (const [name, status, options] of [
    ["a read", 200, {}],
    ["a body in chunks", 200, { length: "Transfer-Encoding: chunked", body: chunked }],
    ["a document that is wrong", 400, { body: '{"query":"{ nope }"}' }],
    ["text of many languages", 400, { body: '{"query":"{ 日本語 }"}' }],
    ["no body", 400, { body: "", length: "X-None: 0" }],
    ["an empty body", 400, { body: "" }],
    ["no media type", 415, { head: json }],
    ["I04 another media type", 415, { head: `${json}Content-Type: text/plain\r\n` }],
    ["I03 a compressed body", 415, { head: `${HEAD}Content-Encoding: gzip\r\n` }],
    ["nothing that is accepted", 406, { head: HEAD.replace(/Accept.*\r\n/, "Accept: image/png\r\n") }],
    ["I01 a bad token", 401, { head: `${HEAD}Authorization: Bearer nobody-gave-this\r\n` }],
    ["I03 a body over the limit, as its head says", 413, { length: "Content-Length: 2001", body: "" }],
    [
      "I03 a body over the limit, as it turns out",
      413,
      { length: "Transfer-Encoding: chunked", body: `${(2001).toString(16)}\r\n${" ".repeat(2001)}\r\n` },
    ],
    ["I03 a length and chunks", 400, { length: "Content-Length: 3\r\nTransfer-Encoding: chunked", body: "0\r\n\r\n" }],
    ["I03 two lengths", 400, { length: "Content-Length: 3\r\nContent-Length: 4", body: "abcd" }],
    ["I03 a bad chunk", 400, { length: "Transfer-Encoding: chunked", body: "3\r\nabc\r\nzz\r\n" }],
    ["I03 a head over 16 KiB", 431, { head: `${HEAD}X-Long: ${"x".repeat(17_000)}\r\n` }],
  ] as const) {
    test(`${name} → ${status}, the same answer`, async () => {
      const answers: Answer[] = [];
      for (const [way, path] of WAYS) {
        const answer = await send(app, post(path, options));
        assert.equal(answer.status, status, `${way}: ${answer.body}`);
        answers.push(answer);
      }
      const [straight, through] = answers.map(comparable);
      assert.deepEqual(straight, through);
    });
  }

  for (const [way, path] of WAYS) {
    test(`I03 a body that does not come → 408 in time (${way})`, async () => {
      const started = performance.now();
      assert.equal((await send(app, post(path, { length: "Content-Length: 50", body: "{" }))).status, 408);
      assert.ok(performance.now() - started < 10_000);
    });

    test(`a client that leaves in the middle of its body harms nobody (${way})`, async () => {
      const socket = await open(app);
      socket.write(post(path, { length: "Content-Length: 50", body: "{" }));
      await pause(20);
      socket.resetAndDestroy();
      assert.equal((await send(app, post(path))).status, 200);
    });

    test(`a client that leaves before its answer harms nobody (${way})`, async () => {
      const bad = post(path, { head: `${HEAD}Authorization: Bearer nobody-gave-this\r\n` }); // has to be looked up
      for (let i = 0; i < 50; i++) {
        const socket = await open(app);
        socket.on("error", () => {});
        socket.write(bad, () => (i % 2 === 0 ? socket.destroy() : socket.resetAndDestroy()));
      }
      await pause(50);
      assert.equal((await send(app, bad)).status, 401);
    });

    test(`a body in many pieces, cut inside a character, is put together (${way})`, async () => {
      const query = `{ posts { id } } # ${"日本語".repeat(20)}`;
      const bytes = Buffer.from(post(path, { body: JSON.stringify({ query }) }));
      const socket = await open(app);
      const answer = once(socket, "data", { signal: AbortSignal.timeout(30_000) });
      for (let start = 0; start < bytes.length; start += 100) {
        socket.write(bytes.subarray(start, start + 100));
        await pause(2);
      }
      assert.equal(parseAnswer(String(await answer)).body, '{"data":{"posts":[]}}');
      socket.destroy();
    });

    test(`requests one after the other on one connection, also without waiting (${way})`, async () => {
      const more = post(path, { head: HEAD.replace("Connection: close\r\n", "") });
      const socket = await open(app);
      let text = "";
      socket.on("data", (chunk) => (text += chunk));
      socket.write(more);
      await once(socket, "data");
      socket.write(more + more + post(path));
      await once(socket, "close", { signal: AbortSignal.timeout(30_000) });
      assert.equal(text.split("HTTP/1.1 200 OK").length - 1, 4);
    });

    test(`who asks first is told to send the body (${way})`, async () => {
      const socket = await open(app);
      const [head = "", body = ""] = post(path, { head: `${HEAD}Expect: 100-continue\r\n` }).split("\r\n\r\n");
      socket.write(`${head}\r\n\r\n`);
      assert.match(String(await once(socket, "data")), /^HTTP\/1.1 100 Continue/);
      socket.write(body);
      assert.match(String(await once(socket, "data")), /^HTTP\/1.1 200 OK/);
    });

    test(`each answer is counted (${way})`, async () => {
      const series = 'http_request_duration_seconds_count{method="POST",route="/graphql",status="406"}';
      const count = async () => {
        const metrics = await (await fetch(`${app.url}/metrics`)).text();
        return Number(metrics.split(`${series} `)[1]?.split("\n")[0] ?? 0);
      };
      const before = await count();
      await send(app, post(path, { head: HEAD.replace(/Accept.*\r\n/, "Accept: image/png\r\n") }));
      assert.equal((await count()) - before, 1);
    });
  }
});

describe("POST /graphql while the program ends", () => {
  test("F03 what was accepted is answered, and the connection ends with it", async () => {
    const app = await openTestApp({ PUBLIC_READ: "true", HOST: "127.0.0.1" });
    const [head = "", body = ""] = post("/graphql", { head: HEAD.replace("Connection: close\r\n", "") }).split(
      "\r\n\r\n",
    );
    const socket = await open(app);
    const came = new Promise<void>((resolve) => {
      const heard = () => {
        unsubscribe("http.server.request.start", heard);
        resolve();
      };
      subscribe("http.server.request.start", heard);
    });
    socket.write(`${head}\r\n\r\n`);
    await came;
    await pause(50);
    const closed = app.close();
    await pause(50);
    socket.write(body);
    const answer = parseAnswer(String(await once(socket, "data")));
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get("connection"), "close");
    await closed;
  });
});

describe("POST /graphql behind a proxy", () => {
  test("the address that pays is the one that a trusted proxy gives", async () => {
    const app = await openTestApp({
      PUBLIC_READ: "true",
      HOST: "127.0.0.1",
      TRUST_PROXY: "127.0.0.1",
      RATE_LIMIT_ADDRESS: "150/60",
    });
    try {
      const from = async (path: string, addresses: string) =>
        (await send(app, post(path, { head: `${HEAD}X-Forwarded-For: ${addresses}\r\n` }))).status;
      for (const [network, [, path]] of WAYS.entries()) {
        assert.equal(await from(path, `192.0.${network}.1`), 200);
        assert.equal(await from(path, `192.0.${network}.1`), 429);
        assert.equal(await from(path, `192.0.${network}.2`), 200);
        assert.equal(
          await from(path, `192.0.${network}.3, 192.0.${network}.2`),
          429,
          "what a client claims counts not",
        );
        assert.equal(await from(path, `192.0.${network}.3, 127.0.0.1`), 200);
      }
    } finally {
      await app.close();
    }
  });
});
