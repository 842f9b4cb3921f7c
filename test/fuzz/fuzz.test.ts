import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openPostgres } from "../postgres.ts";
import { corpusSize } from "./corpus.ts";
import { fuzz, SEED, tryCorpus } from "./fuzz.ts";
import { type Installation, openInstallation } from "./installation.ts";
import { TARGETS } from "./targets.ts";
import { watchProcess } from "./trial.ts";

/** Inputs of each target; those of a time that a busy machine does not reach are for the slow suite. */
const EXTENT = { inputs: 300, time: 700 };

describe("hostile inputs", () => {
  let on: Installation;
  let unwatch: () => void;
  before(async () => {
    on = await openInstallation();
    unwatch = watchProcess();
  });
  after(async () => {
    unwatch();
    await on.close();
  });

  for (const target of TARGETS) {
    test(`${target.name}: the corpus, and inputs made from it, find no fault (seed ${SEED})`, async (t) => {
      const known = await tryCorpus(on, target);
      const tried = await fuzz(on, target, EXTENT);
      t.diagnostic(`${target.name}: ${known} of the corpus, ${tried} others`);
    });
  }

  test("the corpus finds no fault on PostgreSQL", async () => {
    const onPostgres = await openInstallation(await (await openPostgres()).createDatabase());
    try {
      for (const target of TARGETS) {
        await tryCorpus(onPostgres, target);
        await onPostgres.renew();
      }
    } finally {
      await onPostgres.close();
    }
  });

  test("the corpus stays small: 200 kB", () => {
    assert.ok(corpusSize() < 200_000, `${corpusSize()} bytes`);
  });
});
