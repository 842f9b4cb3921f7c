/**
 * A process for the crash tests: `node migrator-process.ts DATABASE_URL N`. Opens the store, which migrates it, and
 * dies by SIGKILL at the N-th call into SQLite, or the N-th message to PostgreSQL; with N = 0 it lives. Prints the
 * number of them.
 */
import { openStore } from "../../src/storage/open.ts";
import { dieBefore } from "../upgrade/die-before.ts";

const [url = "", fatal = "0"] = process.argv.slice(2);
const calls = dieBefore(Number(fatal));
const store = await openStore(url);
process.stdout.write(`${calls()}\n`);
await store.close();
