import { isLoopback } from "./loopback.ts";
import { Rule } from "./setting.ts";

interface PasskeySettings {
  readonly AUTH_URL: string;
  readonly PASSKEYS: "on" | "off" | null;
  readonly PASSKEY_ID: string | null;
}

/**
 * The domain that passkeys of this server belong to (the RP ID of Web Authentication section 5.1.2); null where there are none.
 *
 * @throws Rule naming the setting that cannot be
 */
export function passkeyId({ AUTH_URL, PASSKEYS, PASSKEY_ID }: PasskeySettings): string | null {
  const { protocol, hostname } = new URL(AUTH_URL);
  if (PASSKEYS === "off") return null;
  const isName = !hostname.startsWith("[") && !/^[\d.]+$/.test(hostname);
  if (!isName || (protocol !== "https:" && !isLoopback(hostname))) {
    if (PASSKEYS === "on" || PASSKEY_ID !== null)
      throw new Rule(
        `${PASSKEYS === "on" ? "PASSKEYS=on" : "PASSKEY_ID"} needs an AUTH_URL with a host name, such as https://example.com or http://localhost:4000: browsers use no passkeys with ${AUTH_URL}.`,
      );
    return null;
  }
  const id = PASSKEY_ID ?? hostname;
  if (id !== hostname && !(hostname.endsWith(`.${id}`) && id.includes(".")))
    throw new Rule(`PASSKEY_ID must be ${hostname}, the host of AUTH_URL, or a domain above it with a dot in it.`);
  return id;
}
