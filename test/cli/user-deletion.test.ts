import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { openStore } from "../../src/storage/open.ts";
import { runCommand, runJson } from "../command.ts";

describe("U70 user delete, undelete and export", () => {
  let folder: string;
  let environment: Record<string, string>;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "content-api-"));
    environment = { DATABASE_URL: `sqlite:${join(folder, "content.db")}`, SECRET_KEY: "A".repeat(43) };
    await runJson(["migrate"], environment);
    for (const [email, role] of [
      ["ada@example.com", "admin"],
      ["bob@example.com", "member"],
    ] as const)
      await runJson(["user", "create", "--email", email, "--name", "演示用户", "--role", role], environment);
  });
  after(() => rm(folder, { recursive: true }));

  const states = async () =>
    (await runCommand(["user", "list"], environment)).stdout
      .split("\n")
      .flatMap((line) => /^(\w+)@\S+ .* (\w+)$/.exec(line)?.slice(1).join(" ") ?? []);

  test("U70 an account is locked at once, listed as leaving, and kept again", async () => {
    const deleted = await runCommand(["user", "delete", "BOB@example.com", "--posts", "delete"], environment);
    assert.deepEqual([deleted.code, deleted.stdout], [0, ""]);
    assert.match(
      deleted.stderr,
      /^bob@example\.com is locked out, and the account is deleted at \d{4}-\S+Z, unless it is kept/,
    );
    assert.deepEqual(await states(), ["ada active", "bob leaving"]);
    const shown = await runJson<Record<string, string>>(["user", "show", "bob@example.com"], environment);
    assert.deepEqual([shown.name, shown.deletedAt], ["Former member", null]);
    assert.ok(Date.parse(shown.deletesAt ?? "") > Date.now());
    const token = await runCommand(["token", "create", "--user", "bob@example.com"], environment);
    assert.deepEqual([token.code, token.stdout], [1, ""]);
    assert.equal((await runCommand(["user", "delete", "bob@example.com", "--posts", "keep"], environment)).code, 1);
    const kept = await runCommand(["user", "undelete", "bob@example.com"], environment);
    assert.deepEqual([kept.code, kept.stdout], [0, ""]);
    assert.deepEqual(await states(), ["ada active", "bob active"]);
    const again = await runCommand(["user", "undelete", "bob@example.com"], environment);
    assert.deepEqual([again.code, again.stderr], [1, "This account is not going to be deleted.\n"]);
    const store = await openStore(environment.DATABASE_URL ?? "", { migrate: false });
    const details = (await store.audit.list({ event: "deletion", limit: 9 })).map(({ detail }) => detail);
    await store.close();
    assert.deepEqual(details, ["undone", "asked for, posts: delete"]);
  });

  test("P49 the last administrator stays, and used wrongly the commands say so", async () => {
    const last = await runCommand(["user", "delete", "ada@example.com", "--posts", "keep"], environment);
    assert.deepEqual([last.code, last.stdout], [1, ""]);
    assert.match(last.stderr, /^This is the last administrator\./);
    for (const [words, code, message] of [
      [["delete", "bob@example.com"], 2, /--posts/],
      [["delete", "bob@example.com", "--posts", "burn"], 2, /Allowed choices are keep, delete/],
      [["delete", "nobody@example.com", "--posts", "keep"], 1, /There is nobody with the address/],
      [["undelete", "nobody@example.com"], 1, /There is nobody with the address/],
      [["export", "nobody@example.com"], 1, /There is nobody with the address/],
    ] as const) {
      const result = await runCommand(["user", ...words], environment);
      assert.deepEqual([result.code, result.stdout], [code, ""], words.join(" "));
      assert.match(result.stderr, message);
    }
    assert.deepEqual(await states(), ["ada active", "bob active"]);
  });

  test("U73 everything about a person is printed as JSON, or written to a new file that others cannot read", async () => {
    const store = await openStore(environment.DATABASE_URL ?? "", { migrate: false });
    const bob = await store.users.findByEmail("bob@example.com");
    assert.ok(bob !== null);
    const texts = Array.from({ length: 25 }, (_, i) => `${i} ${"long ".repeat(20_000)}`);
    for (const body of texts) await store.posts.create({ authorId: bob.id, title: "t", body, status: "DRAFT" });
    const printed = await runCommand(["user", "export", "bob@example.com"], environment);
    assert.deepEqual([printed.code, printed.stderr], [0, ""]);
    const data = JSON.parse(printed.stdout);
    assert.deepEqual([data.profile.id, data.profile.email], [bob.id, "bob@example.com"]);
    assert.deepEqual(data.posts.map(({ body }: { body: string }) => body).sort(), texts.toSorted());
    const file = join(folder, "bob.json");
    const written = await runCommand(["user", "export", "bob@example.com", "--file", file], environment);
    assert.deepEqual([written.code, written.stdout], [0, ""]);
    assert.equal(JSON.parse(await readFile(file, "utf8")).posts.length, 25);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    const again = await runCommand(["user", "export", "bob@example.com", "--file", file], environment);
    assert.notEqual(again.code, 0, "a file that exists stays");
    assert.match(again.stderr, /EEXIST/);
    const events = await store.audit.list({ event: "export", userId: bob.id, limit: 9 });
    await store.close();
    assert.deepEqual([...new Set(events.map(({ detail }) => detail))], ["at the terminal"]);
  });
});
