import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { OAUTH_ERRORS } from "../bin/reference/openapi/oauth-errors.ts";
import { ERROR_CODES } from "../src/domain/error-codes.ts";

const root = join(import.meta.dirname, "..");

/** Fields that answers have elsewhere than in `extensions`: in headers, and in `errors` of a payload. */
const ELSEWHERE = ["challenge", "scheme", "nonce", "scope", "broken"];

/** The codes of ErrorDetails with the fields that `extensions` shows, as the source has them. */
function codesInSource(): Map<string, string[]> {
  const source = readFileSync(join(root, "src/domain/errors.ts"), "utf8");
  const body = /interface ErrorDetails \{\n(.*?)\n\}/s.exec(source)?.[1] ?? "";
  const codes = [...body.matchAll(/^ {2}([A-Z_]+): (NoDetails|\{.*?\});/gms)];
  return new Map(
    codes.map(([, code = "", details = ""]) => [
      code,
      [...details.matchAll(/readonly (\w+)\??:/g)].map(([, field = ""]) => field),
    ]),
  );
}

function codesInTable(): Map<string, string[]> {
  return new Map(Object.entries(ERROR_CODES).map(([code, { extensions = {} }]) => [code, Object.keys(extensions)]));
}

test("error-codes.ts explains each field that an error has in extensions, and no other", () => {
  const table = codesInTable();
  const source = codesInSource();
  assert.ok(source.size > 10);
  assert.deepEqual([...table.keys()], [...source.keys()]);
  for (const [code, fields] of source) {
    // The id of the request is added to what is unexpected, and is no detail of an error.
    const shown = code === "INTERNAL" ? ["requestId"] : fields.filter((field) => !ELSEWHERE.includes(field));
    assert.deepEqual(table.get(code)?.toSorted(), shown.toSorted(), code);
  }
});

test("D03 each error code has an anchor of its own in docs/reference/errors.md", () => {
  const headings = [...readFileSync(join(root, "docs/reference/errors.md"), "utf8").matchAll(/^### (.+)$/gm)];
  const names = headings.map(([, name]) => name);
  assert.equal(new Set(names).size, names.length);
  for (const code of [...Object.keys(ERROR_CODES), ...Object.keys(OAUTH_ERRORS)]) assert.ok(names.includes(code), code);
});
