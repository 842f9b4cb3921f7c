import { useSignal } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";
import { KEPT_ATTEMPTS } from "../../../../domain/events/webhook-delivery.ts";
import { OneDelivery, type OneDeliveryData, ResendDelivery } from "../../documents/deliveries.ts";
import { BackLink } from "../../frame/back-link.tsx";
import { CopyButton } from "../../frame/copy-button.tsx";
import { useTitle } from "../../frame/document/title.ts";
import { FailureNote } from "../../frame/failure-note.tsx";
import { href } from "../../frame/href.ts";
import { SkeletonRows } from "../../frame/list/list-parts.tsx";
import { Time } from "../../frame/text/time.tsx";
import type { PageProps } from "../../page-props.ts";
import { ApiFailure } from "../../ports.ts";
import { errorSentence, eventType, stateWord, subjectOf, webhookFailureWords } from "../calls/call-words.ts";
import { curlCommand } from "../calls/curl.ts";
import { useLive } from "../calls/live.ts";
import { MadeCall } from "../calls/made-call.tsx";
import { Payload } from "../calls/payload.tsx";

/** Milliseconds between looks at a delivery that waits. */
const LOOKS = 5_000;

type Delivery = NonNullable<OneDeliveryData["webhookDelivery"]>;
type Webhook = OneDeliveryData["webhook"];

/** One delivery of a webhook, with its attempts (S84). Its id has the form `WEBHOOK/deliveries/DELIVERY`. */
export function DeliveryPage(props: PageProps) {
  return <OneDeliveryPage key={props.id} {...props} id={props.id ?? ""} />;
}

function OneDeliveryPage({ studio, id: place }: PageProps & { readonly id: string }) {
  const { api } = studio;
  const [webhookId = "", , id = ""] = place.split("/");
  const answer = useSignal<OneDeliveryData | null>(null);
  const failure = useSignal<ApiFailure | null>(null);
  const root = useRef<HTMLDivElement>(null);
  async function load(): Promise<void> {
    answer.value = await api.run(OneDelivery, { webhook: webhookId, id });
    failure.value = null;
  }
  async function loadOrSay(): Promise<void> {
    await load().catch((error) => {
      if (!(error instanceof ApiFailure)) throw error;
      failure.value = error;
    });
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: loading is the same in every rendering
  useEffect(() => void loadOrSay(), [api, place]);
  const { webhookDelivery: delivery, webhook = null } = answer.value ?? {};
  useLive(root, load, delivery?.state === "PENDING" ? LOOKS : null);
  useTitle(delivery == null ? "Delivery" : `Delivery of ${eventType(delivery.event)}`);
  const isMissing = delivery === null || (delivery !== undefined && delivery.webhookId !== webhookId);
  async function resend(): Promise<void> {
    try {
      const sent = (await api.run(ResendDelivery, { id }, { key: crypto.randomUUID() })).resendWebhookDelivery
        ?.delivery;
      if (sent != null) answer.value = { webhook, webhookDelivery: sent };
      studio.notify("The delivery is being sent again.");
    } catch (error) {
      studio.notify(`The delivery is not sent again: ${webhookFailureWords(error)}`);
    }
  }
  return (
    <div ref={root}>
      <BackLink to={`/webhooks/${webhookId}`}>{webhook === null ? "Webhook" : hostOf(webhook)}</BackLink>
      <header class="page-head">
        <h1 tabIndex={-1}>
          {isMissing ? "There is no such delivery" : delivery === undefined ? "Delivery" : eventType(delivery.event)}
        </h1>
        {!isMissing && delivery !== undefined && webhook?.disabledAt === null && (
          <button type="button" onClick={() => void resend()}>
            Send again
          </button>
        )}
      </header>
      {failure.value !== null && (
        <FailureNote
          failure={failure.value}
          title="The delivery could not be loaded."
          onRetry={() => void loadOrSay()}
        />
      )}
      {isMissing ? (
        <p class="muted">Deliveries are deleted after some time, and with their webhook.</p>
      ) : delivery === undefined ? (
        failure.value === null && <SkeletonRows />
      ) : (
        <Whole delivery={delivery} webhook={webhook} />
      )}
    </div>
  );
}

function Whole({ delivery, webhook }: { readonly delivery: Delivery; readonly webhook: Webhook }) {
  const { state, attempts, attemptLog, createdAt, nextAttemptAt, lastError, eventId, payload } = delivery;
  const { name, postId } = subjectOf(delivery);
  return (
    <>
      <dl class="facts section">
        <dt>State</dt>
        <dd>
          {stateWord(delivery)}
          {lastError !== null && `. ${errorSentence(lastError)}`}
        </dd>
        {state === "PENDING" && nextAttemptAt !== null && (
          <>
            <dt>Next attempt</dt>
            <dd>
              {webhook === null || webhook.disabledAt === null ? (
                <>
                  <Time value={nextAttemptAt} exact /> (<Time value={nextAttemptAt} />)
                </>
              ) : (
                "when the webhook is enabled"
              )}
            </dd>
          </>
        )}
        {postId !== null && (
          <>
            <dt>Post</dt>
            <dd>
              <a href={href(`/posts/${postId}`)} dir="auto">
                {name ?? postId}
              </a>{" "}
              (<a href={href(`/webhooks/${delivery.webhookId}?post=${postId}`)}>its deliveries</a>)
            </dd>
          </>
        )}
        <dt>URL</dt>
        <dd>{webhook?.url ?? "deleted"}</dd>
        <dt>Made</dt>
        <dd>
          <Time value={createdAt} exact />
        </dd>
        <dt>webhook-id</dt>
        <dd class="code">{eventId}</dd>
      </dl>
      <section class="section">
        <h2>
          {attempts === 0 ? "No attempt yet" : attempts === 1 ? "1 attempt" : `${attempts} attempts`}
          {attempts > KEPT_ATTEMPTS && `, the newest ${KEPT_ATTEMPTS}`}
        </h2>
        {attemptLog.map((call, index) => (
          <MadeCall key={call.at} call={call} isOpen={index === 0} />
        ))}
      </section>
      <section class="section">
        <h2>Body</h2>
        <Payload body={payload} />
      </section>
      {webhook !== null && <Curl delivery={delivery} url={webhook.url} />}
    </>
  );
}

function Curl({ delivery, url }: { readonly delivery: Delivery; readonly url: string }) {
  const id = useId();
  const headers = delivery.attemptLog.find((attempt) => attempt.headers.length > 0)?.headers ?? [];
  if (headers.length === 0) return null;
  const command = curlCommand({ url, headers, body: delivery.payload });
  return (
    <section class="section">
      <h2>The same call by hand</h2>
      <p class="muted small">
        Receivers that check the time reject it five minutes after the attempt. “Send again” signs it with the present
        time.
      </p>
      <pre id={id} class="payload">
        <code>{command}</code>
      </pre>
      <div class="actions payload-actions">
        <CopyButton text={command} fieldId={id} />
      </div>
    </section>
  );
}

function hostOf({ url }: NonNullable<Webhook>): string {
  return URL.parse(url)?.host ?? url;
}
