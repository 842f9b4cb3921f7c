/**
 * A process for tests of upgrades: `node upgrader-process.ts DATABASE_URL up|down N`. Upgrades the schema to that of the version
 * after this one, or goes back, and dies by SIGKILL at the N-th call into SQLite or message to PostgreSQL; with N = 0 it lives.
 * Prints the number of them.
 */
import { openDatabase } from "../../src/storage/locate.ts";
import { migrate } from "../../src/storage/migrations/migrate.ts";
import { rollBack } from "../../src/storage/migrations/roll-back.ts";
import { NEXT, NOW } from "../storage/migrations/next-version.ts";
import { dieBefore } from "./die-before.ts";

const [url = "", direction = "up", fatal = "0"] = process.argv.slice(2);
const database = await openDatabase(url, { mustExist: true });
const calls = dieBefore(Number(fatal));
if (direction === "up") await migrate(database, Date.now, { migrations: NEXT, contracts: false });
else await rollBack(database, NOW, { destroysData: false, migrations: NEXT });
process.stdout.write(`${calls()}\n`);
await database.close();
