import { randomBytes } from "node:crypto";
import type { WebhookSecrets } from "../domain/events/webhook.ts";
import type { Id } from "../domain/id.ts";
import { openSealer } from "./seal.ts";

/**
 * @param secret the installation's, under which they are encrypted in the database
 * @param previous as `openSealer` has it
 */
export function openWebhookSecrets(
  secret: Uint8Array,
  previous: Uint8Array | null = null,
): WebhookSecrets & { open(sealed: string, webhookId: Id): string | null } {
  const sealer = openSealer(secret, previous);
  const context = (webhookId: Id) => `webhook ${webhookId}`;
  return {
    create: () => `whsec_${randomBytes(32).toString("base64")}`,
    seal: (plain, webhookId) => sealer.seal(plain, context(webhookId)),
    open: (sealed, webhookId) => sealer.open(sealed, context(webhookId)),
  };
}
