import { after } from "node:test";
import { openStore } from "../../src/storage/open.ts";
import { USUAL_ENGINE } from "../../src/storage/postgres/engine.ts";
import { storeConforms } from "../conformance/store.ts";
import { dropDatabase, openPostgres } from "../postgres.ts";
import { LOCKS_REFUSED } from "./profiles.ts";
import { openEngineProxy } from "./proxy.ts";

const server = await openPostgres();
const proxy = await openEngineProxy(server.url, LOCKS_REFUSED);
after(() => proxy.close());
const engine = { ...USUAL_ENGINE, DATABASE_LOCKS: "rows" } as const;
const migrated = await server.createDatabase();
await (await openStore(migrated, { engine })).close();

storeConforms(
  "PostgreSQL with locks of rows (E03)",
  async (now = Date.now) => {
    const url = await server.createDatabase(migrated);
    const store = await openStore(proxy.through(url), { now, engine });
    const close = async () => {
      await store.close();
      await dropDatabase(server.url, url);
    };
    return { ...store, close };
  },
  async () => {
    const url = proxy.through(await server.createDatabase(migrated));
    return [await openStore(url, { engine }), await openStore(url, { engine })];
  },
  true,
);
