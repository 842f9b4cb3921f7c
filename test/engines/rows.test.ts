import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { openStore } from "../../src/storage/open.ts";
import { USUAL_ENGINE } from "../../src/storage/postgres/engine.ts";
import { nodesConform } from "../conformance/nodes.ts";
import { anArtifact } from "../conformance/samples.ts";
import { openPostgres, sqlOn } from "../postgres.ts";
import { LOCKS_REFUSED } from "./profiles.ts";
import { openEngineProxy } from "./proxy.ts";

const server = await openPostgres();
/** Rejects every statement with an advisory lock. */
const proxy = await openEngineProxy(server.url, LOCKS_REFUSED);
after(() => proxy.close());
const engine = { ...USUAL_ENGINE, DATABASE_LOCKS: "rows" } as const;

nodesConform(
  "E03 locks of rows",
  () => server.createDatabase(),
  (url, options) => openStore(proxy.through(url), { ...options, engine }),
);

describe("E03 locks of rows", () => {
  test("E03 a table without its rows: nothing is written as if it were locked", async () => {
    const url = await server.createDatabase();
    const store = await openStore(url, { engine });
    await sqlOn(url, "delete from gates where id >= 0");
    await assert.rejects(store.artifacts.put(anArtifact({ grantId: "g" })));
    await assert.rejects(store.artifacts.revokeGrant("g"), /failed|missing/);
    await store.artifacts.put(anArtifact({ grantId: null, userId: null }));
    await store.close();
  });
});
