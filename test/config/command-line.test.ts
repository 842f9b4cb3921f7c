import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { commandLine, commandOnPages, programName } from "../../src/config/command-line.ts";
import { readConfig } from "../../src/config/config.ts";
import { describeEnvFile } from "../../src/config/env-file.ts";
import { VARIABLES } from "../../src/config/variables.ts";

const ROOT = join(import.meta.dirname, "../..");
const NO_FILE = join(tmpdir(), "no-such-folder", ".env");

describe("the program's own name", () => {
  for (const [called, folder, path, name] of [
    ["/srv/api/bin/content-api", "/srv/api", "/usr/bin", "bin/content-api"],
    ["/srv/api/bin/content-api", "/srv/api/bin", "/usr/bin", "./content-api"],
    ["/srv/api/bin/content-api", "/home/ada", "/usr/bin", "/srv/api/bin/content-api"],
    ["/srv/my api/bin/content-api", "/home/ada", "/usr/bin", "'/srv/my api/bin/content-api'"],
    ["/usr/local/bin/content-api", "/home/ada", "/usr/bin:/usr/local/bin", "content-api"],
    ["/app/node_modules/.bin/content-api", "/app", "/usr/bin", "node_modules/.bin/content-api"],
  ] as const)
    test(`${called} in ${folder} is ${name}`, () => {
      const process = { argv: ["node", called], cwd: () => folder, env: { PATH: path } };
      assert.equal(programName(process), name);
    });

  test("PATH of npm is not that of another terminal", () => {
    const env = { PATH: "/app/node_modules/.bin", npm_lifecycle_event: "npx" };
    const process = { argv: ["node", "/app/node_modules/.bin/content-api"], cwd: () => "/app", env };
    assert.equal(programName(process), "node_modules/.bin/content-api");
  });

  test("no file tells people to run a stranger's package", () => {
    const words = ["npx", "content-api"].join(" ");
    const { status, stdout } = spawnSync("git", ["grep", "-l", words], { cwd: ROOT, encoding: "utf8" });
    assert.deepEqual([status, stdout], [1, ""]);
  });
});

describe("the line that finds the server's database", () => {
  const words = (environment: Record<string, string>, file = NO_FILE) =>
    commandLine(environment, file).split(" ").slice(0, -1);

  test("repeats what another terminal would not know", async () => {
    assert.deepEqual(words({}), []);
    assert.deepEqual(words({ DATABASE_URL: "sqlite:./a.db", PORT: "4310", LOG_LEVEL: "warn" }), [
      "DATABASE_URL=sqlite:./a.db",
      "PORT=4310",
    ]);
    const folder = await mkdtemp(join(tmpdir(), "content-api-"));
    const file = join(folder, ".env");
    await writeFile(file, "DATABASE_URL=sqlite:./a.db\n");
    assert.deepEqual(words({}, file), [], "the file .env is read by every command");
    assert.deepEqual(words({ DATABASE_URL: "sqlite:./a.db" }, file), []);
    assert.deepEqual(words({ DATABASE_URL: "sqlite:./b.db" }, file), ["DATABASE_URL=sqlite:./b.db"]);
    await rm(folder, { recursive: true });
  });

  test("never has a password, and is one shell command whatever the path", () => {
    const url = "postgres://content:s3cret@db.example/content?password=s3cret&pool_size=4";
    assert.doesNotMatch(words({ DATABASE_URL: url }).join(" "), /s3cret/);
    const path = `sqlite:./it's "here"; exit/$HOME.db`;
    const line = commandLine({ DATABASE_URL: path }, NO_FILE).replace(/ [^ ]*$/, "");
    const echoed = execFileSync("sh", ["-c", `${line} sh -c 'printf %s "$DATABASE_URL"'`], { encoding: "utf8" });
    assert.equal(echoed, path);
  });

  test("pages at public addresses do not name the database", () => {
    const environment = { DATABASE_URL: "sqlite:./a.db", BASE_URL: "https://api.example.com" };
    assert.doesNotMatch(commandOnPages(readConfig(environment, NO_FILE), environment), /DATABASE_URL/);
    const here = { DATABASE_URL: "sqlite:./a.db", PORT: "4310" };
    assert.match(commandOnPages(readConfig(here, NO_FILE), here), /^DATABASE_URL=sqlite:\.\/a\.db PORT=4310 /);
  });
});

describe(".env.example", () => {
  const text = readFileSync(join(ROOT, ".env.example"), "utf8");

  test("is what the table of settings says (npm run docs:env)", () => {
    assert.equal(text, describeEnvFile());
  });

  test("has each setting once with its default, and works as .env with every line or none in use", async () => {
    const names = [...text.matchAll(/^#([A-Z_]+)=/gm)].map(([, name]) => name);
    assert.deepEqual(names, Object.keys(VARIABLES));
    const folder = await mkdtemp(join(tmpdir(), "content-api-"));
    const file = join(folder, ".env");
    await writeFile(file, text);
    assert.deepEqual(readConfig({}, file), readConfig({}, NO_FILE));
    await writeFile(file, text.replace(/^#([A-Z_]+=.+)$/gm, "$1"));
    assert.deepEqual(readConfig({}, file), readConfig({}, NO_FILE));
    await rm(folder, { recursive: true });
  });
});
