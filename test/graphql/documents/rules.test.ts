import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parse, validate } from "graphql";
import { validationRules } from "../../../src/graphql/documents/rules.ts";
import { loadSchema } from "../../../src/graphql/documents/schema.ts";

const schema = loadSchema();
/** With it, no rule is left out, and nothing else is different. */
const EVERYTHING = "# ... @\n";

describe("the rules that a document has to keep", () => {
  for (const [what, text] of [
    ["nothing wrong", "{ posts(first: 1) { title } }"],
    ["an unknown field", "{ posts(first: 1) { nothing } }"],
    ["an unknown directive", "{ posts(first: 1) { title @nothing } }"],
    ["a directive twice", "{ posts(first: 1) { title @skip(if: true) @skip(if: true) } }"],
    ["a directive where it does not belong", "query @skip(if: true) { posts(first: 1) { title } }"],
    ["@defer where there is none", "mutation { ... @defer { updateProfile(input: {}) { __typename } } }"],
    ["@stream where there is none", "{ posts(first: 1) @stream { title } }"],
    ["an unknown fragment", "{ posts(first: 1) { ...nothing } }"],
    ["a fragment that nobody uses", "{ posts(first: 1) { title } } fragment a on Post { id }"],
    ["a fragment twice", "{ posts { ...a } } fragment a on Post { id } fragment a on Post { title }"],
    ["a fragment on a scalar", "{ posts { ... on String { length } } }"],
    ["a fragment on another type", "{ posts { ... on User { name } } }"],
    ["an argument that is missing", "{ user { name } }"],
    ["a variable that nobody uses", "query ($id: ID!) { posts { title } }"],
  ] as const) {
    test(`are the same however many are looked at: ${what}`, () => {
      const errors = (rulesFor: string) =>
        validate(schema, parse(text), validationRules(rulesFor, true)).map(({ message }) => message);
      assert.deepEqual(errors(text), errors(EVERYTHING));
      assert.equal(errors(text).length === 0, what === "nothing wrong");
    });
  }

  test("are fewer where there is less to look at", () => {
    const all = validationRules(EVERYTHING, true).length;
    assert.ok(validationRules("{ a }", true).length < validationRules("{ ...a }", true).length);
    assert.ok(validationRules("{ ...a }", true).length < all);
    assert.equal(validationRules(EVERYTHING, false).length, all + 1);
  });
});
