import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  hashRecoveryCode,
  newRecoveryCodes,
  parseRecoveryCode,
  recoveryCodesFile,
} from "../../../src/authorization-server/second-step/recovery-codes.ts";
import type { Id } from "../../../src/domain/id.ts";

describe("U44 recovery codes", () => {
  test("U44 there are ten of three times five letters, all different, each letter as likely as the others", () => {
    const codes = Array.from({ length: 400 }, newRecoveryCodes);
    for (const set of codes) {
      assert.equal(new Set(set).size, 10);
      for (const code of set) assert.match(code, /^[BCDFGHJKLMNPQRSTVWXZ]{5}(-[BCDFGHJKLMNPQRSTVWXZ]{5}){2}$/);
    }
    const counts = new Map<string, number>();
    for (const letter of codes.flat().join("").replaceAll("-", "")) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    assert.equal(counts.size, 20);
    // 60,000 letters: 3,000 of each, with a standard deviation of 53.
    for (const [letter, count] of counts) assert.ok(Math.abs(count - 3_000) < 350, `${letter}: ${count}`);
  });

  test("U44 a code is read whatever its case, blanks and dashes", () => {
    for (const typed of ["BCDFG-HJKLM-NPQRS", "bcdfghjklmnpqrs", " bcdfg hjklm npqrs ", "bcdfg\u2013hjklm\u2013npqrs"])
      assert.equal(parseRecoveryCode(typed), "BCDFGHJKLMNPQRS", typed);
    for (const typed of ["", "BCDFG-HJKLM-NPQR", "BCDFG-HJKLM-NPQRSS", "ACDFG-HJKLM-NPQRS", "B".repeat(1_000)])
      assert.equal(parseRecoveryCode(typed), null, typed);
  });

  test("U44 P27 the hash is of the person and the letters", () => {
    const [ada, eve] = ["ada" as Id, "eve" as Id];
    assert.match(hashRecoveryCode(ada, "BCDFGHJKLMNPQRS"), /^[\w-]{43}$/);
    assert.notEqual(hashRecoveryCode(ada, "BCDFGHJKLMNPQRS"), hashRecoveryCode(eve, "BCDFGHJKLMNPQRS"));
    assert.notEqual(hashRecoveryCode(ada, "BCDFGHJKLMNPQRS"), hashRecoveryCode(ada, "BCDFGHJKLMNPQRT"));
  });

  test("U44 the file has one code a line", () => {
    const codes = newRecoveryCodes();
    const lines = recoveryCodesFile(codes, "Example", "ada@example.com").split("\n");
    assert.match(lines[0] ?? "", /ada@example\.com.*Example/);
    assert.deepEqual(
      lines.filter((line) => /^[A-Z]{5}-/.test(line)),
      codes,
    );
  });
});
