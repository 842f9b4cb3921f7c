/** Whether a place stands in a fenced block of code: the plain editor knows no more of the syntax than that. */
export function isInFence(text: string, place: number): boolean {
  let fence: string | null = null;
  for (const { 1: marks = "", 2: info = "" } of text.slice(0, place).matchAll(/^ {0,3}(`{3,}|~{3,})(.*)$/gm)) {
    if (fence === null) {
      if (marks[0] === "~" || !info.includes("`")) fence = marks;
    } else if (marks[0] === fence[0] && marks.length >= fence.length && info.trim() === "") fence = null;
  }
  return fence !== null;
}
