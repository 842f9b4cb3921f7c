import { useSignal } from "@preact/signals";
import { useCallback, useEffect } from "preact/hooks";
import { auditPath } from "../audit/audit-filter.ts";
import { type AdministeredClient, ReadClient } from "../documents/clients.ts";
import { BackLink } from "../frame/back-link.tsx";
import { useTitle } from "../frame/document/title.ts";
import { FailureNote } from "../frame/failure-note.tsx";
import { href, idIn } from "../frame/href.ts";
import { SkeletonRows } from "../frame/list/list-parts.tsx";
import { Time } from "../frame/text/time.tsx";
import type { PageProps } from "../page-props.ts";
import { ApiFailure, type Studio } from "../ports.ts";
import { ClientDangers } from "./client-dangers.tsx";
import { CLIENTS_PATH } from "./client-list.ts";
import { ClientSecrets } from "./client-secrets.tsx";
import { ORIGINS, readOnlyReason, stateOf, TYPES } from "./form/client-words.ts";
import { ReadOnlySettings } from "./form/read-only.tsx";
import { SettingsForm } from "./settings-form.tsx";
import "./clients.css";

/** One client: its settings, its secrets, and what ends it. */
export function ClientPage({ studio, id }: PageProps) {
  return id === null ? null : <OneClient key={id} studio={studio} id={idIn(id)} />;
}

function OneClient({ studio, id }: { readonly studio: Studio; readonly id: string }) {
  const client = useSignal<AdministeredClient | "missing" | null>(null);
  const failure = useSignal<ApiFailure | null>(null);
  const load = useCallback(async () => {
    failure.value = null;
    try {
      client.value = (await studio.api.run(ReadClient, { id })).client ?? "missing";
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      failure.value = error;
    }
  }, [studio.api, id, client, failure]);
  useEffect(() => {
    void load();
  }, [load]);
  const present = client.value;
  useTitle(present === null || present === "missing" ? "Client" : present.name);
  return (
    <>
      <BackLink to={CLIENTS_PATH}>Clients</BackLink>
      {failure.value !== null && (
        <FailureNote failure={failure.value} title="The client could not be loaded." onRetry={() => void load()} />
      )}
      {present === null ? (
        <>
          <h1 tabIndex={-1}>Client</h1>
          {failure.value === null && <SkeletonRows />}
        </>
      ) : present === "missing" ? (
        <div class="empty">
          <h1 tabIndex={-1}>There is no such client</h1>
          <p class="muted">It may have been deleted. The audit says what happened to it.</p>
          <a class="button" href={href(auditPath({ client: id }))}>
            Show its audit
          </a>
        </div>
      ) : (
        <Parts
          studio={studio}
          client={present}
          onChange={(next) => {
            client.value = next;
          }}
        />
      )}
    </>
  );
}

interface PartsProps {
  readonly studio: Studio;
  readonly client: AdministeredClient;
  readonly onChange: (client: AdministeredClient) => void;
}

function Parts({ studio, client, onChange }: PartsProps) {
  const { id, name, owner, origin, type, createdAt, lastUsedAt, disabledAt, hasSecret } = client;
  const state = stateOf(client);
  const reason = readOnlyReason(client);
  return (
    <>
      <header class="page-head">
        <h1 tabIndex={-1} dir="auto">
          {name}
        </h1>
        <a class="button" href={href(auditPath({ client: id }))}>
          Audit of this client
        </a>
      </header>
      <dl class="facts section">
        <dt>State</dt>
        <dd>
          {state.isWell ? state.words : <strong class="danger">{state.words}</strong>}
          {disabledAt !== null && (
            <>
              {" since "}
              <Time value={disabledAt} exact />
            </>
          )}
        </dd>
        <dt>client_id</dt>
        <dd>
          <code>{id}</code>
        </dd>
        <dt>Origin</dt>
        <dd>{ORIGINS[origin]}</dd>
        {owner !== null && (
          <>
            <dt>Owner</dt>
            <dd>
              <a href={href(`/people/${owner.id}`)} dir="auto">
                {owner.name}
              </a>
            </dd>
          </>
        )}
        <dt>Type</dt>
        <dd>{TYPES[type]}</dd>
        <dt>Created</dt>
        <dd>
          <Time value={createdAt} exact />
        </dd>
        <dt>Last used</dt>
        <dd>{lastUsedAt === null ? "Never, or not known" : <Time value={lastUsedAt} />}</dd>
      </dl>
      <section class="section" aria-label="Settings">
        <h2>Settings</h2>
        {reason === null ? (
          <SettingsForm studio={studio} client={client} onChange={onChange} />
        ) : (
          <div class="stack">
            <p class="note">{reason}</p>
            <ReadOnlySettings client={client} />
          </div>
        )}
      </section>
      {hasSecret && <ClientSecrets studio={studio} client={client} onChange={onChange} />}
      <ClientDangers studio={studio} client={client} onChange={onChange} />
    </>
  );
}
