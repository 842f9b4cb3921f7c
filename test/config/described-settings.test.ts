import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { readConfig } from "../../src/config/config.ts";
import { describeSettings } from "../../src/config/described-settings.ts";
import { VARIABLES } from "../../src/config/variables.ts";

const NO_FILE = "/nonexistent/.env";

function described(environment: Record<string, string>, file = NO_FILE) {
  const all = describeSettings(readConfig(environment, file));
  return (name: string) => all.find((setting) => setting.name === name) ?? assert.fail(name);
}

describe("S68 settings for people to read", () => {
  test("S68 every setting of the table is there, with its help, its default and a section", () => {
    const all = describeSettings(readConfig({}, NO_FILE));
    assert.deepEqual(
      all.map(({ name }) => name),
      Object.keys(VARIABLES),
    );
    for (const { name, help, section, source } of all)
      assert.ok(help !== "" && section !== "" && source === "default", name);
  });

  test("S68 the source is the environment, the file or the default, in this order", async () => {
    const folder = await mkdtemp(join(tmpdir(), "content-api-"));
    const file = join(folder, ".env");
    await writeFile(file, "PORT=4001\nMAX_DEPTH=9\n");
    const of = described({ PORT: "4002" }, file);
    await rm(folder, { recursive: true });
    assert.deepEqual([of("PORT").value, of("PORT").source, of("PORT").default], ["4002", "environment", "4000"]);
    assert.deepEqual([of("MAX_DEPTH").value, of("MAX_DEPTH").source], ["9", "file"]);
    assert.deepEqual([of("HOST").value, of("HOST").source], ["localhost", "default"]);
    assert.deepEqual([of("BASE_URL").value, of("BASE_URL").default], ["http://localhost:4002", null]);
    assert.equal(of("TRUSTED_ISSUER").value, null);
  });

  test("S68 secrets are masked whatever their length, and passwords within addresses", () => {
    const secrets = {
      SECRET_KEY: "k".repeat(43),
      METRICS_TOKEN: "t".repeat(64),
      SMTP_PASSWORD: "p",
      MAIL_FROM: "a@example.com",
      SMTP_URL: "smtps://me:hunter2@mail.example.com:465",
      DATABASE_URL: "postgres://me:hunter3@db.example.com/content?sslpassword=hunter4",
    };
    const of = described(secrets);
    for (const name of ["SECRET_KEY", "METRICS_TOKEN", "SMTP_PASSWORD"])
      assert.deepEqual([of(name).value, of(name).isSecret], ["********", true], name);
    assert.equal(of("SMTP_URL").value, "smtps://me:********@mail.example.com:465");
    assert.equal(of("DATABASE_URL").value, "postgres://me:********@db.example.com/content?sslpassword=********");
    const text = JSON.stringify(describeSettings(readConfig(secrets, NO_FILE)));
    assert.doesNotMatch(text, /hunter|kkk|ttt/);
    assert.equal(described({ DATABASE_URL: "sqlite:./x.db" })("DATABASE_URL").value, "sqlite:./x.db");
  });

  test("S68 a setting whose name speaks of a secret is one", () => {
    const open = new Set(["MAX_TOKENS", "RATE_LIMIT_TOKEN", "PASSKEYS", "PASSKEY_ID", "BREACHED_PASSWORDS"]);
    for (const { name, isSecret } of describeSettings(readConfig({}, NO_FILE)))
      if (/SECRET|PASSWORD|TOKEN$|KEY/.test(name) && !open.has(name)) assert.ok(isSecret, name);
  });
});
