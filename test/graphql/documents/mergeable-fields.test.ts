import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { buildSchema, OverlappingFieldsCanBeMergedRule, parse, validate } from "graphql";
import { MergeableFieldsRule } from "../../../src/graphql/documents/mergeable-fields.ts";

const schema = buildSchema(`
  interface Node { id: ID! name: String child(a: Int): Node }
  type A implements Node { id: ID! name: String child(a: Int): Node only: Int list: [Int] a: A }
  type B implements Node { id: ID! name: String child(a: Int): Node only: String! list: [Int!] a: A }
  union Any = A | B
  type Query { node(id: ID): Node a: A b: B any: Any }
`);

type TypeName = "Query" | "Node" | "A" | "B" | "Any";

const LEAVES: Readonly<Record<TypeName, readonly string[]>> = {
  Query: ["__typename"],
  Node: ["id", "name", "x: id", "x: name", "name: id"],
  A: ["id", "name", "only", "x: only", "list", "x: list", "x: id"],
  B: ["id", "name", "only", "x: only", "list", "x: list", "x: name"],
  Any: ["__typename"],
};
const LINKS: Readonly<Record<TypeName, readonly (readonly [text: string, type: TypeName])[]>> = {
  Query: [
    ["node", "Node"],
    ["node(id: 1)", "Node"],
    ["a", "A"],
    ["b", "B"],
    ["any", "Any"],
    ["n: a", "A"],
    ["n: b", "B"],
    ["n: node", "Node"],
  ],
  Node: [
    ["child", "Node"],
    ["child(a: 1)", "Node"],
  ],
  A: [
    ["child", "Node"],
    ["child(a: 1)", "Node"],
    ["a", "A"],
    ["child: a", "A"],
  ],
  B: [
    ["child", "Node"],
    ["child(a: 2)", "Node"],
    ["a", "A"],
    ["x: a", "A"],
  ],
  Any: [],
};
const CONDITIONS: Readonly<Record<TypeName, readonly TypeName[]>> = {
  Query: ["Query"],
  Node: ["Node", "A", "B"],
  A: ["A", "Node"],
  B: ["B", "Node"],
  Any: ["A", "B", "Node"],
};

function selectionSet(type: TypeName, depth: number, spread: boolean): fc.Arbitrary<string> {
  const options: fc.Arbitrary<string>[] = [fc.constantFrom(...LEAVES[type])];
  if (depth > 0) {
    for (const [text, child] of LINKS[type])
      options.push(selectionSet(child, depth - 1, spread).map((inner) => `${text} ${inner}`));
    for (const condition of CONDITIONS[type]) {
      options.push(selectionSet(condition, depth - 1, spread).map((inner) => `... on ${condition} ${inner}`));
    }
  }
  if (spread && type !== "Query") options.push(fc.constantFrom("...OnA", "...OnB", "...OnNode"));
  return fc.array(fc.oneof(...options), { minLength: 1, maxLength: 2 }).map((parts) => `{ ${parts.join(" ")} }`);
}

const documents = fc
  .record({
    root: selectionSet("Query", 3, true),
    a: selectionSet("A", 1, false),
    b: selectionSet("B", 1, false),
    node: selectionSet("Node", 1, false),
  })
  .map(({ root, a, b, node }) => {
    const fragments = [`fragment OnA on A ${a}`, `fragment OnB on B ${b}`, `fragment OnNode on Node ${node}`];
    return [root, ...fragments.filter((fragment) => root.includes(`...${fragment.split(" ")[1]}`))].join("\n");
  });

describe("mergeable fields", () => {
  test("the same documents are refused as by graphql-js", () => {
    let refused = 0;
    fc.assert(
      fc.property(documents, (text) => {
        const document = parse(text);
        const theirs = validate(schema, document, [OverlappingFieldsCanBeMergedRule]).length > 0;
        const ours = validate(schema, document, [MergeableFieldsRule]).length > 0;
        assert.equal(ours, theirs);
        if (theirs) refused++;
      }),
      { numRuns: 1_000 },
    );
    assert.ok(refused > 100 && refused < 900, `${refused} of 1,000 refused`);
  });

  test("I07 a field repeated hundreds of times takes no quadratic time", () => {
    const document = parse(`{ ${"a { id child { id } } ".repeat(3_000)} }`);
    const started = performance.now();
    assert.deepEqual(validate(schema, document, [MergeableFieldsRule]), []);
    assert.ok(performance.now() - started < 2_000, `${performance.now() - started} ms`);
  });
});
