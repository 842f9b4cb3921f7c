import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { WebhookFacts } from "../../documents/webhooks.ts";
import { FailureNote } from "../../frame/failure-note.tsx";
import { href } from "../../frame/href.ts";
import { FilterBar } from "../../frame/list/filter-bar.tsx";
import { SkeletonRows } from "../../frame/list/list-parts.tsx";
import { More } from "../../frame/list/more.tsx";
import type { Api, Studio } from "../../ports.ts";
import { EVENTS } from "../calls/call-words.ts";
import { useLive } from "../calls/live.ts";
import { filterOf, isFiltered, STATES } from "./delivery-filter.ts";
import { DeliveryList } from "./delivery-list.ts";
import { DeliveryTable } from "./delivery-table.tsx";
import { ResendDialog } from "./resend-dialog.tsx";

interface DeliveriesProps {
  readonly studio: Studio;
  readonly webhookId: string;
  /** null: there is none. undefined: not known yet. */
  readonly webhook: WebhookFacts | null | undefined;
  readonly query: URLSearchParams;
  readonly onWebhook: (webhook: WebhookFacts | null) => void;
}

/** Milliseconds between looks for changes. */
const LOOKS = 5_000;

const FIELDS = [
  { name: "state", label: "State", options: [["", "Any state"], ...STATES] },
  {
    name: "event",
    label: "Event",
    options: [["", "Any event"], ...EVENTS.map(({ name, type }) => [name, type] as const)],
  },
  { name: "since", label: "From", type: "datetime-local" },
  { name: "until", label: "Until", type: "datetime-local" },
  { name: "post", label: "Post", placeholder: "Id of a post" },
] as const;

/** The list that was left last stays, so that Back shows its rows immediately. */
let kept: { readonly api: Api; readonly key: string; readonly list: DeliveryList } | null = null;

/** Deliveries of a webhook, with filters in the URL (S83). */
export function Deliveries({ studio, webhookId, webhook, query, onWebhook }: DeliveriesProps) {
  const { api } = studio;
  const root = useRef<HTMLDivElement>(null);
  const isAsked = useSignal(false);
  const key = JSON.stringify(filterOf(webhookId, query));
  const list = useMemo(() => listAt(api, key), [api, key]);
  list.onWebhook = onWebhook;
  useEffect(() => void list.reload(), [list]);
  useLive(root, () => list.look(), LOOKS);
  const rows = list.rows.value;
  const path = `/webhooks/${webhookId}`;
  return (
    <div ref={root}>
      <FilterBar fields={FIELDS} query={query} path={path} go={(to) => studio.go(to, { replace: true })} />
      <div class="delivery-tools">
        <div class="news" role="status">
          {list.unseen.value > 0 && (
            <button type="button" class="quiet" onClick={() => void list.reload()}>
              {list.unseen.value === 50 ? "50 or more" : list.unseen.value} new. Show
            </button>
          )}
        </div>
        {webhook?.disabledAt === null && rows !== null && (
          <button
            type="button"
            class="quiet"
            onClick={() => {
              isAsked.value = true;
            }}
          >
            Send all failed again
          </button>
        )}
      </div>
      {list.failure.value !== null && (
        <FailureNote
          failure={list.failure.value}
          title={rows === null ? "The deliveries could not be loaded." : "The list may be old."}
          onRetry={() => void list.reload()}
        />
      )}
      {rows === null ? (
        list.failure.value === null && <SkeletonRows />
      ) : rows.length > 0 ? (
        <DeliveryTable rows={rows} webhookId={webhookId} />
      ) : isFiltered(query) ? (
        <div class="empty">
          <h2>No delivery matches</h2>
          <a class="button" href={href(path)}>
            Show all deliveries
          </a>
        </div>
      ) : (
        <div class="empty">
          <h2>No deliveries yet</h2>
          <p class="muted">The first one comes with the next event. A test shows now whether the receiver answers.</p>
          <a class="button" href={href(`${path}/test`)}>
            Send a test
          </a>
        </div>
      )}
      {list.hasMore.value && <More list={list} />}
      {isAsked.value && (
        <ResendDialog
          studio={studio}
          webhookId={webhookId}
          onClose={() => {
            isAsked.value = false;
            void list.look().catch(() => undefined);
          }}
        />
      )}
    </div>
  );
}

/** @param key the filter, as JSON */
function listAt(api: Api, key: string): DeliveryList {
  if (kept?.api === api && kept.key === key) return kept.list;
  const filter = JSON.parse(key) as ReturnType<typeof filterOf>;
  kept = { api, key, list: new DeliveryList(api, filter.webhook ?? "", filter) };
  return kept.list;
}
