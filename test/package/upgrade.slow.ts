import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { freePort } from "../port.ts";
import { startServer } from "../server-process.ts";
import { lacksVersion, olderProgram } from "../upgrade/programs.ts";

const ROOT = join(import.meta.dirname, "../..");
const OLDER = "0.1.0";
const run = promisify(execFile);
const { name, version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as Record<string, string>;

/** The command of the docs whose line begins so, without its comment. */
function documented(beginning: string): string {
  const line = ["deployment", "operations"]
    .flatMap((page) => readFileSync(join(ROOT, `docs/${page}.md`), "utf8").split("\n"))
    .find((text) => text.startsWith(`bin/content-api ${beginning}`));
  assert.ok(line, `the docs have no line with ${beginning}`);
  return line.replace(/ *#.*$/, "").replace("bin/content-api ", "");
}

test(`K01 K04 K21 somebody with version ${OLDER} installs the package in an empty folder, upgrades, backs up and restores by the docs alone`, {
  skip: lacksVersion(OLDER),
  timeout: 300_000,
}, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "content-api-package-upgrade-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const paths = { PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`, HOME: folder };
  const data = join(folder, "content-api-data");
  mkdirSync(data, { mode: 0o700 });
  const settings = {
    DATABASE_URL: `sqlite:${join(data, "content.db")}`,
    SECRET_KEY_FILE: join(data, "secret.key"),
    LOG_LEVEL: "warn",
  };
  writeFileSync(settings.SECRET_KEY_FILE, randomBytes(32).toString("base64url"), { mode: 0o600 });

  // The version before, with data in it.
  const older = olderProgram(OLDER, folder);
  await older.json(["migrate"], settings);
  await older.json(["user", "create", "--email", "ada@example.com", "--name", "Ada", "--role", "admin"], settings);
  const scope = ["--scope", "posts:read posts:write users:read"];
  const { access_token } = await older.json<{ access_token: string }>(["token", "create", ...scope], settings);
  const port = String(await freePort());
  const before = await startServer({ ...settings, PORT: port }, [], older.file);
  t.after(() => before.stop("SIGKILL"));
  const ask = async (query: string): Promise<string> => {
    const response = await fetch(`http://localhost:${port}/graphql`, {
      method: "POST",
      headers: { authorization: `Bearer ${access_token}`, "content-type": "application/json" },
      body: JSON.stringify({ query }),
    });
    return response.text();
  };
  const write = (title: string) =>
    ask(`mutation { createPost(input: { title: "${title}", body: "*Kept*" }) { title } }`);
  await write("By the older version");
  const read = "{ posts(first: 10) { title bodyHtml slug author { name } } }";
  const content = await ask(read);
  assert.match(content, /By the older version/);
  assert.equal(await before.stop(), 0);

  // The package, in an empty folder, on the same data.
  await run("npm", ["run", "package", "--", join(folder, "built")], { cwd: ROOT, env: paths });
  const project = join(folder, "project");
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), "{}");
  const offline = ["--offline", "--ignore-scripts", "--no-audit", "--no-fund", `--cache=${join(folder, "no-cache")}`];
  await run("npm", ["install", ...offline, join(folder, "built", `${name}-${version}.tgz`)], {
    cwd: project,
    env: paths,
  });
  const program = join(project, "node_modules/.bin/content-api");
  const command = (line: string) =>
    run(program, line.split(" "), { cwd: folder, env: { ...paths, ...settings } }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }) => ({ code: code as number, stdout: stdout as string, stderr: stderr as string }),
    );
  assert.equal((await command("upgrade --check")).code, 3);
  const upgraded = await command(documented("upgrade ").trim());
  assert.equal(upgraded.code, 0, upgraded.stderr);
  const copies = readdirSync(data).filter((file) => file.startsWith("content.db-before-"));
  assert.equal(copies.length, 1, upgraded.stderr);
  assert.equal((await command("upgrade --finish")).code, 0);

  const installed = join(project, "node_modules", name as string, "bin/content-api.cjs");
  const after = await startServer({ ...settings, PORT: port }, [], installed);
  t.after(() => after.stop("SIGKILL"));
  assert.equal(await ask(read), content, "all is there");
  const backup = await command(documented("backup copy.db"));
  assert.equal(backup.code, 0, backup.stderr);
  await write("After the backup");
  const doctor = await command("doctor");
  assert.match(doctor.stdout, new RegExp(`1 process serves this database: 1 of version ${version}`));
  assert.equal(await after.stop(), 0);

  const restored = await command(documented("restore copy.db --replace"));
  assert.equal(restored.code, 0, restored.stderr);
  const again = await startServer({ ...settings, PORT: port }, [], installed);
  t.after(() => again.stop("SIGKILL"));
  assert.equal(await ask(read), content, "as at the time of the backup");
  assert.equal(await again.stop(), 0);

  // Back: the older program finds its data.
  const back = await command(documented("rollback --to"));
  assert.equal(back.code, 0, back.stderr);
  const last = await startServer({ ...settings, PORT: port }, [], older.file);
  t.after(() => last.stop("SIGKILL"));
  assert.equal(await ask(read), content, "the older version reads the same");
  assert.equal(await last.stop(), 0);
});
