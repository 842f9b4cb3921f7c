import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Compares with a file in the folder `golden` beside the test. `GOLDEN=write` writes it: read the difference before you commit it.
 *
 * @param folder `import.meta.dirname` of the test
 */
export function assertGolden(folder: string, name: string, text: string): void {
  const file = join(folder, "golden", name);
  if (process.env.GOLDEN === "write") writeFileSync(file, text);
  assert.equal(text, readFileSync(file, "utf8"));
}
