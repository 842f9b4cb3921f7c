import { hash } from "node:crypto";

/** Documents whose hashes are kept, and the characters of the longest of them. */
const MOST = 500;
const LONGEST = 4_096;

const hashes = new Map<string, string>();

/** SHA-256 of a document, as `graphql.document.hash` and the log have it. */
export function documentHash(text: string): string {
  const known = hashes.get(text);
  if (known !== undefined) return known;
  const made = `sha256:${hash("sha256", text)}`;
  if (text.length > LONGEST) return made;
  if (hashes.size >= MOST) hashes.clear();
  hashes.set(text, made);
  return made;
}
