/**
 * Escapes what would be a mark in Markdown, and leaves the rest as people read it: stars between blanks, underscores within
 * words and a dash in a sentence are text.
 */
export function escapeMarkdown(text: string): string {
  return text
    .replaceAll(/\\(?=[!-/:-@[-`{-~])/g, "\\\\")
    .replaceAll(/\*(?!\s|$)|(?<=\S)\*/g, "\\*")
    .replaceAll(/(?<![\p{L}\p{N}])_(?=\S)|(?<=\S)_(?![\p{L}\p{N}])/gu, "\\_")
    .replaceAll("`", "\\`")
    .replaceAll("~~", "\\~~")
    .replaceAll(/\[(?=[^\]]*\])/g, "\\[")
    .replaceAll(/<(?=[a-z][a-z\d+.-]+:|[^\s<>]+@)/gi, "\\<")
    .replaceAll(/&(?=#?\w+;)/g, "\\&")
    .replace(/^(\s*)([-+>]|#{1,6})(?=\s|$)/, "$1\\$2")
    .replace(/^(\s*)(={3,}|-{3,})(?=\s*$)/, "$1\\$2")
    .replace(/^(\s*\d{1,9})([.)])(?=\s|$)/, "$1\\$2");
}
