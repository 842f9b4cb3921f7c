import assert from "node:assert/strict";
import { after, test } from "node:test";
import fc from "fast-check";
import type { Viewer } from "../../src/domain/viewer.ts";
import type { ToolResult } from "../../src/mcp/protocol/service.ts";
import { callBy, type GraphQLAnswer, openTestContent, structured, withScopes } from "./content.ts";

const SCOPES = ["posts:read", "users:read", "posts:draft", "posts:write"] as const;
const STATUSES = ["DRAFT", "PUBLISHED", "ARCHIVED"] as const;

type Tool = keyof typeof COMPARED;

/** For each way to read: the GraphQL document that shows the same, and what of both must be equal. */
const COMPARED = {
  get_post: {
    document: "query ($id: ID!) { post(id: $id) { id title body status version } }",
    graphql: ({ post }: GraphQLAnswer) => post && [post.id, post.title, post.body, post.status, post.version],
    tool: (post: GraphQLAnswer) => [post.id, post.title, post.text, post.status, post.version],
  },
  fetch: {
    document: "query ($id: ID!) { post(id: $id) { id title body } }",
    graphql: ({ post }: GraphQLAnswer) => post && [post.id, post.title, post.body],
    tool: (post: GraphQLAnswer) => [post.id, post.title, post.text],
  },
  search: {
    document: "query ($search: String!) { posts(first: 20, filter: { search: $search }) { id title } }",
    graphql: ({ posts }: GraphQLAnswer) => posts.map(({ id, title }: GraphQLAnswer) => [id, title]),
    tool: ({ results }: GraphQLAnswer) => results.map(({ id, title }: GraphQLAnswer) => [id, title]),
  },
  list_posts: {
    document:
      "query ($author: ID, $status: PostStatus!) { posts(first: 20, filter: { author: $author, status: [$status] }) { id title status } }",
    graphql: ({ posts }: GraphQLAnswer) => posts.map(({ id, title, status }: GraphQLAnswer) => [id, title, status]),
    tool: ({ posts }: GraphQLAnswer) => posts.map(({ id, title, status }: GraphQLAnswer) => [id, title, status]),
  },
  list_people: {
    document: "query { users(first: 20, orderBy: { field: NAME }) { id name } }",
    graphql: ({ users }: GraphQLAnswer) => users.map(({ id, name }: GraphQLAnswer) => [id, name]),
    tool: ({ people }: GraphQLAnswer) => people.map(({ id, name }: GraphQLAnswer) => [id, name]),
  },
  get_person: {
    document: "query ($author: ID!) { user(id: $author) { id name createdAt } }",
    graphql: ({ user }: GraphQLAnswer) => user && [user.id, user.name, user.createdAt],
    tool: (person: GraphQLAnswer) => [person.id, person.name, person.createdAt],
  },
  post_resource: {
    document: "query ($id: ID!) { post(id: $id) { body } }",
    graphql: ({ post }: GraphQLAnswer) => post && [post.body],
    tool: ({ text }: GraphQLAnswer) => [text],
  },
  person_resource: {
    document: "query ($author: ID!) { user(id: $author) { id name createdAt } }",
    graphql: ({ user }: GraphQLAnswer) => user && [user.id, user.name, user.createdAt],
    tool: ({ text }: GraphQLAnswer) => Object.values(JSON.parse(text)),
  },
} as const;

/** @param runs comparisons */
export async function compareVisibility(runs: number): Promise<void> {
  const content = await openTestContent();
  after(() => content.close());
  const people: Viewer[] = [];
  const posts: { id: string; author: Viewer }[] = [];
  for (const role of ["member", "member", "member", "editor", "admin"] as const) {
    const author = await content.person(role);
    people.push(author);
    for (const status of STATUSES) {
      const id = await content.post(author, {
        title: `A ${status} table`,
        status: status === "DRAFT" ? status : "PUBLISHED",
      });
      if (status === "ARCHIVED") await content.call(author, "archive_post", { id });
      posts.push({ id, author });
    }
  }
  people.push({ userId: null, role: null, clientId: "itself", scopes: new Set() });

  /** The content that a caller gets by a tool, in part; null for nothing; or the scopes that are missing. */
  async function byTool(viewer: Viewer, tool: Tool, args: Record<string, string>): Promise<unknown> {
    try {
      let shown: GraphQLAnswer;
      if (tool === "post_resource" || tool === "person_resource") {
        const uri = tool === "post_resource" ? `post://${args.id}` : `user://${args.author}`;
        [shown] = await content.service.readResource(callBy(viewer), uri);
      } else {
        const taken = TAKEN[tool];
        const result = await content.call(viewer, tool, taken(args));
        if ("isError" in (result as ToolResult)) return null;
        shown = structured(result);
      }
      return COMPARED[tool].tool(shown);
    } catch (error) {
      const { details, code } = error as { details?: { scopes?: string[] }; code: unknown };
      if (code === -32_602) return null;
      return { missing: details?.scopes?.filter((scope) => !viewer.scopes.has(scope)) };
    }
  }

  async function byGraphQL(viewer: Viewer, tool: Tool, variables: object): Promise<unknown> {
    const { json } = await content.query(viewer, COMPARED[tool].document, variables);
    if (json.errors === undefined) return COMPARED[tool].graphql(json.data);
    return { missing: json.errors[0].extensions.scopes.filter((scope: string) => !viewer.scopes.has(scope)) };
  }

  await test(`A34 tools show what GraphQL shows (${runs} random calls)`, async () => {
    let seen = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...people),
        fc.subarray([...SCOPES]),
        fc.constantFrom(...posts),
        fc.constantFrom(...STATUSES),
        fc.constantFrom(...(Object.keys(COMPARED) as Tool[])),
        async (person, scopes, { id, author }, status, tool) => {
          const viewer = withScopes(person, scopes);
          const args = { id, author: author.userId as string, status, search: "table" };
          const expected = await byGraphQL(viewer, tool, args);
          assert.deepEqual(
            await byTool(viewer, tool, args),
            expected,
            `${tool} ${JSON.stringify([args, person, scopes])}`,
          );
          if (Array.isArray(expected) && expected.length > 0) seen++;
        },
      ),
      { numRuns: runs },
    );
    assert.ok(seen > runs / 10, "many of the calls must have something to show");
  });
}

const TAKEN: Readonly<
  Record<Exclude<Tool, `${string}_resource`>, (args: Record<string, string>) => Record<string, string | number>>
> = {
  get_post: ({ id = "" }) => ({ id }),
  fetch: ({ id = "" }) => ({ id }),
  search: () => ({ query: "table", first: 20 }),
  list_posts: ({ author = "", status = "" }) => ({ author, status }),
  list_people: () => ({}),
  get_person: ({ author = "" }) => ({ id: author }),
};
