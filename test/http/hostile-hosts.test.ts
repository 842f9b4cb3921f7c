import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { after, describe, test } from "node:test";
import { openGuardedFetch } from "../../src/http/guarded-fetch.ts";

type Answer = (socket: Socket) => void;

const HEAD = "HTTP/1.1 200 OK\r\n";
const write = (text: string): Answer => {
  return (socket) => void socket.write(text);
};
const end = (text: string): Answer => {
  return (socket) => void socket.end(text);
};
const again = (text: string, milliseconds: number): Answer => {
  return (socket) => {
    const timer = setInterval(() => socket.write(text), milliseconds);
    socket.on("close", () => clearInterval(timer));
  };
};

/** What a host may do with a connection, by what it is; each never ends it unless it says so. */
const ANSWERS: Readonly<Record<string, Answer>> = {
  "nothing at all": () => {},
  "an end without an answer": (socket) => void socket.end(),
  "a reset": (socket) => void socket.resetAndDestroy(),
  "101 with the connection kept": write(
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
  ),
  "101 without Upgrade": write("HTTP/1.1 101 Switching Protocols\r\n\r\n"),
  "101 to HTTP/2": write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n"),
  "101 and bytes behind it": again(
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nbytes",
    20,
  ),
  "100 again and again": again("HTTP/1.1 100 Continue\r\n\r\n", 5),
  "102 again and again": again("HTTP/1.1 102 Processing\r\n\r\n", 5),
  "103 again and again": again("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", 5),
  "half a status line": write("HTTP/1.1 20"),
  "a status line alone": write(HEAD),
  "a head without an end": write(`${HEAD}X-A: b\r\n`),
  "a head a byte at a time": again("a", 20),
  "a header without an end": again("X-A: b\r\n", 2),
  "a header of a megabyte": write(`${HEAD}X-A: ${"a".repeat(1_048_576)}`),
  "a body that never comes": write(`${HEAD}Content-Length: 10\r\n\r\n`),
  "a body that is too short, and an end": end(`${HEAD}Content-Length: 10\r\n\r\nabc`),
  "a body a byte at a time": (socket) => {
    socket.write(`${HEAD}Content-Length: 100000\r\n\r\n`);
    again("a", 20)(socket);
  },
  "a body without an end": (socket) => {
    socket.write(`${HEAD}\r\n`);
    again("a".repeat(1_000), 2)(socket);
  },
  "chunks without an end": (socket) => {
    socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`);
    again("1\r\na\r\n", 20)(socket);
  },
  "a chunk that is no number": write(`${HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n`),
  "a chunk of a terabyte": write(`${HEAD}Transfer-Encoding: chunked\r\n\r\nfffffffffff\r\nabc`),
  "chunks that break off": end(`${HEAD}Transfer-Encoding: chunked\r\n\r\n5\r\nab`),
  "trailers without an end": (socket) => {
    socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n0\r\n`);
    again("X-A: b\r\n", 10)(socket);
  },
  "two lengths": write(`${HEAD}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`),
  "a length and chunks": write(`${HEAD}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`),
  "a negative length": write(`${HEAD}Content-Length: -1\r\n\r\n`),
  "an unknown coding": write(`${HEAD}Transfer-Encoding: gzip\r\n\r\nabc`),
  "a status of two digits": write("HTTP/1.1 20 OK\r\n\r\n"),
  "status 000": write("HTTP/1.1 000 None\r\nContent-Length: 0\r\n\r\n"),
  "status 999": write("HTTP/1.1 999 Many\r\nContent-Length: 0\r\n\r\n"),
  "204 with a body": write("HTTP/1.1 204 No Content\r\nContent-Length: 3\r\n\r\nabc"),
  "304 and silence": write("HTTP/1.1 304 Not Modified\r\n\r\n"),
  "HTTP/0.9": end("hello"),
  "HTTP/1.0": end("HTTP/1.0 200 OK\r\n\r\nok"),
  "HTTP/2": write("HTTP/2.0 200 OK\r\n\r\n"),
  "a frame of HTTP/2": write("\0\0\x12\x04\0\0\0\0\0\0\x03\0\0\0\x64\0\x04\0\x10\0\0"),
  "a TLS alert": write("\x15\x03\x01\x00\x02\x02\x28"),
  "the greeting of a mail server": write("220 mail.example.com ESMTP\r\n"),
  "the greeting of SSH": write("SSH-2.0-OpenSSH_9.9\r\n"),
  "zeros without an end": again("\0".repeat(1_000), 2),
  "line breaks without an end": again("\r\n", 2),
  "a redirect and silence": write("HTTP/1.1 302 Found\r\nLocation: /\r\n"),
  "an answer before the request": write(`${HEAD}Content-Length: 2\r\n\r\nok`),
  "two answers": write(`${HEAD}Content-Length: 2\r\n\r\nok${HEAD}Content-Length: 2\r\n\r\nno`),
  "half an answer, then a reset": (socket) => {
    socket.write(`${HEAD}Content-Length: 10\r\n\r\nabc`);
    setTimeout(() => socket.resetAndDestroy(), 20);
  },
};

/** Milliseconds that a call may take here. */
const TIMEOUT = 300;

describe("A44 a call to a host that others chose ends in time, whatever comes back", () => {
  const sockets = new Set<Socket>();
  let answer: Answer = () => {};
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => {});
    socket.resume(); // its end is heard
    answer(socket);
  });
  server.listen(0, "127.0.0.1");
  after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const call = openGuardedFetch({ privateHosts: ["127.0.0.1"] });

  for (const [name, own] of Object.entries(ANSWERS)) {
    test(`A44 ${name}`, async () => {
      if (!server.listening) await once(server, "listening");
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      answer = own;
      for (const method of ["GET", "POST"] as const) {
        const began = performance.now();
        const settled = call(url, { method, timeout: TIMEOUT, ...(method === "POST" ? { body: "a=b" } : {}) }).then(
          (response) => response.text(),
          (error: unknown) => assert.ok(error instanceof Error),
        );
        const late = new Promise((_, reject) =>
          setTimeout(() => reject(new Error("the call has not ended")), TIMEOUT + 2_000).unref(),
        );
        await Promise.race([settled, late]);
        assert.ok(performance.now() - began < TIMEOUT + 1_000);
      }
      for (let left = 50; left > 0 && sockets.size > 0; left--) await new Promise((next) => setTimeout(next, 20));
      assert.equal(sockets.size, 0, "a connection was left open");
    });
  }

  test("A44 a name that is never resolved", async () => {
    const never = openGuardedFetch({ privateHosts: [], resolve: () => new Promise(() => {}) });
    const began = performance.now();
    await assert.rejects(never("https://example.com/", { timeout: TIMEOUT }));
    assert.ok(performance.now() - began < TIMEOUT + 1_000);
  });
});
