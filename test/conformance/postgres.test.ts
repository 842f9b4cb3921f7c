import { openStore } from "../../src/storage/open.ts";
import { openPostgres } from "../postgres.ts";
import { storeConforms } from "./store.ts";

const server = await openPostgres();

storeConforms(
  "PostgreSQL",
  async (now = Date.now) => openStore(await server.createDatabase(), { now }),
  async () => {
    const url = await server.createDatabase();
    return [await openStore(url), await openStore(url)];
  },
  true,
);
