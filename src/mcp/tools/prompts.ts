import { AppError } from "../../domain/errors.ts";
import { isWithin } from "../../domain/text.ts";
import { CODES, type JsonObject, type Prompt, ProtocolError } from "../protocol/service.ts";
import { assertGranted } from "./grant.ts";
import { shownFacts } from "./post-fields.ts";
import { readPost } from "./post-reading.ts";
import type { Work } from "./tool.ts";

/** Characters of an argument. */
const ARGUMENT = 2_000;

const POST_ID = { name: "id", description: "Id of the post.", required: true } as const;

interface PromptRow extends Prompt {
  /** The request to the model. */
  readonly task: (args: Readonly<Record<string, string>>) => string;
  /** Whether the text of the post `id` follows. */
  readonly hasPost: boolean;
}

const ROWS: readonly PromptRow[] = [
  {
    name: "summarise_post",
    title: "Summarise a post",
    description: "A summary of one post.",
    arguments: [POST_ID],
    hasPost: true,
    task: () =>
      "Summarise the post below in its own language: one sentence with its point, then up to five short items. Use only what it says.",
  },
  {
    name: "draft_post",
    title: "Draft a post",
    description: "A new draft about a topic.",
    arguments: [
      { name: "topic", description: "What the post is about.", required: true },
      { name: "notes", description: "Points to make, audience or tone.", required: false },
    ],
    hasPost: false,
    task: ({ topic = "", notes }) =>
      [
        `Write a post in Markdown about: ${topic}`,
        ...(notes === undefined ? [] : [`Keep to these notes: ${notes}`]),
        "Look with search whether posts about it exist. Show me the text first. When I agree, save it with create_draft. Do not publish it.",
      ].join("\n"),
  },
  {
    name: "review_post",
    title: "Review a post",
    description: "Remarks on one post, with changes to make.",
    arguments: [POST_ID],
    hasPost: true,
    task: () =>
      "Review the post below: errors of fact and language, unclear places, structure. Quote each place, and propose other words. Change nothing before I agree.",
  },
];

export const PROMPTS: readonly Prompt[] = ROWS.map(({ name, title, description, arguments: args }) => ({
  ...{ name, title, description, arguments: args },
}));

/** @throws ProtocolError invalidParams for an unknown prompt, a bad argument, and a post that the caller does not see; AppError */
export async function getPrompt(
  work: Work,
  name: string,
  args: Readonly<Record<string, string>>,
): Promise<{ readonly description: string; readonly messages: readonly JsonObject[] }> {
  const row = ROWS.find((prompt) => prompt.name === name);
  if (row === undefined) throw invalid("There is no such prompt.");
  for (const argument of row.arguments) {
    const value = args[argument.name];
    if (value === undefined && argument.required) throw invalid(`The argument ${argument.name} is missing.`);
    if (value !== undefined && !isWithin(value, ARGUMENT))
      throw invalid(`The argument ${argument.name} must have at most ${ARGUMENT} characters.`);
  }
  const task = row.task(args);
  const text = row.hasPost ? `${task}\n\n${await postText(work, args.id as string)}` : task;
  return { description: row.description, messages: [{ role: "user", content: { type: "text", text } }] };
}

async function postText(work: Work, id: string): Promise<string> {
  assertGranted(work.call.caller.viewer, "posts:read");
  try {
    const { body, ...facts } = await readPost(work, id);
    return work.results.framedPiece(body, ({ nextFrom }) => ({
      ...shownFacts(facts),
      ...(nextFrom === null ? {} : { nextFrom }),
    }));
  } catch (error) {
    if (error instanceof AppError && error.code === "NOT_FOUND") throw invalid("There is no post with this id.");
    throw error;
  }
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(CODES.invalidParams, message);
}
