declare const idBrand: unique symbol;

/** A UUIDv7 in lower-case text (RFC 9562 section 5.7). Opaque to clients. */
export type Id = string & { readonly [idBrand]: true };

const PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The identifier, or null for any other string: that is no error, just the name of no object. */
export function parseId(text: string): Id | null {
  return PATTERN.test(text) ? (text as Id) : null;
}
