import { badInput } from "../errors.ts";
import { assertText } from "../text.ts";

/** By what a client's certificate may be known, by the ends of their names in client metadata (RFC 8705 section 2.1.2). */
export const SUBJECT_KINDS = ["subject_dn", "san_dns", "san_uri", "san_ip", "san_email"] as const;
export type SubjectKind = (typeof SUBJECT_KINDS)[number];

/** The name that a client's certificate must contain. */
export interface CertificateSubject {
  readonly kind: SubjectKind;
  /** A distinguished name is written as in RFC 4514. */
  readonly value: string;
}

/** @throws AppError BAD_USER_INPUT for a subject that no certificate could have */
export function assertCertificateSubject(field: string, { kind, value }: CertificateSubject): void {
  assertText(field, value, { min: 1, max: 1_000 });
  if (kind === "subject_dn" && readDistinguishedName(value) === null)
    throw badInput(field, `"${value}" is not a distinguished name such as CN=client,O=Example (RFC 4514).`);
  if (kind === "san_ip" && !isAddress(value)) throw badInput(field, `"${value}" is not an IP address.`);
}

function isAddress(value: string): boolean {
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(value)) return URL.parse(`http://${value}/`)?.hostname === value;
  return value.includes(":") && URL.canParse(`http://[${value}]/`);
}

/** Names that RFC 4514 section 3 and certificates use for attributes of a subject. */
const OBJECT_IDS: Readonly<Record<string, string>> = {
  CN: "2.5.4.3",
  SN: "2.5.4.4",
  SERIALNUMBER: "2.5.4.5",
  C: "2.5.4.6",
  L: "2.5.4.7",
  ST: "2.5.4.8",
  STREET: "2.5.4.9",
  O: "2.5.4.10",
  OU: "2.5.4.11",
  TITLE: "2.5.4.12",
  GN: "2.5.4.42",
  ORGANIZATIONIDENTIFIER: "2.5.4.97",
  DC: "0.9.2342.19200300.100.1.25",
  UID: "0.9.2342.19200300.100.1.1",
  EMAILADDRESS: "1.2.840.113549.1.9.1",
};

/**
 * A distinguished name (RFC 4514 section 3) in a form in which equal names are equal texts. Values are compared as they
 * are written. Null for what is no such name, and for hexadecimal values (`#…`), which are not read.
 */
export function readDistinguishedName(text: string): string | null {
  const names: string[][] = [[]];
  let rest = text;
  for (;;) {
    const match = /^ *([A-Za-z][A-Za-z\d-]*|\d+(?:\.\d+)+) *= *((?:[^\\,+;"<>\0]|\\.)*)([,+]|$)/su.exec(rest);
    if (match === null) return null;
    const [whole, type = "", written = "", separator] = match;
    const value = written.startsWith("#") ? null : decode(written);
    if (value === null || value === "") return null;
    names.at(-1)?.push(`${OBJECT_IDS[type.toUpperCase()] ?? type.toUpperCase()}=${value}`);
    if (separator === "") break;
    if (separator === ",") names.push([]);
    rest = rest.slice(whole.length);
  }
  return JSON.stringify(names.map((attributes) => attributes.sort()));
}

/** Pairs of hexadecimal digits are bytes of UTF-8. Spaces around the value do not count unless they are escaped. */
function decode(written: string): string | null {
  const trimmed = /^((?:[^\\]|\\.)*?) *$/su.exec(written)?.[1] ?? "";
  const bytes = [...trimmed.matchAll(/\\([\da-fA-F]{2})|\\(.)|([^\\]+)/gsu)].map(([, hex, escaped, plain = ""]) =>
    hex === undefined ? Buffer.from(escaped ?? plain) : Buffer.from(hex, "hex"),
  );
  const text = Buffer.concat(bytes).toString("utf8");
  return text.includes("\uFFFD") ? null : text;
}
