import assert from "node:assert/strict";
import dns from "node:dns/promises";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { Agent, get, type IncomingMessage, type ServerResponse } from "node:http";
import { syncBuiltinESMExports } from "node:module";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { describe, type TestContext, test } from "node:test";
import { openHttpServer } from "../../src/http/http-server.ts";
import { openListener } from "../../src/http/listener.ts";

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

function open(serve: Serve) {
  const http = openHttpServer({ REQUEST_TIMEOUT: 10 });
  http.server.on("request", serve);
  return http;
}

/** One request of a client that keeps its connection. */
async function ask(t: TestContext, url: string): Promise<IncomingMessage> {
  const agent = new Agent({ keepAlive: true });
  t.after(() => agent.destroy());
  const [answer] = (await once(get(url, { agent }), "response")) as [IncomingMessage];
  await once(answer.resume(), "end");
  return answer;
}

describe("the HTTP server", () => {
  test("`localhost` is every address of that name that this machine has, and all of them end together", async (t) => {
    const here = Object.values(networkInterfaces()).flat();
    if (here.every((one) => one?.address !== "::1")) return t.skip("this machine has no IPv6");
    const found = ["127.0.0.1", "::1", "192.0.2.1"].map((address) => ({ address, family: 4 }));
    t.mock.method(dns, "lookup", async () => found);
    syncBuiltinESMExports();
    const http = open((_request, response) => response.end("here"));
    const url = new URL(await http.listen(openListener({ port: 0, host: "localhost" })));
    t.mock.restoreAll();
    syncBuiltinESMExports();
    assert.equal(url.hostname, "127.0.0.1");
    const other = `http://[::1]:${url.port}/`;
    for (const address of [url.href, other]) {
      assert.equal(await (await fetch(address)).text(), "here");
      assert.equal((await ask(t, address)).statusCode, 200);
    }
    const silent = connect(Number(url.port), "::1");
    silent.on("error", () => {});
    await once(silent, "connect");
    assert.equal((await ask(t, other)).statusCode, 200);
    const began = performance.now();
    await http.close();
    assert.ok(performance.now() - began < 5_000, "connections that are kept, and those that never asked, are let go");
    for (const address of [url.href, other]) await assert.rejects(fetch(address), address);
  });

  test("a port in use is said with the system's code", async () => {
    const first = open((_request, response) => response.end());
    const { port } = new URL(await first.listen(openListener({ port: 0, host: "127.0.0.1" })));
    await assert.rejects(open(() => {}).listen(openListener({ port: Number(port), host: "127.0.0.1" })), {
      code: "EADDRINUSE",
    });
    await first.close();
  });

  test("while it drains, an answer is the last of its connection, whoever gives it", async (t) => {
    const http = open((_request, response) => response.end());
    const url = await http.listen(openListener({ port: 0, host: "127.0.0.1" }));
    assert.equal((await ask(t, url)).headers.connection, "keep-alive");
    const drained = http.drain(5_000);
    assert.equal((await ask(t, url)).headers.connection, "close");
    assert.equal((await fetch(url)).status, 200, "new connections are still taken");
    await http.close();
    await drained;
  });

  test("an answer that was being made when it began to close does not hold up the end by its connection", async (t) => {
    const came = Promise.withResolvers<() => void>();
    const http = open((_request, response) => came.resolve(() => response.end("late")));
    const url = await http.listen(openListener({ port: 0, host: "127.0.0.1" }));
    const answer = ask(t, url);
    const end = await came.promise;
    const closed = http.close();
    end();
    assert.equal((await answer).statusCode, 200);
    const began = performance.now();
    await closed;
    assert.ok(performance.now() - began < 5_000);
  });

  test("K22 once it takes no more connections, those that it has are served until they are used once more", async (t) => {
    const http = open((_request, response) => response.end());
    const url = await http.listen(openListener({ port: 0, host: "127.0.0.1" }));
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    t.after(() => agent.destroy());
    const askAgain = async () => {
      const [answer] = (await once(get(url, { agent }), "response")) as [IncomingMessage];
      await once(answer.resume(), "end");
      return answer;
    };
    assert.equal((await askAgain()).headers.connection, "keep-alive");
    await http.stop();
    await assert.rejects(fetch(url), "nobody accepts");
    const drained = http.drain(60_000);
    const answer = await askAgain();
    assert.deepEqual([answer.statusCode, answer.headers.connection], [200, "close"]);
    await drained;
    await http.close();
  });

  test("a connection that comes before the listener is ready ends with the others, as soon as it is idle", async (t) => {
    const http = open((_request, response) => response.end());
    const acceptor = openListener({ port: 0, host: "127.0.0.1" });
    let asked: Promise<IncomingMessage> | undefined;
    await http.listen({
      ...{ stop: () => acceptor.stop() },
      async listen(accept) {
        const url = await acceptor.listen(accept);
        asked = ask(t, url);
        await once(http.server, "connection");
        return url;
      },
    });
    assert.equal((await asked)?.statusCode, 200);
    const began = performance.now();
    await http.close();
    assert.ok(performance.now() - began < 5_000, "its client keeps it open");
  });

  test("a connection that came from elsewhere has the time limits of a request", async () => {
    const http = openHttpServer({ REQUEST_TIMEOUT: 1 });
    const acceptor = openListener({ port: 0, host: "127.0.0.1" });
    const url = new URL(await http.listen(acceptor));
    const slow = connect(Number(url.port), "127.0.0.1");
    slow.write("GET / HTTP/1.1\r\nhost: a\r\n");
    const [answer] = (await once(slow, "data")) as [Buffer];
    assert.match(answer.toString(), /^HTTP\/1\.1 408 /);
    slow.destroy();
    await http.close();
  });

  test("K11 a descriptor that is no listening socket is said", async () => {
    const file = openSync(import.meta.filename, "r");
    for (const descriptor of [file, 999]) {
      const listener = openListener({ port: 0, host: "127.0.0.1", inherited: [descriptor] });
      await assert.rejects(
        listener.listen(() => {}),
        new RegExp(`Descriptor ${descriptor} of LISTEN_FDS`),
      );
    }
    closeSync(file);
  });
});
