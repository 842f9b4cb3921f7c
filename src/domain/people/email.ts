import { badInput } from "../errors.ts";
import { assertText } from "../text.ts";

/** RFC 5321 section 4.5.3.1, in bytes. */
const LOCAL_PART = 64;
const WHOLE = 254;

/** Letters, marks and digits of any script, but nothing that no eye sees. */
const LETTER = "[\\p{L}\\p{M}\\p{Nd}]";
const ATOM = `(?!\\p{M})(?:${LETTER}|[#$&'*+/=?^_\`{|}~-])+`;
const LABEL = `(?![\\p{M}-])(?:${LETTER}|-)+(?<!-)`;
const ADDRESS = new RegExp(`^${ATOM}(?:\\.${ATOM})*@${LABEL}(?:\\.${LABEL})*$`, "u");

/**
 * The form of an address that identifies an account: NFC, the local part in lower case, the domain in ASCII (RFC 5891). Dots and
 * plus signs count. Every text has a key, so that accounts from before a rule are still found.
 */
export function emailKey(email: string): string {
  const text = spellingKey(email);
  const at = text.lastIndexOf("@");
  if (at === -1) return text;
  return text.slice(0, at + 1) + asciiDomain(text.slice(at + 1));
}

/** The key of an address until keys had the domain in ASCII. */
export function spellingKey(email: string): string {
  return email.normalize("NFC").toLowerCase().normalize("NFC");
}

/** @throws AppError BAD_USER_INPUT naming `field` */
export function assertEmail(field: string, email: string): void {
  assertText(field, email, { min: 3, max: WHOLE });
  if (!isEmail(email)) throw badInput(field, `${field} must look like ada@example.com.`);
}

/**
 * The one grammar of addresses: a dot-atom of RFC 5322 with letters of any script, `@` and a host name. Quotes, comments, source
 * routes, encoded words and invisible characters are no part of it.
 */
export function isEmail(text: string): boolean {
  const domain = text.slice(text.lastIndexOf("@") + 1);
  return (
    bytes(text) <= WHOLE &&
    ADDRESS.test(text) &&
    !/=\?|\p{Default_Ignorable_Code_Point}/u.test(text) &&
    bytes(text) - bytes(domain) - 1 <= LOCAL_PART &&
    isHostName(asciiDomain(domain))
  );
}

/** As it is where it has no such form. */
function asciiDomain(domain: string): string {
  // A URL would take these for its own parts.
  if (/[\p{Cc}\s/\\?#@:[\]%]/u.test(domain)) return domain;
  return URL.parse(`http://${domain}/`)?.hostname ?? domain;
}

/** A name, not an IPv4 address, which is what a URL makes of a domain that ends in a number. */
function isHostName(domain: string): boolean {
  return domain.length <= 253 && /^(?:[a-z0-9-]{1,63}\.)*(?=[^.]*[a-z])[a-z0-9-]{1,63}$/.test(domain);
}

function bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}
