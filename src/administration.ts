import { CLIENT_CREDENTIALS } from "./authorization-server/client-secret.ts";
import { assertPassword, hashPassword } from "./authorization-server/passwords.ts";
import type { Config } from "./config.ts";
import { auditEvent } from "./domain/audit.ts";
import type { Store } from "./domain/store.ts";
import type { AdministrationTools } from "./graphql/administration/field.ts";
import { loadSecret } from "./secret.ts";
import { openWebhookSecrets } from "./webhook-secrets.ts";

/** What administration in GraphQL needs of the other rooms. @param now Unix time in milliseconds */
export function administrationTools(config: Config, store: Store, now: () => number): AdministrationTools {
  return {
    webhookSecrets: openWebhookSecrets(loadSecret(config)),
    clientCredentials: CLIENT_CREDENTIALS,
    async hashPassword(password, person) {
      assertPassword(password, person);
      return hashPassword(password);
    },
    privateHosts: config.PRIVATE_HOSTS,
    now,
    async record(event) {
      if (config.AUDIT_DAYS > 0) await store.audit.add([auditEvent(now(), event)]);
    },
  };
}
