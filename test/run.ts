/**
 * Runs tests: `node test/run.ts [--store postgres] [--at-once N] FILE…`. With `--store postgres`, tests of the whole program
 * use that instead of SQLite. Either way all files share one PostgreSQL, in a database for each test: the server that
 * TEST_DATABASE_URL names, or one from npm that lives as long as the tests.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openStore } from "../src/storage/open.ts";
import { startPostgres } from "./postgres.ts";
import { writeShares } from "./shares.ts";

/** Bytes that all tests together never have in files. */
const ENOUGH = 6 * 1024 ** 3;
/** Three on two cores: a file often waits, for a disk, a browser or a clock. */
const AT_ONCE = "3";

const { values, positionals } = parseArgs({
  options: { store: { type: "string" }, "at-once": { type: "string", default: AT_ONCE } },
  allowPositionals: true,
});
const folder = await mkdtemp(join(await folderInMemory(), "content-api-tests-"));
await chmod(folder, 0o711); // PostgreSQL runs as another user where this is root.
process.env.TEST_DISK ??= tmpdir();
process.env.TMPDIR = folder;
const given = process.env.TEST_DATABASE_URL;
const own = given === undefined ? await startPostgres() : null;
const migrated = join(folder, "content.db");
await (await openStore(`sqlite:${migrated}`)).close();
const shares = await writeShares(positionals, folder);
const tests = spawn(process.execPath, ["--test", `--test-concurrency=${values["at-once"]}`, ...shares], {
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

/** Where databases of tests come and go at once: no test cuts the power. Elsewhere, or with little room, the usual one. */
async function folderInMemory(): Promise<string> {
  const memory = await statfs("/dev/shm").catch(() => null);
  return memory !== null && memory.bavail * memory.bsize > ENOUGH ? "/dev/shm" : tmpdir();
}
