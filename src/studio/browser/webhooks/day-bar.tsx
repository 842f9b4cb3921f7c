import type { WebhookFacts } from "../documents/webhooks.ts";
import { countWords } from "./calls/call-words.ts";

/** Outcomes of the last 24 hours, as numbers and as a bar. */
export function DayBar({ day }: { readonly day: WebhookFacts["lastDay"] }) {
  const { delivered, failed, waiting } = day;
  const parts = [
    ["delivered", delivered],
    ["failed", failed],
    ["waiting", waiting],
  ] as const;
  const some = parts.filter(([, count]) => count > 0);
  if (some.length === 0) return <>no calls</>;
  return (
    <>
      {some.map(([name, count]) => `${countWords(count)} ${name}`).join(", ")}
      <span class="day-bar" aria-hidden="true">
        {some.map(([name, count]) => (
          <span key={name} class={name} style={{ flexGrow: count }} />
        ))}
      </span>
    </>
  );
}
