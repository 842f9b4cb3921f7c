import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import {
  BREAK,
  type DocumentNode,
  parse,
  specifiedRules,
  type ValidationRule,
  validate as validateOfGraphQL,
} from "graphql";
import { assertDocumentLimits } from "../../../src/graphql/documents/limits.ts";
import { validationRules } from "../../../src/graphql/documents/rules.ts";
import { loadSchema } from "../../../src/graphql/documents/schema.ts";
import { validate } from "../../../src/graphql/documents/validate.ts";
import { generatedRequests } from "../documents.ts";
import { DEFAULTS } from "../server.ts";

const schema = loadSchema();
const NAMES = { people: ["p"], posts: ["q"], cursors: ["c"], own: ["o"], times: ["2026-01-01T00:00:00Z"] };

function sameErrors(document: DocumentNode, rules: readonly ValidationRule[], maxErrors = 10): number {
  const options = { maxErrors, hideSuggestions: false };
  const errors = validate(schema, document, rules, options);
  assert.deepEqual(
    errors.map((error) => error.toJSON()),
    validateOfGraphQL(schema, document, rules, options).map((error) => error.toJSON()),
  );
  return errors.length;
}

describe("validation finds what graphql-js finds", () => {
  test("in documents with a word too many, too few, or in another place", () => {
    let wrong = 0;
    fc.assert(
      fc.property(
        generatedRequests,
        fc.nat(),
        fc.nat(),
        fc.constantFrom("drop", "repeat", "move"),
        (make, a, b, how) => {
          const words = make(NAMES).query.match(/\.\.\.|[$@]?\w+|"[^"]*"|\S/g) ?? [];
          const [from, to] = [a % words.length, b % words.length];
          const word = words[from] ?? "";
          if (how !== "repeat") words.splice(from, 1);
          if (how !== "drop") words.splice(to, 0, word);
          const text = words.join(" ");
          let document: DocumentNode;
          try {
            document = parse(text);
            assertDocumentLimits(document, DEFAULTS);
          } catch {
            return;
          }
          for (const rules of [specifiedRules, validationRules(text, false)]) {
            if (sameErrors(document, rules) > 0) wrong++;
          }
        },
      ),
      { numRuns: 500 },
    );
    assert.ok(wrong > 20, `only ${wrong} had errors`);
  });

  test("in documents with more errors than are told, and with descriptions", () => {
    const fields = Array.from({ length: 20 }, (_, i) => `no${i}`).join(" ");
    assert.equal(sameErrors(parse(`{ posts { ${fields} } }`), specifiedRules), 11);
    assert.equal(sameErrors(parse(`{ posts { ${fields} } }`), specifiedRules, 100), 20);
    assert.equal(
      sameErrors(parse(`"""What it is for: \\u0000""" query A { posts { no } }`), validationRules("", true)),
      1,
    );
  });

  test("with a rule that has seen enough, of a node or of all, and one that looks at every kind", () => {
    const seen: string[] = [];
    const rule: ValidationRule = () => ({
      enter: (node) => void seen.push(`into ${node.kind}`),
      leave: (node) => void seen.push(`out of ${node.kind}`),
      Field: {
        enter(node) {
          seen.push(node.name.value);
          return node.name.value === "user" ? false : undefined;
        },
        leave(node) {
          seen.push(`after ${node.name.value}`);
          return node.name.value === "title" ? BREAK : undefined;
        },
      },
    });
    const document = parse(`{ user(id: "1") { name } posts { id title author { id } } }`);
    sameErrors(document, [rule]);
    const half = seen.length / 2;
    assert.deepEqual(seen.slice(0, half), seen.slice(half));
    assert.deepEqual(
      seen.slice(0, half).filter((what) => !what.includes(" ")),
      ["user", "posts", "id", "title"],
    );
  });

  test("a fault in a rule is no error of the document", () => {
    const rule: ValidationRule = () => ({
      Field() {
        throw new TypeError("broken");
      },
    });
    assert.throws(
      () => validate(schema, parse("{ posts { id } }"), [rule], { maxErrors: 10, hideSuggestions: true }),
      /broken/,
    );
  });
});
