import { forgetAttempts } from "../authorization-server/sign-in/unlock.ts";
import { openKeyControl } from "../authorization-server/tokens/key-control.ts";
import type { Config } from "../config/config.ts";
import { describeSettings } from "../config/described-settings.ts";
import type { UpstreamSetting } from "../config/upstreams.ts";
import { type NewAuditEvent, recordAudit } from "../domain/audit.ts";
import type { AccessControl } from "../domain/people/person-access.ts";
import type { RenderMarkdown } from "../domain/posts/rendering.ts";
import type { Store } from "../domain/store/store.ts";
import type { AdministrationTools } from "../graphql/administration/field.ts";
import { CLIENT_CREDENTIALS } from "../secrets/client-secret.ts";
import { openPasswordRules } from "../secrets/password-rules.ts";
import { hashPassword } from "../secrets/passwords.ts";
import type { Sealer } from "../secrets/seal.ts";
import type { openWebhookSecrets } from "../secrets/webhook-secrets.ts";
import { peopleMailOf } from "./mail.ts";
import { ownClients } from "./own-client.ts";
import { openWebhookTest, type WebhookTestOptions } from "./webhook-test.ts";

/** Parts of other rooms that administration in GraphQL needs. @param now Unix time in milliseconds */
export function administrationTools(
  config: Config,
  {
    store,
    secret,
    webhookSecrets,
    upstreams,
    renderMarkdown,
    waiting,
    access,
    exportAccount,
    sealer,
    health,
    countDecision,
    now,
  }: {
    store: Store;
    secret: Uint8Array;
    webhookSecrets: ReturnType<typeof openWebhookSecrets>;
    upstreams: readonly UpstreamSetting[];
    renderMarkdown: RenderMarkdown;
    waiting?: WebhookTestOptions["waiting"];
    access: AccessControl;
    exportAccount: AdministrationTools["exportAccount"];
    sealer: Sealer;
    health: AdministrationTools["health"];
    /** Told of each decision, also where none is kept. */
    countDecision: (event: NewAuditEvent) => void;
    now: () => number;
  },
): AdministrationTools {
  const passwords = openPasswordRules(config);
  const names = new Map(upstreams.map(({ id, name }) => [id, name]));
  return {
    webhookSecrets,
    callWebhook: openWebhookTest(config, { openSecret: webhookSecrets.open, waiting, now }),
    clientCredentials: CLIENT_CREDENTIALS,
    nativeSchemes: config.NATIVE_SCHEMES,
    builtInClients: ownClients(config).map(({ id }) => id),
    clientsBy: config.CLIENTS_BY,
    resources: config.RESOURCES.map(({ identifier }) => identifier),
    async hashPassword(password, person) {
      await passwords.assert(password, person);
      return hashPassword(password);
    },
    mail: peopleMailOf(config, { store, secret: () => secret, now }),
    renderMarkdown,
    access,
    exportAccount,
    forgetAttempts: (user) => forgetAttempts(store, user),
    signingKeys: openKeyControl(store, {
      sealer: () => sealer,
      maxAgeSeconds: config.JWKS_MAX_AGE,
      now,
    }),
    settings: () => describeSettings(config),
    health,
    passkeyId: config.PASSKEY_ID,
    upstreamName: (id) => names.get(id) ?? id,
    deletionDelay: config.DELETION_DELAY,
    privateHosts: config.PRIVATE_HOSTS,
    now,
    record: (event) => {
      countDecision(event);
      return recordAudit({ store: store.audit, days: config.AUDIT_DAYS }, now(), event);
    },
  };
}
