/**
 * Runs tests, each file in a process of its own: `node test/run.ts [--store postgres] FILE…`. With `--store postgres`,
 * tests of the whole program use that instead of SQLite. Either way all files share one PostgreSQL, in a database for each
 * test: the server that TEST_DATABASE_URL names, or one from npm that lives as long as the tests.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openStore } from "../src/storage/open.ts";
import { startPostgres } from "./postgres.ts";

/** Three on two cores: a file often waits, for a disk, a browser or a clock. */
const AT_ONCE = 3;

const { values, positionals } = parseArgs({ options: { store: { type: "string" } }, allowPositionals: true });
const given = process.env.TEST_DATABASE_URL;
const own = given === undefined ? await startPostgres() : null;
const folder = await mkdtemp(join(tmpdir(), "content-api-tests-"));
const migrated = join(folder, "content.db");
await (await openStore(`sqlite:${migrated}`)).close();
const tests = spawn(process.execPath, ["--test", `--test-concurrency=${AT_ONCE}`, ...positionals], {
  env: {
    ...process.env,
    ...(values.store === undefined ? {} : { TEST_STORE: values.store }),
    TEST_DATABASE_URL: given ?? own?.url,
    TEST_SQLITE_FILE: migrated,
    // Compiled code, which takes half of the time that imports take.
    NODE_COMPILE_CACHE: join(import.meta.dirname, "../node_modules/.cache/tests"),
  },
  stdio: "inherit",
});
process.on("SIGTERM", () => tests.kill("SIGTERM"));
process.on("SIGINT", () => {}); // The terminal sends it to the tests as well.
const [code] = await once(tests, "exit");
await own?.stop();
await rm(folder, { recursive: true });
process.exit(code ?? 1);
