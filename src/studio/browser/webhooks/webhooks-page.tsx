import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { type WebhookFacts, Webhooks } from "../documents/webhooks.ts";
import { useTitle } from "../frame/document/title.ts";
import { FailureNote } from "../frame/failure-note.tsx";
import { href } from "../frame/href.ts";
import { Icon } from "../frame/icon.tsx";
import { SkeletonRows } from "../frame/list/list-parts.tsx";
import { TableHead } from "../frame/list/table-head.tsx";
import { Time } from "../frame/text/time.tsx";
import type { PageProps } from "../page-props.ts";
import { ApiFailure } from "../ports.ts";
import { countWords } from "./calls/call-words.ts";
import { useLive } from "./calls/live.ts";
import { DayBar } from "./day-bar.tsx";
import { eventsWords, needsLook, shortUrl, stateOf } from "./facts/webhook-words.ts";
import { FailingNote } from "./failing-note.tsx";
import "./webhooks.css";

/** Milliseconds between looks at the numbers. */
const LOOKS = 10_000;

/** Rows stay while the page is left, so that Back shows them immediately. */
const kept = new WeakMap<object, readonly WebhookFacts[]>();

/** Every webhook, with what became of its calls (S80). */
export function WebhooksPage({ studio }: PageProps) {
  const { api } = studio;
  const webhooks = useSignal(kept.get(api) ?? null);
  const failure = useSignal<ApiFailure | null>(null);
  const root = useRef<HTMLDivElement>(null);
  useTitle("Webhooks");
  async function load(): Promise<void> {
    const answer = await api.run(Webhooks, {});
    failure.value = null;
    webhooks.value = answer.webhooks;
    kept.set(api, answer.webhooks);
  }
  async function loadOrSay(): Promise<void> {
    await load().catch((error) => {
      if (!(error instanceof ApiFailure)) throw error;
      failure.value = error;
    });
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: loading is the same in every rendering
  useEffect(() => void loadOrSay(), [api]);
  useLive(root, load, LOOKS);
  const rows = webhooks.value;
  const now = Date.now();
  return (
    <div ref={root}>
      <header class="page-head">
        <h1 tabIndex={-1}>Webhooks</h1>
        <a class="button primary" href={href("/webhooks/new")}>
          <Icon name="plus" /> New webhook
        </a>
      </header>
      {failure.value !== null && (
        <FailureNote
          failure={failure.value}
          title={rows === null ? "The webhooks could not be loaded." : "The numbers may be old."}
          onRetry={() => void loadOrSay()}
        />
      )}
      {rows
        ?.filter((webhook) => needsLook(webhook, now))
        .map((webhook) => (
          <FailingNote key={webhook.id} webhook={webhook} hasLink />
        ))}
      {rows === null ? (
        failure.value === null && <SkeletonRows />
      ) : rows.length === 0 ? (
        <div class="empty">
          <Icon name="webhook" />
          <h2>No webhooks yet</h2>
          <p class="muted">
            A webhook tells another server of changes: a post goes live, and your site builds itself again or empties
            its cache.
          </p>
          <a class="button" href={href("/webhooks/new")}>
            Make the first webhook
          </a>
        </div>
      ) : (
        <table class="rows webhooks">
          <TableHead columns={["URL", "State", "Last 24 hours", "Waiting"]} />
          <tbody>
            {rows.map((webhook) => (
              <Row key={webhook.id} webhook={webhook} />
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

function Row({ webhook }: { readonly webhook: WebhookFacts }) {
  const { id, url, events, includesUnpublished, disabledAt, failingSince, failingReason } = webhook;
  const { lastDay, waiting, oldestWaitingAt } = webhook;
  return (
    <tr>
      <th scope="row" class="main">
        <a id={`webhook-${id}`} href={href(`/webhooks/${id}`)}>
          {shortUrl(url)}
        </a>
        <span class="muted small row-note">
          {eventsWords(events)}
          {includesUnpublished && ", drafts too"}
        </span>
      </th>
      <td data-label="State">
        {stateOf(webhook)}
        {disabledAt !== null ? (
          <>
            {" "}
            since <Time value={disabledAt} />
          </>
        ) : (
          failingSince !== null && (
            <>
              {" "}
              since <Time value={failingSince} />
              <span class="danger row-note">{failingReason}</span>
            </>
          )
        )}
      </td>
      <td data-label="Last 24 hours">
        <DayBar day={lastDay} />
      </td>
      <td data-label="Waiting">
        {waiting === 0 ? "none" : countWords(waiting)}
        {oldestWaitingAt !== null && (
          <span class="row-note">
            the oldest from <Time value={oldestWaitingAt} />
          </span>
        )}
      </td>
    </tr>
  );
}
