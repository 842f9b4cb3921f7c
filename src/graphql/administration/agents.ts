import { resumeAgents, stopAllAgents } from "../../domain/agents/admission.ts";
import type { Agent } from "../../domain/agents/agent.ts";
import { type Reverted, revertAgentChanges } from "../../domain/agents/revert.ts";
import { badInput } from "../../domain/errors.ts";
import { parseId } from "../../domain/id.ts";
import type { Value } from "../plan/object-shape.ts";
import { parseTime } from "../plan/time.ts";
import { CLIENT_CHANGES } from "./clients.ts";
import { type AdministrationContext, type Change, enumName, newestFirst, type Query } from "./field.ts";

/** Milliseconds for which writes are counted. */
const DAY = 86_400_000;
/** Posts that one request takes back, each in a transaction of its own. */
const AT_ONCE = 100;

export const AGENT_QUERIES: Readonly<Record<string, Query>> = {
  agents: async ({ store, now, first }, { after, clientId }) => ({
    ...(await newestFirst(
      "agents",
      { first, after },
      (place, limit) =>
        store.agents.list({
          after: place?.id,
          clientId: (clientId as string | null | undefined) ?? undefined,
          writesSince: new Date(now() - DAY).toISOString(),
          limit,
        }),
      agentValue,
    )),
    stoppedAt: await store.agents.stoppedAt(),
  }),
};

export const AGENT_CHANGES: Readonly<Record<string, Change>> = {
  // An agent is a client: whatever it does, it does with a token of that client.
  stopAgent: CLIENT_CHANGES.disableClient as Change,
  stopAllAgents: switching(stopAllAgents),
  resumeAgents: switching(resumeAgents),
  revertAgentChanges: {
    async make(context, { input }) {
      const { clientId, personId, since, until, isDryRun } = input as {
        readonly clientId: string;
        readonly personId?: string | null;
        readonly since: string;
        readonly until?: string | null;
        readonly isDryRun: boolean;
      };
      const userId = personId == null ? undefined : parseId(personId);
      if (userId === null) throw badInput("input.personId", "input.personId must be the id of a person.");
      const window = {
        ...{ clientId, userId, since: parseTime("input.since", since) },
        until: until == null ? undefined : parseTime("input.until", until),
      };
      const { renderMarkdown } = context;
      return revertedValue(await revertAgentChanges(context, window, { renderMarkdown, isDryRun, limit: AT_ONCE }));
    },
    // Which posts it were is not known any more: they are not among what the next call finds.
    recall: async () => ({ reverted: [], left: [], isComplete: false }),
  },
};

function switching(change: (administration: AdministrationContext) => Promise<void>): Change {
  const state = async ({ store }: AdministrationContext) => ({ stoppedAt: await store.agents.stoppedAt() });
  return {
    async make(context) {
      await change(context);
      return state(context);
    },
    recall: state,
  };
}

function agentValue({ userId, userName, writes, ...agent }: Agent): Value {
  return { ...agent, personId: userId, personName: userName, writesLastDay: writes };
}

function revertedValue({ reverted, ...rest }: Reverted): Value {
  return { ...rest, reverted: reverted.map(({ postId, as }) => ({ postId, as: enumName(as) })) };
}
