import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

test("docs/errors.md explains exactly the error codes that there are", () => {
  const root = join(import.meta.dirname, "..");
  const union =
    /export type ErrorCode =([^;]+);/.exec(readFileSync(join(root, "src/domain/errors.ts"), "utf8"))?.[1] ?? "";
  const codes = [...union.matchAll(/"([A-Z_]+)"/g)].map((match) => match[1]).sort();
  const documented = [...readFileSync(join(root, "docs/errors.md"), "utf8").matchAll(/^\| `([A-Z_]+)`/gm)]
    .map((match) => match[1])
    .sort();
  assert.ok(codes.length > 10);
  assert.deepEqual(documented, codes);
});
