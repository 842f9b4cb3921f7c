import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash, generateKeyPairSync, randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { PROGRAM, runCommand, runJson } from "../command.ts";
import { freePort } from "../port.ts";

const PASSWORD = "seventeen tall birches";

describe("content-api", () => {
  let folder: string;
  let environment: Record<string, string>;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "content-api-"));
    environment = { DATABASE_URL: `sqlite:${join(folder, "data/content.db")}` };
    await runJson(["migrate"], environment);
  });
  after(() => rm(folder, { recursive: true }));

  test("--help of every command says what it does, on standard output", async () => {
    for (const command of [
      "",
      "serve",
      "migrate",
      "user",
      "user create",
      "client",
      "client create",
      "token",
      "token create",
      "keys",
      "keys list",
      "keys rotate",
      "backup",
      "restore",
      "doctor",
    ]) {
      const { code, stdout } = await runCommand([...command.split(" ").filter(Boolean), "--help"], environment);
      assert.equal(code, 0, command);
      assert.match(stdout, /Usage: bin\/content-api/, command);
    }
  });

  test("--version prints that of package.json", async () => {
    const { code, stdout } = await runCommand(["--version"], environment);
    assert.equal(code, 0);
    assert.match(stdout, /^\d+\.\d+\.\d+\S*\n$/);
  });

  test("used wrongly, it exits with 2 and says why on standard error", async () => {
    for (const [args, message] of [
      [["serv"], /unknown command/],
      [["user", "create", "--email", "a@example.com"], /--name/],
      [["user", "create", "--email", "nobody", "--name", "N"], /email must look like/],
      [["user", "create", "--email", "a@example.com", "--name", "N", "--role", "king"], /role/],
      [["client", "create", "--name", "C", "--redirect-uri", "https://app.example.com/#x"], /fragment/],
      [
        ["client", "create", "--name", "C", "--redirect-uri", "https://app.example.com/", "--scope", "posts:burn"],
        /posts:burn/,
      ],
      [
        ["token", "create", "--user", "a@example.com", "--client", "c", "--scope", "posts:read", "--ttl", "soon"],
        /--ttl/,
      ],
      [
        ["token", "create", "--user", "a@example.com", "--client", "c", "--scope", "posts:read", "--ttl", "366d"],
        /at most 365d/,
      ],
      [["token", "create", "--user", "a@example.com", "--client", "c", "--scope", " "], /at least one scope/],
      [
        [
          ...["client", "create", "--name", "C", "--redirect-uri", "https://app.example.com/"],
          ...["--backchannel-logout-uri", "http://app.example.com/bye"],
        ],
        /must use https/,
      ],
      [
        [
          ...["client", "create", "--name", "C", "--redirect-uri", "https://app.example.com/"],
          "--require-signed-requests",
        ],
        /needs keys/,
      ],
      [
        [
          ...["client", "create", "--name", "C", "--redirect-uri", "https://app.example.com/"],
          ...["--assertion-algorithm", "ES256"],
        ],
        /needs keys/,
      ],
    ] as const) {
      const { code, stdout, stderr } = await runCommand(args, environment);
      assert.equal(code, 2, args.join(" "));
      assert.match(stderr, message);
      assert.equal(stdout, "");
    }
    const { code, stderr } = await runCommand(["doctor"], { ...environment, PORT: "many" });
    assert.equal(code, 2);
    assert.match(stderr, /^PORT must be/);
  });

  test("a file of keys makes a client without a secret, if they are public keys", async () => {
    const file = join(folder, "keys.json");
    const create = [
      "client",
      "create",
      "--name",
      "Keyed",
      "--redirect-uri",
      "https://app.example.com/",
      "--jwks",
      file,
    ];
    const { publicKey, privateKey } = generateKeyPairSync("ed25519");
    for (const [keys, code, message] of [
      [{ keys: [publicKey.export({ format: "jwk" })] }, 0, /^$/],
      [{ keys: [privateKey.export({ format: "jwk" })] }, 2, /Key 1 of the JWK Set is not public/],
      [null, 2, /one to 10 public keys/],
    ] as const) {
      await writeFile(file, JSON.stringify(keys));
      const ended = await runCommand([...create, "--json"], environment);
      assert.equal(ended.code, code, ended.stderr);
      assert.match(ended.stderr, message);
      assert.doesNotMatch(ended.stdout, /secret/);
    }
  });

  test("people, clients and tokens are made, listed, disabled; a taken address exits with 1", async () => {
    const person = [
      "user",
      "create",
      "--email",
      "Ada@example.com",
      "--name",
      "Ada",
      "--role",
      "admin",
      "--password-stdin",
    ];
    const user = await runJson<{ id: string; role: string }>(person, environment, `${PASSWORD}\n`);
    assert.match(user.id, /^[0-9a-f-]{36}$/);
    const again = await runCommand(["user", "create", "--email", "ADA@EXAMPLE.COM", "--name", "Ada"], environment);
    assert.equal(again.code, 1);

    const client = await runJson<{ client_id: string; client_secret: string }>(
      ["client", "create", "--name", "Site", "--redirect-uri", "https://app.example.com/callback"],
      environment,
    );
    assert.ok(client.client_secret.length >= 32);
    const listed = await runCommand(["client", "list"], environment);
    assert.match(listed.stdout, new RegExp(client.client_id));
    assert.ok(!listed.stdout.includes(client.client_secret), "the secret is shown once only");

    const keyed = await runJson<{ client_id: string; client_secret?: string }>(
      [
        ...["client", "create", "--name", "Keyed", "--redirect-uri", "https://app.example.com/callback"],
        ...["--jwks-uri", "https://app.example.com/jwks", "--require-par", "--require-signed-requests"],
        ...["--assertion-algorithm", "RS256"],
      ],
      environment,
    );
    assert.equal(keyed.client_secret, undefined);
    const all = await runJson<{ client_id: string }[]>(["client", "list"], environment);
    const found = all.find(({ client_id }) => client_id === keyed.client_id) as never;
    const { jwksUri, mustPush, mustSign, assertionAlgorithm } = found;
    const wanted = ["https://app.example.com/jwks", true, true, "RS256"];
    assert.deepEqual([jwksUri, mustPush, mustSign, assertionAlgorithm], wanted);
    assert.equal((await runCommand(["client", "rotate-secret", keyed.client_id], environment)).code, 1, "it has none");

    const rotated = await runJson<{ client_secret: string }>(
      ["client", "rotate-secret", client.client_id],
      environment,
    );
    assert.notEqual(rotated.client_secret, client.client_secret);

    const args = ["token", "create", "--user", "ada@example.com", "--client", client.client_id, "--scope"];
    const token = await runJson<{ access_token: string; expires_at: string }>(
      [...args, "posts:read", "--ttl", "1h"],
      environment,
    );
    assert.ok(token.access_token.length >= 32);
    assert.ok(Math.abs(Date.parse(token.expires_at) - Date.now() - 3_600_000) < 60_000);
    assert.equal((await runCommand([...args, "admin"], environment)).code, 1, "not beyond the client's scopes");

    const last = await runCommand(["user", "disable", "ada@example.com"], environment);
    assert.deepEqual([last.code, last.stdout], [1, ""]);
    assert.match(last.stderr, /^This is the last administrator\./);
    const demoted = await runCommand(["user", "set-role", "ada@example.com", "member"], environment);
    assert.deepEqual([demoted.code, demoted.stderr], [1, last.stderr]);
    const other = ["user", "create", "--email", "grace@example.com", "--name", "Grace", "--role", "admin"];
    await runJson(other, environment);
    const disabled = await runCommand(["user", "disable", "ada@example.com"], environment);
    assert.deepEqual([disabled.code, disabled.stdout], [0, ""]);
    assert.match(disabled.stderr, /^Ada@example\.com is disabled.*\.\n$/);
    assert.equal((await runCommand([...args, "posts:read"], environment)).code, 1, "not for a disabled person");
    assert.equal((await runCommand(["user", "enable", "nobody@example.com"], environment)).code, 1);
  });

  test("A15 a token has no scope that the person's role does not allow", async () => {
    const scope = "posts:read admin";
    const { client_id: id } = await runJson<{ client_id: string }>(
      ["client", "create", "--name", "Tool", "--redirect-uri", "https://tool.example.com/", "--scope", scope],
      environment,
    );
    for (const [role, code] of [
      ["editor", 1],
      ["admin", 0],
    ] as const) {
      const email = `${role}@example.com`;
      await runJson(["user", "create", "--email", email, "--name", role, "--role", role], environment);
      const args = ["token", "create", "--user", email, "--client", id, "--scope", scope];
      assert.equal((await runCommand(args, environment)).code, code, role);
    }
  });

  test("a common or short password, or one with the person's or the operator's name, is refused before anything is written", async () => {
    const args = ["user", "create", "--email", "bob@example.com", "--name", "Bob", "--password-stdin"];
    for (const password of [
      "short",
      "my name is Bob, as you know",
      "this is my content api login",
      "Stairway to Heaven",
    ])
      assert.equal((await runCommand(args, environment, `${password}\n`)).code, 2, password);
    const file = join(folder, "breached.txt");
    await writeFile(file, `${createHash("sha1").update(PASSWORD).digest("hex").toUpperCase()}:3\r\n`);
    const breached = await runCommand(args, { ...environment, BREACHED_PASSWORDS: file }, `${PASSWORD}\n`);
    assert.deepEqual(
      [breached.code, breached.stderr.includes("This password is on a list of known passwords. Choose another.")],
      [2, true],
      "U22",
    );
    const unreadable = await runCommand(args, { ...environment, BREACHED_PASSWORDS: folder }, `${PASSWORD}\n`);
    assert.notEqual(unreadable.code, 0);
    assert.match(unreadable.stderr, /The list of known passwords cannot be read\. Nothing was changed\./);
    const list = await runJson<{ email: string }[]>(["user", "list"], environment);
    assert.ok(!list.some(({ email }) => email === "bob@example.com"));
  });

  test("doctor finds a good set-up good, and names what is wrong", async () => {
    const good = await runCommand(["doctor"], environment);
    assert.equal(good.code, 0, good.stdout);
    const path = await runCommand(["doctor"], { ...environment, BASE_URL: "https://api.example.com/v1" });
    assert.equal(path.code, 1);
    assert.match(path.stdout, /must have no path/);
    const bad = await runCommand(["doctor"], { ...environment, BASE_URL: "http://api.example.com" });
    assert.equal(bad.code, 1);
    assert.match(bad.stdout, /BASE_URL +wrong +.*not https/);
  });

  test("A43 without the secret that the keys were made with nothing starts, and doctor says so", async () => {
    const secret = join(folder, "data/secret.key");
    const findings = async (more: Record<string, string> = {}) => {
      const { code, stdout } = await runCommand(["doctor", "--json"], { ...environment, ...more });
      const list = JSON.parse(stdout) as { check: string; result: string; detail: string }[];
      return { code, keys: list.find(({ check }) => check === "keys") };
    };
    assert.deepEqual([(await findings()).code, (await findings()).keys?.result], [0, "good"]);

    const other = { SECRET_KEY: randomBytes(32).toString("base64url") };
    const wrong = await findings(other);
    assert.deepEqual([wrong.code, wrong.keys?.result], [1, "wrong"]);
    const started = await runCommand(["serve"], { ...environment, ...other, PORT: "0" });
    assert.equal(started.code, 1);
    assert.match(started.stderr, /^The signing keys are encrypted under another secret.*\n$/);

    await rename(secret, `${secret}.away`);
    try {
      const gone = await findings();
      assert.deepEqual([gone.code, gone.keys?.result], [1, "wrong"]);
    } finally {
      await rename(`${secret}.away`, secret);
    }
  });

  test("F15 keys rotate one at a time, at once only where they leaked; wrong use exits with 2", async () => {
    type Key = { kid: string; algorithm: string; state: string; signsFrom: string; publishedUntil: string | null };
    const list = () => runJson<Key[]>(["keys", "list"], environment);
    const states = (keys: Key[]) => keys.map(({ algorithm, state }) => `${algorithm} ${state}`).toSorted();
    const before = await list();
    assert.deepEqual(states(before), ["ES256 signing", "RS256 signing"]);

    const rotated = await runJson<Key[]>(["keys", "rotate", "--algorithm", "ES256"], environment);
    assert.deepEqual(states(rotated), ["ES256 next", "ES256 signing", "RS256 signing"]);
    const next = rotated.find(({ state }) => state === "next");
    assert.ok(Math.abs(Date.parse(next?.signsFrom ?? "") - Date.now() - 600_000) < 60_000, "twice five minutes");
    const old = rotated.find(({ algorithm, state }) => algorithm === "ES256" && state === "signing");
    assert.equal(Date.parse(old?.publishedUntil ?? ""), Date.parse(next?.signsFrom ?? "") + 15 * 86_400_000);

    const again = await runCommand(["keys", "rotate"], environment);
    assert.equal(again.code, 1);
    assert.match(again.stderr, /A new ES256 key is published already/);
    assert.deepEqual(await list(), rotated, "nothing of it was done");

    const replaced = await runJson<Key[]>(["keys", "rotate", "--at-once"], environment);
    assert.deepEqual(states(replaced), ["ES256 signing", "RS256 signing"]);
    assert.ok(replaced.every(({ kid }) => !rotated.some((key) => key.kid === kid)));

    const wrong = await runCommand(["keys", "rotate", "--algorithm", "HS256"], environment);
    assert.deepEqual([wrong.code, wrong.stdout], [2, ""]);
    const other = { ...environment, SECRET_KEY: randomBytes(32).toString("base64url") };
    assert.equal((await runCommand(["keys", "rotate"], other)).code, 1, "not under another secret");
    const table = await runCommand(["keys", "list"], environment);
    assert.match(table.stdout, /^kid +algorithm +state /);
    assert.doesNotMatch(table.stdout + JSON.stringify(replaced), /private|"d"/);
  });

  test("the database and the secret can be read by their owner only", async () => {
    for (const file of ["content.db", "secret.key"]) {
      assert.equal((await stat(join(folder, "data", file))).mode & 0o077, 0, file);
    }
  });

  test("migrate says where the schema stands", async () => {
    const status = await runJson<{ pending: string[] }>(["migrate", "--status"], environment);
    assert.deepEqual(status.pending, []);
  });

  test("serve told to stop while it still starts ends as it ends later: in order, with 0", async () => {
    const elsewhere = join(folder, "elsewhere");
    const child = spawn(PROGRAM, ["serve"], {
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: `sqlite:${join(elsewhere, "content.db")}`,
        PORT: String(await freePort()),
      },
    });
    const ended = once(child, "exit");
    while (child.exitCode === null && !existsSync(join(elsewhere, "content.db"))) await setImmediate();
    child.kill("SIGTERM");
    assert.deepEqual(await ended, [0, null]);
  });
});
