import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { openAttemptLimit } from "../../src/authorization-server/attempts.ts";

describe("sign-in attempts", () => {
  test("A39 whoever has no attempt left cannot use up somebody else's", () => {
    const attempts = openAttemptLimit();
    for (let i = 0; i < 100; i++) assert.equal(attempts.begin(`${i}@example.com`, "192.0.2.1"), true);
    for (let i = 0; i < 20; i++) assert.equal(attempts.begin("victim@example.com", "192.0.2.1"), false);
    for (let i = 0; i < 10; i++) assert.equal(attempts.begin("victim@example.com", `198.51.100.${i}`), true);
    assert.equal(attempts.begin("victim@example.com", "198.51.100.99"), false);
  });

  test("A39 an address counts once, however it is written, and one of IPv6 by its /64", () => {
    const attempts = openAttemptLimit();
    for (let i = 0; i < 100; i++) attempts.begin(`${i}@example.com`, i % 2 ? "192.0.2.1" : "::ffff:192.0.2.1");
    assert.equal(attempts.begin("a@example.com", "192.0.2.1"), false);
    for (let i = 0; i < 100; i++) attempts.begin(`${i}@example.org`, `2001:db8::${i.toString(16)}`);
    assert.equal(attempts.begin("a@example.org", "2001:DB8:0:0:1:2:3:4"), false);
    assert.equal(attempts.begin("a@example.org", "2001:db8:0:1::1"), true);
  });

  test("A39 what is typed for an address takes no memory", () => {
    setFlagsFromString("--expose-gc");
    const gc = runInNewContext("gc") as () => void;
    const attempts = openAttemptLimit();
    gc();
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < 1_000; i++) attempts.begin(`${i}${"x".repeat(60_000)}`, `10.0.${i >> 8}.${i & 255}`);
    gc();
    assert.ok(process.memoryUsage().heapUsed - before < 10_000_000);
    assert.equal(attempts.begin("a@example.com", "192.0.2.1"), true);
  });
});
