import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const FOLDER = import.meta.dirname;
const DOCUMENT = new URL("../../../docs/evidence/conformance.md", import.meta.url);

/** Names of modules, without the beginning that those of FAPI 2.0 share. */
const MODULE = /`(?:fapi2-security-profile-final-|…-)?((?:oidcc-)?[\w-]+)`/g;

test("each module that docs/evidence/conformance.md lists as our own has a test here", () => {
  const [, own = ""] = readFileSync(DOCUMENT, "utf8").split("\n## Our own tests\n");
  const sources = readdirSync(FOLDER)
    .filter((name) => name.endsWith(".ts") && name !== "document.test.ts")
    .map((name) => readFileSync(`${FOLDER}/${name}`, "utf8"))
    .join("\n");
  const rows = own.split("\n").filter((line) => line.startsWith("| ") && line.includes("`"));
  const named = rows.flatMap((row) => [...(row.split("|")[2] ?? "").matchAll(MODULE)].map(([, name = ""]) => name));
  assert.ok(named.length > 100, `${named.length} modules`);
  assert.deepEqual(
    named.filter((name) => name.includes("-") && !sources.includes(name) && !sources.includes(templateOf(name))),
    [],
    "listed, and without a test",
  );
});

/** The name as a test composes it, of a module for one of several values. */
function templateOf(name: string): string {
  return name.replace(/-\w+$/, "-${");
}
