import type { Config } from "../config/config.ts";
import type { PasskeyStore } from "../domain/people/passkey.ts";
import type { Log } from "../observe/log.ts";

interface LostPasskeysOptions {
  readonly config: Pick<Config, "PASSKEY_ID">;
  readonly store: { readonly passkeys: Pick<PasskeyStore, "countElsewhere"> };
  readonly log: Log;
}

/** Logs how many passkeys no browser offers any more, because the domain has changed or passkeys are off (U07). It never rejects. */
export async function warnOfLostPasskeys({ config, store, log }: LostPasskeysOptions): Promise<void> {
  const { PASSKEY_ID: domain } = config;
  try {
    const count = await store.passkeys.countElsewhere(domain);
    if (count === 0) return;
    if (domain === null) log.warn({ count }, "passkeys are off: these cannot be used");
    else log.warn({ count, domain }, "passkeys of another domain cannot be used");
  } catch (error) {
    log.warn({ err: error }, "passkeys of other domains could not be counted");
  }
}
