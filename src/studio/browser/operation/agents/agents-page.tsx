import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { AgentFacts } from "../../documents/agents.ts";
import { useTitle } from "../../frame/document/title.ts";
import { FailureNote } from "../../frame/failure-note.tsx";
import { href } from "../../frame/href.ts";
import { Icon } from "../../frame/icon.tsx";
import { SkeletonRows } from "../../frame/list/list-parts.tsx";
import { More } from "../../frame/list/more.tsx";
import { Time } from "../../frame/text/time.tsx";
import type { PageProps } from "../../page-props.ts";
import { AgentList, agentName } from "./agent-list.ts";
import { AgentTable } from "./agent-table.tsx";
import { RevertDialog } from "./revert-dialog.tsx";
import { StopAllDialog, StopDialog } from "./stop-dialogs.tsx";

type Asked =
  | { readonly kind: "stop" | "resume" | "revert"; readonly agent: AgentFacts }
  | { readonly kind: "stop-all" | "resume-all" };

/** Programs that act for people through `/mcp`, and how to stop them. */
export function AgentsPage({ studio, query }: PageProps) {
  const clientId = query.get("client");
  const list = useMemo(() => new AgentList(studio.api, clientId), [studio.api, clientId]);
  const asked = useSignal<Asked | null>(null);
  useTitle("Agents");
  useEffect(() => void list.reload(), [list]);
  const rows = list.rows.value;
  const stoppedAt = list.stoppedAt.value;
  const question = asked.value;
  const close = () => {
    asked.value = null;
  };
  return (
    <>
      <header class="page-head">
        <h1 tabIndex={-1}>Agents</h1>
        {rows !== null && stoppedAt === null && (
          <button
            type="button"
            class="danger"
            onClick={() => {
              asked.value = { kind: "stop-all" };
            }}
          >
            Stop all agents
          </button>
        )}
      </header>
      <p class="lead">Programs that act for people, such as assistants. Each row is one program and one person.</p>
      {stoppedAt !== null && (
        <div class="note danger section">
          <Icon name="warning" />
          <div class="stack">
            <p>
              <strong>All agents are stopped</strong>, since <Time value={stoppedAt} exact />.
            </p>
            <div class="actions">
              <button
                type="button"
                onClick={() => {
                  asked.value = { kind: "resume-all" };
                }}
              >
                Let agents in again
              </button>
            </div>
          </div>
        </div>
      )}
      {clientId !== null && (
        <p class="note section">
          <span>
            Only agents of the client <code>{clientId}</code>. <a href={href("/agents")}>Show all agents</a>
          </span>
        </p>
      )}
      {list.failure.value !== null && (
        <FailureNote
          failure={list.failure.value}
          title={rows === null ? "The agents could not be loaded." : "The list may be old."}
          onRetry={() => void list.reload()}
        />
      )}
      {rows === null ? (
        list.isLoading.value && <SkeletonRows />
      ) : rows.length === 0 ? (
        <div class="empty">
          <h2>No agents</h2>
          <p class="muted">
            {clientId === null
              ? "When somebody connects an assistant to this server, this page lists it with its person and its changes."
              : "No agent of this client was active lately."}
          </p>
        </div>
      ) : (
        <AgentTable
          rows={rows}
          areAllStopped={stoppedAt !== null}
          onStop={(agent) => {
            asked.value = { kind: agent.isStopped ? "resume" : "stop", agent };
          }}
          onRevert={(agent) => {
            asked.value = { kind: "revert", agent };
          }}
        />
      )}
      {rows !== null && list.hasMore.value && <More list={list} />}
      {question !== null &&
        ("agent" in question ? (
          question.kind === "revert" ? (
            <RevertDialog
              studio={studio}
              agent={question.agent}
              onDone={(words) => {
                studio.notify(words);
                void list.reload();
              }}
              onClose={close}
            />
          ) : (
            <StopDialog
              agent={question.agent}
              isStopping={question.kind === "stop"}
              run={async (isStopped) => {
                await list.stop(question.agent.clientId, isStopped);
                studio.notify(`“${agentName(question.agent)}” ${isStopped ? "is stopped" : "may act again"}.`);
              }}
              onClose={close}
            />
          )
        ) : (
          <StopAllDialog
            isStopping={question.kind === "stop-all"}
            run={async (isStopped) => {
              await list.stopAll(isStopped);
              studio.notify(isStopped ? "All agents are stopped." : "Agents may act again.");
            }}
            onClose={close}
          />
        ))}
    </>
  );
}
