/**
 * Seconds for which what others have dated (`iat`, `nbf`) may lie ahead of our clock. FAPI 2.0 Security Profile section
 * 5.3.2.1 has 10 accepted and more than 60 refused. An end (`exp`) counts to the second: nothing lasts longer for it.
 */
export const MOST_AHEAD = 30;

/** With which DPoP proofs may be signed, wherever they are looked at: those of FAPI 2.0 Security Profile section 5.4.1. */
export const DPOP_ALGORITHMS = ["ES256", "EdDSA", "Ed25519", "PS256"] as const;

/** A signed JWT as it is written (RFC 7515 section 7.1, RFC 7519), read and not yet checked. */
export interface CompactJws {
  readonly header: Readonly<Record<string, unknown>>;
  readonly payload: Readonly<Record<string, unknown>>;
  /** The signed text. */
  readonly input: string;
  /** In base64url. */
  readonly signature: string;
}

/** Null for a text that is no signed JWT: one that has not three parts, or whose first two are no JSON objects. */
export function readCompactJws(text: string): CompactJws | null {
  const [first = "", second = "", signature = "", ...more] = text.split(".");
  if (more.length > 0 || ![first, second, signature].every((part) => /^[\w-]+$/.test(part))) return null;
  const [header, payload] = [readPart(first), readPart(second)];
  return header === null || payload === null ? null : { header, payload, input: `${first}.${second}`, signature };
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function readPart(part: string): Readonly<Record<string, unknown>> | null {
  try {
    const bytes = atob(part.replaceAll("-", "+").replaceAll("_", "/"));
    const isAscii = !/[\u0080-\u00ff]/.test(bytes);
    const text = isAscii ? bytes : utf8.decode(Uint8Array.from(bytes, (character) => character.charCodeAt(0)));
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null; // no base64url, no UTF-8 or no JSON
  }
}
