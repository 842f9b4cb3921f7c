import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { SERVER_SKIPS, TRANSPORT_SKIPS } from "./conformance-skips.ts";
import { failuresAmong, judge, listed, requiredScenarios, skipped } from "./conformance-suite.ts";
import { type FixtureServer, openFixtureServer } from "./fixture-server.ts";

describe("A07 the conformance suite, on a server made of our transport", () => {
  let server: FixtureServer;
  before(async () => {
    server = await openFixtureServer();
  });
  after(() => server.close());

  for (const [revision, count] of [
    ["2026-07-28", 37],
    ["2025-11-25", 30],
  ] as const)
    test(`${revision}: every required scenario passes, and the others are the ones listed`, async () => {
      const required = requiredScenarios(revision);
      assert.equal(required.length, count);
      const judgement = await judge(server.url, revision);
      assert.equal(judgement.code, 0, judgement.output);
      for (const scenario of required) {
        assert.ok(judgement.scenarios.has(scenario), `${scenario} is run`);
        assert.deepEqual(failuresAmong(judgement.scenarios.get(scenario)), [], scenario);
      }
      assert.deepEqual(skipped(judgement), listed(TRANSPORT_SKIPS, revision));
    });
});

test("A07 the documentation lists the scenarios that are skipped, with the reason of each", () => {
  const text = readFileSync(join(import.meta.dirname, "../../docs/agents.md"), "utf8");
  const [, table = ""] = /^### Conformance\n(?:.*\n)*?\| --- .*\n((?:\|.*\n?)+)/m.exec(text) ?? [];
  const rows = table.trimEnd().split("\n");
  const onTransport = new Set(TRANSPORT_SKIPS);
  const expected = SERVER_SKIPS.map((skip) => {
    const where = onTransport.has(skip) ? "both" : "this server";
    const names = skip.scenarios.map((scenario) => `\`${scenario}\``).join(", ");
    return `| ${names} | ${skip.revisions.join(", ")} | ${where} | ${skip.reason} |`;
  });
  assert.deepEqual(rows, expected);
});
