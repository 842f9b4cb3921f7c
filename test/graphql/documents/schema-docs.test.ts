import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
// @ts-expect-error: plain JavaScript
import { describeSchema } from "../../../bin/schema-docs.js";

test("docs/schema.md says what schema.graphql says (npm run docs:schema)", () => {
  const read = (file: string) => readFileSync(new URL(`../../../${file}`, import.meta.url), "utf8");
  assert.doesNotMatch(read("docs/schema.md"), /undefined/);
  assert.equal(read("docs/schema.md"), describeSchema(read("schema.graphql")));
});
