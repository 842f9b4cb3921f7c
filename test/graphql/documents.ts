import fc from "fast-check";

/** A generated request, valid by construction. */
export interface GeneratedRequest {
  readonly query: string;
  readonly variables: Record<string, unknown>;
}

type TypeName =
  | "Query"
  | "User"
  | "Post"
  | "Node"
  | "PostConnection"
  | "PostEdge"
  | "UserConnection"
  | "UserEdge"
  | "WorkingCopy"
  | "PostRevision"
  | "PostRevisionConnection"
  | "PostRevisionEdge"
  | "PageInfo";

/** The types with fragments of their own. */
const NAMED = ["Query", "User", "Post", "Node", "PostConnection"] as const;

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
 * arguments, so that documents never conflict and often merge. `ID0` and `ID1` become identifiers of people, `ID2` to `ID4`
 * of posts, `CURSOR` one of `posts`, and `MINE` one of `User.posts`.
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
    ["viewer", "User"],
    ["post(id: ID2)", "Post"],
    ["other_post: post(id: ID3)", "Post"],
    ["node(id: $id)", "Node"],
    ["post_node: node(id: ID4)", "Node"],
    ['nodes(ids: [ID0, ID2, ID3, ID2, "none"])', "Node"],
    ["users", "User"],
    ["named: users(first: 2, orderBy: {field: NAME})", "User"],
    ["asked: users(first: $some, orderBy: $people)", "User"],
    ["usersConnection(first: $some)", "UserConnection"],
    ["last_users: usersConnection(last: 2, orderBy: {field: NAME, direction: DESC})", "UserConnection"],
    ["drafts: posts(filter: {status: [DRAFT, ARCHIVED]})", "Post"],
    ["all: posts(filter: {status: [DRAFT, PUBLISHED, ARCHIVED]}, first: $some, after: CURSOR)", "Post"],
    ["filtered: posts(filter: $filter, orderBy: $order)", "Post"],
    ['found: posts(filter: {search: "red", status: $status})', "Post"],
    ["old: posts(first: 3, orderBy: {field: UPDATED_AT, direction: ASC})", "Post"],
    ["postsConnection(first: $some, after: $after)", "PostConnection"],
    ["backwards: postsConnection(last: $other, before: CURSOR)", "PostConnection"],
    ["between: postsConnection(first: 3, after: CURSOR, before: $before)", "PostConnection"],
    ["filtered_too: postsConnection(filter: $filter, last: $last, orderBy: $order)", "PostConnection"],
    ['searched: postsConnection(filter: {search: "gre* blue", author: $id}, first: 2)', "PostConnection"],
    ["__typename", null],
    ['type: __type(name: "Post") { name kind }', null],
    ["__schema { queryType { name } }", null],
  ],
  User: [
    ["id", null],
    ["name", null],
    ["email", null],
    ["createdAt", null],
    ["updatedAt", null],
    ["version", null],
    ["label: name", null],
    ["postsConnection(first: 2)", "PostConnection"],
    ["mine: postsConnection(last: $other, before: MINE, filter: {status: $status})", "PostConnection"],
    ["filtered: posts(filter: $filter, first: 3)", "Post"],
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
    ["updatedAt", null],
    ["publishedAt", null],
    ["publishAt", null],
    ["status", null],
    ["version", null],
    ["slug", null],
    ["excerpt", null],
    ["wordCount", null],
    ["bodyHtml", null],
    ["label: title", null],
    ["__typename", null],
    ["author", "User"],
    ["writer: author", "User"],
    ["viewerCanUpdate", null],
    ["workingCopy", "WorkingCopy"],
    ["revisions", "PostRevisionConnection"],
    ["last_revision: revisions(first: 1)", "PostRevisionConnection"],
  ],
  Node: [
    ["id", null],
    ["__typename", null],
    ["kind: __typename", null],
  ],
  PostConnection: [
    ["totalCount", null],
    ["nodes", "Post"],
    ["edges", "PostEdge"],
    ["links: edges", "PostEdge"],
    ["pageInfo", "PageInfo"],
    ["__typename", null],
  ],
  PostEdge: [
    ["node", "Post"],
    ["cursor", null],
    ["__typename", null],
  ],
  UserConnection: [
    ["totalCount", null],
    ["nodes", "User"],
    ["edges", "UserEdge"],
    ["pageInfo", "PageInfo"],
  ],
  UserEdge: [
    ["node", "User"],
    ["cursor", null],
  ],
  WorkingCopy: [
    ["title", null],
    ["body", null],
    ["slug", null],
    ["excerpt", null],
    ["version", null],
    ["baseVersion", null],
    ["updatedAt", null],
    ["updatedBy", "User"],
    ["__typename", null],
  ],
  PostRevision: [
    ["id", null],
    ["version", null],
    ["kind", null],
    ["createdAt", null],
    ["status", null],
    ["title", null],
    ["body", null],
    ["slug", null],
    ["excerpt", null],
    ["clientId", null],
    ["person", "User"],
    ["__typename", null],
  ],
  PostRevisionConnection: [
    ["nodes", "PostRevision"],
    ["edges", "PostRevisionEdge"],
    ["pageInfo", "PageInfo"],
    ["__typename", null],
  ],
  PostRevisionEdge: [
    ["node", "PostRevision"],
    ["cursor", null],
    ["__typename", null],
  ],
  PageInfo: [
    ["hasNextPage", null],
    ["hasPreviousPage", null],
    ["startCursor", null],
    ["endCursor", null],
    ["__typename", null],
  ],
};

const VARIABLES: Readonly<Record<string, string>> = {
  id: "ID!",
  some: "Int",
  other: "Int = 3",
  yes: "Boolean!",
  maybe: "Boolean! = true",
  people: "UserOrder",
  order: "PostOrder",
  filter: "PostFilter",
  status: "[PostStatus!]",
  after: "String",
  before: "String",
  last: "Int",
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
        on: fc.constantFrom<TypeName | null>(type, null),
        directive,
        selections: fc.constant(null).chain(() => selections(type, depth - 1, level)),
      }),
    });
  }
  // An object behind the interface, and the interface on an object.
  if (depth > 0 && ["Node", "User", "Post"].includes(type)) {
    const others = type === "Node" ? (["User", "Post"] as const) : (["Node"] as const);
    for (const other of others) {
      const inner = fc.constant(null).chain(() => selections(other, depth - 1, level));
      const on = fc.constant(other);
      kinds.push({
        weight: type === "Node" ? 4 : 1,
        arbitrary: fc.record({ kind: fc.constant("inline" as const), on, directive, selections: inner }),
      });
    }
  }
  const isNamed = NAMED.some((name) => name === type);
  for (let other = level; isNamed && other < FRAGMENTS_PER_TYPE; other++) {
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
        NAMED.flatMap((type) =>
          Array.from({ length: FRAGMENTS_PER_TYPE }, (_, level) => [`${type}${level}`, selections(type, 2, level + 1)]),
        ),
      ),
    ),
  })
  .map(({ root, fragments }) => ({ root, fragments: new Map(Object.entries(fragments)) }));

/** What a generated request may name. */
export interface Names {
  readonly people: readonly string[];
  readonly posts: readonly string[];
  /** Of `posts` and of `User.posts`, newest first. */
  readonly cursors: readonly string[];
  readonly own: readonly string[];
  /** Moments at which something was written. */
  readonly times: readonly string[];
}

const NOBODY = "01990000-0000-7000-8000-000000000000";

const maybeNull = <Value>(arbitrary: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 3, arbitrary }, { weight: 1, arbitrary: fc.constantFrom(undefined, null) });
const direction = fc.constantFrom(undefined, "ASC", "DESC");
const statuses = maybeNull(fc.subarray(["DRAFT", "PUBLISHED", "ARCHIVED"]));
const moment = maybeNull(fc.nat(20));

export const generatedRequests: fc.Arbitrary<(names: Names) => GeneratedRequest> = fc
  .record({
    parts,
    who: fc.nat(5),
    some: fc.constantFrom(undefined, null, 0, 1, 5, 100),
    other: fc.constantFrom(undefined, null, 0, 2, 100),
    yes: fc.boolean(),
    maybe: fc.constantFrom(undefined, true, false),
    people: maybeNull(fc.record({ field: fc.constantFrom("CREATED_AT", "NAME"), direction })),
    order: maybeNull(fc.record({ field: fc.constantFrom("CREATED_AT", "UPDATED_AT", "PUBLISHED_AT"), direction })),
    filter: maybeNull(
      fc.record({
        author: maybeNull(fc.nat(5)),
        status: statuses,
        createdAt: maybeNull(fc.record({ from: moment, until: moment })),
        updatedAt: maybeNull(fc.record({ from: moment, until: moment })),
        hasWorkingCopy: maybeNull(fc.boolean()),
      }),
    ),
    status: statuses,
    after: maybeNull(fc.nat(12)),
    before: maybeNull(fc.nat(12)),
    last: fc.constantFrom(undefined, null, 0, 1, 3, 100),
  })
  .map(({ parts: { root, fragments }, who, filter, after, before, ...values }) => (names: Names) => {
    const used = new Set<string>();
    const ids = [names.people[0], names.people[1], names.posts[0], names.posts[2], names.posts[5]];
    const id = (index: number) => ids[index] ?? NOBODY;
    const at = <Value>(list: readonly Value[], index: number | null | undefined) =>
      index == null ? index : list[index % Math.max(1, list.length)];
    const range = (given: { from: number | null | undefined; until: number | null | undefined } | null | undefined) =>
      given && { from: at(names.times, given.from), until: at(names.times, given.until) };
    const given = filter && {
      author: at([...names.people, NOBODY], filter.author),
      status: filter.status,
      createdAt: range(filter.createdAt),
      updatedAt: range(filter.updatedAt),
      hasWorkingCopy: filter.hasWorkingCopy,
    };
    const text = print(root, fragments, used);
    const definitions = [...used].map(
      (name) => `fragment ${name} on ${name.slice(0, -1)} ${print(fragments.get(name) ?? [], fragments, used)}`,
    );
    const body = [text, ...definitions]
      .join("\n")
      .replaceAll(/ID(\d)/g, (_, index) => JSON.stringify(id(Number(index))))
      .replaceAll("CURSOR", JSON.stringify(names.cursors[3] ?? null))
      .replaceAll("MINE", JSON.stringify(names.own[1] ?? null));
    const variables = Object.keys(VARIABLES).filter((name) => new RegExp(`\\$${name}\\b`).test(body));
    const declared = variables.map((name) => `$${name}: ${VARIABLES[name]}`).join(", ");
    const head = variables.length === 0 ? "" : `query (${declared}) `;
    const cursors = { after: at(names.cursors, after), before: at(names.cursors, before) };
    return { query: head + body, variables: withoutUndefined({ id: id(who), ...values, filter: given, ...cursors }) };
  });

/** As JSON has it: what is undefined is not sent. */
function withoutUndefined(variables: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(variables));
}

/** Notes in `used` every fragment that can be reached. */
function print(selected: readonly Selection[], fragments: Parts["fragments"], used: Set<string>): string {
  const lines = selected.map((selection) => {
    if (selection.kind === "field") {
      const inner = selection.selections === null ? "" : ` ${print(selection.selections, fragments, used)}`;
      // Directives stand before a selection set that is part of the text.
      const brace = selection.text.indexOf("{");
      if (brace === -1 || selection.selections !== null) return selection.text + selection.directive + inner;
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
