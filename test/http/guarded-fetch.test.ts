import assert from "node:assert/strict";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { after, describe, test } from "node:test";
import { ForbiddenTarget, openGuardedFetch } from "../../src/http/guarded-fetch.ts";

let answer: RequestListener = (_request, response) => response.end("ok");
let calls = 0;
const server = createServer((request, response) => {
  calls++;
  answer(request, response);
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
after(() => {
  server.closeAllConnections();
  server.close();
});
const { port } = server.address() as AddressInfo;
const strict = openGuardedFetch({ privateHosts: [] });
const trusting = openGuardedFetch({ privateHosts: ["127.0.0.1", "localhost"] });
/** A guarded fetch to which names mean these addresses, one list after the other. */
function resolvingTo(...lists: string[][]) {
  const asked: string[] = [];
  const guarded = openGuardedFetch({
    privateHosts: [],
    async resolve(hostname) {
      asked.push(hostname);
      const addresses = lists[Math.min(asked.length, lists.length) - 1] ?? [];
      return addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    },
  });
  return { guarded, asked };
}

const url = `http://127.0.0.1:${port}/`;

describe("A37 what is not called", () => {
  test("A37 anything but https, and addresses with user information", async () => {
    for (const address of [url, "http://example.com/", "ftp://example.com/", "file:///etc/passwd", "data:,x"])
      await assert.rejects(strict(address), ForbiddenTarget, address);
    await assert.rejects(strict("https://user:secret@example.com/"), ForbiddenTarget);
    assert.equal(calls, 0);
  });

  for (const [kind, hosts] of Object.entries({
    loopback: ["127.0.0.1", "127.255.1.2", "[::1]", "0.0.0.0", "0", "[::]"],
    private: ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1", "[fc00::1]", "[fdff::1]"],
    "link-local": ["169.254.169.254", "[fe80::1]", "[febf::1]", "[fec0::1]"],
    mapped: ["[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::ffff:10.0.0.1]", "[::ffff:8.8.8.8]", "[::127.0.0.1]"],
    translated: ["[64:ff9b::7f00:1]", "[64:ff9b::10.0.0.1]", "[64:ff9b:1::1]", "[2002:7f00:1::]", "[2001:0::1]"],
    "written otherwise": ["2130706433", "0x7f000001", "0177.0.0.1", "127.1", "0x7f.1", "①②⑦.0.0.1", "127.0.0.1."],
    reserved: ["192.0.2.1", "198.18.0.1", "203.0.113.9", "224.0.0.1", "240.0.0.1", "255.255.255.255", "[2001:db8::1]"],
  })) {
    test(`A37 ${kind} hosts`, async () => {
      for (const host of hosts) await assert.rejects(strict(`https://${host}:${port}/`), ForbiddenTarget, host);
    });
  }

  test("A37 names that resolve there, if only among others", async () => {
    await assert.rejects(strict(`https://localhost:${port}/`), ForbiddenTarget);
    for (const addresses of [
      ["127.0.0.1"],
      ["10.0.0.1"],
      ["169.254.169.254"],
      ["198.51.100.7", "::1"],
      ["8.8.8.8", "127.0.0.1"],
      ["2600::1", "fe80::1"],
      ["::ffff:127.0.0.1"],
      ["64:ff9b::7f00:1"],
      [],
    ]) {
      const { guarded, asked } = resolvingTo(addresses);
      await assert.rejects(guarded(`https://hooks.example.com:${port}/`), ForbiddenTarget, addresses.join());
      assert.deepEqual(asked, ["hooks.example.com"]);
    }
    assert.equal(calls, 0);
  });

  test("A37 a name is asked for once for each call, and what it says then is what is connected to", async () => {
    const answers = [["127.0.0.1"], ["8.8.8.8", "127.0.0.1"]];
    const { guarded, asked } = resolvingTo(...answers);
    for (const _ of answers) await assert.rejects(guarded(`https://rebinding.example.com:${port}/`), ForbiddenTarget);
    assert.equal(asked.length, answers.length);
  });

  test("A37 a host that is trusted is still asked for by https where https is written", async () => {
    await assert.rejects(trusting(`https://127.0.0.1:${port}/`), (error: NodeJS.ErrnoException) => {
      assert.ok(!(error instanceof ForbiddenTarget));
      return /SSL|EPROTO|ECONNRESET|socket hang up/.test(`${error.code} ${error.message}`);
    });
  });

  test("A37 a trusted name trusts no other", async () => {
    await assert.rejects(trusting(`http://[::1]:${port}/`), ForbiddenTarget);
    await assert.rejects(trusting("https://127.0.0.2/"), ForbiddenTarget);
  });
});

describe("A37 what comes back", () => {
  test("the answer, with its status, fields and body", async () => {
    answer = (request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk) => chunks.push(chunk));
      request.on("end", () => {
        response.writeHead(201, { "x-two": ["a", "b"], "content-type": "text/plain" });
        response.end(`${request.method} ${request.headers["x-sent"]} ${Buffer.concat(chunks)}`);
      });
    };
    const got = await trusting(url, { method: "POST", headers: { "x-sent": "yes" }, body: "héllo" });
    assert.equal(got.status, 201);
    assert.equal(got.headers.get("x-two"), "a, b");
    assert.equal(await got.text(), "POST yes héllo");
    answer = (_request, response) => response.writeHead(204).end();
    assert.equal((await trusting(`http://localhost:${port}/`)).status, 204);
  });

  test("A37 a redirect is not followed", async () => {
    calls = 0;
    answer = (_request, response) => response.writeHead(302, { location: url }).end();
    const got = await trusting(url);
    assert.deepEqual([got.status, got.headers.get("location"), calls], [302, url, 1]);
  });

  test("A37 a body over the cap fails, however it comes, and the connection is closed", async () => {
    for (const isEndless of [false, true]) {
      const closed = new Promise<void>((resolve) => {
        answer = (_request, response) => {
          response.on("close", resolve);
          if (!isEndless) return void response.end("x".repeat(2_000));
          const pour = () => {
            while (!response.destroyed && response.write("x".repeat(1_000)));
          };
          response.on("drain", pour);
          pour();
        };
      });
      await assert.rejects(trusting(url, { bodyLimit: 1_000 }), /longer than 1000 bytes/);
      await closed;
    }
    answer = (_request, response) => response.end("x".repeat(1_000));
    assert.equal((await (await trusting(url, { bodyLimit: 1_000 })).text()).length, 1_000);
  });

  test("A37 a receiver that is slow, or sends by drops, costs no longer than the timeout", async () => {
    for (const slow of [
      () => {},
      (_request: unknown, response: Parameters<RequestListener>[1]) => {
        const timer = setInterval(() => response.write("."), 20);
        response.on("close", () => clearInterval(timer));
      },
    ]) {
      answer = slow as RequestListener;
      const began = performance.now();
      await assert.rejects(trusting(url, { timeout: 150 }));
      assert.ok(performance.now() - began < 1_500);
    }
  });

  test("an interim or nonsensical status is an error, not an answer", async () => {
    answer = (request) => request.socket.end("HTTP/1.1 999 No\r\ncontent-length: 0\r\n\r\n");
    await assert.rejects(trusting(url), /status 999/);
    answer = (request) => request.socket.end("nonsense");
    await assert.rejects(trusting(url));
  });
});
