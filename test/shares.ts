import { globSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** What takes longest begins first, or it would be what all wait for in the end. In order. */
const LONGEST = [
  "test/graphql/oracle-sqlite.test.ts",
  "test/security/equal-times.slow.ts",
  "test/docs-blocks/walks.slow.ts",
  "test/clients/rust.slow.ts",
  "test/clients/java.slow.ts",
  "test/faults/subscriptions.faults.ts",
  "test/e2e/fresh-clone.slow.ts",
  "test/docs-blocks/nextjs.slow.ts",
  "test/e2e/studio-day.slow.ts",
  "test/conformance/postgres.test.ts",
  "test/faults/mail.faults.ts",
  "test/faults/postgres.faults.ts",
  "test/cli/usage.slow.ts",
  "test/cli/cli.test.ts",
  "test/e2e/explorer.slow.ts",
  "test/authorization-server/axe.slow.ts",
  "test/conformance/sqlite.test.ts",
  "test/graphql/oracle-postgres.test.ts",
  "test/e2e/studio-editor.slow.ts",
  "test/e2e/studio-publishing.slow.ts",
  "test/e2e/studio-saving.slow.ts",
  "test/e2e/studio.slow.ts",
  "test/storage/postgres/postgres.test.ts",
  "test/cli/mail.test.ts",
  "test/e2e/rate-limits.slow.ts",
];

/** Imported first by each share. */
export const PATIENCE_FILE = join(import.meta.dirname, "patience.ts");

/** What a file has that needs a process of its own: it changes or counts what all of a process share. */
const ALONE =
  /\b(fork|gc)\(|\b(memoryUsage|worker_threads|globalThis)\b|\bprocess\.(on|emit|exit|env|chdir|cpuUsage)|workedTime\(/;

/** So many files that one process can have, in which imports are most of the time of a short one. */
const TOGETHER = 8;

/**
 * Writes files that import the test files which the patterns find, some in one, into the folder: Node runs each in a process
 * of its own, in the order of their names. @returns their paths
 */
export async function writeShares(patterns: readonly string[], folder: string): Promise<string[]> {
  const found = globSync([...patterns]).toSorted();
  if (found.length === 0) throw new Error(`There is no test file ${patterns.join(" ")}.`);
  const shares = await share(found);
  return Promise.all(
    shares.map(async (files, at) => {
      const name = files[0]?.replaceAll("/", "_").replace(/\.ts$/, "") ?? "";
      const path = join(folder, `${String(at).padStart(3, "0")}-${name}.mjs`);
      const text = files.length === 1 ? `import ${addressOf(files[0])};\n` : suitesOf(files);
      await writeFile(path, `import ${addressOf(PATIENCE_FILE)};\n${text}`);
      return path;
    }),
  );
}

/**
 * Each file is a suite, so that its hooks are for its own tests. A process that ends before the last suite fails: Node takes it
 * for one that has no more tests.
 */
function suitesOf(files: readonly string[]): string {
  const suites = files.map((file) => `suite(${JSON.stringify(file)}, () => import(${addressOf(file)}));\n`);
  return `import { after, describe } from "node:test";
const left = new Set();
function suite(file, load) {
  left.add(file);
  describe(file, () => {
    after(() => left.delete(file));
    return load();
  });
}
process.on("exit", () => {
  if (left.size === 0) return;
  console.error("The process ended before these were done:", [...left].join(", "));
  process.exitCode = 1;
});
${suites.join("")}`;
}

function addressOf(file = ""): string {
  return JSON.stringify(pathToFileURL(resolve(file)));
}

/** The files, each in one share: the longest first, then those that can be together, then the others. */
async function share(files: readonly string[]): Promise<string[][]> {
  const longest = LONGEST.filter((file) => files.includes(file));
  const together: string[][] = [];
  const alone: string[] = [];
  for (const file of files) {
    if (longest.includes(file)) continue;
    if (!file.endsWith(".test.ts") || ALONE.test(await readFile(file, "utf8"))) alone.push(file);
    else if ((together.at(-1)?.length ?? TOGETHER) < TOGETHER) together.at(-1)?.push(file);
    else together.push([file]);
  }
  return [...longest.map((file) => [file]), ...together, ...alone.map((file) => [file])];
}
