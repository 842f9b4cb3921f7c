import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { ConfigError, readConfig, readTexts } from "../../src/config/config.ts";
import { describeSettings } from "../../src/config/described-settings.ts";
import { FILE_SETTINGS } from "../../src/config/secret-files.ts";

const NO_FILE = "/nonexistent/.env";
const DOCUMENT = join(import.meta.dirname, "../../docs/configuration.md");
const KEY = "k".repeat(43);

describe("secrets in files", () => {
  const folder = mkdtempSync(join(tmpdir(), "content-api-"));
  after(() => rmSync(folder, { recursive: true }));

  function fileWith(name: string, text: string): string {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  }

  test("every setting that is masked can be a file, and no other; docs/configuration.md lists them", () => {
    const secrets = describeSettings(readConfig({}, NO_FILE)).filter(({ isSecret }) => isSecret);
    assert.deepEqual([...FILE_SETTINGS].sort(), secrets.map(({ name }) => name).sort());
    const [, list = ""] = /Secrets can be files:(.*?)\. The/s.exec(readFileSync(DOCUMENT, "utf8")) ?? [];
    for (const name of FILE_SETTINGS) assert.ok(list.includes(`\`${name}\``), name);
  });

  test("a file counts as its setting, with or without a line break at its end", () => {
    for (const ending of ["", "\n", "\r\n"]) {
      const config = readConfig({ SECRET_KEY_FILE: fileWith("key", KEY + ending) }, NO_FILE);
      assert.equal(config.SECRET_KEY, KEY);
      const described = describeSettings(config).find(({ name }) => name === "SECRET_KEY");
      assert.deepEqual([described?.value, described?.source], ["********", "environment"]);
    }
  });

  test("in .env too, and the environment goes first", () => {
    const envFile = fileWith(".env", `SMTP_PASSWORD_FILE=${fileWith("password", " a b \n\n")}\n`);
    assert.equal(readConfig({}, envFile).SMTP_PASSWORD, " a b \n");
    assert.equal(readConfig({ SMTP_PASSWORD: "other" }, envFile).SMTP_PASSWORD, "other");
    assert.equal(readTexts({}, envFile).SMTP_PASSWORD, " a b \n");
  });

  test("twice, missing, malformed, or for a setting that is no secret: the start fails, without a part of the value", () => {
    const fails = (environment: Record<string, string>, message: RegExp, envFile = NO_FILE) =>
      assert.throws(
        () => readConfig(environment, envFile),
        (error) => error instanceof ConfigError && message.test(error.message) && !error.message.includes("hunter"),
      );
    const path = fileWith("short", "hunter2");
    fails({ SECRET_KEY: KEY, SECRET_KEY_FILE: path }, /^SECRET_KEY and SECRET_KEY_FILE are both set/);
    fails({ SECRET_KEY_FILE: join(folder, "none") }, /^SECRET_KEY_FILE: .*none cannot be read: ENOENT/);
    fails({ SECRET_KEY_FILE: path }, /^SECRET_KEY must be 32 random bytes/);
    fails({}, /^PORT_FILE in .* is not a setting/, fileWith("port.env", `PORT_FILE=${path}\n`));
  });
});
