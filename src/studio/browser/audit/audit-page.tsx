import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { AuditRow } from "../documents/audit.ts";
import type { AuditFilter } from "../documents/inputs.ts";
import { useTitle } from "../frame/document/title.ts";
import { FailureNote } from "../frame/failure-note.tsx";
import { href } from "../frame/href.ts";
import { SkeletonRows } from "../frame/list/list-parts.tsx";
import type { PageProps } from "../page-props.ts";
import type { Studio } from "../ports.ts";
import { AUDIT_PATH, auditCommand, filterOf } from "./audit-filter.ts";
import { AuditFilters } from "./audit-filters.tsx";
import { auditListOf } from "./audit-list.ts";
import { AuditTable } from "./audit-table.tsx";
import { EntryDialog } from "./entry-dialog.tsx";
import { ExportDialog } from "./export/export-dialog.tsx";
import { usePersonFilter } from "./person-filter.ts";
import "./audit.css";

/** The audit: decisions of the server, newest first. */
export function AuditPage({ studio, query }: PageProps) {
  useTitle("Audit");
  const isExporting = useSignal(false);
  const refreshed = useSignal(0);
  const filter = filterOf(query);
  const problem = usePersonFilter(studio, query, "person", AUDIT_PATH);
  return (
    <>
      <header class="page-head">
        <h1 tabIndex={-1}>Audit</h1>
        <div class="actions">
          <button
            type="button"
            class="quiet"
            onClick={() => {
              refreshed.value += 1;
            }}
          >
            Refresh
          </button>
          <button
            type="button"
            aria-disabled={filter === null}
            onClick={() => {
              isExporting.value = filter !== null;
            }}
          >
            Export
          </button>
        </div>
      </header>
      <AuditFilters studio={studio} query={query} />
      {query.size > 0 && (
        <p>
          <a href={href(AUDIT_PATH)}>Clear filters</a>
        </p>
      )}
      {problem !== null && (
        <p class="field-error" role="alert">
          {problem}
        </p>
      )}
      {filter !== null && <Entries studio={studio} filter={filter} refreshed={refreshed.value} />}
      {filter !== null && isExporting.value && (
        <ExportDialog
          studio={studio}
          filter={filter}
          commandUntil={(until) => auditCommand(filter, until)}
          onClose={() => {
            isExporting.value = false;
          }}
        />
      )}
    </>
  );
}

interface EntriesProps {
  readonly studio: Studio;
  readonly filter: AuditFilter;
  /** Grows each time somebody asks for the newest entries. */
  readonly refreshed: number;
}

function Entries({ studio, filter, refreshed }: EntriesProps) {
  const key = JSON.stringify(filter);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says all of the filter
  const list = useMemo(() => auditListOf(studio.api, filter), [studio.api, key]);
  const opened = useSignal<AuditRow | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refresh asks again
  useEffect(() => {
    void list.reload();
  }, [list, refreshed]);
  const rows = list.rows.value;
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <>
      {list.failure.value !== null && (
        <FailureNote
          failure={list.failure.value}
          title={rows === null ? "The audit could not be loaded." : "The list may be old."}
          onRetry={() => void list.reload()}
        />
      )}
      {rows === null ? (
        list.isLoading.value && <SkeletonRows />
      ) : rows.length === 0 ? (
        <div class="empty">
          <h2>No entries</h2>
          <p class="muted">
            {isFiltered
              ? "No entry matches all filters. Clear one, or choose an earlier time."
              : "The server has noted nothing yet, or keeps no audit (AUDIT_DAYS=0)."}
          </p>
        </div>
      ) : (
        <AuditTable
          list={list}
          rows={rows}
          onOpen={(row) => {
            opened.value = row;
          }}
        />
      )}
      {opened.value !== null && (
        <EntryDialog
          row={opened.value}
          onClose={() => {
            opened.value = null;
          }}
        />
      )}
    </>
  );
}
