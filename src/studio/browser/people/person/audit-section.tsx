import { href } from "../../frame/href.ts";
import { TableHead } from "../../frame/list/table-head.tsx";
import { Time } from "../../frame/text/time.tsx";
import { detailWords, enumWords } from "../words.ts";
import type { AuditRow } from "./person-model.ts";

interface AuditSectionProps {
  readonly id: string;
  readonly entries: readonly AuditRow[];
}

/** The latest entries of the audit about the person. */
export function AuditSection({ id, entries }: AuditSectionProps) {
  return (
    <section class="section" aria-labelledby="audit">
      <h2 id="audit">Latest in the audit</h2>
      {entries.length === 0 ? (
        <p class="muted">Nothing yet.</p>
      ) : (
        <>
          <table class="rows people">
            <TableHead columns={["Event", "Result", "When", "By", "IP address"]} />
            <tbody>
              {entries.map((entry) => (
                <tr key={entry.id}>
                  <th scope="row" class="main">
                    {enumWords(entry.event)}
                    {entry.detail !== null && <span class="muted small entry-detail">{detailWords(entry)}</span>}
                  </th>
                  <td data-label="Result">{entry.result === "OK" ? "OK" : enumWords(entry.result)}</td>
                  <td data-label="When">
                    <Time value={entry.at} />
                  </td>
                  <td data-label="By" class="long">
                    <By entry={entry} />
                  </td>
                  <td data-label="IP address">{entry.address ?? "–"}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <div class="actions">
            <a class="button" href={href(`/audit?person=${id}`)}>
              Open the audit of this person
            </a>
          </div>
        </>
      )}
    </section>
  );
}

function By({ entry: { actor, client, address } }: { readonly entry: AuditRow }) {
  if (actor !== null)
    return (
      <a href={href(`/people/${actor.id}`)} dir="auto">
        {actor.name}
      </a>
    );
  if (client !== null)
    return (
      <a href={href(`/clients/${encodeURIComponent(client.id)}`)} dir="auto">
        {client.name}
      </a>
    );
  return <>{address === null ? "At the terminal" : "The person"}</>;
}
