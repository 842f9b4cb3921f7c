import type { Config } from "../config/config.ts";
import { passkeyId } from "../config/passkey-id.ts";
import type { Finding } from "../diagnosis/finding.ts";
import type { PasskeyStore } from "../domain/people/passkey.ts";

const check = "passkeys";

/** Whether people can use passkeys, and for which domain the server makes them. */
export function checkPasskeys({ AUTH_URL, PASSKEY_ID }: Config): Finding {
  if (PASSKEY_ID !== null) return { check, result: "good", detail: `on, for ${PASSKEY_ID}` };
  const isPossible = passkeyId({ AUTH_URL, PASSKEYS: null, PASSKEY_ID: null }) !== null;
  const detail = isPossible
    ? "off (PASSKEYS)"
    : `off: browsers use none with ${AUTH_URL}, but with https and a host name, or at http://localhost`;
  return { check, result: "good", detail };
}

/** Passkeys of another domain, which no browser offers here (U07). */
export async function checkLostPasskeys(
  passkeys: Pick<PasskeyStore, "countElsewhere">,
  { PASSKEY_ID: domain }: Pick<Config, "PASSKEY_ID">,
): Promise<Finding[]> {
  const count = await passkeys.countElsewhere(domain);
  if (count === 0) return [];
  const reason =
    domain === null ? "cannot be used while passkeys are off" : `made for another domain than ${domain}, useless here`;
  return [{ check, result: "warning", detail: `${count} ${reason}: their owners need another way to sign in` }];
}
