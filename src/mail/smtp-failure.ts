import type { SendOutcome } from "./sender.ts";

/** The parts of nodemailer's errors that are read here. */
export interface SmtpError {
  readonly code?: string | undefined;
  readonly command?: string | undefined;
  readonly response?: string | undefined;
  readonly responseCode?: number | undefined;
  readonly originalCode?: string | undefined;
  readonly timeoutType?: string | undefined;
}

/** Replies about our login (RFC 4954 section 6), wherever they come. */
const ABOUT_LOGIN: ReadonlySet<number> = new Set([530, 534, 535, 538]);
/** Codes of Node for certificates that do not verify, and for a server that speaks no TLS. */
const ABOUT_TLS = /^(?:ERR_TLS|ERR_SSL|EPROTO$|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|HOSTNAME_|INVALID_|CRL_)/;
const MOST_CHARACTERS = 160;

export function isAboutTls({ code, originalCode = "" }: SmtpError): boolean {
  return code === "ETLS" || ABOUT_TLS.test(originalCode);
}

/**
 * Decides from the error of an attempt whose fault it was.
 * @param hasAsciiRecipient whether the command MAIL FROM said nothing that depends on the recipient
 */
export function outcomeOf(error: SmtpError, hasAsciiRecipient: boolean): Exclude<SendOutcome, { result: "sent" }> {
  const { code = "", command = "", responseCode } = error;
  const reason = reasonOf(error);
  const isPermanent = responseCode !== undefined && responseCode >= 500 && responseCode !== 503;
  if (code === "EAUTH" || isAboutTls(error) || (responseCode !== undefined && ABOUT_LOGIN.has(responseCode)))
    return { result: "unavailable", reason };
  // A reply that was cut off, at some time.
  if (code === "ECONNECTION" && command === "CONN") return { result: "retry", reason };
  // The server rejects us or our sender, and would reject every other letter. Its limit of size is about this one.
  const isBefore = ["CONN", "EHLO", "HELO", "STARTTLS"].includes(command);
  const isAboutSender = command === "MAIL FROM" && responseCode !== 552 && hasAsciiRecipient;
  if (isPermanent && (isBefore || isAboutSender)) return { result: "unavailable", reason };
  if (isPermanent || (responseCode === undefined && ["EENVELOPE", "EMESSAGE"].includes(code)))
    return { result: "refused", reason };
  return { result: "retry", reason };
}

/**
 * Says in a few words why an attempt failed. A reply may quote the recipient or the letter, with its link, and one to our login the
 * password: only its numbers are kept, unless the server had seen none of them.
 */
export function reasonOf(error: SmtpError): string {
  const { code = "", command = "", response, originalCode } = error;
  if (response) return `the mail server answered ${isHarmless(command) ? words(response) : numbers(response)}`;
  if (code === "EABORT" || code === "ETIMEDOUT") return "the mail server took too long";
  if (code === "EDNS") return "the name of the mail server was not found";
  if (isAboutTls(error)) return `TLS with the mail server failed${originalCode ? `: ${originalCode}` : ""}`;
  if (code === "EAUTH") return "the login at the mail server failed";
  if (originalCode !== undefined) return `the connection to the mail server failed: ${originalCode}`;
  if (code === "ECONNECTION" || code === "ESOCKET") return "the mail server closed the connection";
  return `sending failed${code === "" ? "" : `: ${code}`}`;
}

function isHarmless(command: string): boolean {
  return ["EHLO", "HELO", "STARTTLS"].includes(command);
}

/** `550 5.1.1 No such user` → `550 5.1.1` */
function numbers(response: string): string {
  return /^\d{3}(?:[ -][245]\.\d{1,3}\.\d{1,3})?/.exec(response)?.[0].replace("-", " ") ?? "nothing that is SMTP";
}

/** A reply in one line, cut short. */
export function words(response: string): string {
  const line = response.replaceAll(/\s*\n\d{3}[ -]/g, " ").replaceAll(/[\p{Cc}\p{Cf}\p{Z}]+/gu, " ");
  return line.trim().slice(0, MOST_CHARACTERS);
}
