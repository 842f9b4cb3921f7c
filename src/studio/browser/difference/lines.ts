/** Lines with their ends. Joined, they are the text again: each CR, each LF, and a last line without one. */
export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
