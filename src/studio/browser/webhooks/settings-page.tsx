import { useEffect, useMemo } from "preact/hooks";
import type { PageProps } from "../page-props.ts";
import { OpenWebhook } from "./facts/open-webhook.ts";
import { WebhookSettings } from "./settings/webhook-settings.tsx";
import { WebhookFrame } from "./webhook-frame.tsx";

/** Settings of one webhook (S81). */
export function SettingsPage(props: PageProps) {
  return <Settings key={props.id} {...props} id={props.id ?? ""} />;
}

function Settings({ studio, id }: PageProps & { readonly id: string }) {
  const open = useMemo(() => new OpenWebhook(studio.api, id), [studio, id]);
  useEffect(() => void open.load(true), [open]);
  return (
    <WebhookFrame {...{ studio, open, id }} view="/settings" onRetry={() => void open.load(true)}>
      {(webhook) => <WebhookSettings {...{ studio, open, webhook }} />}
    </WebhookFrame>
  );
}
