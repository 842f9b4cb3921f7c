import type { Config } from "../config/config.ts";
import type { UpstreamSetting } from "../config/upstreams.ts";
import { recordAudit } from "../domain/audit.ts";
import type { WebhookSecrets } from "../domain/events/webhook.ts";
import type { RenderMarkdown } from "../domain/posts/rendering.ts";
import type { Store } from "../domain/store/store.ts";
import type { AdministrationTools } from "../graphql/administration/field.ts";
import { CLIENT_CREDENTIALS } from "../secrets/client-secret.ts";
import { openPasswordRules } from "../secrets/password-rules.ts";
import { hashPassword } from "../secrets/passwords.ts";
import { peopleMailOf } from "./mail.ts";

/** Parts of other rooms that administration in GraphQL needs. @param now Unix time in milliseconds */
export function administrationTools(
  config: Config,
  {
    store,
    secret,
    webhookSecrets,
    upstreams,
    renderMarkdown,
    now,
  }: {
    store: Store;
    secret: Uint8Array;
    webhookSecrets: WebhookSecrets;
    upstreams: readonly UpstreamSetting[];
    renderMarkdown: RenderMarkdown;
    now: () => number;
  },
): AdministrationTools {
  const passwords = openPasswordRules(config);
  const names = new Map(upstreams.map(({ id, name }) => [id, name]));
  return {
    webhookSecrets,
    clientCredentials: CLIENT_CREDENTIALS,
    nativeSchemes: config.NATIVE_SCHEMES,
    resources: config.RESOURCES.map(({ identifier }) => identifier),
    async hashPassword(password, person) {
      await passwords.assert(password, person);
      return hashPassword(password);
    },
    mail: peopleMailOf(config, { store, secret: () => secret, now }),
    renderMarkdown,
    passkeyId: config.PASSKEY_ID,
    upstreamName: (id) => names.get(id) ?? id,
    deletionDelay: config.DELETION_DELAY,
    privateHosts: config.PRIVATE_HOSTS,
    now,
    record: (event) => recordAudit({ store: store.audit, days: config.AUDIT_DAYS }, now(), event),
  };
}
