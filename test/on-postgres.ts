/**
 * Runs tests of the whole program on PostgreSQL instead of SQLite: `node test/on-postgres.ts FILE…`. The server is the one
 * that TEST_DATABASE_URL names, or one from npm that lives as long as the tests.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { startPostgres } from "./postgres.ts";

const given = process.env.TEST_DATABASE_URL;
const own = given === undefined ? await startPostgres() : null;
const tests = spawn(process.execPath, ["--test", "--test-concurrency=2", ...process.argv.slice(2)], {
  env: { ...process.env, TEST_STORE: "postgres", TEST_DATABASE_URL: given ?? own?.url },
  stdio: "inherit",
});
const [code] = await once(tests, "exit");
await own?.stop();
process.exit(code ?? 1);
