import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { readSources, writeDocuments } from "../../bin/studio-documents.js";

const root = join(import.meta.dirname, "../..");
const schema = readFileSync(join(root, "schema.graphql"), "utf8");

describe("documents of the studio", () => {
  test("the modules are what the .graphql files say (npm run docs:studio)", () => {
    for (const [name, text] of writeDocuments(schema, readSources()))
      assert.equal(readFileSync(join(root, "src/studio/browser/documents", name), "utf8"), text, name);
  });

  test("a field that is not in the schema is noticed", () => {
    const wrong = new Map([["wrong.graphql", "query Wrong { viewer { shoeSize } }"]]);
    assert.throws(() => writeDocuments(schema, wrong), /shoeSize/);
  });

  test("types say what may be null, missing or a list", () => {
    const text = `query Q($id: ID!, $first: Int = 3, $with: Boolean!) {
      node(id: $id) { ... on Post { title } }
      posts(first: $first) { id author @include(if: $with) { name } }
    }`;
    const written = writeDocuments(schema, new Map([["q.graphql", text]])).get("q.ts") ?? "";
    for (const line of [
      "readonly node: {\n    readonly title?: string;\n  } | null;",
      "readonly posts: readonly {\n    readonly id: string;\n    readonly author?: {",
      "readonly id: string;\n  readonly first?: number | null;\n  readonly with: boolean;",
    ])
      assert.ok(written.includes(line), `${line}\n\n${written}`);
  });

  test("fragments are types of their own, which others name", () => {
    const text = `fragment Facts on Post { id author { name } }
    fragment Texts on Post { ...Facts title }
    fragment Page on PostConnection { nodes { id } }
    query Q($id: ID!, $with: Boolean!) {
      node(id: $id) { ...Texts }
      post(id: $id) { ...Texts body }
      posts { ...Facts @include(if: $with) }
      more: posts { ...Facts author { id } }
      postsConnection { ...Page nodes { title } }
    }`;
    const written = writeDocuments(schema, new Map([["q.graphql", text]])).get("q.ts") ?? "";
    for (const line of [
      "export interface Facts {\n  readonly id: string;\n  readonly author: {\n    readonly name: string;\n  };\n}",
      "export type Texts = (Facts & {\n  readonly title: string;\n});",
      "readonly node: Partial<Texts> | null;",
      "readonly post: (Texts & {\n    readonly body: string;\n  }) | null;",
      "readonly posts: readonly Partial<Facts>[];",
      // The two parts of one object are joined.
      "readonly more: readonly {\n    readonly id: string;\n    readonly author: {\n      readonly name: string;\n      readonly id: string;",
      "readonly nodes: readonly {\n      readonly id: string;\n      readonly title: string;\n    }[];",
    ])
      assert.ok(written.includes(line), `${line}\n\n${written}`);
  });
});
