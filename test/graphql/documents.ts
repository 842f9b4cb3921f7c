import fc from "fast-check";

/** A generated request, valid by construction. */
export interface GeneratedRequest {
  readonly query: string;
  readonly variables: Record<string, unknown>;
}

type TypeName = "Query" | "User" | "Post";

type Selection =
  | {
      readonly kind: "field";
      readonly text: string;
      readonly directive: string;
      readonly selections: readonly Selection[] | null;
    }
  | {
      readonly kind: "inline";
      readonly on: TypeName | null;
      readonly directive: string;
      readonly selections: readonly Selection[];
    }
  | { readonly kind: "spread"; readonly name: string; readonly directive: string };

/**
 * Fields by type, each with the type of its selections. One response key always stands for one field with the same
 * arguments, so that documents never conflict and often merge. `ID0` and `ID1` become identifiers of people.
 */
const FIELDS: Readonly<Record<TypeName, readonly (readonly [text: string, type: TypeName | null])[]>> = {
  Query: [
    ["user(id: $id)", "User"],
    ["first: user(id: ID0)", "User"],
    ["second: user(id: ID1)", "User"],
    ['nobody: user(id: "\' or 1=1")', "User"],
    ["number: user(id: 5)", "User"],
    ["posts", "Post"],
    ["few: posts(first: 2)", "Post"],
    ["some: posts(first: $some)", "Post"],
    ["other: posts(first: $other)", "Post"],
    ["every: posts(first: null)", "Post"],
    ["none: posts(first: 0)", "Post"],
    ["__typename", null],
    ['type: __type(name: "Post") { name kind }', null],
    ["__schema { queryType { name } }", null],
  ],
  User: [
    ["id", null],
    ["name", null],
    ["email", null],
    ["label: name", null],
    ["__typename", null],
    ["kind: __typename", null],
    ["posts", "Post"],
    ["latest: posts(first: 1)", "Post"],
    ["some: posts(first: $some)", "Post"],
    ["other: posts(first: $other)", "Post"],
    ["none: posts(first: 0)", "Post"],
  ],
  Post: [
    ["id", null],
    ["title", null],
    ["body", null],
    ["createdAt", null],
    ["label: title", null],
    ["__typename", null],
    ["author", "User"],
    ["writer: author", "User"],
  ],
};

const VARIABLES: Readonly<Record<string, string>> = {
  id: "ID!",
  some: "Int",
  other: "Int = 3",
  yes: "Boolean!",
  maybe: "Boolean! = true",
};

const FRAGMENTS_PER_TYPE = 2;

const directive = fc.oneof(
  { weight: 6, arbitrary: fc.constant("") },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      " @skip(if: $yes)",
      " @include(if: $yes)",
      " @include(if: $maybe)",
      " @skip(if: false)",
      " @include(if: false)",
      " @skip(if: $maybe) @include(if: $yes)",
    ),
  },
);

/** Selections of one object. Fragments spread only fragments of a higher level, so there is no cycle. */
function selections(type: TypeName, depth: number, level: number): fc.Arbitrary<readonly Selection[]> {
  const fields = FIELDS[type].filter(([, child]) => child === null || depth > 0);
  const field = fc.constantFrom(...fields).chain(([text, child]): fc.Arbitrary<Selection> => {
    const inner = child === null ? fc.constant(null) : fc.noShrink(selections(child, depth - 1, level));
    return fc.record({ kind: fc.constant("field" as const), text: fc.constant(text), directive, selections: inner });
  });
  const kinds: fc.WeightedArbitrary<Selection>[] = [{ weight: 8, arbitrary: field }];
  if (depth > 0) {
    kinds.push({
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant("inline" as const),
        on: fc.constantFrom(type, null),
        directive,
        selections: fc.constant(null).chain(() => selections(type, depth - 1, level)),
      }),
    });
  }
  for (let other = level; other < FRAGMENTS_PER_TYPE; other++) {
    kinds.push({
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant("spread" as const), name: fc.constant(`${type}${other}`), directive }),
    });
  }
  return fc.array(fc.oneof(...kinds), { minLength: 1, maxLength: 5 });
}

interface Parts {
  readonly root: readonly Selection[];
  readonly fragments: ReadonlyMap<string, readonly Selection[]>;
}

const parts: fc.Arbitrary<Parts> = fc
  .record({
    root: selections("Query", 4, 0),
    fragments: fc.record(
      Object.fromEntries(
        (["Query", "User", "Post"] as const).flatMap((type) =>
          Array.from({ length: FRAGMENTS_PER_TYPE }, (_, level) => [`${type}${level}`, selections(type, 2, level + 1)]),
        ),
      ),
    ),
  })
  .map(({ root, fragments }) => ({ root, fragments: new Map(Object.entries(fragments)) }));

export const generatedRequests: fc.Arbitrary<(ids: readonly string[]) => GeneratedRequest> = fc
  .record({
    parts,
    who: fc.nat(5),
    some: fc.constantFrom(undefined, null, 0, 1, 5, 100),
    other: fc.constantFrom(undefined, null, 0, 2, 100),
    yes: fc.boolean(),
    maybe: fc.constantFrom(undefined, true, false),
  })
  .map(({ parts: { root, fragments }, who, ...values }) => (ids: readonly string[]) => {
    const used = new Set<string>();
    const id = (index: number) => ids[index] ?? "01990000-0000-7000-8000-000000000000";
    const text = print(root, fragments, used);
    const definitions = [...used].map(
      (name) => `fragment ${name} on ${name.slice(0, -1)} ${print(fragments.get(name) ?? [], fragments, used)}`,
    );
    const body = [text, ...definitions]
      .join("\n")
      .replaceAll(/ID(\d)/g, (_, index) => JSON.stringify(id(Number(index))));
    const names = Object.keys(VARIABLES).filter((name) => new RegExp(`\\$${name}\\b`).test(body));
    const head = names.length === 0 ? "" : `query (${names.map((name) => `$${name}: ${VARIABLES[name]}`).join(", ")}) `;
    return { query: head + body, variables: { id: id(who), ...values } };
  });

/** Notes in `used` every fragment that can be reached. */
function print(selected: readonly Selection[], fragments: Parts["fragments"], used: Set<string>): string {
  const lines = selected.map((selection) => {
    if (selection.kind === "field") {
      const inner = selection.selections === null ? "" : ` ${print(selection.selections, fragments, used)}`;
      // Directives stand before a selection set that is part of the text.
      const brace = selection.text.indexOf("{");
      if (brace === -1) return selection.text + selection.directive + inner;
      return `${selection.text.slice(0, brace)}${selection.directive} ${selection.text.slice(brace)}`;
    }
    if (selection.kind === "inline") {
      const on = selection.on === null ? "" : ` on ${selection.on}`;
      return `...${on}${selection.directive} ${print(selection.selections, fragments, used)}`;
    }
    if (!used.has(selection.name)) {
      used.add(selection.name);
      print(fragments.get(selection.name) ?? [], fragments, used);
    }
    return `...${selection.name}${selection.directive}`;
  });
  return `{ ${lines.join(" ")} }`;
}
