import { emailKey, isEmail } from "../domain/people/email.ts";

/** Settings under their own names, as they were read. */
export interface SmtpSettings {
  readonly SMTP_URL: string | null;
  readonly SMTP_PASSWORD: string | null;
  readonly MAIL_FROM: string | null;
}

export interface SmtpServer {
  /** A name in ASCII, or an IP address without brackets. */
  readonly host: string;
  readonly port: number;
  /**
   * `implicit` from the first byte; `starttls` or nothing is sent; `none` only to this machine, where nobody listens in and
   * certificates rarely have the right name.
   */
  readonly tls: "implicit" | "starttls" | "none";
  readonly user: { readonly name: string; readonly password: string } | null;
  readonly from: { readonly name: string; readonly address: string };
}

/** @throws Error naming the variable that cannot be used; it never has the password in it */
export function readSmtpSettings(settings: SmtpSettings, isLoopback: (host: string) => boolean): SmtpServer {
  const url = settings.SMTP_URL === null ? null : URL.parse(settings.SMTP_URL);
  // Other schemes than http keep a host name as it was typed: neither in lower case nor in ASCII.
  const host = url === null ? undefined : URL.parse(`http://${url.hostname}/`)?.hostname;
  if (url === null || !host || !["smtp:", "smtps:"].includes(url.protocol))
    throw new Error("SMTP_URL must be smtps://USER@HOST:PORT or smtp://USER@HOST:PORT.");
  const plain = isLoopback(host) ? "none" : "starttls";
  const tls = url.protocol === "smtps:" ? "implicit" : plain;
  return {
    host: host.replace(/^\[|\]$/g, ""),
    port: Number(url.port) || (tls === "implicit" ? 465 : 587),
    tls,
    user: userOf(url, settings.SMTP_PASSWORD),
    from: readMailFrom(settings.MAIL_FROM),
  };
}

function userOf(url: URL, SMTP_PASSWORD: string | null): SmtpServer["user"] {
  const name = decoded(url.username);
  const password = url.password === "" ? SMTP_PASSWORD : decoded(url.password);
  if (name === "" && password === null) return null;
  if (name === "")
    throw new Error("SMTP_URL needs a user, as in smtps://USER@HOST:PORT, because there is a password for it.");
  if (password === null) throw new Error("SMTP_PASSWORD is missing: SMTP_URL has a user but no password.");
  if (/[\0\r\n]/.test(name + password))
    throw new Error("SMTP_URL and SMTP_PASSWORD must have no line breaks in the user or the password.");
  return { name, password };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Error("SMTP_URL has a % in its user or password that must be written as %25.");
  }
}

/** The domain of the sender, in ASCII. @throws Error naming MAIL_FROM */
export function senderDomain(MAIL_FROM: string | null): string {
  const { address } = readMailFrom(MAIL_FROM);
  return address.slice(address.lastIndexOf("@") + 1);
}

/** @throws Error naming MAIL_FROM */
function readMailFrom(MAIL_FROM: string | null): SmtpServer["from"] {
  const match = /^(?:([^<>"\\\p{Cc}]*) )?<([^<>\s]+)>$|^([^<>\s]+)$/u.exec(MAIL_FROM ?? "");
  const address = match?.[2] ?? match?.[3] ?? "";
  if (!isEmail(address)) throw new Error("MAIL_FROM must look like Name <name@example.com> or name@example.com.");
  return { name: match?.[1] ?? "", address: wireAddress(address) };
}

/**
 * The address for the mail server: the local part as its person wrote it, the domain in ASCII exactly as its key has it. A mail
 * library has rules of its own for domains, by which the mail could go to another domain than the one that was checked.
 */
export function wireAddress(address: string): string {
  const key = emailKey(address);
  return address.slice(0, address.lastIndexOf("@")) + key.slice(key.lastIndexOf("@"));
}
