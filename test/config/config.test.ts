import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { ConfigError, describeVariables, readConfig } from "../../src/config/config.ts";
import { loadSecret } from "../../src/config/installation-secret.ts";
import { parseDuration } from "../../src/config/setting.ts";
import { VARIABLES } from "../../src/config/variables.ts";

const NO_FILE = join(tmpdir(), "no-such-folder", ".env");

describe("settings", () => {
  test("without an environment everything has its default, and public addresses follow the port", () => {
    const config = readConfig({ PORT: "4100" }, NO_FILE);
    assert.equal(config.BASE_URL, "http://localhost:4100");
    assert.equal(config.AUTH_URL, config.BASE_URL);
    assert.equal(config.ACCESS_TOKEN_TTL, 900);
    assert.equal(config.REFRESH_TOKEN_TTL, 2_592_000);
    assert.equal(config.PUBLIC_READ, false);
  });

  for (const [name, value] of [
    ["PORT", "70000"],
    ["PORT", "http"],
    ["BASE_URL", "https://api.example.com/"],
    ["BASE_URL", "ftp://api.example.com"],
    ["AUTH_URL", "https://login.example.com?x=1"],
    ["AUTH_URL", "https://LOGIN.example.com"],
    ["DATABASE_URL", "mysql://localhost"],
    ["DATABASE_URL", "postgres:"],
    ["DATABASE_READ_URL", "sqlite:./copy.db"],
    ["SECRET_KEY", "short"],
    ["LOG_LEVEL", "loud"],
    ["TRUST_PROXY", "everybody"],
    ["CORS_ORIGINS", "https://app.example.com/path"],
    ["RESOURCES", "https://api.example.com#f"],
    ["RESOURCES", "https://api.example.com?x=1"],
    ["RESOURCES", "/v1"],
    ["RESOURCES", "urn:x"],
    ["RESOURCES", "https://API.example.com"],
    ["RESOURCES", "https://api.example.com HS256"],
    ["RESOURCES", "https://api.example.com, https://api.example.com RS256"],
    ["RESOURCES", "http://localhost:4000/graphql"],
    ["RESOURCES", "http://localhost:4000/graphql/"],
    ["RESOURCES", "http://localhost:4000"],
    ["RESOURCES", "http://localhost:4000/"],
    ["RESOURCES", "http://localhost:4000/mcp"],
    ["RESOURCES", "http://localhost:4000/mcp/"],
    ["REGISTRATION_RATE", "20"],
    ["REGISTRATION_RATE", "0/h"],
    ["REGISTRATION_RATE", "20/3600"],
    ["KNOWN_AGENTS", "https://claude.ai"],
    ["KNOWN_AGENTS", "Claude.ai"],
    ["MCP", "true"],
    ["MCP_SCOPES", ""],
    ["MCP_SCOPES", "posts:read posts:read"],
    ["MCP_SCOPES", "posts:read, users:read"],
    ["MCP_AUDIENCE", "none"],
    ["MCP_CONFIRM", "never"],
    ["MCP_RESULT_MAX", "100"],
    ["AGENT_WRITES_PER_HOUR", "-1"],
    ["MCP_CARD", "yes"],
    ["NATIVE_SCHEMES", "cursor javascript"],
    ["NATIVE_SCHEMES", "Cursor"],
    ["NATIVE_SCHEMES", "cursor://x"],
    ["NATIVE_SCHEMES", "http"],
    ["PUBLIC_READ", "yes"],
    ["MAX_DEPTH", "21"],
    ["RATE_LIMIT_TOKEN", "many"],
    ["RATE_LIMIT_TOKEN", "0/60"],
    ["RATE_LIMIT_TOKEN", "2147483648/60"],
    ["RATE_LIMIT_TOKEN", "3000000000/60"],
    ["RATE_LIMIT_ADDRESS", "3000000000/60"],
    ["RATE_LIMIT_OAUTH_CLIENT", "3000000000/60"],
    ["REFRESH_TOKEN_TTL", "366d"],
    ["REFRESH_GRACE", "301"],
    ["REFRESH_GRACE", "1h"],
    ["REFRESH_GRACE", "-1"],
    ["ACCESS_TOKEN_TTL", "0"],
    ["ACCESS_TOKEN_TTL", "15 minutes"],
  ] as const) {
    test(`${name}=${value} stops the start with a message that names the variable`, () => {
      assert.throws(
        () => readConfig({ [name]: value }, NO_FILE),
        (error) => error instanceof ConfigError && error.message.startsWith(`${name} must `),
      );
    });
  }

  test("A01 agents may write unless told otherwise; A20 they bring documents of clients, unless that is set", () => {
    const { MCP, MCP_SCOPES, CLIENT_DOCUMENTS } = readConfig({}, NO_FILE);
    assert.deepEqual([MCP, MCP_SCOPES], ["write", ["posts:read", "users:read", "posts:write"]]);
    assert.equal(CLIENT_DOCUMENTS, true);
    assert.equal(readConfig({ MCP: "read" }, NO_FILE).CLIENT_DOCUMENTS, true);
    assert.equal(readConfig({ MCP: "off" }, NO_FILE).CLIENT_DOCUMENTS, false);
    assert.equal(readConfig({ MCP: "off", CLIENT_DOCUMENTS: "true" }, NO_FILE).CLIENT_DOCUMENTS, true);
    assert.equal(readConfig({ CLIENT_DOCUMENTS: "false" }, NO_FILE).CLIENT_DOCUMENTS, false);
  });

  test("other APIs are told with what their tokens are signed, ES256 unless told", () => {
    const { RESOURCES } = readConfig(
      { RESOURCES: "https://api.example.com/v1/ , https://old.example.com  RS256" },
      NO_FILE,
    );
    assert.deepEqual(RESOURCES, [
      { identifier: "https://api.example.com/v1/", algorithm: "ES256" },
      { identifier: "https://old.example.com", algorithm: "RS256" },
    ]);
    assert.deepEqual(readConfig({}, NO_FILE).RESOURCES, []);
  });

  test("a replica needs PostgreSQL", () => {
    const DATABASE_READ_URL = "postgres://content@replica.example/content";
    assert.throws(() => readConfig({ DATABASE_READ_URL }, NO_FILE), /^ConfigError: DATABASE_READ_URL needs PostgreSQL/);
    const DATABASE_URL = "postgres://content@db.example/content";
    assert.equal(readConfig({ DATABASE_URL, DATABASE_READ_URL }, NO_FILE).DATABASE_READ_URL, DATABASE_READ_URL);
  });

  test("E12 READ_STALENESS is 0 unless it is given, five minutes at most, and needs a replica", () => {
    const urls = {
      DATABASE_URL: "postgres://content@db.example/content",
      DATABASE_READ_URL: "postgres://content@replica.example/content",
    };
    const stale = (READ_STALENESS: string, places: object = urls) =>
      readConfig({ ...places, READ_STALENESS }, NO_FILE).READ_STALENESS;
    assert.equal(readConfig(urls, NO_FILE).READ_STALENESS, 0);
    assert.equal(stale("30s"), 30);
    assert.equal(stale("5m"), 300);
    for (const bad of ["6m", "-1", "soon"])
      assert.throws(() => stale(bad), /^ConfigError: READ_STALENESS must be 0 or/);
    assert.throws(() => stale("30s", {}), /^ConfigError: READ_STALENESS needs DATABASE_READ_URL/);
  });

  test("the file .env counts below the environment, and an unknown name in it is an error", async () => {
    const folder = await mkdtemp(join(tmpdir(), "content-api-"));
    const file = join(folder, ".env");
    writeFileSync(file, "PORT=4200\nOPERATOR_NAME=From file\n");
    assert.equal(readConfig({ PORT: "4300" }, file).PORT, 4300);
    assert.equal(readConfig({}, file).OPERATOR_NAME, "From file");
    writeFileSync(file, "PROT=4200\n");
    assert.throws(() => readConfig({}, file), /PROT in .* is not a setting/);
    await rm(folder, { recursive: true });
  });

  test("with PostgreSQL the secret has to be set: nodes would each make their own", () => {
    const DATABASE_URL = "postgres://content:hush@db.example/content";
    assert.throws(
      () => loadSecret(readConfig({ DATABASE_URL }, NO_FILE)),
      (error) => error instanceof ConfigError && /^SECRET_KEY must .*openssl rand/.test(error.message),
    );
    const SECRET_KEY = "A".repeat(43);
    assert.equal(loadSecret(readConfig({ DATABASE_URL, SECRET_KEY }, NO_FILE)).length, 32);
  });

  test("durations are seconds, or a number with a unit", () => {
    assert.deepEqual(["900", "15m", "12h", "30d", "1w", "-1", ""].map(parseDuration), [
      900,
      900,
      43_200,
      2_592_000,
      null,
      null,
      null,
    ]);
  });

  test("the table that the program prints has every setting with its default and help", () => {
    const lines = describeVariables().split("\n");
    for (const [name, { default: fallback, help }] of Object.entries(VARIABLES))
      assert.ok(lines.includes(`| \`${name}\` | ${fallback ? `\`${fallback}\`` : ""} | ${help} |`), name);
  });
});
