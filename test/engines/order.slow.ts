import assert from "node:assert/strict";
import { after } from "node:test";
import { openStore } from "../../src/storage/open.ts";
import { storeConforms } from "../conformance/store.ts";
import { dropDatabase, openPostgres } from "../postgres.ts";
import { openEngineProxy } from "./proxy.ts";

const server = await openPostgres();
/** Statements whose rows came in another order. */
const reversed = new Set<string>();
const proxy = await openEngineProxy(server.url, { reversed: (text) => reversed.add(text) });
after(async () => {
  await proxy.close();
  console.log(`E07 ${reversed.size} statements without an order gave their rows in reverse`);
  assert.ok(reversed.size > 5, "or the tests show nothing");
});
const migrated = await server.createDatabase();
await (await openStore(migrated)).close();

storeConforms(
  "PostgreSQL with rows in reverse where no order is named (E07)",
  async (now = Date.now) => {
    const url = await server.createDatabase(migrated);
    const store = await openStore(proxy.through(url), { now });
    const close = async () => {
      await store.close();
      await dropDatabase(server.url, url);
    };
    return { ...store, close };
  },
  async () => {
    const url = proxy.through(await server.createDatabase(migrated));
    return [await openStore(url), await openStore(url)];
  },
  true,
);
