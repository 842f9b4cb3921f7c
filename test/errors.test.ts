import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

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

function codesInDocs(): Map<string, string[]> {
  const docs = readFileSync(join(root, "docs/errors.md"), "utf8");
  const rows = [...docs.matchAll(/^\| `([A-Z_]+)` \|.*\|(.*)\|$/gm)];
  return new Map(
    rows.map(([, code = "", fields = ""]) => [code, [...fields.matchAll(/`(\w+)`/g)].map(([, field = ""]) => field)]),
  );
}

test("docs/errors.md explains each error code, and nothing that is none", () => {
  const [source, docs] = [codesInSource(), codesInDocs()];
  assert.ok(source.size > 10);
  assert.deepEqual(
    [...source.keys()].filter((code) => !docs.has(code)),
    [],
    "codes without a row in docs/errors.md",
  );
  assert.deepEqual(
    [...docs.keys()].filter((code) => !source.has(code)),
    [],
    "rows of docs/errors.md without a code",
  );
});

test("docs/errors.md explains each field that an error has in extensions, and no other", () => {
  const docs = codesInDocs();
  for (const [code, fields] of codesInSource()) {
    // The id of the request is added to what is unexpected, and is no detail of an error.
    const shown = code === "INTERNAL" ? ["requestId"] : fields.filter((field) => !ELSEWHERE.includes(field));
    assert.deepEqual(docs.get(code)?.toSorted(), shown.toSorted(), code);
  }
});
