import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { WebhookFacts } from "../../documents/webhooks.ts";
import { TextField } from "../../frame/form/field.tsx";
import { LeaveGuard } from "../../frame/form/leave-guard.tsx";
import { ApiFailure } from "../../ports.ts";
import { EVENTS, type EventName, webhookFailureWords } from "../calls/call-words.ts";
import { changesOf, judgeUrl, urlFailure } from "../facts/webhook-words.ts";
import { EventChoice } from "./event-choice.tsx";

export type WebhookValues = Pick<WebhookFacts, "url" | "events" | "includesUnpublished">;

interface WebhookFormProps {
  readonly start: WebhookValues;
  readonly privateHosts: readonly string[] | null;
  /** A verb with its object, such as "Create webhook". */
  readonly action: string;
  /** @throws ApiFailure */
  readonly onSave: (values: WebhookValues) => Promise<void>;
}

/** URL and events of a webhook. */
export function WebhookForm({ start, privateHosts, action, onSave }: WebhookFormProps) {
  const url = useSignal(start.url);
  const isDone = useSignal(false);
  const refused = useSignal<{ readonly url: string; readonly words: string } | null>(null);
  const isAll = useSignal(start.events.length === 0);
  const chosen = useSignal<ReadonlySet<EventName>>(new Set(start.events));
  const eventsError = useSignal<string | null>(null);
  const includesUnpublished = useSignal(start.includesUnpublished);
  const failure = useSignal<string | null>(null);
  const isBusy = useSignal(false);
  const form = useRef<HTMLFormElement>(null);
  const { error, hint } = judgeUrl(url.value, privateHosts, isDone.value);
  const shown = refused.value?.url === url.value ? refused.value.words : error;

  const values = (): WebhookValues => ({
    url: url.value.trim(),
    events: isAll.value ? [] : EVENTS.map(({ name }) => name).filter((name) => chosen.value.has(name)),
    includesUnpublished: includesUnpublished.value,
  });
  const hasChanges = Object.keys(changesOf(start, values())).length > 0;

  async function save(): Promise<void> {
    if (isBusy.peek()) return;
    isDone.value = true;
    failure.value = null;
    const { error: wrong } = judgeUrl(url.peek(), privateHosts, true);
    if (url.peek().trim() === "") refused.value = { url: url.peek(), words: "Give the URL of the receiver." };
    const hasUrl = wrong === null && url.peek().trim() !== "";
    eventsError.value = isAll.peek() || chosen.peek().size > 0 ? null : "Choose an event, or all events.";
    if (!hasUrl || eventsError.peek() !== null) return focusOnWrong();
    isBusy.value = true;
    try {
      await onSave(values());
    } catch (thrown) {
      const words = thrown instanceof ApiFailure ? urlFailure(thrown) : null;
      if (words === null) failure.value = webhookFailureWords(thrown);
      else refused.value = { url: url.peek(), words };
      focusOnWrong();
    } finally {
      isBusy.value = false;
    }
  }
  /** After the next rendering. */
  function focusOnWrong(): void {
    requestAnimationFrame(() =>
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"], .chosen input')?.focus(),
    );
  }
  useEffect(() => {
    if (chosen.value.size > 0 || isAll.value) eventsError.value = null;
  }, [chosen.value, isAll.value, eventsError]);

  return (
    <form
      ref={form}
      class="form stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <TextField
        label="URL"
        type="url"
        value={url.value}
        hint={hint}
        error={shown}
        maxLength={2_000}
        placeholder="https://app.example.com/hooks"
        onInput={(value) => {
          url.value = value;
        }}
        onBlur={() => {
          isDone.value = true;
        }}
      />
      <EventChoice isAll={isAll} chosen={chosen} includesUnpublished={includesUnpublished} error={eventsError.value} />
      {failure.value !== null && (
        <p class="field-error" role="alert">
          {failure.value}
        </p>
      )}
      <div class="actions">
        <button type="submit" class="primary" aria-disabled={isBusy.value}>
          {action}
        </button>
      </div>
      {hasChanges && <LeaveGuard of="changes" />}
    </form>
  );
}
