import type { ComponentChildren } from "preact";
import { EnableWebhook, type WebhookFacts } from "../documents/webhooks.ts";
import { BackLink } from "../frame/back-link.tsx";
import { useTitle } from "../frame/document/title.ts";
import { FailureNote } from "../frame/failure-note.tsx";
import { href } from "../frame/href.ts";
import { SkeletonRows } from "../frame/list/list-parts.tsx";
import { Time } from "../frame/text/time.tsx";
import type { Studio } from "../ports.ts";
import { countWords, waitingWords, webhookFailureWords } from "./calls/call-words.ts";
import { DayBar } from "./day-bar.tsx";
import type { OpenWebhook } from "./facts/open-webhook.ts";
import { eventsWords, shortUrl, stateOf } from "./facts/webhook-words.ts";
import { FailingNote } from "./failing-note.tsx";
import "./webhooks.css";

/** Pages of a webhook, by the ends of their paths. */
const VIEWS = [
  ["", "Deliveries"],
  ["/test", "Test"],
  ["/settings", "Settings"],
] as const;

interface WebhookFrameProps {
  readonly studio: Studio;
  readonly open: OpenWebhook;
  readonly id: string;
  readonly view: (typeof VIEWS)[number][0];
  /** Loads the webhook again; null where the page itself says what failed. */
  readonly onRetry: (() => void) | null;
  /** The page. A function is called once the webhook is known. */
  readonly children: ComponentChildren | ((webhook: WebhookFacts) => ComponentChildren);
}

/** The part that every page of a webhook has above its own: state, numbers, and the way to the other pages. */
export function WebhookFrame({ studio, open, id, view, onRetry, children }: WebhookFrameProps) {
  const webhook = open.webhook.value;
  const failure = open.failure.value;
  const name = webhook == null ? "Webhook" : shortUrl(webhook.url);
  useTitle(view === "" ? name : `${view === "/test" ? "Test" : "Settings"} of ${name}`);
  async function enable({ waiting }: WebhookFacts): Promise<void> {
    try {
      const { enableWebhook } = await studio.api.run(EnableWebhook, { id }, { key: crypto.randomUUID() });
      if (enableWebhook?.webhook != null) open.adopt(enableWebhook.webhook);
      studio.notify(
        waiting === 0
          ? "The webhook is enabled."
          : `The webhook is enabled. ${waitingWords(waiting, "goes", "go")} out now.`,
      );
      document.querySelector<HTMLElement>("main h1")?.focus();
    } catch (error) {
      studio.notify(`The webhook is not enabled: ${webhookFailureWords(error)}`);
    }
  }
  if (webhook === null)
    return (
      <div class="empty">
        <h1 tabIndex={-1}>There is no such webhook</h1>
        <p class="muted">Somebody may have deleted it.</p>
        <a class="button" href={href("/webhooks")}>
          All webhooks
        </a>
      </div>
    );
  return (
    <>
      <BackLink to="/webhooks">Webhooks</BackLink>
      <header class="page-head">
        <h1 tabIndex={-1}>{name}</h1>
      </header>
      {webhook !== undefined && (
        <>
          <FailingNote webhook={webhook}>
            {webhook.disabledAt !== null && (
              <button type="button" onClick={() => void enable(webhook)}>
                {webhook.waiting === 0 ? "Enable" : `Enable: ${waitingWords(webhook.waiting, "goes", "go")} out`}
              </button>
            )}
          </FailingNote>
          <Facts webhook={webhook} />
        </>
      )}
      <nav class="tabs webhook-tabs" aria-label="Webhook">
        {VIEWS.map(([end, title]) => (
          <a key={end} href={href(`/webhooks/${id}${end}`)} aria-current={end === view ? "page" : undefined}>
            {title}
          </a>
        ))}
      </nav>
      {failure !== null && onRetry !== null && (
        <FailureNote failure={failure} title="The webhook could not be loaded." onRetry={onRetry} />
      )}
      {typeof children !== "function"
        ? children
        : webhook !== undefined
          ? children(webhook)
          : failure === null && <SkeletonRows />}
    </>
  );
}

function Facts({ webhook }: { readonly webhook: WebhookFacts }) {
  const { events, includesUnpublished, lastDay, waiting, oldestWaitingAt } = webhook;
  return (
    <dl class="facts webhook-facts">
      <dt>State</dt>
      <dd>{stateOf(webhook)}</dd>
      <dt>Events</dt>
      <dd>
        {eventsWords(events)}
        {includesUnpublished && ", drafts too"}
      </dd>
      <dt>Last 24 hours</dt>
      <dd>
        <DayBar day={lastDay} />
      </dd>
      {oldestWaitingAt !== null && (
        <>
          <dt>Waiting</dt>
          <dd>
            {countWords(waiting)}, the oldest from <Time value={oldestWaitingAt} />
          </dd>
        </>
      )}
    </dl>
  );
}
