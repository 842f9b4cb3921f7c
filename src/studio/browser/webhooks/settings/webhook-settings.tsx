import { useSignal } from "@preact/signals";
import {
  DeleteWebhook,
  DisableWebhook,
  RotateWebhookSecret,
  UpdateWebhook,
  type WebhookFacts,
} from "../../documents/webhooks.ts";
import { ConfirmDialog } from "../../frame/form/confirm-dialog.tsx";
import { SkeletonRows } from "../../frame/list/list-parts.tsx";
import { Time } from "../../frame/text/time.tsx";
import type { Studio } from "../../ports.ts";
import { waitingWords, webhookFailureWords } from "../calls/call-words.ts";
import type { OpenWebhook } from "../facts/open-webhook.ts";
import { changesOf, hostOf, shortUrl } from "../facts/webhook-words.ts";
import { RotateDialog } from "./rotate-dialog.tsx";
import { WebhookForm, type WebhookValues } from "./webhook-form.tsx";
import { ReceiverCode, WebhookSecret } from "./webhook-secret.tsx";

interface WebhookSettingsProps {
  readonly studio: Studio;
  readonly open: OpenWebhook;
  readonly webhook: WebhookFacts;
}

/** Everything about a webhook that can be changed (S81). */
export function WebhookSettings({ studio, open, webhook }: WebhookSettingsProps) {
  const { api } = studio;
  const { id, url, disabledAt, previousUntil, waiting } = webhook;
  const asked = useSignal<"disable" | "rotate" | "delete" | null>(null);
  const secret = useSignal<{ readonly text: string | null } | null>(null);
  const isCodeShown = useSignal(false);
  const close = () => {
    asked.value = null;
  };
  function take(payload: { readonly webhook: WebhookFacts | null } | null): void {
    if (payload?.webhook != null) open.adopt(payload.webhook);
  }
  async function save(values: WebhookValues): Promise<void> {
    const input = changesOf(webhook, values);
    take((await api.run(UpdateWebhook, { id, input })).updateWebhook);
    studio.notify(
      waiting > 0 && input.url !== undefined
        ? `The webhook is changed. ${waitingWords(waiting, "goes", "go")} to the new URL.`
        : "The webhook is changed. Events from now on follow it.",
    );
  }
  const key = () => ({ key: crypto.randomUUID() });
  const bothSign = previousUntil !== null && Date.parse(previousUntil) > Date.now();
  return (
    <>
      <section class="section">
        <h2>URL and events</h2>
        {/* Only with values that have just been read: what is known of the page before may be old. */}
        {open.privateHosts.value === null ? (
          <SkeletonRows />
        ) : (
          <WebhookForm start={webhook} privateHosts={open.privateHosts.value} action="Save" onSave={save} />
        )}
      </section>
      <section class="section form">
        <h2>Secret</h2>
        {secret.value === null ? (
          <p>The secret was shown when it was made. If it is lost or has leaked, make a new one.</p>
        ) : secret.value.text === null ? (
          <p class="danger">The answer with the new secret was lost. Make another one.</p>
        ) : (
          <WebhookSecret secret={secret.value.text} />
        )}
        {bothSign && (
          <p class="note section-part">
            <span>
              The secret before this one signs too, until <Time value={previousUntil} exact />. Change the receiver
              before that.
            </span>
          </p>
        )}
        <div class="actions section-part">
          <button
            type="button"
            onClick={() => {
              asked.value = "rotate";
            }}
          >
            New secret
          </button>
          {secret.value?.text == null && (
            <button
              type="button"
              class="quiet"
              aria-expanded={isCodeShown.value}
              onClick={() => {
                isCodeShown.value = !isCodeShown.peek();
              }}
            >
              {isCodeShown.value ? "Hide" : "Show"} receiver code
            </button>
          )}
        </div>
        {isCodeShown.value && secret.value?.text == null && <ReceiverCode />}
      </section>
      {disabledAt === null && (
        <section class="section form">
          <h2>Disable</h2>
          <p>Calls that wait are kept until you enable it again. Events that happen meanwhile are never sent.</p>
          <div class="actions section-part">
            <button
              type="button"
              onClick={() => {
                asked.value = "disable";
              }}
            >
              Disable webhook
            </button>
          </div>
        </section>
      )}
      <section class="section form">
        <h2>Delete</h2>
        <p>The webhook and its deliveries are gone for good.</p>
        <div class="actions section-part">
          <button
            type="button"
            class="danger"
            onClick={() => {
              asked.value = "delete";
            }}
          >
            Delete webhook
          </button>
        </div>
      </section>
      {asked.value === "rotate" && (
        <RotateDialog
          onClose={close}
          run={async (isLeaked) => {
            const answer = (await api.run(RotateWebhookSecret, { id, isLeaked }, key())).rotateWebhookSecret;
            take(answer);
            secret.value = { text: answer?.secret ?? null };
            studio.notify(
              isLeaked
                ? "The webhook has a new secret. The old one has ended."
                : "The webhook has a new secret. The old one signs for another day.",
            );
          }}
        />
      )}
      {asked.value === "disable" && (
        <ConfirmDialog
          title="Disable this webhook?"
          action="Disable webhook"
          words={webhookFailureWords}
          onClose={close}
          run={async () => {
            take((await api.run(DisableWebhook, { id }, key())).disableWebhook);
            studio.notify("The webhook is disabled.");
          }}
        >
          <p>
            {shortUrl(url)} gets no more calls. {waiting > 0 && `${waitingWords(waiting, "is", "are")} kept. `}Events
            that happen before you enable it are never sent to it.
          </p>
        </ConfirmDialog>
      )}
      {asked.value === "delete" && (
        <ConfirmDialog
          title="Delete this webhook?"
          action="Delete webhook"
          typed={hostOf(url)}
          words={webhookFailureWords}
          onClose={close}
          run={async () => {
            await api.run(DeleteWebhook, { id }, key());
            studio.notify(`The webhook of ${hostOf(url)} is deleted.`);
            studio.go("/webhooks", { replace: true });
          }}
        >
          <p>
            {shortUrl(url)} gets no more calls. {waiting > 0 && `${waitingWords(waiting, "is", "are")} lost. `}The log
            of its deliveries goes too. Nobody can bring it back.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
