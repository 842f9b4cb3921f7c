/** A place in a list: the key by which the list is ordered, and the id of the row, with which ties are broken. */
export interface Place {
  readonly key: string;
  readonly id: string;
}

/**
 * The text that clients send back to go on from a place. It holds for one list in one order and carries a checksum, so that
 * one which was cut off, mistyped or taken from elsewhere is noticed. It gives no rights and hides nothing: whoever makes
 * one up gets another page of what they may see anyway.
 */
export function encodeCursor(list: string, { key, id }: Place): string {
  const text = `1${checksum(`${list}\n${id}${key}`)}${id}${key}`;
  const base64 = btoa(/[\u0080-\uffff]/.test(text) ? utf8(text) : text);
  return base64.replace(/[+/=]/g, (character) => (character === "+" ? "-" : character === "/" ? "_" : ""));
}

/** A character for each byte, as btoa wants it. */
function utf8(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
}

const ID_LENGTH = 36;
/** The version and the checksum. */
const HEAD_LENGTH = 9;

/** @returns null for a text that `encodeCursor` has not made for this list, or for a row that cannot be: no stored text has U+0000 */
export function decodeCursor(list: string, cursor: string): Place | null {
  if (!/^[\w-]+$/.test(cursor)) return null;
  try {
    const binary = atob(cursor.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    if (text.includes("\0")) return null;
    const id = text.slice(HEAD_LENGTH, HEAD_LENGTH + ID_LENGTH);
    const place = { id, key: text.slice(HEAD_LENGTH + ID_LENGTH) };
    return encodeCursor(list, place) === cursor ? place : null;
  } catch {
    return null; // no base64url, or no UTF-8
  }
}

/** FNV-1a of 32 bits (http://www.isthe.com/chongo/tech/comp/fnv/) over UTF-16 code units, in hexadecimal. */
function checksum(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
