import assert from "node:assert/strict";
import { availableParallelism } from "node:os";
import { test } from "node:test";
import { createDatabase } from "../../bench/database.ts";
import { isMet } from "../../bench/scenario.ts";
import { soakOn } from "../../bench/scenarios/soak.ts";

const hasCores = process.platform === "linux" && availableParallelism() > 1;

test("memory under mixed load stays bounded, and is given back at rest; no request fails", {
  skip: !hasCores && "needs Linux and two cores",
  timeout: 10 * 60_000,
}, async (t) => {
  const none = () => Promise.reject(new Error("There is no PostgreSQL here."));
  const bench = {
    minutes: 1.5,
    database: (shape: Parameters<typeof createDatabase>[0]) => createDatabase(shape, none),
  };
  // With the default, a request that waits for long on a busy machine is rejected.
  const { targets, notes = [] } = await soakOn(bench, "sqlite", { MAX_DELAY: "60000" });
  for (const note of notes) t.diagnostic(note);
  assert.deepEqual(
    targets.filter((target) => !isMet(target)),
    [],
  );
});
