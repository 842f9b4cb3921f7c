import { execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { CommandResult } from "../command.ts";
import commits from "./older-versions.json" with { type: "json" };

const ROOT = join(import.meta.dirname, "../..");

/** A version of this program in a folder of its own, with the packages of this checkout. */
export interface Program {
  /** The file that starts it. */
  readonly file: string;
  readonly version: string;
  /** Runs a command to its end, with no environment but PATH and what is given. */
  run(args: readonly string[], environment: Record<string, string>): Promise<CommandResult>;
  /** Runs a command with `--json` that must work. @returns what it printed */
  json<T>(args: readonly string[], environment: Record<string, string>): Promise<T>;
}

/** A reason why an older version cannot be made here; false when it can. */
export function lacksVersion(version: keyof typeof commits): string | false {
  const commit = commits[version];
  try {
    execFileSync("git", ["cat-file", "-e", `${commit}:package-lock.json`], { cwd: ROOT, stdio: "ignore" });
  } catch {
    return `this clone has no commit ${commit} of version ${version}`;
  }
  const wanted = packagesOf(
    execFileSync("git", ["show", `${commit}:package-lock.json`], { cwd: ROOT, encoding: "utf8" }),
  );
  const here = packagesOf(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
  const other = Object.keys(wanted).find((path) => path !== "" && wanted[path]?.version !== here[path]?.version);
  return other === undefined ? false : `version ${version} needs another version of ${other}`;
}

function packagesOf(lock: string): Record<string, { version?: string }> {
  return (JSON.parse(lock) as { packages: Record<string, { version?: string }> }).packages;
}

/** An older version, from the history of this clone. */
export function olderProgram(version: keyof typeof commits, folder: string): Program {
  const root = join(folder, version);
  mkdirSync(root);
  const files = execFileSync("git", ["archive", commits[version]], { cwd: ROOT, maxBuffer: 2 ** 28 });
  execFileSync("tar", ["-x"], { cwd: root, input: files });
  return programIn(root, version);
}

/** A version after this one: the same code, with the migrations of `test/storage/migrations/next-version.ts` besides. */
export function nextProgram(folder: string): Program {
  const root = join(folder, "next");
  for (const name of [
    "bin",
    "src",
    "package.json",
    "package-lock.json",
    "schema.graphql",
    ".env.example",
    "docs",
    "tsconfig.json",
  ])
    if (existsSync(join(ROOT, name))) cpSync(join(ROOT, name), join(root, name), { recursive: true });
  const migrations = join(root, "src/storage/migrations");
  renameSync(join(migrations, "contents.ts"), join(migrations, "contents-now.ts"));
  const next = readFileSync(join(ROOT, "test/storage/migrations/next-version.ts"), "utf8")
    .replaceAll("../../../src/storage/migrations/contents.ts", "./contents-now.ts")
    .replaceAll("../../../src/storage/migrations/", "./")
    .replaceAll("../../../src/storage/", "../");
  writeFileSync(join(migrations, "contents.ts"), `${next}\nexport { NEXT as MIGRATIONS };\n`);
  const own = readFileSync(join(root, "package.json"), "utf8");
  writeFileSync(join(root, "package.json"), own.replace(/"version": "[^"]+"/, '"version": "99.0.0"'));
  return programIn(root, "99.0.0");
}

/** This checkout. */
export function ownProgram(): Program {
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
  return programIn(ROOT, version);
}

function programIn(root: string, version: string): Program {
  if (!existsSync(join(root, "node_modules"))) symlinkSync(join(ROOT, "node_modules"), join(root, "node_modules"));
  const file = join(root, "bin/content-api");
  async function run(args: readonly string[], environment: Record<string, string>): Promise<CommandResult> {
    const child = spawn(process.execPath, [file, ...args], { env: { PATH: process.env.PATH, ...environment } });
    child.stdin.end();
    const [code, stdout, stderr] = await Promise.all([
      new Promise<number | null>((resolve) => child.on("close", resolve)),
      text(child.stdout),
      text(child.stderr),
    ]);
    return { code, stdout, stderr };
  }
  return {
    ...{ file, version, run },
    async json<T>(args: readonly string[], environment: Record<string, string>) {
      const { code, stdout, stderr } = await run([...args, "--json"], environment);
      if (code !== 0) throw new Error(`${version}: ${args.join(" ")} ended with ${code}: ${stderr}`);
      return JSON.parse(stdout) as T;
    },
  };
}
