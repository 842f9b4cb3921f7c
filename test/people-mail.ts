import { openMailedSecrets } from "../src/authorization-server/letters/mailed-secrets.ts";
import { openOutgoing } from "../src/authorization-server/letters/outgoing.ts";
import { openPeopleMail } from "../src/authorization-server/letters/people-mail.ts";
import type { PeopleMail } from "../src/domain/people/people-mail.ts";
import type { Store } from "../src/domain/store/store.ts";

/**
 * Mails that administrators cause, as the program writes them down.
 *
 * @param secret the installation's, by which pages know the links
 */
export function openTestPeopleMail(
  store: Store,
  AUTH_URL: string,
  { sendsMail = true, secret = new Uint8Array(32) }: { sendsMail?: boolean; secret?: Uint8Array } = {},
): PeopleMail {
  const now = () => Date.now(); // tests put another clock in its place
  return openPeopleMail({
    settings: { AUTH_URL },
    outgoing: openOutgoing(sendsMail, store, now),
    secrets: () => openMailedSecrets(store.accountTokens, secret, now),
    now,
  });
}
