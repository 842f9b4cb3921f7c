import { randomUUID } from "node:crypto";
import type { Readable, Writable } from "node:stream";
import type { Config } from "../config/config.ts";
import { loadPreviousSecret, loadSecret } from "../config/installation-secret.ts";
import { type AgentLevel, scopesOfLevel } from "../domain/agent-level.ts";
import { openAdmission } from "../domain/agents/admission.ts";
import { AppError } from "../domain/errors.ts";
import type { Id } from "../domain/id.ts";
import { findActiveUser } from "../domain/people/user.ts";
import type { Store } from "../domain/store/store.ts";
import { ownBuckets } from "../domain/token-bucket.ts";
import type { Viewer } from "../domain/viewer.ts";
import { openGraphQL } from "../graphql/http/open.ts";
import { openMarkdown } from "../markdown/markdown.ts";
import { openStdio } from "../mcp/protocol/stdio.ts";
import type { ContentRequest, ContentResponse } from "../mcp/tools/options.ts";
import type { Log } from "../observe/log.ts";
import { openAnswerSeal } from "../secrets/answer-seal.ts";
import { openAgentTools } from "./agent-tools.ts";
import { previewTokensOf } from "./preview-tokens.ts";
import { serverInfoOf } from "./server-info.ts";

export interface LocalAgentOptions {
  readonly store: Store;
  readonly userId: Id;
  readonly level: AgentLevel;
  readonly input: Readable;
  readonly output: Writable;
  readonly log: Log;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
}

/**
 * Serves one agent on this machine over standard input and output, without HTTP and without a token: the operator who runs the
 * command can read the database anyway. It rejects requests while all agents are stopped, and for a disabled person, as /mcp does.
 *
 * @returns resolves when the agent has ended the conversation
 */
export async function serveLocalAgent(config: Config, options: LocalAgentOptions): Promise<void> {
  const { store, userId, level, input, output, log, now } = options;
  const secret = loadSecret(config);
  const previousSecret = loadPreviousSecret(config);
  const renderMarkdown = openMarkdown();
  const graphql = openGraphQL({
    settings: config,
    ...{ store, renderMarkdown, openBuckets: ownBuckets, log, now },
    authenticate: () => {
      throw new AppError("UNAUTHENTICATED", "There is no token here: the command names the person.");
    },
    challenge: () => "Bearer",
    administration: null,
    answerSeal: openAnswerSeal(secret, previousSecret),
    serverInfo: serverInfoOf(config),
    previewTokens: previewTokensOf(config),
  });
  const admission = openAdmission({ store, now });

  /** @throws AppError UNAUTHENTICATED, UNAVAILABLE */
  async function present<V extends Viewer>(viewer: V): Promise<V> {
    await admission.admit(viewer);
    const user = await findActiveUser(store, userId);
    if (user === null) throw new AppError("UNAUTHENTICATED", "The person's account is disabled or deleted.");
    return { ...viewer, role: user.role };
  }

  async function handle(request: ContentRequest): Promise<ContentResponse> {
    try {
      return await graphql.handle({ ...request, viewer: await present(request.viewer) });
    } catch (error) {
      return graphql.refuse(request, error as Error);
    }
  }

  const stdio = openStdio({
    service: openAgentTools(config, {
      ...{ handle, store, secret, previousSecret, openBuckets: ownBuckets, now },
      followPosts: undefined,
    }),
    caller: {
      viewer: { userId, role: null, clientId: null, scopes: new Set<string>(scopesOfLevel(level)) },
      authorization: undefined,
    },
    requestId: randomUUID,
    ...{ input, output, maxMessage: config.MAX_BODY, log },
    refuse: ({ message }) => ({ status: 400, headers: {}, message }),
  });
  try {
    await stdio.ended;
  } finally {
    stdio.close();
    admission.close();
  }
}
