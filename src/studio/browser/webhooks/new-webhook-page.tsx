import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { CreateWebhook, type WebhookFacts } from "../documents/webhooks.ts";
import { BackLink } from "../frame/back-link.tsx";
import { useTitle } from "../frame/document/title.ts";
import { href } from "../frame/href.ts";
import type { PageProps } from "../page-props.ts";
import { OpenWebhook } from "./facts/open-webhook.ts";
import { shortUrl } from "./facts/webhook-words.ts";
import { WebhookForm, type WebhookValues } from "./settings/webhook-form.tsx";
import { WebhookSecret } from "./settings/webhook-secret.tsx";
import "./webhooks.css";

const START: WebhookValues = { url: "", events: [], includesUnpublished: false };

interface MadeWebhook {
  readonly webhook: WebhookFacts;
  /** null where the answer with it was lost. */
  readonly secret: string | null;
}

/** Makes a webhook, then shows its secret once (S80). */
export function NewWebhookPage({ studio }: PageProps) {
  const { api } = studio;
  const rules = useMemo(() => new OpenWebhook(api, null), [api]);
  const made = useSignal<MadeWebhook | null>(null);
  const request = useRef({ values: "", key: "" });
  useEffect(() => void rules.load(true), [rules]);
  async function create(input: WebhookValues): Promise<void> {
    // The same values again are the same request: its answer may have been lost.
    const values = JSON.stringify(input);
    if (request.current.values !== values) request.current = { values, key: crypto.randomUUID() };
    const { createWebhook } = await api.run(CreateWebhook, { input }, { key: request.current.key });
    if (createWebhook?.webhook != null) made.value = { webhook: createWebhook.webhook, secret: createWebhook.secret };
    requestAnimationFrame(() => document.querySelector<HTMLElement>("main h1")?.focus());
  }
  if (made.value !== null) return <Made {...made.value} />;
  return <Form rules={rules} onSave={create} />;
}

interface FormProps {
  readonly rules: OpenWebhook;
  readonly onSave: (input: WebhookValues) => Promise<void>;
}

function Form({ rules, onSave }: FormProps) {
  useTitle("New webhook");
  return (
    <>
      <BackLink to="/webhooks">Webhooks</BackLink>
      <header class="page-head">
        <h1 tabIndex={-1}>New webhook</h1>
      </header>
      <div class="section">
        <WebhookForm start={START} privateHosts={rules.privateHosts.value} action="Create webhook" onSave={onSave} />
      </div>
    </>
  );
}

function Made({ webhook, secret }: MadeWebhook) {
  useTitle("Webhook created");
  return (
    <>
      <BackLink to="/webhooks">Webhooks</BackLink>
      <header class="page-head">
        <h1 tabIndex={-1}>The webhook is ready</h1>
      </header>
      <p class="muted">Events from now on go to {shortUrl(webhook.url)}. Each call is signed with this secret.</p>
      <div class="section">
        {secret === null ? (
          <p class="note danger">
            <span>
              The answer with the secret was lost. The webhook exists:{" "}
              <a href={href(`/webhooks/${webhook.id}/settings`)}>make a new secret</a> under “Settings”.
            </span>
          </p>
        ) : (
          <WebhookSecret secret={secret} />
        )}
      </div>
      <div class="section actions">
        <a class="button primary" href={href(`/webhooks/${webhook.id}/test`)}>
          Send a test
        </a>
        <a class="button" href={href(`/webhooks/${webhook.id}`)}>
          Go to the webhook
        </a>
      </div>
    </>
  );
}
