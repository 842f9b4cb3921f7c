import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { openReadiness, type ReadinessOptions } from "../../src/app/readiness.ts";
import { AppError } from "../../src/domain/errors.ts";

const FACTS = { bytes: 1, schema: { current: 41, known: 41, waiting: [] as string[] }, processes: null, replica: null };

function open(store: Partial<ReadinessOptions["store"]> = {}, areKeysFresh = true) {
  return openReadiness({
    store: { check: async () => {}, facts: async () => FACTS, hears: () => null, readsAlone: () => false, ...store },
    areKeysFresh: () => areKeysFresh,
  });
}

const statesOf = async (readiness: ReturnType<typeof open>) =>
  (await readiness.checks()).map(({ name, state }) => `${name} ${state}`);

describe("O40 what readiness examines", () => {
  test("everything is well; LISTEN is among it only where there is something to hear", async () => {
    assert.deepEqual(await statesOf(open()), ["store ok", "migrations ok", "keys ok"]);
    assert.equal((await statesOf(open({ hears: () => true }))).at(-1), "listen ok");
  });

  test("without LISTEN the node is degraded, and stays in service", async () => {
    assert.equal((await statesOf(open({ hears: () => false }))).at(-1), "listen degraded");
  });

  test("a schema that is older than the program fails; a newer one is an upgrade under way", async () => {
    const at = (current: number, ...waiting: string[]) =>
      open({ facts: async () => ({ ...FACTS, schema: { current, known: 41, waiting } }) });
    assert.equal((await statesOf(at(40)))[1], "migrations failing");
    assert.equal((await statesOf(at(42)))[1], "migrations ok");
    assert.equal((await statesOf(at(40, "0041 contract")))[1], "migrations ok", "it waits for older nodes to end");
    const [, migrations] = await at(40).checks();
    assert.equal(migrations?.reason, "The schema has version 40, and this program needs version 41.");
  });

  test("keys that were not read lately fail", async () => {
    assert.equal((await statesOf(open({}, false)))[2], "keys failing");
  });

  test("a database that is away fails with its reason, and the error is for the log", async () => {
    const error = new AppError("UNAVAILABLE", "The database cannot be reached, or has no connection free.");
    const [store, migrations] = await open({
      check: () => Promise.reject(error),
      facts: () => Promise.reject(error),
    }).checks();
    assert.deepEqual(store, { name: "store", state: "failing", reason: error.message, error });
    assert.equal(migrations?.state, "failing");
  });

  test("E11 a database that is away takes no node out of service that reads from a replica without it", async () => {
    const away = () => Promise.reject(new AppError("UNAVAILABLE", "The database is away."));
    const readsAlone = () => true;
    const readiness = open({ check: away, facts: away, readsAlone }, false);
    assert.deepEqual(await statesOf(readiness), ["store degraded", "migrations degraded", "keys degraded"]);
    assert.equal((await statesOf(open({ readsAlone }, false)))[2], "keys failing", "the database answers");
  });

  test("a database that does not answer fails after two seconds; callers meanwhile share the examination", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    let asked = 0;
    const readiness = open({
      check: () => {
        asked++;
        return new Promise(() => {});
      },
    });
    const both = Promise.all([statesOf(readiness), statesOf(readiness)]);
    t.mock.timers.tick(2_000);
    assert.deepEqual(
      (await both).map(([first]) => first),
      ["store failing", "store failing"],
    );
    assert.equal(asked, 1);
  });
});
