import { useEffect, useMemo } from "preact/hooks";
import { usePersonFilter } from "../audit/person-filter.ts";
import type { ListedClient } from "../documents/clients.ts";
import type { ClientFilter } from "../documents/inputs.ts";
import { useTitle } from "../frame/document/title.ts";
import { FailureNote } from "../frame/failure-note.tsx";
import { href } from "../frame/href.ts";
import { Icon } from "../frame/icon.tsx";
import { FilterBar } from "../frame/list/filter-bar.tsx";
import { SkeletonRows } from "../frame/list/list-parts.tsx";
import { More } from "../frame/list/more.tsx";
import { TableHead } from "../frame/list/table-head.tsx";
import { Time } from "../frame/text/time.tsx";
import type { PageProps } from "../page-props.ts";
import type { Studio } from "../ports.ts";
import { CLIENTS_PATH, clientFilterOf, clientListOf, clientPath } from "./client-list.ts";
import { ORIGINS, scopeWords, stateOf } from "./form/client-words.ts";
import "./clients.css";

const FIELDS = [
  { name: "q", label: "Name", placeholder: "Name or client_id" },
  {
    name: "origin",
    label: "Origin",
    options: [
      ["", "All origins"],
      ...Object.entries(ORIGINS).map(([name, words]) => [name.toLowerCase(), words] as const),
    ],
  },
  {
    name: "state",
    label: "State",
    options: [
      ["", "All states"],
      ["active", "Active"],
      ["disabled", "Disabled"],
    ],
  },
  { name: "owner", label: "Owner", placeholder: "E-mail address or id" },
] as const;

/** OAuth clients of everybody. */
export function ClientsPage({ studio, query }: PageProps) {
  useTitle("Clients");
  const filter = clientFilterOf(query);
  const problem = usePersonFilter(studio, query, "owner", CLIENTS_PATH);
  return (
    <>
      <header class="page-head">
        <h1 tabIndex={-1}>Clients</h1>
        <a class="button primary" href={href("/clients/new")}>
          <Icon name="plus" /> New client
        </a>
      </header>
      <FilterBar fields={FIELDS} query={query} path={CLIENTS_PATH} go={(path) => studio.go(path, { replace: true })} />
      {query.size > 0 && (
        <p>
          <a href={href(CLIENTS_PATH)}>Clear filters</a>
        </p>
      )}
      {problem !== null && (
        <p class="field-error" role="alert">
          {problem}
        </p>
      )}
      {filter !== null && <Rows studio={studio} filter={filter} />}
    </>
  );
}

function Rows({ studio, filter }: { readonly studio: Studio; readonly filter: ClientFilter }) {
  const key = JSON.stringify(filter);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says all of the filter
  const list = useMemo(() => clientListOf(studio.api, filter), [studio.api, key]);
  useEffect(() => {
    void list.reload();
  }, [list]);
  const rows = list.rows.value;
  return (
    <>
      {list.failure.value !== null && (
        <FailureNote
          failure={list.failure.value}
          title={rows === null ? "The clients could not be loaded." : "The list may be old."}
          onRetry={() => void list.reload()}
        />
      )}
      {rows === null ? (
        list.isLoading.value && <SkeletonRows />
      ) : rows.length === 0 ? (
        <div class="empty">
          <h2>No clients</h2>
          <p class="muted">
            {key === "{}" ? "Choose “New client” to register a program." : "No client matches all filters. Clear one."}
          </p>
        </div>
      ) : (
        <table class="rows clients">
          <TableHead columns={["Name", "Origin", "Scopes", "Last used", "State"]} />
          <tbody>
            {rows.map((client) => (
              <Row key={client.id} client={client} />
            ))}
          </tbody>
        </table>
      )}
      {list.hasMore.value && <More list={list} />}
    </>
  );
}

function Row({ client }: { readonly client: ListedClient }) {
  const { id, name, origin, owner, scopes, lastUsedAt } = client;
  const state = stateOf(client);
  return (
    <tr>
      <th scope="row" class="main">
        <a href={href(clientPath(id))} dir="auto">
          {name}
        </a>
        <small class="muted">{id}</small>
      </th>
      <td data-label="Origin">
        {owner === null ? (
          ORIGINS[origin]
        ) : (
          <>
            Owned by{" "}
            <a href={href(`/people/${owner.id}`)} dir="auto">
              {owner.name}
            </a>
          </>
        )}
      </td>
      <td data-label="Scopes">{scopeWords(scopes)}</td>
      <td data-label="Last used">{lastUsedAt === null ? "Never" : <Time value={lastUsedAt} />}</td>
      <td data-label="State">{state.isWell ? state.words : <strong class="danger">{state.words}</strong>}</td>
    </tr>
  );
}
