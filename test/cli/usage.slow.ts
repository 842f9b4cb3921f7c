import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import { openAttemptLimit } from "../../src/authorization-server/sign-in/attempts.ts";
import { tableLines } from "../../src/cli/terminal/table.ts";
import { openStore } from "../../src/storage/open.ts";
import { PROGRAM, runCommand, runJson } from "../command.ts";

const CLIENT = ["client", "create", "--name", "App", "--redirect-uri", "https://app.example.com/"];
const CONTROL = /[^\P{Cc}\n]|\u202e/u;

describe("the command line", () => {
  let folder: string;
  let environment: Record<string, string>;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "content-api-"));
    environment = { DATABASE_URL: `sqlite:${join(folder, "content.db")}` };
    await runJson(["migrate"], environment);
    for (const [email, role] of [
      ["ada@example.com", "admin"],
      [`${"a".repeat(64)}@${"long.".repeat(30)}example.com`, "member"],
    ] as const)
      await runJson(["user", "create", "--email", email, "--name", "演示 \u202e用户", "--role", role], environment);
  });
  after(() => rm(folder, { recursive: true }));

  describe("used wrongly", () => {
    for (const [words, error, hint, command] of [
      ["serve --port 8080", /unknown option '--port'/, /set PORT, as in PORT=8080 bin\/content-api serve/, " serve"],
      [
        "serve --database-url=sqlite:x.db",
        /--database-url/,
        /set DATABASE_URL, as in DATABASE_URL=sqlite:x\.db/,
        " serve",
      ],
      ["user create --emial a@example.com", /unknown option '--emial'/, /Did you mean --email\?/, " user create"],
      [
        "client create --redirect-url https://a.example/",
        /'--redirect-url'/,
        /Did you mean --redirect-uri\?/,
        " client create",
      ],
      [
        "user create --email a@example.com",
        /--name <name>' not specified/,
        /^Usage: .* --email <address>/,
        " user create",
      ],
      ["user set-role ada@example.com", /missing required argument 'role'/, /<email> <role>/, " user set-role"],
      ["user creat", /unknown command 'creat'/, /Did you mean create\?/, " user"],
      ["burn", /unknown command 'burn'/, /^Commands: serve, migrate, /, ""],
      ["client list extra", /too many arguments/, /^Usage: /, " client list"],
      ["audit --event breakfast", /Allowed choices are/, /^Usage: /, " audit"],
    ] as const)
      test(`${words}: three lines`, async () => {
        const { code, stdout, stderr } = await runCommand(words.split(" "), environment);
        assert.deepEqual([code, stdout], [2, ""], stderr);
        const [first = "", second = "", third, ...rest] = stderr.split("\n");
        assert.match(first, error);
        assert.match(second, hint);
        assert.equal(third, `Help: bin/content-api${command} --help`);
        assert.deepEqual(rest, [""]);
      });
  });

  test("lists fit 80 columns, whatever is in them, and show has the rest", async () => {
    const { client_id } = await runJson<{ client_id: string }>([...CLIENT, "--name", "x".repeat(200)], environment);
    const url = `https://app.example.com/${"hook/".repeat(40)}`;
    const webhook = await runJson<{ id: string }>(["webhook", "create", "--url", url], environment);
    await runJson(["token", "create"], environment);
    for (const words of [
      ["user", "list"],
      ["client", "list"],
      ["webhook", "list"],
      ["keys", "list"],
      ["token", "list"],
      ["audit"],
    ]) {
      const { code, stdout } = await runCommand(words, environment);
      assert.equal(code, 0, words.join(" "));
      const lines = stdout.trimEnd().split("\n");
      assert.ok(lines.length > 1, words.join(" "));
      for (const line of lines) assert.ok(line.length <= 80, `${words.join(" ")}: ${line}`);
      assert.doesNotMatch(stdout, CONTROL, words.join(" "));
    }
    const [{ kid = "" } = {}] = await runJson<{ kid?: string }[]>(["keys", "list"], environment);
    for (const [words, whole] of [
      [["user", "show", "ada@example.com"], "createdAt"],
      [["client", "show", client_id], "x".repeat(200)],
      [["webhook", "show", webhook.id], url],
      [["keys", "show", kid], "publishedUntil"],
    ] as const) {
      const { code, stdout } = await runCommand(words, environment);
      assert.equal(code, 0, words.join(" "));
      assert.ok(stdout.includes(whole), stdout);
      assert.doesNotMatch(stdout, CONTROL);
      const [kind, , id] = words;
      const missing = await runCommand([kind, "show", `${id}x`], environment);
      assert.deepEqual([missing.code, missing.stdout], [1, ""], kind);
      assert.ok(missing.stderr.length > 0);
    }
  });

  test("a table counts columns of the terminal, not characters", () => {
    const lines = tableLines(
      [
        { id: "1", name: "演示用户".repeat(20) },
        { id: "2", name: "e\u0301".repeat(90) },
      ],
      40,
      ["id"],
    );
    assert.equal(lines[1], `1   ${"演示用户".repeat(4)}演…`.slice(0, lines[1]?.length));
    assert.equal((lines[1] ?? "").replace(/\p{Script=Han}/gu, "..").length, 39, "an odd column stays empty");
    assert.equal((lines[2] ?? "").normalize("NFC").length, 40);
  });

  test("every change says one sentence on standard error, and nothing else on standard output", async () => {
    const { client_id: client } = await runJson<{ client_id: string }>(CLIENT, environment);
    const { id: webhook } = await runJson<{ id: string }>(
      ["webhook", "create", "--url", "https://a.example/"],
      environment,
    );
    await runJson(["user", "create", "--email", "bob@example.com", "--name", "Bob"], environment);
    const { id: token } = await runJson<{ id: string }>(["token", "create"], environment);
    for (const words of [
      ["user", "set-role", "bob@example.com", "editor"],
      ["user", "set-password", "bob@example.com", "--password-stdin"],
      ["user", "disable", "bob@example.com"],
      ["user", "enable", "bob@example.com"],
      ["user", "unlock", "bob@example.com"],
      ["user", "reset-second-step", "bob@example.com", "--passkeys"],
      ["user", "delete", "bob@example.com", "--posts", "keep"],
      ["user", "undelete", "bob@example.com"],
      ["client", "disable", client],
      ["client", "enable", client],
      ["webhook", "disable", webhook],
      ["webhook", "enable", webhook],
      ["webhook", "delete", webhook],
      ["token", "revoke", token],
    ]) {
      const { code, stdout, stderr } = await runCommand(words, environment, "seventeen tall birches");
      assert.deepEqual([code, stdout], [0, ""], `${words.join(" ")}: ${stderr}`);
      assert.match(stderr, /^[A-Zb][^\n]*\.\n$/, words.join(" "));
    }
  });

  test("A48 a person whom strangers have locked out is unlocked", async () => {
    const store = await openStore(environment.DATABASE_URL ?? "", { migrate: false });
    try {
      const limit = openAttemptLimit(store.attempts, Date.now);
      const place = { email: "ada@example.com", address: "192.0.2.1", budget: null };
      while (await limit.begin(place));
      const { code, stderr } = await runCommand(["user", "unlock", "ADA@example.com"], environment);
      assert.deepEqual([code, stderr], [0, "ada@example.com can sign in again: failed attempts are forgotten.\n"]);
      assert.equal(await limit.begin(place), true);
      const [entry] = await runJson<{ event: string; detail: string }[]>(["audit", "--limit", "1"], environment);
      assert.deepEqual([entry?.event, entry?.detail], ["person", "unlocked"]);
    } finally {
      await store.close();
    }
  });

  test("a token that was made is listed without the token, revoked by its id, once", async () => {
    const made = await runJson<{ access_token: string; id: string }>(["token", "create", "--ttl", "1h"], environment);
    const list = (...more: string[]) => runJson<{ id: string }[]>(["token", "list", ...more], environment);
    assert.ok((await list()).some(({ id }) => id === made.id));
    assert.ok((await list("--user", "ada@example.com")).some(({ id }) => id === made.id));
    assert.deepEqual(await list("--user", "bob@example.com"), []);
    assert.ok(!JSON.stringify(await list()).includes(made.access_token));
    assert.equal((await runCommand(["token", "revoke", made.id], environment)).code, 0);
    assert.ok(!(await list()).some(({ id }) => id === made.id));
    const again = await runCommand(["token", "revoke", made.id], environment);
    assert.equal(again.code, 1);
    assert.match(again.stderr, /^There is no live token/);
  });

  test("a token that was made before SECRET_KEY changed is still listed and revoked", async () => {
    const before = { DATABASE_URL: `sqlite:${join(folder, "changed.db")}`, SECRET_KEY: "o".repeat(42).concat("A") };
    const after = { ...before, SECRET_KEY: "n".repeat(42).concat("A"), SECRET_KEY_PREVIOUS: before.SECRET_KEY };
    await runJson(["migrate"], before);
    await runJson(["user", "create", "--email", "ada@example.com", "--name", "Ada", "--role", "admin"], before);
    const made = await runJson<{ id: string }>(["token", "create"], before);
    assert.deepEqual(
      (await runJson<{ id: string }[]>(["token", "list"], after)).map(({ id }) => id),
      [made.id],
    );
    assert.equal((await runCommand(["token", "revoke", made.id], after)).code, 0);
    assert.deepEqual(await runJson(["token", "list"], before), []);
  });

  test("ids that begin with a dash are ids", async () => {
    for (const id of [`-${"a".repeat(42)}`, `--${"b".repeat(41)}`])
      for (const words of [
        ["token", "revoke", id],
        ["keys", "show", id],
        ["keys", "show", id, "--json"],
      ]) {
        const { code, stderr } = await runCommand(words, environment);
        assert.equal(code, 1, stderr);
        assert.ok(stderr.startsWith("There is no") && stderr.includes(id), stderr);
      }
  });

  describe("F19 output that could not be written", () => {
    const full = process.platform === "linux" ? "/dev/full" : null;
    const run = async (words: readonly string[]) => {
      const child = spawn(PROGRAM, words, {
        env: { PATH: process.env.PATH, ...environment },
        stdio: ["ignore", openSync(full ?? "", "w"), "pipe"],
      });
      const [stderr, [code]] = await Promise.all([
        text(child.stderr as NonNullable<typeof child.stderr>),
        once(child, "exit"),
      ]);
      return { code, stderr };
    };

    test("is no success, for a list as for a help", { skip: full === null && "no /dev/full" }, async () => {
      for (const words of [
        ["user", "list"],
        ["user", "list", "--json"],
        ["doctor"],
        ["--help"],
        ["--version"],
        ["completion", "bash"],
      ])
        assert.equal((await run(words)).code, 1, words.join(" "));
    });

    test("a token that nobody saw is revoked", { skip: full === null && "no /dev/full" }, async () => {
      const count = async () => (await runJson<unknown[]>(["token", "list"], environment)).length;
      const before = await count();
      const { code, stderr } = await run(["token", "create"]);
      assert.equal(code, 1);
      assert.match(stderr, /could not be written \(ENOSPC\)\. The token is revoked\./);
      assert.equal(await count(), before);
    });

    test("for a secret that nobody saw there is a line that gives another one, and it works", {
      skip: full === null && "no /dev/full",
    }, async () => {
      for (const words of [CLIENT, ["webhook", "create", "--url", "https://lost.example/"]]) {
        const { code, stderr } = await run([...words, "--json"]);
        assert.equal(code, 1);
        const line = /bin\/content-api (client rotate-secret \S+|webhook rotate \S+ --leaked)\n$/.exec(stderr)?.[1];
        assert.ok(line, stderr);
        const again = await runJson<{ client_secret?: string; secret?: string }>(line.split(" "), environment);
        assert.ok((again.client_secret ?? again.secret ?? "").length >= 32);
        assert.equal((await run(line.split(" "))).code, 1);
      }
    });

    test("a reader that has left before a secret makes it void too", async () => {
      const before = await runJson<unknown[]>(["token", "list"], environment);
      const child = spawn(PROGRAM, ["token", "create"], { env: { PATH: process.env.PATH, ...environment } });
      child.stdout.destroy();
      const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
      assert.equal(code, 1);
      assert.match(stderr, /could not be written \(EPIPE\)\. The token is revoked\./);
      assert.deepEqual(await runJson<unknown[]>(["token", "list"], environment), before);
    });
  });

  test("Ctrl-C at a question is 130, and nothing is done", {
    skip: spawnSync("script", ["--version"]).status !== 0,
  }, async () => {
    const words = `exec "${PROGRAM}" user create --email eve@example.com --name Eve`;
    const child = spawn("script", ["-qec", words, "/dev/null"], { env: { PATH: process.env.PATH, ...environment } });
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
      if (output.includes("Password") && !child.stdin.writableEnded) child.stdin.end("\u0003");
    });
    const [code] = await once(child, "exit");
    assert.equal(code, 130, output);
    assert.equal((await runCommand(["user", "show", "eve@example.com"], environment)).code, 1);
  });

  test("backup and restore name paths in words, and keep what they replace", async () => {
    const copy = join(folder, "copy.db");
    const saved = await runCommand(["backup", copy], environment);
    assert.deepEqual([saved.code, saved.stdout], [0, `${copy}\n`]);
    assert.ok(saved.stderr.includes(`${folder}/content.db is copied to ${copy} (`), saved.stderr);
    assert.ok(saved.stderr.includes(`restore ${copy}`));
    await runJson(["user", "create", "--email", "late@example.com", "--name", "Late"], environment);
    const plain = await runCommand(["restore", copy], environment);
    assert.equal(plain.code, 1);
    const restored = await runCommand(["restore", copy, "--replace"], environment);
    assert.equal(restored.code, 0, restored.stderr);
    assert.match(
      restored.stderr,
      new RegExp(`The backup ${copy} is the database sqlite:${folder}/content\\.db now\\.`),
    );
    const kept = /kept as (\S+)\.\n/.exec(restored.stderr)?.[1] ?? "";
    assert.ok(existsSync(kept), restored.stderr);
    assert.equal((await runCommand(["user", "show", "late@example.com"], environment)).code, 1);
    const before = { DATABASE_URL: `sqlite:${kept}` };
    assert.equal((await runCommand(["user", "show", "late@example.com"], before)).code, 0);
    const again = await runCommand(["restore", copy, "--replace"], environment);
    assert.equal(again.code, 0);
    assert.ok(!again.stderr.includes(`${kept}.`), "a second one has a name of its own");
    assert.ok(existsSync(kept));
  });

  test("completions: commands, then their options, after operands too", async () => {
    const { code, stdout } = await runCommand(["completion", "bash"], environment);
    assert.equal(code, 0);
    const file = join(folder, "completion.bash");
    await writeFile(file, stdout);
    const complete = (...words: string[]) => {
      const list = ["bin/content-api", ...words].map((word) => `'${word}'`).join(" ");
      const script = `source ${file}; COMP_WORDS=(${list}); COMP_CWORD=${words.length}; _content_api; printf '%s\\n' "\${COMPREPLY[@]}"`;
      return spawnSync("bash", ["-c", script], { encoding: "utf8" }).stdout.trim().split("\n");
    };
    assert.deepEqual(complete("us"), ["user"]);
    assert.deepEqual(complete("user", "set-"), ["set-password", "set-role"]);
    assert.deepEqual(complete("user", "set-password", "ada@example.com", "--p"), ["--password-stdin"]);
    assert.deepEqual(complete("token", "create", "--"), ["--user", "--client", "--scope", "--ttl", "--json", "--help"]);
    assert.deepEqual(complete("completion", "f"), ["fish"]);
    const zsh = await runCommand(["completion", "zsh"], environment);
    assert.ok(zsh.stdout.startsWith("autoload -Uz compinit") && zsh.stdout.endsWith(stdout));
    const fish = await runCommand(["completion", "fish"], environment);
    assert.match(fish.stdout, /^complete -c content-api -n '.*user set-password.*' -l password-stdin /m);
    assert.equal((await runCommand(["completion", "tcsh"], environment)).code, 2);
  });
});
