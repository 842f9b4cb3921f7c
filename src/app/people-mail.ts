import { openMailedSecrets } from "../authorization-server/letters/mailed-secrets.ts";
import { openOutgoing } from "../authorization-server/letters/outgoing.ts";
import { openPeopleMail } from "../authorization-server/letters/people-mail.ts";
import type { Config } from "../config/config.ts";
import { mailMode } from "../config/mail-mode.ts";
import type { PeopleMail } from "../domain/people/people-mail.ts";
import type { Store } from "../domain/store/store.ts";

/** Mails and links of administrators, for GraphQL and for the command line. @param now Unix time in milliseconds */
export function peopleMailOf(
  config: Config,
  { store, secret, now }: { readonly store: Store; readonly secret: () => Uint8Array; readonly now: () => number },
): PeopleMail {
  return openPeopleMail({
    settings: config,
    outgoing: openOutgoing(mailMode(config) !== "none", store, now),
    secrets: () => openMailedSecrets(store.accountTokens, secret(), now),
    now,
  });
}
