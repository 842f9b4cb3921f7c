import { type ReadonlySignal, signal } from "@preact/signals";
import {
  type AgentFacts,
  AgentsPage,
  LetAgentIn,
  ResumeAgents,
  StopAgent,
  StopAllAgents,
} from "../../documents/agents.ts";
import { type LoadedPage, PagedRows } from "../../frame/list/paged-rows.ts";
import type { Api } from "../../ports.ts";

/** Agents, one row for each client and person, and whether all of them are stopped. */
export class AgentList extends PagedRows<AgentFacts> {
  readonly #api: Api;
  readonly #clientId: string | null;
  readonly #stoppedAt = signal<string | null>(null);

  /** @param clientId null for agents of every client */
  constructor(api: Api, clientId: string | null) {
    super();
    this.#api = api;
    this.#clientId = clientId;
  }

  /** Time at which all agents were stopped; null while they may act. */
  get stoppedAt(): ReadonlySignal<string | null> {
    return this.#stoppedAt;
  }

  /** Stops an agent, or lets it in again, for everybody. @throws ApiFailure */
  async stop(clientId: string, isStopped: boolean): Promise<void> {
    if (isStopped) await this.#api.run(StopAgent, { id: clientId });
    else await this.#api.run(LetAgentIn, { id: clientId });
    this.change((rows) => rows.map((row) => (row.clientId === clientId ? { ...row, isStopped } : row)));
  }

  /** Stops all agents, or lets them in again. @throws ApiFailure */
  async stopAll(isStopped: boolean): Promise<void> {
    this.#stoppedAt.value = isStopped
      ? ((await this.#api.run(StopAllAgents, {})).stopAllAgents?.stoppedAt ?? null)
      : ((await this.#api.run(ResumeAgents, {})).resumeAgents?.stoppedAt ?? null);
  }

  protected async load(first: number, after: string | null): Promise<LoadedPage<AgentFacts>> {
    const { agents } = await this.#api.run(AgentsPage, { first, after, clientId: this.#clientId });
    this.#stoppedAt.value = agents.stoppedAt;
    return { rows: agents.nodes, pageInfo: agents.pageInfo };
  }
}

/** Name of the agent's client; its `client_id` where no such client is stored. */
export function agentName({ clientName, clientId }: Pick<AgentFacts, "clientName" | "clientId">): string {
  return clientName ?? clientId;
}
