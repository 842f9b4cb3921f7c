/**
 * Runs tests: `node test/run.ts [--store postgres] [--at-once N] FILE…`. With `--store postgres`, tests of the whole program
 * use that instead of SQLite. Either way all files share one PostgreSQL, in a database for each test: the server that
 * TEST_DATABASE_URL names, or one from npm that lives as long as the tests.
 *
 * With TESTS_AGAIN=1, as in CI, a few files that failed beside others are run again, alone: on a busy machine something may
 * come late. What fails again has failed, and what passes is named.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { openStore } from "../src/storage/open.ts";
import { startPostgres } from "./postgres.ts";
import { PATIENCE_FILE, writeShares } from "./shares.ts";

/** Bytes that all tests together never have in files. */
const ENOUGH = 6 * 1024 ** 3;
/** Three on two cores: a file often waits, for a disk, a browser or a clock. */
const AT_ONCE = "3";
/** More files than this did not fail because something came late. */
const FEW = 10;

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
const failedFiles = join(folder, "failed");
let tests: ChildProcess | undefined;
process.on("SIGTERM", () => tests?.kill("SIGTERM"));
process.on("SIGINT", () => {}); // The terminal sends it to the tests as well.
let code = await run(shares, values["at-once"]);
if (code === 1 && process.env.TESTS_AGAIN === "1") {
  const failed = await readFailed(shares);
  console.log(`\nFailed beside others: ${failed.join(", ")}`);
  if (failed.length > 0 && failed.length <= FEW) {
    code = await run(await writeShares(failed, await mkdtemp(join(folder, "again-"))), "1");
    console.log(code === 0 ? "\nAll of these passed alone.\n" : "\nFailed alone too.\n");
  }
}
await own?.stop();
await rm(folder, { recursive: true });
process.exit(code);

/** @returns the exit code */
async function run(files: readonly string[], atOnce: string): Promise<number> {
  const reporter = join(import.meta.dirname, "failed-files.ts");
  const reporters = ["--test-reporter=spec", `--test-reporter=${reporter}`].flatMap((one) => [
    one,
    "--test-reporter-destination=stdout",
  ]);
  tests = spawn(process.execPath, ["--test", `--test-concurrency=${atOnce}`, ...reporters, ...files], {
    env: {
      ...process.env,
      ...(values.store === undefined ? {} : { TEST_STORE: values.store }),
      TEST_DATABASE_URL: given ?? own?.url,
      TEST_SQLITE_FILE: migrated,
      FAILED_FILES: failedFiles,
      // Compiled code, which takes half of the time that imports take.
      NODE_COMPILE_CACHE: join(import.meta.dirname, "../node_modules/.cache/tests"),
    },
    stdio: "inherit",
  });
  const [exitCode] = await once(tests, "exit");
  return exitCode ?? 2; // Ended from outside: nothing is run again.
}

/** Test files that failed. A file that ended early is known by the share that it stands in, and shared tests by who imports them. */
async function readFailed(shares: readonly string[]): Promise<string[]> {
  const paths = (await readFile(failedFiles, "utf8").catch(() => "")).split("\n").filter((path) => path !== "");
  const files = (await Promise.all(shares.map(testsOf))).flat();
  const needed = await Promise.all(files.map(async (file) => [file, await closureOf(file)] as const));
  const all = await Promise.all(
    paths.map(async (path) => {
      if (shares.includes(path)) return testsOf(path);
      return needed.filter(([, imported]) => imported.has(path)).map(([file]) => file);
    }),
  );
  return [...new Set(all.flat().map((path) => relative(process.cwd(), path)))];
}

async function testsOf(share: string): Promise<string[]> {
  return (await importsOf(share)).filter((path) => path !== PATIENCE_FILE);
}

/** @returns paths of the files of the project that a file imports */
async function importsOf(path: string): Promise<string[]> {
  const text = await readFile(path, "utf8").catch(() => "");
  const found = text.matchAll(/(?:from |import |import\()"(\.[^"]+|file:[^"]+)"/g);
  return [...found].map(([, name = ""]) => fileURLToPath(new URL(name, pathToFileURL(path))));
}

/** A test file and the tests' other files that it needs. */
async function closureOf(path: string, found = new Set<string>()): Promise<ReadonlySet<string>> {
  if (found.has(path) || !path.startsWith(import.meta.dirname)) return found;
  found.add(path);
  for (const imported of await importsOf(path)) await closureOf(imported, found);
  return found;
}

/** Where databases of tests come and go at once: no test cuts the power. Elsewhere, or with little room, the usual one. */
async function folderInMemory(): Promise<string> {
  const memory = await statfs("/dev/shm").catch(() => null);
  return memory !== null && memory.bavail * memory.bsize > ENOUGH ? "/dev/shm" : tmpdir();
}
