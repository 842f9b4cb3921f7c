import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { version } from "../../bin/reference/pages.ts";
import { namesNow, readSince, sinceOf } from "../../bin/reference/since.ts";
import { loadSchema } from "../../src/graphql/documents/schema.ts";

const now = namesNow(loadSchema());

describe("since", () => {
  test("D08 the file has a version for each setting, command, option and field (npm run docs:reference)", () => {
    assert.deepEqual(readSince(), sinceOf(now, version).file);
  });

  test("D08 a new name gets this version, and a known one keeps its own", () => {
    const { schema = {} } = now;
    const names = { ...now, schema: { ...schema, Post: `${schema.Post} subtitle` } };
    const { since, file } = sinceOf(names, "9.9.9");
    assert.equal(since("schema", "Post", "subtitle"), "9.9.9");
    assert.equal(since("schema", "Post", "title"), "0.1.0");
    assert.deepEqual(file["9.9.9"], { schema: { Post: "subtitle" } });
    assert.throws(() => since("schema", "Post", "nothing"));
  });

  test("D08 the pages show it: every row of a field, a setting and an option ends with a version", () => {
    for (const name of ["settings", "commands", "graphql-types", "graphql-inputs", "audit"]) {
      const text = readFileSync(join(import.meta.dirname, `../../docs/reference/${name}.md`), "utf8");
      const tables = [...text.matchAll(/^\| .* \| since \|\n\| [- |]+\n((?:\| .*\n)+)/gm)];
      const rows = tables.flatMap(([, lines = ""]) => lines.trim().split("\n"));
      assert.ok(rows.length > 20, name);
      for (const row of rows) assert.match(row, / \| \d+\.\d+\.\d+ \|$/, `${name}: ${row}`);
    }
  });
});
