import { badInput } from "../../domain/errors.ts";
import type { JsonObject, ToolResult } from "../protocol/service.ts";
import { postUrl } from "./post-fields.ts";
import { INTEGER, id, input, integer, output, POST_STATUSES, STRING, text, WRITES } from "./schemas.ts";
import type { ContentTool, Work } from "./tool.ts";

const TITLE = text("Title in plain text.", 1, 300);
const BODY = text("Markdown.", 0, 1_048_576);
const WHEN_ASKED = "Use it only when the person asks for it.";
const EXPECTED_VERSION = "Version of the post that was read. Another one makes the change fail.";

const WRITTEN = "id status version";
const ERRORS = "errors { message field }";
const CREATE = `
  mutation ($title: String!, $body: String!) {
    createPost(input: { title: $title, body: $body, status: DRAFT }) { ${WRITTEN} }
  }`;
const UPDATE = `
  mutation ($id: ID!, $input: UpdatePostInput!, $expectedVersion: Int!) {
    updatePost(id: $id, input: $input, expectedVersion: $expectedVersion) { post { ${WRITTEN} } ${ERRORS} }
  }`;
const DELETE = `
  mutation ($id: ID!, $expectedVersion: Int) {
    deletePost(id: $id, expectedVersion: $expectedVersion) { deletedId ${ERRORS} }
  }`;

interface Written {
  readonly id: string;
  readonly status: string;
  readonly version: number;
}

interface Payload {
  readonly post: Written | null;
  readonly deletedId?: string | null;
  readonly errors: readonly { readonly message: string; readonly field: string | null }[];
}

const WRITTEN_SCHEMA = output({ id: STRING, url: STRING, status: { enum: POST_STATUSES }, version: INTEGER }, [
  "id",
  "url",
  "status",
  "version",
]);

const createDraft: ContentTool = {
  name: "create_draft",
  title: "Write a new draft",
  description: "Creates a draft of the person, which readers do not see. It is never published by this tool.",
  inputSchema: input(
    {
      title: TITLE,
      body: BODY,
      key: {
        ...text("New random text for each draft. The same call with the same key makes no second draft.", 1, 100),
        pattern: "^[!-~]+$",
      },
    },
    ["title", "body", "key"],
  ),
  outputSchema: WRITTEN_SCHEMA,
  annotations: WRITES,
  scope: "posts:draft",
  run: async ({ ask, results, countWrite }, { title, body, key }) => {
    countWrite();
    const variables = { title: title as string, body: body as string };
    const { createPost } = await ask<{ createPost: Written }>(CREATE, variables, key as string);
    return results.plain(shown(createPost));
  },
};

const updatePost: ContentTool = {
  name: "update_post",
  title: "Change a post",
  description:
    "Replaces title or Markdown of a post. Omitted ones stay. Changes of a published post are public immediately, and need posts:write.",
  inputSchema: input(
    { id: id("Id of the post."), expectedVersion: integer(EXPECTED_VERSION, 1), title: TITLE, body: BODY },
    ["id", "expectedVersion"],
  ),
  outputSchema: WRITTEN_SCHEMA,
  annotations: { ...WRITES, destructiveHint: true },
  scope: "posts:draft",
  run: async ({ ask, results, countWrite }, { id, expectedVersion, ...changed }) => {
    if (Object.keys(changed).length === 0) throw badInput("title", "update_post needs a title, a body or both.");
    countWrite();
    const variables = { id: id as string, expectedVersion: expectedVersion as number, input: changed };
    const { updatePost } = await ask<{ updatePost: Payload }>(UPDATE, variables);
    return results.plain(shown(changedPost(updatePost)));
  },
};

/** A step in the life of a post that readers notice, so that the person is asked. */
function step(
  tool: Pick<ContentTool, "name" | "title" | "description">,
  { field, label, effect }: { readonly field: string; readonly label: string; readonly effect: string },
): ContentTool {
  const move = `
    mutation ($id: ID!, $expectedVersion: Int) {
      ${field}(id: $id, expectedVersion: $expectedVersion) { post { ${WRITTEN} } ${ERRORS} }
    }`;
  return {
    ...tool,
    inputSchema: OF_ONE_POST,
    outputSchema: WRITTEN_SCHEMA,
    annotations: { ...WRITES, openWorldHint: true },
    scope: "posts:write",
    run: (work, args) =>
      whenConfirmed(work, { tool: tool.name, args, label, effect }, async (variables) => {
        const answer = await work.ask<Readonly<Record<string, Payload>>>(move, variables);
        return work.results.plain(shown(changedPost(answer[field])));
      }),
  };
}

const OF_ONE_POST = input({ id: id("Id of the post."), expectedVersion: integer(EXPECTED_VERSION, 1) }, ["id"]);

const deletePost: ContentTool = {
  name: "delete_post",
  title: "Delete a post",
  description: `Deletes a post. ${WHEN_ASKED}`,
  inputSchema: OF_ONE_POST,
  outputSchema: output({ deletedId: STRING }, ["deletedId"]),
  annotations: { ...WRITES, destructiveHint: true, openWorldHint: true },
  scope: "posts:write",
  run: (work, args) => {
    const question = {
      label: "Delete this post",
      effect: "It can be restored for a limited time only, or not at all.",
    };
    return whenConfirmed(work, { tool: "delete_post", args, ...question }, async (variables) => {
      const { deletePost } = await work.ask<{ deletePost: Payload }>(DELETE, variables);
      assertNoErrors(deletePost);
      return work.results.plain({ deletedId: deletePost.deletedId as string });
    });
  },
};

export const WRITING: readonly ContentTool[] = [
  createDraft,
  updatePost,
  step(
    {
      name: "publish_post",
      title: "Publish a draft",
      description: `Publishes a draft: everybody can read it then. ${WHEN_ASKED}`,
    },
    { field: "publishPost", label: "Publish this post", effect: "Everybody can read it then." },
  ),
  step(
    {
      name: "unpublish_post",
      title: "Make a post a draft again",
      description: `Makes a published or archived post a draft, which readers do not see. ${WHEN_ASKED}`,
    },
    { field: "unpublishPost", label: "Make this post a draft again", effect: "Readers cannot see it then." },
  ),
  step(
    {
      name: "archive_post",
      title: "Archive a post",
      description: `Hides a published post from readers. ${WHEN_ASKED}`,
    },
    { field: "archivePost", label: "Archive this post", effect: "Readers cannot see it then." },
  ),
  deletePost,
];

async function whenConfirmed(
  { confirm, countWrite }: Work,
  question: Parameters<Work["confirm"]>[0],
  change: (variables: JsonObject) => Promise<ToolResult>,
) {
  const confirmed = await confirm(question);
  if (confirmed.kind === "answer") return confirmed.answer;
  countWrite();
  return change({ id: question.args.id as string, expectedVersion: confirmed.expectedVersion });
}

function shown({ id, status, version }: Written): JsonObject {
  return { id, url: postUrl(id), status, version };
}

/** @throws AppError BAD_USER_INPUT */
function changedPost(payload: Payload | undefined): Written {
  if (payload === undefined) throw new Error("GraphQL answered nothing to a change.");
  assertNoErrors(payload);
  return payload.post as Written;
}

/** @throws AppError BAD_USER_INPUT with the first rule broken */
function assertNoErrors({ errors: [first] }: Payload): void {
  if (first === undefined) return;
  throw badInput((first.field ?? "").replace("input.", ""), first.message.replaceAll("input.", ""));
}
