import assert from "node:assert/strict";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import { Readable } from "node:stream";
import { describe, test } from "node:test";
import { statusOf } from "../../src/authorization-server/http/client-errors.ts";
import { openFastify } from "../../src/http/fastify.ts";
import { openHttpServer, requestIds } from "../../src/http/http-server.ts";
import { openListener } from "../../src/http/listener.ts";
import { openMetrics } from "../../src/observe/metrics.ts";

describe("clients that leave before their answer", { timeout: 30_000 }, () => {
  test("A47 their address stays known: limits and the audit ask for it after a password was checked", async (t) => {
    const http = openHttpServer({ REQUEST_TIMEOUT: 10 });
    t.after(() => http.close());
    const url = new URL(await http.listen(openListener({ port: 0, host: "127.0.0.1" })));
    const asked = once(http.server, "request");
    const client = connect(Number(url.port), "127.0.0.1");
    client.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    const [{ socket }] = (await asked) as [IncomingMessage];
    client.destroy();
    await once(socket, "close");
    assert.equal(socket.remoteAddress, "127.0.0.1");
  });

  test("one that leaves in the middle of a long answer is no failure of ours", async (t) => {
    const lines: string[] = [];
    const note = (_fields: object, message: string) => void lines.push(message);
    const log = { debug: note, info: note, warn: note, error: note };
    const routes = openFastify({
      ...{ config: { TRUST_PROXY: false }, log, metrics: openMetrics(), requestId: requestIds() },
      isClientPath: () => false,
      crossOriginHeaders: async () => ({}),
      errorPage: ({ title }) => ({ headers: {}, body: title }),
    });
    const endless = new Readable({ read() {} });
    endless.push("a");
    let errors = 0;
    routes.addHook("onError", async (_request, _reply, error) => {
      errors++;
      assert.equal(statusOf(error, "request-1", log), 400);
    });
    routes.get("/", (_request, reply) => {
      reply.raw.on("close", () => endless.destroy());
      return reply.send(endless);
    });
    routes.get("/before", async () =>
      Promise.reject(Object.assign(new Error("gone"), { code: "ERR_STREAM_PREMATURE_CLOSE" })),
    );
    await routes.ready();
    const http = openHttpServer({ REQUEST_TIMEOUT: 10 });
    t.after(async () => {
      endless.destroy();
      await http.close();
      await routes.close();
    });
    http.server.on("request", (request, response) => routes.routing(request, response));
    const url = new URL(await http.listen(openListener({ port: 0, host: "127.0.0.1" })));
    const client = connect(Number(url.port), "127.0.0.1");
    client.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    await once(client, "data");
    client.destroy();
    await once(endless, "close");
    assert.equal((await fetch(new URL("/before", url))).status, 400);
    assert.ok(errors > 0);
    assert.deepEqual(lines, []);
  });
});
