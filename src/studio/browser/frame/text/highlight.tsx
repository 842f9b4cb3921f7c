import { highlightParts } from "./highlight-parts.ts";

/** A part of a post with the words that a search found. */
export function Highlight({ html }: { readonly html: string }) {
  const parts = highlightParts(html);
  return (
    <>
      {parts.map((part) => (
        <span key={parts.indexOf(part)}>{part.isMatch ? <mark>{part.text}</mark> : part.text}</span>
      ))}
    </>
  );
}
