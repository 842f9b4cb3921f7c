import assert from "node:assert/strict";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { after, describe, test } from "node:test";
import fc from "fast-check";
import { clientAddress } from "../../src/http/client-address.ts";
import { openTestApp } from "../app.ts";

const addressOf = clientAddress(["10.0.0.0/8", "fd00::/8"]);

function from(remoteAddress: string | undefined, headers: IncomingHttpHeaders): string | null {
  return addressOf({ socket: { remoteAddress }, headers } as unknown as IncomingMessage);
}

describe("A47 the address that a request comes from", () => {
  for (const [header, expected] of [
    ["203.0.113.8", "203.0.113.8"],
    ["203.0.113.8:30001", "203.0.113.8"],
    ["2001:db8::8", "2001:db8::8"],
    ["[2001:db8::8]", "2001:db8::8"],
    ["[2001:db8::8]:30001", "2001:db8::8"],
    ["198.51.100.1, 203.0.113.8", "203.0.113.8"],
    ["198.51.100.1, 203.0.113.8:1, 10.0.0.2:443", "203.0.113.8"],
    ["203.0.113.8 , 10.0.0.2", "203.0.113.8"],
    ["10.0.0.3", "10.0.0.3"],
    ["unknown", "10.0.0.1"],
    ["203.0.113.8, unknown", "10.0.0.1"],
    ["203.0.113.8, unknown, 10.0.0.2", "10.0.0.2"],
    ["_hidden", "10.0.0.1"],
    ["203.0.113.8:70000000", "10.0.0.1"],
    ["203.0.113", "10.0.0.1"],
    ["", "10.0.0.1"],
    [",,", "10.0.0.1"],
    ["203.0.113.8;10.0.0.1", "10.0.0.1"],
    ["a.example.com", "10.0.0.1"],
  ] as const)
    test(`A47 X-Forwarded-For: ${header}`, () =>
      assert.equal(from("10.0.0.1", { "x-forwarded-for": header }), expected));

  for (const [header, expected] of [
    ["for=203.0.113.8", "203.0.113.8"],
    ['for="203.0.113.8:30001"', "203.0.113.8"],
    ['FOR="[2001:db8::8]:30001";proto=https;by=10.0.0.1', "2001:db8::8"],
    ['proto=https;for="[2001:db8::8]"', "2001:db8::8"],
    ["for=198.51.100.1, for=203.0.113.8;by=10.0.0.2, for=10.0.0.2", "203.0.113.8"],
    ['for="198.51.100.1, for=203.0.113.8"', "10.0.0.1"],
    ["for=unknown", "10.0.0.1"],
    ["for=_gazonk", "10.0.0.1"],
    ["proto=https", "10.0.0.1"],
  ] as const)
    test(`A47 Forwarded: ${header}`, () => assert.equal(from("10.0.0.1", { forwarded: header }), expected));

  test("nobody is believed but a trusted proxy", () => {
    assert.equal(from("192.0.2.1", { "x-forwarded-for": "203.0.113.8" }), "192.0.2.1");
    assert.equal(from("::ffff:10.0.0.1", { "x-forwarded-for": "203.0.113.8" }), "203.0.113.8");
    assert.equal(from(undefined, { "x-forwarded-for": "203.0.113.8" }), null);
    assert.equal(from("10.0.0.1", { "x-forwarded-for": "203.0.113.8", forwarded: "for=198.51.100.1" }), "203.0.113.8");
  });

  test("whatever the header says, the answer is an IP address, and a port changes nothing", () => {
    const address = fc.oneof(
      fc.ipV4(),
      fc.ipV6().map((text) => `[${text}]`),
    );
    fc.assert(
      fc.property(fc.string(), address, fc.nat(65_535), (before, text, port) => {
        const plain = from("10.0.0.1", { "x-forwarded-for": `${before}, ${text}` });
        assert.equal(from("10.0.0.1", { "x-forwarded-for": `${before}, ${text}:${port}` }), plain);
        assert.match(plain ?? "", /^[\d.:a-f]+$/i);
      }),
    );
  });
});

describe("A47 limits behind a proxy", async () => {
  const app = await openTestApp({
    HOST: "127.0.0.1",
    TRUST_PROXY: "127.0.0.1",
    RATE_LIMIT_OAUTH_ADDRESS: "3/600",
    RATE_LIMIT_ADDRESS: "3/600",
  });
  after(() => app.close());

  for (const [path, request] of [
    ["/token", { method: "POST", body: new URLSearchParams({ grant_type: "x" }) }],
    ["/authorize?client_id=nobody", {}],
    ["/account/sign-in", { method: "POST", body: new URLSearchParams({ email: "a", password: "b" }) }],
    ["/graphql", { method: "POST", body: "{}" }],
    ["/graphql?query={a}", {}],
  ] as const)
    test(`A47 ${path}: every port is the same address, and what is no address is the proxy's`, async () => {
      const network = path.length; // another one for each path
      for (const caller of [(i: number) => `203.0.${network}.8:${30_000 + i}`, (i: number) => `x${i}`]) {
        const statuses: number[] = [];
        for (let i = 0; i < 8; i++) {
          const headers = { "x-forwarded-for": caller(i) };
          statuses.push((await fetch(app.url + path, { ...request, headers, redirect: "manual" })).status);
        }
        assert.ok(statuses.includes(429), statuses.join(" "));
        assert.equal(statuses.at(-1), 429);
      }
    });
});
