import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rename, rm, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { readConfig } from "../../src/config/config.ts";
import { checkDisk } from "../../src/diagnosis/machine.ts";
import { checkDatabaseClock } from "../../src/diagnosis/stored.ts";
import { openStore } from "../../src/storage/open.ts";
import { runCommand, runJson } from "../command.ts";
import { aPasskey, aPerson } from "../conformance/samples.ts";
import { freePort } from "../port.ts";
import { startServer } from "../server-process.ts";

interface Finding {
  readonly check: string;
  readonly result: string;
  readonly detail: string;
}

describe("content-api doctor", () => {
  let folder: string;
  let environment: Record<string, string>;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "content-api-"));
    environment = { DATABASE_URL: `sqlite:${join(folder, "content.db")}`, PORT: String(await freePort()) };
  });
  after(() => rm(folder, { recursive: true }));

  async function doctor(more: Record<string, string> = {}) {
    const { code, stdout } = await runCommand(["doctor", "--json"], { ...environment, ...more });
    const findings = JSON.parse(stdout) as Finding[];
    const about = (check: string) => {
      const found = findings.filter((finding) => finding.check === check);
      assert.ok(found.length > 0, `${check} in ${stdout}`);
      return found.map(({ result, detail }) => `${result}: ${detail}`).join("\n");
    };
    return { code, findings, about };
  }

  test("before the first start everything is good: none yet, and where it will be", async () => {
    const { code, findings, about } = await doctor();
    assert.equal(code, 0);
    assert.equal(about("database"), `good: none yet at ${environment.DATABASE_URL}: the start makes it`);
    assert.equal(about("secret"), `good: none yet at ${join(folder, "secret.key")}: the first start makes it`);
    assert.match(about("backup"), /^good: none yet/);
    assert.match(about("port"), /^good: .* is free$/);
    assert.match(about("disk"), /^(good|warning): \d+ (MiB|GiB) free at /);
    assert.deepEqual(
      findings.filter(({ result }) => result === "wrong").map(({ check }) => check),
      [],
    );
  });

  test("says what it cannot check, and does not call it good", async () => {
    const { findings } = await doctor();
    const unchecked = findings.filter(({ result }) => result === "unchecked").map(({ check }) => check);
    assert.deepEqual(unchecked, ["proxy", "secret backup"]);
    const { about } = await doctor({ DATABASE_URL: "postgres://nobody@127.0.0.1:1/none", SECRET_KEY: "A".repeat(43) });
    assert.match(about("disk"), /^unchecked: /);
    assert.match(about("backup"), /^unchecked: /);
    assert.match(about("database"), /^wrong: /);
  });

  test("U75 P56 the clock of the database is compared with this machine's", async () => {
    const at = (theirs: number) => checkDatabaseClock({ clock: async () => theirs }, () => 1_000_000);
    assert.equal((await at(1_001_900)).result, "good");
    assert.deepEqual(await at(1_090_000), {
      check: "clock of the database",
      result: "warning",
      detail: "is 90 s ahead of this machine: set both by NTP",
    });
    assert.match((await at(990_000)).detail, /^is 10 s behind this machine/);
  });

  test("tells a server of ours on the port from another program", async () => {
    const other = createServer((_request, response) => response.writeHead(404).end());
    other.listen(0, "localhost");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const taken = await doctor({ PORT: String(port) });
    assert.match(taken.about("port"), /^warning: localhost:\d+ is in use by another program: set PORT$/);
    other.close();
    const server = await startServer(environment);
    try {
      assert.match((await doctor()).about("port"), /^good: a server answers at /);
    } finally {
      await server.stop();
    }
    assert.match((await doctor({ HOST: "192.0.2.7" })).about("port"), /^wrong: 192\.0\.2\.7:\d+ cannot be listened on/);
  });

  test("knows the last backup: none, fresh, old, moved", async () => {
    await runJson(["migrate"], environment);
    assert.match((await doctor()).about("backup"), /^warning: none yet: .*bin\/content-api backup FILE$/);
    const copy = join(folder, "copy.db");
    assert.equal((await runCommand(["backup", copy], environment)).code, 0);
    assert.equal((await doctor()).about("backup"), `good: less than a day ago, to ${copy}`);
    const note = join(folder, "content.db-last-backup");
    const at = new Date(Date.now() - 9 * 86_400_000).toISOString();
    await writeFile(note, JSON.stringify({ at, file: copy }));
    assert.equal((await doctor()).about("backup"), `warning: 9 days ago, to ${copy}`);
    await rename(copy, `${copy}.away`);
    assert.match((await doctor()).about("backup"), /^unchecked: 9 days ago, to .*, which was moved since$/);
    await writeFile(note, "{}");
    await utimes(note, 0, 0);
    assert.match((await doctor()).about("backup"), /^warning: none yet/);
  });

  test("asks public addresses, says which does not answer, and that others may see it differently", async () => {
    const { code, about } = await doctor({ BASE_URL: "https://api.invalid", HOST: "127.0.0.1" });
    assert.equal(code, 0, "an address that is not there yet is no fault of the set-up");
    assert.match(
      about("public address"),
      /^warning: https:\/\/api\.invalid does not answer from here \(\w+\)\nunchecked: /,
    );
    const { findings } = await doctor();
    assert.ok(!findings.some(({ check }) => check === "public address"));
  });

  test("U07 says whether passkeys are on and for which domain, and why they are off", async () => {
    assert.equal((await doctor()).about("passkeys"), "good: on, for localhost");
    const AUTH_URL = "https://login.invalid";
    assert.equal((await doctor({ AUTH_URL })).about("passkeys"), "good: on, for login.invalid");
    assert.equal((await doctor({ AUTH_URL, PASSKEYS: "off" })).about("passkeys"), "good: off (PASSKEYS)");
    assert.equal(
      (await doctor({ AUTH_URL: "http://127.0.0.1:4000" })).about("passkeys"),
      "good: off: browsers use none with http://127.0.0.1:4000, but with https and a host name, or at http://localhost",
    );
  });

  test("U07 warns of passkeys that are for another domain, and says how many", async () => {
    const DATABASE_URL = `sqlite:${join(folder, "passkeys.db")}`;
    const store = await openStore(DATABASE_URL);
    const { id: userId } = await store.users.create(aPerson());
    for (const [credentialId, rpId] of [
      ["one", "login.invalid"],
      ["two", "login.invalid"],
      ["three", "localhost"],
    ] as const)
      await store.passkeys.create(aPasskey({ userId, credentialId, rpId }), 0);
    await store.close();
    const ask = async (more: Record<string, string>) => {
      const { code, about } = await doctor({ DATABASE_URL, ...more });
      assert.equal(code, 0, "the server starts, so nothing is wrong with the set-up");
      return about("passkeys");
    };
    const owners = "their owners need another way to sign in";
    assert.equal(
      await ask({}),
      `warning: 2 made for another domain than localhost, useless here: ${owners}\ngood: on, for localhost`,
    );
    assert.equal(
      await ask({ AUTH_URL: "https://login.invalid" }),
      `warning: 1 made for another domain than login.invalid, useless here: ${owners}\ngood: on, for login.invalid`,
    );
    assert.equal(
      await ask({ PASSKEYS: "off" }),
      `warning: 3 cannot be used while passkeys are off: ${owners}\ngood: off (PASSKEYS)`,
    );
  });

  test("a disk is looked at where the database will be", async () => {
    const config = readConfig({ DATABASE_URL: `sqlite:${join(folder, "a/b/c.db")}` }, join(folder, ".env"));
    assert.ok((await checkDisk(config)).detail.endsWith(` free at ${folder}`));
  });

  test("for people each check is one line, the longest detail too", async () => {
    const { stdout } = await runCommand(["doctor"], environment);
    const lines = stdout.trimEnd().split("\n");
    for (const line of lines) assert.match(line, /^[A-Za-z_ ]{14} {2}(good|warning|wrong|unchecked) +\S/);
    assert.equal(lines.length, (await doctor()).findings.length);
  });
});
