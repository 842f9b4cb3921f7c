import { createHash } from "node:crypto";
import { AppError } from "../../domain/errors.ts";
import { beginningOf } from "../../domain/text.ts";
import type { InputRequired, Json, JsonObject, ToolResult } from "../protocol/service.ts";
import type { Ask } from "./ask.ts";
import { failure } from "./failures.ts";
import { showHidden } from "./frame.ts";
import type { ContentCall, ContentServiceOptions } from "./options.ts";
import type { WriteQuota } from "./write-quota.ts";

/** Seconds that a person has for an answer. */
const PATIENCE = 600;
const CONTEXT = "confirmation of a tool";
/** Characters of a title that the question shows. */
const TITLE = 100;
const NONCE_BYTES = 16;

const POST = "query ($id: ID!) { post(id: $id) { title version } }";

/** A change that the person should agree to. */
interface Question {
  readonly tool: string;
  readonly args: JsonObject;
  /** Words for a button, such as "Publish this post". */
  readonly label: string;
  /** Sentence about the effect. */
  readonly effect: string;
}

/** The person's agreement; or an answer to the client: the question, or the end of the call. */
type Confirmed =
  | { readonly kind: "agreed"; readonly expectedVersion: number | null }
  | { readonly kind: "answer"; readonly answer: InputRequired | ToolResult };

/** @throws AppError NOT_FOUND, CONFLICT, FORBIDDEN where nobody can be asked and somebody must be */
export type Confirm = (question: Question) => Promise<Confirmed>;

/** Sealed in `requestState`. It holds for this person, client, tool, these arguments, and this version of the post, once. */
interface State {
  readonly person: string | null;
  readonly client: string | null;
  readonly tool: string;
  /** Hash of the arguments. */
  readonly args: string;
  readonly version: number;
  /** Unix time in seconds. */
  readonly until: number;
  readonly nonce: string;
}

type Options = Pick<ContentServiceOptions, "settings" | "sealer" | "claimOnce" | "randomBytes" | "now">;

export function openConfirm(options: Options, call: ContentCall, ask: Ask, quota: WriteQuota): Confirm {
  const { settings, sealer, claimOnce, now } = options;
  const { viewer } = call.caller;
  const nowSeconds = () => Math.floor(now() / 1_000);

  return async (question) => {
    const { expectedVersion = null } = question.args as { readonly expectedVersion?: number };
    if (!takesForms(call.clientCapabilities)) {
      if (settings.MCP_CONFIRM === "client") return { kind: "agreed", expectedVersion };
      throw new AppError("FORBIDDEN", "The person must confirm this, and this program cannot pass the question on.");
    }
    if (call.requestState === null) return { kind: "answer", answer: await firstQuestion(question, expectedVersion) };
    const state = readState(call.requestState, question);
    if (state === null) return { kind: "answer", answer: UNUSABLE };
    const said = answerIn(call.inputResponses);
    if (said === null) return { kind: "answer", answer: await firstQuestion(question, expectedVersion) };
    // An answer counts once, whether it is yes or no.
    if (!(await claimOnce(`confirmation ${state.nonce}`, state.until, nowSeconds())))
      return { kind: "answer", answer: UNUSABLE };
    return said ? { kind: "agreed", expectedVersion: state.version } : { kind: "answer", answer: DECLINED };
  };

  async function firstQuestion(question: Question, expectedVersion: number | null): Promise<InputRequired> {
    quota.assertLeft(viewer);
    const { id } = question.args;
    const { post } = await ask<{ post: { title: string; version: number } | null }>(POST, { id: id as string });
    if (post === null) throw new AppError("NOT_FOUND", "There is no post with this id.");
    if (expectedVersion !== null && expectedVersion !== post.version)
      throw new AppError("CONFLICT", `The post has changed: it has version ${post.version} now.`, {
        version: post.version,
      });
    const state: State = {
      ...{ person: viewer.userId, client: viewer.clientId, tool: question.tool, args: hashOf(question.args) },
      version: post.version,
      until: nowSeconds() + PATIENCE,
      nonce: Buffer.from(options.randomBytes(NONCE_BYTES)).toString("base64url"),
    };
    return {
      inputRequests: { confirm: questionAbout(post, question) },
      requestState: sealer.seal(JSON.stringify(state), CONTEXT),
    };
  }

  /** null for a state that is not for this call. */
  function readState(sealed: string, { tool, args }: Question): State | null {
    const text = sealer.open(sealed, CONTEXT);
    if (text === null) return null;
    const state = JSON.parse(text) as State;
    const isForThis =
      state.person === viewer.userId &&
      state.client === viewer.clientId &&
      state.tool === tool &&
      state.args === hashOf(args) &&
      state.until > nowSeconds();
    return isForThis ? state : null;
  }
}

function questionAbout(post: { title: string; version: number }, { label, effect }: Question): JsonObject {
  // Without quotation marks, the title cannot end early and go on as words of ours.
  const title = beginningOf(
    showHidden(post.title)
      .replaceAll(/\s+/g, " ")
      .replaceAll(/[“”„‟"]/g, "'"),
    TITLE,
  );
  return {
    method: "elicitation/create",
    params: {
      mode: "form",
      message: `${label}? Title: “${title}”, version ${post.version}. ${effect}`,
      requestedSchema: {
        type: "object",
        properties: { confirm: { type: "boolean", title: label } },
        required: ["confirm"],
      },
    },
  };
}

/** A capability without modes means forms (2026-07-28, Elicitation). */
function takesForms({ elicitation }: JsonObject): boolean {
  if (typeof elicitation !== "object" || elicitation === null) return false;
  return "form" in elicitation || !("url" in elicitation);
}

/** Whether the person agreed; null where that cannot be read. */
function answerIn(responses: JsonObject | null): boolean | null {
  const { action, content } = (responses?.confirm ?? {}) as { action?: unknown; content?: { confirm?: unknown } };
  if (action === "decline" || action === "cancel") return false;
  if (action !== "accept" || typeof content?.confirm !== "boolean") return null;
  return content.confirm;
}

const DECLINED = failure(
  "DECLINED",
  "The person did not agree. Nothing was changed.",
  "Do not try again unless the person asks for it.",
);

const UNUSABLE = failure(
  "BAD_USER_INPUT",
  "This confirmation is not for this call, was used before, or is older than 10 minutes. Nothing was changed.",
  "Call the tool again, and the person is asked again.",
);

function hashOf(args: JsonObject): string {
  const sorted: [string, Json][] = Object.entries(args).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(sorted)).digest("base64url");
}
