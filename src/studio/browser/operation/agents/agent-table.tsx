import type { AgentFacts } from "../../documents/agents.ts";
import { href } from "../../frame/href.ts";
import { TableHead } from "../../frame/list/table-head.tsx";
import { Time } from "../../frame/text/time.tsx";
import { StateMark } from "../state-mark.tsx";
import { agentName } from "./agent-list.ts";

interface AgentTableProps {
  readonly rows: readonly AgentFacts[];
  readonly areAllStopped: boolean;
  readonly onStop: (agent: AgentFacts) => void;
  readonly onRevert: (agent: AgentFacts) => void;
}

export function AgentTable({ rows, areAllStopped, onStop, onRevert }: AgentTableProps) {
  return (
    <table class="rows">
      <TableHead columns={["Agent", "Acts for", "State", "Last used", "Changes in 24 hours"]} actions="Actions" />
      <tbody>
        {rows.map((agent) => (
          <tr key={agent.id}>
            <th scope="row" class="main">
              {agent.clientName === null ? (
                <code>{agent.clientId}</code>
              ) : (
                <a href={href(`/clients/${encodeURIComponent(agent.clientId)}`)} dir="auto">
                  {agent.clientName}
                </a>
              )}
            </th>
            <td data-label="Acts for">
              <ActsFor agent={agent} />
            </td>
            <td>
              <StateMark tone={agent.isStopped || areAllStopped ? "danger" : "muted"}>
                {agent.isStopped ? "Stopped" : areAllStopped ? "Stopped with all" : "May act"}
              </StateMark>
            </td>
            <td data-label="Last used">
              <Time value={agent.lastUsedAt} />
            </td>
            <td data-label="Changes in 24 hours">{agent.writesLastDay}</td>
            <td>
              <div class="actions row-actions">
                <button
                  type="button"
                  aria-label={`${stopWords(agent)} ${agentName(agent)}`}
                  onClick={() => onStop(agent)}
                >
                  {stopWords(agent)}
                </button>
                <button
                  type="button"
                  aria-label={`Take back changes of ${agentName(agent)}`}
                  onClick={() => onRevert(agent)}
                >
                  Take back
                </button>
              </div>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function stopWords({ isStopped }: Pick<AgentFacts, "isStopped">): string {
  return isStopped ? "Let in again" : "Stop";
}

function ActsFor({ agent: { personId, personName } }: { readonly agent: AgentFacts }) {
  if (personId === null) return <>Itself</>;
  return (
    <a href={href(`/people/${personId}`)} dir="auto">
      {personName ?? "Former member"}
    </a>
  );
}
