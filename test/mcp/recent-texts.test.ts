import assert from "node:assert/strict";
import { test } from "node:test";
import { RecentTexts } from "../../src/mcp/tools/recent-texts.ts";

test("texts that were used lately stay, others go, and a long one is not kept", () => {
  const texts = new RecentTexts<number>(1_000);
  for (let i = 0; i < 100; i++) {
    texts.keep(`text ${i}`.padEnd(10), i);
    assert.equal(texts.find("text 0".padEnd(10)), 0, "used all the time");
  }
  assert.equal(texts.find("text 1".padEnd(10)), undefined);
  assert.equal(texts.find("text 99".padEnd(10)), 99);
  texts.keep("a".repeat(11), 1);
  assert.equal(texts.find("a".repeat(11)), undefined);
});
