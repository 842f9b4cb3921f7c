import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { runCommand } from "../command.ts";
import { freePort } from "../port.ts";
import { openPostgres, sqlOn } from "../postgres.ts";
import { startServer } from "../server-process.ts";

const postgres = await openPostgres();
const SECRET_KEY = "A".repeat(43);

describe("a half-configured node does not start", () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "content-api-"));
  });
  after(() => rm(folder, { recursive: true }));

  /** Tries to start with the settings. @returns what it said, after it has ended as one that was used wrongly */
  async function refusal(settings: Record<string, string>): Promise<string> {
    const environment = { PORT: "0", DATABASE_URL: `sqlite:${join(folder, "none", "content.db")}`, ...settings };
    const { code, stdout, stderr } = await runCommand(["serve"], environment);
    assert.equal(code, 2, stderr);
    assert.equal(stdout, "");
    assert.equal(existsSync(join(folder, "none")), false, "nothing is made before");
    return stderr;
  }

  test("a public address without TLS", async () => {
    assert.match(await refusal({ BASE_URL: "http://api.example.com" }), /^BASE_URL must be an https address/);
    const settings = { BASE_URL: "https://api.example.com", AUTH_URL: "http://192.168.1.5:4000" };
    assert.match(await refusal({ ...settings, WORKERS: "2" }), /^AUTH_URL must be an https address/);
  });

  test("A12 scopes for agents that agents never have", async () => {
    for (const scope of ["admin", "users:email", "offline_access", "scim", "posts:publish"])
      assert.match(
        await refusal({ MCP_SCOPES: `posts:read ${scope}` }),
        new RegExp(`^MCP_SCOPES must not name ${scope}`),
      );
  });

  test("A01 agents that may read, and are told to ask for nothing to read", async () => {
    assert.match(await refusal({ MCP: "read", MCP_SCOPES: "posts:write" }), /^MCP=read needs a scope in MCP_SCOPES/);
  });

  test("U07 sign-up or mail that could not work", async () => {
    const settings = { BASE_URL: "https://api.example.com", SECRET_KEY };
    assert.match(await refusal({ ...settings, SIGN_UP: "open" }), /^SIGN_UP=open needs SMTP_URL/);
    assert.match(await refusal({ SMTP_URL: "smtps://user:secret@mail.example.com" }), /^SMTP_URL needs MAIL_FROM/);
    const mail = { SMTP_URL: "smtps://user@mail.example.com", MAIL_FROM: "Example <accounts@example.com>" };
    assert.match(await refusal(mail), /^SMTP_PASSWORD is missing/);
    const sender = { ...mail, SMTP_PASSWORD: "secret", MAIL_FROM: "Example <a..b@example.com>" };
    assert.match(await refusal(sender), /^MAIL_FROM must look like/);
    assert.match(await refusal({ ...sender, WORKERS: "2" }), /^MAIL_FROM must look like/);
    assert.match(await refusal({ SIGN_UP_DOMAINS: "com" }), /^SIGN_UP_DOMAINS must be domains such as example\.com/);
    assert.match(await refusal({ SIGN_UP: "everybody" }), /^SIGN_UP must be closed, invitation or open/);
    assert.match(await refusal({ SIGN_UP_ROLE: "admin" }), /^SIGN_UP_ROLE must be member or editor/);
  });

  test("U62 a file UPSTREAMS with an unknown key, also with several workers", async () => {
    const file = join(folder, "upstreams.json");
    const upstream = {
      id: "acme",
      name: "ACME",
      issuer: "https://id.acme.example",
      client_id: "a",
      client_secret: "s3cret",
    };
    await writeFile(file, JSON.stringify([{ ...upstream, trust_emails: true }]));
    for (const WORKERS of ["1", "2"]) {
      const words = await refusal({ UPSTREAMS: file, WORKERS });
      assert.match(words, /^UPSTREAMS, entry acme: "trust_emails" is not a key/);
      assert.doesNotMatch(words, /s3cret/);
    }
  });

  test("U06 a file of BREACHED_PASSWORDS that is missing, empty, of another kind or not sorted", async () => {
    const file = join(folder, "breached.txt");
    const [low, high] = ["0".repeat(40), "F".repeat(40)];
    for (const [text, words] of [
      [null, /cannot be read \(ENOENT\)\.$/m],
      ["", /is empty\.$/m],
      ["password\n", /does not have a SHA-1 hash in hexadecimal on each line: see byte 0\.$/m],
      [`${high}\n${low}\n`, /is not sorted by hash: see byte 41\.$/m],
    ] as const) {
      if (text !== null) await writeFile(file, text);
      const said = await refusal({ BREACHED_PASSWORDS: file });
      assert.ok(said.startsWith(`BREACHED_PASSWORDS names the file ${file}, which `), said);
      assert.match(said, words);
    }
    assert.match(await refusal({ BREACHED_PASSWORDS: file, WORKERS: "2" }), /^BREACHED_PASSWORDS names the file/);
  });

  test("a public address of the API with a path, of which half would work behind a proxy", async () => {
    for (const BASE_URL of ["https://example.com/api", "http://localhost:4000/content/v1"]) {
      for (const settings of [{ BASE_URL }, { BASE_URL, AUTH_URL: "https://auth.example.com", WORKERS: "2" }]) {
        assert.match(
          await refusal(settings),
          new RegExp(`^BASE_URL must have no path: the API is answered at ${new URL(BASE_URL).origin}/graphql `),
        );
      }
    }
  });

  test("trusted documents only, of which there are none", async () => {
    assert.match(await refusal({ TRUSTED_DOCUMENTS_ONLY: "true" }), /^TRUSTED_DOCUMENTS_ONLY needs the folder/);
    assert.match(await refusal({ TRUSTED_DOCUMENTS: join(folder, "nowhere") }), /^TRUSTED_DOCUMENTS cannot be read/);
  });

  test("a database in memory, which no other process would see", async () => {
    assert.match(
      await refusal({ DATABASE_URL: "sqlite::memory:", SECRET_KEY }),
      /a database in memory is not supported/,
    );
  });

  test("PostgreSQL without SECRET_KEY, before anything is migrated", async () => {
    const url = await postgres.createDatabase();
    for (const WORKERS of ["1", "2"])
      assert.match(await refusal({ DATABASE_URL: url, WORKERS }), /^SECRET_KEY must be set with PostgreSQL/);
    const tables = await sqlOn(url, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
    assert.deepEqual(tables, []);
  });

  test("a second node with another SECRET_KEY on the same database", async (t) => {
    const environment = { DATABASE_URL: await postgres.createDatabase(), LOG_LEVEL: "error", SECRET_KEY };
    const first = await startServer({ ...environment, PORT: String(await freePort()) });
    t.after(() => first.stop("SIGKILL"));
    const second = await runCommand(["serve"], {
      ...environment,
      SECRET_KEY: "B".repeat(43),
      PORT: String(await freePort()),
    });
    assert.equal(second.code, 1);
    assert.match(second.stderr, /^The signing keys are encrypted under another secret.*SECRET_KEY/);
    assert.equal((await fetch(`${first.baseUrl}/jwks`)).status, 200);
  });
});
