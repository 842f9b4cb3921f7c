import { openStore } from "../../src/storage/open.ts";
import { openPostgres } from "../postgres.ts";
import { storeConforms } from "./store.ts";

const server = await openPostgres();
// Each test has a copy of it, which takes a fifth of the time of the migrations.
const migrated = await server.createDatabase();
await (await openStore(migrated)).close();

storeConforms(
  "PostgreSQL",
  async (now = Date.now) => openStore(await server.createDatabase(migrated), { now }),
  async () => {
    const url = await server.createDatabase(migrated);
    return [await openStore(url), await openStore(url)];
  },
  true,
);
