import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { isCommonPassword } from "../../src/secrets/common-passwords.ts";
import { openPasswordRules } from "../../src/secrets/password-rules.ts";

const FILE = new URL("../../src/secrets/common-passwords.txt", import.meta.url);
const text = readFileSync(FILE, "utf8");
const entries = text.trimEnd().split("\n");

describe("U22 the built-in list of known passwords (ASVS 6.2.4)", () => {
  test("has at least 3,000 that the rules for length accept, in the form in which they are compared", () => {
    assert.ok(entries.length >= 3_000, `${entries.length} entries`);
    for (const entry of entries) {
      const length = [...entry].length;
      assert.ok(length >= 15 && length <= 256, entry);
      assert.equal(entry, entry.normalize("NFC").toLowerCase().trim());
    }
    assert.equal(text, `${[...new Set(entries)].sort().join("\n")}\n`, "sorted, each once");
  });

  test("refuses each entry with the same sentence", async () => {
    const { assert: judge } = openPasswordRules({ OPERATOR_NAME: "Example", BREACHED_PASSWORDS: null });
    const refused = { message: "This password is on a list of known passwords. Choose another." };
    const owner = { email: "nobody@example.com", name: "Nobody" };
    for (const entry of entries) await assert.rejects(judge(entry, owner), refused, entry);
  });

  test("refuses an entry in capitals, with spaces, and with digits after it", () => {
    for (const password of [
      "STAIRWAYTOHEAVEN",
      "Stairway to Heaven",
      "stairway-to-heaven-1971!",
      "welcome to the jungle",
      "yfcnzyfcnzyfcnz1",
    ])
      assert.equal(isCommonPassword(password), true, password);
    for (const password of [
      "a stairway to somewhere",
      "stairwaytoheavenandback",
      "heaven to stairway",
      "\nstairway\nto\n",
      "!?".repeat(10).concat("."),
    ])
      assert.equal(isCommonPassword(password), false, password);
  });

  test("holds no e-mail address and no date, phone number or hash", () => {
    for (const entry of entries) {
      assert.doesNotMatch(entry, /\S@\S+\.\S|(?:19[3-9]|20[0-3])\d|(?=\d*[a-f])(?!(.)\1+$)[0-9a-f]{32}/, entry);
      assert.doesNotMatch(entry, /(?<!\d)(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])(?:19|20)\d\d(?!\d)/, entry);
    }
  });
});
