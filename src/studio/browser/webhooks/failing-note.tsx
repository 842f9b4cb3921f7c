import type { ComponentChildren } from "preact";
import type { WebhookFacts } from "../documents/webhooks.ts";
import { href } from "../frame/href.ts";
import { Icon } from "../frame/icon.tsx";
import { Time } from "../frame/text/time.tsx";
import { errorSentence, waitingWords } from "./calls/call-words.ts";
import { shortUrl } from "./facts/webhook-words.ts";

interface FailingNoteProps {
  readonly webhook: WebhookFacts;
  /** Whether it leads to the webhook, and names it. */
  readonly hasLink?: boolean;
  /** Buttons. */
  readonly children?: ComponentChildren;
}

/** Says why a webhook gets no calls, or why they fail (S87). */
export function FailingNote({ webhook, hasLink = false, children }: FailingNoteProps) {
  const { id, url, disabledAt, disabledBy, failingSince, failingReason, waiting } = webhook;
  const name = hasLink ? <a href={href(`/webhooks/${id}`)}>{shortUrl(url)}</a> : "This webhook";
  const waits = waiting > 0 && ` ${waitingWords(waiting, "goes", "go")} out when you enable it.`;
  if (disabledAt === null && failingSince === null) return null;
  return (
    <div class={`note webhook-note${disabledAt === null || disabledBy === "RECEIVER" ? " danger" : ""}`}>
      <Icon name="warning" />
      <div>
        {disabledAt === null ? (
          <p>
            <strong>{name} is failing</strong> since <Time value={failingSince ?? ""} />
            {failingReason === null ? "." : `: ${errorSentence(failingReason)}`} Every call is retried for about three
            days.
          </p>
        ) : disabledBy === "RECEIVER" ? (
          <p>
            <strong>{name} gets no more calls</strong> since <Time value={disabledAt} />, because the receiver answered
            410.{waits}
          </p>
        ) : (
          <p>
            <strong>{name} is disabled</strong> since <Time value={disabledAt} />. Events of this time are not sent.
            {waits}
          </p>
        )}
      </div>
      {children}
    </div>
  );
}
