import type { AuditRow } from "../documents/audit.ts";
import { href } from "../frame/href.ts";
import { More } from "../frame/list/more.tsx";
import { TableHead } from "../frame/list/table-head.tsx";
import { Time } from "../frame/text/time.tsx";
import type { AuditList } from "./audit-list.ts";
import { detailWords, doerOf, eventWords, type Named, resultWords, subjectsOf } from "./words/audit-words.ts";

interface AuditTableProps {
  readonly list: AuditList;
  readonly rows: readonly AuditRow[];
  readonly onOpen: (row: AuditRow) => void;
}

export function AuditTable({ list, rows, onOpen }: AuditTableProps) {
  return (
    <>
      <table class="rows audit" aria-busy={list.isLoading.value}>
        <TableHead columns={["Event", "Result", "Done by", "About", "IP address", "Time"]} />
        <tbody>
          {rows.map((row) => (
            <Row key={row.id} row={row} onOpen={onOpen} />
          ))}
        </tbody>
      </table>
      {list.hasMore.value && <More list={list} />}
    </>
  );
}

function Row({ row, onOpen }: { readonly row: AuditRow; readonly onOpen: (row: AuditRow) => void }) {
  const subjects = subjectsOf(row);
  return (
    <tr>
      <th scope="row" class="main">
        <button type="button" class="link" aria-haspopup="dialog" onClick={() => onOpen(row)}>
          {eventWords(row.event)}
        </button>
        {row.detail !== null && (
          <small class="muted" dir="auto">
            {detailWords(row)}
          </small>
        )}
      </th>
      <td data-label="Result" class="short">
        {row.result === "OK" ? "OK" : <strong class="danger">{resultWords(row.result)}</strong>}
      </td>
      <td data-label="Done by">
        <Name named={doerOf(row)} />
      </td>
      <td data-label={subjects.length === 0 ? undefined : "About"}>
        {subjects.map((named, index) => (
          <span key={named.kind}>
            {index > 0 && " · "}
            <Name named={named} />
          </span>
        ))}
      </td>
      <td data-label={row.address === null ? undefined : "IP address"}>{row.address}</td>
      <td data-label="Time" class="short">
        <Time value={row.at} />
      </td>
    </tr>
  );
}

/** The name of a person or a client, with a link to its page where there is one. */
export function Name({ named: { kind, id, name, isThere } }: { readonly named: Named }) {
  if (!isThere) return <span dir="auto">{name}</span>;
  return (
    <a href={href(`/${kind === "person" ? "people" : "clients"}/${encodeURIComponent(id)}`)} dir="auto">
      {name}
    </a>
  );
}
