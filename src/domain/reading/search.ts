/** Limits of one search; larger searches would only be slow. */
const MAX_LENGTH = 200;
const MAX_WORDS = 16;

/**
 * The words of a search in a form that both databases take: lower case, without accents, separated by single spaces. All of
 * them have to be in a post, in any order. A word that ends in `*` stands for all words that begin so.
 *
 * @returns null when there is no word in it, or when it is too long
 */
export function searchWords(text: string): string | null {
  if (text.length > MAX_LENGTH) return null;
  const plain = text.normalize("NFKD").replaceAll(/[\u0300-\u036f]/g, "");
  const words = plain.toLowerCase().match(/[\p{L}\p{N}\p{M}]+\*?/gu) ?? [];
  return words.length === 0 || words.length > MAX_WORDS ? null : words.join(" ");
}
