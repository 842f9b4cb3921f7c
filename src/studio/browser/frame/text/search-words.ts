/** Words of a search for the API. The last word is being typed, so it finds all that begin with it. */
export function searchWords(text: string): string {
  const words = text.trim().split(/\s+/).slice(0, 16);
  const last = words.at(-1) ?? "";
  return [...words.slice(0, -1), last.endsWith("*") ? last : `${last}*`].join(" ");
}
