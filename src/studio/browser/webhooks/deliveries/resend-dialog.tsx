import { useSignal } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";
import { COUNTED_FAILURES } from "../../../../domain/events/webhook-delivery.ts";
import { Dialog } from "../../frame/dialog.tsx";
import { Field } from "../../frame/form/field.tsx";
import type { Studio } from "../../ports.ts";
import { countWords, webhookFailureWords } from "../calls/call-words.ts";
import { fieldValueOf, momentOf } from "./delivery-filter.ts";
import { countFailed, resendFailed } from "./resend-failed.ts";

interface ResendDialogProps {
  readonly studio: Studio;
  readonly webhookId: string;
  readonly onClose: () => void;
}

/** Milliseconds. */
const DAY = 86_400_000;
/** Milliseconds after the last change of the time before it is counted. */
const TYPING = 300;

/** Sends all failed deliveries since a moment again: the number first, then the progress (S85). */
export function ResendDialog({ studio, webhookId, onClose }: ResendDialogProps) {
  const { api } = studio;
  const value = useSignal(fieldValueOf(Date.now() - DAY));
  const found = useSignal<number | null>(null);
  const sent = useSignal<number | null>(null);
  const failure = useSignal<string | null>(null);
  const isCancelled = useRef(false);
  const progress = useId();
  const since = momentOf(value.value);
  useEffect(() => {
    found.value = null;
    failure.value = null;
    if (since === null) return undefined;
    let isOld = false;
    const timer = setTimeout(async () => {
      try {
        const count = await countFailed(api, { webhook: webhookId, since });
        if (!isOld) found.value = count;
      } catch (error) {
        if (!isOld) failure.value = webhookFailureWords(error);
      }
    }, TYPING);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [api, webhookId, since, found, failure]);
  useEffect(
    () => () => {
      isCancelled.current = true;
    },
    [],
  );
  const total = found.value;
  const isBusy = sent.value !== null;

  async function send(): Promise<void> {
    if (isBusy || since === null || total === null || total === 0) return;
    sent.value = 0;
    failure.value = null;
    try {
      const count = await resendFailed(api, { webhook: webhookId, since }, total, {
        newKey: () => crypto.randomUUID(),
        onProgress: (now) => {
          sent.value = now;
        },
        isCancelled: () => isCancelled.current,
      });
      studio.notify(`${deliveries(count)} ${count === 1 ? "is" : "are"} being sent again.`);
      onClose();
    } catch (error) {
      const done = sent.peek() ?? 0;
      failure.value = `${webhookFailureWords(error)}${done === 0 ? "" : ` ${deliveries(done)} were sent before.`}`;
      sent.value = null;
    }
  }

  return (
    <Dialog title="Send all failed again" onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <Field label="Failed deliveries since" hint="Each keeps its webhook-id, and gets the full schedule of retries.">
          {(given) => (
            <input
              {...given}
              type="datetime-local"
              value={value.value}
              disabled={isBusy}
              onInput={({ currentTarget }) => {
                value.value = currentTarget.value;
              }}
            />
          )}
        </Field>
        <p role="status">
          {isBusy
            ? `${countWords(sent.value ?? 0, COUNTED_FAILURES)} of ${countWords(total ?? 0, COUNTED_FAILURES)} sent off`
            : since === null
              ? "Choose a time."
              : total === null
                ? failure.value === null && "Counting the failed deliveries."
                : total === 0
                  ? "No delivery has failed since then."
                  : `${deliveries(total)} failed since then.`}
        </p>
        {isBusy && (
          <progress id={progress} aria-label="Sent off" value={sent.value ?? 0} max={Math.max(1, total ?? 1)} />
        )}
        {failure.value !== null && (
          <p class="field-error" role="alert">
            {failure.value}
          </p>
        )}
        <div class="actions">
          <button type="submit" class="primary" aria-disabled={isBusy || total === null || total === 0}>
            {total === null || total === 0 ? "Send again" : `Send ${countWords(total, COUNTED_FAILURES)} again`}
          </button>
          <button type="button" onClick={onClose}>
            {isBusy ? "Stop" : "Cancel"}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function deliveries(count: number): string {
  return count === 1 ? "1 delivery" : `${countWords(count, COUNTED_FAILURES)} deliveries`;
}
