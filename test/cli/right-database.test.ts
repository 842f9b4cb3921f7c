import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, test } from "node:test";
import { migrationStatus } from "../../src/storage/upgrade.ts";
import { runCommand, runJson } from "../command.ts";
import { openPostgres } from "../postgres.ts";

const ID = "0199c5c0-0000-7000-8000-000000000000";

const postgres = await openPostgres();

/** Every command but `serve`, `migrate` and `restore`, which make a database. */
const COMMANDS = [
  ["user", "create", "--email", "ada@example.com", "--name", "Ada"],
  ["user", "list"],
  ["user", "show", "ada@example.com"],
  ["user", "set-password", "ada@example.com", "--password-stdin"],
  ["user", "set-role", "ada@example.com", "editor"],
  ["user", "disable", "ada@example.com"],
  ["user", "enable", "ada@example.com"],
  ["user", "delete", "ada@example.com", "--posts", "keep"],
  ["user", "undelete", "ada@example.com"],
  ["user", "export", "ada@example.com"],
  ["client", "create", "--name", "C", "--redirect-uri", "https://app.example.com/"],
  ["client", "list"],
  ["client", "show", "c"],
  ["client", "rotate-secret", "c"],
  ["client", "update", "c", "--name", "D"],
  ["client", "secret", "list", "c"],
  ["client", "secret", "add", "c"],
  ["client", "secret", "end", "c", ID],
  ["client", "tokens", "end", "c"],
  ["client", "delete", "c"],
  ["client", "disable", "c"],
  ["client", "enable", "c"],
  ["token", "create"],
  ["token", "list"],
  ["token", "revoke", "t"],
  ["keys", "list"],
  ["keys", "rotate"],
  ["webhook", "create", "--url", "https://app.example.com/"],
  ["webhook", "list"],
  ["webhook", "show", ID],
  ["webhook", "update", ID, "--all-events"],
  ["webhook", "attempts", ID],
  ["webhook", "resend-failed", ID, "--since", "1d"],
  ["webhook", "test", ID],
  ["webhook", "rotate", ID],
  ["webhook", "disable", ID],
  ["webhook", "enable", ID],
  ["webhook", "delete", ID],
  ["webhook", "deliveries", ID],
  ["webhook", "resend", ID],
  ["audit"],
] as const;

describe("commands work on the server's database or on none", () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "content-api-"));
  });
  after(async () => {
    await rm(folder, { recursive: true });
  });

  test("where there is none, each refuses, names the place and the line that makes one, and makes nothing", async () => {
    const file = join(folder, "none/content.db");
    const environment = { DATABASE_URL: `sqlite:${file}` };
    for (const words of [...COMMANDS, ["backup", join(folder, "copy.db")]]) {
      const { code, stdout, stderr } = await runCommand(words, environment, "seventeen tall birches");
      assert.deepEqual([code, stdout], [1, ""], words.join(" "));
      assert.ok(stderr.includes(`There is no database at sqlite:${file}`), `${words.join(" ")}: ${stderr}`);
      assert.match(stderr, /DATABASE_URL=sqlite:\S+ bin\/content-api serve\n/);
    }
    const { stdout } = await runCommand(["doctor"], environment);
    assert.ok(stdout.includes(`none yet at sqlite:${file}`));
    assert.equal((await runJson<{ current: number }>(["migrate", "--status"], environment)).current, 0);
    assert.deepEqual(await readdir(folder), []);
  });

  test("the same on PostgreSQL, without showing the password", async () => {
    const url = new URL(await postgres.createDatabase());
    const environment = { DATABASE_URL: url.href, SECRET_KEY: "A".repeat(43) };
    for (const words of [COMMANDS[0], ["user", "list"], ["token", "create"]]) {
      const { code, stderr } = await runCommand(words, environment);
      assert.equal(code, 1, stderr);
      assert.match(stderr, /^There is no database at postgres:\/\/\S+ yet\./);
      if (url.password !== "") assert.ok(!stderr.includes(`:${url.password}@`), stderr);
    }
    assert.equal((await migrationStatus(url.href)).current, 0);
  });

  test("where the schema is behind, each refuses with the line that upgrades it, and upgrades nothing", async () => {
    const file = join(folder, "behind.db");
    const environment = { DATABASE_URL: `sqlite:${file}` };
    await runJson(["migrate"], environment);
    const database = new DatabaseSync(file);
    database.exec("DELETE FROM schema_migrations WHERE version > 1");
    database.close();
    for (const words of [COMMANDS[0], ["user", "list"], ["token", "list"]]) {
      const { code, stdout, stderr } = await runCommand(words, environment);
      assert.deepEqual([code, stdout], [1, ""], words.join(" "));
      assert.match(stderr, /not up to date: 0002-content.*\nUpgrade it: DATABASE_URL=\S+ bin\/content-api migrate\n$/);
    }
    assert.equal((await migrationStatus(environment.DATABASE_URL)).current, 1);
  });

  test("on a terminal each says which one it used, on standard error", async () => {
    const file = join(folder, "used.db");
    const environment = { DATABASE_URL: `sqlite:${file}` };
    const onTerminal = { ...environment, NODE_OPTIONS: "--import=data:text/javascript,process.stdout.isTTY=true" };
    await runJson(["migrate"], environment);
    assert.ok(existsSync(file));
    const shown = await runCommand(["client", "list"], onTerminal);
    assert.match(shown.stderr, new RegExp(`^Database: sqlite:${file}\n`));
    assert.doesNotMatch(shown.stdout, /Database/);
    assert.doesNotMatch((await runCommand(["client", "list"], environment)).stderr, /Database/);
  });
});
