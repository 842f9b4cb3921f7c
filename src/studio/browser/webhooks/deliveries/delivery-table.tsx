import type { DeliveryFacts } from "../../documents/deliveries.ts";
import { href } from "../../frame/href.ts";
import { Time } from "../../frame/text/time.tsx";
import { errorSentence, eventType, stateWord, subjectOf } from "../calls/call-words.ts";

interface DeliveryTableProps {
  readonly rows: readonly DeliveryFacts[];
  readonly webhookId: string;
}

export function DeliveryTable({ rows, webhookId }: DeliveryTableProps) {
  return (
    <table class="rows">
      <thead>
        <tr>
          <th scope="col">Event</th>
          <th scope="col">State</th>
          <th scope="col" aria-sort="descending">
            Made
          </th>
          <th scope="col" class="number">
            Attempts
          </th>
          <th scope="col">Last answer</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <th scope="row" class="main">
              <a id={`delivery-${row.id}`} href={href(`/webhooks/${webhookId}/deliveries/${row.id}`)}>
                {eventType(row.event)}
              </a>
              <span class="muted small row-note" dir="auto">
                {subjectOf(row).name}
              </span>
            </th>
            <td data-label="State">
              <span class={row.state === "FAILED" ? "danger" : undefined}>{stateWord(row)}</span>
              {row.state === "PENDING" && row.attempts > 0 && row.nextAttemptAt !== null && (
                <>
                  {" "}
                  <Time value={row.nextAttemptAt} />
                </>
              )}
            </td>
            <td data-label="Made">
              <Time value={row.createdAt} />
            </td>
            <td data-label="Attempts" class="number">
              {row.attempts}
            </td>
            <td data-label="Last answer">
              {row.lastError === null ? (row.lastStatus ?? "none yet") : errorSentence(row.lastError)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
