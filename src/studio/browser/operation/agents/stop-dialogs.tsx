import type { AgentFacts } from "../../documents/agents.ts";
import { ConfirmDialog } from "../../frame/form/confirm-dialog.tsx";
import { changeWords } from "../change-words.ts";
import { agentName } from "./agent-list.ts";

interface StopAllProps {
  /** False: agents are let in again. */
  readonly isStopping: boolean;
  /** @throws ApiFailure */
  readonly run: (isStopped: boolean) => Promise<void>;
  readonly onClose: () => void;
}

type StopProps = StopAllProps & { readonly agent: AgentFacts };

/** Asks before one agent is stopped, or let in again, for everybody. */
export function StopDialog({ agent, isStopping, run, onClose }: StopProps) {
  const name = agentName(agent);
  return (
    <ConfirmDialog
      title={isStopping ? `Stop “${name}”` : `Let “${name}” in again`}
      action={isStopping ? "Stop agent" : "Let agent in"}
      run={() => run(isStopping)}
      words={changeWords}
      onClose={onClose}
    >
      <p>
        {isStopping
          ? "The server rejects it within a second, for everybody who uses it, here and at the API. What it changed stays: take that back afterwards."
          : "It may act again for the people who allowed it. Tokens that have not expired work again."}
      </p>
    </ConfirmDialog>
  );
}

/** Asks before all agents are stopped, or let in again. */
export function StopAllDialog({ isStopping, run, onClose }: StopAllProps) {
  return (
    <ConfirmDialog
      title={isStopping ? "Stop all agents" : "Let agents in again"}
      action={isStopping ? "Stop all agents" : "Let agents in"}
      run={() => run(isStopping)}
      words={changeWords}
      onClose={onClose}
    >
      <p>
        {isStopping
          ? "Within seconds, no agent can act for anybody, until an administrator lets agents in again. People and other clients go on."
          : "Agents may act again. Those that were stopped one by one stay stopped."}
      </p>
    </ConfirmDialog>
  );
}
