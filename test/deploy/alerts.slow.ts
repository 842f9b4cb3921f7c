import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { command, lacks } from "../faults/machine.ts";

const folder = join(import.meta.dirname, "../../deploy/prometheus");

test("O29 promtool: each alert fires and does not fire as rules.test.yml says", { skip: lacks(["promtool"]) }, (t) => {
  command("promtool", "check", "rules", join(folder, "rules.yml"));
  command("promtool", "test", "rules", join(folder, "rules.test.yml"));
  const copy = mkdtempSync(join(tmpdir(), "content-api-rules-"));
  t.after(() => rmSync(copy, { recursive: true }));
  cpSync(folder, copy, { recursive: true });
  const text = readFileSync(join(folder, "rules.yml"), "utf8");
  const deaf = text.replace("disk_size_bytes) < 0.1", "disk_size_bytes) < 0.01");
  assert.notEqual(deaf, text);
  writeFileSync(join(copy, "rules.yml"), deaf);
  assert.throws(() => command("promtool", "test", "rules", join(copy, "rules.test.yml")), "a rule that does not fire");
});
