import type { Config } from "./config.ts";
import { isLoopback } from "./loopback.ts";

/**
 * How mail leaves: by SMTP; into a mailbox that only this machine sees, for developers; or not at all, and nothing pretends to have
 * sent any.
 */
export type MailMode = "smtp" | "mailbox" | "none";

export function mailMode({
  SMTP_URL,
  AUTH_URL,
  TRUST_PROXY,
}: Pick<Config, "SMTP_URL" | "AUTH_URL" | "TRUST_PROXY">): MailMode {
  if (SMTP_URL !== null) return "smtp";
  return TRUST_PROXY === false && isLoopback(new URL(AUTH_URL).hostname) ? "mailbox" : "none";
}
