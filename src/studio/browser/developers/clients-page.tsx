import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { MAX_OWN_CLIENTS } from "../../../domain/clients/limits.ts";
import { OwnClientList, type OwnClientListData } from "../documents/developers.ts";
import { CopyButton } from "../frame/copy-button.tsx";
import { useTitle } from "../frame/document/title.ts";
import { FailureNote } from "../frame/failure-note.tsx";
import { href } from "../frame/href.ts";
import { Icon } from "../frame/icon.tsx";
import { SkeletonRows } from "../frame/list/list-parts.tsx";
import { TableHead } from "../frame/list/table-head.tsx";
import { Time } from "../frame/text/time.tsx";
import type { PageProps } from "../page-props.ts";
import { type Api, ApiFailure } from "../ports.ts";
import { kindOf } from "./facts/kinds.ts";

type Row = OwnClientListData["ownClients"][number];

/** Rows stay while the page is left, so that Back shows them immediately. */
const shown = new WeakMap<Api, readonly Row[]>();

/** Clients that the person owns. */
export function ClientsPage({ studio }: PageProps) {
  const { api } = studio;
  const rows = useSignal<readonly Row[] | null>(shown.get(api) ?? null);
  const failure = useSignal<ApiFailure | null>(null);
  async function load(): Promise<void> {
    failure.value = null;
    try {
      rows.value = (await api.run(OwnClientList, {})).ownClients;
      shown.set(api, rows.value);
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      failure.value = error;
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: loading is the same in every rendering
  useEffect(() => void load(), [api]);
  useTitle("Your clients");
  const list = rows.value;
  const isFull = (list?.length ?? 0) >= MAX_OWN_CLIENTS;
  return (
    <>
      <header class="page-head">
        <h1 tabIndex={-1}>Your clients</h1>
        {list !== null && list.length > 0 && !isFull && <NewButton />}
      </header>
      {failure.value !== null && (
        <FailureNote
          failure={failure.value}
          title={list === null ? "Your clients could not be loaded." : "The list may be old."}
          onRetry={() => void load()}
        />
      )}
      {list === null ? (
        failure.value === null && <SkeletonRows />
      ) : list.length === 0 ? (
        <div class="empty">
          <Icon name="code" />
          <h2>No clients yet</h2>
          <p class="muted">
            A client is a program of yours that uses this server: it signs people in, or reads and writes posts for
            them. Here it gets an id, and a secret where it can keep one.
          </p>
          <NewButton />
        </div>
      ) : (
        <>
          <p class="muted list-intro">
            {list.length} of {MAX_OWN_CLIENTS}
            {isFull && ". Delete one before you make another."}
          </p>
          <ClientTable rows={list} />
        </>
      )}
    </>
  );
}

function NewButton() {
  return (
    <a class="button primary" href={href("/developers/new")}>
      New client
    </a>
  );
}

function ClientTable({ rows }: { readonly rows: readonly Row[] }) {
  return (
    <table class="rows">
      <TableHead columns={["Name", "Kind", "Client id", "Created", "Last used"]} />
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <th scope="row" class="main">
              <a id={`client-${row.id}`} href={href(`/developers/${encodeURIComponent(row.id)}`)} dir="auto">
                {row.name}
              </a>{" "}
              {row.disabledAt !== null && (
                <span class="tag">{row.disabledByOwner ? "Disabled" : "Disabled by an administrator"}</span>
              )}
            </th>
            <td data-label="Kind">{kindOf(row).words}</td>
            <td data-label="Client id">
              <span class="id-cell">
                <code id={`id-${row.id}`}>{row.id}</code>
                <CopyButton text={row.id} fieldId={`id-${row.id}`} of={`client id of ${row.name}`} />
              </span>
            </td>
            <td data-label="Created">
              <Time value={row.createdAt} />
            </td>
            <td data-label="Last used">{row.lastUsedAt === null ? "Never" : <Time value={row.lastUsedAt} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
