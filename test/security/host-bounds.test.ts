import assert from "node:assert/strict";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { after, describe, test } from "node:test";
import { openTestServer, SPA_CALLBACK } from "./authorization-server.ts";
import { authorizationRequest, requestToken } from "./client.ts";

/** A host that accepts and is silent. */
const sockets = new Set<Socket>();
let calls = 0;
const host = createServer((socket) => {
  calls++;
  sockets.add(socket);
  socket.on("error", () => {}).on("close", () => sockets.delete(socket));
  socket.resume();
});
await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
let ahead = 0;
const server = await openTestServer({
  settings: { CLIENT_DOCUMENTS: true },
  privateHosts: ["127.0.0.1"],
  now: () => Date.now() + ahead,
});
after(async () => {
  for (const socket of sockets) socket.destroy();
  host.close();
  await server.close();
});
const origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;

const ask = (clientId: string) =>
  fetch(authorizationRequest({ issuer: server.issuer, clientId, redirectUri: SPA_CALLBACK }).url, {
    redirect: "manual",
  });

describe("A45 a host that accepts and is silent", () => {
  test("is called a few times at once for one caller, who is told to wait; others go on", async () => {
    const answers = Promise.all(Array.from({ length: 40 }, (_, i) => ask(`${origin}/${i}`)));
    const began = performance.now();
    const refused = await requestToken(server.issuer, {
      grant_type: "refresh_token",
      refresh_token: "x",
      client_id: "spa",
    });
    assert.equal(refused.body.error, "invalid_grant", "a client that is known here");
    assert.ok(performance.now() - began < 1_500, `${performance.now() - began} ms`);
    const statuses = (await answers).map(({ status }) => status);
    assert.equal(calls, 4);
    assert.equal(statuses.filter((status) => status === 429).length, 36);
    for (const answer of await answers)
      if (answer.status === 429) assert.equal(answer.headers.get("retry-after"), "60");
  });

  test("is not called without end, whatever ids a caller invents", async () => {
    for (const socket of sockets) socket.destroy();
    host.removeAllListeners("connection");
    host.on("connection", (socket: Socket) => {
      calls++;
      socket.on("error", () => {});
      socket.end("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
    });
    ahead = 120_000; // another minute
    calls = 0;
    for (let i = 0; i < 50; i++) await ask(`${origin}/invented/${i}`);
    assert.equal(calls, 30);
    ahead += 61_000;
    await ask(`${origin}/invented/in-another-minute`);
    assert.equal(calls, 31);
  });
});
