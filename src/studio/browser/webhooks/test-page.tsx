import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { TestWebhook, type TestWebhookData } from "../documents/deliveries.ts";
import type { WebhookFacts } from "../documents/webhooks.ts";
import { Field } from "../frame/form/field.tsx";
import type { PageProps } from "../page-props.ts";
import type { Studio } from "../ports.ts";
import { EVENTS, type EventName, eventType, webhookFailureWords } from "./calls/call-words.ts";
import { MadeCall } from "./calls/made-call.tsx";
import { Payload } from "./calls/payload.tsx";
import { OpenWebhook } from "./facts/open-webhook.ts";
import { WebhookFrame } from "./webhook-frame.tsx";

type Test = NonNullable<NonNullable<TestWebhookData["testWebhook"]>["test"]>;

interface TestCallProps {
  readonly studio: Studio;
  readonly webhook: WebhookFacts;
}

/** Tests of one webhook. */
export function TestPage(props: PageProps) {
  return <Tests key={props.id} {...props} id={props.id ?? ""} />;
}

function Tests({ studio, id }: PageProps & { readonly id: string }) {
  const open = useMemo(() => new OpenWebhook(studio.api, id), [studio, id]);
  useEffect(() => void open.load(false), [open]);
  return (
    <WebhookFrame {...{ studio, open, id }} view="/test" onRetry={() => void open.load(false)}>
      {(webhook) => <TestCall studio={studio} webhook={webhook} />}
    </WebhookFrame>
  );
}

/** Sends an example of an event, and shows the answer (S82). */
function TestCall({ studio, webhook }: TestCallProps) {
  const known = EVENTS.filter(({ name }) => webhook.events.length === 0 || webhook.events.includes(name));
  const event = useSignal<EventName>(
    (known.find(({ type }) => type === "post.published") ?? known[0])?.name ?? "POST_PUBLISHED",
  );
  const test = useSignal<Test | null>(null);
  const failure = useSignal<string | null>(null);
  const isBusy = useSignal(false);
  async function send(): Promise<void> {
    if (isBusy.peek()) return;
    isBusy.value = true;
    failure.value = null;
    try {
      const answer = await studio.api.run(TestWebhook, { id: webhook.id, event: event.peek() });
      test.value = answer.testWebhook?.test ?? null;
    } catch (error) {
      failure.value = webhookFailureWords(error);
    } finally {
      isBusy.value = false;
    }
  }
  return (
    <>
      <p class="muted small">
        A test is signed like every call. Its body has <code>"test": true</code>, and its post or person does not exist.
        It is sent once, and is not kept.
      </p>
      <form
        class="filter-bar test-form"
        onSubmit={(submitted) => {
          submitted.preventDefault();
          void send();
        }}
      >
        <Field label="Event">
          {(given) => (
            <select
              {...given}
              value={event.value}
              onChange={({ currentTarget }) => {
                event.value = currentTarget.value as EventName;
              }}
            >
              {EVENTS.map(({ name, type }) => (
                <option key={name} value={name}>
                  {type}
                </option>
              ))}
            </select>
          )}
        </Field>
        <button type="submit" class="primary" aria-disabled={isBusy.value}>
          Send test
        </button>
      </form>
      <div role="status">
        {isBusy.value && <p class="muted">The receiver has 14 seconds to answer.</p>}
        {!isBusy.value && failure.value === null && test.value !== null && (
          <p class="visually-hidden">
            {test.value.attempt.error === null ? "The receiver accepted the test." : "The test failed."}
          </p>
        )}
      </div>
      {failure.value !== null && (
        <p class="field-error" role="alert">
          {failure.value}
        </p>
      )}
      {test.value !== null && !isBusy.value && (
        <>
          <section class="section">
            <h2>Answer to {eventType(test.value.event)}</h2>
            <MadeCall call={test.value.attempt} isOpen />
          </section>
          <section class="section">
            <h2>Body</h2>
            <Payload body={test.value.payload} />
          </section>
        </>
      )}
    </>
  );
}
