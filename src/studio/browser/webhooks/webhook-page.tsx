import { useMemo } from "preact/hooks";
import type { PageProps } from "../page-props.ts";
import { Deliveries } from "./deliveries/deliveries.tsx";
import { OpenWebhook } from "./facts/open-webhook.ts";
import { WebhookFrame } from "./webhook-frame.tsx";

/** One webhook with its deliveries. */
export function WebhookPage(props: PageProps) {
  return <OneWebhook key={props.id} {...props} id={props.id ?? ""} />;
}

function OneWebhook({ studio, id, query }: PageProps & { readonly id: string }) {
  const open = useMemo(() => new OpenWebhook(studio.api, id), [studio, id]);
  // The list brings the webhook along, so that one request fills the page.
  return (
    <WebhookFrame {...{ studio, open, id }} view="" onRetry={null}>
      <Deliveries {...{ studio, query, webhookId: id }} webhook={open.webhook.value} onWebhook={open.adopt} />
    </WebhookFrame>
  );
}
