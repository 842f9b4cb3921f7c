import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { RefusalCounts } from "../../src/authorization-server/engine/refusal-counts.ts";
import type { NewAuditEvent } from "../../src/domain/audit.ts";

const REFUSED = { event: "authorization", result: "refused", detail: "invalid_request", address: "192.0.2.7" } as const;

function open() {
  const written: NewAuditEvent[] = [];
  const clock = { now: 1_000_000 };
  const counts = new RefusalCounts(
    () => clock.now,
    (event) => written.push(event),
  );
  const takeMany = (event: NewAuditEvent, many: number) =>
    Array.from({ length: many }, () => counts.takes(event)).filter((isTaken) => isTaken).length;
  return { written, clock, counts, takeMany };
}

describe("A46 refusals in the audit", () => {
  test("the first ten of a minute stand for themselves, the others in one row", () => {
    const { written, clock, counts, takeMany } = open();
    assert.equal(takeMany(REFUSED, 4_000), 10);
    assert.deepEqual(written, []);
    clock.now += 60_000;
    assert.equal(takeMany(REFUSED, 1), 1);
    assert.deepEqual(written, [
      {
        event: "authorization",
        result: "refused",
        detail: "3990 more within a minute from 192.0.2.0/24: invalid_request",
      },
    ]);
    counts.flush();
    assert.equal(written.length, 1, "nothing more was counted");
  });

  test("another reason, range, event or result is counted for itself; one range is 256 addresses, or a /64", () => {
    const { takeMany } = open();
    for (const more of [
      {},
      { detail: "invalid_client" },
      { address: "192.0.3.7" },
      { event: "token" } as const,
      { result: "limited" } as const,
      { address: "2001:db8::1" },
    ])
      assert.equal(takeMany({ ...REFUSED, ...more }, 20), 10, JSON.stringify(more));
    assert.equal(takeMany({ ...REFUSED, address: "192.0.2.200" }, 20), 0);
    assert.equal(takeMany({ ...REFUSED, address: "2001:db8::ffff:1" }, 20), 0);
    assert.equal(takeMany({ ...REFUSED, address: "2001:db8:0:1::1" }, 20), 10);
  });

  test("what was granted, and reuse of a token, is never counted away", () => {
    const { takeMany } = open();
    for (const result of ["ok", "reuse", "failed"] as const) assert.equal(takeMany({ ...REFUSED, result }, 100), 100);
  });

  test("reasons that a stranger invents are counted together after a thousand", () => {
    const { written, counts } = open();
    for (let i = 0; i < 5_000; i++) counts.takes({ ...REFUSED, detail: `invented ${i}` });
    counts.flush();
    assert.deepEqual(written, [
      {
        event: "authorization",
        result: "refused",
        detail: "3990 more within a minute from many addresses: different reasons",
      },
    ]);
  });

  test("F14 a clock that is set back does not make a minute last", () => {
    const { clock, takeMany } = open();
    assert.equal(takeMany(REFUSED, 20), 10);
    clock.now -= 86_400_000;
    assert.equal(takeMany(REFUSED, 20), 10);
  });
});
