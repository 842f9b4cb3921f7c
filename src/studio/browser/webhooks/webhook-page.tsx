import { useEffect, useMemo } from "preact/hooks";
import { EnableWebhook, type WebhookFacts } from "../documents/documents.ts";
import { useTitle } from "../frame/document/title.ts";
import { FailureNote } from "../frame/failure-note.tsx";
import { href } from "../frame/href.ts";
import { SkeletonRows } from "../frame/list/list-parts.tsx";
import { Time } from "../frame/text/time.tsx";
import type { PageProps } from "../page-props.ts";
import { countWords, waitingWords, webhookFailureWords } from "./calls/call-words.ts";
import { DayBar } from "./day-bar.tsx";
import { Deliveries } from "./deliveries/deliveries.tsx";
import { OpenWebhook } from "./facts/open-webhook.ts";
import { eventsWords, shortUrl, stateOf } from "./facts/webhook-words.ts";
import { FailingNote } from "./failing-note.tsx";
import { WebhookSettings } from "./settings/webhook-settings.tsx";
import { TestCall } from "./test-call.tsx";
import "./webhooks.css";

const VIEWS = [
  ["deliveries", "Deliveries"],
  ["test", "Test"],
  ["settings", "Settings"],
] as const;

/** One webhook: its deliveries, tests, and settings. */
export function WebhookPage(props: PageProps) {
  return <OneWebhook key={props.id} {...props} id={props.id ?? ""} />;
}

function OneWebhook({ studio, id, query }: PageProps & { readonly id: string }) {
  const { api } = studio;
  const open = useMemo(() => new OpenWebhook(api, id), [api, id]);
  const view = VIEWS.find(([name]) => name === query.get("view"))?.[0] ?? "deliveries";
  const webhook = open.webhook.value;
  useEffect(() => {
    if (view !== "deliveries") void open.load(view === "settings"); // the list of deliveries brings the webhook along
  }, [open, view]);
  useTitle(webhook == null ? "Webhook" : shortUrl(webhook.url));
  async function enable({ waiting }: WebhookFacts): Promise<void> {
    try {
      const { enableWebhook } = await api.run(EnableWebhook, { id }, { key: crypto.randomUUID() });
      if (enableWebhook?.webhook != null) open.adopt(enableWebhook.webhook);
      studio.notify(
        waiting === 0 ? "The webhook is enabled." : `The webhook is enabled. ${waitingWords(waiting)} go out now.`,
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
      <p class="trail">
        <a href={href("/webhooks")}>Webhooks</a>
      </p>
      <header class="page-head">
        <h1 tabIndex={-1}>{webhook === undefined ? "Webhook" : shortUrl(webhook.url)}</h1>
      </header>
      {webhook !== undefined && (
        <FailingNote webhook={webhook}>
          {webhook.disabledAt !== null && (
            <button type="button" onClick={() => void enable(webhook)}>
              {webhook.waiting === 0 ? "Enable" : `Enable: ${waitingWords(webhook.waiting)} go out`}
            </button>
          )}
        </FailingNote>
      )}
      {webhook !== undefined && <Facts webhook={webhook} />}
      <nav class="tabs webhook-tabs" aria-label="Webhook">
        {VIEWS.map(([name, title]) => (
          <a
            key={name}
            href={href(name === "deliveries" ? `/webhooks/${id}` : `/webhooks/${id}?view=${name}`)}
            aria-current={name === view ? "page" : undefined}
          >
            {title}
          </a>
        ))}
      </nav>
      {view !== "deliveries" && open.failure.value !== null && (
        <FailureNote
          failure={open.failure.value}
          title="The webhook could not be loaded."
          onRetry={() => void open.load(view === "settings")}
        />
      )}
      {view === "deliveries" ? (
        <Deliveries {...{ studio, query, webhookId: id }} webhook={webhook} onWebhook={open.adopt} />
      ) : webhook === undefined ? (
        open.failure.value === null && <SkeletonRows />
      ) : view === "test" ? (
        <TestCall studio={studio} webhook={webhook} />
      ) : (
        <WebhookSettings studio={studio} open={open} webhook={webhook} />
      )}
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
