const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

/** Parts of a highlight of the search, which is text with `<mark>` around matches and entities for special characters. */
export function highlightParts(html: string): readonly { readonly text: string; readonly isMatch: boolean }[] {
  return html
    .split(/(<mark>.*?<\/mark>)/s)
    .filter((part) => part !== "")
    .map((part) => ({
      text: part.replace(/<\/?mark>/g, "").replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity),
      isMatch: part.startsWith("<mark>"),
    }));
}
