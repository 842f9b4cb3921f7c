import { badInput } from "../errors.ts";

/** Words in any script, as `slugOf` makes them, with hyphens between. */
const SLUG = /^[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:-[\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*$/u;

/** Whether a person may choose it: no other spelling of a slug leads to the same words. Its length is another rule. */
export function isSlug(text: string): boolean {
  return SLUG.test(text) && text === text.normalize("NFKC").toLowerCase();
}

/** @throws AppError BAD_USER_INPUT naming `field` */
export function assertSlug(field: string, slug: string): void {
  if (!isSlug(slug))
    throw badInput(field, `${field} must be words in lower case with hyphens between, such as my-first-post.`);
}

export function slugTaken(field = "input.slug"): Error {
  return badInput(field, "Another post has this slug, or had it while it was published. Choose another one.");
}

/** @throws AppError BAD_USER_INPUT naming `field` */
export function assertExcerpt(field: string, excerpt: string): void {
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(excerpt))
    throw badInput(field, `${field} must be one line without control characters.`);
}

/** Whether it is the name of a time zone. Offsets such as +01:00 are rejected: they have no summer time. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+-]*(?:\/[\w+-]+)*$/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/** @throws AppError BAD_USER_INPUT naming `field` */
export function assertZone(field: string, zone: string): void {
  if (!isTimeZone(zone)) throw badInput(field, `${field} must be the IANA name of a time zone, such as Europe/Berlin.`);
}
