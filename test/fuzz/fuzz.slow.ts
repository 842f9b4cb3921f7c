/**
 * Some thousands of inputs for each target, or inputs for as long as `FUZZ=SECONDS` says, on SQLite or, with
 * `FUZZ_STORE=postgres`, on PostgreSQL. `FUZZ_TARGETS=queries,jwts` chooses targets, and `FUZZ_SEED` repeats a run.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { openPostgres } from "../postgres.ts";
import { fuzz, SEED } from "./fuzz.ts";
import { type Installation, openInstallation } from "./installation.ts";
import { TARGETS } from "./targets.ts";
import { watchProcess } from "./trial.ts";

/** Seconds of a long run; null for the usual one. */
const SECONDS = process.env.FUZZ === undefined ? null : Number(process.env.FUZZ);
const CHOSEN = process.env.FUZZ_TARGETS?.split(",") ?? TARGETS.map(({ name }) => name);
const targets = TARGETS.filter(({ name }) => CHOSEN.includes(name));
const EXTENT =
  SECONDS === null
    ? { inputs: 1_000, time: 6_000 }
    : { inputs: Number.POSITIVE_INFINITY, time: (SECONDS * 1_000) / targets.length };

/** MiB that caches may take during the inputs of one target: they are bounded, and a leak is not. */
const MOST_GROWTH = 150;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Bytes in use after a collection of garbage. */
function heapSize(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

const postgres = process.env.FUZZ_STORE === "postgres" ? await openPostgres() : null;

describe(`inputs of seed ${SEED} on ${postgres === null ? "SQLite" : "PostgreSQL"}`, () => {
  let on: Installation;
  let unwatch: () => void;
  before(async () => {
    on = await openInstallation(await postgres?.createDatabase());
    unwatch = watchProcess();
  });
  after(async () => {
    unwatch();
    await on.close();
  });

  for (const target of targets)
    test(target.name, async (t) => {
      const before = heapSize();
      const tried = await fuzz(on, target, EXTENT);
      const grown = Math.round((heapSize() - before) / 1_048_576);
      t.diagnostic(`${target.name}: ${tried} inputs, heap ${grown < 0 ? "" : "+"}${grown} MiB`);
      assert.ok(grown < MOST_GROWTH, `the heap grew by ${grown} MiB`);
    });
});
