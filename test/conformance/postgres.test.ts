import { openStore } from "../../src/storage/open.ts";
import { dropDatabase, openPostgres } from "../postgres.ts";
import { storeConforms } from "./store.ts";

const server = await openPostgres();
// Each test has a copy of it, which takes a fifth of the time of the migrations.
const migrated = await server.createDatabase();
await (await openStore(migrated)).close();

storeConforms(
  "PostgreSQL",
  async (now = Date.now) => {
    const url = await server.createDatabase(migrated);
    const store = await openStore(url, { now });
    const close = async () => {
      await store.close();
      await dropDatabase(server.url, url); // All of them together would take gigabytes.
    };
    return { ...store, close };
  },
  async () => {
    const url = await server.createDatabase(migrated);
    return [await openStore(url), await openStore(url)];
  },
  process.env.TEST_POOLER === undefined, // a pooler in transaction mode passes no notifications on
);
